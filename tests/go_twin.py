"""Go by sets and lists, as slowly as a rule book: the twin that the bitboards are compared with."""

from __future__ import annotations

Point = tuple[int, int]
"""A row and a column, both from 0 at the bottom left."""


class SlowGo:
    """A game of Go with its whole history; Black is 0, White is 1."""

    def __init__(self, size: int, komi: float = 0.0, suicide: bool = False) -> None:
        self.size, self.komi, self.suicide = size, komi, suicide
        self.board: dict[Point, int] = {}
        self.turn, self.passes = 0, 0
        self.past = [dict(self.board)]

    def neighbours(self, point: Point) -> list[Point]:
        row, column = point
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def chain(self, board: dict[Point, int], point: Point) -> set[Point]:
        found, todo = {point}, [point]
        while todo:
            for near in self.neighbours(todo.pop()):
                if near not in found and board.get(near) == board.get(point):
                    found.add(near)
                    todo.append(near)
        return found

    def liberties(self, board: dict[Point, int], point: Point) -> set[Point]:
        return {near for stone in self.chain(board, point) for near in self.neighbours(stone) if near not in board}

    def after(self, point: Point) -> dict[Point, int] | None:
        """The board after a move, or None where it is not legal."""
        if point in self.board:
            return None
        board = {**self.board, point: self.turn}
        for near in self.neighbours(point):
            if board.get(near) == 1 - self.turn and not self.liberties(board, near):
                for stone in self.chain(board, near):
                    del board[stone]
        if not self.liberties(board, point):
            if not self.suicide:
                return None
            for stone in self.chain(board, point):
                del board[stone]
        return None if board in self.past else board

    def moves(self) -> list[Point]:
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [point for point in every if self.after(point) is not None]

    def play(self, point: Point | None) -> None:
        if point is None:
            self.passes += 1
        else:
            board = self.after(point)
            assert board is not None
            self.board, self.passes = board, 0
            self.past.append(dict(board))
        self.turn = 1 - self.turn

    @property
    def is_over(self) -> bool:
        return self.passes == 2

    def score(self) -> float:
        lead = -self.komi
        seen: set[Point] = set()
        for row in range(self.size):
            for column in range(self.size):
                point = row, column
                if point in self.board:
                    lead += 1 - 2 * self.board[point]
                elif point not in seen:
                    region = self.chain(self.board, point)
                    seen |= region
                    border = {
                        self.board[near] for each in region for near in self.neighbours(each) if near in self.board
                    }
                    if len(border) == 1:
                        lead += len(region) * (1 - 2 * border.pop())
        return lead
