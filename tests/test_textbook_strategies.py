"""The minimax theorem by brute force over pure strategies, and how many of them there are."""

from __future__ import annotations

import pytest
from hypothesis import given

from trees import (
    ChanceTree,
    Endless,
    NestedTree,
    Node,
    chance,
    constant_sum,
    count_naive,
    examples,
    leaf,
    minimax_naive,
    nested,
    random_uniform,
    trees,
    zero_sum,
)
from zermelo.errors import Unsuitable
from zermelo.games.nim import Nim
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.minimax import minimax
from zermelo.search.strategies import (
    MAX,
    MIN,
    MOST_NODES,
    MOST_PLIES,
    Strategy,
    compare,
    count_full,
    count_reduced,
    full_strategies,
    grow,
    play,
    reduced_strategies,
)
from zermelo.search.strategies import Node as Grown
from zermelo.search.tally import DEEPEST, Tally

FEW = 3_000
"""Pairs of strategies to play in one random example."""


def pairs(root: Grown, reduced: bool) -> int:
    count = count_reduced if reduced else count_full
    return count(root, MAX) * count(root, MIN)


def restricted(node: Grown, strategy: Strategy, side: int) -> Strategy:
    """What is left of a full strategy at the nodes it can reach itself."""
    if node.side == side:
        choice = strategy[node.number]
        return {node.number: choice, **restricted(node.children[choice], strategy, side)}
    return {key: choice for child in node.children for key, choice in restricted(child, strategy, side).items()}


@examples(400)
@given(trees(zero_sum(), height=4))
def test_corollary_2_pure_strategies_meet_the_theorem(root: Node) -> None:
    game = NestedTree(root)
    for player in (0, 1):
        for reduced in (True, False):
            if pairs(grow(game, root, player), reduced) <= FEW:
                found = compare(game, root, player, reduced)
                assert found.maximin == found.minimax == found.met == found.value
                assert found.value == minimax_naive(root, player)
                assert found.theorem_holds


@examples(200)
@given(trees(zero_sum(), dice=True, height=4))
def test_the_theorem_holds_on_average_where_chance_moves(root: Node) -> None:
    game = ChanceTree(root)
    if pairs(grow(game, root, 0), True) <= FEW:
        found = compare(game, root, 0)
        assert found.theorem_holds
        assert found.value == minimax_naive(root, 0)


@examples(100)
@given(trees(constant_sum(3), height=4))
def test_the_theorem_holds_for_any_constant_sum(root: Node) -> None:
    game = NestedTree(root)
    if pairs(grow(game, root, 1), True) <= FEW:
        found = compare(game, root, 1)
        assert found.theorem_holds
        assert found.value == minimax_naive(root, 1)


@examples(200)
@given(trees(zero_sum(), dice=True, height=4))
def test_counts_and_lists_agree_and_reduced_is_full_without_the_unreachable(root: Node) -> None:
    tree = grow(ChanceTree(root), root, 0)
    for side in (MAX, MIN):
        if count_full(tree, side) <= FEW:
            full, reduced = list(full_strategies(tree, side)), list(reduced_strategies(tree, side))
            assert (len(full), len(reduced)) == (count_full(tree, side), count_reduced(tree, side))
            distinct = {tuple(sorted(strategy.items())) for strategy in reduced}
            assert len(distinct) == len(reduced)
            assert {tuple(sorted(restricted(tree, strategy, side).items())) for strategy in full} == distinct


@examples(150)
@given(trees(zero_sum(), dice=True, height=3))
def test_a_strategy_plays_as_its_reduced_form_does(root: Node) -> None:
    tree = grow(ChanceTree(root), root, 0)
    if pairs(tree, False) <= 300:
        for s in full_strategies(tree, MAX):
            for t in full_strategies(tree, MIN):
                reduced = play(tree, restricted(tree, s, MAX), restricted(tree, t, MIN))
                assert play(tree, s, t) == reduced


@examples(150)
@given(trees(zero_sum(), dice=True, height=5))
def test_the_grown_tree_is_the_tree(root: Node) -> None:
    tree = grow(ChanceTree(root), root, 0)
    assert [node.number for node in tree.nodes] == list(range(count_naive(root)[0]))
    for node in tree.nodes:
        state = root
        for action in node.path:
            state = state.children[action]
        assert len(node.children) == len(state.children)
        assert node.weights == state.odds


def test_one_pair_by_hand() -> None:
    # Max's nodes are 0 (the root) and 2; Min's are 1 and 6.
    root = nested([[[1, 2], 3], [4, 5]])
    tree = grow(NestedTree(root), root, 0)
    assert [(node.number, node.side) for node in tree.nodes if node.children] == [
        (0, MAX),
        (1, MIN),
        (2, MAX),
        (6, MIN),
    ]
    assert play(tree, {0: 0, 2: 1}, {1: 0, 6: 1}) == 2
    assert play(tree, {0: 0, 2: 1}, {1: 1, 6: 1}) == 3
    assert play(tree, {0: 1, 2: 1}, {1: 0, 6: 1}) == 5
    assert list(full_strategies(tree, MAX)) == [{0: 0, 2: 0}, {0: 0, 2: 1}, {0: 1, 2: 0}, {0: 1, 2: 1}]
    assert list(reduced_strategies(tree, MAX)) == [{0: 0, 2: 0}, {0: 0, 2: 1}, {0: 1}]
    found = compare(NestedTree(root), root, 0)
    assert (found.best_max, found.best_min, found.value) == ({0: 1}, {1: 0, 6: 0}, 4)
    assert (found.max_strategies, found.min_strategies) == (3, 4)


