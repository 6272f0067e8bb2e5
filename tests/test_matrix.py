"""Matrix games: values and mixes against other solvers, proofs that can fail, invariances, saddle points, answers."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matrices import corner_mixes, matrices
from trees import examples
from zermelo.errors import BadInput, Unsuitable
from zermelo.matrix import (
    Matrix,
    MatrixSolution,
    blotto,
    matching_pennies,
    morra,
    prove,
    rock_paper_scissors,
    solution,
    solve_matrix,
)
from zermelo.matrix import payoffs as limits
from zermelo.matrix.growth import MOST_PAIRS
from zermelo.matrix.payoffs import LARGEST, MOST_BITS, MOST_ENTRIES, MOST_SMALL
from zermelo.matrix.simplex import Simplex
from zermelo.matrix.solution import MOST_EXACT, tolerance

F = Fraction
WILD = st.sampled_from([F(0), F(1), F(2), F(3), F(1, 1000), F(1000), F(10**6), F(10**7)])
"""Payoffs of very different sizes."""


def by_linear_programming(matrix: Matrix) -> MatrixSolution:
    """The solution as it is found of large matrices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_SMALL", 0)
        found = solve_matrix(replace(matrix))
        assert not found.decided
        return found


# Values.


def test_the_shipped_games_have_their_known_values() -> None:
    for game in (rock_paper_scissors(), matching_pennies(), morra(), morra(3), blotto(3, 2)):
        found = solve_matrix(game, exact=True)
        assert (found.value, found.proof.holds) == (0, True), game.title
        assert abs(solve_matrix(game).value) < 1e-9
    third = (F(1, 3),) * 3
    found = solve_matrix(rock_paper_scissors(), exact=True)
    assert (found.row, found.column, found.other_row, found.other_column) == (third, third, None, None)
    assert solve_matrix(matching_pennies(), exact=True).row == (F(1, 2), F(1, 2))


def test_the_ends_of_what_is_optimal_in_morra() -> None:
    found = solve_matrix(morra(), exact=True)
    assert found.other_row is not None
    assert {found.row[1], found.other_row[1]} == {F(4, 7), F(3, 5)}
    assert set(corner_mixes(morra(), F(0))) == {(0, F(4, 7), F(3, 7), 0), (0, F(3, 5), F(2, 5), 0)}


@examples(40)
@given(matrices(most=4))
def test_exact_answers_are_corners_and_the_only_ones_where_they_say_so(matrix: Matrix) -> None:
    found = solve_matrix(matrix, exact=True)
    assert min(matrix.against_row(found.row)) == found.value == max(matrix.against_column(found.column))
    for game, mix, other in ((matrix, found.row, found.other_row), (matrix.turned, found.column, found.other_column)):
        corners = set(corner_mixes(game, F(found.value) if game is matrix else -F(found.value)))
        assert mix in corners
        assert (other is None) == (len(corners) == 1)
        assert other is None or (other in corners and other != mix)


@examples(40)
@given(matrices())
def test_linear_programming_and_fractions_agree(matrix: Matrix) -> None:
    exact, found = solve_matrix(matrix, exact=True), by_linear_programming(matrix)
    assert found.value == pytest.approx(float(exact.value), abs=1e-9)
    assert (found.other_row is None, found.other_column is None) == (
        exact.other_row is None,
        exact.other_column is None,
    )
    others = (found.other_row or found.row, found.other_column or found.column)
    assert prove(matrix, found.value, *others).holds
    assert found.other_row is None or max(abs(a - b) for a, b in zip(found.other_row, found.row, strict=True)) > 1e-7


@examples(60)
@given(matrices(WILD, most=4))
def test_floats_of_small_matrices_are_rounded_fractions(matrix: Matrix) -> None:
    exact, found = solve_matrix(matrix, exact=True), solve_matrix(matrix)
    assert (found.value, found.decided, found.exact) == (float(exact.value), True, False)
    pairs = [(exact.row, found.row), (exact.column, found.column)]
    pairs += [(exact.other_row or (), found.other_row or ()), (exact.other_column or (), found.other_column or ())]
    assert all(tuple(map(float, one)) == other for one, other in pairs)


