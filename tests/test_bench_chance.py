"""What pruning at chance nodes saves, at equal values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zermelo.bench import chance as module
from zermelo.bench.chance import TASKS, WAYS, Saving, Task, at, chance
from zermelo.bench.variants import RolledTree
from zermelo.cli.bench import chance as command
from zermelo.position import Position

WIDE = Task("wide", lambda: [Position(RolledTree(6, 4))], 4)


def test_every_way_finds_the_same_and_probing_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.native.is_enabled", lambda: False)
    said: list[str] = []
    found = {each.way: each for each in chance([WIDE], said.append)}
    assert list(found) == [way.name for way in WAYS]
    assert said == [f"wide, {way.name}" for way in WAYS]
    assert all(each.same for each in found.values())
    plain = sum((6 * 4) ** level * (1 + 6) for level in range(2)) + (6 * 4) ** 2
    assert found["expectiminimax"].nodes == plain
    assert found["star2"].nodes < found["star1"].nodes < plain
    assert found["star2"].saved == plain / found["star2"].nodes


def test_other_values_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    search = module._search

    def lie(way: module.Way, positions: list[Position], depth: int) -> tuple[int, float, tuple[float, ...]]:
        nodes, seconds, values = search(way, positions, depth)
        return nodes, seconds, tuple(value + 1e-6 for value in values) if way.probe else values

    monkeypatch.setattr("zermelo.native.is_enabled", lambda: False)
    monkeypatch.setattr(module, "_search", lie)
    told = {each.way: each.same for each in chance([replaced(WIDE, 2)])}
    assert told == {way.name: not way.probe for way in WAYS}


def replaced(task: Task, depth: int) -> Task:
    return task._replace(depth=depth)


def test_tasks_begin_somewhere() -> None:
    assert len({task.name for task in TASKS}) == len(TASKS)
    for task in TASKS:
        assert all(position.game.has_chance and not position.is_terminal for position in task.positions())
    assert [str(position.state) for position in at("nim:stones=5", "1", "2")] == [
        "State(stones=4, turn=1)",
        "State(stones=3, turn=1)",
    ]


def test_the_table_of_savings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    one = Saving("dice", 5, "star2", 1234, 8.125, 0.5, (0.25,), True)
    monkeypatch.setattr(module, "chance", lambda **_: [one, replace(one, way="star1", same=False)])
    command(json=False)
    shown = capsys.readouterr().out
    assert shown.startswith("dice, to depth 5\n")
    assert [line.split() for line in shown.splitlines() if line.split()[:1] == ["star2"]] == [
        ["star2", "1,234", "×8.12", "500", "ms", "same"]
    ]
    assert "other" in shown
    command(json=True)
    assert '"saved": 8.125' in capsys.readouterr().out
