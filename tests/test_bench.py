"""The bench: its signature is golden, its rows are well-formed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from zermelo.bench.compilation import compilation
from zermelo.bench.peers import peers
from zermelo.bench.signature import TASKS, signature
from zermelo.bench.speed import Sizes, speed
from zermelo.bench.threads import threads
from zermelo.bench.timing import race
from zermelo.bench.works import counting, playing, searching
from zermelo.errors import Unsuitable
from zermelo.registry import load

GOLDEN_SIGNATURE = Path(__file__).parent / "data" / "signature.json"
"""Made by `zermelo bench signature --json > tests/data/signature.json`."""

WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]
GAMES = ["tic-tac-toe", "connect-four", "nim:stones=9", "heaps:heaps=2-3", "random-tree:depth=4", "p-game:depth=5"]


# The signature.


@pytest.mark.parametrize("world", WORLDS)
def test_signature_is_golden(world: str) -> None:
    golden = json.loads(GOLDEN_SIGNATURE.read_text())
    assert json.loads(json.dumps(asdict(signature(world)))) == golden


def test_signature_is_the_sum_of_its_parts() -> None:
    golden = json.loads(GOLDEN_SIGNATURE.read_text())
    assert golden["signature"] == sum(part["nodes"] for part in golden["parts"])
    assert [part["name"] for part in golden["parts"]] == [str(task) for task in TASKS]
    assert len({str(task) for task in TASKS}) == len(TASKS)


def test_signature_has_the_known_counts() -> None:
    nodes = {part["name"]: part["nodes"] for part in json.loads(GOLDEN_SIGNATURE.read_text())["parts"]}
    assert nodes["alphabeta tic-tac-toe"] == 18_297
    assert nodes["alphabeta random-tree:branching=3,depth=8,order=worst"] == sum(3**ply for ply in range(9))
    assert nodes["perft tic-tac-toe depth 5"] == 9 * 8 * 7 * 6 * 5
    assert nodes["perft connect-four depth 5"] == 7**5
    assert nodes["pvs tic-tac-toe"] == nodes["best tic-tac-toe"]


# Measurements; how long they take is not tested.


def test_a_race_gives_everyone_a_turn_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.bench.timing.SHORTEST", 1e-9)
    turns: list[int] = []

    def runner(number: int) -> int:
        turns.append(number)
        return number

    rates = race(3, lambda: runner(1), lambda: runner(2))
    assert turns == [1, 2, 1, 2, 1, 2]
    assert all(rate > 0 for rate in rates)


@pytest.mark.native
def test_works_tell_how_much_they_do() -> None:
    assert searching(load("tic-tac-toe"), 9)() == 18_297
    assert counting(load("connect-four"), 6)() == counting(load("connect-four"), 6, natively=False)() == 7**6
    assert playing(load("tic-tac-toe"), 30)() == 30


@pytest.mark.native
def test_the_hand_written_perft_counts_the_same() -> None:
    from zermelo.native.flat import perft_connect_four

    assert [perft_connect_four(depth) for depth in range(9)] == [
        counting(load("connect-four"), depth)() for depth in range(9)
    ]


@pytest.mark.native
def test_speed_rows_are_well_formed() -> None:
    said: list[str] = []
    rows = speed(Sizes(rounds=1, native_depth=4, interpreted_depth=3, search_depth=3, games=10, starts=1), said.append)
    assert len({row.name for row in rows}) == len(rows) == 11
    assert len(said) == 8
    for row in rows:
        assert row.measured > 0
        assert bool(row.target) == (row.met is not None)
        assert row.unit in ("leaves/s", "nodes/s", "games/s", "×", "s")
    assert [row.target for row in rows if row.target] == ["≥ 0.8", "≥ 100", "≤ 1.5", "≤ 1"]


def test_nothing_is_measured_without_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for measure in (speed, peers, threads, compilation):
        with pytest.raises(Unsuitable, match="NUMBA_DISABLE_JIT"):
            measure()
