"""Mazes from text files: walls, the open cells by number, what neighbours what, and how far apart any two are.

Games in mazes share this; a maze file is plain text, a character a cell, closed by walls all around.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import listed

WALLS = "#%"
"""What stands for a wall."""
STEPS = ("north", "east", "south", "west", "stay")
"""The names of the actions: the four directions in their order, and not to move."""
STAY = 4
"""The action of not moving."""
KEYS = dict(zip(("up", "right", "down", "left", "space"), STEPS, strict=True))
"""What keys mean in a maze."""
MOST_CELLS = 400
"""The most open cells of a maze: the distances between all pairs are kept."""


class Maze(NamedTuple):
    """A maze. The cells that can be reached from the hero are numbered row by row from the top.

    `places` are their places in the grid, row × width + column; `steps` says for each cell the neighbour to the
    north, east, south and west, or -1; `distances` how many steps there are between two cells; `marks` for each sign
    the cells where it stands.
    """

    width: int
    height: int
    walls: tuple[int, ...]
    places: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    distances: tuple[tuple[int, ...], ...]
    marks: dict[str, tuple[int, ...]]

    @property
    def longest(self) -> int:
        """The largest distance in the maze."""
        return max(max(row) for row in self.distances)

    def draw(self, things: Iterable[tuple[int, str, str]], caption: str) -> Grid:
        """The maze with things in it: the cell, the sign and the colour of each. Later ones hide earlier ones."""
        cells, colours = [""] * (self.width * self.height), [""] * (self.width * self.height)
        for cell, sign, colour in things:
            cells[self.places[cell]], colours[self.places[cell]] = sign, colour
        return Grid(self.width, self.height, tuple(cells), walls=self.walls, colours=tuple(colours), caption=caption)


class Layout(NamedTuple):
    """A maze as it is written: its name, its rows, and how many empty lines there are above them."""

    name: str
    rows: list[str]
    above: int

    def line(self, row: int) -> str:
        """Where a row stands in the text."""
        return f"the layout {self.name}, line {self.above + row + 1}"

    def spot(self, place: int) -> str:
        """Where a character stands in the text."""
        row, column = divmod(place, len(self.rows[0]))
        return f"{self.line(row)} column {column + 1}"


def load_maze(name: str, folder: Path, hero: str, signs: dict[str, str]) -> Maze:
    """The maze of that name in a folder, or in a file of the user's own where the name ends in .txt.

    `signs` are the characters that may stand in it, with what each is called; `hero` is the one that stands there
    exactly once and from which all others can be reached.
    """
    names = sorted(path.stem for path in folder.glob("*.txt"))
    if name not in names and not name.endswith(".txt"):
        raise BadInput(f"there is no layout {name!r}: use {listed(names)}, or a file such as my.txt")
    path = folder / f"{name}.txt" if name in names else Path(name)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"the layout {name} can't be read: {reason}") from None
    return parse_maze(name, text, hero, signs)


def parse_maze(name: str, text: str, hero: str, signs: dict[str, str]) -> Maze:
    """The maze written in a text; `BadInput` with its name, line and column where it is not well made."""
    rows = text.strip("\n").split("\n")
    layout = Layout(name, rows, len(text) - len(text.lstrip("\n")))
    _check_signs(layout, signs)
    _check_border(layout)
    width, grid = len(rows[0]), "".join(rows)
    heroes = grid.count(hero)
    if heroes != 1:
        what = (
            f"no {signs[hero]}: put one {hero} into" if heroes == 0 else f"{heroes} times {signs[hero]}: leave one in"
        )
        raise BadInput(f"the layout {name} has {what} it")
    places = _reached(grid, width, grid.index(hero))
    if len(places) > MOST_CELLS:
        raise BadInput(f"the layout {name} has {len(places)} open cells: there may be {MOST_CELLS}")
    for place, sign in enumerate(grid):
        if sign not in WALLS + " " and place not in places:
            raise BadInput(f"{layout.spot(place)}: the {signs[sign]} there can't be reached: open a way to it")
    steps = tuple(
        tuple(places.index(place + shift) if place + shift in places else -1 for shift in (-width, 1, width, -1))
        for place in places
    )
    marks = {sign: tuple(cell for cell, place in enumerate(places) if grid[place] == sign) for sign in signs}
    walls = tuple(place for place, sign in enumerate(grid) if sign in WALLS)
    distances = tuple(_distances(steps, cell) for cell in range(len(places)))
    return Maze(width, len(rows), walls, places, steps, distances, marks)


def _check_signs(layout: Layout, signs: dict[str, str]) -> None:
    known = {"# or %": "wall", **signs, "a space": "nothing"}
    first = len(layout.rows[0])
    for number, row in enumerate(layout.rows):
        wrong = next((sign for sign in row if sign not in {*WALLS, *signs, " "}), None)
        if wrong is not None:
            where = f"{layout.line(number)} column {row.index(wrong) + 1}"
            meanings = ", ".join(f"{sign} ({meaning})" for sign, meaning in known.items())
            raise BadInput(f"{where}: {wrong!r} means nothing there: use {meanings}")
        if len(row) != first:
            has = f"has {len(row)} characters and the first {first}"
            raise BadInput(f"{layout.line(number)} {has}: make all lines of one length")


def _check_border(layout: Layout) -> None:
    width, height = len(layout.rows[0]), len(layout.rows)
    for place, sign in enumerate("".join(layout.rows)):
        row, column = divmod(place, width)
        if sign not in WALLS and (row in (0, height - 1) or column in (0, width - 1)):
            raise BadInput(f"{layout.spot(place)}: the border is open there: put a wall (# or %)")


def _reached(grid: str, width: int, start: int) -> tuple[int, ...]:
    """The open places that can be reached from one, in order."""
    found, fresh = {start}, [start]
    while fresh:
        place = fresh.pop()
        near = {place + shift for shift in (-width, 1, width, -1) if grid[place + shift] not in WALLS}
        fresh += near - found
        found |= near
    return tuple(sorted(found))


def _distances(steps: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    """How many steps it takes from a cell to each."""
    found, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for near in steps[cell]:
            if near >= 0 and near not in found:
                found[near] = found[cell] + 1
                queue.append(near)
    return tuple(found[cell] for cell in range(len(steps)))
