"""What a position of chess seems worth, without looking ahead.

Everything that counts has a place in one table, with what it is worth while there are many pieces and once there are
few, in thousandths of a pawn; `weights.py` has the figures.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.bits import Bits, bit
from zermelo.games.chess.reach import AROUND, LEAPS, LEFT, RIGHT, diagonals, straights

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (64 * kind for kind in range(6))
KNIGHT_MOVES, BISHOP_MOVES, ROOK_MOVES, QUEEN_MOVES = 384, 393, 407, 422
PASSED, SUPPORTED, SHIELD, DANGER, ABREAST, STOPPED, ESCORTED, CHASED = 450, 458, 466, 470, 502, 510, 518, 526
BARE = 534
ISOLATED, DOUBLED, PAIR, OPEN, HALF_OPEN, HUNTED, OUTPOST, HARASSED, LOOSE, LOOSE_PAWN, TEMPO = range(538, 549)
TERMS = 549
"""Places in the table: a piece on each square, and then the rest."""
WEIGHED = TERMS - KNIGHT_MOVES // 2
"""Weights for many pieces, and as many for few."""
MOST_DANGER = 31
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
FORWARD = Bits(0x0000FFFFFF000000)
"""The rows in which a knight is far forward."""
BESIDE = tuple(Bits(7 << column >> 1 & 255) for column in range(8))
"""The columns beside each and itself, as squares of the first row."""
MIRRORED = (("a", "h"), ("b", "g"), ("c", "f"), ("d", "e"))
SQUARES = [f"{kind} on {a}{row} or {h}{row}" for kind in KINDS for row in range(1, 9) for a, h in MIRRORED]
MOST_REACHED = {"knight": 8, "bishop": 13, "rook": 14, "queen": 27}
REACHES = [f"{kind} reaching {number}" for kind, most in MOST_REACHED.items() for number in range(most + 1)]
LATER = [
    *(f"{which} pawn on row {row}" for which in ("passed", "supported") for row in range(1, 9)),
    *(f"king behind {number} pawns" for number in range(4)),
    *(f"attack of {number}" for number in range(MOST_DANGER + 1)),
    *(f"{which} on row {row}" for which in ("pawn beside another", "passed pawn stopped") for row in range(1, 9)),
    *(f"row of a passed pawn {far} from {whose} king" for whose in ("its", "the other") for far in range(8)),
    *(f"king on {number} columns without pawns" for number in range(4)),
    *("isolated pawn", "doubled pawn", "two bishops", "rook on an open file", "rook on a half-open file"),
    *("pieces hit by pawns", "safe knight", "rooks and queens hit by less", "unguarded pieces hit"),
    *("unguarded pawns hit", "the move"),
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
    hit, strikes = beside(theirs >> 8), beside(mine << 8)
    free = ~(mine | hit)
    kings = ~(pawns | knights | diagonal | straight)
    target = (other & kings).lowest()
    zone = AROUND[target] | AROUND[target] >> 8
    total, danger = worth[TEMPO] * 0, 0
    light, heavy, queenly = Bits(0), Bits(0), Bits(0)
    for square in mine:
        total += worth[PAWN + square]
    for square in own & knights:
        reach = LEAPS[square]
        light |= reach
        total += worth[KNIGHT + square] + worth[KNIGHT_MOVES + (reach & free).count()]
        danger += 2 * (reach & zone).count()
    for square in own & diagonal & ~straight:
        reach = diagonals(taken, square)
        light |= reach
        total += worth[BISHOP + square] + worth[BISHOP_MOVES + (reach & free).count()]
        danger += 2 * (reach & zone).count()
    for square in own & straight & ~diagonal:
        reach = straights(taken, square)
        heavy |= reach
        total += worth[ROOK + square] + worth[ROOK_MOVES + (reach & free).count()]
        danger += 3 * (reach & zone).count()
    for square in own & straight & diagonal:
        reach = straights(taken, square) | diagonals(taken, square)
        queenly |= reach
        total += worth[QUEEN + square] + worth[QUEEN_MOVES + (reach & free).count()]
        danger += 4 * (reach & zone).count()
    king = (own & kings).lowest()
    total += worth[KING + king] + worth[DANGER + min(danger, MOST_DANGER)]
    total += worth[SHIELD + min((mine & (AROUND[king] | AROUND[king] << 8)).count(), 3)]
    columns, rooks, pieces = filled(mine), own & straight & ~diagonal, other & ~(pawns | kings)
    total += formation(mine, theirs, taken, king, target, worth)
    total += worth[BARE + (BESIDE[king & 7] & ~columns).count()]
    total += worth[PAIR] * ((own & diagonal & ~straight).count() >= 2)
    total += worth[OPEN] * (rooks & ~columns & ~filled(theirs)).count()
    total += worth[HALF_OPEN] * (rooks & ~columns & filled(theirs)).count()
    total += worth[OUTPOST] * (own & knights & strikes & FORWARD & ~beside(lowered(theirs >> 8))).count()
    total += worth[HUNTED] * (strikes & pieces).count()
    total += worth[HARASSED] * (light & pieces & straight | heavy & pieces & straight & diagonal).count()
    unguarded = (light | heavy | queenly) & ~hit
    total += worth[LOOSE] * (unguarded & pieces).count()
    total += worth[LOOSE_PAWN] * (unguarded & theirs).count()
    return total


def formation(mine: Bits, theirs: Bits, taken: Bits, king: int, target: int, worth: Any) -> Any:
    """What one side's pawns have, besides their squares: by each other, by those against them and by both kings."""
    guarded, opposed = beside(mine << 8), lowered(theirs >> 8)
    total = worth[ISOLATED] * (mine & ~beside(filled(mine))).count()
    total += worth[DOUBLED] * (mine & lowered(mine >> 8)).count()
    for square in mine & guarded:
        total += worth[SUPPORTED + (square >> 3)]
    for square in mine & beside(mine):
        total += worth[ABREAST + (square >> 3)]
    for square in mine & ~(opposed | beside(opposed)):
        row, ahead = square >> 3, square + 8
        total += worth[PASSED + row] + worth[STOPPED + row] * (taken & bit(ahead) != 0)
        total += worth[ESCORTED + distance(king, ahead)] * row + worth[CHASED + distance(target, ahead)] * row
    return total


def beside(squares: Bits) -> Bits:
    """The squares to the left and to the right of some."""
    return squares << 1 & RIGHT | squares >> 1 & LEFT


def distance(one: int, two: int) -> int:
    """How many moves a king needs from one square to another."""
    return max(abs((one & 7) - (two & 7)), abs((one >> 3) - (two >> 3)))


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
