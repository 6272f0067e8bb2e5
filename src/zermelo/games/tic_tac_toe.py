"""Tic-tac-toe, and every other m,n,k-game of up to 64 cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import MARKS, Grid, marked_grid, parse_marks
from zermelo.errors import BadInput
from zermelo.game import Game

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class TicTacToe(Game):
    """Mark a free cell; the first with three marks in a line wins (any width, height and line).

    There may be three players (players=3); then the board has five columns unless told otherwise. The winner gets 1
    from each of the others.
    """

    player_names: tuple[str, ...] = ("X", "O")
    utility_bounds: tuple[float, float] = (-1, 1)
    known = "a draw; 5,478 positions, 765 up to symmetry, 255,168 games"

    class State(NamedTuple):
        """The cells of X and of O; where there is a third player, Z, his cells are in both."""

        x: Bits
        o: Bits
        turn: int

    def __init__(self, width: int | None = None, height: int = 3, line: int = 3, players: int = 2) -> None:
        if players not in (2, 3):
            raise BadInput(f"TicTacToe is for 2 or 3 players, not {players}")
        width = (3 if players == 2 else 5) if width is None else width
        if not (1 <= width <= 26 and height >= 1 and width * height <= 64 and 2 <= line <= max(width, height)):
            raise BadInput("TicTacToe needs at most 26 columns and 64 cells, and line from 2 to the longer side")
        self.players, self.has_third = players, players == 3
        if self.has_third:
            self.player_names, self.utility_bounds = ("X", "O", "Z"), (-1, 2)
        self.width, self.height = width, height
        self.full = Bits(2 ** (width * height) - 1)
        self.lines = _lines(width, height, line)
        self.most_lines = self.count_lines(self.full)
        self.turns = _turns(width, height)

    def initial(self) -> State:
        return self.State(Bits(0), Bits(0), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for cell in self.full & ~(state.x | state.o):
            yield cell

    def result(self, state: State, action: int) -> State:
        mark = bit(action)
        if state.turn == 0:
            return self.State(state.x | mark, state.o, 1)
        if self.has_third:
            return self.State(state.x | mark if state.turn == 2 else state.x, state.o | mark, (state.turn + 1) % 3)
        return self.State(state.x, state.o | mark, 0)

    def skipped(self, state: State) -> State:
        return state._replace(turn=(state.turn + 1) % self.players)

    def is_terminal(self, state: State) -> bool:
        return self.is_won(state) or state.x | state.o == self.full

    def utility(self, state: State, player: int) -> float:
        if not self.is_won(state):
            return 0
        return self.players - 1 if player == self.last_mover(state) else -1

    def last_mover(self, state: State) -> int:
        return self.players - 1 if state.turn == 0 else state.turn - 1

    def is_won(self, state: State) -> bool:
        """Whether the player who moved last has a line."""
        return self.count_lines(self.cells(state, self.last_mover(state))) > 0

    def cells(self, state: State, player: int) -> Bits:
        """The cells with the player's mark."""
        if self.has_third:
            both = state.x & state.o
            if player == 2:
                return both
            return state.x ^ both if player == 0 else state.o ^ both
        return state.x if player == 0 else state.o

    def count_lines(self, cells: Bits) -> int:
        """How many lines lie wholly in `cells`."""
        found = 0
        for starts, shifts in self.lines:
            run = cells
            for shift in shifts:
                run &= run >> shift
            found += (run & starts).count()
        return found

    def evaluate(self, state: State, player: int) -> float:
        """The lines still open to the player less those open to an opponent, on average, as a part of all."""
        if self.has_third:
            taken = state.x | state.o
            lead = 2 * self.count_open(state, taken, player)
            for other in range(3):
                if other != player:
                    lead -= self.count_open(state, taken, other)
            return lead / (2 * (self.most_lines + 1))
        lead = self.count_lines(self.full & ~state.o) - self.count_lines(self.full & ~state.x)
        return (lead if player == 0 else -lead) / (self.most_lines + 1)

    def count_open(self, state: State, taken: Bits, player: int) -> int:
        """How many lines nobody else has a mark in."""
        return self.count_lines(self.full & ~taken | self.cells(state, player))

    def symmetries(self, state: State) -> Iterator[State]:
        for turned in self.turns:
            yield self.State(self.moved(state.x, turned), self.moved(state.o, turned), state.turn)

    def moved(self, cells: Bits, places: tuple[int, ...]) -> Bits:
        """The cells, each moved to its new place."""
        result = Bits(0)
        for cell in cells:
            result |= bit(places[cell])
        return result

    def format_action(self, state: State, action: int) -> str:
        return f"{LETTERS[action % self.width]}{self.height - action // self.width}"

    def rows(self, state: State) -> list[str]:
        """The board from the top, each row as X, O, Z and . for nothing."""
        marks = ["."] * (self.width * self.height)
        for player in range(self.players):
            for cell in self.cells(state, player):
                marks[cell] = MARKS[player]
        return ["".join(marks[start : start + self.width]) for start in range(0, len(marks), self.width)]

    def format_state(self, state: State) -> str:
        return "/".join(self.rows(state))

    def parse_state(self, text: str) -> State:
        marks = "".join(parse_marks(text, self.width, self.height, self.players))
        x, o = (Bits(sum(1 << cell for cell, mark in enumerate(marks) if mark in names)) for names in ("XZ", "OZ"))
        state = self.State(x, o, (x | o).count() % self.players)
        for player in set(range(self.players)) - {self.last_mover(state)}:
            if self.count_lines(self.cells(state, player)) > 0:
                raise BadInput(f"{text!r} went on after {self.player_names[player]} had won")
        return state

    def board(self, state: State) -> Grid:
        numbers = [str(self.height - row) for row in range(self.height)]
        return marked_grid(self.rows(state), numbers, LETTERS[: self.width])


def _lines(width: int, height: int, line: int) -> tuple[tuple[Bits, tuple[int, ...]], ...]:
    """For each direction the cells where a line may start, and the shifts that find it by doubling."""
    steps = [min(2**done, line - 2**done) for done in range((line - 1).bit_length())]
    found = []
    for across, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        columns = range(max(0, -across) * (line - 1), width - max(0, across) * (line - 1))
        starts = sum(1 << row * width + column for row in range(height - down * (line - 1)) for column in columns)
        found.append((Bits(starts), tuple(step * (down * width + across) for step in steps)))
    return tuple(found)


def _turns(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """The new places of all cells, for each way to turn and mirror the board."""
    board = tuple(tuple(range(row * width, (row + 1) * width)) for row in range(height))
    found, turned = set(), board
    for _ in range(4):
        turned = tuple(zip(*turned[::-1], strict=True))
        found |= {turned, turned[::-1]}
    return tuple(sum(way, ()) for way in sorted(found - {board}) if len(way) == height)
