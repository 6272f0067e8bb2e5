"""Fitting weights to results: logistic regression of who won on the features.

The chance that player 0 makes the point is taken for `1 / (1 + exp(-scale × features × weights))`. The loss is the mean
over positions of what the results cost in nats by that, plus a pull towards the weights there were before, and one of
neighbours towards each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.learn.rows import Array, Rows

SAME = 1e-9
"""How little the loss must change, relatively, for the fit to be over."""
MOST_SCALE = 50.0
"""The scale, times the spread of the evaluation, beyond which results are certain, and all scales alike."""
SMALL = 200
"""Up to how many features standard errors are worked out: they take the square of that for every position."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to fit. `held` is the share of games that is kept out, to see what the weights are worth on others.

    `pull` is how strongly weights are held where they were, as if each had been seen to be right in about four times as
    many positions. `smooth` is as much how strongly the weights of `neighbours`, pairs of features, are held together.
    `mix` is the share of the search's values in the targets, beside the results. `unit` names a feature and what it
    shall be worth. The fit ends when `patience` steps have not made the games kept out any cheaper.
    """

    held: float = 0.2
    pull: float = 10.0
    smooth: float = 0.0
    neighbours: tuple[tuple[int, int], ...] = ()
    mix: float = 0.0
    unit: tuple[int, float] | None = None
    steps: int = 500
    patience: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("held", self.held), ("mix", self.mix)):
            if not 0 <= value < 1:
                raise BadInput(f"{name} is a share from 0 up, below 1, not {value:g}")
        for name, value in (("pull", self.pull), ("smooth", self.smooth)):
            if not (value >= 0 and isfinite(value)):
                raise BadInput(f"{name} must be 0 or more, not {value:g}")
        if self.steps < 1 or self.patience < 1:
            raise BadInput("a fit takes 1 step or more, and has patience for 1 or more")
        if self.unit is not None and (self.unit[1] == 0 or not isfinite(self.unit[1])):
            raise BadInput(f"the unit must be worth something, not {self.unit[1]:g}")


class Loss(NamedTuple):
    """The mean cost of a result in nats: in the games that were fitted to, and in those kept out (None without any)."""

    fitted: float
    held: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found. `errors` are standard errors, where games are independent of each other and positions of one game
    are not; empty if there are too many features. `scale` times the evaluation is the logarithm of the odds."""

    before: tuple[float, ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]
    scale: float
    loss_before: Loss
    loss_after: Loss
    positions: int
    games: int
    steps: int

    @property
    def is_new(self) -> bool:
        """Whether any weight is another one than before."""
        return self.weights != self.before


def fit(rows: Rows, before: tuple[float, ...], settings: Settings) -> Fit:
    """Weights that make the results of the games likelier than those before do."""
    start = np.array(before)
    kept_out = held_out(rows.games, settings)
    problem = _problem(rows, start, kept_out, settings)
    found, steps = _descend(problem, kept_out, settings)
    factor = _factor(found, settings)
    weights = np.array([float(f"{weight:.4g}") for weight in found * factor])
    errors = standard_errors(problem, found, rows.games) * abs(factor) if len(start) <= SMALL else ()
    return Fit(
        before,
        tuple(float(weight) for weight in weights),
        tuple(float(error) for error in errors),
        problem.scale / factor,
        problem.losses(start, kept_out),
        problem.losses(weights / factor, kept_out),
        len(rows.games),
        len(np.unique(rows.games)),
        steps,
    )


def held_out(games: Array, settings: Settings) -> Array:
    """Which rows are of games that are kept out: a share of the games, chosen by the seed."""
    numbers, places = np.unique(games, return_inverse=True)
    chosen = np.random.default_rng(settings.seed).permutation(len(numbers)) < round(settings.held * len(numbers))
    if settings.held and (chosen.all() or not chosen.any()):
        raise BadInput(
            f"{len(numbers)} games with quiet positions are too few to keep some out: play more, or keep none"
        )
    return np.asarray(chosen[places])


def _problem(rows: Rows, start: Array, kept_out: Array, settings: Settings) -> Problem:
    """The loss with its scale, which fits the evaluation that there was; where it says nothing, 1."""
    used = ~kept_out
    scores = rows.features @ start
    scale = fit_scale(scores[used], rows.points[used])
    targets = rows.points
    if settings.mix:
        certain = fit_scale(rows.values[used], rows.points[used])
        targets = (1 - settings.mix) * targets + settings.mix * chance(certain * rows.values)
    apart = differences(settings.neighbours, len(start)) * np.sqrt(settings.smooth / used.sum())
    return Problem(rows.features, targets, used / used.sum(), scale, start, settings.pull / used.sum(), apart)


def differences(neighbours: Sequence[tuple[int, int]], width: int) -> Any:
    """The matrix that makes weights into the differences of neighbours."""
    from scipy.sparse import csr_array

    rows = np.repeat(np.arange(len(neighbours)), 2)
    places = np.array(neighbours, np.int64).reshape(-1)
    return csr_array((np.tile([-1.0, 1.0], len(neighbours)), (rows, places)), shape=(len(neighbours), width))


def fit_scale(scores: Array, results: Array) -> float:
    """The factor by which scores tell the results best; one over their spread where they tell nothing, the opposite, or
    everything, so that no factor is the best. 1 where all are 0.
    """
    from scipy.optimize import brentq

    spread = float(np.sqrt(np.mean(scores**2)))
    if spread == 0:
        return 1.0
    unit = scores / spread

    def slope(factor: float) -> float:
        return float(np.mean((chance(factor * unit) - results) * unit))

    high = 1.0
    while slope(high) < 0 and high < MOST_SCALE:
        high *= 2
    if slope(0.0) >= 0 or slope(high) < 0:
        return 1.0 / spread
    return float(brentq(slope, 0.0, high)) / spread


