"""Game trees written down node by node, random ones, and naive twins of the searches, for the tests.

The naive twins share nothing with `zermelo.search`: they build lists and take `max` and `min` of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from zermelo.game import CHANCE, Game
from zermelo.native import is_enabled
from zermelo.search.tally import DEEPEST

FAIR = {
    1: [(1.0,)],
    2: [(0.5, 0.5), (0.25, 0.75)],
    3: [(0.25, 0.25, 0.5), (0.75, 0.125, 0.125)],
}
"""Probabilities for so many children; all sums and products of theirs with small integers are exact."""


def examples(number: int) -> settings:
    """The fixed profile: the same `number` of examples in every run, no deadline, nothing kept.

    With the JIT off it is a quarter of them: what is run then is what the main run has interpreted already.
    """
    number = number if is_enabled() else 1 + number // 4
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=number, deadline=None, derandomize=True, database=None, suppress_health_check=slow)


class Node(NamedTuple):
    """A state: who moves (at an end: whoever), what comes next, what it is worth or seems to each player."""

    mover: int
    children: tuple[Node, ...]
    worth: tuple[float, ...]
    odds: tuple[float, ...] = ()


class NestedTree(Game):
    """A game that is nothing but its tree; it refuses every call that the contract does not allow."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.players = len(root.worth)

    def initial(self) -> Node:
        return self.root

    def to_move(self, state: Node) -> int:
        return state.mover

    def is_terminal(self, state: Node) -> bool:
        return not state.children

    def actions(self, state: Node) -> Iterator[int]:
        assert state.children, "actions of an end"
        assert state.mover != CHANCE, "actions at chance's turn"
        yield from range(len(state.children))

    def result(self, state: Node, action: int) -> Node:
        return state.children[action]

    def utility(self, state: Node, player: int) -> float:
        assert not state.children, "utility of no end"
        assert 0 <= player < self.players, "no such player"
        return state.worth[player]

    def evaluate(self, state: Node, player: int) -> float:
        assert state.children, "evaluation of an end"
        assert 0 <= player < self.players, "no such player"
        return state.worth[player]


class ChanceTree(NestedTree):
    """A tree where chance may move."""

    def outcomes(self, state: Node) -> Iterator[tuple[int, float]]:
        assert state.mover == CHANCE, "outcomes at a player's turn"
        yield from enumerate(state.odds)


class Endless(Game):
    """Two players wait for each other for ever."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Iterator[int]:
        yield 1

    def result(self, state: int, action: int) -> int:
        return state + action

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> float:
        raise AssertionError("there is no end")


# Trees by hand.


def leaf(value: float, mover: int = 0) -> Node:
    """An end of a two-player zero-sum game."""
    return Node(mover, (), (value, -value))


def nested(tree: Any, mover: int = 0) -> Node:
    """A two-player zero-sum tree from nested lists of numbers; the players alternate."""
    if not isinstance(tree, list):
        return leaf(tree, mover)
    return Node(mover, tuple(nested(child, 1 - mover) for child in tree), (0, 0))


def chance(odds: tuple[float, ...], *children: Node) -> Node:
    """A node where chance moves."""
    return Node(CHANCE, children, (0,) * len(children[0].worth), odds)


def uniform(branching: int, height: int, value: Callable[[], float], mover: int = 0) -> Node:
    """A tree where every node above the leaves has `branching` children, and the players alternate."""
    if height == 0:
        return leaf(value(), mover)
    return Node(mover, tuple(uniform(branching, height - 1, value, 1 - mover) for _ in range(branching)), (0, 0))


def random_uniform(branching: int, height: int, seed: int) -> Node:
    """A uniform tree with random leaves, some of them equal."""
    dice = random.Random(seed)
    return uniform(branching, height, lambda: dice.randrange(branching**height))


def best_first(node: Node) -> Node:
    """The same tree with every mover's children in perfect order."""
    children = sorted((best_first(child) for child in node.children), key=minimax_naive, reverse=node.mover == 0)
    return node._replace(children=tuple(children))


def without_cuts(branching: int, height: int, low: int = 0, mover: int = 0) -> Node:
    """A tree where alpha-beta cuts nothing: each child's leaves are all better for the mover than those of
    the children before it, so that every value lies inside the window it is searched with."""
    if height == 0:
        return leaf(low, mover)
    step = branching ** (height - 1)
    places = range(branching) if mover == 0 else reversed(range(branching))
    children = tuple(without_cuts(branching, height - 1, low + place * step, 1 - mover) for place in places)
    return Node(mover, children, (0, 0))


