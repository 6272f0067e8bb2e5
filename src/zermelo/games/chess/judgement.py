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
PASSED, SUPPORTED, ABREAST, JOINED, STOPPED, SAFE, RUNNING, ESCORTED, CHASED = range(450, 522, 8)
SHELTER, BESIDES, STORM, DANGER, CASTLES = 522, 530, 538, 546, 578
ISOLATED, BACKWARD, EXPOSED, DOUBLED, BEHIND, HOUNDED, PAIR, SAME, OPEN, HALF_OPEN = range(581, 591)
OUTPOST, BASE, HEADING, SCREENED, KNIGHT_FAR, BISHOP_FAR, KNIGHT_PAWNS, ROOK_PAWNS = range(591, 599)
SPACE, PRESSURE, CONTESTED, PUSHED, HUNTED, HARASSED, LOOSE, LOOSE_PAWN, HANGING, TEMPO = range(599, 609)
TERMS = 609
"""Places in the table: a piece on each square, and then the rest."""
WEIGHED = TERMS - KNIGHT_MOVES // 2
"""Weights for many pieces, and as many for few."""
MOST_DANGER = 31
UNTOUCHED, GUARD, QUEENLESS = 6, 6, 24
"""How much of a danger counts for nothing; how much less it is if a knight guards the king, and without a queen."""
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
FORWARD = Bits(0x0000FFFFFF000000)
"""The rows in which a knight is far forward."""
THIRD_ROW, HOME, CAMP = Bits(0xFF << 16), Bits(0x3C3C3C00), ~Bits(0xFFFFFF)
"""The third row; the squares in the middle of one's own side; the rows that the other's king may call his."""
FLANKS = tuple(Bits(0x0101010101010101 * columns) for columns in (*[0x0F] * 3, *[0x3C] * 2, *[0xF0] * 3))
"""A king's side of the board, by his column."""
LIGHT = Bits(0x55AA55AA55AA55AA)
COLUMN = Bits(0x0101010101010101)
MIRRORED = (("a", "h"), ("b", "g"), ("c", "f"), ("d", "e"))
SQUARES = [f"{kind} on {a}{row} or {h}{row}" for kind in KINDS for row in range(1, 9) for a, h in MIRRORED]
MOST_REACHED = {"knight": 8, "bishop": 13, "rook": 14, "queen": 27}
REACHES = [f"{kind} reaching {number}" for kind, most in MOST_REACHED.items() for number in range(most + 1)]
ROWS = [f"on row {row}" for row in range(1, 9)]
FIRST_PAWNS = ["none", *ROWS[1:]]
LATER = [
    *(f"{which} {row}" for which in ("passed pawn", "supported pawn", "pawn beside another") for row in ROWS),
    *(f"passed pawn {how} {row}" for how in ("with another", "stopped", "unhindered", "running") for row in ROWS),
    *(f"row of a passed pawn {far} from {whose} king" for whose in ("its", "the other") for far in range(8)),
    *(f"pawns on {where} column: {row}" for where in ("the king's", "the next") for row in FIRST_PAWNS),
    *(f"pawns against the king: {row}" for row in FIRST_PAWNS),
    *(f"attack of {number}" for number in range(MOST_DANGER + 1)),
    *(f"may castle in {number} ways" for number in range(3)),
    *("isolated pawn", "backward pawn", "isolated or backward pawn on an open file", "doubled pawn"),
    *("passed pawn with a rook behind", "passed pawn with the other's rook behind"),
    *("two bishops", "pawns on a bishop's colour", "rook on an open file", "rook on a half-open file"),
    *("safe knight", "safe bishop", "knights on the way to safety", "minor pieces behind pawns"),
    *("steps of a knight to its king", "steps of a bishop to its king", "pawns for each knight", "pawns for each rook"),
    *("free squares at home", "squares hit near the king", "squares hit by both", "pieces that a pawn may come to hit"),
    *("pieces hit by pawns", "rooks and queens hit by less"),
    *("pieces hit that no pawn guards", "pawns hit that no pawn guards", "pieces hit that nothing guards", "the move"),
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

    def told(self, many: float, few: float) -> tuple[float, ...]:
        """The counts, times how much those with many pieces and those with few matter."""
        found = [0.0] * (2 * WEIGHED)
        for weight, often in self.times:
            found[weight] += often * many
            found[WEIGHED + weight] += often * few
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
    rights: Bits


def turned(side: Side) -> Side:
    """The pieces as the other side sees them."""
    return Side(
        own=side.other.flipped(),
        other=side.own.flipped(),
        pawns=side.pawns.flipped(),
        knights=side.knights.flipped(),
        diagonal=side.diagonal.flipped(),
        straight=side.straight.flipped(),
        rights=side.rights.flipped(),
    )


class Sight(NamedTuple):
    """The squares that each kind of one side's pieces hits, and how many pieces aim at the other king, and how much."""

    pawns: Bits
    knights: Bits
    bishops: Bits
    rooks: Bits
    queens: Bits
    king: Bits
    guns: int
    weight: int
    hits: int


def flipped(sight: Sight) -> Sight:
    """What one side hits, as the other sees it."""
    return Sight(
        pawns=sight.pawns.flipped(),
        knights=sight.knights.flipped(),
        bishops=sight.bishops.flipped(),
        rooks=sight.rooks.flipped(),
        queens=sight.queens.flipped(),
        king=sight.king.flipped(),
        guns=sight.guns,
        weight=sight.weight,
        hits=sight.hits,
    )


def balance(side: Side, worth: Any) -> Any:
    """What the player to move has more than the other: the sum of what each thing is worth in the table."""
    back = turned(side)
    mine, seen = survey(side, worth)
    theirs, told = survey(back, worth)
    total = mine + prospects(side, seen, flipped(told), worth)
    return worth[TEMPO] + total + (theirs + prospects(back, told, flipped(seen), worth)) * -1


def survey(side: Side, worth: Any) -> tuple[Any, Sight]:
    """What one side's pieces are worth where they stand, and what they hit."""
    own, other = side.own, side.other
    pawns, knights, diagonal, straight = side.pawns, side.knights, side.diagonal, side.straight
    taken, mine, kings = own | other, own & pawns, ~(pawns | knights | diagonal | straight)
    free = ~(mine | beside((other & pawns) >> 8))
    target = (other & kings).lowest()
    zone = AROUND[target] | AROUND[target] >> 8
    king = (own & kings).lowest()
    total, guns, weight, hits = worth[KING + king] + worth[CASTLES + (side.rights & 0xFF).count()], 0, 0, 0
    leaps, slants, lines, queenly = Bits(0), Bits(0), Bits(0), Bits(0)
    for square in mine:
        total += worth[PAWN + square]
    for square in own & knights:
        reach = LEAPS[square]
        leaps |= reach
        total += worth[KNIGHT + square] + worth[KNIGHT_MOVES + (reach & free).count()]
        total += worth[KNIGHT_FAR] * distance(king, square)
        guns, weight, hits = aimed(reach & zone, 3, guns, weight, hits)
    for square in own & diagonal & ~straight:
        reach = diagonals(taken, square)
        slants |= reach
        total += worth[BISHOP + square] + worth[BISHOP_MOVES + (reach & free).count()]
        total += worth[BISHOP_FAR] * distance(king, square)
        guns, weight, hits = aimed(reach & zone, 2, guns, weight, hits)
    for square in own & straight & ~diagonal:
        reach = straights(taken, square)
        lines |= reach
        total += worth[ROOK + square] + worth[ROOK_MOVES + (reach & free).count()]
        guns, weight, hits = aimed(reach & zone, 2, guns, weight, hits)
    for square in own & straight & diagonal:
        reach = straights(taken, square) | diagonals(taken, square)
        queenly |= reach
        total += worth[QUEEN + square] + worth[QUEEN_MOVES + (reach & free).count()]
        guns, weight, hits = aimed(reach & zone, 2, guns, weight, hits)
    return total, Sight(beside(mine << 8), leaps, slants, lines, queenly, AROUND[king], guns, weight, hits)


def aimed(hit: Bits, heavy: int, guns: int, weight: int, hits: int) -> tuple[int, int, int]:
    """How many pieces aim at a king, and how much, with one more that hits these squares near it."""
    if hit:
        return guns + 1, weight + heavy, hits + hit.count()
    return guns, weight, hits


def prospects(side: Side, seen: Sight, told: Sight, worth: Any) -> Any:
    """What one side has by what it hits and by what the other does: its pawns, its king's shelter, threats."""
    own, other = side.own, side.other
    pawns, diagonal, straight = side.pawns, side.diagonal, side.straight
    mine, theirs = own & pawns, other & pawns
    kings = ~(pawns | side.knights | diagonal | straight)
    king, target, pieces = (own & kings).lowest(), (other & kings).lowest(), other & ~(pawns | kings)
    columns, rooks, bishops = filled(mine), own & straight & ~diagonal, own & diagonal & ~straight
    guarded = told.pawns | told.knights | told.bishops | told.rooks | told.queens | told.king
    total = worth[DANGER + danger(own, other, target, seen, told)] + shelter(mine, theirs, king, worth)
    total += formation(side, king, target, guarded, worth)
    total += worth[PAIR] * (bishops.count() >= 2)
    total += worth[SAME] * ((bishops & LIGHT).count() * (mine & LIGHT).count())
    total += worth[SAME] * ((bishops & ~LIGHT).count() * (mine & ~LIGHT).count())
    total += worth[OPEN] * (rooks & ~columns & ~filled(theirs)).count()
    total += worth[HALF_OPEN] * (rooks & ~columns & filled(theirs)).count()
    safe = seen.pawns & FORWARD & ~beside(lowered(theirs >> 8))
    total += worth[OUTPOST] * (own & side.knights & safe).count() + worth[BASE] * (bishops & safe).count()
    total += worth[HEADING] * (seen.knights & safe & ~own).count()
    total += worth[SCREENED] * ((own & side.knights | bishops) & (side.pawns >> 8)).count()
    total += worth[KNIGHT_PAWNS] * ((own & side.knights).count() * mine.count())
    total += worth[ROOK_PAWNS] * (rooks.count() * mine.count())
    light = seen.knights | seen.bishops
    hit = light | seen.rooks | seen.queens
    struck = hit | seen.pawns
    total += worth[SPACE] * (HOME & ~(mine | told.pawns)).count()
    total += worth[PRESSURE] * (struck & CAMP & FLANKS[target & 7]).count()
    total += worth[CONTESTED] * (struck & guarded & ~told.pawns).count()
    total += worth[PUSHED] * (pushed(mine, own | other, ~told.pawns & (~guarded | struck)) & pieces).count()
    total += worth[HUNTED] * (seen.pawns & pieces).count()
    total += worth[HARASSED] * (light & pieces & straight | seen.rooks & pieces & straight & diagonal).count()
    total += worth[LOOSE] * (hit & ~told.pawns & pieces).count()
    total += worth[LOOSE_PAWN] * (hit & ~told.pawns & theirs).count()
    total += worth[HANGING] * ((hit | seen.king) & ~guarded & pieces).count()
    return total


def danger(own: Bits, other: Bits, target: int, seen: Sight, told: Sight) -> int:
    """How hard one side's pieces press the other king: how many aim at it and at how many squares, how many of those
    next to it only king and queen guard, how much of its side of the board they hit, which have checks, above all where
    nothing guards against them; less where a knight is at hand, and much less without a queen."""
    if seen.guns == 0:
        return 0
    held = told.pawns | told.knights | told.bishops | told.rooks
    hit = seen.pawns | seen.knights | seen.bishops | seen.rooks | seen.queens
    weak = AROUND[target] & hit & ~held
    safe = ~(own | held | told.queens | told.king)
    taken = own | other
    slant, straight = diagonals(taken, target), straights(taken, target)
    leaps, slants, lines = LEAPS[target] & seen.knights, slant & seen.bishops, straight & seen.rooks
    total = seen.guns * seen.weight + 2 * seen.hits + 5 * weak.count() + (hit & CAMP & FLANKS[target & 7]).count()
    total += 3 * ((leaps | slants | lines) & ~(own | safe)).count()
    total += 20 * (leaps & safe != 0) + 15 * (slants & safe != 0) + 25 * (lines & safe != 0)
    total += 20 * ((slant | straight) & seen.queens & safe != 0)
    total -= UNTOUCHED + GUARD * (told.knights & AROUND[target] != 0) + QUEENLESS * (seen.queens == 0)
    return max(0, min(total // 4, MOST_DANGER))


def pushed(mine: Bits, taken: Bits, safe: Bits) -> Bits:
    """What pawns would hit, and don't yet, after a step, or two from home, to one of some squares."""
    once = mine << 8 & ~taken
    twice = (once & THIRD_ROW) << 8 & ~taken
    return beside((once | twice) & safe) << 8 & ~(beside(mine) << 8)


def shelter(mine: Bits, theirs: Bits, king: int, worth: Any) -> Any:
    """What the pawns on a king's column and on those beside it are worth to him: the first of his own, and of the
    other's, on each column, by their rows; row 1 stands for none."""
    middle = min(max(king & 7, 1), 6)
    total = worth[TEMPO] * 0
    ahead = ~Bits(0) << (king & 56)
    for column in range(middle - 1, middle + 2):
        first, foe = mine & ahead & COLUMN << column, theirs & ahead & COLUMN << column
        place = BESIDES if column != king & 7 else SHELTER
        total += worth[place + (first.lowest() >> 3 if first else 0)]
        total += worth[STORM + (foe.lowest() >> 3 if foe else 0)]
    return total


def formation(side: Side, king: int, target: int, guarded: Bits, worth: Any) -> Any:
    """What one side's pawns have, besides their squares: by each other, by those against them, by rooks and kings."""
    mine, theirs, taken = side.own & side.pawns, side.other & side.pawns, side.own | side.other
    opposed = lowered(theirs >> 8)
    passed, isolated = mine & ~(opposed | beside(opposed)), mine & ~beside(filled(mine))
    backward = mine & ~isolated & ~beside(raised(mine)) & beside(theirs >> 16)
    rooks = side.straight & ~side.diagonal
    total = worth[ISOLATED] * isolated.count() + worth[BACKWARD] * backward.count()
    total += worth[EXPOSED] * ((isolated | backward) & ~opposed).count()
    total += worth[DOUBLED] * (mine & lowered(mine >> 8)).count()
    total += worth[BEHIND] * (passed & raised(side.own & rooks)).count()
    total += worth[HOUNDED] * (passed & raised(side.other & rooks)).count()
    for square in mine & beside(mine << 8):
        total += worth[SUPPORTED + (square >> 3)]
    for square in mine & beside(mine):
        total += worth[ABREAST + (square >> 3)]
    for square in passed & beside(passed | passed << 8 | passed >> 8):
        total += worth[JOINED + (square >> 3)]
    for square in passed:
        row, ahead = square >> 3, square + 8
        total += worth[PASSED + row] + worth[STOPPED + row] * (taken & bit(ahead) != 0)
        total += worth[SAFE + row] * ((taken | guarded) & bit(ahead) == 0)
        total += worth[RUNNING + row] * ((taken | guarded) & COLUMN << ahead == 0)
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


def raised(squares: Bits) -> Bits:
    """The squares and all above them."""
    squares |= squares << 8
    squares |= squares << 16
    return squares | squares << 32


def filled(squares: Bits) -> Bits:
    """The columns of the squares."""
    return raised(lowered(squares))


def phase(side: Side) -> int:
    """How many pieces there are: 24 at the start, 0 where there are but pawns."""
    queens = side.diagonal & side.straight
    return min(side.knights.count() + side.diagonal.count() + 2 * side.straight.count() + queens.count(), 24)


def winnable(side: Side, ahead: Bits) -> int:
    """How much of an advantage with few pieces is left where it has to be won, in 64ths: less with few pawns, little
    with none and at most a bishop more, and less where bishops can't meet."""
    behind, pawns = (side.own | side.other) ^ ahead, ahead & side.pawns
    power, against = strength(side, ahead), strength(side, behind)
    if not pawns and power - against <= 3:
        return 0 if power < 5 else 4 if against <= 3 else 14
    bishops = side.diagonal & ~side.straight
    mine, theirs = ahead & bishops, behind & bishops
    if mine.count() == 1 and theirs.count() == 1 and bool(mine & LIGHT) != bool(theirs & LIGHT):
        return 22 + (4 * pawns.count() if power == 3 == against else 3 * ahead.count())
    return min(64, 36 + 7 * pawns.count())


def strength(side: Side, pieces: Bits) -> int:
    """What some pieces are worth together, besides pawns and king."""
    light, heavy = side.knights | side.diagonal & ~side.straight, side.straight & ~side.diagonal
    return (
        3 * (pieces & light).count()
        + 5 * (pieces & heavy).count()
        + 9 * (pieces & side.diagonal & side.straight).count()
    )