def chance(odds: Array) -> Array:
    """The chance of a point by the logarithm of its odds."""
    return np.exp(-np.logaddexp(0.0, -odds))


@dataclass(frozen=True)
class Problem:
    """The loss as a function of the weights. `shares` says how much each row counts: 0 for those that are kept out;
    `apart` makes the weights into what shall be small besides."""

    features: Any
    targets: Array
    shares: Array
    scale: float
    start: Array
    pull: float
    apart: Any

    def costs(self, weights: Array) -> Array:
        """What the target of each row costs, in nats."""
        odds = self.scale * (self.features @ weights)
        return np.asarray(np.logaddexp(0.0, odds) - self.targets * odds)

    def loss(self, weights: Array) -> tuple[float, Array]:
        """The loss with the pull, and its gradient."""
        odds = self.scale * (self.features @ weights)
        moved, steps = self.scale * (weights - self.start), self.scale * (self.apart @ weights)
        costs = np.logaddexp(0.0, odds) - self.targets * odds
        surplus = self.shares * (chance(odds) - self.targets)
        value = float(self.shares @ costs + self.pull / 2 * (moved @ moved) + steps @ steps / 2)
        return value, self.scale * (self.features.T @ surplus + self.pull * moved + self.apart.T @ steps)

    def curvature(self, weights: Array) -> Array:
        """The diagonal of the loss's second derivative."""
        likely = chance(self.scale * (self.features @ weights))
        doubt = self.shares * likely * (1 - likely)
        held = self.pull + np.asarray(self.apart.power(2).sum(axis=0))
        return np.asarray(self.scale**2 * (self.features.power(2).T @ doubt + held))

    def losses(self, weights: Array, kept_out: Array) -> Loss:
        """The loss without the pull, in the games fitted to and in the others."""
        costs = self.costs(weights)
        held = float(costs[kept_out].mean()) if kept_out.any() else None
        return Loss(float(costs[~kept_out].mean()), held)


def _descend(problem: Problem, kept_out: Array, settings: Settings) -> tuple[Array, int]:
    """The weights that were the best on the games kept out, on the way down to those that are the best on the others.

    Each weight is measured by how sharply the loss bends along it, so that rare features are found as soon as common
    ones.
    """
    from scipy.optimize import minimize

    bend = np.sqrt(problem.curvature(problem.start))
    bend[bend == 0] = 1.0
    watch = _Watch(problem, kept_out, settings.patience)
    watch.look(problem.start)

    def bent(steps: Array) -> tuple[float, Array]:
        value, gradient = problem.loss(problem.start + steps / bend)
        return value, gradient / bend

    def each(steps: Array) -> None:
        watch.steps += 1
        if watch.look(problem.start + steps / bend):
            raise StopIteration

    options = {"maxiter": settings.steps, "ftol": SAME, "gtol": 1e-9}
    found = minimize(bent, np.zeros_like(bend), jac=True, method="L-BFGS-B", callback=each, options=options)
    return (watch.best if kept_out.any() else problem.start + found.x / bend), watch.steps


class _Watch:
    """Remembers the weights that are the best on the games kept out, and says when nothing has improved for long."""

    def __init__(self, problem: Problem, kept_out: Array, patience: int) -> None:
        self.problem, self.kept_out, self.patience = problem, kept_out, patience
        self.best, self.lowest = problem.start, np.inf
        self.steps = self.since = 0

    def look(self, weights: Array) -> bool:
        """Take note of weights; whether to stop."""
        held = self.problem.losses(weights, self.kept_out).held
        if held is None:
            return False
        self.since += 1
        if held < self.lowest:
            self.best, self.lowest, self.since = weights.copy(), held, 0
        return self.since >= self.patience


def _factor(found: Array, settings: Settings) -> float:
    """By what to multiply weights, so that the unit is worth what it shall be."""
    if settings.unit is None:
        return 1.0
    place, worth = settings.unit
    if found[place] * worth <= 0:
        raise BadInput(
            f"the feature that is to be worth {worth:g} came out at {found[place]:.3g}: take another as the unit"
        )
    return float(worth / found[place])


def standard_errors(problem: Problem, weights: Array, games: Array) -> Array:
    """How far each weight may be off, one standard deviation: what chance in the results of whole games does to it."""
    features, scale = problem.features, problem.scale
    likely = chance(scale * (features @ weights))
    doubt = problem.shares * likely * (1 - likely)
    held = problem.pull * np.eye(len(weights)) + (problem.apart.T @ problem.apart).toarray()
    bend = scale**2 * ((features.T @ features.multiply(doubt[:, None])).toarray() + held)
    by_game = _sums_by_game(features.multiply((scale * problem.shares * (likely - problem.targets))[:, None]), games)
    inverse = np.linalg.pinv(bend, hermitian=True)
    spread = inverse @ (by_game.T @ by_game).toarray() @ inverse
    return np.sqrt(np.maximum(np.diag(spread), 0.0))


def _sums_by_game(rows: Any, games: Array) -> Any:
    """The rows of each game added up."""
    from scipy.sparse import csr_array

    _, places = np.unique(games, return_inverse=True)
    members = csr_array((np.ones(len(games)), (places, np.arange(len(games)))))
    return members @ rows.tocsr()
