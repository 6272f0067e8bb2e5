"""What a state looks like, as plain data: a game says *what* is where, every face draws it its own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.errors import BadInput


class Grid(NamedTuple):
    """A rectangular board. `cells` runs row by row from the top; "" is an empty cell.

    A cell holds a short piece name ("X", "O", "♞"); `owners`, where given, says for each cell which
    player owns the piece (-1: nobody), so that faces can colour it. `rows` and `columns` are the labels
    at the edges; `marked` are indices of cells worth pointing at (the last move, a winning line).

    A grid with `walls`, the indices of cells that are wall, is a maze and drawn as one. `colours`, where given, names
    each cell's colour (yellow, red; "" for none) in place of its owner's. `caption` stands below the board.
    """

    width: int
    height: int
    cells: tuple[str, ...]
    owners: tuple[int, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    marked: tuple[int, ...] = ()
    walls: tuple[int, ...] = ()
    colours: tuple[str, ...] = ()
    caption: str = ""


def marked_grid(rows: Sequence[str], row_labels: Sequence[str] = (), column_labels: Sequence[str] = ()) -> Grid:
    """The grid of rows such as "X.O", from the top: X belongs to player 0, O to player 1, . is empty."""
    marks = "".join(rows)
    cells, owners = tuple(mark.strip(".") for mark in marks), tuple("XO".find(mark) for mark in marks)
    return Grid(len(rows[0]), len(rows), cells, owners, tuple(row_labels), tuple(column_labels))


def parse_marks(text: str, width: int, height: int) -> list[str]:
    """The rows written in a text such as "XO./.X./..O", where X starts and so has as many marks as O or one more."""
    rows = text.upper().split("/")
    if [len(row) for row in rows] != [width] * height or not set("".join(rows)) <= set("XO."):
        example = "/".join(["." * width] * height)
        raise BadInput(f"{text!r} is not {height} rows of {width} X, O or . such as {example!r}")
    x, o = (sum(row.count(mark) for row in rows) for mark in "XO")
    if x - o not in (0, 1):
        raise BadInput(f"{text!r} has {x} X and {o} O: X starts, so O has as many or one less")
    return rows


class Piles(NamedTuple):
    """Heaps of like things (stones, seeds, coins), each with its label and its count."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]


class Node(NamedTuple):
    """A place in a drawn tree: its name, and the (edge label, child name) pairs below it."""

    name: str
    children: tuple[tuple[str, str], ...] = ()


class Fields(NamedTuple):
    """The generic picture: the fields of the state, by name."""

    names: tuple[str, ...]
    values: tuple[str, ...]


Board = Grid | Piles | Node | Fields
