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

    A grid with `walls`, the indices of cells that are wall, is a maze and drawn as one. `edges`, where given, are pairs
    of neighbouring cells with a wall between them, the only lines drawn then. `colours`, where given, names each
    cell's colour (yellow, red; "" for none) in place of its owner's. `caption` stands below the board.
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
    edges: tuple[tuple[int, int], ...] | None = None


MARKS = "XOZ"
"""The marks of the first players, as boards in text show them."""


def marked_grid(rows: Sequence[str], row_labels: Sequence[str] = (), column_labels: Sequence[str] = ()) -> Grid:
    """The grid of rows such as "X.O", from the top: X belongs to player 0, O to 1, Z to 2, . is empty."""
    marks = "".join(rows)
    cells, owners = tuple(mark.strip(".") for mark in marks), tuple(MARKS.find(mark) for mark in marks)
    return Grid(len(rows[0]), len(rows), cells, owners, tuple(row_labels), tuple(column_labels))


def parse_marks(text: str, width: int, height: int, players: int = 2) -> list[str]:
    """The rows written in a text such as "XO./.X./..O", where the players mark a cell in turn, X first."""
    rows, marks = text.upper().split("/"), MARKS[:players]
    if [len(row) for row in rows] != [width] * height or not set("".join(rows)) <= {*marks, "."}:
        example = "/".join(["." * width] * height)
        raise BadInput(f"{text!r} is not {height} rows of {width} {', '.join(marks)} or . such as {example!r}")
    counts = [sum(row.count(mark) for row in rows) for mark in marks]
    if counts != [(sum(counts) + players - 1 - place) // players for place in range(players)]:
        has = " and ".join(f"{count} {mark}" for count, mark in zip(counts, marks, strict=True))
        turns = "so O has as many or one less" if players == 2 else "then O, then Z"
        raise BadInput(f"{text!r} has {has}: X starts, {turns}")
    return rows


class Layers(NamedTuple):
    """A board of several layers, each a grid with its title, all of one size."""

    grids: tuple[Grid, ...]
    titles: tuple[str, ...]


class Piles(NamedTuple):
    """Heaps of like things (stones, seeds, coins), each with its label and its count."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]


class Points(NamedTuple):
    """A backgammon board: for each player the checkers borne off, on points 1 to 24 as he counts, and on the bar.

    `turn` is the player by whose count the points are labelled; `note` says what is going on.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    turn: int = 0
    note: str = ""


class Pits(NamedTuple):
    """A board for sowing: for each player the seeds in his pits, in the order in which he sows, then in his store.

    `labels` and `other_labels` are the names of their pits.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    labels: tuple[str, ...]
    other_labels: tuple[str, ...]


class Node(NamedTuple):
    """A place in a drawn tree: its name, and the (edge label, child name) pairs below it."""

    name: str
    children: tuple[tuple[str, str], ...] = ()


class Fields(NamedTuple):
    """The generic picture: the fields of the state, by name."""

    names: tuple[str, ...]
    values: tuple[str, ...]


Board = Grid | Layers | Piles | Pits | Points | Node | Fields
