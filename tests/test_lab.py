"""`zermelo lab`: planners against a naive search, games that the seed decides, the tables, and stopping half-way."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from trees import examples
from zermelo.cli.main import app
from zermelo.game import CHANCE
from zermelo.games.pacman import Pacman
from zermelo.lab import pacman
from zermelo.lab.maze_players import Greedy, Lucky, Planner, play
from zermelo.lab.report import Experiment, Mean, Report

MODELS = {kind: Pacman("tiny", ghosts_play=kind, steps=20) for kind in ("minimax", "random", "chasing")}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def value(game: Pacman, state: Any, plies: int) -> float:
    """Pac-Man's value by lists of what may follow."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if plies == 0:
        return game.evaluate(state, 0)
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(chance * value(game, game.result(state, way), plies - 1) for way, chance in game.outcomes(state))
    return (max if mover == 0 else min)(value(game, game.result(state, way), plies - 1) for way in game.actions(state))


@examples(25)
@given(st.sampled_from(sorted(MODELS)), st.integers(0, 5), st.integers(0, 2**32))
def test_a_planner_finds_all_the_best_actions(kind: str, length: int, seed: int) -> None:
    game, luck = MODELS[kind], random.Random(seed)
    state = game.initial()
    for _ in range(length):
        after = game.result(state, luck.choice(list(game.actions(state))))
        state = state if game.is_terminal(after) else after
    if kind != "minimax" and state.turn:
        return
    planner = Planner(game, 2, natively=False)
    worths = {way: value(game, game.result(state, way), planner.plies - 1) for way in game.actions(state)}
    best = max(worths.values()) if state.turn == 0 else min(worths.values())
    found, worth = planner.best(state)
    if len(worths) > 1:
        assert worth == pytest.approx(best)
    near = [way for way, each in worths.items() if abs(each - best) < 1e-9]
    assert set(found) <= set(near)
    assert kind != "minimax" or found == near


def test_a_greedy_ghost_takes_the_shortest_way_and_a_lucky_one_any() -> None:
    game = Pacman("open", ghosts=1, ghosts_play="random")
    state = game.initial()._replace(turn=1)
    assert Greedy(game).choose(state, random.Random(0)) == 2
    assert {Lucky(game).choose(state, random.Random(seed)) for seed in range(40)} == {0, 1, 2, 3}


def test_a_game_is_decided_by_its_luck() -> None:
    game = MODELS["minimax"]
    planner, ghosts = Planner(game, 1, natively=False), [Lucky(MODELS["random"])] * 2
    first, second = (play(game, planner, ghosts, random.Random(7)) for _ in range(2))
    assert first == second
    assert first.won + first.eaten == 1 or first.steps == 20
    assert len({play(game, planner, ghosts, random.Random(seed)) for seed in range(8)}) > 1


def test_the_starving_pacman() -> None:
    plans = pacman.plans()
    worths = {str(row[0]): row[1:] for row in plans.rows}
    assert worths["west, east"][0] == worths["stay, west"][0] == 8
    assert worths["west, east"][1] > max(worth[1] for plan, worth in worths.items() if not plan.startswith("west"))
    assert plans.holds
    report = pacman.starving(pacman.Bench(6, 0, lambda _: None))
    assert report.holds
    assert [row[0] for row in report.rows] == ["score", "better"]
    assert report.rows[1][2] == "6/6"


def test_means() -> None:
    assert str(Mean.of([1, 3])) == "2 ± 1"
    assert Mean.of([5]) == Mean(5, 0)
    assert Mean(10, 1).is_above(Mean(5, 1))
    assert not Mean(10, 3).is_above(Mean(5, 1))
    assert Mean(inf, 0).is_above(Mean(0, 0))


def reports(games: int, seed: int, tell: Any) -> Iterator[Report]:
    tell("first")
    yield Report("a table", "All is well.", ("what", "figure"), (("games", games), ("seed", seed)), "so it is", True)
    if seed == 13:
        raise KeyboardInterrupt
    yield Report("another", "All is ill.", ("what",), (("nothing",),), "it isn't", False)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacman, "PACMAN", Experiment("pacman", "tables", reports))


@pytest.mark.usefixtures("small")
def test_the_tables_are_shown_with_what_was_found() -> None:
    done = CliRunner().invoke(app, ["lab", "pacman", "--games", "4"])
    assert done.exit_code == 0
    assert "1. a table\nClaim: All is well.\n" in done.stdout
    assert "It holds here: so it is.\n" in done.stdout
    assert "It does not hold here: it isn't.\n" in done.stdout
    found = json.loads(CliRunner().invoke(app, ["lab", "pacman", "--games", "4", "--json"]).stdout)
    assert [(each["name"], each["holds"]) for each in found] == [("a table", True), ("another", False)]
    assert found[0]["rows"] == [["games", 4], ["seed", 0]]
    assert "pacman  tables" in CliRunner().invoke(app, ["lab"]).stdout
    assert json.loads(CliRunner().invoke(app, ["lab", "--json"]).stdout) == [{"name": "pacman", "about": "tables"}]
    assert json.loads(CliRunner().invoke(app, ["lab", "--json", "pacman", "--games", "4"]).stdout) == found


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_stopped_run_keeps_what_is_done(json_too: list[str]) -> None:
    done = CliRunner().invoke(app, ["lab", "pacman", "--seed", "13", *json_too])
    assert done.exit_code == 130
    assert "a table" in done.stdout
    assert "another" not in done.stdout


def test_a_wrong_number_of_games_is_refused() -> None:
    done = CliRunner().invoke(app, ["lab", "pacman", "--games", "0"])
    assert "--games is a number from 1 to 100,000, not 0" in str(done.exception)


@pytest.mark.native
def test_native_planners_choose_what_interpreted_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    game = Pacman("medium", ghosts_play="minimax", steps=12)
    assert game.words == 2
    fast, slow = Planner(game, 2), Planner(game, 2, natively=False)
    luck, state = random.Random(3), game.initial()
    while not game.is_terminal(state):
        assert fast.best(state) == slow.best(state)
        state = game.result(state, luck.choice(fast.best(state)[0]))
