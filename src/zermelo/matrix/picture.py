"""The picture of a game in which one player has two choices: the value as the mixture of the two changes."""

from __future__ import annotations

from fractions import Fraction

from zermelo.draw.mixture import Answer, Mixture
from zermelo.errors import Unsuitable
from zermelo.matrix.linear import NEAR
from zermelo.matrix.numerals import mark_text
from zermelo.matrix.payoffs import Matrix, Number
from zermelo.matrix.solution import MatrixSolution

MOST_LINES = 200
"""The most answers that are drawn."""


def has_picture(matrix: Matrix) -> bool:
    """Whether a player has two choices, and the other not too many to draw."""
    return 2 in matrix.shape and max(matrix.shape) <= MOST_LINES


def mixture(solution: MatrixSolution) -> Mixture:
    """The picture of a 2 × n game, where the row player mixes, or of an m × 2 game, where the column player does.

    The share runs over the first of the two choices. The optimal shares are all at which the envelope has the value.
    """
    matrix = solution.matrix
    if not has_picture(matrix):
        shape = " × ".join(map(str, matrix.shape))
        raise Unsuitable(
            f"a picture needs two rows or two columns, and up to {MOST_LINES} of the other: this is {shape}"
        )
    by_row = len(matrix.rows) == 2
    own, others = (matrix.rows, matrix.columns) if by_row else (matrix.columns, matrix.rows)
    ends = matrix.payoffs if by_row else tuple(zip(*matrix.payoffs, strict=True))
    lines = list(zip(others, ends[1], ends[0], strict=True))
    first, last = _optimal(solution, [(left, right) for _, left, right in lines], by_row)
    return Mixture(
        title=f"{matrix.title}: the value to the row player by the share of {own[0]}",
        left=own[1],
        right=own[0],
        answers=tuple(Answer(name, float(left), float(right)) for name, left, right in lines),
        floor=by_row,
        best=(float(first), float(last)),
        marks=(mark_text(first, NEAR), mark_text(last, NEAR)),
        value=float(solution.value),
        value_mark=mark_text(solution.value, float(solution.proof.tolerance)),
    )


def _optimal(solution: MatrixSolution, lines: list[tuple[Fraction, Fraction]], floor: bool) -> tuple[Number, Number]:
    """The first and the last share at which no line is below the value (or above it): an interval."""
    value, own = solution.value, (solution.row if floor else solution.column)[0]
    first: Number = 0 * own
    last: Number = 1 + 0 * own
    for left, right in lines:
        if left == right:
            continue
        crossing = (value - left) / (right - left)
        if (right > left) == floor:
            first = max(first, crossing)
        else:
            last = min(last, crossing)
    # Floats cross a little before or behind each other: a difference that is rounding is none.
    return (first, last) if last - first > (0 if solution.exact else 1e-7) else (own, own)
