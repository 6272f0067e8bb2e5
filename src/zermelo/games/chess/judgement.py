"""What a position of chess seems worth, without looking ahead.

Everything that counts has a place in one table, with what it is worth while there are many pieces and once there are
few, in thousandths of a pawn; `weights.py` has the figures.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.bits import Bits
from zermelo.games.chess.reach import AROUND, LEAPS, LEFT, RIGHT, diagonals, straights

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (64 * kind for kind in range(6))
KNIGHT_MOVES, BISHOP_MOVES, ROOK_MOVES, QUEEN_MOVES = 384, 393, 407, 422
PASSED, SUPPORTED, SHIELD, DANGER = 450, 458, 466, 470
ISOLATED, DOUBLED, PAIR, OPEN, HALF_OPEN, HUNTED, TEMPO = range(502, 509)
TERMS = 509
"""Places in the table: a piece on each square, and then the rest."""
WEIGHED = TERMS - KNIGHT_MOVES // 2
"""Weights for many pieces, and as many for few."""
MOST_DANGER = 31
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
MIRRORED = (("a", "h"), ("b", "g"), ("c", "f"), ("d", "e"))
SQUARES = [f"{kind} on {a}{row} or {h}{row}" for kind in KINDS for row in range(1, 9) for a, h in MIRRORED]
MOST_REACHED = {"knight": 8, "bishop": 13, "rook": 14, "queen": 27}
REACHES = [f"{kind} reaching {number}" for kind, most in MOST_REACHED.items() for number in range(most + 1)]
LATER = [
    *(f"{which} pawn on row {row}" for which in ("passed", "supported") for row in range(1, 9)),
    *(f"king behind {number} pawns" for number in range(4)),
    *(f"attack of {number}" for number in range(MOST_DANGER + 1)),
    *("isolated pawn", "doubled pawn", "two bishops", "rook on an open file", "rook on a half-open file"),
    *("pieces hit by pawns", "the move"),
]
NAMES = tuple(f"{name}, {when}" for when in ("many pieces", "few pieces") for name in (*SQUARES, *REACHES, *LATER))


def weighed(place: int) -> int:
    """Which weight is that of a place in the table: a square and its mirror image have one."""
    if place >= KNIGHT_MOVES:
        return place - KNIGHT_MOVES // 2
    return place // 8 * 4 + min(place % 8, 7 - place % 8)


def packed(weights: tuple[float, ...]) -> tuple[int, ...]:
    """Both worths of each thing in one number, in thousandths: few pieces' times 2**32, and many pieces'."""
    thousandths = [round(1000 * weight) for weight in weights]
    return tuple(thousandths[weighed(place)] + (thousandths[WEIGHED + weighed(place)] << 32) for place in range(TERMS))


class Count(NamedTuple):
    """How often each thing counts: what a sum of worths is, if a worth stands for its thing."""

    times: tuple[tuple[int, int], ...]

    def __add__(self, other: Count) -> Count:  # type: ignore[override]
        return Count(self.times + other.times)

    def __mul__(self, factor: int) -> Count:  # type: ignore[override]
        return Count(tuple((weight, int(factor) * often) for weight, often in self.times) if factor else ())

    def told(self, sign: int, many: float) -> tuple[float, ...]:
        """The counts, times the share of each phase."""
        found = [0.0] * (2 * WEIGHED)
        for weight, often in self.times:
            found[weight] += sign * often * many
            found[WEIGHED + weight] += sign * often * (1 - many)
        return tuple(found)


COUNTS = tuple(Count(((weighed(place), 1),)) for place in range(TERMS))
"""A table that makes `balance` count."""


class Side(NamedTuple):
    """The pieces as one side sees them, playing upwards."""

    own: Bits
    other: Bits
    pawns: Bits
    knights: Bits
    diagonal: Bits
    straight: Bits


def turned(side: Side) -> Side:
    """The pieces as the other side sees them."""
    return Side(
        own=side.other.flipped(),
        other=side.own.flipped(),
        pawns=side.pawns.flipped(),
        knights=side.knights.flipped(),
        diagonal=side.diagonal.flipped(),
        straight=side.straight.flipped(),
    )


def balance(side: Side, worth: Any) -> Any:
    """What one side has: the sum of what each thing is worth in the table."""
    own, other = side.own, side.other
    pawns, knights, diagonal, straight = side.pawns, side.knights, side.diagonal, side.straight
    taken, mine, theirs = own | other, own & pawns, other & pawns
    hit = theirs >> 7 & RIGHT | theirs >> 9 & LEFT
    strikes = mine << 9 & RIGHT | mine << 7 & LEFT
    free = ~(mine | hit)
    kings = ~(pawns | knights | diagonal | straight)
    target = (other & kings).lowest()
    zone = AROUND[target] | AROUND[target] >> 8
    total, danger = worth[TEMPO] * 0, 0
    for square in mine:
        total += worth[PAWN + square]
    for square in own & knights:
        reach = LEAPS[square]
        total += worth[KNIGHT + square] + worth[KNIGHT_MOVES + (reach & free).count()]
        danger += 2 * (reach & zone).count()
    for square in own & diagonal & ~straight:
        reach = diagonals(taken, square)
        total += worth[BISHOP + square] + worth[BISHOP_MOVES + (reach & free).count()]
        danger += 2 * (reach & zone).count()
    for square in own & straight & ~diagonal:
        reach = straights(taken, square)
        total += worth[ROOK + square] + worth[ROOK_MOVES + (reach & free).count()]
        danger += 3 * (reach & zone).count()
    for square in own & straight & diagonal:
        reach = straights(taken, square) | diagonals(taken, square)
        total += worth[QUEEN + square] + worth[QUEEN_MOVES + (reach & free).count()]
        danger += 4 * (reach & zone).count()
    king = (own & kings).lowest()
    total += worth[KING + king] + worth[DANGER + min(danger, MOST_DANGER)]
    total += worth[SHIELD + min((mine & (AROUND[king] | AROUND[king] << 8)).count(), 3)]
    columns, shadow = filled(mine), lowered(theirs >> 8)
    shadow |= shadow << 1 & RIGHT | shadow >> 1 & LEFT
    for square in mine & ~shadow:
        total += worth[PASSED + (square >> 3)]
    for square in mine & strikes:
        total += worth[SUPPORTED + (square >> 3)]
    rooks = own & straight & ~diagonal
    total += worth[ISOLATED] * (mine & ~(columns << 1 & RIGHT | columns >> 1 & LEFT)).count()
    total += worth[DOUBLED] * (mine & lowered(mine >> 8)).count()
    total += worth[PAIR] * ((own & diagonal & ~straight).count() >= 2)
    total += worth[OPEN] * (rooks & ~columns & ~filled(theirs)).count()
    total += worth[HALF_OPEN] * (rooks & ~columns & filled(theirs)).count()
    total += worth[HUNTED] * (strikes & other & (knights | diagonal | straight)).count()
    return total


def lowered(squares: Bits) -> Bits:
    """The squares and all below them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def filled(squares: Bits) -> Bits:
    """The columns of the squares."""
    below = lowered(squares)
    below |= below << 8
    below |= below << 16
    return below | below << 32


def phase(side: Side) -> int:
    """How many pieces there are: 24 at the start, 0 where there are but pawns."""
    queens = side.diagonal & side.straight
    return min(side.knights.count() + side.diagonal.count() + 2 * side.straight.count() + queens.count(), 24)
