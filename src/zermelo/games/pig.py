"""Pig: roll a die as often as you dare, and keep what you have rolled unless a 1 comes up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.board import Fields
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Game

ROLL, HOLD = 0, 1
NAMES = ("roll", "hold")


class Pig(Game):
    """Roll and add up, or hold and keep it; a 1 loses what the turn has brought; whoever first has the target wins.

    A turn begins with a roll. Whoever has the target, what the turn has brought included, has won: there would be
    nothing left but to hold. Utilities are 1 and 0, so that a value is the probability to win.
    """

    players = 2
    utility_sum = 1
    utility_bounds = (0, 1)
    repeats = True
    known = "the first player wins with probability 0.5306 if both play best (target 100, six sides)"

    class State(NamedTuple):
        own: int
        other: int
        total: int
        turn: int
        rolling: bool

    def __init__(self, target: int = 100, sides: int = 6) -> None:
        if not 2 <= target <= 1000 or not 2 <= sides <= 100:
            raise BadInput("Pig needs a target from 2 to 1,000 and from 2 to 100 sides")
        self.target, self.sides = target, sides

    def initial(self) -> State:
        return self.State(0, 0, 0, 0, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.rolling else state.turn

    def actions(self, state: State) -> Iterator[int]:
        yield ROLL
        if state.total > 0:
            yield HOLD

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for pips in range(1, self.sides + 1):
            yield pips, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        if not state.rolling:
            if action == ROLL:
                return self.State(state.own, state.other, state.total, state.turn, True)
            return self.State(state.other, state.own + state.total, 0, 1 - state.turn, False)
        if action == 1:
            return self.State(state.other, state.own, 0, 1 - state.turn, False)
        return self.State(state.own, state.other, state.total + action, state.turn, False)

    def is_terminal(self, state: State) -> bool:
        return state.own + state.total >= self.target

    def utility(self, state: State, player: int) -> float:
        return 1 if player == state.turn else 0

    def evaluate(self, state: State, player: int) -> float:
        """As much more than a half as the player is ahead, where half of what the turn has brought counts."""
        lead = (state.own + state.total / 2 - state.other) / (2 * self.target + 1)
        return 0.5 + lead if player == state.turn else 0.5 - lead

    def format_action(self, state: State, action: int) -> str:
        return str(action) if state.rolling else NAMES[action]

    def format_state(self, state: State) -> str:
        """The scores of both players, then whose turn it is and what it has brought: 20:31 1+7, 20:31 1+7 rolling."""
        first, second = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        return f"{first}:{second} {state.turn + 1}+{state.total}{' rolling' if state.rolling else ''}"

    def parse_state(self, text: str) -> State:
        try:
            scores, turn, *rolling = text.split()
            first, second = (int(score) for score in scores.split(":"))
            player, total = (int(number) for number in turn.split("+"))
            if rolling not in ([], ["rolling"]) or player not in (1, 2) or min(first, second, total) < 0:
                raise ValueError
        except ValueError:
            example = "20:31 1+7 (scores, whose turn it is, what it has brought), or 20:31 1+7 rolling"
            raise BadInput(f"{text!r} is no state of Pig, which is written like {example}") from None
        own, other = (first, second) if player == 1 else (second, first)
        state = self.State(own, other, total, player - 1, bool(rolling))
        if (
            max(own, other) >= self.target
            or own + total >= self.target + self.sides
            or (rolling and self.is_terminal(state))
        ):
            raise BadInput(f"{text!r} went on after somebody had {self.target}")
        return state

    def board(self, state: State) -> Fields:
        scores = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        names = tuple(self.player_name(player) for player in range(2))
        turn = f"{names[state.turn]} has {state.total}" + (", and the die is rolling" if state.rolling else "")
        return Fields((*names, "turn"), (*(f"{self.bar(score)} {score}" for score in scores), turn))

    def bar(self, score: int) -> str:
        """A score as a bar of up to 25 squares, the target being all of them."""
        full = min(25 * score // self.target, 25)
        return "■" * full + "·" * (25 - full)
