"""`zermelo new`: what it writes works at once, and it never harms a file."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.cli.scaffold import module_name, write_new
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.position import Position

NEEDED = ("Game", "Position", "best")
ready = pytest.mark.skipif(
    not all(hasattr(zermelo, name) for name in NEEDED), reason=f"zermelo has not all of {NEEDED} yet"
)


def load(path: Path, name: str) -> Game:
    """An instance of the class `name` in the file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game = getattr(module, name)()
    return game


def value(game: Game) -> float:
    """What the game is worth to the player who begins, by plain minimax."""

    @cache
    def worth(state: Any) -> float:
        if game.is_terminal(state):
            return game.utility(state, 0)
        values = [worth(game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == 0 else min(values)

    return worth(game.initial())


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_writes_a_game_and_its_test(tmp_path: Path) -> None:
    paths = write_new("count-up", tmp_path)
    assert paths == [tmp_path / "count_up.py", tmp_path / "test_count_up.py"]
    for path in paths:
        text = path.read_text("utf-8")
        compile(text, str(path), "exec")
        assert "CountUp" in text
        assert "$" not in text


@ready
def test_the_game_is_a_game_and_its_facts_hold(tmp_path: Path) -> None:
    game = load(write_new("count-up", tmp_path)[0], "CountUp")
    kind = type(game)
    assert [value(kind(goal)) for goal in (3, 5, 7, 9, 21)] == [-1] * 5
    assert value(kind(8, 3)) == 1
    assert value(kind(40)) == 1
    position = Position(game)
    while not position.is_terminal:
        texts = [game.format_action(position.state, move) for move in position.moves]
        assert len(set(texts)) == len(texts)
        game.board(position.state)
        position.push_text(texts[-1])
    assert position.state.count == 40


@ready
def test_its_test_passes_as_written(tmp_path: Path) -> None:
    write_new("my-race", tmp_path)
    assert run(sys.executable, "test_my_race.py", folder=tmp_path).count("ok test_") == 4
    assert "4 passed" in run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)


@pytest.mark.parametrize("name", ["count_up.py", "test_count_up.py"])
def test_a_file_that_is_there_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        write_new("count-up", tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]


def test_a_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no folder"):
        write_new("count-up", tmp_path / "nowhere")


def test_a_link_to_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "test_race.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(BadInput, match="can't write"):
        write_new("race", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["test_race.py"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "letters, digits"),
        ("2048", "letters, digits"),
        ("my game", "letters, digits"),
        ("../escape", "letters, digits"),
        ("mine.py", "letters, digits"),
        ("_", "letters, digits"),
        ("class", "word of Python"),
        ("none", "word of Python"),
        ("random", "hide the Python module random"),
        ("Random", "hide the Python module random"),
        ("zermelo", "hide the Python module zermelo"),
        ("game", "a class Game would hide"),
    ],
)
def test_bad_names_are_one_sentence(name: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        module_name(name)
    assert "\n" not in str(caught.value)
