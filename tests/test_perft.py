"""Leaf counts: published ones, and the same in both worlds."""

from __future__ import annotations

import time
from typing import Any

import pytest

from zermelo import native
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.go import Go
from zermelo.games.heaps import Heaps
from zermelo.games.nim import Nim
from zermelo.games.p_game import BoardSplitting
from zermelo.games.random_tree import RandomTree
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.position import Position
from zermelo.search import perft as counting
from zermelo.search.perft import count_each, count_leaves

CONNECT_FOUR = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
TIC_TAC_TOE = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.native
@pytest.mark.parametrize("depth", range(10))
def test_connect_four(depth: int) -> None:
    assert count_leaves(Position(ConnectFour()), depth, "native").leaves == CONNECT_FOUR[depth]


@pytest.mark.native
@pytest.mark.parametrize("depth", range(10))
def test_tic_tac_toe(depth: int) -> None:
    assert count_leaves(Position(TicTacToe()), depth, "native").leaves == TIC_TAC_TOE[depth]


@pytest.mark.native
@pytest.mark.parametrize(
    ("game", "depth"),
    [
        (ConnectFour(5, 4, 3), 6), (TicTacToe(4, 3, 3), 4), (Nim(), 8), (Nim(stones=5, most=2, last="lose"), 5),
        (Heaps("3-4-2"), 5), (RandomTree(), 6), (BoardSplitting(), 6), (Tree(), 2),
    ],
)  # fmt: skip
def test_worlds_agree(game: Game, depth: int) -> None:
    position = Position(game)
    for plies in range(depth + 1):
        assert count_leaves(position, plies, "native").leaves == count_leaves(position, plies, "interpreted").leaves


def by_moves(position: Position, depth: int) -> int:
    """The ways to play, by taking every legal move and taking it back."""
    if depth == 0:
        return 1
    total = 0
    for move in position.moves:
        position.push(move)
        total += by_moves(position, depth - 1)
        position.pop()
    return total


@pytest.mark.parametrize("moves", ["", "a1 b2 a2", "a1 b1 pass b2 a2"])
def test_moves_that_bring_back_a_position_do_not_count(moves: str) -> None:
    position = Position.from_text(Go(2), moves=moves)
    counts = [count_leaves(position, depth, "interpreted").leaves for depth in range(7)]
    assert counts == [by_moves(position, depth) for depth in range(7)]


@pytest.mark.native
def test_moves_that_bring_back_a_position_do_not_count_natively() -> None:
    counts = [count_leaves(Position(Go(2)), depth, "native").leaves for depth in (5, 6, 7)]
    assert counts == [by_moves(Position(Go(2)), depth) for depth in (5, 6, 7)]
    assert counts[-1] == 1_088


def test_small_counts_need_no_compiler() -> None:
    assert count_leaves(Position(TicTacToe()), 4)._replace(seconds=0) == (3024, "interpreted", 0, "")


class Slow(Nim):
    """Nim whose actions take their time to be counted, as those of wide games do."""

    def count_actions(self, state: Nim.State) -> int:
        time.sleep(0.02)
        return super().count_actions(state)


@pytest.mark.parametrize(("nodes", "seconds"), [(20, 60.0), (5_000, 0.1)])
def test_a_trial_of_many_positions_has_one_limit(monkeypatch: pytest.MonkeyPatch, nodes: int, seconds: float) -> None:
    monkeypatch.setattr(counting, "TRIAL", nodes)
    monkeypatch.setattr(counting, "TRIAL_SECONDS", seconds)
    monkeypatch.setattr(native, "why_interpreted", lambda _: "it is slow by nature")
    found = count_each([Position(Slow(stones=stones)) for stones in range(1, 30)], 1)
    assert [count.leaves for count in found] == [1, 2] + [3] * 27
    assert {count.note for count in found} == {"it is slow by nature"}
    assert count_each([], 3) == []


@pytest.mark.native
def test_the_clock_starts_when_all_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = native.prepare_run

    def slowly(*args: Any, **options: Any) -> None:
        time.sleep(0.5)
        prepare(*args, **options)

    monkeypatch.setattr(native, "prepare_run", slowly)
    started = time.monotonic()
    assert count_leaves(Position(TicTacToe()), 4, "native").seconds < 0.4
    assert time.monotonic() - started > 0.5
