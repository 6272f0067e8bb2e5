"""One-heap Nim, as in the lecture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.board import Piles
from zermelo.errors import BadInput
from zermelo.game import MOST_ACTIONS, Game

MOST_PLAYERS = 20


class Nim(Game):
    """Take one to three stones from the heap; whoever takes the last one wins (or loses: last=lose).

    Whoever wins gets 1 from each of the others, who loses pays 1 to each, so that the utilities add up to 0.
    """

    utility_bounds = (-1, 1)
    known = "the second player wins if stones (with last=lose: stones - 1) is a multiple of most + 1, else the first"

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 21, most: int = 3, last: str = "win", players: int = 2) -> None:
        if not 0 <= stones <= 10**9 or not 1 <= most <= MOST_ACTIONS or last not in ("win", "lose"):
            raise BadInput("Nim needs stones from 0 to 1,000,000,000, most from 1 to 65,536, last=win or last=lose")
        if not 2 <= players <= MOST_PLAYERS:
            raise BadInput(f"Nim is for 2 to {MOST_PLAYERS} players, not {players}")
        self.players = players
        self.stones = stones
        self.most = most
        self.reward = 1 if last == "win" else -1
        if players > 2:
            self.utility_bounds = (-1, players - 1) if last == "win" else (1 - players, 1)

    def initial(self) -> State:
        return self.State(self.stones, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for stones in range(1, min(self.most, state.stones) + 1):
            yield stones

    def result(self, state: State, action: int) -> State:
        return self.State(state.stones - action, (state.turn + 1) % self.players)

    def is_terminal(self, state: State) -> bool:
        return state.stones == 0

    def utility(self, state: State, player: int) -> float:
        took_last = (player + 1) % self.players == state.turn
        return self.reward * (self.players - 1) if took_last else -self.reward

    def parse_state(self, text: str) -> State:
        state: Nim.State = super().parse_state(text)
        if not 0 <= state.stones <= 10**9 or not 0 <= state.turn < self.players:
            turns = "0 or 1" if self.players == 2 else f"from 0 to {self.players - 1}"
            raise BadInput(f"{text!r} is no heap: stones go from 0 to 1,000,000,000, turn is {turns}")
        return state

    def board(self, state: State) -> Piles:
        return Piles(("heap",), (state.stones,))
