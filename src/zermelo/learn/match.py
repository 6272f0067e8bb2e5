"""New weights against old ones: a match of game pairs from the same openings, at equal thinking."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.crew import work_through
from zermelo.learn.player import Course, Player, play_out, points, random_opening, with_room
from zermelo.statistics import Standing

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.learn.recipe import Recipe
    from zermelo.learn.selfplay import Plan
    from zermelo.position import Position


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
    new: Recipe, old: Recipe, plan: Plan, games: int, processes: int, listen: Callable[[Standing], None]
) -> Standing:
    """A match of so many games, in pairs; `listen` is told how it stands. The same plan gives the same match."""
    pairs: list[tuple[float, float]] = []
    for pair in work_through(Duel(new, old, plan), range(-(-games // 2)), processes):
        pairs.append(pair)
        listen(Standing.of(pairs))
    return Standing.of(pairs)
