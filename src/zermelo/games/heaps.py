"""Nim with several heaps, the game of Bouton's theorem."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.board import Piles
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.tuples import put

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Heaps(Game):
    """Take as many stones as you like from one heap; whoever takes the last of all wins (or loses: last=lose)."""

    players = 2
    utility_bounds = (-1, 1)
    known = "the second player wins if the xor of the heaps is 0 (last=lose and no heap above 1: is 1), else the first"

    class State(NamedTuple):
        heaps: tuple[int, ...]
        turn: int

    def __init__(self, heaps: str = "3-4-5", last: str = "win") -> None:
        if not re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3}){0,25}", heaps) or last not in ("win", "lose"):
            raise BadInput("Heaps needs 1 to 26 sizes below 1,000 such as heaps=3-4-5, and last=win or last=lose")
        self.heaps = tuple(int(size) for size in heaps.split("-"))
        self.base = max(self.heaps) + 1
        self.reward = 1 if last == "win" else -1

    def initial(self) -> State:
        return self.State(self.heaps, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for heap in range(len(state.heaps)):
            for stones in range(1, state.heaps[heap] + 1):
                yield heap * self.base + stones

    def result(self, state: State, action: int) -> State:
        heap, stones = action // self.base, action % self.base
        return self.State(put(state.heaps, heap, state.heaps[heap] - stones), 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return all(size == 0 for size in state.heaps)

    def utility(self, state: State, player: int) -> float:
        return self.reward if state.turn != player else -self.reward

    def format_action(self, state: State, action: int) -> str:
        return f"{LETTERS[action // self.base]}{action % self.base}"

    def parse_state(self, text: str) -> State:
        state: Heaps.State = super().parse_state(text)
        if not all(0 <= size < self.base for size in state.heaps) or state.turn not in (0, 1):
            raise BadInput(f"{text!r} is no set of heaps: sizes go from 0 to {self.base - 1}, turn is 0 or 1")
        return state

    def board(self, state: State) -> Piles:
        return Piles(tuple(LETTERS[: len(state.heaps)]), state.heaps)