def with_worth(node: Node, change: Callable[[tuple[float, ...]], tuple[float, ...]]) -> Node:
    """The same tree with other utilities and estimates."""
    children = tuple(with_worth(child, change) for child in node.children)
    return node._replace(children=children, worth=change(node.worth))


# Random trees.


def zero_sum(limit: int = 4) -> st.SearchStrategy[tuple[float, ...]]:
    """What a node is worth to two opponents; few different values, so that many are equal."""
    return st.integers(-limit, limit).map(lambda value: (value, -value))


def constant_sum(total: int) -> st.SearchStrategy[tuple[float, ...]]:
    """What a node is worth to two players who share `total`."""
    return st.integers(-4, 4).map(lambda value: (value, total - value))


def general(players: int) -> st.SearchStrategy[tuple[float, ...]]:
    """What a node is worth to players who have nothing to do with each other."""
    return st.tuples(*[st.integers(-2, 2)] * players)


def trees(
    worth: st.SearchStrategy[tuple[float, ...]], players: int = 2, dice: bool = False, height: int = 6
) -> st.SearchStrategy[Node]:
    """Random trees of mixed depth: one-child nodes, equal values, players who move twice in a row."""
    movers = st.integers(0, players - 1)
    levels = [st.tuples(movers, worth).map(lambda drawn: Node(drawn[0], (), drawn[1]))]
    for _ in range(height):
        others = st.lists(st.one_of(levels), max_size=2)
        children = st.tuples(levels[-1], others, st.integers(0, 2)).map(_row)
        chosen = st.tuples(movers, children, worth).map(lambda drawn: Node(*drawn))
        levels.append(chosen | children.flatmap(lambda row: _rolled(row, worth)) if dice else chosen)
    return st.one_of(levels)


def _row(drawn: tuple[Node, list[Node], int]) -> tuple[Node, ...]:
    tall, others, place = drawn
    return (*others[:place], tall, *others[place:])


def _rolled(children: tuple[Node, ...], worth: st.SearchStrategy[tuple[float, ...]]) -> st.SearchStrategy[Node]:
    odds = st.sampled_from(FAIR[len(children)])
    return st.tuples(worth, odds).map(lambda drawn: Node(CHANCE, children, *drawn))


DEPTHS = st.integers(0, 5) | st.just(DEEPEST)
"""Depths to search random trees to; the last one is no limit."""


@st.composite
def windows(draw: st.DrawFn) -> tuple[float, float]:
    """A pair alpha < beta around the values of random trees: on them, between them, infinite."""
    bounds = st.integers(-10, 10).map(lambda half: half / 2) | st.sampled_from([-inf, inf])
    alpha, beta = sorted(draw(st.lists(bounds, min_size=2, max_size=2, unique=True)))
    return alpha, beta


# Naive twins.


def minimax_naive(node: Node, player: int = 0, depth: int = DEEPEST) -> float:
    """The minimax value, averaged where chance moves."""
    if not node.children or depth == 0:
        return node.worth[player]
    values = [minimax_naive(child, player, depth - 1) for child in node.children]
    if node.mover == CHANCE:
        return sum(value * odds for value, odds in zip(values, node.odds, strict=True))
    return max(values) if node.mover == player else min(values)


def maxn_naive(node: Node, depth: int = DEEPEST) -> tuple[float, ...]:
    """Everybody's value where each mover takes its first best action."""
    if not node.children or depth == 0:
        return node.worth
    values = [maxn_naive(child, depth - 1) for child in node.children]
    if node.mover == CHANCE:
        columns = zip(*values, strict=True)
        return tuple(sum(v * odds for v, odds in zip(column, node.odds, strict=True)) for column in columns)
    return values[max(range(len(values)), key=lambda index: (values[index][node.mover], -index))]


def count_naive(node: Node, depth: int = DEEPEST) -> tuple[int, int, int]:
    """Nodes, leaves and horizon leaves of the tree down to `depth`."""
    if not node.children or depth == 0:
        return 1, 1, 1 if node.children else 0
    below = [count_naive(child, depth - 1) for child in node.children]
    return 1 + sum(n for n, _, _ in below), sum(n for _, n, _ in below), sum(n for _, _, n in below)


def choices_naive(node: Node, player: int) -> set[int]:
    """The children of the root that are best for its mover, by values seen by `player`."""
    values = [minimax_naive(child, player) for child in node.children]
    best = max(values) if node.mover == player else min(values)
    return {index for index, value in enumerate(values) if value == best}
