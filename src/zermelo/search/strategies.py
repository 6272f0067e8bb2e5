"""Brute force over pure strategies: the lecture's first, slow way to find the best play.

A pure strategy says which action to take at each of a player's own nodes. A *full* strategy speaks of
all of them; a *reduced* one only of those it can still reach itself, so that no two reduced strategies
are equivalent. On a uniform tree of branching b and height h whose players alternate, the first player
has b^n full strategies, n = (1 + b² + b⁴ + …) being the number of its nodes above the leaves, and
b^(1 + b + b² + …) reduced ones, with ⌈h/2⌉ terms.

Nodes are those of the tree: a state reached in two ways is two nodes. Interpreted only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import inf, log10, prod
from typing import Any, NamedTuple

from zermelo.errors import Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.search.suitability import default_algorithm, why_no_value

MAX, MIN, END = 0, 1, 2
"""Whose node it is, besides `CHANCE`."""

MOST_PAIRS = 10_000_000
"""The most pairs of strategies that `compare` plays."""

MOST_NODES = 100_000
"""The largest tree that `grow` makes."""

MOST_PLIES = 200
"""The highest tree that `grow` makes."""

Strategy = dict[int, int]
"""From the number of an own node to the index of the action taken there."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a game tree. `number` counts all nodes from the root down, first action first; `weights`
    are the probabilities at a chance node; `utility` is Max's at an end."""

    number: int
    side: int
    path: tuple[Any, ...]
    children: tuple[Node, ...] = ()
    weights: tuple[float, ...] = ()
    utility: float = 0.0

    @property
    def nodes(self) -> Iterator[Node]:
        """This node and all below it, in the order of their numbers."""
        yield self
        for child in self.children:
            yield from child.nodes


class Comparison(NamedTuple):
    """All strategies of Max against all of Min.

    `best_max` is s* = argmax_s min_t U(s, t), `best_min` is t* = argmin_t max_s U(s, t), the first of equals.
    """

    best_max: Strategy
    best_min: Strategy
    maximin: float
    minimax: float
    met: float
    max_strategies: int
    min_strategies: int

    @property
    def value(self) -> float:
        """What Max is sure of with s*."""
        return self.maximin

    @property
    def theorem_holds(self) -> bool:
        """Whether pure strategies meet the minimax theorem: min_t U(s*, t) = max_s U(s, t*) = U(s*, t*).

        Corollary 2 says that they do in every game that `compare` accepts. Exactly so, rounding included:
        the averages of chance are sums that never fall when a part of them rises.
        """
        return self.maximin == self.minimax == self.met


def compare(game: Game, state: Any, player: int, reduced: bool = True, most: int = MOST_PAIRS) -> Comparison:
    """Play every strategy of `player` (Max) against every one of the opponent (Min).

    `Unsuitable` where there are more than `most` pairs, and for games whose states have no single value.
    """
    root = grow(game, state, player)
    count, strategies = (count_reduced, reduced_strategies) if reduced else (count_full, full_strategies)
    rows, columns = count(root, MAX), count(root, MIN)
    if rows * columns > most:
        raise Unsuitable(
            f"comparing strategies means {count_words(rows)} × {count_words(columns)} plays from here, "
            f"more than {count_words(most)}: use {default_algorithm(game)}, which finds the same value"
        )
    best_max, maximin, ceilings = Strategy(), -inf, [-inf] * columns
    for s in strategies(root, MAX):
        floor = inf
        for column, t in enumerate(strategies(root, MIN)):
            utility = play(root, s, t)
            floor = min(floor, utility)
            ceilings[column] = max(ceilings[column], utility)
        if floor > maximin:
            best_max, maximin = s, floor
    minimax = min(ceilings)
    best_min = next(islice(strategies(root, MIN), ceilings.index(minimax), None))
    return Comparison(best_max, best_min, maximin, minimax, play(root, best_max, best_min), rows, columns)


def play(node: Node, s: Strategy, t: Strategy) -> float:
    """U(s, t): Max's utility, on average over chance, if Max follows s and Min follows t."""
    while node.side != END:
        if node.side == CHANCE:
            average = 0.0
            for child, weight in zip(node.children, node.weights, strict=True):
                average += weight * play(child, s, t)
            return average
        node = node.children[s[node.number] if node.side == MAX else t[node.number]]
    return node.utility


def full_strategies(root: Node, side: int) -> Iterator[Strategy]:
    """Every choice of an action at every node of `side`."""
    own = [node for node in root.nodes if node.side == side]
    for choices in product(*(range(len(node.children)) for node in own)):
        yield {node.number: choice for node, choice in zip(own, choices, strict=True)}


def reduced_strategies(node: Node, side: int) -> Iterator[Strategy]:
    """Every choice of an action at the nodes of `side` that its earlier choices leave reachable."""
    if node.side == side:
        for choice, child in enumerate(node.children):
            for below in reduced_strategies(child, side):
                yield {node.number: choice, **below}
    else:
        for parts in product(*(reduced_strategies(child, side) for child in node.children)):
            yield {number: choice for part in parts for number, choice in part.items()}


def count_full(root: Node, side: int) -> int:
    """How many full strategies `side` has: the product of the branching at its nodes."""
    return prod(len(node.children) for node in root.nodes if node.side == side)


def count_reduced(node: Node, side: int) -> int:
    """How many reduced strategies `side` has: a sum over its own actions, a product over all others'."""
    counts = (count_reduced(child, side) for child in node.children)
    return sum(counts) if node.side == side else prod(counts)


def grow(game: Game, state: Any, player: int) -> Node:
    """The whole game tree below `state`, seen by `player` (Max); `Unsuitable` where it is too large."""
    why = why_no_value(game)
    if why:
        raise Unsuitable(f"comparing strategies {why}")
    return _grow(game, state, player, (), [0])


def _grow(game: Game, state: Any, player: int, path: tuple[Any, ...], used: list[int]) -> Node:
    number = used[0]
    used[0] += 1
    if number >= MOST_NODES or len(path) > MOST_PLIES:
        raise Unsuitable(
            f"comparing strategies needs the whole game tree, and that of {game.title} has more than "
            f"{MOST_NODES:,} nodes or {MOST_PLIES} plies from here: use {default_algorithm(game)}"
        )
    if game.is_terminal(state):
        return Node(number, END, path, utility=float(game.utility(state, player)))
    mover = game.to_move(state)
    side = CHANCE if mover == CHANCE else MAX if mover == player else MIN
    weights = tuple(probability for _, probability in game.outcomes(state)) if side == CHANCE else ()
    children = tuple(_grow(game, game.result(state, a), player, (*path, a), used) for a in game.legal(state))
    return Node(number, side, path, children, weights)


def count_words(count: int, readable: int = 10**12) -> str:
    """A count for a message; a power of ten where nobody would read the digits."""
    return f"{count:,}" if count < readable else f"10^{int(log10(count))}"
