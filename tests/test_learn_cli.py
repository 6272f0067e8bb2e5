"""`zermelo tune`: what it prints and keeps, how it goes on, and its sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from zermelo.cli.main import app
from zermelo.cli.tune import as_python
from zermelo.errors import BadInput
from zermelo.games.othello import Othello
from zermelo.learn.weights import read_weights

SMALL = ("othello:size=4", "games")
QUICK = ("--world", "interpreted")
BEGIN = (*SMALL, *QUICK, "--depth", "1", "--opening", "3")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def tune(*words: str) -> Result:
    return CliRunner().invoke(app, ["tune", *words])


def answer(*words: str) -> Any:
    done = tune(*words, "--json")
    assert done.exception is None, done.exception
    return json.loads(done.stdout)


def sentence(*words: str) -> str:
    done = tune(*words)
    assert isinstance(done.exception, BadInput), (done.output, done.exception)
    return str(done.exception)


def test_games_fit_match_and_more_games() -> None:
    first = answer(*BEGIN, "--games", "14", "--match", "4", "--unit", "mobility=1", "--write", "new.json")
    assert (first["games"], first["used_games"]) == (14, 14)
    assert first["features"] == list(Othello.feature_names)
    assert first["before"] == list(Othello.weights)
    assert first["weights"][0] == 1
    assert first["loss_after"]["held"] <= first["loss_before"]["held"]
    assert first["weights"] != first["before"]
    assert first["match"]["wins"] + first["match"]["draws"] + first["match"]["losses"] == 4
    assert list(read_weights("new.json", Othello(size=4))) == first["weights"]
    again = answer(*SMALL, *QUICK, "--resume", "--match", "4", "--unit", "mobility=1")
    assert again == first, "nothing is played anew but the match, and that is the same"
    more = answer(*SMALL, *QUICK, "--resume", "--games", "16", "--weights", "new.json")
    assert more["games"] == 16
    assert more["before"] == first["weights"]
    assert sentence(*SMALL, "--resume", "--opening", "4").startswith("games was begun with --opening 3")


def test_games_of_two_files() -> None:
    first = answer(*BEGIN, "--games", "14")
    other = ("othello:size=4", "other", *BEGIN[2:], "--games", "10", "--seed", "3")
    second = answer(*other)
    both = answer(*SMALL, *QUICK, "--resume", "--also", "other")
    assert both["games"] == 24
    assert both["used_games"] == first["used_games"] + second["used_games"], "games have numbers of their own"
    assert both["positions"] == first["positions"] + second["positions"]
    assert both["weights"] not in (first["weights"], second["weights"])
    assert "(24 in the files)" in tune(*SMALL, *QUICK, "--resume", "--also", "other").output
    assert sentence(*SMALL, "--resume", "--also", "./games") == "--also ./games: that file is read already"
    assert sentence(*SMALL, "--resume", "--also", "none") == "--also none: there is no such file"
    answer("othello:size=6", "large", *BEGIN[2:], "--games", "4")
    assert sentence(*SMALL, "--resume", "--also", "large").startswith("large has games of othello:size=6")


def test_what_people_read() -> None:
    done = tune(*BEGIN, "--games", "6", "--pull", "1e12")
    assert done.exception is None
    assert "quiet positions of 6 games (6 in the file)" in done.output
    assert "loss on games kept out: " in done.output
    assert "nothing has changed" in done.output
    assert "weights = (1.0, 0.4, 8.0, -6.0, -1.0, 1.0)\n" in done.output


def test_what_is_refused() -> None:
    assert sentence("connect-four", "games").startswith("ConnectFour has no features")
    assert sentence("tic-tac-toe:players=3", "games").startswith("TicTacToe has no features")
    assert sentence(*BEGIN, "--unit", "speed=1").startswith("--unit is a feature and its worth, as in mobility=1")
    assert sentence(*BEGIN, "--unit", "mobility=much") == "--unit mobility=much: 'much' is not a number"
    assert sentence(*BEGIN, "--games", "0") == "--games is a number from 1 to 100,000,000, not 0"
    assert sentence(*BEGIN, "--match", "-1").startswith("--match is a number of games")
    assert sentence(*BEGIN, "--weights", "none.json") == "none.json can't be read: No such file or directory"
    assert sentence(*BEGIN, "--resume").startswith("there is no file games to resume")
    assert not Path("games").exists(), "what is refused leaves nothing behind"
    assert sentence(*BEGIN, "--games", "2").startswith("2 games with quiet positions are too few")
    assert sentence(*BEGIN, "--games", "2").startswith("games is there already: add --resume")
    assert sentence(*SMALL, "--resume", "--depth", "2") == (
        "games was begun with --depth 1: leave --depth out, or begin a new file"
    )
    assert sentence(*SMALL, "--resume", "--nodes", "2").startswith("games was begun without --nodes")
    assert sentence("othello", "games", "--resume") == "games has games of othello:size=4, not of othello"
    Path("text").write_text("games\n")
    assert sentence("othello", "text", "--resume").startswith("text is no file of games")
    assert sentence(
        "othello:size=4", "other", *QUICK, "--nodes", "100000", "--opening", "11", "--games", "3"
    ).startswith("other has no quiet positions in 3 games: play more, or think less")


def test_weights_as_python() -> None:
    for weights in ((1.5,), (1.0, -2.25), tuple(float(number) / 7 for number in range(100))):
        text = as_python(weights)
        assert eval(text) == weights
        assert max(map(len, text.splitlines())) <= 120
