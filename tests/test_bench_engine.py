"""What the engine's parts are worth: counts that are the same everywhere, and rows for threads and compiling."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import isclose
from typing import Any

import pytest

from zermelo.bench import compilation as compiling
from zermelo.bench import threads as threading
from zermelo.bench.compilation import PREPARE, compilation, served
from zermelo.bench.ordering import ALL, DEFAULT, ORDER, SEARCH, TASKS, Count, Task, ordering
from zermelo.bench.ordering import count as count_nodes
from zermelo.bench.process import output
from zermelo.bench.threads import threads, why_doubtful
from zermelo.bench.timing import Run
from zermelo.bench.variants import PlainConnectFour
from zermelo.engine.options import Options
from zermelo.errors import Unsuitable
from zermelo.games.connect_four import ConnectFour
from zermelo.position import Position
from zermelo.registry import load

SMALL = (
    Task("tic-tac-toe", lambda: [Position.from_text(load("tic-tac-toe"), moves="b2 a1")]),
    Task("nim", lambda: [Position(load("nim:stones=17"))], depth=5),
    Task("plain", lambda: [Position(PlainConnectFour(4, 4, 3))], exact=True),
)


# The order of moves.


def test_switches_change_the_nodes_and_not_the_values() -> None:
    counts = ordering(SMALL)
    assert [each.switches for each in counts if each.exact] == [DEFAULT, *ORDER, ALL]
    assert [each.switches for each in counts if each.task == "nim"] == [DEFAULT, *ORDER, ALL, *SEARCH]
    assert all(each.same for each in counts if each.switches != "reductions=yes")
    for task in SMALL:
        nodes = {each.switches: each.nodes for each in counts if each.task == task.name}
        assert nodes[DEFAULT] < nodes[ALL]
        assert nodes[DEFAULT] < nodes["table=0"]
    by_task = {(each.task, each.switches): each for each in counts}
    assert by_task["tic-tac-toe", "symmetry=no"].times > 1
    assert by_task["tic-tac-toe", "killers=no"].times == 1
    assert by_task["plain", "killers=no"].times != 1
    assert isclose(by_task["plain", ALL].times, by_task["plain", ALL].nodes / by_task["plain", DEFAULT].nodes)


def test_counts_are_the_same_again() -> None:
    for task in SMALL:
        positions = task.positions()
        assert count_nodes(task, positions, Options()) == count_nodes(task, positions, Options())


def test_tasks_are_of_both_kinds_and_have_names_of_their_own() -> None:
    assert len({(task.name, task.exact) for task in TASKS}) == len(TASKS)
    assert {task.exact for task in TASKS} == {False, True}
    for task in TASKS:
        assert task.positions()
        assert not any(position.is_terminal for position in task.positions())


def test_the_table_of_counts_fits_a_screen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from zermelo.bench import ordering as module
    from zermelo.cli.bench import ordering as command

    tasks = ("connect four", "plain", "othello", "tic-tac-toe", "nim")
    switches = (DEFAULT, *ORDER, ALL, *SEARCH)
    counts = [Count(task, False, name, 516_196, 12.9, name != "reductions=yes") for task in tasks for name in switches]
    counts.append(Count("othello", True, DEFAULT, 100, 1.0, True))
    monkeypatch.setattr(module, "ordering", lambda **_: counts)
    command(json=False)
    shown = capsys.readouterr().out
    assert "as it is              516,196" in shown
    assert "all of these          ×12.9" in shown
    assert "alphabeta-ordered     ×12.9" in shown
    assert "reductions=yes        ×12.9 *" in shown
    assert "exact values: nodes" in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


# Threads.

TINY = (
    threading.Task("to a depth", lambda: [Position(ConnectFour())], 4),
    threading.Task("exact", lambda: [Position.from_text(ConnectFour(), moves="66723753542527311167")]),
)


@pytest.mark.native
def test_two_threads_are_held_against_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "usable_processors", lambda: 2)
    said: list[str] = []
    rows = threads(TINY, 1, said.append)
    figures = "time, two threads", "processor time / 2", "nodes, two threads"
    assert [row.name for row in rows] == [f"{name}: {what}" for name in ("to a depth", "exact") for what in figures]
    assert [row.target for row in rows] == ["≤ 0.65", "", "", "", "", ""]
    assert all(row.measured > 0 for row in rows)
    assert said == ["to a depth, position 1", "exact, position 1"]


def test_the_mean_of_ratios_is_the_geometric_one_of_the_quickest_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((4.0, 3.0, 2.0, 1.0, 1.0, 5.0, 8.0, 2.0))

    def side(_: Any, __: int, options: Options, ___: Any) -> Callable[[], Run]:
        return lambda: Run(next(seconds), (1.0,), 100 * options.threads)

    monkeypatch.setattr(threading, "deciding", side)
    monkeypatch.setattr(threading, "usable_processors", lambda: 2)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    ticks = count(1)
    monkeypatch.setattr(threading.time, "process_time", lambda: float(next(ticks)))
    position = Position(ConnectFour())
    time, worked, nodes = threads([threading.Task("some", lambda: [position, position], 4)], 2)
    assert isclose(time.measured, ((1 / 2) * (2 / 1)) ** 0.5)
    assert time.met is False
    assert worked.measured == 0.5
    assert nodes.measured == 2


def test_threads_that_find_another_value_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def side(_: Any, options: Options, __: Any) -> Callable[[], Run]:
        return lambda: Run(1.0, (float(options.threads),), 1)

    monkeypatch.setattr(threading, "solving", side)
    monkeypatch.setattr(threading, "usable_processors", lambda: 2)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    with pytest.raises(AssertionError, match="other values"):
        threads([threading.Task("some", lambda: [Position(ConnectFour())])], 1)


def test_one_processor_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr(threading, "usable_processors", lambda: 1)
    with pytest.raises(Unsuitable, match="one processor"):
        threads(TINY, 1)


def test_a_busy_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "usable_processors", lambda: 2)
    monkeypatch.setattr(threading.os, "getloadavg", lambda: (1.9, 0.0, 0.0), raising=False)
    assert "load 1.9" in why_doubtful()
    monkeypatch.setattr(threading.os, "getloadavg", lambda: (0.2, 3.0, 3.0), raising=False)
    assert why_doubtful() == ""


# Compiling.


def test_games_of_the_engine_are_compiled_once_and_loaded_some_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    seconds, folders = iter(("25.0", "0.9", "0.8")), []

    def says(code: str, name: str, cache: str) -> str:
        assert (code, name) == (PREPARE, "nim")
        folders.append(cache)
        return next(seconds)

    monkeypatch.setattr(compiling, "output", says)
    cold, warm = compilation(["nim"], 2)
    assert (cold.measured, cold.target, cold.met) == (25.0, "≤ 20", False)
    assert (warm.measured, warm.target, warm.met) == (0.8, "≤ 1", True)
    assert len(folders) == 3
    assert len(set(folders)) == 1


def test_all_built_in_games_for_two_are_compiled() -> None:
    assert {"connect-four", "othello", "tic-tac-toe", "nim", "heaps", "p-game", "random-tree", "tree"} <= set(served())


@pytest.mark.native
def test_a_process_tells_how_long_it_took_to_be_ready() -> None:
    assert 0 < float(output(PREPARE, "tic-tac-toe")) < 100
