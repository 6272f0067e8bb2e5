"""Board splitting, Pearl's game: the P-games of Nau, where looking deeper can mislead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, scatter
from zermelo.board import Board, Grid
from zermelo.errors import BadInput
from zermelo.game import Game


class BoardSplitting(Game):
    """Split the board into columns, the opponent into rows, and keep one part; the last square says who wins.

    `probability` is the chance that a square is won by whoever moves last; all squares are independent.
    """

    utility_bounds = (-1, 1)
    known = "pathological (Nau 1982): with branching=2 and probability=0.382 deeper search can decide worse"

    class State(NamedTuple):
        row: int
        column: int
        ply: int

    def __init__(self, branching: int = 2, depth: int = 6, probability: float = 0.382, seed: int = 0) -> None:
        if branching < 2 or not 0 <= depth <= 20 or branching**depth > 2**20 or not 0 <= probability <= 1:
            raise BadInput(
                "BoardSplitting needs branching ≥ 2, depth ≥ 0, branching ** depth up to 2 ** 20 and probability 0 to 1"
            )
        self.branching, self.depth, self.probability = branching, depth, probability
        self.start = scatter(Bits(seed) + 1)
        powers = [int(branching**exponent) for exponent in range(depth + 1)]
        self.rows = tuple(powers[depth // 2 - ply // 2] for ply in range(depth + 1))
        self.columns = tuple(powers[(depth + 1) // 2 - (ply + 1) // 2] for ply in range(depth + 1))

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        for part in range(self.branching):
            yield part

    def result(self, state: State, action: int) -> State:
        if state.ply % 2 == 0:
            return self.State(state.row, state.column * self.branching + action, state.ply + 1)
        return self.State(state.row * self.branching + action, state.column, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply == self.depth

    def utility(self, state: State, player: int) -> float:
        return 1 if self.winner(state.row, state.column) == player else -1

    def evaluate(self, state: State, player: int) -> float:
        """The part of the remaining squares that the player wins, from nearly -1 for none to nearly 1 for all."""
        rows, columns = self.rows[state.ply], self.columns[state.ply]
        won = 0
        for row in range(state.row * rows, (state.row + 1) * rows):
            for column in range(state.column * columns, (state.column + 1) * columns):
                won += 1 if self.winner(row, column) == player else -1
        return won / (rows * columns + 1)

    def winner(self, row: int, column: int) -> int:
        """Who wins a square; random, but always the same."""
        noise = int(scatter(self.start + Bits(row << 32 | column)) >> 11)
        return 1 - self.depth % 2 if noise < self.probability * 2**53 else self.depth % 2

    def parse_state(self, text: str) -> State:
        state: BoardSplitting.State = super().parse_state(text)
        if not 0 <= state.ply <= self.depth:
            raise BadInput(f"{text!r} is no part of the board: ply goes from 0 to {self.depth}")
        rows, columns = self.rows[0] // self.rows[state.ply], self.columns[0] // self.columns[state.ply]
        if not (0 <= state.row < rows and 0 <= state.column < columns):
            raise BadInput(f"{text!r} is no part of the board: there are {rows} rows and {columns} columns of parts")
        return state

    def board(self, state: State) -> Board:
        if self.rows[0] * self.columns[0] > 1024:
            return super().board(state)
        rows, columns = self.rows[state.ply], self.columns[state.ply]
        squares = [(row, column) for row in range(self.rows[0]) for column in range(self.columns[0])]
        owners = tuple(
            self.winner(row, column) if (row // rows, column // columns) == (state.row, state.column) else -1
            for row, column in squares
        )
        return Grid(self.columns[0], self.rows[0], tuple("12"[owner] if owner >= 0 else "" for owner in owners), owners)
