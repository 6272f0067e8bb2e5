"""The simplex algorithm in whole numbers: exact values and mixes of matrix games.

The column player's problem: with all payoffs B above 0, the greatest y₁ + … + yₙ such that B·y ≤ 1 and y ≥ 0. If it
is z, the value is 1/z and the mix y/z; the row player's mix is what the problem's dual says.

The tableau holds whole numbers, all over one common denominator, so that nothing is rounded and no fraction is
reduced. A pivot takes the column that gains most; after one that gained nothing Bland's rule holds until one gains.
With Bland's rule no basis comes twice, so it ends, however degenerate the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


class Simplex:
    """A matrix game, solved: `value`, and the mixes `row` and `column`, each a corner of its player's optimal mixes.

    Variables are numbered: first the columns, then the slacks, one for each row.
    """

    def __init__(self, payoffs: Sequence[Sequence[Fraction]]) -> None:
        self.height, self.width = len(payoffs), len(payoffs[0])
        scale = lcm(*(payoff.denominator for row in payoffs for payoff in row))
        whole = [[int(payoff * scale) for payoff in row] for row in payoffs]
        shift = 1 - min(map(min, whole))
        self.rows = [[payoff + shift for payoff in row] + [1] for row in whole] + [[1] * self.width + [0]]
        self.denominator = 1
        self.free = list(range(self.width))
        self.basis = list(range(self.width, self.width + self.height))
        self._climb()
        self.total = -self.rows[-1][-1]
        self.value = (Fraction(self.denominator, self.total) - shift) / scale
        costs = {variable: -self.rows[-1][place] for place, variable in enumerate(self.free)}
        self.row = tuple(Fraction(costs.get(self.width + i, 0), self.total) for i in range(self.height))
        self.column = self._mix()

    def spread(self, variables: Sequence[int]) -> tuple[Fraction, ...] | None:
        """Of all optimal mixes of the column player one in which the sum of these variables is greatest.

        None where they are 0 in all of them. May be called once.
        """
        wanted = set(variables)
        kept = [place for place, cost in enumerate(self.rows[-1][:-1]) if cost == 0]
        self.free = [self.free[place] for place in kept]
        self.rows = [[row[place] for place in kept] + [row[-1]] for row in self.rows[:-1]]
        goal = [self.denominator * (variable in wanted) for variable in self.free] + [0]
        for variable, row in zip(self.basis, self.rows, strict=True):
            if variable in wanted:
                goal = [cost - entry for cost, entry in zip(goal, row, strict=True)]
        self.rows.append(goal)
        self._climb()
        return self._mix() if self.rows[-1][-1] else None

    def other(self) -> tuple[Fraction, ...] | None:
        """An optimal mix of the column player other than `column`; None where there is none.

        A corner is the only optimal mix if and only if all variables that are 0 in it are 0 in all optimal mixes.
        """
        above = {variable for variable, row in zip(self.basis, self.rows, strict=False) if row[-1]}
        return self.spread([variable for variable in range(self.width + self.height) if variable not in above])

    def _mix(self) -> tuple[Fraction, ...]:
        """The column player's mix in the present corner."""
        parts = {variable: row[-1] for variable, row in zip(self.basis, self.rows, strict=False)}
        found = [parts.get(variable, 0) for variable in range(self.width)]
        return tuple(Fraction(part, sum(found)) for part in found)

    def _climb(self) -> None:
        """Pivot until nothing raises the goal, which is the last row."""
        stuck = False
        while ways := [(variable, place) for place, variable in enumerate(self.free) if self.rows[-1][place] > 0]:
            column = min(ways)[1] if stuck else max((self.rows[-1][place], -place, place) for _, place in ways)[2]
            fitting = [place for place in range(self.height) if self.rows[place][column] > 0]
            place = min(fitting, key=lambda place: (self._ratio(place, column), self.basis[place]))
            stuck = self.rows[place][-1] == 0
            self._pivot(place, column)

    def _ratio(self, place: int, column: int) -> Fraction:
        return Fraction(self.rows[place][-1], self.rows[place][column])

    def _pivot(self, place: int, column: int) -> None:
        """Let a free variable and one of the basis change places; every division is without remainder."""
        pivot, above = self.rows[place], self.denominator
        self.denominator = by = pivot[column]
        for index, row in enumerate(self.rows):
            if index == place:
                continue
            factor = row[column]
            if factor:
                row[:] = [(entry * by - factor * other) // above for entry, other in zip(row, pivot, strict=True)]
                row[column] = -factor
            elif by != above:
                row[:] = [entry * by // above for entry in row]
        pivot[column] = above
        self.basis[place], self.free[column] = self.free[column], self.basis[place]
