"""What is published about whole games, found anew: leaf counts, and the values of games that were solved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.bench.rows import Progress
from zermelo.engine.decide import decide
from zermelo.engine.options import Options
from zermelo.errors import BadInput
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.perft import count_leaves
from zermelo.solver.exact import solve

TABLE = 2048.0
"""MiB of the tables of whole games."""


class Fact(NamedTuple):
    """What is published of a game, by whom, and how to find it: a number, and how many nodes that took."""

    game: str
    what: str
    published: float
    source: str
    find: Callable[[str], tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact with what was found, and what that took."""

    game: str
    what: str
    published: float
    found: float
    source: str
    nodes: int
    seconds: float

    @property
    def right(self) -> bool:
        return self.found == self.published


def leaves(depth: int) -> Callable[[str], tuple[float, int]]:
    """Counts the leaves of a game."""

    def find(name: str) -> tuple[float, int]:
        counted = count_leaves(Position(load(name)), depth)
        return float(counted.leaves), counted.leaves

    return find


def value(name: str) -> tuple[float, int]:
    """The value of a game to who begins, by the solver."""
    found = solve(load(name), options=Options(table=TABLE))
    return found.value, found.nodes


def proof(name: str) -> tuple[float, int]:
    """The value of a game to who begins, by proof numbers."""
    found = decide(Position(load(name)), algorithm="pns", options=Options(table=TABLE))
    return found.value, found.nodes


FACTS = (
    Fact("tic-tac-toe", "value", 0, "folklore", value),
    Fact("othello:size=4", "value", -10, "empty squares counted for the winner", value),
    Fact("go:size=2,margin=1", "value", 1, "Tromp and Farnebäck 2007", value),
    Fact("go:size=3,margin=1", "value", 9, "Tromp and Farnebäck 2007", value),
    Fact("chess:dead=false", "leaves at depth 6", 119_060_324, "everywhere", leaves(6)),
    Fact("checkers", "leaves at depth 10", 18_391_564, "everywhere", leaves(10)),
    Fact("kalah:empty_capture=true", "value", 10, "Irving, Donkers and Uiterwijk 2000", value),
    Fact("kalah", "value", 8, "Rawlings 2015", value),
    Fact("qubic", "value", 1, "Patashnik 1980", proof),
)


def facts(games: Sequence[str] = (), progress: Progress = lambda _: None) -> Iterator[Finding]:
    """Each fact about some games, or about all, as soon as it is found."""
    kinds = list(dict.fromkeys(fact.game.partition(":")[0] for fact in FACTS))
    for game in games:
        if game not in kinds:
            raise BadInput(f"no fact about {game} is known here: {', '.join(kinds)} have some")
    for fact in FACTS:
        if not games or fact.game.partition(":")[0] in games:
            progress(f"{fact.game}, {fact.what}")
            begun = time.perf_counter()
            found, nodes = fact.find(fact.game)
            yield Finding(fact.game, fact.what, fact.published, found, fact.source, nodes, time.perf_counter() - begun)
