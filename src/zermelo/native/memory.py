"""Raw memory for searches: a stack of items of one kind, a table of words, and floats by their bits.

These are the interpreted versions, on dicts; in native code (`zermelo.native.twins`) a stack or a table is an
address, an item is stored as it is, and a word takes eight bytes.
"""

from __future__ import annotations

import struct
from math import copysign, inf, nextafter
from typing import Any

from zermelo.bits import Bits, signed
from zermelo.fields import hash_fields


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
