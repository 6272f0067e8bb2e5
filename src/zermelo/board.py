"""What a state looks like, as plain data: a game says *what* is where, every face draws it its own way."""

from __future__ import annotations

from typing import NamedTuple


class Grid(NamedTuple):
    """A rectangular board. `cells` runs row by row from the top; "" is an empty cell.

    A cell holds a short piece name ("X", "O", "♞"); `owners`, where given, says for each cell which
    player owns the piece (-1: nobody), so that faces can colour it. `rows` and `columns` are the labels
    at the edges; `marked` are indices of cells worth pointing at (the last move, a winning line).
    """

    width: int
    height: int
    cells: tuple[str, ...]
    owners: tuple[int, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    marked: tuple[int, ...] = ()


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
