"""What the results of a match say: score, Elo with its error, who is likely better, and when to stop.

Games come in pairs, one opening played with both colours. The two games of a pair are not independent (a lopsided
opening gives one win to each), so all variances are those of pairs; a game without its partner is a pair of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt

CONFIDENCE = 1.959963984540054
"""Standard deviations to each side of the mean that hold 95 % of a normal distribution."""
RISK = 0.05
"""How often a sequential test may decide for the wrong side, either way."""
SOME = 1e-3
"""What stands for a result of pairs that has not occurred: it may, so its share is not 0."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the first player's games say so far; all scores and Elo are his, intervals hold 95 %."""

    wins: int
    draws: int
    losses: int
    score: float
    score_low: float
    score_high: float
    superiority: float

    @classmethod
    def of(cls, pairs: Iterable[Sequence[float]]) -> Standing:
        """The standing after pairs of results, each 1 for a win, 0.5 for a draw, 0 for a loss."""
        pairs = [pair for pair in pairs if pair]
        counts = Counter(result for pair in pairs for result in pair)
        games = counts.total()
        score = sum(map(sum, pairs)) / games if games else 0.5
        low, high = interval(pairs)
        return cls(counts[1], counts[0.5], counts[0], score, low, high, superiority(pairs))

    def figures(self) -> dict[str, float]:
        """All that it says, by name."""
        names = "games", "wins", "draws", "losses", "score", "score_low", "score_high", "elo", "elo_low", "elo_high"
        return {name: getattr(self, name) for name in (*names, "superiority")}

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> float:
        return elo_of(self.score)

    @property
    def elo_low(self) -> float:
        return elo_of(self.score_low)

    @property
    def elo_high(self) -> float:
        return elo_of(self.score_high)


def elo_of(score: float) -> float:
    """The difference of ratings at which a score is expected; infinite at 0 and 1."""
    return inf if score >= 1 else -inf if score <= 0 else 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The score that is expected at a difference of ratings."""
    return 1 / (1 + 10 ** (-elo / 400))


def interval(pairs: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The range that holds the true score in 95 % of matches: Wilson's, for as many results as the pairs are worth.

    A won and a lost game, each by half, are counted besides, so that a few games all alike still leave doubt.
    """
    games, total = sum(map(len, pairs)), sum(map(sum, pairs))
    if not games:
        return 0.0, 1.0
    score, centre = total / games, (total + 0.5) / (games + 1)
    spread = sum((sum(pair) - score * len(pair)) ** 2 for pair in pairs) + (1 - score) ** 2 / 2 + score**2 / 2
    variance = spread / (games + 1) ** 2 * len(pairs) / max(len(pairs) - 1, 1)
    worth = max(centre * (1 - centre) / variance, 1.0)
    share = CONFIDENCE**2 / worth
    middle = (score + share / 2) / (1 + share)
    half = sqrt(score * (1 - score) * share + share**2 / 4) / (1 + share)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def superiority(pairs: Sequence[Sequence[float]]) -> float:
    """How likely it is that the first player is the better one, if nothing else is known of them."""
    differences = [sum(pair) - len(pair) / 2 for pair in pairs]
    spread = sqrt(sum(difference**2 for difference in differences))
    return 0.5 * (1 + erf(sum(differences) / spread / sqrt(2))) if spread else 0.5


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of whether the first player is better by `elo1` rather than by `elo0`.

    It may be looked at after every pair, and is wrong with a chance of about `RISK` either way.
    """

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """The log-likelihood ratio at which `elo1` is taken for true; at its negative, `elo0` is."""
        return log((1 - RISK) / RISK)

    def ratio(self, pairs: Iterable[Sequence[float]]) -> float:
        """The log-likelihood ratio of the two, given the whole pairs: each by the likeliest shares of results that have
        its mean."""
        scores = [sum(pair) / 2 for pair in pairs if len(pair) == 2]
        if not scores:
            return 0.0
        counts = Counter(dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), SOME))
        counts.update(scores)
        low, high = (_likeliest(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * log(high[value] / low[value]) for value, count in counts.items())

    def decision(self, pairs: Iterable[Sequence[float]]) -> str:
        """ "elo1", "elo0", or "" while nothing is decided."""
        ratio = self.ratio(pairs)
        return "elo1" if ratio >= self.bound else "elo0" if ratio <= -self.bound else ""


def _likeliest(counts: Counter[float], mean: float) -> dict[float, float]:
    """The shares of results under which the counts are likeliest, among all with this mean.

    They are count / (1 + t (value - mean)), with the t at which the mean is right, found by halving.
    """
    total = sum(counts.values())
    least, most = -1 / (max(counts) - mean), 1 / (mean - min(counts))
    for _ in range(100):
        middle = (least + most) / 2
        tilt = sum(count * (value - mean) / (1 + middle * (value - mean)) for value, count in counts.items())
        least, most = (middle, most) if tilt > 0 else (least, middle)
    return {value: count / total / (1 + middle * (value - mean)) for value, count in counts.items()}
