"""Tic-tac-toe, and every other m,n,k-game of up to 64 cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Grid, marked_grid, parse_marks
from zermelo.errors import BadInput
from zermelo.game import Game

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class TicTacToe(Game):
    """Mark a free cell; the first with three marks in a line wins (any width, height and line)."""

    player_names = ("X", "O")
    utility_bounds = (-1, 1)
    known = "a draw; 5,478 positions, 765 up to symmetry, 255,168 games"

    class State(NamedTuple):
        x: Bits
        o: Bits
        turn: int

    def __init__(self, width: int = 3, height: int = 3, line: int = 3) -> None:
        if not (1 <= width <= 26 and height >= 1 and width * height <= 64 and 2 <= line <= max(width, height)):
            raise BadInput("TicTacToe needs at most 26 columns and 64 cells, and line from 2 to the longer side")
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
        if state.turn == 0:
            return self.State(state.x | bit(action), state.o, 1)
        return self.State(state.x, state.o | bit(action), 0)

    def is_terminal(self, state: State) -> bool:
        return self.is_won(state) or state.x | state.o == self.full

    def utility(self, state: State, player: int) -> float:
        if not self.is_won(state):
            return 0
        return 1 if state.turn != player else -1

    def is_won(self, state: State) -> bool:
        """Whether the player who moved last has a line."""
        return self.count_lines(state.o if state.turn == 0 else state.x) > 0

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
        """The lines still open to the player less those open to the opponent, as a part of all."""
        lead = self.count_lines(self.full & ~state.o) - self.count_lines(self.full & ~state.x)
        return (lead if player == 0 else -lead) / (self.most_lines + 1)

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
        """The board from the top, each row as X, O and . for nothing."""
        marks = "".join("X" if cell in state.x else "O" if cell in state.o else "." for cell in self.full)
        return [marks[start : start + self.width] for start in range(0, len(marks), self.width)]

    def format_state(self, state: State) -> str:
        return "/".join(self.rows(state))

    def parse_state(self, text: str) -> State:
        cells = "".join(parse_marks(text, self.width, self.height))
        x, o = (Bits(sum(1 << cell for cell, mark in enumerate(cells) if mark == name)) for name in "XO")
        turn = x.count() - o.count()
        if self.count_lines(x if turn == 0 else o) > 0:
            raise BadInput(f"{text!r} went on after {self.player_names[turn]} had won")
        return self.State(x, o, turn)

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
