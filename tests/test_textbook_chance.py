"""Expectiminimax and maxn, and which transformations of the utility leave decisions as they are."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trees import (
    DEPTHS,
    ChanceTree,
    NestedTree,
    Node,
    chance,
    choices_naive,
    count_naive,
    examples,
    general,
    leaf,
    maxn_naive,
    minimax_naive,
    trees,
    with_worth,
    zero_sum,
)
from zermelo.errors import LimitReached
from zermelo.game import Game
from zermelo.search.alphabeta import alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.maxn import maxn
from zermelo.search.minimax import minimax
from zermelo.search.tally import DEEPEST, Tally
from zermelo.tuples import add_scaled, same_for_all


def choices(game: Game, root: Node, search: str) -> set[int]:
    """The root's best actions for its mover, by the values of its children."""
    player = root.mover
    values = []
    for child in root.children:
        if search == "minimax":
            values.append(minimax(game, child, player, DEEPEST, Tally()))
        elif search == "alphabeta":
            values.append(alphabeta(game, child, player, -inf, inf, DEEPEST, Tally()))
        else:
            values.append(expectiminimax(game, child, player, DEEPEST, Tally()))
    return {index for index, value in enumerate(values) if value == max(values)}


# Expectiminimax.


@examples(400)
@given(trees(zero_sum(), dice=True), DEPTHS)
def test_expectiminimax_equals_its_naive_twin_and_counts_every_node(root: Node, depth: int) -> None:
    for player in (0, 1):
        tally = Tally()
        assert expectiminimax(ChanceTree(root), root, player, depth, tally) == minimax_naive(root, player, depth)
        assert (tally.nodes, tally.leaves, tally.horizon) == count_naive(root, depth)


@examples(300)
@given(trees(zero_sum()), DEPTHS)
def test_expectiminimax_without_chance_is_minimax(root: Node, depth: int) -> None:
    ours, theirs = Tally(), Tally()
    value = expectiminimax(ChanceTree(root), root, 0, depth, ours)
    assert value == minimax(NestedTree(root), root, 0, depth, theirs)
    assert ours == theirs


@examples(200)
@given(trees(st.integers(-4, 4).map(lambda value: (value,)), players=1, dice=True), DEPTHS)
def test_expectiminimax_of_one_player_is_expectimax(root: Node, depth: int) -> None:
    def expectimax(node: Node, left: int) -> float:
        if not node.children or left == 0:
            return node.worth[0]
        values = [expectimax(child, left - 1) for child in node.children]
        return sum(p * v for p, v in zip(node.odds, values, strict=True)) if node.odds else max(values)

    game = ChanceTree(root)
    assert expectiminimax(game, root, 0, depth, Tally()) == expectimax(root, depth)
    assert maxn(game, root, depth, Tally()) == (expectimax(root, depth),)


def test_chance_averages_with_its_odds() -> None:
    root = chance((0.25, 0.75), leaf(8), leaf(-4))
    tally = Tally()
    assert expectiminimax(ChanceTree(root), root, 0, DEEPEST, tally) == -1
    assert expectiminimax(ChanceTree(root), root, 1, DEEPEST, tally) == 1
    assert maxn(ChanceTree(root), root, DEEPEST, tally) == (-1, 1)
    assert tally == Tally(nodes=9, leaves=6)


def test_the_limit_stops_a_search_below_chance() -> None:
    root = chance((0.25, 0.75), leaf(8), leaf(-4))
    with pytest.raises(LimitReached):
        expectiminimax(ChanceTree(root), root, 0, DEEPEST, Tally(limit=2))
    with pytest.raises(LimitReached):
        maxn(ChanceTree(root), root, DEEPEST, Tally(limit=2))


# Max^n.


@examples(300)
@given(st.integers(2, 4).flatmap(lambda players: trees(general(players), players, dice=True, height=5)), DEPTHS)
def test_maxn_equals_its_naive_twin_and_counts_every_node(root: Node, depth: int) -> None:
    tally = Tally()
    assert maxn(ChanceTree(root), root, depth, tally) == maxn_naive(root, depth)
    assert (tally.nodes, tally.leaves, tally.horizon) == count_naive(root, depth)


@examples(300)
@given(trees(zero_sum(), dice=True), DEPTHS)
def test_maxn_of_two_opponents_is_expectiminimax(root: Node, depth: int) -> None:
    value = expectiminimax(ChanceTree(root), root, 0, depth, Tally())
    assert maxn(ChanceTree(root), root, depth, Tally()) == (value, -value)


