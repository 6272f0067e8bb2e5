"""Alpha-beta against minimax: any tree, any window, best and worst order, known node counts."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

import pytest
from hypothesis import given

from trees import (
    DEPTHS,
    NestedTree,
    Node,
    best_first,
    count_naive,
    examples,
    minimax_naive,
    nested,
    random_uniform,
    trees,
    windows,
    without_cuts,
    zero_sum,
)
from zermelo.game import Game
from zermelo.search.alphabeta import alphabeta, alphabeta_hard, negamax_alphabeta
from zermelo.search.minimax import minimax
from zermelo.search.tally import DEEPEST, Tally
from zermelo.tuples import put


def obeys_the_theorem(found: float, exact: float, alpha: float, beta: float) -> bool:
    """The three cases of a bound."""
    if found <= alpha:
        return exact <= found
    if found >= beta:
        return exact >= found
    return exact == found


@examples(700)
@given(trees(zero_sum()), DEPTHS)
def test_all_forms_equal_minimax_in_the_full_window(root: Node, depth: int) -> None:
    game = NestedTree(root)
    nodes, leaves, _ = count_naive(root, depth)
    for player in (0, 1):
        for search in (alphabeta, alphabeta_hard):
            tally = Tally()
            assert search(game, root, player, -inf, inf, depth, tally) == minimax_naive(root, player, depth)
            assert tally.nodes <= nodes
            assert tally.horizon <= tally.leaves <= leaves
    assert negamax_alphabeta(game, root, -inf, inf, depth, Tally()) == minimax_naive(root, root.mover, depth)


@examples(1500)
@given(trees(zero_sum()), DEPTHS, windows())
def test_the_bound_theorem_in_any_window(root: Node, depth: int, window: tuple[float, float]) -> None:
    game, (alpha, beta) = NestedTree(root), window
    for player in (0, 1):
        exact = minimax_naive(root, player, depth)
        soft, hard = Tally(), Tally()
        found = alphabeta(game, root, player, alpha, beta, depth, soft)
        assert obeys_the_theorem(found, exact, alpha, beta)
        assert found == exact or not alpha <= exact <= beta
        clipped = alphabeta_hard(game, root, player, alpha, beta, depth, hard)
        assert clipped == min(max(exact, alpha), beta)
        assert obeys_the_theorem(clipped, exact, alpha, beta)
        assert soft == hard
    exact = minimax_naive(root, root.mover, depth)
    found = negamax_alphabeta(game, root, alpha, beta, depth, Tally())
    assert obeys_the_theorem(found, exact, alpha, beta)
    assert found == exact or not alpha <= exact <= beta


@examples(300)
@given(trees(zero_sum()), DEPTHS, windows())
def test_negamax_visits_the_same_nodes(root: Node, depth: int, window: tuple[float, float]) -> None:
    ours, theirs = Tally(), Tally()
    value = alphabeta(NestedTree(root), root, root.mover, *window, depth, ours)
    assert negamax_alphabeta(NestedTree(root), root, *window, depth, theirs) == value
    assert ours == theirs


def test_fail_soft_says_more_than_fail_hard() -> None:
    root = nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    game = NestedTree(root)
    for window, soft, hard in [((6, 9), 5, 6), ((-9, 1), 3, 1), ((2, 4), 3, 3)]:
        assert alphabeta(game, root, 0, *window, DEEPEST, Tally()) == soft
        assert alphabeta_hard(game, root, 0, *window, DEEPEST, Tally()) == hard
        assert negamax_alphabeta(game, root, *window, DEEPEST, Tally()) == soft


def test_the_lectures_example_skips_two_leaves() -> None:
    root = nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    for search in (alphabeta, alphabeta_hard):
        tally = Tally()
        assert search(NestedTree(root), root, 0, -inf, inf, DEEPEST, tally) == 3
        assert (tally.nodes, tally.leaves) == (11, 7)


def test_a_deep_cutoff_looks_past_the_parent() -> None:
    # 1 is worse for Max than the 5 at the root, three plies up: the first 9 is never seen, nor the second.
    root = nested([5, [[[1, 9], 3], 9]])
    for search in (alphabeta, alphabeta_hard):
        tally = Tally()
        assert search(NestedTree(root), root, 0, -inf, inf, DEEPEST, tally) == 5
        assert (tally.nodes, tally.leaves) == (7, 3)


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("height", range(7))
@pytest.mark.parametrize("branching", range(1, 5))
def test_perfect_order_visits_the_least_leaves(branching: int, height: int, mover: int) -> None:
    root = best_first(random_uniform(branching, height, seed=100 * branching + height))
    least = branching ** ((height + 1) // 2) + branching ** (height // 2) - 1
    assert leaves_visited(root, mover) == [least] * 3


@pytest.mark.parametrize("height", range(7))
@pytest.mark.parametrize("branching", range(1, 5))
def test_the_worst_order_visits_every_leaf(branching: int, height: int) -> None:
    root = without_cuts(branching, height)
    assert leaves_visited(root, 0) == [branching**height] * 3
    assert leaves_visited(root, 1) == [branching**height] * 3


def test_the_reverse_of_perfect_order_may_still_be_cut() -> None:
    # The lecture says that the reverse of the best order makes alpha-beta visit every node. That holds
    # for two plies; higher trees need values that also stay inside the window (`without_cuts`).
    def reverse(node: Node) -> Node:
        return node._replace(children=tuple(reverse(child) for child in reversed(node.children)))

    two, four = (reverse(best_first(random_uniform(3, height, seed=1))) for height in (2, 4))
    assert leaves_visited(two, 0) == [3**2] * 3
    assert leaves_visited(four, 0)[0] < 3**4


def leaves_visited(root: Node, player: int) -> list[int]:
    """The leaves that each form visits, by `player`'s view; negamax has the mover's view only."""
    game, tallies = NestedTree(root), [Tally(), Tally(), Tally()]
    alphabeta(game, root, player, -inf, inf, DEEPEST, tallies[0])
    alphabeta_hard(game, root, player, -inf, inf, DEEPEST, tallies[1])
    negamax_alphabeta(game, root, -inf, inf, DEEPEST, tallies[2])
    return [tally.leaves for tally in tallies]


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Crosses(Game):
    """Tic-tac-toe, squares in their natural order."""

    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int

    def initial(self) -> State:
        return self.State((-1,) * 9, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for square in range(9):
            if state.cells[square] == -1:
                yield square

    def result(self, state: State, action: int) -> State:
        return self.State(put(state.cells, action, state.turn), 1 - state.turn)

    def won(self, state: State) -> bool:
        cells = state.cells
        return any(cells[a] == cells[b] == cells[c] == 1 - state.turn for a, b, c in LINES)

    def is_terminal(self, state: State) -> bool:
        return -1 not in state.cells or self.won(state)

    def utility(self, state: State, player: int) -> float:
        if not self.won(state):
            return 0
        return -1 if state.turn == player else 1


def test_tic_tac_toe_is_a_draw_in_18297_nodes() -> None:
    game, soft, hard, nega = Crosses(), Tally(), Tally(), Tally()
    assert alphabeta(game, game.initial(), 0, -inf, inf, DEEPEST, soft) == 0
    assert alphabeta_hard(game, game.initial(), 0, -inf, inf, DEEPEST, hard) == 0
    assert negamax_alphabeta(game, game.initial(), -inf, inf, DEEPEST, nega) == 0
    assert soft == hard == nega == Tally(nodes=18_297, leaves=7_330)


def test_tic_tac_toe_has_549946_nodes_of_which_255168_are_ends() -> None:
    game, nodes, leaves = Crosses(), 1, 0
    for square, twins in ((0, 4), (1, 4), (4, 1)):
        tally = Tally()
        assert minimax(game, game.result(game.initial(), square), 0, DEEPEST, tally) == 0
        nodes, leaves = nodes + twins * tally.nodes, leaves + twins * tally.leaves
    assert (nodes, leaves) == (549_946, 255_168)
