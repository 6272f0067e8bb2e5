"""What surrounds a point, 3×3: eyes, and shapes in which a move at once is often good (Gelly et al., 2006).

The eight neighbours of a point are numbered row by row from the bottom left. A surrounding is a number of 16 bits: bit
n is set if neighbour n is the mover's, bit 8 + n if it is the other's, and both if it lies off the board. A set of
surroundings is a number of 2^16 bits, so that patterns are put together by `&` and `|`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from zermelo.bits import WORD, Bits

COUNT = 1 << 16
"""How many surroundings there are."""
PLACES = tuple(divmod(place, 3) for place in (0, 1, 2, 3, 5, 6, 7, 8))
"""The row and the column of each neighbour."""
SIDES, CORNERS = (1, 3, 4, 6), (0, 2, 5, 7)

SHAPES = (
    # A hane: bending round the end of a stone.
    ("XOX", "...", "???"),
    ("XO.", "...", "?.?"),
    ("XO?", "X..", "x.?"),
    (".O.", "X..", "..."),
    # A cut, or what prevents one.
    ("XO?", "O.o", "?o?"),
    ("XO?", "O.X", "???"),
    ("?X?", "O.O", "ooo"),
    ("OX?", "o.O", "???"),
    # At the edge.
    ("X.?", "O.?", "###"),
    ("OX?", "X.O", "###"),
    ("?X?", "o.O", "###"),
    ("?XO", "o.o", "###"),
    ("?OX", "X.O", "###"),
)
"""X and O are stones of two colours, of which either may be the mover; . is free, # off the board, ? anything, x and o
anything but such a stone."""


def every() -> int:
    """All surroundings."""
    return (1 << COUNT) - 1


def holding(bit: int) -> int:
    """The surroundings in which a bit is set."""
    run = ((1 << (1 << bit)) - 1) << (1 << bit)
    return run * (every() // ((1 << (2 << bit)) - 1))


@cache
def signs() -> dict[str, tuple[int, ...]]:
    """For each sign of a pattern, the surroundings in which it stands for what is at each neighbour."""
    own, other = ([holding(bit + shift) for bit in range(8)] for shift in (0, 8))
    pairs = list(zip(own, other, strict=True))
    found = {
        "X": tuple(a & ~b for a, b in pairs),
        "O": tuple(b & ~a for a, b in pairs),
        ".": tuple(every() & ~(a | b) for a, b in pairs),
        "#": tuple(a & b for a, b in pairs),
        "?": (every(),) * 8,
    }
    for sign in "XO":
        found[sign.lower()] = tuple(every() & ~each for each in found[sign])
    return found


def turned(rows: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A pattern turned and mirrored in all eight ways."""
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
        yield rows
        yield rows[::-1]


@cache
def shapes() -> tuple[Bits, ...]:
    """The surroundings that a shape fits, whichever colour the mover is."""
    exchanged = str.maketrans("XOxo", "OXox")
    found = 0
    for shape in SHAPES:
        for rows in (*turned(shape), *turned(tuple(row.translate(exchanged) for row in shape))):
            fits = every()
            for place, (row, column) in enumerate(PLACES):
                fits &= signs()[rows[row][column]][place]
            found |= fits
    return in_words(found)


@cache
def eyes() -> tuple[Bits, ...]:
    """The surroundings of an eye of the mover's: his on all sides, and the other has neither two corners nor, at the
    edge, one."""
    mine, theirs, edge = (signs()[sign] for sign in "XO#")
    walled = inside = every()
    for place in SIDES:
        walled &= mine[place] | edge[place]
        inside &= ~edge[place]
    ones = several = 0
    for place in CORNERS:
        several |= ones & theirs[place]
        ones |= theirs[place]
    return in_words(walled & (every() & ~ones | inside & ~several))


def in_words(found: int) -> tuple[Bits, ...]:
    """A set of surroundings in words of 64."""
    return tuple(Bits(found >> shift & WORD) for shift in range(0, COUNT, 64))
