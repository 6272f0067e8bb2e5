"""Nim with one heap and with several: the values that the theory gives."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

from zermelo.board import Piles
from zermelo.engine.decide import best
from zermelo.errors import BadInput, IllegalAction
from zermelo.game import Game
from zermelo.games.heaps import Heaps
from zermelo.games.nim import Nim
from zermelo.position import Position


def value(game: Game, state: Any, memo: dict[Any, float]) -> float:
    """The value of a state to the player to move, by plain minimax."""
    if state not in memo:
        if game.is_terminal(state):
            memo[state] = game.utility(state, game.to_move(state))
        else:
            memo[state] = max(-value(game, game.result(state, action), memo) for action in game.actions(state))
    return memo[state]


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("last", ["win", "lose"])
def test_one_heap_is_lost_at_every_most_plus_first_size(most: int, last: str) -> None:
    for stones in range(1, 30):
        game = Nim(stones, most, last)
        lost = (stones if last == "win" else stones - 1) % (most + 1) == 0
        assert value(game, game.initial(), {}) == (-1 if lost else 1)


def test_the_empty_heap_is_an_end() -> None:
    assert Position(Nim(0)).utilities == (-1, 1)
    assert Position(Nim(0, last="lose")).utilities == (1, -1)


def test_several_heaps_follow_bouton() -> None:
    game, memo = Heaps("4-4-4"), {}
    for heaps in product(range(5), repeat=3):
        lost = reduce(xor, heaps) == 0
        assert value(game, game.State(heaps, 0), memo) == (-1 if lost else 1)


def test_several_heaps_in_misere_play() -> None:
    game, memo = Heaps("4-4-4", last="lose"), {}
    for heaps in product(range(5), repeat=3):
        lost = reduce(xor, heaps) == (0 if max(heaps) > 1 else 1)
        assert value(game, game.State(heaps, 1), memo) == (-1 if lost else 1)


def test_actions_of_heaps_as_text() -> None:
    game = Heaps("2-0-3")
    state = game.initial()
    assert [game.format_action(state, action) for action in game.actions(state)] == ["a1", "a2", "c1", "c2", "c3"]
    position = Position.from_text(game, moves="a2 C3")
    assert position.state == game.State((0, 0, 0), 0)
    assert position.utilities == (-1, 1)
    with pytest.raises(IllegalAction, match="'b1' is not legal"):
        game.parse_action(state, "b1")


def test_heaps_as_text_and_as_a_picture() -> None:
    game = Heaps("3-4-5")
    state = game.State((3, 0, 2), 1)
    assert game.format_state(state) == "heaps=(3,0,2) turn=1"
    assert game.parse_state("heaps=(3,0,2) turn=1") == state
    assert game.board(state) == Piles(("a", "b", "c"), (3, 0, 2))
    assert Nim().board(Nim().initial()) == Piles(("heap",), (21,))


@pytest.mark.parametrize("heaps", ["", "3-", "-3", "3,4", "three", "1000", "1-2-3 ", "-".join("1" * 27)])
def test_heaps_refuses_what_is_no_list_of_sizes(heaps: str) -> None:
    with pytest.raises(BadInput, match="such as heaps=3-4-5"):
        Heaps(heaps)


@pytest.mark.parametrize("arguments", [(-1,), (10**10,), (3, 0), (3, 10**6), (3, 3, "draw")])
def test_nim_refuses_senseless_parameters(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(BadInput, match="Nim needs stones"):
        Nim(*arguments)


@pytest.mark.parametrize("text", ["stones=-1 turn=0", "stones=3 turn=2"])
def test_nim_refuses_impossible_states(text: str) -> None:
    with pytest.raises(BadInput, match="is no heap"):
        Nim().parse_state(text)


@pytest.mark.parametrize("text", ["heaps=(3,4,6) turn=0", "heaps=(3,4,-1) turn=0", "heaps=(3,4,5) turn=-1"])
def test_heaps_refuses_impossible_states(text: str) -> None:
    with pytest.raises(BadInput, match="is no set of heaps"):
        Heaps().parse_state(text)


def winner_naive(stones: int, most: int, players: int, turn: int) -> int:
    """Who takes the last stone where each takes the fewest stones that let him, or else the fewest."""
    if stones == 0:
        return (turn - 1) % players
    after = [winner_naive(stones - n, most, players, (turn + 1) % players) for n in range(1, min(most, stones) + 1)]
    return turn if turn in after else after[0]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_several_players(players: int) -> None:
    for stones in range(1, 10):
        found = best(Nim(stones, players=players), algorithm="maxn", depth=10, world="interpreted")
        winner = winner_naive(stones, 3, players, 0)
        assert found.values == tuple(players - 1 if player == winner else -1 for player in range(players))


@pytest.mark.parametrize("last", ["win", "lose"])
def test_the_last_one_settles_with_each_of_the_others(last: str) -> None:
    position = Position.from_text(Nim(4, last=last, players=4), moves="1 2 1")
    one, others = (3, -1) if last == "win" else (-3, 1)
    assert position.utilities == (others, others, one, others)
    low, high = position.game.utility_bounds
    assert low == min(position.utilities)
    assert high == max(position.utilities)


def test_nim_for_nobody_and_turns_of_nobody() -> None:
    for players in (1, 0, 21):
        with pytest.raises(BadInput, match="Nim is for 2 to 20 players"):
            Nim(players=players)
    assert Nim(players=3).parse_state("stones=3 turn=2").turn == 2
    with pytest.raises(BadInput, match="turn is from 0 to 2"):
        Nim(players=3).parse_state("stones=3 turn=3")
