"""What results of matches say, against closed forms and simulated matches whose truth is known."""

from __future__ import annotations

import random
from math import comb, inf, log, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.statistics import CONFIDENCE, SOME, Sprt, Standing, elo_of, interval, score_of, superiority

RESULTS = st.sampled_from((0.0, 0.5, 1.0))
PAIRS = st.lists(st.lists(RESULTS, min_size=1, max_size=2), min_size=1, max_size=40)


def simulated(luck: random.Random, pairs: int, win: float, draw: float, tilt: float) -> list[list[float]]:
    """Pairs of games of a player who wins and draws so often; the opening favours him in one game, the other in one."""

    def result(chance: float) -> float:
        number = luck.random()
        return 1.0 if number < chance else 0.5 if number < chance + draw else 0.0

    return [[result(win + tilt), result(win - tilt)] for _ in range(pairs)]


@given(st.floats(-1000, 1000))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of(elo) + score_of(-elo) == pytest.approx(1)


def test_elo_by_hand() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(190.848501887865)
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


def test_a_standing_counts_games() -> None:
    now = Standing.of([[1, 0.5], [0, 1], [0.5]])
    assert (now.wins, now.draws, now.losses, now.games) == (2, 2, 1, 5)
    assert now.score == pytest.approx(0.6)
    assert now.elo == pytest.approx(elo_of(0.6))
    assert now.elo_low < now.elo < now.elo_high
    nothing = Standing.of([])
    assert (nothing.games, nothing.score, nothing.score_low, nothing.score_high) == (0, 0.5, 0, 1)
    assert (nothing.superiority, nothing.elo_low, nothing.elo_high) == (0.5, -inf, inf)


@given(PAIRS)
def test_the_interval_holds_the_score_and_is_fair_to_both(pairs: list[list[float]]) -> None:
    games = [result for pair in pairs for result in pair]
    low, high = interval(pairs)
    assert 0 <= low <= sum(games) / len(games) <= high <= 1
    assert low < high
    turned = interval([[1 - result for result in pair] for pair in pairs])
    assert turned == pytest.approx((1 - high, 1 - low))
    assert superiority(pairs) == pytest.approx(1 - superiority([[1 - result for result in pair] for pair in pairs]))


def test_the_interval_nears_the_textbook_one_where_games_are_many_and_free() -> None:
    luck = random.Random(2)
    pairs = [[float(luck.random() < 0.6)] for _ in range(20_000)]
    share = sum(map(sum, pairs)) / len(pairs)
    half = CONFIDENCE * sqrt(share * (1 - share) / len(pairs))
    assert interval(pairs) == pytest.approx((share - half, share + half), abs=2e-4)


def test_pairs_of_one_win_each_leave_less_doubt_than_free_games() -> None:
    low, high = interval([[1, 0]] * 50)
    wide_low, wide_high = interval([[1], [0]] * 50)
    assert high - low < 0.5 * (wide_high - wide_low)


@pytest.mark.parametrize(
    ("pairs", "win", "draw", "tilt"),
    [
        (20, 0.5, 0, 0),
        (20, 0.3, 0.4, 0),
        (50, 0.1, 0.8, 0),
        (20, 0.85, 0.1, 0),
        (50, 0.3, 0.4, 0.25),
        (50, 0.5, 0, 0.4),
    ],
)
def test_the_interval_covers_the_truth_in_95_of_100_matches(pairs: int, win: float, draw: float, tilt: float) -> None:
    luck, truth, runs = random.Random(5), win + draw / 2, 600
    covered = 0
    for _ in range(runs):
        low, high = interval(simulated(luck, pairs, win, draw, tilt))
        covered += low <= truth <= high
    assert 0.92 <= covered / runs <= 0.985


def test_superiority_is_the_known_formula_where_games_are_free() -> None:
    wins, draws, losses = 30, 15, 20
    games = [[1.0]] * wins + [[0.5]] * draws + [[0.0]] * losses
    known = NormalDist().cdf((wins - losses) / sqrt(wins + losses))
    assert superiority(games) == pytest.approx(known)
    assert superiority([[0.5, 0.5]] * 9) == 0.5


def test_superiority_nears_the_binomial_tail() -> None:
    wins, losses = 60, 40
    better = sum(comb(101, above) for above in range(wins + 1)) / 2**101
    assert superiority([[1.0]] * wins + [[0.0]] * losses) == pytest.approx(better, abs=0.01)


# The sequential test.


def test_the_ratio_is_bernoulli_where_pairs_are_won_or_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.statistics.SOME", 1e-12)
    test, wins, losses = Sprt(0, 100), 13, 8
    low, high = score_of(0), score_of(100)
    known = wins * log(high / low) + losses * log((1 - high) / (1 - low))
    assert test.ratio([[1, 1]] * wins + [[0, 0]] * losses) == pytest.approx(known, abs=1e-6)


def test_the_ratio_nears_the_normal_one_where_pairs_are_many() -> None:
    luck, test = random.Random(3), Sprt(0, 10)
    pairs = simulated(luck, 4000, 0.31, 0.4, 0.1)
    scores = [sum(pair) / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    low, high = score_of(0), score_of(10)
    normal = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert test.ratio(pairs) == pytest.approx(normal, rel=0.02)


def test_the_ratio_counts_whole_pairs_alone_and_turns_with_the_players() -> None:
    pairs = [[1, 1], [1, 0.5], [0.5, 0.5], [0, 1], [1, 1]]
    assert Sprt(0, 50).ratio([*pairs, [1]]) == Sprt(0, 50).ratio(pairs)
    turned = [[1 - result for result in pair] for pair in pairs]
    assert Sprt(0, 50).ratio(pairs) == pytest.approx(-Sprt(-50, 0).ratio(turned), rel=1e-6)
    assert Sprt(0, 50).ratio([]) == 0
    assert 0 < SOME < 0.01


@pytest.mark.parametrize(("elo", "right"), [(0, "elo0"), (60, "elo1")])
def test_the_test_is_wrong_as_seldom_as_it_says(elo: float, right: str) -> None:
    luck, test, runs, wrong = random.Random(7), Sprt(0, 60), 60, 0
    for _ in range(runs):
        pairs: list[list[float]] = []
        while not (decision := test.decision(pairs)):
            pairs += simulated(luck, 4, score_of(elo) - 0.2, 0.4, 0.1)
        wrong += decision != right
    assert wrong / runs <= 0.1
