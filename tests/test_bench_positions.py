"""The positions that are measured: files that are whole, and legal positions with the values they claim."""

from __future__ import annotations

import pytest

from zermelo.bench.positions import connect_four, lines, opened, othello, played
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