@examples(200)
@given(trees(general(3), 3, height=4))
def test_maxn_is_an_equilibrium(root: Node) -> None:
    game = NestedTree(root)
    values = maxn(game, root, DEEPEST, Tally())
    # Fix what the others do (maxn's first best action), and let one player try everything.
    for player in range(3):
        assert best_reply(root, player) == values[player]


def best_reply(node: Node, player: int) -> float:
    """The most that `player` can get where all others play by maxn."""
    if not node.children:
        return node.worth[player]
    if node.mover == player:
        return max(best_reply(child, player) for child in node.children)
    values = [maxn_naive(child)[node.mover] for child in node.children]
    return best_reply(node.children[values.index(max(values))], player)


def test_maxn_takes_the_first_of_equals() -> None:
    ends = (Node(0, (), (1, 5, 0)), Node(0, (), (2, 0, 7)), Node(0, (), (2, 9, 0)))
    root = Node(0, ends, (0, 0, 0))
    assert maxn(NestedTree(root), root, DEEPEST, Tally()) == (2, 0, 7)


def test_maxn_is_not_paranoid() -> None:
    # Player 1 prefers its own 3 to keeping player 0 low, so player 0 may go there.
    root = Node(0, (Node(1, (Node(0, (), (9, 3)), Node(0, (), (0, 1))), (0, 0)), Node(0, (), (5, 5))), (0, 0))
    assert maxn(NestedTree(root), root, DEEPEST, Tally()) == (9, 3)
    assert minimax(NestedTree(root), root, 0, DEEPEST, Tally()) == 5


def test_maxn_stops_at_its_horizon_with_everybodys_evaluation() -> None:
    root = Node(1, (Node(0, (Node(0, (), (9, 9, 9)),), (1, 2, 3)),), (4, 5, 6))
    tally = Tally()
    assert maxn(NestedTree(root), root, 0, tally) == (4, 5, 6)
    assert maxn(NestedTree(root), root, 1, tally) == (1, 2, 3)
    assert tally == Tally(nodes=3, leaves=2, horizon=2)


def test_whole_tuples() -> None:
    three = NestedTree(Node(0, (), (0, 0, 0)))
    assert same_for_all(three, -inf) == (-inf, -inf, -inf)
    assert add_scaled((1.0, 2.0, 3.0), (4.0, -8.0, 0.0), 0.25) == (2.0, 0.0, 3.0)


# Transformations.


@examples(400)
@given(trees(zero_sum()), st.lists(st.integers(-(10**6), 10**6), min_size=9, max_size=9, unique=True).map(sorted))
def test_order_is_all_that_matters_without_chance(root: Node, images: list[int]) -> None:
    assume(root.children)
    bent = with_worth(root, lambda worth: (images[int(worth[0]) + 4], -images[int(worth[0]) + 4]))
    before = choices_naive(root, root.mover)
    for search in ("minimax", "alphabeta", "expectiminimax"):
        assert choices(ChanceTree(root), root, search) == before
        assert choices(ChanceTree(bent), bent, search) == before


@examples(300)
@given(trees(zero_sum(), dice=True), st.integers(1, 9), st.integers(-9, 9))
def test_chance_survives_positive_linear_transformations(root: Node, scale: int, shift: int) -> None:
    assume(root.children and root.mover >= 0)
    moved = with_worth(root, lambda worth: (scale * worth[0] + shift, -scale * worth[0] - shift))
    before = choices(ChanceTree(root), root, "expectiminimax")
    assert before == choices_naive(root, root.mover)
    assert choices(ChanceTree(moved), moved, "expectiminimax") == before


def test_chance_does_not_survive_other_transformations() -> None:
    # The lecture's picture: 1, 2, 3, 4 become 1, 20, 30, 400, in the same order, and the decision turns.
    images = {1: 1, 2: 20, 3: 30, 4: 400}
    odds = (0.9, 0.1)
    root = Node(0, (chance(odds, leaf(2), leaf(3)), chance(odds, leaf(1), leaf(4))), (0, 0))
    bent = with_worth(root, lambda worth: (images.get(int(worth[0]), 0), -images.get(int(worth[0]), 0)))
    assert choices(ChanceTree(root), root, "expectiminimax") == {0}
    assert choices(ChanceTree(bent), bent, "expectiminimax") == {1}
    assert expectiminimax(ChanceTree(root), root, 0, DEEPEST, Tally()) == pytest.approx(2.1)
    assert expectiminimax(ChanceTree(bent), bent, 0, DEEPEST, Tally()) == pytest.approx(40.9)