@pytest.mark.parametrize("height", range(6))
@pytest.mark.parametrize("branching", range(1, 4))
def test_uniform_trees_have_the_formulas_counts(branching: int, height: int) -> None:
    root = random_uniform(branching, height, seed=1)
    tree = grow(NestedTree(root), root, 0)
    levels = [branching**level for level in range(height)]
    assert count_full(tree, MAX) == branching ** sum(levels[0::2])
    assert count_full(tree, MIN) == branching ** sum(levels[1::2])
    own, other = (height + 1) // 2, height // 2
    assert count_reduced(tree, MAX) == branching ** sum(branching**level for level in range(own))
    assert count_reduced(tree, MIN) == branching ** sum(branching**level for level in range(1, other + 1))


def test_nim_is_worth_what_minimax_says() -> None:
    for stones in range(1, 6):
        game = Nim(stones)
        found = compare(game, game.initial(), 0)
        assert found.theorem_holds
        assert found.value == minimax(game, game.initial(), 0, DEEPEST, Tally())


def test_too_many_pairs_are_refused_before_any_is_played() -> None:
    root = random_uniform(3, 4, seed=1)
    with pytest.raises(Unsuitable, match=r"means 59,049 × 10\^14 plays from here, more than 10,000,000: use alphabeta"):
        compare(NestedTree(root), root, 0, reduced=False)
    with pytest.raises(Unsuitable, match=r"means 81 × 531,441 plays .* more than 1,000: "):
        compare(NestedTree(root), root, 0, most=1000)
    small = nested([[1, 2], [3, 4]])
    assert compare(NestedTree(small), small, 0, most=8).value == 3
    with pytest.raises(Unsuitable, match="2 × 4 plays"):
        compare(NestedTree(small), small, 0, most=7)


def test_counts_of_many_digits_are_still_a_sentence() -> None:
    root = random_uniform(2, 13, seed=1)
    with pytest.raises(Unsuitable, match=r"means 10\^\d+ × 10\^\d+ plays"):
        compare(NestedTree(root), root, 0, reduced=False)


def test_large_and_endless_trees_are_refused() -> None:
    with pytest.raises(
        Unsuitable, match=rf"Endless has more than 100,000 nodes or {MOST_PLIES} plies from here: use alph"
    ):
        compare(Endless(), 0, 0)
    with pytest.raises(Unsuitable, match="Nim has more than 100,000 nodes"):
        compare(Nim(21), Nim(21).initial(), 0)


def test_the_first_of_equally_good_strategies_is_taken() -> None:
    root = nested([[4, 4], [4, 4], 1])
    found = compare(NestedTree(root), root, 0)
    assert (found.best_max, found.best_min) == ({0: 0}, {1: 0, 4: 0})


def test_trees_are_grown_up_to_the_bounds_themselves() -> None:
    chain = leaf(1)
    for _ in range(MOST_PLIES):
        chain = Node(0, (chain,), (0, 0))
    assert compare(NestedTree(chain), chain, 0).value == 1
    higher = Node(0, (chain,), (0, 0))
    with pytest.raises(Unsuitable, match=f"more than 100,000 nodes or {MOST_PLIES} plies"):
        grow(NestedTree(higher), higher, 0)

    def wide(leaves: int) -> Node:
        return Node(0, (Node(1, (leaf(1),) * 50_000, (0, 0)), Node(1, (leaf(1),) * (leaves - 50_000), (0, 0))), (0, 0))

    most = wide(MOST_NODES - 3)
    assert sum(1 for _ in grow(NestedTree(most), most, 0).nodes) == MOST_NODES
    larger = wide(MOST_NODES - 2)
    with pytest.raises(Unsuitable, match="more than 100,000 nodes"):
        grow(NestedTree(larger), larger, 0)


class Prisoners(NestedTree):
    utility_sum = None


class Cards(NestedTree):
    perfect_information = False


def test_games_without_a_single_value_are_refused() -> None:
    small = nested([1, 2])
    with pytest.raises(Unsuitable, match=r"comparing strategies needs utilities of constant sum, .*: use maxn"):
        compare(Prisoners(small), small, 0)
    with pytest.raises(Unsuitable, match="comparing strategies needs perfect information, Cards hides some"):
        compare(Cards(small), small, 0)
    three = Node(0, (Node(0, (), (1, 2, 3)),), (0, 0, 0))
    with pytest.raises(Unsuitable, match="comparing strategies needs one or two players, NestedTree has 3: use maxn"):
        compare(NestedTree(three), three, 0)


def test_averages_are_those_of_expectiminimax_to_the_last_digit() -> None:
    root = chance((0.7, 0.1, 0.2), leaf(0.1), leaf(0.1), leaf(0.1))
    tree = ChanceTree(root)
    assert 0.7 * 0.1 + 0.1 * 0.1 + 0.2 * 0.1 != 0.1
    assert compare(tree, root, 0).value == expectiminimax(tree, root, 0, 2, Tally())
