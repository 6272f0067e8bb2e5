"""Fitting weights: known ones are found again, the gradient is the loss's, and errors are as large as they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from trees import examples
from zermelo.errors import BadInput
from zermelo.learn.fit import Problem, Settings, chance, differences, fit, fit_scale, held_out, standard_errors
from zermelo.learn.recipe import neighbours
from zermelo.learn.rows import Rows

TRUE = np.array([1.5, -0.8, 0.3, 0.0])
PLAIN = Settings(pull=0.0)


def made(seed: int, games: int = 3000, each: int = 2, true: np.ndarray = TRUE) -> Rows:
    """Games of so many positions, all the same and with one result, whose chance is as the true weights have it."""
    dice = np.random.default_rng(seed)
    last = dice.integers(-2, 3, (games, len(true))).astype(float)
    results = (dice.random(games) < chance(last @ true)).astype(float)
    features = np.repeat(last, each, axis=0)
    numbers = np.repeat(np.arange(games), each)
    return Rows(csr_array(features), numbers, np.repeat(results, each), features @ true)


def test_the_true_weights_are_found_again() -> None:
    found = fit(made(1), (1.0, 1.0, 1.0, 1.0), PLAIN)
    weights, errors = np.array(found.weights) * found.scale, np.array(found.errors) * found.scale
    assert (np.abs(weights - TRUE) < 4 * errors).all(), (weights, errors)
    assert (errors < 0.12).all()
    assert found.loss_after.fitted < found.loss_before.fitted
    assert found.loss_after.held is not None
    assert found.loss_before.held is not None
    assert found.loss_after.held < found.loss_before.held
    assert (found.games, found.positions) == (3000, 6000)


def test_a_unit_keeps_its_worth_and_nothing_else_changes() -> None:
    free, tied = (fit(made(1), (1.0, 1.0, 1.0, 1.0), replace(PLAIN, unit=unit)) for unit in (None, (1, -2.0)))
    assert tied.weights[1] == -2.0
    assert tied.loss_after.fitted == pytest.approx(free.loss_after.fitted, abs=1e-6)
    assert np.array(tied.weights) * tied.scale == pytest.approx(np.array(free.weights) * free.scale, abs=2e-3)
    with pytest.raises(BadInput, match="came out at"):
        fit(made(1), (1.0, 1.0, 1.0, 1.0), replace(PLAIN, unit=(1, 2.0)))


def test_the_same_games_and_seed_give_the_same_weights() -> None:
    assert fit(made(2, 300), (1.0,) * 4, PLAIN) == fit(made(2, 300), (1.0,) * 4, PLAIN)


def test_a_strong_pull_leaves_weights_where_they_were_and_so_does_no_evidence() -> None:
    rows = made(3, 400)
    before = (2.0, -1.0, 0.5, 0.25)
    assert fit(rows, before, Settings(pull=1e9)).weights == pytest.approx(before, rel=1e-3)
    blind = rows._replace(features=csr_array((len(rows.games), 4)))
    assert fit(blind, before, Settings()).weights == before


def test_neighbours_are_held_together_where_nothing_tells_them_apart() -> None:
    rows, names = made(3, 400), ("pawn on row 2", "pawn on row 3", "pawn on row 4", "king")
    assert neighbours(names) == ((0, 1), (1, 2))
    settings = Settings(pull=0.0, smooth=1e6, neighbours=neighbours(names), held=0.0)
    found = fit(rows, (2.0, -1.0, 0.5, 0.25), settings).weights
    assert found[:3] == pytest.approx((found[0],) * 3, rel=1e-2)
    assert found[3] != pytest.approx(found[0], rel=0.1)
    unseen = rows.features.toarray()
    unseen[:, 1] = 0
    little = fit(
        rows._replace(features=csr_array(unseen)), (2.0, 9.0, 0.5, 0.25), replace(settings, smooth=1.0)
    ).weights
    assert little[1] == pytest.approx((little[0] + little[2]) / 2, rel=1e-2), (
        "what was never seen is as what is beside it"
    )


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (("one", "two"), ()),
        (("b2 or g2", "b3 or g3", "b3 or g4", "c3 or g3"), ((0, 1),)),
        (("9 left", "10 left", "8 left"), ((0, 1), (2, 0))),
    ],
)
def test_features_whose_numbers_are_one_more_are_neighbours(
    names: tuple[str, ...], pairs: tuple[tuple[int, int], ...]
) -> None:
    assert neighbours(names) == pairs


def test_values_of_the_search_can_stand_for_results() -> None:
    rows = made(4, 200)
    mixed = fit(rows, (1.0,) * 4, Settings(mix=0.9, pull=0.0, held=0.0))
    plain = fit(rows, (1.0,) * 4, Settings(pull=0.0, held=0.0))
    apart = [np.abs(np.array(each.weights) * each.scale - TRUE).max() for each in (mixed, plain)]
    assert apart[0] < apart[1], "the values are those of the true weights, the results are few"


@examples(30)
@given(seed=st.integers(0, 10**6), scale=st.floats(0.1, 3), pull=st.floats(0, 1))
def test_the_gradient_is_that_of_the_loss(seed: int, scale: float, pull: float) -> None:
    dice = np.random.default_rng(seed)
    features = random_array((30, 5), density=0.4, rng=dice)
    shares = np.where(dice.random(30) < 0.3, 0.0, 1 / 30)
    start, weights = dice.normal(size=5), dice.normal(size=5)
    apart = differences([(0, 1), (3, 1)], 5) * 0.3
    problem = Problem(csr_array(features), dice.random(30), shares, scale, start, pull, apart)
    _, gradient = problem.loss(weights)
    small = 1e-6
    for place in range(5):
        step = small * np.eye(5)[place]
        slope = (problem.loss(weights + step)[0] - problem.loss(weights - step)[0]) / (2 * small)
        bend = (problem.loss(weights + step)[1] - problem.loss(weights - step)[1])[place] / (2 * small)
        assert gradient[place] == pytest.approx(slope, abs=1e-6)
        assert problem.curvature(weights)[place] == pytest.approx(bend, abs=1e-6)


def test_errors_count_games_and_not_positions() -> None:
    few, many = (fit(made(5, 500, each), (1.0,) * 4, replace(PLAIN, held=0.0)) for each in (1, 10))
    assert many.errors == pytest.approx(few.errors, rel=1e-3), "ten copies of a position tell no more than one"


def test_errors_are_as_large_as_weights_vary() -> None:
    found = [fit(made(seed, 300, 1), (1.0,) * 4, replace(PLAIN, held=0.0)) for seed in range(16)]
    spread = np.std([np.array(each.weights) * each.scale for each in found], axis=0)
    told = np.mean([np.array(each.errors) * each.scale for each in found], axis=0)
    assert told == pytest.approx(spread, rel=0.5)


def test_a_column_that_is_always_0_has_no_error_and_no_pull_can_be_0() -> None:
    rows = made(6, 50)
    blind = rows.features.toarray()
    blind[:, 2] = 0
    problem = Problem(csr_array(blind), rows.points, np.full(100, 0.01), 1.0, np.ones(4), 0.0, differences([], 4))
    assert standard_errors(problem, np.ones(4), rows.games)[2] == 0
    assert fit(rows._replace(features=problem.features), (1.0, 1.0, 7.0, 1.0), PLAIN).weights[2] == 7


@examples(30)
@given(seed=st.integers(0, 10**6))
def test_the_scale_is_the_best_one(seed: int) -> None:
    dice = np.random.default_rng(seed)
    scores = dice.normal(size=200) * 10.0 ** dice.integers(-3, 4)
    results = (dice.random(200) < chance(scores / np.abs(scores).mean())).astype(float)
    best = fit_scale(scores, results)

    def cost(scale: float) -> float:
        return float(np.mean(np.logaddexp(0, scale * scores) - results * scale * scores))

    assert all(cost(best) <= cost(best * factor) for factor in (0.99, 1.01))


def test_a_scale_is_there_whatever_the_scores_say() -> None:
    results = np.array([1.0, 0.0, 1.0, 0.0])
    assert fit_scale(np.zeros(4), results) == 1
    assert fit_scale(np.array([-2.0, 2.0, -2.0, 2.0]), results) == 0.5, "they say the opposite"
    assert fit_scale(np.array([2.0, -2.0, 2.0, -2.0]), results) == 0.5, "they say it all: no scale is large enough"


def test_games_are_kept_out_whole() -> None:
    games = np.repeat(np.arange(50), 7)
    kept = held_out(games, Settings(held=0.2))
    assert kept.sum() == 70
    assert all(len(set(kept[games == game])) == 1 for game in range(50))
    assert (kept != held_out(games, Settings(held=0.2, seed=1))).any()
    assert not held_out(games, Settings(held=0.0)).any()
    with pytest.raises(BadInput, match="2 games with quiet positions are too few"):
        held_out(np.array([3, 3, 4]), Settings(held=0.1))


def test_it_stops_at_the_weights_that_serve_other_games_best() -> None:
    noise = np.random.default_rng(0)
    rows = made(7, 60)
    wide = csr_array(np.hstack([rows.features.toarray(), noise.normal(size=(120, 60))]))
    stopped = fit(rows._replace(features=wide), (0.1,) * 64, PLAIN)
    ran = fit(rows._replace(features=wide), (0.1,) * 64, replace(PLAIN, patience=10_000, held=0.0))
    assert stopped.loss_after.held is not None
    assert stopped.loss_after.held <= stopped.loss_before.held  # type: ignore[operator]
    assert ran.loss_after.fitted < stopped.loss_after.fitted, "more could be had by learning by heart"


def test_chances_are_right_at_the_extremes() -> None:
    odds = np.array([-1e4, -log(3), 0.0, log(3), 1e4])
    found = chance(odds)
    assert found == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    assert all(low <= high for low, high in pairwise(found))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"held": 1.0}, "held is a share from 0 up, below 1, not 1"),
        ({"mix": -0.1}, "mix is a share"),
        ({"pull": -1.0}, "pull must be 0 or more, not -1"),
        ({"pull": float("nan")}, "pull must be 0 or more, not nan"),
        ({"smooth": -1.0}, "smooth must be 0 or more, not -1"),
        ({"steps": 0}, "a fit takes 1 step or more"),
        ({"unit": (0, 0.0)}, "the unit must be worth something, not 0"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        Settings(**settings)  # type: ignore[arg-type]
