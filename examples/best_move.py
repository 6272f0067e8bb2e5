"""The best move in a position, and how sure that is.

It prints:

    ..O/.X./..X
    O should play a3: value 0 (exact)
    expected: a3 b3 b1 a2 c2 a1
"""

from __future__ import annotations

from zermelo import Position, best, load

position = Position.from_text(load("tic-tac-toe"), moves="b2 c3 c1")
print(position)
found = best(position)
line = position.line(list(found.line))
print(f"{position.game.player_name(position.to_move)} should play {line[0]}: value {found.value:g} ({found.kind})")
print("expected:", *line)
