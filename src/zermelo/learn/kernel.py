"""A whole game that the engine plays against itself, in one kernel, in both worlds.

Native code looks at a thousand positions in the time that Python takes to list the actions of one, so quick games are
played to their ends without it.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.bits import Bits, scatter
from zermelo.engine.entries import MOVE_BITS
from zermelo.engine.kernel import guess, node, rest
from zermelo.engine.selective import calm, deep
from zermelo.engine.work import PATH, SURE
from zermelo.native.memory import get_item, identity, put_item
from zermelo.search.luck import random_step


def play_kernel(
    game: Any,
    start: Any,
    seed: int,
    opening: int,
    luck: float,
    longest: int,
    depth: int,
    nodes: int,
    memory: Any,
    work: Any,
) -> tuple[int, int, float]:
    """Play a game from `start`: how many of its positions are kept in `memory`, how many moves it had, and what it was
    worth to player 0.

    The first `opening` moves are random, later ones with a probability of `luck` while there are less than three times
    as many. A move is thought about to a depth, and no deeper once so many nodes are spent. A game is over where a
    search proves what it is worth, and a draw after `longest` moves. Kept are positions whose evaluation noisy play
    would not change, with what they were found worth.
    """
    now, kept, word = start, 0, Bits(seed)
    for ply in range(longest):
        if game.is_terminal(now):
            return kept, ply, float(game.utility(now, 0))
        if is_back(game, now, ply, work):
            return kept, ply, float(game.tied(now, 0))
        word = scatter(word)
        strays = ply < 3 * opening and int(word >> 11) < luck * float(1 << 53)
        if ply < opening or strays:
            now = random_step(game, now, scatter(word + 1))
            continue
        mover = game.to_move(now)
        value, proved = thought(game, now, depth, nodes, work)
        if abs(value) >= SURE:
            won = work.highest if (value > 0) == (mover == 0) else work.lowest
            return kept, ply, float(won)
        if proved:
            return kept, ply, value if mover == 0 else -value
        if is_quiet(game, now, mover, work):
            put_item(memory, kept, (value if mover == 0 else -value, identity(ply), now))
            kept += 1
        now = chosen(game, now, int(work.line[0]))
    return kept, longest, float(game.even_share)


def is_back(game: Any, state: Any, ply: int, work: Any) -> bool:
    """Whether a state ends the game because it came back; it is entered among those that were played."""
    if not game.remembers:
        return False
    mark = identity(game.recurrence(state))
    work.known = min(ply, PATH // 2)
    first = max(work.known - min(game.reversible(state), PATH), 0)
    often = 1
    for index in range(first, work.known):
        if work.path[index] == mark:
            often += 1
    if work.known < PATH // 2:
        work.path[work.known] = mark
    return bool(game.ends_by_repetition and often > work.returns)


def thought(game: Any, state: Any, depth: int, nodes: int, work: Any) -> tuple[float, bool]:
    """What a state is found worth to the mover, and whether that is proved; the line of the work begins with the action
    for it."""
    value, spent, doubts = 0.0, work.nodes + nodes, work.doubts
    for ahead in range(1, depth + 1):
        work.root_depth, work.null_ply, work.top, work.trail = ahead, -1, 0, 0
        work.root_hint = -1 if ahead == 1 else work.line[0] & MOVE_BITS
        doubts = work.doubts
        if game.has_gain:
            value = deep(game, state, -inf, inf, ahead, 0, work)
        else:
            value = node(game, state, -inf, inf, ahead, 0, work)
        if work.nodes >= spent or work.doubts == doubts or abs(value) >= SURE:
            break
    return value, work.doubts == doubts


def is_quiet(game: Any, state: Any, mover: int, work: Any) -> bool:
    """Whether playing out noisy actions pays for nobody."""
    still = guess(game, state, mover, work)
    if game.has_gain:
        return calm(game, state, -inf, inf, work.quiescence, 0, work) == still
    if game.has_noisy:
        return rest(game, state, -inf, inf, work.quiescence, 0, work) == still
    return True


def chosen(game: Any, state: Any, mark: int) -> Any:
    """The state after the action with this identity."""
    child = state
    for action in game.actions(state):
        if identity(action) == mark:
            child = game.result(state, action)
    return child


def a_position(state: Any) -> Any:
    """Any item of the memory, for its kind."""
    return 0.0, identity(0), state


def read_kernel(_: Any, memory: Any, place: int, state: Any) -> Any:
    """A position that was kept: its value to player 0, its ply, itself."""
    return get_item(memory, place, a_position, state)
