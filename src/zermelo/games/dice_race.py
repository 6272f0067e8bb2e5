"""A race with dice, so small that its whole tree fits a screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Game

STEP, THROW = 0, 1
NAMES = ("step", "throw")


class DiceRace(Game):
    """Step one square for sure, or throw the die: a 1 moves the other one square, else you go as far as it says.

    Whoever first reaches the end of the track wins. Every turn moves somebody, so the tree is finite. Utilities are 1
    and 0: a value is the probability to win. It is 2/3 for the first player on two squares with three sides: he throws,
    and a 2 or a 3 wins at once; if he stepped, the other would throw and win as often.
    """

    players = 2
    player_names = ("X", "O")
    utility_sum = 1
    utility_bounds = (0, 1)
    known = "the first player wins with probability 2/3 (length 2, three sides), by throwing; 26 nodes in all"

    class State(NamedTuple):
        x: int
        o: int
        turn: int
        thrown: bool

    def __init__(self, length: int = 2, sides: int = 3) -> None:
        if not 1 <= length <= 50 or not 2 <= sides <= 100:
            raise BadInput("DiceRace needs a length from 1 to 50 and from 2 to 100 sides")
        self.length, self.sides = length, sides

    def initial(self) -> State:
        return self.State(0, 0, 0, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.thrown else state.turn

    def actions(self, state: State) -> Iterator[int]:
        yield STEP
        yield THROW

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for pips in range(1, self.sides + 1):
            yield pips, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        if not state.thrown:
            if action == THROW:
                return self.State(state.x, state.o, state.turn, True)
            return self.moved(state, state.turn, 1)
        if action == 1:
            return self.moved(state, 1 - state.turn, 1)
        return self.moved(state, state.turn, action)

    def moved(self, state: State, player: int, squares: int) -> State:
        """The state after a player's piece went some squares; it is the other's turn."""
        if player == 0:
            return self.State(min(state.x + squares, self.length), state.o, 1 - state.turn, False)
        return self.State(state.x, min(state.o + squares, self.length), 1 - state.turn, False)

    def is_terminal(self, state: State) -> bool:
        return state.x == self.length or state.o == self.length

    def utility(self, state: State, player: int) -> float:
        return 1 if (state.x == self.length) == (player == 0) else 0

    def evaluate(self, state: State, player: int) -> float:
        """As much more than a half as the player is ahead."""
        lead = (state.x - state.o) / (2 * self.length + 1)
        return 0.5 + lead if player == 0 else 0.5 - lead

    def format_action(self, state: State, action: int) -> str:
        return str(action) if state.thrown else NAMES[action]

    def parse_state(self, text: str) -> State:
        state: DiceRace.State = super().parse_state(text)
        behind, ahead = sorted((state.x, state.o))
        if behind < 0 or ahead > self.length or state.turn not in (0, 1):
            raise BadInput(f"{text!r} is no race: x and o go from 0 to {self.length}, turn is 0 or 1")
        if behind == self.length or (ahead == self.length and state.thrown):
            raise BadInput(f"{text!r} went on after one had reached the end of the track")
        return state

    def board(self, state: State) -> Grid:
        tracks = [["X" if square == state.x else "" for square in range(self.length + 1)]]
        tracks.append(["O" if square == state.o else "" for square in range(self.length + 1)])
        cells = tuple(cell for track in tracks for cell in track)
        columns = tuple(str(square) for square in range(self.length + 1))
        return Grid(self.length + 1, 2, cells, (), ("X", "O"), columns)
