"""Plays as people write them: `8/5 6/5`, `8/4(2)`, `24/18/14`, `24/14` by both dice, `bar/20*/15`, `6/off`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

PLAY = re.compile(r"(bar|\d\d?)((?:/(?:off|\d\d?)\*?)+)(?:\(([1-4])\))?")
NAMES = {"bar": 25, "off": 0}
MOST = 4
"""The most moves that one roll gives."""


class Leg(NamedTuple):
    """A checker's way from a place to another, by one die or several, and whether it hits there."""

    start: int
    end: int
    hits: bool

    def __str__(self) -> str:
        return f"{'bar' if self.start == 25 else self.start}/{self.end or 'off'}{'*' * self.hits}"


def orders(text: str) -> Iterator[tuple[Leg, ...]]:
    """The legs of a play in each order that they may be meant in, that of the text first; none if it is no play."""
    words = [PLAY.fullmatch(word) for word in text.lower().replace(",", " ").split()]
    legs = [leg for found in words if found is not None for leg in _legs(found)]
    return permutations(legs) if all(words) and 0 < len(legs) <= MOST else iter(())


def _legs(found: re.Match[str]) -> list[Leg]:
    """The legs that a word writes, each as often as it says behind; only the first of like ones can hit."""
    stops = (found[1] + found[2]).split("/")
    places = [NAMES[stop.rstrip("*")] if stop.rstrip("*") in NAMES else int(stop.rstrip("*")) for stop in stops]
    legs = [Leg(places[at - 1], places[at], stops[at].endswith("*")) for at in range(1, len(stops))]
    return [leg._replace(hits=leg.hits and time == 0) for leg in legs for time in range(int(found[3] or 1))]