@examples(60)
@given(matrices(WILD, most=4))
def test_another_mix_by_linear_programming_does_as_well(matrix: Matrix) -> None:
    try:
        found = by_linear_programming(matrix)
    except Unsuitable:
        return
    for game, value, mix, other in (
        (matrix, found.value, found.row, found.other_row),
        (matrix.turned, -found.value, found.column, found.other_column),
    ):
        if other is not None:
            assert min(game.against_row(other)) >= value - tolerance(matrix)
            assert max(abs(a - b) for a, b in zip(mix, other, strict=True)) > 1e-7


def test_payoffs_of_very_different_sizes() -> None:
    tall = Matrix.of([[0, 3, 0], [10**7, 1, 3]])
    for found in (solve_matrix(tall), by_linear_programming(tall)):
        assert found.value == pytest.approx(1.8)
        assert (found.other_row, found.other_column) == (None, None)
    wide = Matrix.of([[1, 0, 10**6], [0, 2, 10**6]])
    for found in (solve_matrix(wide), by_linear_programming(wide)):
        assert found.value == pytest.approx(2 / 3)
        assert found.other_row is None


def test_long_payoffs_make_a_matrix_large() -> None:
    assert Matrix.of([[0] * 20] * 50).is_small
    assert not Matrix.of([[0] * 21] * 50).is_small
    assert Matrix.of([["1e-99", 1], [1, 0]]).is_small
    assert not Matrix.of([[f"{i}e-300" for i in range(20)] for _ in range(20)] + [[1] * 20]).is_small


def test_nashpy_finds_the_same() -> None:
    nashpy = pytest.importorskip("nashpy")
    dice = random.Random(4)
    for _ in range(15):
        height, width = dice.randint(2, 5), dice.randint(2, 5)
        payoffs = [[dice.randint(-9, 9) for _ in range(width)] for _ in range(height)]
        matrix, game = Matrix.of(payoffs), nashpy.Game(np.array(payoffs))
        found = solve_matrix(matrix, exact=True)
        row, column = game.linear_program()
        assert row @ np.array(payoffs) @ column == pytest.approx(float(found.value), abs=1e-7)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pairs = [*game.support_enumeration(), *game.vertex_enumeration()]
        assert pairs
        assert all(row @ np.array(payoffs) @ column == pytest.approx(float(found.value)) for row, column in pairs)
        if found.other_row is None and found.other_column is None:
            for row, column in pairs:
                assert row == pytest.approx([float(share) for share in found.row])
                assert column == pytest.approx([float(share) for share in found.column])


def test_very_degenerate_matrices_end() -> None:
    for payoffs in (
        [[0]],
        [[5, 5], [5, 5]],
        [[0] * 7 for _ in range(6)],
        [[int(i == j) for j in range(9)] for i in range(9)],
    ):
        found = solve_matrix(Matrix.of(payoffs), exact=True)
        assert found.proof.holds
    beale = [["1/4", -8, -1, 9], ["1/2", -12, "-1/2", 3], [0, 0, 1, 0], ["3/4", -20, "1/2", -6]]
    assert (
        solve_matrix(Matrix.of(beale), exact=True).value == solve_matrix(Matrix.of(beale).turned, exact=True).value * -1
    )


def test_pivots_that_gain_nothing_do_not_go_round_in_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chvátal's linear program, whose pivots of greatest gain come back to the first basis after six of them."""
    tableau = Simplex([[F(0)]])
    tableau.rows = [[1, -11, -5, 18, 0], [1, -3, -1, 2, 0], [2, 0, 0, 0, 2], [20, -114, -18, -48, 0]]
    tableau.height, tableau.width, tableau.denominator = 3, 4, 2
    tableau.free, tableau.basis = [0, 1, 2, 3], [4, 5, 6]
    pivot, bases = Simplex._pivot, [(4, 5, 6)]

    def watched(self: Simplex, place: int, column: int) -> None:
        pivot(self, place, column)
        basis = tuple(sorted(self.basis))
        assert basis not in bases, "a basis comes twice"
        bases.append(basis)

    monkeypatch.setattr(Simplex, "_pivot", watched)
    tableau._climb()
    assert F(-tableau.rows[-1][-1], tableau.denominator) == 1


