"""Game trees as matrices: the value is that of backward induction, pure strategies suffice, and the counts."""

from __future__ import annotations

import pytest
from hypothesis import given

from trees import ChanceTree, NestedTree, Node, examples, minimax_naive, trees, zero_sum
from zermelo.errors import BadInput, Unsuitable
from zermelo.games.nim import Nim
from zermelo.games.random_tree import RandomTree
from zermelo.games.tree import Tree
from zermelo.matrix import solve_matrix, strategic_form
from zermelo.matrix.growth import full_counts, growth, reduced_counts
from zermelo.search.strategies import MAX, MIN, compare, count_full, count_reduced, grow

FEW = 300
"""Payoffs of a matrix in one random example."""


@examples(60)
@given(trees(zero_sum(), dice=True, height=4))
def test_a_tree_is_worth_as_much_as_its_matrix(root: Node) -> None:
    game = ChanceTree(root)
    grown = grow(game, root, 0)
    for reduced, count in ((True, count_reduced), (False, count_full)):
        if count(grown, MAX) * count(grown, MIN) > FEW:
            continue
        form = strategic_form(game, root, 0, reduced)
        assert form.matrix.shape == (count(grown, MAX), count(grown, MIN)) == (form.reduced if reduced else form.full)
        found = solve_matrix(form.matrix, exact=True)
        assert form.value == minimax_naive(root, 0) == float(found.value)
        assert form.agrees(found)
        assert form.matrix.saddle_points
        assert 1 in found.row
        assert 1 in found.column


def test_what_disagrees_is_said_to() -> None:
    form = strategic_form(Tree())
    other = solve_matrix(strategic_form(Tree.of([[3, 12, 8], [2, 4, 6], [14, 5, 4]])).matrix)
    assert form.agrees(solve_matrix(form.matrix))
    assert not form.agrees(other)


def test_the_textbook_tree() -> None:
    form = strategic_form(Tree())
    assert (form.full, form.reduced, form.value, form.nodes) == ((3, 27), (3, 27), 3, 13)
    assert form.matrix.rows == ("a1", "a2", "a3")
    assert form.matrix.columns[2] == "1 1 3"
    assert [(form.matrix.rows[i], form.matrix.columns[j]) for i, j in form.matrix.saddle_points] == [("a1", "1 1 3")]


def test_both_players_may_be_max() -> None:
    game = Nim(stones=4)
    state = game.result(game.initial(), 1)
    first, second = strategic_form(game, state, 0), strategic_form(game, state, 1)
    assert (first.value, second.value) == (-1, 1)
    assert first.matrix.shape == second.matrix.shape[::-1]


def test_who_has_nothing_to_choose_has_one_strategy() -> None:
    form = strategic_form(Tree.of([1, 2]))
    assert (form.matrix.columns, form.matrix.shape, form.value) == (("–",), (2, 1), 2)
    assert strategic_form(Tree.of(5)).matrix.payoffs == ((5,),)


def test_trees_that_are_too_large_are_refused() -> None:
    with pytest.raises(
        Unsuitable, match=r"would have 81 × 531,441 payoffs from here, more than 100,000: use alphabeta"
    ):
        strategic_form(RandomTree(branching=3, depth=4))
    with pytest.raises(Unsuitable, match="needs one or two players"):
        strategic_form(NestedTree(Node(0, (), (1, 2, 3))))


@pytest.mark.parametrize(("branching", "height"), [(2, 1), (2, 2), (2, 3), (2, 5), (2, 6), (3, 3), (3, 4), (4, 2)])
def test_the_counts_of_uniform_trees(branching: int, height: int) -> None:
    game = RandomTree(branching=branching, depth=height)
    root = grow(game, game.initial(), 0)
    assert full_counts(branching, height) == (count_full(root, MAX), count_full(root, MIN))
    assert reduced_counts(branching, height) == (count_reduced(root, MAX), count_reduced(root, MIN))


def test_strategies_outgrow_the_tree_and_both_ways_find_its_value() -> None:
    levels = list(growth(2, most=600))
    assert [level.agree for level in levels] == [True] * 4 + [None] * 7
    for level in levels:
        assert level.nodes == 2 ** (level.height + 1) - 1
        assert level.lecture == 2 ** -(-level.height // 2)
        assert level.pairs == level.reduced[0] * level.reduced[1]
        assert (level.comparing is None) == (level.agree is None)
    assert levels[-1].reduced[0] > 2**60 > levels[-1].nodes > levels[-1].lecture
    with pytest.raises(BadInput, match="2 to 10 actions"):
        next(growth(1))


def test_the_matrix_of_a_tree_is_what_comparing_plays() -> None:
    game = RandomTree(branching=2, depth=4, seed=3)
    form, found = strategic_form(game), compare(game, game.initial(), 0)
    assert form.matrix.shape == (found.max_strategies, found.min_strategies)
    assert max(map(min, form.matrix.payoffs)) == found.maximin == form.value
