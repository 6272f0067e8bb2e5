"""A chess board as a picture, from White's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.board import Grid
from zermelo.games.chess.fen import COLUMNS, pieces

if TYPE_CHECKING:
    from zermelo.games.chess import Chess

FIGURES = dict(zip("KQRBNP.", "♚♛♜♝♞♟ ", strict=True))
"""The figure of each kind of piece; faces colour it by who has it."""


def draw(state: Chess.State) -> Grid:
    """The board with the eighth row on top."""
    signs = pieces(state)
    shown = [signs[start + column] for start in range(56, -1, -8) for column in range(8)]
    cells = tuple(FIGURES[sign.upper()].strip() for sign in shown)
    owners = tuple(-1 if sign == "." else int(sign.islower()) for sign in shown)
    return Grid(8, 8, cells, owners, tuple("87654321"), tuple(COLUMNS))
