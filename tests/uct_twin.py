"""UCT as a textbook would write it: nodes are objects, children are lists. The naive twin of `zermelo.montecarlo`."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Any

from zermelo.game import CHANCE, Game

WORD = (1 << 64) - 1


def mix(word: int) -> int:
    """SplitMix64, in plain integers."""
    word = word * 0x9E3779B97F4A7C15 & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


class Luck:
    """The random numbers of one game or simulation."""

    def __init__(self, seed: int, number: int) -> None:
        self.word = mix((mix(seed & WORD) + number) & WORD)

    def next(self) -> int:
        self.word = (self.word + 1) & WORD
        return mix(self.word)

    def of(self, items: list[Any]) -> Any:
        return items[(self.next() >> 33) * len(items) >> 31]

    def outcome(self, pairs: list[tuple[Any, float]]) -> Any:
        at, total, chosen = (self.next() >> 11) / 2**53, 0.0, None
        for action, probability in pairs:
            if probability > 0 and total <= at:
                chosen = action
            total += probability
        return chosen

    def step(self, game: Game, state: Any) -> Any:
        if game.to_move(state) == CHANCE:
            return game.result(state, self.outcome(list(game.outcomes(state))))
        return game.result(state, self.of(list(game.actions(state))))


@dataclass
class Twin:
    """A node."""

    number: int
    state: Any
    chance: float = 0.0
    visits: int = 0
    total: float = 0.0
    low: float = -inf
    high: float = inf
    children: list[Twin] = field(default_factory=list)
    ended: bool = False


@dataclass
class TwinSearch:
    """The whole search, for one player or two whose utilities add up to 0, or with `proofs` off for any game."""

    game: Game
    seed: int
    exploration: float = 1.0
    expand: int = 1
    proofs: bool = True
    made: int = 0
    values: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        low, high = self.game.utility_bounds
        self.unit = self.spread = (high - low) / 2 if high - low < inf else 1.0
        self.nodes = 2
        self.root = Twin(1, self.game.initial(), low=low, high=high)

    def simulate(self, count: int) -> None:
        for _ in range(count):
            if self.proofs and self.root.low == self.root.high:
                return
            self.made += 1
            self.one()

    def one(self) -> None:
        game, luck, way, movers = self.game, Luck(self.seed, self.made), [self.root], [0]
        while True:
            node = way[-1]
            if not node.children and not node.ended:
                self.open(node, len(way) == 1)
            if not node.children or (self.proofs and len(way) > 1 and node.low == node.high):
                break
            mover = game.to_move(node.state)
            way.append(self.happening(node, luck) if mover == CHANCE else self.choice(node, mover))
            movers.append(mover)
        leaf = way[-1]
        if self.proofs and not leaf.ended and leaf.low == leaf.high:
            values: tuple[float, ...] = (leaf.low, -leaf.low)
        else:
            state = leaf.state
            while not game.is_terminal(state):
                state = luck.step(game, state)
            values = game.utilities(state)
        seen = values[0]
        for node, mover in reversed(list(zip(way, movers, strict=True))):
            node.visits += 1
            if self.proofs:
                seen = min(max(seen, node.low), node.high)
                node.total += -seen if mover == 1 else seen
            else:
                node.total += values[max(mover, 0)]
        if self.proofs and leaf.ended:
            for node in reversed(way[:-1]):
                self.prove(node)
        self.values.append(values[0])
        if self.made < 64 or self.made % 64 == 0:
            above = [value - self.values[0] for value in self.values]
            mean = sum_of(above) / self.made
            variance = sum_of([value * value for value in above]) / self.made - mean * mean
            self.spread = sqrt(variance) if variance > 0 else self.unit

    def open(self, node: Twin, is_root: bool) -> None:
        game, state = self.game, node.state
        low, high = game.utility_bounds
        if game.is_terminal(state):
            node.ended = True
            node.low = node.high = game.utility(state, 0)
        elif is_root or node.visits >= self.expand:
            chance = game.to_move(state) == CHANCE
            pairs = list(game.outcomes(state)) if chance else [(action, 0.0) for action in game.actions(state)]
            for action, probability in pairs:
                node.children.append(Twin(self.nodes, game.result(state, action), probability, low=low, high=high))
                self.nodes += 1

    def happening(self, node: Twin, luck: Luck) -> Twin:
        left = (luck.next() >> 11) / 2**53
        for child in node.children[:-1]:
            if left < child.chance:
                return child
            left -= child.chance
        return node.children[-1]

    def choice(self, node: Twin, mover: int) -> Twin:
        count = len(node.children)
        start = ((6 * node.number * 0x9E3779B97F4A7C15 & WORD) >> 33) * count >> 31
        explore = self.exploration * self.spread * sqrt(log(max(node.visits, 1)))
        best, chosen = -inf, node.children[start]
        for child in node.children[start:] + node.children[:start]:
            value = child.total / child.visits + explore / sqrt(child.visits) if child.visits else inf
            if self.proofs:
                low, high = (child.low, child.high) if mover == 0 else (-child.high, -child.low)
                if low == high or high <= (node.low if mover == 0 else -node.high):
                    value = -inf
            if value > best:
                best, chosen = value, child
        return chosen

    def prove(self, node: Twin) -> None:
        mover = self.game.to_move(node.state)
        if mover == CHANCE:
            likely = [child for child in node.children if child.chance > 0]
            low, high = self.game.utility_bounds
            node.low = min(max(sum_of([child.chance * child.low for child in likely]), low), high)
            node.high = min(max(sum_of([child.chance * child.high for child in likely]), low), high)
        else:
            pick = max if mover == 0 else min
            node.low = pick(child.low for child in node.children)
            node.high = pick(child.high for child in node.children)


def sum_of(values: list[float]) -> float:
    """A sum that is rounded after each item, unlike Python's own."""
    total = 0.0
    for value in values:
        total += value
    return total
