"""Alpha-beta with a table equals minimax, whatever the table forgets."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import best, native
from zermelo.errors import GameError
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.heaps import Heaps
from zermelo.games.nim import Nim
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.search.memory import array_table, remembering_alphabeta
from zermelo.search.minimax import minimax
from zermelo.search.tally import Tally

WORLDS = [False, pytest.param(True, marks=pytest.mark.native)]
GAMES: list[tuple[Game, int]] = [
    (Nim(stones=12), 20),
    (Heaps("2-3-1"), 20),
    (TicTacToe(), 4),
    (ConnectFour(4, 4, 3), 5),
    (ConnectFour(5, 4, 3, margin=1), 5),
]


def walk(game: Game, luck: list[int]) -> Any:
    """A state some random moves into the game."""
    state = game.initial()
    for number in luck:
        moves = game.legal(state)
        if not moves:
            break
        state = game.result(state, moves[number % len(moves)])
    return state


@pytest.mark.parametrize("is_native", WORLDS)
@pytest.mark.parametrize(("game", "deepest"), GAMES)
@given(data=st.data())
@examples(60)
def test_the_theorem_of_alphabeta_holds(game: Game, deepest: int, is_native: bool, data: Any) -> None:
    state = walk(game, data.draw(st.lists(st.integers(0, 9), max_size=6)))
    depth = data.draw(st.integers(0, deepest))
    low, high = sorted(data.draw(st.lists(st.integers(-3, 3), min_size=2, max_size=2, unique=True)))
    alpha, beta = data.draw(st.sampled_from([(-inf, inf), (low, high), (-inf, high), (low, inf)]))
    table = array_table(data.draw(st.sampled_from([1, 16, 4096]))) if is_native else {}
    tally, plain = Tally(), Tally()
    for player in (0, 1):
        value = minimax(game, state, player, depth, plain)
        for _ in range(2):
            found = native.run(
                remembering_alphabeta, game, state, player, float(alpha), float(beta), depth, table,
                tally=tally, native=is_native,
            )  # fmt: skip
            if found <= alpha:
                assert value <= found
            elif found >= beta:
                assert value >= found
            else:
                assert found == value
        table = array_table(16) if is_native else {}


@pytest.mark.parametrize(("game", "depth"), [(TicTacToe(), 3), (ConnectFour(4, 4, 3), 4), (Nim(stones=30), 6)])
def test_a_value_that_rests_on_estimates_is_never_called_exact(game: Game, depth: int) -> None:
    table: dict[int, Any] = {}
    for _ in range(3):
        tally = Tally()
        remembering_alphabeta(game, game.initial(), 0, -inf, inf, depth, table, tally)
        assert tally.horizon > 0


def test_a_deeper_search_does_not_take_a_shallow_value() -> None:
    game, table = Nim(stones=9), {}  # type: ignore[var-annotated]
    for depth in (1, 2, 3, 20):
        tally = Tally()
        value = remembering_alphabeta(game, game.initial(), 0, -inf, inf, depth, table, tally)
    assert (value, tally.horizon) == (1, 0)


def test_the_table_saves_nodes() -> None:
    with_table, without = Tally(), Tally()
    remembering_alphabeta(Nim(stones=18), Nim(stones=18).initial(), 0, -inf, inf, 100, {}, with_table)
    minimax(Nim(stones=18), Nim(stones=18).initial(), 0, 100, without)
    assert with_table.nodes * 100 < without.nodes


class Wide(Nim):
    """Its key of 65 bits would be cut to one that leaves out whose turn it is."""

    def key(self, state: Any) -> Any:
        return state.stones + (state.turn << 64)


class WideTwins(Wide):
    def symmetries(self, state: Any) -> Any:
        return ()


@pytest.mark.parametrize("kind", [Wide, WideTwins])
def test_a_key_that_does_not_fit_into_the_table_is_refused(kind: type[Nim]) -> None:
    sentence = (
        f"{kind.__name__}.key gives 18446744073709551636, which does not fit into 64 bits, in state 'stones=20 turn=1'"
    )
    with pytest.raises(GameError, match=re.escape(sentence)):
        best(kind())
