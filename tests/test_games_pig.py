"""Pig: its rules, its texts, and what is refused."""

from __future__ import annotations

import pytest

from zermelo.board import Fields
from zermelo.draw.text import lines
from zermelo.errors import BadInput, IllegalAction
from zermelo.game import CHANCE
from zermelo.games.pig import Pig
from zermelo.position import Position


def test_a_turn() -> None:
    position = Position(Pig())
    position.push_text("roll 6 roll 3 hold")
    assert str(position) == "9:0 2+0"
    position.push_text("roll 5 roll 1")
    assert str(position) == "9:0 1+0"
    position.push_text("roll")
    assert (str(position), position.to_move, position.is_chance) == ("9:0 1+0 rolling", CHANCE, True)


def test_a_turn_begins_with_a_roll() -> None:
    with pytest.raises(IllegalAction, match="'hold' is not legal"):
        Position.from_text(Pig(), moves="hold")


def test_whoever_has_the_target_has_won() -> None:
    position = Position.from_text(Pig(), "4:95 2+0", "roll 5")
    assert position.is_terminal
    assert position.utilities == (0, 1)


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_the_die_is_fair(sides: int) -> None:
    game = Pig(sides=sides)
    odds = dict(game.outcomes(game.parse_state("0:0 1+0 rolling")))
    assert list(odds) == list(range(1, sides + 1))
    assert set(odds.values()) == {1 / sides}


def test_the_board() -> None:
    game = Pig()
    board = game.board(game.parse_state("20:31 2+7 rolling"))
    assert isinstance(board, Fields)
    assert lines(board) == [
        "player 1  ■■■■■···················· 20",
        "player 2  ■■■■■■■·················· 31",
        "turn      player 2 has 7, and the die is rolling",
    ]


@pytest.mark.parametrize("text", ["", "20:31", "20:31 3+0", "20 31 1+0", "a:b 1+0", "20:31 1+7 resting", "-1:0 1+0"])
def test_what_is_no_state(text: str) -> None:
    with pytest.raises(BadInput, match="is no state of Pig, which is written like 20:31 1"):
        Pig().parse_state(text)


@pytest.mark.parametrize("text", ["100:3 1+0", "3:100 1+0", "97:3 1+9", "97:3 1+3 rolling"])
def test_play_that_went_on_after_the_end(text: str) -> None:
    with pytest.raises(BadInput, match="went on after somebody had 100"):
        Pig().parse_state(text)


@pytest.mark.parametrize("settings", [{"target": 1}, {"target": 1001}, {"sides": 1}, {"sides": 101}])
def test_settings_that_make_no_game(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=r"Pig needs a target from 2 to 1,000 and from 2 to 100 sides"):
        Pig(**settings)
