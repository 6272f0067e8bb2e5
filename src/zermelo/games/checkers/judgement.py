"""What matters in a position of checkers, as numbers: Black's less White's."""

from __future__ import annotations

from zermelo.bits import Bits
from zermelo.games.checkers.layout import SQUARES, places

NAMES = (
    "men", "kings", "lead", "guards", "row-2", "row-3", "row-4", "row-5", "row-6", "row-7", "late", "edge", "centre",
    "backed", "inner-kings", "mobility", "threats", "runaways", "move", "tempo",
)  # fmt: skip
WEIGHTS = (
    0.05, 0.065, 0.05, 0.015, 0.002, 0.003, 0.003, 0.003, 0.003, 0.003, 0.002, 0.0, 0.001,
    0.0005, 0.001, 0.001, 0.007, 0.01, 0.004, 0.001,
)  # fmt: skip
"""Rounded after a fit to 231 games that the program played itself, by `zermelo tune checkers`. The fit calls a lead
with few pieces on the board a burden, since so quick a search often fails to win with it: there a guess is kept."""
TOP_GUARDS, BOTTOM_GUARDS = places((1, 3)), places((30, 32))
"""From where two men keep the other from crowning."""
EDGE = places((5, 12, 13, 20, 21, 28))
CENTRE = places((14, 15, 18, 19))
INNER = places((6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 26, 27))
"""Squares at the sides of the board, in its middle, and all that are not on its rim."""
ROWS = tuple(places(range(4 * row + 1, 4 * row + 5)) for row in range(8))
EVEN_ROWS = ROWS[1] | ROWS[3] | ROWS[5] | ROWS[7]


def judged(black: Bits, white: Bits, kings: Bits, turn: int) -> tuple[float, ...]:
    """The features in the order of `NAMES`; a player's rows are counted from his own side."""
    free = SQUARES & ~(black | white)
    men, others, black_kings, white_kings = black & ~kings, white & ~kings, black & kings, white & kings
    blacks, whites = black.count(), white.count()
    two, three, four = row_lead(men, others, 2), row_lead(men, others, 3), row_lead(men, others, 4)
    five, six, seven = row_lead(men, others, 5), row_lead(men, others, 6), row_lead(men, others, 7)
    black_jumpers = black & can_jump_down(white, free) | black_kings & can_jump_up(white, free)
    white_jumpers = white & can_jump_up(black, free) | white_kings & can_jump_down(black, free)
    return (
        men.count() - others.count(),
        black_kings.count() - white_kings.count(),
        (blacks - whites) / (blacks + whites),
        (men & TOP_GUARDS).count() - (others & BOTTOM_GUARDS).count(),
        two,
        three,
        four,
        five,
        six,
        seven,
        (two + 2 * three + 3 * four + 4 * five + 5 * six + 6 * seven) * (24 - blacks - whites) / 24,
        (men & EDGE).count() - (others & EDGE).count(),
        (men & CENTRE).count() - (others & CENTRE).count(),
        steps_up(men, black) - steps_down(others, white),
        (black_kings & INNER).count() - (white_kings & INNER).count(),
        steps_down(black, free) + steps_up(black_kings, free) - steps_up(white, free) - steps_down(white_kings, free),
        black_jumpers.count() - white_jumpers.count(),
        (men & ~above(white)).count() - (others & ~below(black)).count(),
        has_move(black | white, turn) if blacks == whites else 0,
        1 - 2 * turn,
    )


def row_lead(men: Bits, others: Bits, row: int) -> int:
    """How many more men Black has in a row than White has in the row that he counts so."""
    return (men & ROWS[row - 1]).count() - (others & ROWS[8 - row]).count()


def steps_down(pieces: Bits, targets: Bits) -> int:
    """How many steps down the board there are from these pieces to these squares."""
    return (pieces & targets >> 4).count() + (pieces & targets >> 5).count()


def steps_up(pieces: Bits, targets: Bits) -> int:
    """How many steps up the board there are from these pieces to these squares."""
    return (pieces & targets << 4).count() + (pieces & targets << 5).count()


def can_jump_down(other: Bits, free: Bits) -> Bits:
    """From where pieces of the other can be jumped down the board."""
    return other >> 4 & free >> 8 | other >> 5 & free >> 10


def can_jump_up(other: Bits, free: Bits) -> Bits:
    """From where pieces of the other can be jumped up the board."""
    return other << 4 & free << 8 | other << 5 & free << 10


def above(pieces: Bits) -> Bits:
    """All squares from where one of these pieces can be met on the way down."""
    for _ in range(7):
        pieces |= (pieces >> 4 | pieces >> 5) & SQUARES
    return pieces


def below(pieces: Bits) -> Bits:
    """All squares from where one of these pieces can be met on the way up."""
    for _ in range(7):
        pieces |= (pieces << 4 | pieces << 5) & SQUARES
    return pieces


def has_move(pieces: Bits, turn: int) -> int:
    """1 if Black "has the move", which is that men and kings who walk up to each other stop on White's turn; else -1.

    With as many pieces each, whoever is to move has it if an odd number of all stand in rows 2, 4, 6 and 8.
    """
    return 1 if (pieces & EVEN_ROWS).count() & 1 != turn else -1
