"""Alpha-beta with a table of the states it has met, so that a state reached by many ways is searched once.

The same source runs interpreted, where the table is a dict, and native, where it is an array of records.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, signed
from zermelo.errors import LimitReached
from zermelo.fields import spread
from zermelo.native import natively
from zermelo.search.tally import at_horizon

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally

EXACT, LOWER, UPPER = 1, 2, 3
"""What a stored value is: the value, or a bound below or above it."""

ENDLESS = 1_000_000
"""The depth of an entry that rests on ends of the game alone, and so serves any depth."""


def remembering_alphabeta(
    game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, table: Any, tally: Tally
) -> float:
    """The value of `state` to `player` as far as the window needs it: the theorem of `alphabeta` holds.

    `tally.horizon` grows whenever the value rests on an evaluation, directly or through the table.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    key = signed(Bits(game.canonical_key(state)))
    kind, value, searched = recall(table, key)
    if searched >= depth and settles(kind, value, alpha, beta):
        if searched < ENDLESS:
            tally.horizon += 1
        return value
    evaluated = tally.horizon
    low, high = alpha, beta
    if game.to_move(state) == player:
        value = -inf
        for action in game.actions(state):
            child = game.result(state, action)
            value = max(value, remembering_alphabeta(game, child, player, low, high, depth - 1, table, tally))
            if value >= high:
                break
            low = max(low, value)
    else:
        value = inf
        for action in game.actions(state):
            child = game.result(state, action)
            value = min(value, remembering_alphabeta(game, child, player, low, high, depth - 1, table, tally))
            if value <= low:
                break
            high = min(high, value)
    kind = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    remember(table, key, kind, value, ENDLESS if tally.horizon == evaluated else depth)
    return value


def settles(kind: int, value: float, alpha: float, beta: float) -> bool:
    """Whether a stored value answers for this window."""
    return kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha)


def array_table(entries: int) -> Any:
    """An empty native table; `entries` is a power of two. A new entry replaces what was in its place."""
    import numpy

    return numpy.zeros(entries, numpy.dtype([("key", "i8"), ("value", "f8"), ("depth", "i4"), ("kind", "i4")]))


def slot(entries: int, key: int) -> int:
    """The place of a key in a table: well spread even where a game's keys are not."""
    return int(spread(Bits(key)) & (entries - 1))


def _recall_from_array(table: Any, key: int) -> tuple[int, float, int]:
    entry = table[slot(len(table), key)]
    if entry.key == key:
        return entry.kind, entry.value, entry.depth
    return 0, 0.0, 0


def _remember_in_array(table: Any, key: int, kind: int, value: float, depth: int) -> None:
    entry = table[slot(len(table), key)]
    entry.key = key
    entry.kind = kind
    entry.value = value
    entry.depth = depth


@natively(_recall_from_array)
def recall(table: dict[int, tuple[int, float, int]], key: int) -> tuple[int, float, int]:
    """What is stored under a key: kind (0: nothing), value, depth searched."""
    return table.get(key, (0, 0.0, 0))


@natively(_remember_in_array)
def remember(table: dict[int, tuple[int, float, int]], key: int, kind: int, value: float, depth: int) -> None:
    """Store a value under a key."""
    table[key] = (kind, value, depth)
