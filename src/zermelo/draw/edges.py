"""The lines between the cells of a grid, in characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Signs(NamedTuple):
    """What lines are drawn with. `inner`, `border` and `wall` are a line across and one that is upright.

    `joints` are the points where four lines meet, by which of them are wall: 1 the upper, 2 the right, 4 the lower,
    8 the left, added up. `corners` go from left to right and down; the sides' points are without and with a wall.
    """

    inner: str
    border: str
    wall: str
    joints: str
    corners: str
    top: str
    right: str
    bottom: str
    left: str


BOXES = Signs("─│", "─│", "─│", "┼" * 16, "┌┐└┘", "┬┬", "┤┤", "┴┴", "├├")
ASCII = Signs("-|", "-|", "-|", "+" * 16, "++++", "++", "++", "++", "++")
"""A box for each cell, for grids that have no walls."""
OPEN_BOXES = Signs("  ", "─│", "━┃", "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋", "┌┐└┘", "─┰", "│┥", "─┸", "│┝")
OPEN_ASCII = Signs("  ", "-|", "=#", "+++#+###+#=#####", "++++", "++", "++", "++", "++")
"""Walls alone."""


class Line(NamedTuple):
    """A piece of a line, and whether it is wall."""

    text: str
    wall: bool = False


class Lines:
    """The lines of a grid with walls between the pairs of neighbouring cells that `edges` gives."""

    def __init__(self, width: int, height: int, edges: Iterable[tuple[int, int]], signs: Signs) -> None:
        self.width, self.height, self.signs = width, height, signs
        pairs, area = {(min(pair), max(pair)) for pair in edges}, width * height
        sides = {(low, high) for low, high in pairs if high - low == 1 and high % width and 0 <= low < area}
        ends = {(low, high) for low, high in pairs if high - low == width and 0 <= low < area - width}
        if stray := sorted(pairs - sides - ends):
            raise ValueError(
                f"a Grid {width} wide and {height} high has no edge between the cells {stray[0][0]} and {stray[0][1]}"
            )
        self.across = {divmod(high, width) for _, high in ends}
        self.upright = {divmod(high, width) for _, high in sides}

    def before(self, row: int, column: int) -> Line:
        """The line to the left of a cell, or for `column` = width at the right edge."""
        wall = (row, column) in self.upright
        return Line(self._signs(wall, column in (0, self.width))[1], wall)

    def above(self, row: int, wide: int) -> list[Line]:
        """The line above a row of cells `wide` wide, or for `row` = height at the bottom."""
        found = [self._joint(row, 0)]
        for column in range(self.width):
            wall = (row, column) in self.across
            found += [Line(self._signs(wall, row in (0, self.height))[0] * wide, wall), self._joint(row, column + 1)]
        return found

    def _signs(self, wall: bool, border: bool) -> str:
        return self.signs.wall if wall else self.signs.border if border else self.signs.inner

    def _joint(self, row: int, column: int) -> Line:
        """The sign at the upper left of a cell."""
        signs, last_row, last_column = self.signs, row == self.height, column == self.width
        walls = [(row - 1, column) in self.upright, (row, column) in self.across]
        walls += [(row, column) in self.upright, (row, column - 1) in self.across]
        if row in (0, self.height) and column in (0, self.width):
            return Line(signs.corners[2 * last_row + last_column])
        if row in (0, self.height):
            return Line((signs.bottom if last_row else signs.top)[any(walls)], any(walls))
        if column in (0, self.width):
            return Line((signs.right if last_column else signs.left)[any(walls)], any(walls))
        return Line(signs.joints[sum(wall << number for number, wall in enumerate(walls))], any(walls))
