"""Random trees: the order of the moves is what it is called, and alpha-beta visits as many leaves as it should."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.errors import BadInput
from zermelo.games.random_tree import RandomTree

SIZES = [(1, 5), (2, 1), (2, 2), (2, 7), (3, 4), (3, 5), (4, 3), (5, 2), (6, 4)]


def value(game: RandomTree, state: Any) -> float:
    """The value to the first player, by plain minimax."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    best = max if game.to_move(state) == 0 else min
    return best(value(game, game.result(state, action)) for action in game.actions(state))


def visited(game: RandomTree, state: Any, alpha: float, beta: float) -> tuple[float, int]:
    """The value to the player to move and the leaves visited, by plain fail-soft alpha-beta."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state)), 1
    best, count = -inf, 0
    for action in game.actions(state):
        worth, leaves = visited(game, game.result(state, action), -beta, -max(alpha, best))
        best, count = max(best, -worth), count + leaves
        if best >= beta:
            break
    return best, count


def inner(game: RandomTree, state: Any) -> list[Any]:
    """All states of the tree that are no ends."""
    if game.is_terminal(state):
        return []
    return [state, *(one for action in game.actions(state) for one in inner(game, game.result(state, action)))]


@pytest.mark.parametrize(("branching", "depth"), SIZES)
@pytest.mark.parametrize("seed", [0, 1, -5])
def test_best_order_gives_the_smallest_tree(branching: int, depth: int, seed: int) -> None:
    game = RandomTree(branching, depth, seed, order="best")
    least = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    assert visited(game, game.initial(), -inf, inf) == (value(game, game.initial()), least)


@pytest.mark.parametrize(("branching", "depth"), SIZES)
@pytest.mark.parametrize("seed", [0, 1, -5])
def test_worst_order_gives_the_whole_tree(branching: int, depth: int, seed: int) -> None:
    game = RandomTree(branching, depth, seed, order="worst")
    assert visited(game, game.initial(), -inf, inf) == (value(game, game.initial()), branching**depth)


@pytest.mark.parametrize("order", ["best", "worst"])
@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (4, 3)])
def test_moves_are_sorted_everywhere_and_evaluated_exactly(order: str, branching: int, depth: int) -> None:
    game = RandomTree(branching, depth, 7, order=order)
    for state in inner(game, game.initial()):
        mover = game.to_move(state)
        values = [value(game, game.result(state, action)) for action in game.actions(state)]
        goodness = [worth if mover == 0 else -worth for worth in values]
        assert goodness == sorted(set(goodness), reverse=order == "best")
        assert game.evaluate(state, 0) == value(game, state) == -game.evaluate(state, 1)


def test_leaves_of_the_sorted_orders_are_the_same() -> None:
    def leaves(game: RandomTree, state: Any) -> list[float]:
        if game.is_terminal(state):
            return [game.utility(state, 0)]
        return [one for action in game.actions(state) for one in leaves(game, game.result(state, action))]

    best, worst = (RandomTree(3, 4, 2, order=order) for order in ("best", "worst"))
    values = leaves(best, best.initial())
    assert sorted(values) == sorted(leaves(worst, worst.initial()))
    assert len(set(values)) == 81
    assert value(best, best.initial()) == value(worst, worst.initial())


def test_random_leaves_look_random() -> None:
    game = RandomTree(10, 3, low=-3, high=3)
    leaves = [game.utility(game.State(rank, 3), 0) for rank in range(1000)]
    counts = [leaves.count(number) for number in range(-3, 4)]
    assert sum(counts) == 1000
    assert all(100 < count < 190 for count in counts)
    pairs = sum(left == right for left, right in pairwise(leaves))
    assert 100 < pairs < 190


def test_seeds_make_different_trees_and_the_same_seed_the_same() -> None:
    def leaves(seed: int, order: str) -> list[float]:
        game = RandomTree(2, 5, seed, order=order)
        return [game.utility(game.State(rank, 5), 0) for rank in range(32)]

    for order in ("random", "best", "worst"):
        assert leaves(3, order) == leaves(3, order)
        assert leaves(3, order) != leaves(4, order)
    assert leaves(3, "random")[1:] != leaves(4, "random")[:-1]


@given(st.integers(1, 4), st.integers(0, 6), st.integers(), st.sampled_from(["random", "best", "worst"]), st.data())
@examples(100)
def test_play_keeps_the_contract(branching: int, depth: int, seed: int, order: str, data: st.DataObject) -> None:
    game = RandomTree(branching, depth, seed, low=-5, high=9, order=order)
    state = game.initial()
    while not game.is_terminal(state):
        assert game.parse_state(game.format_state(state)) == state
        assert -9 <= game.evaluate(state, 0) <= 9
        state = game.result(state, data.draw(st.sampled_from(list(game.actions(state)))))
    assert game.parse_state(game.format_state(state)) == state
    assert sum(game.utilities(state)) == 0
    assert -5 <= game.utility(state, 0) <= 9
    assert game.utility_bounds == (-10, 10)


def test_states_as_text() -> None:
    for order in ("random", "best", "worst"):
        game = RandomTree(3, 4, order=order)
        state = game.result(game.result(game.initial(), 2), 0)
        assert game.format_state(state) == "2-0"
        assert game.format_state(game.initial()) == "root"


@pytest.mark.parametrize("text", ["", "0-3", "a", "0--1", "0-1-0-1-0", "-1"])
def test_refused_states(text: str) -> None:
    with pytest.raises(BadInput, match="is no path of up to 4 moves from 0 to 2"):
        RandomTree(3, 4).parse_state(text)


@pytest.mark.parametrize(
    "parameters",
    [
        {"branching": 0},
        {"depth": -1},
        {"branching": 2, "depth": 41},
        {"branching": 10**9, "depth": 10**9},
        {"low": 3, "high": 3},
        {"high": 10**12},
        {"order": "good"},
    ],
)
def test_refused_parameters(parameters: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="RandomTree needs"):
        RandomTree(**parameters)
