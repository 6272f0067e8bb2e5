"""Matrix games: two players choose at once, and the column player pays the row player what the matrix says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from zermelo.errors import BadInput
from zermelo.matrix.numerals import fraction_text

MOST_ENTRIES = 100_000
"""The most payoffs of a matrix."""

MOST_SMALL, MOST_BITS = 1_000, 100_000
"""The most payoffs of a small matrix, and the most bits of them all over a common denominator."""

LARGEST = 10**15
"""The largest payoff; beyond it floats can't tell whole numbers apart."""

DIGITS = r"\d{1,2000}"
"""Digits in a row: enough for any float, and few enough for Python to read two such rows as one number."""

NUMBER = re.compile(rf"[+-]?(?:{DIGITS}(?:\.(?:{DIGITS})?)?|\.{DIGITS})(?:[eE][+-]?\d{{1,3}})?|[+-]?{DIGITS}/{DIGITS}")
"""A number as files write it: 3, -0.5, 1e-3, 1/3."""

NOT_FINITE = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)")
"""What other programs write for a number that is none."""

Number = Fraction | float
"""Fractions where an answer is exact, floats where it comes from linear programming."""

Mix = tuple[Number, ...]
"""A mixed strategy: a probability for each of a player's choices."""


class Responses(NamedTuple):
    """The best answers to a mixed strategy: what they give the row player, and which they are."""

    payoff: Number
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Matrix:
    """A zero-sum game of two players: `payoffs[i][j]` is what the row player gets for row i against column j.

    Payoffs are fractions, so that a decimal or `1/3` in a file is what it says. Use `Matrix.of` to make one.
    """

    payoffs: tuple[tuple[Fraction, ...], ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str = "matrix"

    @classmethod
    def of(
        cls,
        payoffs: Iterable[Iterable[float | Fraction | str]],
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        title: str = "matrix",
    ) -> Matrix:
        """A matrix of numbers; a float is the shortest decimal that writes it. `BadInput` for what is no game.

        What can't be printed in a title becomes a space there; spaces around names are left out.
        """
        title = printable(title) or "matrix"
        entries = tuple(tuple(to_fraction(value, title) for value in row) for row in payoffs)
        height, width = len(entries), len(entries[0]) if entries else 0
        if not height or not width:
            raise BadInput(f"{title} is empty: a matrix needs a row and a column")
        for number, row in enumerate(entries, 1):
            if len(row) != width:
                raise BadInput(f"{title}: row {number} has {len(row)} payoffs where row 1 has {width}")
        refuse_large(title, height, width)
        names = _names(title, "row", rows, height), _names(title, "column", columns, width)
        return cls(entries, *names, title)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return len(self.rows), len(self.columns)

    @cached_property
    def lowest(self) -> Fraction:
        """The smallest payoff."""
        return min(map(min, self.payoffs))

    @cached_property
    def highest(self) -> Fraction:
        """The largest payoff."""
        return max(map(max, self.payoffs))

    @cached_property
    def is_small(self) -> bool:
        """Whether fractions are quick enough here to decide every question in them."""
        count = len(self.rows) * len(self.columns)
        if count > MOST_SMALL:
            return False
        scale = math.lcm(*(payoff.denominator for row in self.payoffs for payoff in row))
        return count * math.ceil(scale * (self.highest - self.lowest)).bit_length() <= MOST_BITS

    @property
    def turned(self) -> Matrix:
        """The same game with the players' seats changed: its value is the negative, its mixes change places."""
        payoffs = tuple(tuple(-value for value in column) for column in zip(*self.payoffs, strict=True))
        return Matrix(payoffs, self.columns, self.rows, self.title)

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """The game in which only these rows and columns may be chosen."""
        payoffs = tuple(tuple(self.payoffs[row][column] for column in columns) for row in rows)
        names = tuple(self.rows[row] for row in rows), tuple(self.columns[column] for column in columns)
        return Matrix(payoffs, *names, self.title)

    def against_row(self, mix: Mix) -> Mix:
        """U(mix, j) for each column j: what the row player gets on average."""
        return tuple(_average(mix, column) for column in zip(*self.payoffs, strict=True))

    def against_column(self, mix: Mix) -> Mix:
        """U(i, mix) for each row i."""
        return tuple(_average(mix, row) for row in self.payoffs)

    def answers_to_row(self, mix: Mix, slack: Number = 0) -> Responses:
        """The columns that hold a row player of this mix down best; those within `slack` count as equals."""
        return _best(self.against_row(mix), -1, slack)

    def answers_to_column(self, mix: Mix, slack: Number = 0) -> Responses:
        """The rows that get most from a column player of this mix; those within `slack` count as equals."""
        return _best(self.against_column(mix), 1, slack)

    @cached_property
    def saddle_points(self) -> list[tuple[int, int]]:
        """All (row, column) whose payoff is the least of its row and the greatest of its column.

        They are the pairs of pure optimal strategies, and all have the same payoff: the value. There are some if and
        only if the greatest of the rows' least payoffs is the least of the columns' greatest.
        """
        floors = [min(row) for row in self.payoffs]
        ceilings = [max(column) for column in zip(*self.payoffs, strict=True)]
        maximin, minimax = max(floors), min(ceilings)
        if maximin < minimax:
            return []
        rows = [i for i, floor in enumerate(floors) if floor == maximin]
        return [(i, j) for i in rows for j, ceiling in enumerate(ceilings) if ceiling == minimax]


def to_fraction(value: float | Fraction | str, where: str) -> Fraction:
    """A payoff or probability as a fraction; `BadInput` says where it is none."""
    if isinstance(value, int | Fraction):
        number = Fraction(value)
    else:
        number = _parsed(value.strip() if isinstance(value, str) else repr(float(value)), where)
    if abs(number) > LARGEST:
        text = value if isinstance(value, str) else fraction_text(number)
        raise BadInput(f"{where}: {brief(text)} is too large: payoffs go up to {LARGEST:,}")
    return number


def _parsed(text: str, where: str) -> Fraction:
    if not NUMBER.fullmatch(text):
        what = "not finite" if NOT_FINITE.fullmatch(text) else "no number"
        raise BadInput(f"{where}: {brief(text)} is {what}: write numbers as 3, -0.5 or 1/3")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise BadInput(f"{where}: {brief(text)} divides by zero") from None


def near(one: Number, other: Number, slack: Number) -> bool:
    """Whether two numbers differ by no more than `slack`."""
    return -slack <= one - other <= slack


def refuse_large(where: str, height: int, width: int) -> None:
    """`BadInput` for more payoffs than are taken."""
    if height * width > MOST_ENTRIES:
        raise BadInput(f"{where} is too large: {height:,} × {width:,} payoffs, more than {MOST_ENTRIES:,}")


def brief(text: str) -> str:
    """A text for a message, never long."""
    return repr(text) if len(text) <= 40 else f"{text[:40]!r}…"


def printable(text: str) -> str:
    """A text of one line that does no harm to a terminal or an SVG: a space for what can't be printed."""
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()


def _names(title: str, kind: str, names: Sequence[str], count: int) -> tuple[str, ...]:
    names = [name.strip() for name in names]
    if not names:
        return tuple(f"{kind[0]}{number}" for number in range(1, count + 1))
    if len(names) != count:
        raise BadInput(f"{title} has {len(names)} {kind} names for {count} {kind}s")
    seen = set[str]()
    for number, name in enumerate(names, 1):
        if not name or not name.isprintable():
            raise BadInput(
                f"{title}: {kind} {number} has {brief(name)} for a name: give it a text, or leave out all names"
            )
        if name in seen:
            raise BadInput(f"{title} has two {kind}s called {brief(name)}: give each its own name")
        seen.add(name)
    return tuple(names)


def _average(mix: Mix, payoffs: Sequence[Fraction]) -> Number:
    """The mean of payoffs by a mix: exact for fractions, and a float for floats."""
    if all(isinstance(weight, Fraction) for weight in mix):
        return sum((weight * payoff for weight, payoff in zip(mix, payoffs, strict=True) if weight), Fraction(0))
    return math.fsum(weight * float(payoff) for weight, payoff in zip(mix, payoffs, strict=True))


def _best(values: Mix, sign: int, slack: Number) -> Responses:
    best = max(values) if sign > 0 else min(values)
    return Responses(best, tuple(place for place, value in enumerate(values) if near(value, best, slack)))
