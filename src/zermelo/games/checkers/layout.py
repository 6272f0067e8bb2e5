"""Where the squares of checkers lie in 64 bits, so that every step is the same shift.

Square n of the notation, 1 to 32 from the top, is bit n - 1 + (n - 1) // 8: after every second row one bit is left out,
so that the steps down the board are always by 4 and by 5 bits, and one off the board ends on a bit left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.bits import Bits

STEPS = (4, 5, -4, -5)
"""How far a step goes each way: two down the board, as Black's men go, and two up."""


def place_of(square: int) -> int:
    """The bit of a square."""
    return square - 1 + (square - 1) // 8


def square_at(place: int) -> int:
    """The square of a bit."""
    return place - place // 9 + 1


def places(squares: Iterable[int]) -> Bits:
    """The bits of squares."""
    return Bits(sum(1 << place_of(square) for square in squares))


SQUARES = places(range(1, 33))
FIRST_ROW, LAST_ROW = places(range(1, 5)), places(range(29, 33))
CROWNING = FIRST_ROW | LAST_ROW
"""Where men become kings: none ever stands on the row that he comes from but to begin with."""
