"""Quoridor's squares and walls as text: `e2`, `e3h`, `e3v`, and a position as one line of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from zermelo.errors import BadInput

LETTERS = "abcdefghijk"
PLACE = re.compile(r"([a-k])([1-9][0-9]?)([hv]?)")


class Reading(NamedTuple):
    """A position as it was written: cells of the pawns, walls left, walls that lie across and upright, who moves."""

    pawns: tuple[int, int]
    left: tuple[int, int]
    across: list[int]
    upright: list[int]
    turn: int


def write_cell(cell: int, size: int) -> str:
    return f"{LETTERS[cell % size]}{cell // size + 1}"


def read_cell(text: str, size: int) -> int:
    """The cell of a pawn, or `BadInput`."""
    found = PLACE.fullmatch(text.lower())
    last = f"{LETTERS[size - 1]}{size}"
    if not found or found[3]:
        raise BadInput(f"{text!r} is no square: write a column and a row, from a1 to {last}")
    column, row = LETTERS.index(found[1]), int(found[2])
    if column >= size or row > size:
        raise BadInput(f"{text!r} is not on this board, whose squares go from a1 to {last}")
    return size * (row - 1) + column


def read_wall(text: str, size: int) -> tuple[int, str]:
    """The number of a wall, and h or v; or `BadInput`."""
    if text[-1:].lower() not in ("h", "v"):
        raise BadInput(f"{text!r} is no wall: write the square below and to the left of its middle, and h or v")
    cell = read_cell(text[:-1], size)
    if cell % size == size - 1 or cell // size == size - 1:
        last = f"{LETTERS[size - 2]}{size - 1}"
        raise BadInput(f"{text!r} would lie beyond the edge: walls go from a1 to {last}")
    return cell, text[-1].lower()


def read_position(text: str, size: int, walls: int, names: tuple[str, ...]) -> Reading:
    """What a text such as `e4 e6 9 10 O e3h` writes; `BadInput` where its words or numbers can't be."""
    words = text.split()
    if len(words) < 5:
        raise BadInput(
            f"{text!r} is too short: write the squares of X and O, the walls that each has left, who moves, and the "
            "walls on the board, as in 'e4 e6 9 10 O e3h'"
        )
    x, o = read_cell(words[0], size), read_cell(words[1], size)
    counts = [int(word) if word.isascii() and word.isdigit() and len(word) < 4 else -1 for word in words[2:4]]
    if not all(0 <= count <= walls for count in counts):
        raise BadInput(
            f"{text!r} must have from 0 to {walls} walls left for each player, not {' and '.join(words[2:4])}"
        )
    if words[4].upper() not in names:
        raise BadInput(f"{text!r} does not say who is to move: write X or O as the fifth word, not {words[4]!r}")
    placed = [read_wall(word, size) for word in words[5:]]
    if len(placed) + sum(counts) != 2 * walls:
        raise BadInput(
            f"{text!r} has {len(placed)} walls on the board and {counts[0]} and {counts[1]} left: of {walls} for each "
            f"player that should make {2 * walls}"
        )
    across, upright = ([cell for cell, kind in placed if kind == way] for way in "hv")
    return Reading((x, o), (counts[0], counts[1]), across, upright, names.index(words[4].upper()))


def find_clash(across: list[int], upright: list[int], size: int) -> str:
    """Two walls that overlap or cross, as part of a sentence; empty if there are none."""
    ways = (across, "h", 1), (upright, "v", size)
    for walls, sign, step in ways:
        for place, cell in enumerate(walls):
            if cell in walls[:place] or cell + step in walls:
                other = cell if cell in walls[:place] else cell + step
                return f"{write_cell(cell, size)}{sign} and {write_cell(other, size)}{sign} overlap"
    for cell in set(across) & set(upright):
        return f"{write_cell(cell, size)}h and {write_cell(cell, size)}v cross"
    return ""
