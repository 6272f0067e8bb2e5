"""Simulations from the command line: `best --algorithm uct`, `playouts`, and what is refused there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zermelo.cli.main import main


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit code and the output of a command, in this process."""
    monkeypatch.setattr("sys.argv", ["zermelo", *words])
    code = 0
    try:
        code = int(main() or 0)
    except SystemExit as left:
        code = int(left.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_uct_tells_its_odds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = "best", "tic-tac-toe", "--algorithm", "uct", "--simulations", "300", "--world", "interpreted", "--seed", "5"
    code, out, _ = run(monkeypatch, capsys, *words, "--json", "--lines", "2")
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert (found["nodes"], found["algorithm"], len(found["lines"])) == (300, "uct", 2)
    assert found["visits"] == found["lines"][0]["visits"] >= found["lines"][1]["visits"]
    assert 0 < found["share"] <= 1
    assert 0 <= found["win"] + found["draw"] <= 1
    assert (
        run(monkeypatch, capsys, *words, "--json", "--lines", "2")[1].split('"seconds"')[0] == out.split('"seconds"')[0]
    )
    code, out, _ = run(monkeypatch, capsys, *words)
    assert "of simulations, won" in out
    assert "simulated 300 games" in out


def test_what_is_no_end_is_no_win(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = "best", "connect-four", "--algorithm", "uct", "--simulations", "90", "--world", "interpreted"
    code, out, _ = run(monkeypatch, capsys, *words, "--set", "rollout=0")
    assert code == 0
    assert "of simulations, mean ±" in out
    assert "win" not in json.loads(run(monkeypatch, capsys, *words, "--set", "rollout=0", "--json")[1])


def test_every_player_is_told_one_value(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = "best", "tic-tac-toe:players=3", "--algorithm", "uct", "--simulations", "90", "--world", "interpreted"
    found = json.loads(run(monkeypatch, capsys, *words, "--json")[1])
    assert found["values"][0] == found["value"]
    value = f"{found['value']:.4g}"
    out = run(monkeypatch, capsys, *words)[1]
    assert f"(X: value {value} (estimate))" in out
    assert f"each     X: {value}, O: " in out


def test_a_short_time_is_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = "best", "2048:target=64", "--algorithm", "uct", "--seconds", "0.01", "--world", "interpreted"
    found = json.loads(run(monkeypatch, capsys, *words, "--json")[1])
    assert found["nodes"] < 16


def test_a_play_of_several_moves_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "best", "backgammon", "--roll", "3-1", "--depth", "2", "--world", "interpreted"
    code, out, _ = run(monkeypatch, capsys, *words, "--json")
    assert code == 0
    assert json.loads(out)["play"] == ["8/5", "6/5"]
    assert run(monkeypatch, capsys, *words)[1].startswith("8/5 6/5  (X: value")


def test_playouts_are_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = "playouts", "nim:stones=4", "--games", "200", "--world", "interpreted", "--seed", "3"
    code, out, _ = run(monkeypatch, capsys, *words, "--json")
    found = json.loads(out)
    assert code == 0
    assert sum(result["games"] for result in found["results"]) == found["games"] == 200
    assert found["mean"][0] == -found["mean"][1]
    code, out, _ = run(monkeypatch, capsys, *words)
    assert "mean for player 1" in out
    assert "moves a game" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("best tic-tac-toe --roll 3", "chance does not move here in TicTacToe: leave out --roll"),
        ("best backgammon --roll 9-9", "'9-9' is not legal"),
        ("best nim --algorithm uct --depth 3", "give --simulations in place of --depth"),
        ("best nim --algorithm uct --set killers=no", "Monte-Carlo search has no switch 'killers'"),
        ("best nim --algorithm uct --set rave=-1", "rave must be 0 or more, not -1"),
        ("best nim --algorithm uct --set algorithm=flat", "choose it with --algorithm"),
        ("best nim --algorithm uct --set device=cuda --set rave=3", "rave is not for device=cuda"),
        ("best nim --algorithm uct --set device=cuda --threads 2", "threads is not for device=cuda"),
        ("best nim --algorithm uct --table 100000000", "a tree of 1e+08 MiB does not fit into"),
        ("best nim --algorithm flat --set urgency=0", "urgency is a switch of uct: flat has no tree"),
        (
            "best random-tree:branching=400,depth=3 --algorithm uct --table 0.01",
            "a tree of 0.01 MiB does not hold the 400 actions of this position: ask for more",
        ),
        ("best nim --algorithm uct --simulations 0", "nodes must be more than 0"),
        ("best nim --algorithm uct --book x.book", "--book is for the engine's algorithms, not for uct"),
        (
            "best nim --algorithm sampled --set probe=2",
            "probe is a switch of other algorithms: sampled has width alone",
        ),
        ("best nim --algorithm sampled --set width=0", "width must be 1 or more, not 0"),
        ("best nim --set width=2", "width is a switch of sampled, not of pvs"),
        ("best nim --seed 3", "--seed is for simulations, not for pvs"),
        ("playouts nim --games 0", "games must be 1 or more, not 0"),
        ("playouts nim --device tpu", "there is no device 'tpu'"),
        ("playouts nim --device cuda --world interpreted", "a GPU runs no interpreted rules: use the device cpu, or"),
        ("playouts nim --threads 0", "threads must be from 1 to 256, not 0"),
        ("playouts nothing", "unknown game"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(monkeypatch, capsys, *words.split())
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
