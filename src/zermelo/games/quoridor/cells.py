"""Sets of up to 128 cells, in two words; the cells of a board are numbered row by row from the bottom left."""

from __future__ import annotations

from zermelo.bits import Bits, bit

Cells = tuple[Bits, Bits]
"""A set of cells: 0 to 63 in the first word, 64 to 127 in the second."""


def cells_of(numbers: list[int]) -> Cells:
    """The set of these cells; not for rules."""
    word = sum(1 << number for number in set(numbers))
    return Bits(word), Bits(word >> 64)


def numbers_in(cells: Cells) -> list[int]:
    """The members in order; not for rules."""
    return [*cells[0], *(64 + number for number in cells[1])]


def no_cells() -> Cells:
    return Bits(0), Bits(0)


def one_cell(cell: int) -> Cells:
    return bit(cell), bit(cell - 64)


def lowest(cells: Cells) -> int:
    """The smallest member; 128 when the set is empty."""
    return cells[0].lowest() if cells[0] else 64 + cells[1].lowest()


def count(cells: Cells) -> int:
    """How many members the set has."""
    return cells[0].count() + cells[1].count()


def is_empty(cells: Cells) -> bool:
    return not cells[0] | cells[1]


def meets(one: Cells, two: Cells) -> bool:
    """Whether the two have a member in common."""
    return not is_empty(common(one, two))


def holds(cells: Cells, cell: int) -> bool:
    return cell in cells[0] or cell - 64 in cells[1]


def union(one: Cells, two: Cells) -> Cells:
    return one[0] | two[0], one[1] | two[1]


def common(one: Cells, two: Cells) -> Cells:
    return one[0] & two[0], one[1] & two[1]


def without(one: Cells, two: Cells) -> Cells:
    return one[0] & ~two[0], one[1] & ~two[1]


def up(cells: Cells, step: int) -> Cells:
    """Each member so much higher, 1 to 63; what leaves the 128 is lost."""
    return cells[0] << step, cells[1] << step | cells[0] >> 64 - step


def down(cells: Cells, step: int) -> Cells:
    """Each member so much lower, 1 to 63; what leaves the 128 is lost."""
    return cells[0] >> step | cells[1] << 64 - step, cells[1] >> step


def between(one: Cells, two: Cells, step: int) -> Cells:
    """The lower ones of all two cells so far apart of which one is in `one` and the other in `two`."""
    return union(common(one, down(two, step)), common(two, down(one, step)))


def twice(one: Cells, two: Cells, three: Cells) -> Cells:
    """The cells that are in at least two of the three."""
    return union(common(one, two), common(three, union(one, two)))
