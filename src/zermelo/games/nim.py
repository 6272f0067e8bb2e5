"""One-heap Nim, as in the lecture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.board import Piles
from zermelo.errors import BadInput
from zermelo.game import MOST_ACTIONS, Game


class Nim(Game):
    """Take one to three stones from the heap; whoever takes the last one wins (or loses: last=lose)."""

    players = 2
    utility_bounds = (-1, 1)
    known = "the second player wins if stones (with last=lose: stones - 1) is a multiple of most + 1, else the first"

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 21, most: int = 3, last: str = "win") -> None:
        if not 0 <= stones <= 10**9 or not 1 <= most <= MOST_ACTIONS or last not in ("win", "lose"):
            raise BadInput("Nim needs stones from 0 to 1,000,000,000, most from 1 to 65,536, last=win or last=lose")
        self.stones = stones
        self.most = most
        self.reward = 1 if last == "win" else -1

    def initial(self) -> State:
        return self.State(self.stones, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for stones in range(1, min(self.most, state.stones) + 1):
            yield stones

    def result(self, state: State, action: int) -> State:
        return self.State(state.stones - action, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.stones == 0

    def utility(self, state: State, player: int) -> float:
        return self.reward if state.turn != player else -self.reward

    def parse_state(self, text: str) -> State:
        state: Nim.State = super().parse_state(text)
        if not 0 <= state.stones <= 10**9 or state.turn not in (0, 1):
            raise BadInput(f"{text!r} is no heap: stones go from 0 to 1,000,000,000, turn is 0 or 1")
        return state

    def board(self, state: State) -> Piles:
        return Piles(("heap",), (state.stones,))
