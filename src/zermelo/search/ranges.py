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
from zermelo.native.memory import MIB, fresh_words, from_long_bits, long_bits, peek, poke, word_count

PROBE = 1
"""How many actions of each outcome are probed."""
TABLE = 64.0
"""MiB of the table."""
STACK = 1 << 28
"""Bytes for the children of the states on the line that is being searched; taken only as they are used."""
MARK_BITS = 0xFFFFFFFF
DEPTH_BITS = 0xFFFF
PROVED = 1 << 16
BUCKET = 64
"""Bytes of a bucket."""
SAMPLE = 1000
"""How many buckets are looked at to tell how full the table is."""


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


class Memory:
    """The memory of one search of one game to one player, in one world; `desk` is what kernels are given of it.

    `table` is in MiB, 0 for none.
    """

    def __init__(self, game: Any, natively: bool, table: float, probe: int) -> None:
        buckets = int(table * MIB) // BUCKET
        mask = (1 << (buckets.bit_length() - 1)) - 1 if buckets else -1
        self.desk = Desk({}, {}, mask, STACK, probe)
        if natively:
            import numpy

            words = fresh_words(8 * (mask + 2), f"a table of {table:g} MiB").view("u8")
            self.stack = numpy.empty(STACK, numpy.uint8)
            self.words = words[-(words.ctypes.data % BUCKET) % BUCKET // 8 :]
            room = STACK // (8 * (4 + word_count(game.initial())))
            self.desk = Desk(self.words.ctypes.data, self.stack.ctypes.data, mask, room, probe)

    def used(self) -> float:
        """Which part of the table holds entries, by a sample of it."""
        if self.desk.mask < 0:
            return 0.0
        if isinstance(self.desk.table, dict):
            return len(self.desk.table) / (8 * (self.desk.mask + 1))
        sample = self.words[3 : 8 * min(SAMPLE, self.desk.mask + 1) : 4]
        return float((sample != 0).mean())


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
