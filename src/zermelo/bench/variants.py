"""Games to measure with: built-in ones that know less or count otherwise, and trees with dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit, scatter
from zermelo.game import CHANCE, Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello

STEP, PLIES = 20, 20
"""How much one move of a `RolledTree` can change its lead, and after how many it ends."""
DISCS_WON = 1000
"""What a win is worth in `DiscOthello`, more than any lead in discs."""


class BlindConnectFour(ConnectFour):
    """Connect Four in which a search sees nothing at its horizon."""

    def evaluate(self, state: ConnectFour.State, player: int) -> float:
        return 0.0


class PlainConnectFour(ConnectFour):
    """Connect Four of which nothing is known but its rules and symmetry: what a first game of one's own is like."""

    bounds = Game.bounds
    plausible = Game.plausible  # type: ignore[assignment]
    promise = Game.promise
    evaluate = Game.evaluate


class CentredConnectFour(PlainConnectFour):
    """Connect Four in which a disc counts by its column.

    Nothing is known of sure wins: with that the engine would see more than its depth, and find other values.
    """

    worths = (1, 2, 3, 4, 3, 2, 1)

    def evaluate(self, state: ConnectFour.State, player: int) -> float:
        lead = 0
        for column in range(self.width):
            cells = self.column << self.stride * column
            lead += self.worths[column] * (2 * (state.own & cells).count() - (state.taken & cells).count())
        return (lead if player == self.to_move(state) else -lead) / 128


class DiscOthello(Othello):
    """Othello in which the lead in discs is all that is known, a win is `DISCS_WON`, and passing is no move."""

    bounds = Game.bounds

    def __init__(self) -> None:
        super().__init__(margin=0)
        self.utility_bounds = (-DISCS_WON, DISCS_WON)

    def result(self, state: Othello.State, action: int) -> Othello.State:
        flips = self.flips(state.own, state.other, action)
        own, other = state.own ^ flips ^ bit(action), state.other ^ flips
        if self.can_move(other, own) or not self.can_move(own, other):
            return self.State(other, own, 1 - state.turn)
        return self.State(own, other, state.turn)

    def utility(self, state: Othello.State, player: int) -> float:
        return DISCS_WON * super().utility(state, player)

    def evaluate(self, state: Othello.State, player: int) -> float:
        lead = state.own.count() - state.other.count()
        return lead if player == state.turn else -lead


class RolledTree(Game):
    """A tree without end in which a die is rolled before every move but the first.

    Every move and every roll changes the lead by up to `STEP` at random. Where the search stops, the lead is what a
    state seems worth, and the more promising moves are those that gain most at once, as in many games.
    """

    utility_bounds = (-1, 1)

    class State(NamedTuple):
        number: Bits
        ply: int
        lead: int

    def __init__(self, moves: int, sides: int, players: int = 2) -> None:
        self.moves, self.sides, self.players = moves, sides, players

    def initial(self) -> State:
        return self.State(Bits(0), 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.ply % 2 else state.ply // 2 % self.players

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.moves):
            yield action

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for side in range(self.sides):
            yield side, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        number = scatter(state.number + Bits(action) + 1)
        return self.State(number, state.ply + 1, state.lead + int(number >> 40) % (2 * STEP + 1) - STEP)

    def is_terminal(self, state: State) -> bool:
        return state.ply == PLIES

    def utility(self, state: State, player: int) -> float:
        return self.evaluate(state, player)

    def evaluate(self, state: State, player: int) -> float:
        worth = state.lead / (STEP * PLIES + 1)
        return worth if player == 0 else -worth
