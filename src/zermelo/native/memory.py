"""Raw memory for searches: a stack of items of one kind, a table of words, and floats by their bits.

These are the interpreted versions, on dicts; in native code (`zermelo.native.twins`) a stack or a table is an
address, an item is stored as it is, and a word takes eight bytes.
"""

from __future__ import annotations

import os
import struct
from math import copysign, inf, nextafter
from typing import Any

from zermelo.bits import Bits, signed
from zermelo.errors import BadInput
from zermelo.fields import hash_fields

MIB = 1 << 20
SPARE = 8
"""How many words after those it is asked for `largest` may look at."""


def put_item(stack: Any, place: int, item: Any) -> None:
    """Store an item in a stack; all items of one stack are of one kind."""
    stack[place] = item


def get_item(stack: Any, place: int, maker: Any, state: Any) -> Any:
    """The item at a place; it is of the kind that `maker(state)` would give, which is never called."""
    return stack[place]


def peek(table: Any, index: int) -> Bits:
    """A word of a table."""
    return Bits(table.get(index, 0))


def poke(table: Any, index: int, word: Bits) -> None:
    """Store a word in a table."""
    table[index] = word


def largest(table: Any, start: int, stop: int) -> Bits:
    """The largest of the words of a table from one place up to another, all below 2**63, that only one thread uses; 0
    if there are none. A table in native code has `SPARE` words after the last."""
    return max((peek(table, index) for index in range(start, stop)), default=Bits(0))


def peek_short(table: Any, index: int) -> int:
    """A number of a table of numbers of 16 bits."""
    return int(table.get(index, 0))


def poke_short(table: Any, index: int, number: int) -> None:
    """Store a number in a table of numbers of 16 bits."""
    table[index] = number


def fetch_soon(table: Any, index: int) -> None:
    """Say that a word of a table will be wanted."""


def word_count(value: Any) -> int:
    """How many words a plain value takes."""
    return sum(word_count(item) for item in value) if isinstance(value, tuple) else 1


def short_bits(value: float) -> Bits:
    """The 32 bits of a value as a short float, infinite if it is too large for one."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", copysign(inf, value))
    return Bits(struct.unpack("<I", packed)[0])


def from_short_bits(word: Bits) -> float:
    """The short float with these 32 bits."""
    return float(struct.unpack("<f", struct.pack("<I", int(word)))[0])


def long_bits(value: float) -> Bits:
    """The 64 bits of a value."""
    return Bits(struct.unpack("<Q", struct.pack("<d", value))[0])


def from_long_bits(word: Bits) -> float:
    """The value with these 64 bits."""
    return float(struct.unpack("<d", struct.pack("<Q", int(word)))[0])


def next_up(value: float) -> float:
    """The smallest float above a value."""
    return nextafter(value, inf)


def identity(thing: Any) -> int:
    """A number of 64 bits for an action or a key: a number that fits is its own, anything else has its hash."""
    fits = isinstance(thing, int) and -(1 << 63) <= int(thing) < 1 << 64
    return signed(Bits(thing)) if fits else signed(hash_fields((thing,)))


def peek_float(table: Any, index: int) -> float:
    """A float of a table of words."""
    return float(table.get(index, 0.0))


def poke_float(table: Any, index: int, value: float) -> None:
    """Store a float in a table of words."""
    table[index] = value


def copy_word(source: Any, start: int, table: Any, index: int) -> None:
    """Copy a word, or a float, from one table to another."""
    table[index] = source.get(start, 0)


def add_word(table: Any, index: int, amount: int) -> int:
    """Add to a word that other threads may add to as well; gives what was there before."""
    before = int(table.get(index, 0))
    table[index] = Bits(before + amount)
    return before


def add_float(table: Any, index: int, amount: float) -> None:
    """Add to a float that other threads may add to as well."""
    table[index] = table.get(index, 0.0) + amount


def swap_word(table: Any, index: int, expected: Bits, word: Bits) -> Bits:
    """Store a word where the expected one is, as one step that no other thread comes between; gives what was there."""
    before = Bits(table.get(index, 0))
    if before == expected:
        table[index] = word
    return before


def fresh_words(count: int, what: str) -> Any:
    """So many words, all 0, for native code; `BadInput` if there is no memory for `what` they are."""
    import numpy

    memory = memory_size()
    if memory and 8 * count > memory:
        raise BadInput(f"{what} does not fit into the {memory // MIB:,} MiB of memory: ask for less")
    try:
        return numpy.zeros(count, numpy.int64)
    except MemoryError:
        raise BadInput(f"there is no memory for {what}: ask for less") from None


def memory_size() -> int:
    """How many bytes of memory this machine has, or 0 if it doesn't say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0
