"""How strong the computer plays: the one table that turns a level into limits."""

from __future__ import annotations

import random
from typing import NamedTuple, TypedDict

from zermelo.errors import BadInput


class Limits(TypedDict):
    """The limits of one search, by the names that `zermelo.search.decide.decide` takes."""

    depth: int | None
    seconds: float | None


class Level(NamedTuple):
    """A strength: how often it plays any legal move, how deep it looks, and for how long at most."""

    words: str
    mistakes: float
    depth: int | None
    seconds: float


LEVELS = {
    1: Level("beginner", 0.5, 1, 1.0),
    2: Level("casual", 0.25, 2, 1.0),
    3: Level("steady", 0.05, 4, 2.0),
    4: Level("strong", 0.0, 8, 2.0),
    5: Level("full strength", 0.0, None, 5.0),
}
USUAL = 3
FULL = max(LEVELS)


def limits(level: int) -> Limits:
    """What a search at this level may use: `decide(position, **limits(level))`."""
    return {"depth": LEVELS[level].depth, "seconds": LEVELS[level].seconds}


def slips(level: int, luck: random.Random) -> bool:
    """Whether the computer, at this level, plays any legal move this time instead of thinking."""
    return luck.random() < LEVELS[level].mistakes


def parse_level(text: str) -> int:
    """The level that `text` writes, or `BadInput`."""
    if text.isdecimal() and int(text) in LEVELS:
        return int(text)
    given = f"not {text!r}" if text else "such as: level 5"
    raise BadInput(f"a level is a number from {min(LEVELS)} ({LEVELS[min(LEVELS)].words}) to {FULL}, {given}")
