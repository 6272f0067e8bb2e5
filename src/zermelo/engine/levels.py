"""How strong the computer plays: the one table that turns a level into limits."""

from __future__ import annotations

import random
from typing import NamedTuple

from zermelo.errors import BadInput
from zermelo.search.result import Limits
from zermelo.search.suitability import MONTE_CARLO


class Level(NamedTuple):
    """A strength: how often it plays any legal move, how deep it looks or how many games it simulates, and for how long
    at most."""

    words: str
    mistakes: float
    depth: int | None
    simulations: int | None
    seconds: float

    def limits_for(self, algorithm: str) -> Limits:
        """What a search by an algorithm may use at this level."""
        if algorithm in MONTE_CARLO:
            return Limits(nodes=self.simulations, seconds=self.seconds)
        return Limits(depth=self.depth, seconds=self.seconds)


LEVELS = {
    1: Level("beginner", 0.9, 1, 20, 1.0),
    2: Level("learner", 0.5, 1, 50, 1.0),
    3: Level("casual", 0.25, 2, 150, 1.0),
    4: Level("steady", 0.1, 3, 500, 2.0),
    5: Level("good", 0.0, 5, 2_000, 2.0),
    6: Level("strong", 0.0, 8, 8_000, 3.0),
    7: Level("expert", 0.0, 12, 30_000, 5.0),
    8: Level("full strength", 0.0, None, None, 5.0),
}
USUAL = 4
FULL = max(LEVELS)


def slips(level: int, luck: random.Random) -> bool:
    """Whether the computer, at this level, plays any legal move this time instead of thinking."""
    return luck.random() < LEVELS[level].mistakes


def parse_level(text: str) -> int:
    """The level that `text` writes, or `BadInput`."""
    if text in map(str, LEVELS):
        return int(text)
    given = f"not {text!r}" if text else f"such as: level {FULL}"
    raise BadInput(f"a level is a number from {min(LEVELS)} ({LEVELS[min(LEVELS)].words}) to {FULL}, {given}")
