"""A game of one's own, written in this very script, and searched natively.

In Kayles two players knock down one pin or two neighbours of a row; whoever knocks down the last one wins.

It prints:

    6 pins: first knocks down 2, value 1, native
    the same interpreted: True
    losing rows of up to 9 pins: [0]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Bits, Game, Position, best, bit, solve


class Kayles(Game):
    """Knock down one pin or two neighbours; whoever knocks down the last one wins."""

    utility_bounds = (-1, 1)

    class State(NamedTuple):
        pins: Bits
        turn: int

    def __init__(self, pins: int = 6) -> None:
        self.pins = pins

    def initial(self) -> State:
        return self.State(Bits(2**self.pins - 1), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for pin in state.pins:
            yield pin
        for pin in state.pins & state.pins >> 1:
            yield pin + 64

    def result(self, state: State, action: int) -> State:
        hit = bit(action) if action < 64 else bit(action - 64) | bit(action - 63)
        return self.State(state.pins & ~hit, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.pins == 0

    def utility(self, state: State, player: int) -> float:
        return 1 if state.turn != player else -1

    def format_action(self, state: State, action: int) -> str:
        return str(action + 1) if action < 64 else f"{action - 63}-{action - 62}"


if __name__ == "__main__":
    position = Position(Kayles(pins=6))
    found = best(position, world="native")
    move = position.line([found.action])[0]
    print(f"6 pins: first knocks down {move}, value {found.value:g}, {found.world}")
    slow = best(position, world="interpreted")
    print("the same interpreted:", (slow.action, slow.value, slow.nodes) == (found.action, found.value, found.nodes))
    print("losing rows of up to 9 pins:", [pins for pins in range(10) if solve(Kayles(pins)).value == -1])
