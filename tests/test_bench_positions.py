"""The positions that are measured: files that are whole, and legal positions with the values they claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.bench import epd
from zermelo.bench.positions import connect_four, lines, opened, othello, played
from zermelo.errors import BadInput
from zermelo.games.othello import Othello

FILES = ("end_easy", "middle_easy", "middle_medium", "begin_easy", "begin_medium")


@pytest.mark.parametrize("name", FILES)
def test_files_of_connect_four_hold_500_positions(name: str) -> None:
    assert len(lines(f"connect_four/{name}.txt")) == 500
    for problem in connect_four(name, 20):
        assert not problem.position.is_terminal
        assert abs(problem.value) <= 18


def test_the_best_moves_of_othello_problems_are_legal_and_all_named() -> None:
    problems = othello("ffo_40_44")
    assert [problem.value for problem in problems] == [38, 0, 6, -12, -14]
    assert problems[0].best == {"a2"}
    assert problems[3].best == {"g3", "c7"}
    for problem in problems + othello("ffo_1_19"):
        position = problem.position
        assert problem.best <= {position.game.format_action(position.state, move) for move in position.moves}
    assert len(othello("ffo_1_19", 3)) == 3


def test_openings_have_36_empty_squares() -> None:
    game = Othello()
    assert {game.moves_left(position.state) for position in opened(game)} == {36}
    assert len({position.state for position in opened(game)}) == 6


def test_random_play_stops_where_it_is_told_and_is_the_same_again() -> None:
    game = Othello()
    states = [played(game, 12, seed).state for seed in range(5)]
    assert states == [played(game, 12, seed).state for seed in range(5)]
    assert len(set(states)) == 5
    assert {game.moves_left(state) for state in states} == {12}
    assert not any(game.is_terminal(state) for state in states)


# Files of chess positions with what is known of them.

FOOLS = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{FOOLS} bm Qh4#;\n{FOOLS} bm Qh9;", "line 2: 'Qh9' is no move of chess"),
        (f"{FOOLS} am Kd8;", "line 1: 'Kd8' is not legal"),
        ("# a comment\n\n7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;", "line 3: the game is over in 7k"),
        ("8/8/8/8/8/8/8/8 w - - bm e4;", "line 1: .* has 0 kings"),
        ("nonsense", "line 1: 'nonsense' is no line of EPD"),
        ("\n# nothing\n", "has no positions"),
    ],
)
def test_a_problem_that_can_t_be_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "some.epd").write_text(text)
    with pytest.raises(BadInput, match=words):
        next(epd.solve_each(str(tmp_path / "some.epd")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{FOOLS} ;D1 30 ;D2 many", "line 1: D2 has 'many' for a count"),
        (f"{FOOLS} ;D1", "line 1: D1 has '' for a count"),
        (f"{FOOLS} ;D1 ²", "line 1: D1 has '²' for a count"),
        (f"{FOOLS} bm Qh4#;", "has no counts: write them behind the positions"),
    ],
)
def test_a_count_that_is_none_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "some.epd").write_text(text)
    with pytest.raises(BadInput, match=words):
        next(epd.count_each(str(tmp_path / "some.epd")))


def test_limits_of_problems_are_told_before_anything_is_read() -> None:
    for limits, words in (
        ({"seconds": 0}, "seconds must be more than 0"),
        ({"mate": 0}, "a mate is in 1 move or more"),
    ):
        with pytest.raises(BadInput, match=words):
            next(epd.solve_each("no.epd", **limits))
