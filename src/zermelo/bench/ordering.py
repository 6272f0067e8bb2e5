"""What each of the engine's techniques is worth, in nodes: the same searches with one of them switched at a time.

Nodes don't depend on the machine, so these figures are the same wherever they are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import native
from zermelo.bench.positions import connect_four, opened, played
from zermelo.bench.rows import Progress
from zermelo.bench.variants import PlainConnectFour
from zermelo.engine.decide import decide
from zermelo.engine.options import Options
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello
from zermelo.position import Position
from zermelo.registry import load
from zermelo.solver.exact import solve

DEFAULT = "as it is"
ORDER = (
    "table_first=no",
    "plausible_first=no",
    "evaluation_first=no",
    "killers=no",
    "history=no",
    "counter=no",
    "symmetry=no",
    "table=0",
)
"""The switches that change no exact value."""
SEARCH = ("algorithm=mtdf", "algorithm=alphabeta-full", "algorithm=alphabeta-ordered", "reductions=yes")
"""Those that the search for exact values does not have."""
ALL = " ".join(ORDER)


class Task(NamedTuple):
    """Some positions to search: exactly, to a depth, or (None) until the value is sure."""

    name: str
    positions: Callable[[], list[Position]]
    depth: int | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """The nodes of a task with some switches, and how many times the nodes without them; `same`: as are the values."""

    task: str
    exact: bool
    switches: str
    nodes: int
    times: float
    same: bool


def ordering(tasks: Sequence[Task] = (), progress: Progress = lambda _: None) -> list[Count]:
    """All counts, a task at a time, the first with no switch changed."""
    return [count for task in tasks or TASKS for count in _counts(task, progress)]


def _counts(task: Task, progress: Progress) -> Iterator[Count]:
    positions = task.positions()
    progress(task.name)
    first, right = count(task, positions, Options())
    yield Count(task.name, task.exact, DEFAULT, first, 1.0, True)
    for switches in (*ORDER, ALL, *(() if task.exact else SEARCH)):
        progress(f"{task.name}, {switches}")
        nodes, values = count(task, positions, Options.parse(switches.split()))
        yield Count(task.name, task.exact, switches, nodes, nodes / first, values == right)


def count(task: Task, positions: Sequence[Position], options: Options) -> tuple[int, tuple[float, ...]]:
    """The nodes of all searches of a task, and the values they found."""
    world = "native" if native.is_enabled() else "interpreted"
    nodes, values = 0, []
    for position in positions:
        if task.exact:
            solution = solve(position, world=world, options=options)
            nodes, value = nodes + solution.nodes, solution.value
        else:
            result = decide(position, depth=task.depth, world=world, options=options)
            nodes, value = nodes + result.nodes, result.value
        values.append(value)
    return nodes, tuple(values)


def _whole(name: str) -> list[Position]:
    return [Position(load(name))]


def _begun(game: Game, file: str, most: int) -> list[Position]:
    """The first positions of a file in a variant of Connect Four."""
    states = [problem.position.state for problem in connect_four(file, most)]
    return [Position(game, state) for state in states]


def _ended() -> list[Position]:
    game = Othello()
    return [played(game, 12, seed) for seed in range(5)]


TASKS = (
    Task("connect four", lambda: _begun(ConnectFour(), "begin_medium", 4), depth=12),
    Task("plain", lambda: _begun(PlainConnectFour(), "begin_medium", 4), depth=10),
    Task("othello", lambda: opened(Othello())[:3], depth=8),
    Task("tic-tac-toe", lambda: _whole("tic-tac-toe")),
    Task("nim", lambda: _whole("nim")),
    Task("connect four", lambda: _begun(ConnectFour(margin=1), "middle_medium", 3), exact=True),
    Task("plain", lambda: _begun(PlainConnectFour(margin=1), "middle_easy", 10), exact=True),
    Task("othello", _ended, exact=True),
)
"""`plain` is Connect Four of which only the rules are known, so that nothing but what cut before orders its moves."""
