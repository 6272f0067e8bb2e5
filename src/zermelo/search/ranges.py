"""A table of ranges: what is known of the value of each state from below and from above; kernels, in both worlds.

Four words an entry: the state's key, the lower bound, the upper bound, and what they hold for: from the low end the
depth (16 bits), whether they rest on ends of the game alone (1), and the best action (32). Two entries share a bucket.
A new entry replaces one of the same state; else the first of the two if that was searched no deeper, which then moves
on to the second; else the second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.bits import Bits, signed
from zermelo.fields import spread
from zermelo.native.memory import from_long_bits, long_bits, peek, poke

MARK_BITS = 0xFFFFFFFF
DEPTH_BITS = 0xFFFF
PROVED = 1 << 16
BUCKET = 64
"""Bytes of a bucket."""


class Desk(NamedTuple):
    """What a search with a table works with: in native code addresses, interpreted dicts.

    `mask` is that of a bucket's number, -1 for no table. `stack` has `room` for so many children; its first place is
    for a state of which something is to be told. `probe` is how many actions of each outcome are probed.
    """

    table: Any
    stack: Any
    mask: int
    room: int
    probe: int


def find(desk: Desk, key: Bits) -> int:
    """The place of a state's entry, or -1."""
    place = bucket(desk, key)
    if peek(desk.table, place) == key and peek(desk.table, place + 3):
        return place
    if peek(desk.table, place + 4) == key and peek(desk.table, place + 7):
        return place + 4
    return -1


def range_at(desk: Desk, place: int, depth: int) -> tuple[float, float, bool]:
    """The range that an entry gives a search of some depth, and whether it is proved; infinite if it is for another.

    Ends alone are the same at every depth that reaches them.
    """
    word = peek(desk.table, place + 3)
    proved = bool(word & PROVED)
    reached = signed(word & DEPTH_BITS)
    if reached == depth or (proved and reached < depth):
        return from_long_bits(peek(desk.table, place + 1)), from_long_bits(peek(desk.table, place + 2)), proved
    return -float("inf"), float("inf"), False


def depth_at(desk: Desk, place: int) -> int:
    """The depth that an entry was searched to, or, if it is proved, needs to be."""
    return signed(peek(desk.table, place + 3) & DEPTH_BITS)


def mark_at(desk: Desk, place: int) -> int:
    """The action in an entry."""
    return signed(peek(desk.table, place + 3) >> 32)


def keep(desk: Desk, key: Bits, low: float, high: float, depth: int, proved: bool, mark: int) -> None:
    """Store a range; with what is known of the same state at the same depth already, if neither is a guess more."""
    word = Bits(depth) | Bits(mark & MARK_BITS) << 32 | Bits(PROVED if proved else 0)
    place = find(desk, key)
    if place >= 0:
        if (peek(desk.table, place + 3) ^ word) & (DEPTH_BITS | PROVED) == 0:
            low = max(low, from_long_bits(peek(desk.table, place + 1)))
            high = min(high, from_long_bits(peek(desk.table, place + 2)))
    else:
        place = bucket(desk, key)
        if peek(desk.table, place + 3) & DEPTH_BITS <= Bits(depth):
            for index in range(4):
                poke(desk.table, place + 4 + index, peek(desk.table, place + index))
        else:
            place += 4
    poke(desk.table, place, key)
    poke(desk.table, place + 1, long_bits(low))
    poke(desk.table, place + 2, long_bits(high))
    poke(desk.table, place + 3, word)


def bucket(desk: Desk, key: Bits) -> int:
    """The index of the first word of a key's bucket."""
    return signed(spread(key) & desk.mask) * 8
