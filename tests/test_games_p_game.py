"""Board splitting: the board is what the squares say, the evaluation counts them, and chances balance."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.board import Fields, Grid
from zermelo.errors import BadInput
from zermelo.games.p_game import BoardSplitting


def value(game: BoardSplitting, state: Any) -> float:
    """The value to the player to move, by plain minimax."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state))
    return max(-value(game, game.result(state, action)) for action in game.actions(state))


def squares(game: BoardSplitting, state: Any) -> list[tuple[int, int]]:
    """The squares that can be left in the end."""
    if game.is_terminal(state):
        return [(state.row, state.column)]
    return [one for action in game.actions(state) for one in squares(game, game.result(state, action))]


@pytest.mark.parametrize(("branching", "depth"), [(2, 0), (2, 1), (2, 5), (2, 6), (3, 4), (4, 3)])
def test_every_square_is_one_way_to_split(branching: int, depth: int) -> None:
    game = BoardSplitting(branching, depth)
    found = squares(game, game.initial())
    assert len(found) == branching**depth
    assert sorted(found) == [
        (row, column) for row in range(branching ** (depth // 2)) for column in range(branching ** ((depth + 1) // 2))
    ]


def test_the_first_player_splits_columns() -> None:
    game = BoardSplitting(2, 2)
    left = game.result(game.initial(), 0)
    assert set(squares(game, left)) == {(0, 0), (1, 0)}
    assert set(squares(game, game.result(left, 1))) == {(1, 0)}


@given(st.integers(2, 3), st.integers(0, 5), st.integers(), st.data())
@examples(100)
def test_evaluation_is_the_part_of_squares_won(branching: int, depth: int, seed: int, data: st.DataObject) -> None:
    game = BoardSplitting(branching, depth, seed=seed)
    state = game.initial()
    while not game.is_terminal(state):
        left = squares(game, state)
        won = sum(game.winner(*square) == 0 for square in left)
        assert game.evaluate(state, 0) == pytest.approx((2 * won - len(left)) / (len(left) + 1))
        assert game.evaluate(state, 1) == -game.evaluate(state, 0)
        assert game.parse_state(game.format_state(state)) == state
        state = game.result(state, data.draw(st.integers(0, branching - 1)))
    assert game.utility(state, 0) == -game.utility(state, 1) == (1 if game.evaluate(state, 0) > 0 else -1)


@pytest.mark.parametrize("depth", [5, 6])
def test_probability_is_that_of_a_square_for_whoever_moves_last(depth: int) -> None:
    last = (depth - 1) % 2
    for probability in (0.0, 0.25, 0.382, 1.0):
        games = [BoardSplitting(2, depth, probability, seed) for seed in range(40)]
        wins = [game.winner(*square) == last for game in games for square in squares(game, game.initial())]
        assert sum(wins) / len(wins) == pytest.approx(probability, abs=0.03)


def test_at_the_critical_probability_both_win_often() -> None:
    """(3 - √5) / 2 is the fixed point: whatever the depth, whoever moves last wins with that probability."""
    games = [BoardSplitting(2, 8, 0.381966, seed) for seed in range(150)]
    wins = sum(value(game, game.initial()) == -1 for game in games)
    assert 0.28 < wins / len(games) < 0.48


def test_seeds_make_different_boards_and_the_same_seed_the_same() -> None:
    def board(seed: int) -> list[int]:
        game = BoardSplitting(2, 6, 0.5, seed)
        return [game.winner(row, column) for row in range(8) for column in range(8)]

    assert board(1) == board(1)
    assert len({tuple(board(seed)) for seed in range(20)}) == 20


def test_board_shows_what_is_left() -> None:
    game = BoardSplitting(2, 2, 1.0)
    picture = game.board(game.result(game.initial(), 1))
    assert isinstance(picture, Grid)
    assert (picture.width, picture.height) == (2, 2)
    assert picture.cells == ("", "2", "", "2")
    assert picture.owners == (-1, 1, -1, 1)
    assert isinstance(BoardSplitting(2, 20).board(BoardSplitting(2, 20).initial()), Fields)


@pytest.mark.parametrize(("row", "column", "ply"), [(0, 0, 7), (0, 0, -1), (1, 0, 1), (0, 2, 1), (-1, 0, 0)])
def test_refused_states(row: int, column: int, ply: int) -> None:
    with pytest.raises(BadInput, match="is no part of the board"):
        BoardSplitting().parse_state(f"row={row} column={column} ply={ply}")


@pytest.mark.parametrize(
    "parameters",
    [{"branching": 1}, {"depth": -1}, {"depth": 21}, {"branching": 10**9}, {"probability": 1.5}, {"probability": -0.1}],
)
def test_refused_parameters(parameters: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="BoardSplitting needs"):
        BoardSplitting(**parameters)
