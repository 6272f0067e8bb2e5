"""`Bits`: a set of the numbers 0 to 63, kept in one 64-bit word, that reads like Python.

The same expressions mean the same interpreted and native: results wrap at 64 bits, a plain integer
on either side is taken as its low 64 bits, and a negative shift goes the other way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn, SupportsInt

WORD = (1 << 64) - 1


def bit(square: int) -> Bits:
    """The set with the one member `square`."""
    return Bits(1) << square


def scatter(word: Bits) -> Bits:
    """A word that looks random, always the same for the same word, and unlike those of its neighbours (SplitMix64)."""
    word = Bits(word) * 0x9E3779B97F4A7C15
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * 0x94D049BB133111EB
    return word ^ word >> 31


def blend(one: Bits, two: Bits) -> Bits:
    """A word in which every member of two words has a say: both halves of their product, which has 128 bits."""
    product = int(one) * int(two)
    return Bits(product ^ product >> 64)


def signed(word: Bits) -> int:
    """The word as a signed 64-bit integer."""
    return int(word) - (1 << 64) if int(word) >> 63 else int(word)


class Bits(int):
    """A 64-bit set of squares; mixes with plain integer literals.

    >>> edge = Bits(0b1001)
    >>> list(edge), 3 in edge, edge.count(), edge.lowest(), edge.highest()
    ([0, 3], True, 2, 0, 3)
    >>> edge | bit(5)
    Bits(0x29)
    """

    __slots__ = ()

    def __new__(cls, value: SupportsInt = 0) -> Bits:
        return int.__new__(cls, int(value) & WORD)

    def count(self) -> int:
        """How many members the set has."""
        return self.bit_count()

    def lowest(self) -> int:
        """The smallest member; 64 when the set is empty."""
        return (self & -self).bit_length() - 1 if self else 64

    def highest(self) -> int:
        """The largest member; -1 when the set is empty."""
        return self.bit_length() - 1

    def flipped(self) -> Bits:
        """The set with its eight rows of eight in opposite order: a chess board from the other side."""
        return Bits(int.from_bytes(int(self).to_bytes(8, "little"), "big"))

    def __contains__(self, square: int) -> bool:
        return 0 <= square < 64 and int(self) >> square & 1 == 1

    def __iter__(self) -> Iterator[int]:
        rest = int(self)
        while rest:
            lowest = rest & -rest
            yield lowest.bit_length() - 1
            rest ^= lowest

    def __and__(self, other: int) -> Bits:
        return _wrapped(int.__and__(self, other))

    def __or__(self, other: int) -> Bits:
        return _wrapped(int.__or__(self, other))

    def __xor__(self, other: int) -> Bits:
        return _wrapped(int.__xor__(self, other))

    def __add__(self, other: int) -> Bits:
        return _wrapped(int.__add__(self, other))

    def __sub__(self, other: int) -> Bits:
        return _wrapped(int.__sub__(self, other))

    def __rsub__(self, other: int) -> Bits:
        return _wrapped(int.__rsub__(self, other))

    def __mul__(self, other: int) -> Bits:
        return _wrapped(int.__mul__(self, other))

    def __lshift__(self, places: int) -> Bits:
        return _shifted(self, places, 1)

    def __rshift__(self, places: int) -> Bits:
        return _shifted(self, places, -1)

    def __rlshift__(self, other: int) -> NoReturn:
        raise TypeError("a number can't be shifted by Bits: shift by an int")

    __rrshift__ = __rlshift__

    def __invert__(self) -> Bits:
        return _wrapped(int.__invert__(self))

    def __neg__(self) -> Bits:
        return _wrapped(int.__neg__(self))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__
    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and int(self) == int(other) & WORD

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: int) -> bool:
        return int.__lt__(self, other & WORD)

    def __le__(self, other: int) -> bool:
        return int.__le__(self, other & WORD)

    def __gt__(self, other: int) -> bool:
        return int.__gt__(self, other & WORD)

    def __ge__(self, other: int) -> bool:
        return int.__ge__(self, other & WORD)

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"Bits({int(self):#x})"

    def _no_arithmetic(self, *_: Any) -> NoReturn:
        raise TypeError("Bits is a set: it has no division, remainder or power; take int() of it first")

    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _no_arithmetic
    __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = _no_arithmetic


def _wrapped(value: int) -> Bits:
    """The low 64 bits of a result."""
    if value is NotImplemented:
        raise TypeError("Bits goes with Bits and int alone")
    return int.__new__(Bits, value & WORD)


def _shifted(word: Bits, places: int, direction: int) -> Bits:
    """The word moved up (1) or down (-1); an amount in Bits is a signed number of 64 bits, as it is natively."""
    if not isinstance(places, int):
        raise TypeError("Bits is shifted by an int alone")
    left = direction * (signed(places) if isinstance(places, Bits) else places)
    if left >= 64 or left <= -64:
        return Bits(0)
    return _wrapped(int.__lshift__(word, left)) if left >= 0 else _wrapped(int.__rshift__(word, -left))
