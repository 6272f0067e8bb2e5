"""Which squares of a chess board a piece reaches from each."""

from __future__ import annotations

from zermelo.bits import Bits, bit

LEFT, RIGHT = Bits(0x7F7F7F7F7F7F7F7F), Bits(0xFEFEFEFEFEFEFEFE)
"""The squares a step to the left, and to the right, can lead to."""


def _steps(*ways: tuple[int, int], far: bool = False) -> tuple[Bits, ...]:
    """The squares that are one step, or any number of steps, in some ways from each square."""
    found = []
    for square in range(64):
        reached = 0
        for across, up in ways:
            column, row = square % 8 + across, square // 8 + up
            while 0 <= column < 8 and 0 <= row < 8:
                reached |= 1 << 8 * row + column
                column, row = (column + across, row + up) if far else (8, 8)
        found.append(Bits(reached))
    return tuple(found)


def _along_row(column: int, inner: int) -> Bits:
    """What a piece in a column reaches of its row, where these of the inner six squares are taken."""
    reached = 0
    for way in (-1, 1):
        to = column + way
        while 0 <= to < 8:
            reached |= 1 << to
            to = -1 if 2 * inner >> to & 1 else to + way
    return Bits(reached)


AROUND = _steps((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
LEAPS = _steps((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STRIKES = _steps((-1, 1), (1, 1))
COLUMNS, ROWS = _steps((0, 1), (0, -1), far=True), _steps((1, 0), (-1, 0), far=True)
RISING, FALLING = _steps((1, 1), (-1, -1), far=True), _steps((1, -1), (-1, 1), far=True)
ALONG_ROW = tuple(_along_row(column, inner) for column in range(8) for inner in range(64))


def along(taken: Bits, square: int, line: Bits) -> Bits:
    """The squares of a line, no row, that a piece reaches, both ways as far as the first that is taken."""
    ahead = taken & line
    back = ahead.flipped() - bit(square ^ 56)
    return (ahead - bit(square) ^ back.flipped()) & line


def diagonals(taken: Bits, square: int) -> Bits:
    """What a bishop reaches."""
    return along(taken, square, RISING[square]) | along(taken, square, FALLING[square])


def straights(taken: Bits, square: int) -> Bits:
    """What a rook reaches."""
    row = square & 56
    inner = int(taken >> row + 1 & 63)
    return along(taken, square, COLUMNS[square]) | ALONG_ROW[64 * (square & 7) + inner] << row


def between(one: int, two: int) -> Bits:
    """The squares between two, if these are on a line."""
    here, there = bit(one), bit(two)
    if there & (RISING[one] | FALLING[one]):
        return diagonals(there, one) & diagonals(here, two)
    if there & (ROWS[one] | COLUMNS[one]):
        return straights(there, one) & straights(here, two)
    return Bits(0)


def line(one: int, two: int) -> Bits:
    """The line through two squares, if there is one."""
    there = bit(two)
    if there & (RISING[one] | FALLING[one]):
        return RISING[one] if there & RISING[one] else FALLING[one]
    return ROWS[one] if there & ROWS[one] else COLUMNS[one]
