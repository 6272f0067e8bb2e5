"""Forced wins: threats each of which leaves the opponent few replies, until one can't be met; kernels, in both worlds.

Only the actions that the game calls `forcing` are tried for one player, and every reply of the other, so the tree is
narrow and may be searched very deep. It proves wins, never that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.bits import Bits, signed
from zermelo.errors import LimitReached
from zermelo.fields import spread
from zermelo.native.memory import MIB, fresh_words, identity, peek, poke
from zermelo.search.tally import NO_LIMIT

NONE, UNKNOWN = 0, -1
"""No forced win; and none found before the quota was spent."""
NOT_YET = -2
"""None within a depth."""
EVER = 1 << 20
"""The depth of a search that no depth has cut short."""
DEEPER = 2
"""How many plies more are looked ahead each time."""
ENTRY = 2
"""Words of an entry of the table of threats: the state's key, and what is known of it."""


@dataclass(slots=True)
class Effort:
    """What a search for proofs counts. `quota` is the count of nodes at which one search for threats gives up; `cut`
    counts the states where its depth ran out; `asked` and `won` count these searches, and those that found a win."""

    limit: int = NO_LIMIT
    nodes: int = 0
    quota: int = NO_LIMIT
    cut: int = 0
    asked: int = 0
    won: int = 0
    threats: int = 0


class Shelf(NamedTuple):
    """A table of threats: in native code an address, interpreted a dict; `mask` is that of an entry's number."""

    table: Any
    mask: int


def made_shelf(natively: bool, size: float) -> tuple[Shelf, Any]:
    """An empty table of so many MiB, and what holds its memory."""
    entries = max(int(size * MIB) // (8 * ENTRY), 1)
    mask = (1 << (entries.bit_length() - 1)) - 1
    if not natively:
        return Shelf({}, mask), None
    words = fresh_words(ENTRY * (mask + 1), f"a table of {size:g} MiB")
    return Shelf(words.ctypes.data, mask), words


def forced_win(game: Any, state: Any, player: int, first: int, depth: int, quota: int, shelf: Shelf, tally: Any) -> int:
    """In how many plies `player` wins by threats from a state that is no end, `NONE` if he does not, or `UNKNOWN`.

    It looks `first` plies ahead, then further step by step, at most `depth` plies, and gives up after `quota` nodes.
    With `first` = 1 the win is the shortest that there is by threats.
    """
    tally.quota = min(tally.nodes + quota, tally.limit)
    tally.asked += 1
    plies = first
    while True:
        cut = tally.cut
        found = threats(game, state, player, min(plies, depth), shelf, tally)
        if found != NONE or tally.cut == cut or plies >= depth:
            tally.won += found > 0
            return found
        plies += DEEPER


def threats(game: Any, state: Any, player: int, depth: int, shelf: Shelf, tally: Any) -> int:  # noqa: C901
    """In how many plies `player` wins by threats alone, looking `depth` plies ahead; `NONE`, or `UNKNOWN`.

    Theorem. If the answer n is above 0, `player` can get the highest utility in at most n plies, whatever the other
    does, where what `plausible` leaves out is really no better. If it is `NONE`, no sequence of forcing actions of at
    most `depth` plies makes sure of that.
    """
    tally.nodes += 1
    tally.threats += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if tally.nodes > tally.quota:
        return UNKNOWN
    if depth == 0:
        tally.cut += 1
        return NONE
    best = NONE
    if game.to_move(state) == player:
        key = Bits(identity(game.key(state)))
        found = recalled(shelf, key, depth)
        if found != UNKNOWN:
            if found == NOT_YET:
                tally.cut += 1
                return NONE
            return found
        cut = tally.cut
        for action in game.forcing(state):
            child = game.result(state, action)
            if game.is_terminal(child):
                found = 1 if game.utility(child, player) >= game.utility_bounds[1] else NONE
            else:
                found = threats(game, child, player, depth - 1, shelf, tally)
                if found == UNKNOWN:
                    return UNKNOWN
                found += found > 0
            if found > 0:
                best = found
                break
        keep(shelf, key, best, EVER if tally.cut == cut else depth)
        return best
    for action in game.sufficient(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            found = 1 if game.utility(child, player) >= game.utility_bounds[1] else NONE
        else:
            found = threats(game, child, player, depth - 1, shelf, tally)
            if found == UNKNOWN:
                return UNKNOWN
            found += found > 0
        if found == NONE:
            return NONE
        best = max(best, found)
    return best


def recalled(shelf: Shelf, key: Bits, depth: int) -> int:
    """What the table knows of a state for a search of some depth: plies, `NONE`, `NOT_YET` or `UNKNOWN`."""
    place = signed(spread(key) & shelf.mask) * ENTRY
    word = peek(shelf.table, place + 1)
    if peek(shelf.table, place) != key or not word:
        return UNKNOWN
    plies, reached = signed(word & 0xFFFFFFFF), signed(word >> 32)
    if plies > 0:
        return plies if plies <= depth else UNKNOWN
    if reached == EVER:
        return NONE
    return NOT_YET if reached >= depth else UNKNOWN


def keep(shelf: Shelf, key: Bits, plies: int, depth: int) -> None:
    """Store what was found for a state, in the place of what was there."""
    place = signed(spread(key) & shelf.mask) * ENTRY
    poke(shelf.table, place, key)
    poke(shelf.table, place + 1, Bits(plies) | Bits(depth) << 32)
