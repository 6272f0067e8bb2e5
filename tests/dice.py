"""Small games for tests of random play: one with dice, one for three players, and some that go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game import CHANCE, Game


class Dice(Game):
    """Throw a loaded die in ten turns, each time keeping all points or none; the first wants many."""

    utility_bounds = (-30, 30)

    class State(NamedTuple):
        points: int
        turn: int
        thrown: bool

    def __init__(self, turns: int = 10) -> None:
        self.turns = turns

    def initial(self) -> State:
        return self.State(0, 0, False)

    def to_move(self, state: State) -> int:
        return state.turn % 2 if state.thrown else CHANCE

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for pips, probability in enumerate((0.0, 0.5, 0.25, 0.25)):
            yield pips, probability

    def actions(self, state: State) -> Iterator[int]:
        for keep in range(2):
            yield keep

    def result(self, state: State, action: int) -> State:
        if not state.thrown:
            return self.State(state.points + action, state.turn, True)
        return self.State(state.points * action, state.turn + 1, False)

    def is_terminal(self, state: State) -> bool:
        return state.turn == self.turns

    def utility(self, state: State, player: int) -> float:
        return state.points if player == 0 else -state.points


class ThreeWay(Game):
    """Three players take turns to add 1, 2 or 3; whoever reaches 12 gets 2, the one before him 1."""

    players = 3
    utility_sum = 3
    utility_bounds = (0, 2)

    class State(NamedTuple):
        sum: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for add in (1, 2, 3):
            yield add

    def result(self, state: State, action: int) -> State:
        return self.State(state.sum + action, (state.turn + 1) % 3)

    def is_terminal(self, state: State) -> bool:
        return state.sum >= 12

    def utility(self, state: State, player: int) -> float:
        return 2 if player == (state.turn + 2) % 3 else 1 if player == (state.turn + 1) % 3 else 0


class Stuck(Dice):
    """A game whose author forgot that somebody must have something to do."""

    def to_move(self, state: Dice.State) -> int:
        return 0

    def actions(self, state: Dice.State) -> Iterator[int]:
        for action in range(0):
            yield action


class Becalmed(Dice):
    """A game whose chance has nothing to choose from."""

    def outcomes(self, state: Dice.State) -> Iterator[tuple[int, float]]:
        for action in range(1):
            yield action, 0.0
