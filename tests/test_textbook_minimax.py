"""Minimax and negamax against their naive twins, and what every textbook search does at its edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import (
    DEPTHS,
    Endless,
    NestedTree,
    Node,
    constant_sum,
    count_naive,
    examples,
    leaf,
    minimax_naive,
    nested,
    trees,
    zero_sum,
)
from zermelo.errors import LimitReached
from zermelo.game import Game
from zermelo.games.nim import Nim
from zermelo.search.alphabeta import alphabeta, alphabeta_hard, negamax_alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.maxn import maxn
from zermelo.search.minimax import minimax
from zermelo.search.negamax import negamax
from zermelo.search.tally import DEEPEST, Tally

Search = Callable[[Game, Any, int, Tally], Any]

SEARCHES: dict[str, Search] = {
    "minimax": lambda game, state, depth, tally: minimax(game, state, 0, depth, tally),
    "negamax": negamax,
    "alphabeta": lambda game, state, depth, tally: alphabeta(game, state, 0, -inf, inf, depth, tally),
    "alphabeta_hard": lambda game, state, depth, tally: alphabeta_hard(game, state, 0, -inf, inf, depth, tally),
    "negamax_alphabeta": lambda game, state, depth, tally: negamax_alphabeta(game, state, -inf, inf, depth, tally),
    "expectiminimax": lambda game, state, depth, tally: expectiminimax(game, state, 0, depth, tally),
    "maxn": lambda game, state, depth, tally: maxn(game, state, depth, tally)[0],
}
"""Every search, with player 0 as Max; the roots below are player 0's."""

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)

LECTURE = nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
"""The three-times-three tree of every textbook; its value is 3."""


@examples(700)
@given(trees(zero_sum()), DEPTHS)
def test_minimax_equals_its_naive_twin_and_counts_every_node(root: Node, depth: int) -> None:
    game = NestedTree(root)
    for player in (0, 1):
        tally = Tally()
        assert minimax(game, root, player, depth, tally) == minimax_naive(root, player, depth)
        assert (tally.nodes, tally.leaves, tally.horizon) == count_naive(root, depth)
    assert minimax(game, root, 1, depth, Tally()) == -minimax(game, root, 0, depth, Tally())


@examples(200)
@given(trees(constant_sum(3)), DEPTHS)
def test_minimax_serves_any_constant_sum(root: Node, depth: int) -> None:
    game = NestedTree(root)
    values = [minimax(game, root, player, depth, Tally()) for player in (0, 1)]
    assert values == [minimax_naive(root, 0, depth), minimax_naive(root, 1, depth)]
    assert sum(values) == 3
    assert alphabeta(game, root, 1, -inf, inf, depth, Tally()) == values[1]


@examples(200)
@given(trees(st.integers(-4, 4).map(lambda value: (value,)), players=1), DEPTHS)
def test_minimax_of_one_player_is_the_best_reachable_end(root: Node, depth: int) -> None:
    def ends(node: Node, left: int) -> Iterator[float]:
        if node.children and left:
            for child in node.children:
                yield from ends(child, left - 1)
        else:
            yield node.worth[0]

    game, best = NestedTree(root), max(ends(root, depth))
    for search in SEARCHES.values():
        assert search(game, root, depth, Tally()) == best


@examples(700)
@given(trees(zero_sum()), DEPTHS)
def test_negamax_is_minimax_seen_by_the_mover(root: Node, depth: int) -> None:
    tally = Tally()
    value = negamax(NestedTree(root), root, depth, tally)
    assert value == minimax_naive(root, root.mover, depth)
    assert (tally.nodes, tally.leaves, tally.horizon) == count_naive(root, depth)


def test_negamax_keeps_the_sign_where_the_same_player_moves_twice() -> None:
    twice = Node(0, (Node(0, (leaf(5, 0), leaf(7, 1)), (0, 0)), leaf(6, 1)), (0, 0))
    assert negamax(NestedTree(twice), twice, DEEPEST, Tally()) == 7
    assert negamax_alphabeta(NestedTree(twice), twice, -inf, inf, DEEPEST, Tally()) == 7


@every_search
def test_the_lectures_tree_is_worth_three(search: Search) -> None:
    assert search(NestedTree(LECTURE), LECTURE, DEEPEST, Tally()) == 3


@every_search
def test_nim_is_lost_at_multiples_of_four(search: Search) -> None:
    for stones in range(11):
        game = Nim(stones)
        assert search(game, game.initial(), DEEPEST, Tally()) == (-1 if stones % 4 == 0 else 1)


@every_search
def test_a_terminal_root_is_its_utility_at_any_depth(search: Search) -> None:
    for depth in (0, 1, DEEPEST):
        tally = Tally()
        assert search(NestedTree(leaf(5)), leaf(5), depth, tally) == 5
        assert (tally.nodes, tally.leaves, tally.horizon) == (1, 1, 0)


@every_search
def test_depth_zero_is_the_evaluation_of_the_root(search: Search) -> None:
    tally = Tally()
    root = LECTURE._replace(worth=(9, -9))
    assert search(NestedTree(root), root, 0, tally) == 9
    assert (tally.nodes, tally.leaves, tally.horizon) == (1, 1, 1)


@every_search
def test_values_are_floats(search: Search) -> None:
    if search is not SEARCHES["maxn"]:  # it hands on what the game's own `utilities` gives
        game = Nim(5)
        for depth in (0, 1, DEEPEST):
            assert type(search(game, game.initial(), depth, Tally())) is float


@every_search
def test_the_node_limit_stops_the_search(search: Search) -> None:
    full = Tally()
    value = search(NestedTree(LECTURE), LECTURE, DEEPEST, full)
    assert 1 < full.nodes <= 13
    for limit in range(full.nodes):
        tally = Tally(limit)
        with pytest.raises(LimitReached):
            search(NestedTree(LECTURE), LECTURE, DEEPEST, tally)
        assert tally.nodes == limit + 1
    assert search(NestedTree(LECTURE), LECTURE, DEEPEST, Tally(full.nodes)) == value


@every_search
def test_an_endless_game_ends_at_the_horizon(search: Search) -> None:
    tally = Tally()
    assert search(Endless(), 0, 50, tally) == 0
    assert (tally.nodes, tally.leaves, tally.horizon) == (51, 1, 1)


class Stuck(NestedTree):
    """A broken game: childless nodes are not terminal, and have no actions."""

    def is_terminal(self, state: Node) -> bool:
        return False

    def actions(self, state: Node) -> Iterator[int]:
        yield from range(len(state.children))


@every_search
def test_whoever_has_nothing_to_choose_gets_an_infinitely_bad_value(search: Search) -> None:
    alone = leaf(5)
    assert search(Stuck(alone), alone, DEEPEST, Tally()) == -inf
    if search is not SEARCHES["maxn"]:  # there the stuck player's opponents get nothing out of it
        opponent = Node(0, (leaf(5, 1),), (0, 0))
        assert search(Stuck(opponent), opponent, DEEPEST, Tally()) == inf