def test_payoffs_of_any_size_are_solved() -> None:
    for scale, shift in ((F(1, 10**9), F(0)), (F(10**14), F(0)), (F(1), F(10**12)), (F(1, 3), F(1, 7))):
        matrix = Matrix.of([[payoff * scale + shift for payoff in row] for row in rock_paper_scissors().payoffs])
        assert solve_matrix(matrix, exact=True).value == shift
        assert by_linear_programming(matrix).row == pytest.approx([1 / 3] * 3, abs=1e-4)
    for size in (1e-10, 1e-100, 1e-300, 1e-320):
        small = solve_matrix(Matrix.of([[3 * size, size], [size, 2 * size]]))
        assert small.row == pytest.approx([1 / 3, 2 / 3], abs=1e-3)
        assert small.value == pytest.approx(5 / 3 * size, rel=1e-3)


# Invariances.


@examples(40)
@given(
    matrices(),
    st.fractions(-3, 3, max_denominator=4),
    st.sampled_from([F(1, 3), F(2)]),
    st.randoms(use_true_random=False),
)
def test_the_value_moves_with_the_matrix(matrix: Matrix, shift: Fraction, scale: Fraction, dice: random.Random) -> None:
    value = Simplex(matrix.payoffs).value
    assert Simplex(matrix.turned.payoffs).value == -value
    moved = [[payoff * scale + shift for payoff in row] for row in matrix.payoffs]
    assert Simplex(moved).value == value * scale + shift
    rows, columns = list(range(len(matrix.rows))), list(range(len(matrix.columns)))
    dice.shuffle(rows)
    dice.shuffle(columns)
    assert Simplex(matrix.part(rows, columns).payoffs).value == value


@examples(80)
@given(matrices())
def test_saddle_points_are_the_pure_optima(matrix: Matrix) -> None:
    value = Simplex(matrix.payoffs).value
    naive = [
        (i, j)
        for i, row in enumerate(matrix.payoffs)
        for j, payoff in enumerate(row)
        if payoff == min(row) == max(other[j] for other in matrix.payoffs)
    ]
    assert matrix.saddle_points == naive
    assert all(matrix.payoffs[i][j] == value for i, j in naive)
    found = solve_matrix(matrix, exact=True)
    assert bool(naive) == (max(found.row) == 1 == max(found.column))


# Proofs.


def test_a_proof_fails_for_what_is_wrong() -> None:
    matrix, third = rock_paper_scissors(), (F(1, 3),) * 3
    good = prove(matrix, F(0), third, third)
    assert good.holds
    assert good.tolerance == 0
    assert not prove(matrix, F(1, 10**30), third, third).row_is_sure
    assert not prove(matrix, F(-1, 10**30), third, third).column_is_sure
    tilted = (F(1, 3) + F(1, 10**20), F(1, 3), F(1, 3) - F(1, 10**20))
    assert not prove(matrix, F(0), tilted, third).holds
    assert not prove(matrix, F(0), third, tilted).holds
    assert not prove(matrix, F(0), (F(0), F(0), F(0)), third).are_mixes
    assert not prove(Matrix.of([[1], [0]]), F(2), (F(2), F(-1)), (F(1),)).are_mixes


