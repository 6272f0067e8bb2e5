"""The same answer by different searches: how many nodes each visits on tic-tac-toe after X took the middle.

It prints:

    minimax          55,504 nodes, value 0
    alphabeta         2,315 nodes, value 0
    alphabeta-table     333 nodes, value 0
"""

from __future__ import annotations

from zermelo import Position, best, load

position = Position.from_text(load("tic-tac-toe"), moves="b2")
for algorithm in ("minimax", "alphabeta", "alphabeta-table"):
    found = best(position, depth=8, algorithm=algorithm, world="interpreted")
    print(f"{algorithm:16} {found.nodes:6,} nodes, value {found.value:g}")
