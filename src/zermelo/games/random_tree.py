"""Uniform random trees: the laboratory animal of search, in any order of the moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, scatter
from zermelo.errors import BadInput
from zermelo.game import Game

FLIPS = {"best": 0, "worst": 1, "random": -1}


class RandomTree(Game):
    """A uniform tree with random leaves; order=best or order=worst sorts the moves of every node.

    The leaves are numbered by `rank`, whose digits are the moves. With order=best and order=worst the
    values grow with the rank, so that each player finds the best move first, or last: alpha-beta then
    visits b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves, or all b^d. With order=random all leaves are independent.
    """

    known = "alpha-beta visits b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves with order=best, all b^d with order=worst"

    class State(NamedTuple):
        rank: int
        ply: int

    def __init__(
        self, branching: int = 3, depth: int = 6, seed: int = 0, low: int = -100, high: int = 100, order: str = "random"
    ) -> None:
        if branching < 1 or not 0 <= depth <= 1000 or branching**depth > 2**40:
            raise BadInput("RandomTree needs branching ≥ 1, depth from 0 to 1,000 and branching ** depth up to 2 ** 40")
        if not -(10**9) <= low < high <= 10**9 or order not in FLIPS:
            raise BadInput("RandomTree needs low < high within ±1,000,000,000, and order=random, best or worst")
        self.branching, self.depth, self.low, self.high = branching, depth, low, high
        self.flip = FLIPS[order]
        self.leaves: int = branching**depth
        self.start = scatter(Bits(seed) + 1)
        self.utility_bounds = (min(low, -high) - 1, max(high, -low) + 1)

    def initial(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.branching):
            yield action

    def result(self, state: State, action: int) -> State:
        return self.State(state.rank * self.branching + self.digit(state.ply, action), state.ply + 1)

    def digit(self, ply: int, action: int) -> int:
        """The action's place by value, counted from the lowest; in random order just the action."""
        return self.branching - 1 - action if ply % 2 == self.flip else action

    def is_terminal(self, state: State) -> bool:
        return state.ply == self.depth

    def utility(self, state: State, player: int) -> float:
        worth = self.worth(state.rank)
        return worth if player == 0 else -worth

    def evaluate(self, state: State, player: int) -> float:
        """The worth of one leaf below: with order=best and order=worst the one that best play leads to."""
        rank = state.rank
        for ply in range(state.ply, self.depth):
            rank = rank * self.branching + (self.branching - 1 if ply % 2 == 0 else 0)
        worth = self.worth(rank)
        return worth if player == 0 else -worth

    def worth(self, rank: int) -> float:
        """What a leaf is worth to the first player."""
        noise = int(scatter(self.start + Bits(rank)) >> 11)
        if self.flip < 0:
            return self.low + noise % (self.high - self.low + 1) + 0.0
        return self.low + (self.high - self.low) * (rank + noise / 2**54) / self.leaves

    def format_state(self, state: State) -> str:
        """The moves from the root, such as 0-2-1."""
        moves, rank = [], state.rank
        for ply in reversed(range(state.ply)):
            moves.append(str(self.digit(ply, rank % self.branching)))
            rank //= self.branching
        return "-".join(reversed(moves)) or "root"

    def parse_state(self, text: str) -> State:
        state = self.initial()
        for move in text.split("-") if text != "root" else []:
            if self.is_terminal(state) or move not in map(str, range(self.branching)):
                raise BadInput(f"{text!r} is no path of up to {self.depth} moves from 0 to {self.branching - 1}")
            state = self.result(state, int(move))
        return state
