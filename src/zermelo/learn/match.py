"""New weights against old ones: a match of game pairs from the same openings, at equal thinking."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log10, sqrt
from typing import TYPE_CHECKING

from zermelo.learn.crew import work_through
from zermelo.learn.player import Course, Player, play_out, points, random_opening, with_room

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.learn.recipe import Recipe
    from zermelo.learn.selfplay import Plan
    from zermelo.position import Position

SURE = 1.96
"""Standard errors to either side that hold the truth in 19 of 20 matches."""


@dataclass(frozen=True, slots=True)
class Score:
    """How a match went for the first of two: games won, drawn and lost, and the points made in each pair of games."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[float, ...]

    @property
    def share(self) -> float:
        """The part of all points that was made."""
        return sum(self.pairs) / (2 * len(self.pairs))

    @property
    def elo(self) -> float:
        """The difference in rating that makes this share likely; infinite where all or nothing was won."""
        return rating(self.share)

    @property
    def error(self) -> float:
        """How far off the rating may be, in 19 of 20 matches: half the range that pairs as various as these allow."""
        if len(self.pairs) < 2:
            return inf
        mean = self.share
        spread = sum((pair / 2 - mean) ** 2 for pair in self.pairs) / (len(self.pairs) - 1)
        off = SURE * sqrt(spread / len(self.pairs))
        return (rating(mean + off) - rating(mean - off)) / 2


def rating(share: float) -> float:
    """The difference in Elo points that goes with a share of the points."""
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return -400 * log10(1 / share - 1)


@dataclass(frozen=True)
class Duel:
    """Plays pairs of games by their numbers: from one opening, with the first recipe as player 0 and as player 1."""

    new: Recipe
    old: Recipe
    plan: Plan

    def __call__(self, number: int) -> tuple[float, float]:
        return with_room(lambda halted: self._pair(number, halted))

    def _pair(self, number: int, halted: threading.Event) -> tuple[float, float]:
        opening = random_opening(self.old.game, self.plan.opening, random.Random(f"match {self.plan.seed} {number}"))

        def play(*sides: Recipe) -> float:
            games = [side.made for side in sides]
            courses = [_replayed(game, opening) for game in games]
            players = [Player(game, self.plan.pace) for game in games]
            luck = random.Random(f"chance {self.plan.seed} {number}")
            return points(games[0], play_out(courses, players, self.plan.longest, luck, halted))

        return play(self.new, self.old), 1.0 - play(self.old, self.new)


def _replayed(game: Game, opening: Position) -> Course:
    """The same moves in another game of the same rules."""
    course = Course(game)
    for action in opening.history:
        course.push(action)
    return course


def play_match(
    new: Recipe, old: Recipe, plan: Plan, games: int, processes: int, listen: Callable[[Score], None]
) -> Score:
    """A match of so many games, in pairs; `listen` is told the score so far. The same plan gives the same match."""
    wins = draws = losses = 0
    pairs: list[float] = []
    score = Score(0, 0, 0, ())
    for pair in work_through(Duel(new, old, plan), range(-(-games // 2)), processes):
        wins, draws, losses = (count + pair.count(worth) for count, worth in ((wins, 1.0), (draws, 0.5), (losses, 0.0)))
        pairs.append(sum(pair))
        score = Score(wins, draws, losses, tuple(pairs))
        listen(score)
    return score
