"""What a second thread is worth: the same searches with one thread and with two, in turns."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from zermelo import native
from zermelo.bench.positions import opened, played
from zermelo.bench.rows import Progress, Row, at_most, row
from zermelo.bench.works import deciding, solving
from zermelo.crew import usable_processors
from zermelo.engine.options import Options
from zermelo.errors import Unsuitable
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello
from zermelo.position import Position

MOST = at_most(0.65)
"""Which part of the time of one thread two may take."""
ROUNDS = 3


class Task(NamedTuple):
    """Positions that one thread searches in a second or some, to a depth or (None) exactly."""

    name: str
    positions: Callable[[], list[Position]]
    depth: int | None = None


def threads(tasks: Sequence[Task] = (), rounds: int = ROUNDS, progress: Progress = lambda _: None) -> list[Row]:
    """The time, the processor time and the nodes of two threads over those of one; the least of some rounds."""
    if not native.is_enabled():
        raise Unsuitable("threads search in native code only, which is off while NUMBA_DISABLE_JIT is set: unset it")
    if usable_processors() < 2:
        raise Unsuitable("this process may use one processor only, so two threads can't be measured: allow it another")
    return [each for task in tasks or TASKS for each in _measured(task, rounds, progress)]


class Cost(NamedTuple):
    """What a search took: seconds on the wall, seconds of all processors, nodes; or a ratio of two such."""

    seconds: float
    worked: float
    nodes: float


def _measured(task: Task, rounds: int, progress: Progress) -> Iterator[Row]:
    ratios = []
    for number, position in enumerate(task.positions(), 1):
        progress(f"{task.name}, position {number}")
        one, two = _costs(task, position, rounds)
        ratios.append(Cost(*(after / before for before, after in zip(one, two, strict=True))))
    target = None if task.depth is None else MOST
    yield row(f"{task.name}: time, two threads", _mean([each.seconds for each in ratios]), "×", target)
    yield row(f"{task.name}: processor time / 2", _mean([each.worked / 2 for each in ratios]), "×")
    yield row(f"{task.name}: nodes, two threads", _mean([each.nodes for each in ratios]), "×")


def _costs(task: Task, position: Position, rounds: int) -> tuple[Cost, Cost]:
    """The least that one thread took, and two, in turns; every run begins with an empty table."""
    found: tuple[list[Cost], list[Cost]] = [], []
    values = set()
    for _ in range(rounds):
        for costs, count in zip(found, (1, 2), strict=True):
            options = Options(threads=count)
            if task.depth is None:
                side = solving([position], options, time.perf_counter)
            else:
                side = deciding([position], task.depth, options, time.perf_counter)
            start = time.process_time()
            run = side()
            costs.append(Cost(run.seconds, time.process_time() - start, run.nodes or 0))
            values.add(run.values)
    if task.depth is None and len(values) > 1:
        raise AssertionError(f"threads found other values of {position} than one thread did")
    one, two = (Cost(*map(min, zip(*costs, strict=True))) for costs in found)
    return one, two


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean, in which half and twice the time are nothing gained."""
    return exp(sum(log(ratio) for ratio in ratios) / len(ratios))


def why_doubtful() -> str:
    """Empty if there seem to be two free processors, else a sentence that says that there are not."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    busy = f"other programs use this machine (load {load:.1f}), so two threads don't have two processors to themselves"
    return busy if usable_processors() - load < 1.5 else ""


def _begun(game: ConnectFour, *games: str) -> list[Position]:
    return [Position.from_text(game, moves=moves) for moves in games]


def _ended() -> list[Position]:
    game = Othello()
    return [played(game, left, seed) for left, seed in ((20, 0), (20, 1), (21, 0))]


TASKS = (
    Task("connect four to depth 21", lambda: _begun(ConnectFour(), "4444", "3526", "4352"), 21),
    Task("connect four, exact", lambda: _begun(ConnectFour(margin=1), "1511475", "14423177", "145467")),
    Task("othello to depth 15", lambda: [opened(Othello())[number] for number in (0, 3, 4)], 15),
    Task("othello, exact", _ended),
)
