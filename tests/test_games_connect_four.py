"""Connect Four: leaf counts, exact values of known positions, lines, text."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.bench.positions import lines
from zermelo.bits import Bits
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.connect_four import ConnectFour
from zermelo.position import Position

ENDINGS = [(line.split()[0], int(line.split()[1])) for line in lines("connect_four/end_easy.txt")[:60]]
SIZES = [(7, 6, 4), (4, 4, 3), (1, 5, 2), (6, 1, 3), (9, 6, 5), (3, 20, 4)]


def value(game: ConnectFour, state: Any, memo: dict[Any, float]) -> float:
    """The value of a state to the player to move, by plain minimax."""
    key = game.key(state)
    if key not in memo:
        if game.is_terminal(state):
            memo[key] = game.utility(state, game.to_move(state))
        else:
            memo[key] = max(-value(game, game.result(state, action), memo) for action in game.actions(state))
    return memo[key]


def leaves(game: ConnectFour, state: Any, depth: int) -> int:
    """How many ways of exactly `depth` moves there are."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    return sum(leaves(game, game.result(state, action), depth - 1) for action in game.actions(state))


def has_line_naive(rows: list[str], line: int) -> bool:
    """Whether X has a line, walked cell by cell."""
    height, width = len(rows), len(rows[0])
    for row, column, (down, across) in product(range(height), range(width), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        places = [(row + down * step, column + across * step) for step in range(line)]
        if all(0 <= r < height and 0 <= c < width and rows[r][c] == "X" for r, c in places):
            return True
    return False


def test_leaf_counts() -> None:
    game = ConnectFour()
    assert [leaves(game, game.initial(), depth) for depth in range(7)] == [1, 7, 49, 343, 2_401, 16_807, 117_649]


def test_leaf_count_where_games_end_early() -> None:
    """After three discs each on columns 1 and 2, X has won one of the seven ways, and that goes no further."""
    game = ConnectFour()
    state = Position.from_text(game, moves="121212").state
    assert leaves(game, state, 1) == 7
    assert leaves(game, state, 2) == 6 * 7


@pytest.mark.parametrize(("moves", "score"), ENDINGS)
def test_exact_values_of_known_endings(moves: str, score: int) -> None:
    game = ConnectFour(margin=1)
    state = Position.from_text(game, moves=moves).state
    assert value(game, state, {}) == score
    plain = ConnectFour()
    assert value(plain, Position.from_text(plain, moves=moves).state, {}) == (score > 0) - (score < 0)


def test_margin_counts_discs_of_the_winner() -> None:
    assert Position.from_text(ConnectFour(margin=1), moves="1212121").utilities == (18, -18)
    assert Position.from_text(ConnectFour(margin=1), moves="71212121").utilities == (-18, 18)
    assert Position.from_text(ConnectFour(margin=1), moves="1213121").utilities == (18, -18)
    assert Position.from_text(ConnectFour(margin=1), moves="551212121").utilities == (17, -17)
    assert Position.from_text(ConnectFour(), moves="71212121").utilities == (-1, 1)


def test_margin_is_never_nothing_for_a_win() -> None:
    """A win with the last disc of an odd board is worth 1 as well."""
    game = ConnectFour(3, 3, 3, margin=1)
    assert game.utility_bounds == (-3, 3)
    state = game.parse_state("OXX/XOX/OOX")
    assert game.utilities(state) == (1, -1)


def test_small_boards_by_plain_minimax() -> None:
    assert value(ConnectFour(4, 4), ConnectFour(4, 4).initial(), {}) == 0
    assert value(ConnectFour(3, 3, 3), ConnectFour(3, 3, 3).initial(), {}) == 0
    assert value(ConnectFour(4, 3, 3), ConnectFour(4, 3, 3).initial(), {}) == 1


@given(st.sampled_from(SIZES), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@examples(200)
def test_lines_are_seen_as_one_would(size: tuple[int, int, int], some: int, others: int) -> None:
    game = ConnectFour(*size)
    cells = Bits(some | others) & game.full
    width, height, line = size
    rows = [
        "".join("X" if column * (height + 1) + row in cells else "." for column in range(width))
        for row in reversed(range(height))
    ]
    assert game.has_line(cells) == has_line_naive(rows, line)


def with_disc(rows: list[str], row: int, column: int) -> list[str]:
    return [text[:column] + "X" + text[column + 1 :] if each == row else text for each, text in enumerate(rows)]


@given(st.sampled_from(SIZES), st.integers(0, 2**64 - 1), st.lists(st.integers(0, 20), min_size=9, max_size=9))
@examples(100)
def test_cells_that_complete_a_line_are_seen_as_one_would(
    size: tuple[int, int, int], some: int, heights: list[int]
) -> None:
    game = ConnectFour(*size)
    width, height, line = size
    taken = {(row, column) for column in range(width) for row in range(heights[column] % (height + 1))}
    own = {(row, column) for row, column in taken if some >> column * (height + 1) + row & 1}
    rows = ["".join("X" if (row, column) in own else "." for column in range(width)) for row in range(height)]
    if has_line_naive(rows, line):
        return
    found = game.completing(Bits(sum(1 << column * (height + 1) + row for row, column in own)))
    for row in range(height):
        for column in range(width):
            completes = column * (height + 1) + row in found
            assert (row, column) in taken or completes == has_line_naive(with_disc(rows, row, column), line)


def test_what_wins_and_what_loses_at_once_is_seen() -> None:
    game = ConnectFour()

    def seen(moves: str) -> tuple[str, tuple[float, float]]:
        state = Position.from_text(game, moves=moves).state
        columns = "".join(game.format_action(state, action) for action in game.plausible(state))
        return columns, game.bounds(state, game.to_move(state))

    assert seen("") == ("4352617", (-1, 1))
    assert seen("414141") == ("4", (1, 1))
    assert seen("41414") == ("4", (-1, 1))
    assert seen("41525") == ("4352617", (-1, 1))
    assert seen("314151") == ("26", (1, 1))
    assert seen("31415") == ("4352617", (-1, -1))


@given(st.sampled_from(SIZES), st.lists(st.integers(0, 8), max_size=42))
@examples(100)
def test_keys_tell_all_states_apart(size: tuple[int, int, int], columns: list[int]) -> None:
    game = ConnectFour(*size)
    state, seen = game.initial(), {}
    for column in columns:
        if game.is_terminal(state) or column not in set(game.actions(state)):
            continue
        state = game.result(state, column)
        assert seen.setdefault(game.key(state), state) == state
        (mirror,) = game.symmetries(state)
        assert game.canonical_key(mirror) == game.canonical_key(state)
        assert game.rows(mirror) == [row[::-1] for row in game.rows(state)]
        assert next(iter(game.symmetries(mirror))) == state


def test_moves_as_text() -> None:
    game = ConnectFour()
    position = Position.from_text(game, moves="44433")
    assert str(position) == "......./......./......./...X.../..XO.../..OX..."
    assert position.history == (3, 3, 3, 2, 2)
    assert [game.format_action(position.state, action) for action in position.moves] == list("1234567")
    full = Position.from_text(game, moves="111111")
    with pytest.raises(IllegalAction, match="legal are 2 3 4 5 6 7"):
        full.push_text("1")


def test_compact_moves_only_where_a_column_is_one_character() -> None:
    assert ConnectFour(9, 6).compact
    wide = ConnectFour(10, 4)
    assert not wide.compact
    assert Position.from_text(wide, moves="10 1 10").history == (9, 0, 9)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("", "......./......./......./......./......./......."),
        ("44", "......./......./......./......./...O.../...X..."),
        ("44433", "......./......./......./...X.../..XO.../..OX..."),
        ("1212121", "......./......./X....../XO...../XO...../XO....."),
    ],
)
def test_states_as_text(moves: str, text: str) -> None:
    game = ConnectFour()
    state = Position.from_text(game, moves=moves).state
    assert game.format_state(state) == text
    assert game.parse_state(text.lower()) == state


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not 2 rows of 3"),
        ("XO./...", "nothing under it"),
        ("X../O.", "is not 2 rows of 3"),
        ("../X../O..", "is not 2 rows of 3"),
        (".../XYO", "is not 2 rows of 3"),
        (".../XX.", "has 2 X and 0 O"),
        (".../.O.", "has 0 X and 1 O"),
        ("OOO/XXX", "went on after X had won"),
    ],
)
def test_refused_states(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        ConnectFour(3, 2, 3).parse_state(text)


@pytest.mark.parametrize("size", [(0, 6, 4), (7, 0, 4), (8, 8, 4), (7, 6, 1), (7, 6, 8), (7, 6, 4, 2)])
def test_refused_sizes(size: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="ConnectFour needs"):
        ConnectFour(*size)


def test_board() -> None:
    game = ConnectFour(3, 2, 3)
    grid = game.board(game.parse_state("O../X.X"))
    assert grid.cells == ("O", "", "", "X", "", "X")
    assert grid.owners == (1, -1, -1, 0, -1, 0)
    assert grid.columns == ("1", "2", "3")


def test_evaluation_counts_what_completes_a_line() -> None:
    game = ConnectFour()
    state = Position.from_text(game, moves="414141").state
    assert game.evaluate(state, 0) == 0
    state = Position.from_text(game, moves="41414").state
    assert game.evaluate(state, 0) == 1 / 43
    assert game.evaluate(state, 1) == -1 / 43
