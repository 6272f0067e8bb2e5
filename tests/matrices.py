"""Random matrices, and a naive twin of their solution, for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from zermelo.matrix.payoffs import Matrix, Mix

F = Fraction
FEW = st.sampled_from([F(-2), F(-1), F(0), F(1), F(2), F(1, 2)])
"""Few different payoffs, so that most matrices are degenerate."""


def matrices(cells: st.SearchStrategy[Fraction] = FEW, most: int = 5) -> st.SearchStrategy[Matrix]:
    """Small matrices."""

    def grid(size: tuple[int, int]) -> st.SearchStrategy[list[list[Fraction]]]:
        row = st.lists(cells, min_size=size[1], max_size=size[1])
        return st.lists(row, min_size=size[0], max_size=size[0])

    return st.tuples(st.integers(1, most), st.integers(1, most)).flatmap(grid).map(Matrix.of)


def corner_mixes(matrix: Matrix, value: Fraction) -> Iterator[Mix]:
    """All corners of the row player's optimal mixes, by trying every set of conditions that may be met with equality.

    It shares nothing with the simplex algorithm: conditions are x_i ≥ 0 and x·A_j ≥ V.
    """
    height = len(matrix.rows)
    conditions = [([F(i == k) for i in range(height)], F(0)) for k in range(height)]
    conditions += [(list(column), value) for column in zip(*matrix.payoffs, strict=True)]
    for chosen in combinations(conditions, height - 1):
        mix = solve_equations([[F(1)] * height, *(left for left, _ in chosen)], [F(1), *(right for _, right in chosen)])
        if mix and min(mix) >= 0 and min(matrix.against_row(tuple(mix))) >= value:
            yield tuple(mix)


def solve_equations(left: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The only solution of as many equations as unknowns, by elimination; None where there is none or more."""
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    for place in range(len(rows)):
        index = next((index for index in range(place, len(rows)) if rows[index][place]), None)
        if index is None:
            return None
        rows[place], rows[index] = rows[index], rows[place]
        rows[place] = [entry / rows[place][place] for entry in rows[place]]
        for other in range(len(rows)):
            if other != place:
                factor = rows[other][place]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[place], strict=True)]
    return [row[-1] for row in rows]