@examples(40)
@given(matrices(), st.integers(0, 9), st.integers(0, 9))
def test_a_mix_that_is_altered_is_proved_only_if_it_is_optimal(matrix: Matrix, give: int, take: int) -> None:
    found = solve_matrix(matrix)
    give, take = give % len(matrix.rows), take % len(matrix.rows)
    moved = [float(share) for share in found.row]
    moved[give] += moved[take] / 2
    moved[take] -= moved[take] / 2 + (moved[take] / 2 if give == take else 0)
    floor = min(matrix.against_row(tuple(moved)))
    proof = prove(matrix, found.value, tuple(moved), found.column)
    assert proof.holds == (floor >= found.value - tolerance(matrix) and abs(sum(moved) - 1) < 1e-9)


def test_an_answer_that_fails_its_proof_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = solution.solve_linear(matching_pennies())._replace(value=0.25)
    monkeypatch.setattr(solution, "solve_linear", lambda _: wrong)
    monkeypatch.setattr(limits, "MOST_SMALL", 0)
    with pytest.raises(Unsuitable, match="fails its proof, by rounding: solve it exactly"):
        solve_matrix(matching_pennies())


# Answers.


def test_best_answers_to_a_mix() -> None:
    game = rock_paper_scissors()
    assert game.answers_to_row((F(1), F(0), F(0))) == (-1, (1,))
    assert game.answers_to_column((F(1, 2), F(1, 2), F(0))) == (F(1, 2), (1,))
    assert game.answers_to_column((F(1, 3),) * 3) == (0, (0, 1, 2))
    assert game.answers_to_column((0.5, 0.5, 0.0)).payoff == 0.5


# What is no matrix.


def test_the_limits_are_those_of_the_page() -> None:
    assert (MOST_ENTRIES, MOST_EXACT, MOST_SMALL, MOST_PAIRS) == (100_000, 10_000, 1_000, 100_000)
    assert MOST_BITS == 100_000


def test_what_is_no_matrix_is_refused() -> None:
    for payoffs, words in (
        ([], "is empty"),
        ([[]], "is empty"),
        ([[1, 2], [3]], "row 2 has 1 payoffs where row 1 has 2"),
        ([[float("nan")]], "'nan' is not finite"),
        ([[float("inf")]], "'inf' is not finite"),
        ([["x"]], "'x' is no number"),
        ([["1/0"]], "divides by zero"),
        ([["1e16"]], "'1e16' is too large"),
        ([[10**5000]], "too large"),
        ([["9" * 2001]], "is no number"),
        ([["1e999999999"]], "is no number"),
    ):
        with pytest.raises(BadInput, match=words):
            Matrix.of(payoffs)
    for names, words in (
        (["a"], "1 row names for 2 rows"),
        (["a", "a"], "two rows called 'a'"),
        (["a", ""], "row 2 has ''"),
    ):
        with pytest.raises(BadInput, match=words):
            Matrix.of([[1], [2]], names)
    assert Matrix.of([[0.1, "1/3", "-.5", "1e-3", 2]]).payoffs == ((F(1, 10), F(1, 3), F(-1, 2), F(1, 1000), F(2)),)


@examples(80)
@given(st.floats(-LARGEST, LARGEST, allow_nan=False))
def test_every_float_is_a_payoff(payoff: float) -> None:
    assert float(Matrix.of([[payoff]]).payoffs[0][0]) == payoff


def test_titles_and_names_do_no_harm() -> None:
    matrix = Matrix.of([[1]], [" a "], title="x\x1b[31m\ny ")
    assert (matrix.title, matrix.rows) == ("x [31m y", ("a",))
    assert Matrix.of([[1]], title="\0").title == "matrix"
    with pytest.raises(BadInput, match="row 1 has 'a\\\\x1b' for a name"):
        Matrix.of([[1]], ["a\x1b"])


def test_large_matrices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "MOST_EXACT", 3)
    with pytest.raises(Unsuitable, match="has 2 × 2 payoffs, too many for fractions: solve it in floats"):
        solve_matrix(matching_pennies(), exact=True)
    monkeypatch.setattr(limits, "MOST_ENTRIES", 3)
    with pytest.raises(BadInput, match="too large: 2 × 2 payoffs, more than 3"):
        Matrix.of([[0, 1], [1, 0]])
