"""Dominated strategies against brute force, and elimination that keeps the value."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matrices import matrices
from trees import examples
from zermelo.matrix import Dominated, Matrix, blotto, dominated, eliminate, payoffs, rock_paper_scissors
from zermelo.matrix import dominance as module
from zermelo.matrix.simplex import Simplex

F = Fraction
WHOLE = st.integers(-2, 2).map(Fraction)


def gains(matrix: Matrix, found: Dominated) -> list[Fraction]:
    """What the dominating mix gets more than the dominated choice, against each choice of the other player."""
    game = matrix if found.player == "row" else matrix.turned
    mix = tuple(found.by.get(choice, F(0)) for choice in range(len(game.rows)))
    assert (sum(mix), min(mix) >= 0, mix[found.choice]) == (1, True, 0)
    return [F(more) - less for more, less in zip(game.against_row(mix), game.payoffs[found.choice], strict=True)]


def by_pure(matrix: Matrix, row: int) -> str:
    """How other rows dominate a row, by trying all of them."""
    pairs = [list(zip(other, matrix.payoffs[row], strict=True)) for other in matrix.payoffs]
    if any(all(a > b for a, b in pair) for pair in pairs):
        return "strict"
    return "weak" if any(all(a >= b for a, b in pair) and any(a > b for a, b in pair) for pair in pairs) else ""


def by_grid(matrix: Matrix, row: int, parts: int = 6) -> str:
    """How mixes in steps of 1/`parts` dominate a row, by trying all of them."""
    others = [payoffs for place, payoffs in enumerate(matrix.payoffs) if place != row]
    found = ""
    for shares in product(range(parts + 1), repeat=len(others)):
        if sum(shares) != parts:
            continue
        means = [
            sum(F(share, parts) * p for share, p in zip(shares, column, strict=True))
            for column in zip(*others, strict=True)
        ]
        more = [mean - own for mean, own in zip(means, matrix.payoffs[row], strict=True)]
        if min(more) > 0:
            return "strict"
        if min(more) == 0 and max(more) > 0:
            found = "weak"
    return found


@examples(80)
@given(matrices(WHOLE))
def test_what_is_said_to_be_dominated_is(matrix: Matrix) -> None:
    for found in dominated(matrix):
        more = gains(matrix, found)
        assert min(more) > 0 if found.strict else min(more) == 0 < max(more)


@examples(60)
@given(matrices(WHOLE, most=4))
def test_nothing_dominated_is_missed(matrix: Matrix) -> None:
    said = {(each.player, each.choice): each for each in dominated(matrix)}
    for player, game in (("row", matrix), ("column", matrix.turned)):
        for choice in range(len(game.rows)):
            each = said.get((player, choice))
            kind = "" if each is None else "strict" if each.strict else "weak"
            by_mix = by_grid(game, choice)
            assert kind in (
                {"strict"} if by_mix == "strict" else {"strict", "weak"} if by_mix == "weak" else {"", "strict", "weak"}
            )
            pure = by_pure(game, choice)
            if pure == "strict" or (pure == "weak" and kind == "weak"):
                assert each is not None
                assert each.by_pure


def test_a_mix_dominates_where_no_row_does() -> None:
    matrix = Matrix.of([[4, 0], [0, 4], [1, 1]])
    assert dominated(matrix) == [Dominated("row", 2, {0: F(1, 2), 1: F(1, 2)}, True)]
    assert by_pure(matrix, 2) == ""
    weak = Matrix.of([[4, 0, 1], [0, 4, 1], [2, 2, 0]])
    assert dominated(weak)[0] == Dominated("row", 2, {0: F(1, 2), 1: F(1, 2)}, False)
    assert dominated(rock_paper_scissors()) == []
    assert dominated(Matrix.of([[1, 2], [1, 2]])) == [Dominated("column", 1, {0: F(1)}, True)]


@examples(60)
@given(matrices(WHOLE))
def test_elimination_keeps_the_value_and_ends_where_nothing_is_dominated(matrix: Matrix) -> None:
    found = eliminate(matrix)
    assert list(found.dominated) == dominated(matrix)
    rest = matrix.part(found.rows, found.columns)
    assert Simplex(rest.payoffs).value == Simplex(matrix.payoffs).value
    assert dominated(rest) == []
    gone = [(each.player, each.choice) for taken in found.rounds for each in taken]
    left = [("row", row) for row in found.rows] + [("column", column) for column in found.columns]
    assert sorted(gone + left) == sorted(
        [("row", i) for i in range(len(matrix.rows))] + [("column", j) for j in range(len(matrix.columns))]
    )


@examples(60)
@given(matrices(WHOLE))
def test_each_round_takes_what_is_dominated_then(matrix: Matrix) -> None:
    rows, columns = list(range(len(matrix.rows))), list(range(len(matrix.columns)))
    for taken in eliminate(matrix).rounds:
        player = taken[0].player
        own = rows if player == "row" else columns
        for each in taken:
            part = matrix.part(rows, columns)
            here = Dominated(player, own.index(each.choice), {own.index(c): p for c, p in each.by.items()}, each.strict)
            assert min(gains(part, here)) >= 0
        own[:] = [choice for choice in own if choice not in {each.choice for each in taken}]


def test_rounds_are_in_order() -> None:
    found = eliminate(Matrix.of([[3, 1, 4], [1, 0, 5], [0, 0, 0]]))
    assert [[(each.player, each.choice) for each in taken] for taken in found.rounds] == [
        [("row", 2)],
        [("column", 0), ("column", 2)],
        [("row", 1)],
    ]
    assert (found.rows, found.columns) == ((0,), (1,))


def test_large_matrices_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = Matrix.of([[4, 0], [0, 4], [1, 1], [0, 0]])
    assert [each.choice for each in dominated(matrix)] == [2, 3]
    monkeypatch.setattr(payoffs, "MOST_SMALL", 7)
    matrix = replace(matrix)
    assert [each.choice for each in dominated(matrix)] == [3]
    monkeypatch.setattr(module, "MOST_COMPARED", 7)
    assert eliminate(matrix).rows == (0, 1, 2, 3)


def test_all_soldiers_in_one_field_is_bad() -> None:
    game = blotto(4, 3)
    assert {game.rows[each.choice] for each in dominated(game) if each.player == "row"} == {"4-0-0", "0-4-0", "0-0-4"}
