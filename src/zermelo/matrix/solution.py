"""The value of a matrix game with optimal mixes of both players, and the proof that they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.errors import Unsuitable
from zermelo.matrix.linear import APART, NEAR, other_mix, solve_linear
from zermelo.matrix.payoffs import Matrix, Mix, Number, Responses, near
from zermelo.matrix.simplex import Simplex

MOST_EXACT = 10_000
"""The most payoffs of a matrix that is solved in fractions."""

TINY = 1e-320
"""Where floats have but a few digits left."""


@dataclass(frozen=True)
class Proof:
    """Both halves of the minimax theorem for a value V and two mixes s* and t*.

    `floor` is the least U(s*, t) over all t, so the row player gets no less; `ceiling` the greatest U(s, t*) over all
    s, so the column player pays no more. Pure t and s suffice: a mean of payoffs is never below the least of them, or
    above the greatest. `row_total` and `column_total` are the sums of the mixes, `least` the smallest probability.
    """

    value: Number
    floor: Responses
    ceiling: Responses
    row_total: Number
    column_total: Number
    least: Number
    tolerance: Number

    @property
    def are_mixes(self) -> bool:
        """Whether both mixes are probabilities: none below 0, their sum 1."""
        slack = NEAR if self.tolerance else 0
        return self.least >= 0 and near(self.row_total, 1, slack) and near(self.column_total, 1, slack)

    @property
    def row_is_sure(self) -> bool:
        """min over t of U(s*, t) ≥ V, to within the tolerance."""
        return self.floor.payoff >= self.value - self.tolerance

    @property
    def column_is_sure(self) -> bool:
        """max over s of U(s, t*) ≤ V, to within the tolerance."""
        return self.ceiling.payoff <= self.value + self.tolerance

    @property
    def holds(self) -> bool:
        """Whether V is the value, and s* and t* are optimal."""
        return self.are_mixes and self.row_is_sure and self.column_is_sure


@dataclass(frozen=True)
class MatrixSolution:
    """The value to the row player, and an optimal mix of each. Exact answers are fractions throughout.

    `other_row` and `other_column` are other optimal mixes, None where there is no other, or where none was found and
    `decided` is false.
    """

    matrix: Matrix
    value: Number
    row: Mix
    column: Mix
    other_row: Mix | None
    other_column: Mix | None
    proof: Proof
    exact: bool

    @property
    def decided(self) -> bool:
        """Whether there are other optimal mixes just where one is given: fractions say so, and not floats."""
        return self.exact or self.matrix.is_small


def solve_matrix(matrix: Matrix, exact: bool = False) -> MatrixSolution:
    """The value and optimal mixes, by linear programming in floats, or exactly in fractions.

    Floats of small matrices are fractions, rounded at the end: payoffs of very different sizes do no harm there.
    The mixes are pure where there is a saddle point, else corners of what is optimal.
    The proof of an exact answer holds without tolerance; an answer that failed its proof is never returned.
    """
    value, row, column, other_row, other_column = _in_fractions(matrix) if exact else _in_floats(matrix)
    proof = prove(matrix, value, row, column)
    if not proof.holds:
        raise Unsuitable(f"the answer for {matrix.title} fails its proof, by rounding: solve it exactly (--exact)")
    return MatrixSolution(matrix, value, row, column, other_row, other_column, proof, exact)


def prove(matrix: Matrix, value: Number, row: Mix, column: Mix) -> Proof:
    """Both inequalities of the minimax theorem, looked at for every row and column.

    With fractions there is no tolerance; else it is 1e-9 of the payoffs' range, and what floats lose.
    """
    exact = all(isinstance(number, Fraction) for number in (value, *row, *column))
    slack = Fraction(0) if exact else tolerance(matrix)
    floor, ceiling = matrix.answers_to_row(row, slack), matrix.answers_to_column(column, slack)
    return Proof(value, floor, ceiling, sum(row), sum(column), min(*row, *column), slack)


def tolerance(matrix: Matrix) -> float:
    """By how much a float may miss: 1e-9 of the payoffs' range, 1e-14 of the largest, and what it can't tell from 0."""
    size = max(abs(matrix.lowest), abs(matrix.highest))
    return NEAR * float(matrix.highest - matrix.lowest) + 1e-14 * float(size) + TINY


Answer = tuple[Number, Mix, Mix, Mix | None, Mix | None]


def _in_floats(matrix: Matrix) -> Answer:
    if matrix.is_small:
        exact, row, column, *others = _in_fractions(matrix)
        other_row, other_column = (mix and _rounded(mix) for mix in others)
        return float(exact), _rounded(row), _rounded(column), other_row, other_column
    value, row, column = solve_linear(matrix)
    if matrix.saddle_points:
        row, column = map(_rounded, _pure(matrix))
    return value, row, column, _other(matrix, value, row), _other(matrix.turned, -value, column)


def _other(matrix: Matrix, value: float, mix: tuple[float, ...]) -> Mix | None:
    """Another optimal mix of the row player, if linear programming shows one that makes sure of the value."""
    other = other_mix(matrix, mix)
    if other is None or max(abs(one - two) for one, two in zip(mix, other, strict=True)) < APART:
        return None
    return other if min(matrix.against_row(other)) >= value - tolerance(matrix) else None


def _rounded(mix: Mix) -> tuple[float, ...]:
    return tuple(map(float, mix))


def _in_fractions(matrix: Matrix) -> Answer:
    height, width = matrix.shape
    if height * width > MOST_EXACT:
        raise Unsuitable(
            f"{matrix.title} has {height:,} × {width:,} payoffs, too many for fractions: solve it in floats"
        )
    columns, rows = Simplex(matrix.payoffs), Simplex(matrix.turned.payoffs)
    row, column = _pure(matrix) if matrix.saddle_points else (rows.column, columns.column)
    other_row = rows.other() if row == rows.column else rows.column
    other_column = columns.other() if column == columns.column else columns.column
    return columns.value, row, column, other_row, other_column


def _pure(matrix: Matrix) -> tuple[Mix, Mix]:
    """The first saddle point as a pair of mixes."""
    i, j = matrix.saddle_points[0]
    return _only(i, len(matrix.rows)), _only(j, len(matrix.columns))


def _only(choice: int, count: int) -> Mix:
    return tuple(Fraction(place == choice) for place in range(count))
