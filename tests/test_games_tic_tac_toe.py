"""Tic-tac-toe: the well-known counts, lines in all directions, text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.bits import Bits, bit
from zermelo.errors import BadInput
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position

SIZES = [(3, 3, 3), (4, 3, 3), (2, 5, 3), (1, 4, 2), (8, 8, 5), (5, 5, 4), (26, 2, 7)]


def explore(game: TicTacToe, state: Any, games: dict[Any, Counter[float]]) -> Counter[float]:
    """How many games from `state` end with each utility of X; `games` holds all states in the end."""
    if state not in games:
        if game.is_terminal(state):
            games[state] = Counter([game.utility(state, 0)])
        else:
            games[state] = Counter()
            for action in game.actions(state):
                games[state].update(explore(game, game.result(state, action), games))
    return games[state]


def value(game: TicTacToe, state: Any, memo: dict[Any, float]) -> float:
    """The value of a state to the player to move, by plain minimax."""
    if state not in memo:
        if game.is_terminal(state):
            memo[state] = game.utility(state, game.to_move(state))
        else:
            memo[state] = max(-value(game, game.result(state, action), memo) for action in game.actions(state))
    return memo[state]


def lines_naive(width: int, height: int, line: int) -> list[set[int]]:
    """All lines of a board as sets of cells, walked cell by cell."""
    found = []
    for row, column, (down, across) in product(range(height), range(width), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        places = [(row + down * step, column + across * step) for step in range(line)]
        if all(0 <= r < height and 0 <= c < width for r, c in places):
            found.append({r * width + c for r, c in places})
    return found


def test_counts_of_the_whole_game() -> None:
    game, games = TicTacToe(), {}
    ends = explore(game, game.initial(), games)
    assert len(games) == 5_478
    assert ends.total() == 255_168
    assert ends == {1: 131_184, -1: 77_904, 0: 46_080}
    assert len({game.canonical_key(state) for state in games}) == 765
    assert len({game.key(state) for state in games}) == 5_478


def test_values() -> None:
    game = TicTacToe()
    memo: dict[Any, float] = {}
    assert value(game, game.initial(), memo) == 0
    for state, worth in memo.items():
        assert all(memo.get(twin, worth) == worth for twin in game.symmetries(state))
    assert value(TicTacToe(4, 3, 3), TicTacToe(4, 3, 3).initial(), {}) == 1
    assert value(TicTacToe(3, 3, 2), TicTacToe(3, 3, 2).initial(), {}) == 1


@pytest.mark.parametrize("size", SIZES)
def test_every_line_wins_and_nothing_less(size: tuple[int, int, int]) -> None:
    game = TicTacToe(*size)
    lines = lines_naive(*size)
    assert game.most_lines == len(lines)
    for cells in lines:
        line = Bits(sum(1 << cell for cell in cells))
        assert game.count_lines(line) == 1
        assert all(game.count_lines(line ^ bit(cell)) == 0 for cell in cells)


@given(st.sampled_from(SIZES), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@examples(200)
def test_lines_are_counted_as_one_would(size: tuple[int, int, int], some: int, others: int) -> None:
    game = TicTacToe(*size)
    cells = Bits(some | others) & game.full
    assert game.count_lines(cells) == sum(line <= set(cells) for line in lines_naive(*size))


def test_symmetries_are_the_other_ways_to_see_the_board() -> None:
    game = TicTacToe()
    corner = game.parse_state("X../O../...")
    assert len(set(game.symmetries(corner)) | {corner}) == 8
    assert len(list(TicTacToe(4, 3, 3).symmetries(TicTacToe(4, 3, 3).initial()))) == 3
    wide = TicTacToe(3, 2, 2)
    assert {wide.format_state(twin) for twin in wide.symmetries(wide.parse_state("XO./..."))} == {
        ".OX/...",
        ".../XO.",
        ".../.OX",
    }


def test_text_of_moves() -> None:
    game = TicTacToe()
    state = game.initial()
    names = [game.format_action(state, action) for action in game.actions(state)]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    position = Position.from_text(game, moves="b2 a3 C1")
    assert str(position) == "O../.X./..X"


@pytest.mark.parametrize(
    ("text", "turn"),
    [("XO./.X./..O", 0), ("xo./.x./...", 1), ("XXX/OO./...", 1), ("XOX/XOO/OXX", 1), (".../.../...", 0)],
)
def test_text_of_states(text: str, turn: int) -> None:
    game = TicTacToe()
    state = game.parse_state(text)
    assert state.turn == turn
    assert game.format_state(state) == text.upper()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not 3 rows of 3"),
        ("XO./.X.", "is not 3 rows of 3"),
        ("XO./.X./..O.", "is not 3 rows of 3"),
        ("XO./.X./..Z", "is not 3 rows of 3"),
        ("XX./.../...", "has 2 X and 0 O"),
        ("O../.../...", "has 0 X and 1 O"),
        ("XXX/OOO/...", "went on after X had won"),
        ("XXX/OO./O..", "went on after X had won"),
        ("OOO/XX./XX.", "went on after O had won"),
    ],
)
def test_refused_states(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        TicTacToe().parse_state(text)


@pytest.mark.parametrize("size", [(0, 3, 3), (3, 0, 3), (9, 8, 3), (27, 2, 3), (3, 3, 1), (3, 3, 4)])
def test_refused_sizes(size: tuple[int, int, int]) -> None:
    with pytest.raises(BadInput, match="TicTacToe needs"):
        TicTacToe(*size)


def test_board() -> None:
    grid = TicTacToe().board(TicTacToe().parse_state("XO./.../..."))
    assert grid.cells == ("X", "O", "", "", "", "", "", "", "")
    assert grid.owners == (0, 1, -1, -1, -1, -1, -1, -1, -1)
    assert (grid.rows, grid.columns) == (("3", "2", "1"), ("a", "b", "c"))


def test_evaluation_counts_open_lines() -> None:
    game = TicTacToe()
    state = game.parse_state(".../.X./O..")
    open_to = {
        mark: sum(not any("".join(game.rows(state))[cell] == other for cell in line) for line in lines_naive(3, 3, 3))
        for mark, other in ("XO", "OX")
    }
    assert open_to == {"X": 5, "O": 4}
    assert game.evaluate(state, 0) == 1 / 9
    assert game.evaluate(state, 1) == -game.evaluate(state, 0)


def test_evaluation_stays_inside_the_bounds() -> None:
    game = TicTacToe()
    for stones in combinations(range(9), 4):
        state = game.State(Bits(sum(1 << cell for cell in stones)), Bits(0), 0)
        assert -1 < game.evaluate(state, 0) < 1


# Three players.


def test_three_players_have_a_wider_board() -> None:
    game = TicTacToe(players=3)
    assert (game.width, game.height, game.player_names, game.utility_bounds) == (5, 3, ("X", "O", "Z"), (-1, 2))
    assert (TicTacToe(players=3, width=4).width, TicTacToe().width) == (4, 3)
    with pytest.raises(BadInput, match="TicTacToe is for 2 or 3 players, not 4"):
        TicTacToe(players=4)


@given(st.randoms(use_true_random=False), st.sampled_from([(5, 3, 3), (3, 3, 3), (4, 4, 3)]))
@examples(40)
def test_three_players_by_a_board_of_letters(dice: Any, size: tuple[int, int, int]) -> None:
    game, lines = TicTacToe(*size, players=3), lines_naive(*size)
    state, cells = game.initial(), ["."] * (size[0] * size[1])
    for ply in range(len(cells)):
        assert not game.is_terminal(state)
        assert game.to_move(state) == ply % 3
        assert list(game.actions(state)) == [cell for cell, mark in enumerate(cells) if mark == "."]
        open_to = [sum({cells[cell] for cell in line} <= {mark, "."} for line in lines) for mark in "XOZ"]
        worths = [game.evaluate(state, player) for player in range(3)]
        assert worths == [(3 * own - sum(open_to)) / (2 * (len(lines) + 1)) for own in open_to]
        assert -1 < min(worths) <= max(worths) < 2
        assert game.parse_state(game.format_state(state)) == state
        assert game.skipped(state) == state._replace(turn=(ply + 1) % 3)
        action = dice.choice(list(game.actions(state)))
        state, cells[action] = game.result(state, action), "XOZ"[ply % 3]
        assert "".join(game.rows(state)) == "".join(cells)
        won = any({cells[cell] for cell in line} == {"XOZ"[ply % 3]} for line in lines)
        assert game.is_terminal(state) == (won or "." not in cells)
        if game.is_terminal(state):
            assert game.utilities(state) == tuple(0 if not won else 2 if p == ply % 3 else -1 for p in range(3))
            break
    assert len({game.canonical_key(twin) for twin in (state, *game.symmetries(state))}) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("XOZ../...../....", "is not 3 rows of 5 X, O, Z or ."),
        ("XOY../...../.....", "is not 3 rows of 5 X, O, Z or ."),
        ("XOZZ./...../.....", "has 1 X and 1 O and 2 Z: X starts, then O, then Z"),
        ("XXXOO/OZZ../Z....", "went on after X had won"),
    ],
)
def test_refused_states_of_three(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=re.escape(complaint)):
        TicTacToe(players=3).parse_state(text)
