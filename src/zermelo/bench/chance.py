"""What pruning at chance nodes saves, in nodes and time: the same values by expectiminimax, Star1 and Star2."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from zermelo import native
from zermelo.bench.rows import Progress
from zermelo.bench.variants import RolledTree
from zermelo.bits import Bits
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.ranges import TABLE
from zermelo.search.tally import Tally
from zermelo.search.values import Searcher, Tools

CLOSE = 1e-9
"""How far two values may be apart, as a part of the range of utilities, to be the same but for rounding."""


class Task(NamedTuple):
    """Some positions of a game with chance, to be searched to a depth."""

    name: str
    positions: Callable[[], list[Position]]
    depth: int


class Way(NamedTuple):
    """A way to search: how many actions of each outcome are probed, and whether there is a table.

    With a table the search deepens, and what it searches on the way to the depth counts as well.
    """

    name: str
    algorithm: str
    probe: int = 0
    table: bool = False


WAYS = (
    Way("expectiminimax", "expectiminimax"),
    Way("star1", "star1"),
    Way("star2", "star2", 1),
    Way("star2.5", "star2", 2),
    Way("star1, table", "star1", 0, True),
    Way("star2, table", "star2", 1, True),
    Way("star2.5, table", "star2", 2, True),
)
"""Star2.5 probes two actions of each outcome."""


@dataclass(frozen=True, slots=True)
class Saving:
    """What one way to search costs in a task. `saved` is how many times as many nodes expectiminimax takes; `same`:
    the values are expectiminimax's, but for rounding."""

    task: str
    depth: int
    way: str
    nodes: int
    saved: float
    seconds: float
    values: tuple[float, ...]
    same: bool


def chance(tasks: Sequence[Task] = (), progress: Progress = lambda _: None) -> list[Saving]:
    """All savings, a task at a time, expectiminimax first."""
    return [saving for task in tasks or TASKS for saving in _savings(task, progress)]


def _savings(task: Task, progress: Progress) -> Iterator[Saving]:
    positions = task.positions()
    lowest, highest = positions[0].game.utility_bounds
    plain, right = 0, tuple[float, ...]()
    for way in WAYS:
        progress(f"{task.name}, {way.name}")
        nodes, seconds, values = _search(way, positions, task.depth)
        if way is WAYS[0]:
            plain, right = nodes, values
        apart = max(abs(one - other) for one, other in zip(values, right, strict=True))
        same = apart <= CLOSE * (highest - lowest)
        yield Saving(task.name, task.depth, way.name, nodes, plain / nodes, seconds, values, same)


def _search(way: Way, positions: Sequence[Position], depth: int) -> tuple[int, float, tuple[float, ...]]:
    """The nodes, the seconds and the values of one way; compiling does not count, nor does making the table."""
    nodes, seconds, values = 0, 0.0, []
    for position in positions:
        tools = Tools(TABLE if way.table else 0.0, way.probe)
        searcher = Searcher(position.game, way.algorithm, native.is_enabled(), Tally(), tools=tools)
        searcher.prepare(position.state)
        begun, value = time.perf_counter(), 0.0
        for each in range(1 if way.table else depth, depth + 1):
            value = searcher.value(position.state, max(position.to_move, 0), -inf, inf, each)
        seconds += time.perf_counter() - begun
        nodes += searcher.tally.nodes
        values.append(value)
    return nodes, seconds, tuple(values)


def at(name: str, *moves: str) -> list[Position]:
    """Positions of a registered game, each after some moves; without any, its beginning."""
    return [Position.from_text(load(name), moves=each) for each in moves or ("",)]


def _trees(moves: int, sides: int, number: int, players: int = 2) -> list[Position]:
    """The beginnings of some trees."""
    game = RolledTree(moves, sides, players)
    return [Position(game, game.initial()._replace(number=Bits(seed << 32))) for seed in range(number)]


TASKS = (
    Task("dice tree, 6 moves, 6 sides", lambda: _trees(6, 6, 3), 7),
    Task("dice tree, 16 moves, 21 sides", lambda: _trees(16, 21, 2), 5),
    Task("dice tree, 6 moves, 6 sides, one player", lambda: _trees(6, 6, 3, players=1), 7),
    Task("backgammon, after 3-1 and after 6-5", lambda: at("backgammon", "3-1", "6-5"), 8),
    Task("2048", lambda: at("2048"), 5),
)
