"""Built-in games that know less, or count otherwise, so that others can be given the same to search."""

from __future__ import annotations

from zermelo.bits import bit
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello

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
