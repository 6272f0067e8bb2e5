"""What matters in a position of checkers, as numbers: Black's less White's."""

from __future__ import annotations

from zermelo.bits import Bits
from zermelo.games.checkers.layout import SQUARES, places

NAMES = (
    "men", "kings", "lead", "guards", "advance", "centre", "inner-kings", "mobility", "runaways", "move", "tempo",
)  # fmt: skip
WEIGHTS = (0.05, 0.07, 0.10, 0.004, 0.001, 0.004, 0.004, 0.002, 0.015, 0.01, 0.003)
TOP_GUARDS, BOTTOM_GUARDS = places((1, 3)), places((30, 32))
"""From where two men keep the other from crowning."""
CENTRE = places((14, 15, 18, 19))
INNER = places((6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 26, 27))
"""The middle of the board; all squares that are not at its edge."""
BY_FOUR, BY_TWO, BY_ONE = (places(square for square in range(1, 33) if (square - 1) // 4 & part) for part in (4, 2, 1))
"""The rows, counted from 0 at the top, that have 4, 2 and 1 as a part."""


def judged(black: Bits, white: Bits, kings: Bits, turn: int) -> tuple[float, ...]:
    """The features in the order of `NAMES`."""
    black_men, white_men, black_kings, white_kings = black & ~kings, white & ~kings, black & kings, white & kings
    blacks, whites = black.count(), white.count()
    free = SQUARES & ~(black | white)
    return (
        black_men.count() - white_men.count(),
        black_kings.count() - white_kings.count(),
        (blacks - whites) / (blacks + whites),
        (black_men & TOP_GUARDS).count() - (white_men & BOTTOM_GUARDS).count(),
        rows_down(black_men) + rows_down(white_men) - 7 * white_men.count(),
        (black & CENTRE).count() - (white & CENTRE).count(),
        (black_kings & INNER).count() - (white_kings & INNER).count(),
        steps_down(black, free) + steps_up(black_kings, free) - steps_up(white, free) - steps_down(white_kings, free),
        (black_men & ~above(white)).count() - (white_men & ~below(black)).count(),
        has_move(black | white, turn) if blacks == whites else 0,
        1 - 2 * turn,
    )


def rows_down(pieces: Bits) -> int:
    """How many rows below the first these pieces are, all together."""
    return 4 * (pieces & BY_FOUR).count() + 2 * (pieces & BY_TWO).count() + (pieces & BY_ONE).count()


def steps_down(pieces: Bits, free: Bits) -> int:
    """How many steps down the board there are."""
    return (pieces & free >> 4).count() + (pieces & free >> 5).count()


def steps_up(pieces: Bits, free: Bits) -> int:
    """How many steps up the board there are."""
    return (pieces & free << 4).count() + (pieces & free << 5).count()


def above(pieces: Bits) -> Bits:
    """All squares from where one of these pieces can be met on the way down."""
    for _ in range(6):
        pieces |= (pieces >> 4 | pieces >> 5) & SQUARES
    return pieces


def below(pieces: Bits) -> Bits:
    """All squares from where one of these pieces can be met on the way up."""
    for _ in range(6):
        pieces |= (pieces << 4 | pieces << 5) & SQUARES
    return pieces


def has_move(pieces: Bits, turn: int) -> int:
    """1 if Black "has the move", which is that men and kings who walk up to each other stop on White's turn; else -1.

    With as many pieces each, whoever is to move has it if an odd number of all stand in rows 2, 4, 6 and 8.
    """
    return 1 if (pieces & BY_ONE).count() & 1 != turn else -1
