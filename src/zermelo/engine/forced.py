"""Forced wins by threats, within the search: kernels, in both worlds.

They are looked for where the depth is spent and before the children of a state are, with more patience the higher up.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.order import is_excluded
from zermelo.engine.work import LINE
from zermelo.native.memory import identity
from zermelo.search.threats import EVER, NONE, Shelf, forced_win, threats

MOST_PATIENCE = 4096
"""The most nodes that one search for threats may cost."""


def forced_plies(game: Any, state: Any, mover: int, depth: int, work: Any) -> int:
    """In how many plies at most `mover` wins by threats alone from a state that is no end; 0 if none is found."""
    patience = min(work.patience << 2 * min(depth, 16), MOST_PATIENCE)
    return max(forced_win(game, state, mover, 1, EVER, patience, Shelf(work.shelf, work.shelf_mask), work), NONE)


def keep_threats(game: Any, state: Any, mover: int, plies: int, ply: int, work: Any) -> bool:
    """Make a win by threats the expected line from a ply; False where its first action is excluded, or found no more.

    What takes too long to find again later is left out of the line.
    """
    if ply >= LINE:
        return False
    work.quota = min(work.nodes + MOST_PATIENCE, work.limit)
    start, length = ply * LINE, 0
    while plies > 0 and ply + length < LINE:
        found, mark, after = NONE, identity(0), state
        if game.to_move(state) == mover:
            found, mark, after = winning_threat(game, state, mover, plies, ply + length, work)
        else:
            found, mark, after = longest_reply(game, state, mover, plies, work)
        if found <= NONE:
            break
        work.line[start + length] = mark
        length += 1
        plies, state = found - 1, after
    work.line_length[ply] = length
    return length > 0


def winning_threat(game: Any, state: Any, mover: int, plies: int, ply: int, work: Any) -> tuple[int, int, Any]:
    """In how many of so many plies a threat wins, that threat, and the state after it; or `NONE`."""
    for action in game.forcing(state):
        mark = identity(action)
        if ply > 0 or not is_excluded(mark, work):
            child = game.result(state, action)
            found = plies_after(game, child, mover, plies, work)
            if found > NONE:
                return found, mark, child
    return NONE, identity(0), state


def longest_reply(game: Any, state: Any, mover: int, plies: int, work: Any) -> tuple[int, int, Any]:
    """In how many of so many plies `mover` wins though the other holds out as long as he can, how he does, and the
    state after it; or `NONE`."""
    longest, choice, after = NONE, identity(0), state
    for action in game.sufficient(state):
        child = game.result(state, action)
        found = plies_after(game, child, mover, plies, work)
        if found > longest:
            longest, choice, after = found, identity(action), child
    return longest, choice, after


def plies_after(game: Any, child: Any, mover: int, plies: int, work: Any) -> int:
    """In how many of so many plies `mover` wins by threats, one of them an action that leads to `child`; or `NONE`."""
    if game.is_terminal(child):
        return 1 if game.utility(child, mover) >= game.utility_bounds[1] else NONE
    if plies <= 1:
        return NONE
    found = threats(game, child, mover, plies - 1, Shelf(work.shelf, work.shelf_mask), work)
    return found + 1 if found > NONE else NONE
