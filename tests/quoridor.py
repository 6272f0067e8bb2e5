"""Quoridor in sets and plain Python, for the tests: it shares nothing with `zermelo.games.quoridor`."""

from __future__ import annotations

from typing import NamedTuple

Square = tuple[int, int]
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
LETTERS = "abcdefghijk"


class Naive(NamedTuple):
    """A position: squares are (column, row) from 0, walls their names, `left` the walls that X and O have left."""

    size: int
    pawns: tuple[Square, Square]
    left: tuple[int, int]
    walls: frozenset[str] = frozenset()
    turn: int = 0

    @classmethod
    def start(cls, size: int, walls: int) -> Naive:
        return cls(size, ((size // 2, 0), (size // 2, size - 1)), (walls, walls))

    def is_over(self) -> bool:
        return self.pawns[0][1] == self.size - 1 or self.pawns[1][1] == 0

    def next_to(self, square: Square) -> set[Square]:
        """The squares one step away, with no wall between."""
        found = set()
        for across, along in WAYS:
            column, row = square[0] + across, square[1] + along
            if 0 <= column < self.size and 0 <= row < self.size and not self.blocks(square, (column, row)):
                found.add((column, row))
        return found

    def blocks(self, one: Square, two: Square) -> bool:
        """Whether a wall lies between two neighbouring squares."""
        column, row = min(one[0], two[0]), min(one[1], two[1])
        if one[0] == two[0]:
            return not {name(column, row) + "h", name(column - 1, row) + "h"}.isdisjoint(self.walls)
        return not {name(column, row) + "v", name(column, row - 1) + "v"}.isdisjoint(self.walls)

    def distance(self, player: int) -> int:
        """How many steps a player's pawn needs, if the other were not there; -1 if it can't arrive."""
        goal = self.size - 1 if player == 0 else 0
        layer, seen, count = {self.pawns[player]}, {self.pawns[player]}, 0
        while layer:
            if any(row == goal for _, row in layer):
                return count
            layer = {other for square in layer for other in self.next_to(square)} - seen
            seen |= layer
            count += 1
        return -1

    def detour(self, player: int) -> int:
        """By how many steps a wall that there is room for can make a player's way longer, and leave him one."""
        inner = range(self.size - 1)
        walls = [name(column, row) + way for column in inner for row in inner for way in "hv"]
        blocked = [self._replace(walls=self.walls | {wall}) for wall in walls if self.has_room(wall)]
        return max([0] + [then.distance(player) - self.distance(player) for then in blocked])

    def steps(self) -> set[str]:
        own, other = self.pawns[self.turn], self.pawns[1 - self.turn]
        near = self.next_to(own)
        if other in near:
            behind = (2 * other[0] - own[0], 2 * other[1] - own[1])
            beyond = self.next_to(other)
            near |= {behind} if behind in beyond else beyond
        return {name(*square) for square in near - {own, other}}

    def has_room(self, wall: str) -> bool:
        column, row, kind = LETTERS.index(wall[0]), int(wall[1:-1]) - 1, wall[-1]
        clashes = {name(column, row) + "h", name(column, row) + "v"}
        for way in (-1, 1):
            clashes.add(name(column + way, row) + "h" if kind == "h" else name(column, row + way) + "v")
        return clashes.isdisjoint(self.walls)

    def wall_moves(self) -> set[str]:
        if self.left[self.turn] == 0:
            return set()
        inner = range(self.size - 1)
        names = {name(column, row) + kind for column in inner for row in inner for kind in "hv"}
        return {wall for wall in names if self.has_room(wall) and self.after(wall).has_paths()}

    def has_paths(self) -> bool:
        return self.distance(0) >= 0 and self.distance(1) >= 0

    def moves(self) -> set[str]:
        return set() if self.is_over() else self.steps() | self.wall_moves()

    def after(self, move: str) -> Naive:
        if move[-1] in "hv":
            left = tuple(count - (player == self.turn) for player, count in enumerate(self.left))
            return self._replace(left=(left[0], left[1]), walls=self.walls | {move}, turn=1 - self.turn)
        square = LETTERS.index(move[0]), int(move[1:]) - 1
        pawns = (square, self.pawns[1]) if self.turn == 0 else (self.pawns[0], square)
        return self._replace(pawns=pawns, turn=1 - self.turn)

    def count(self, depth: int) -> int:
        """How many ways of exactly so many moves there are."""
        if depth == 0:
            return 1
        return sum(self.after(move).count(depth - 1) for move in self.moves())

    def __str__(self) -> str:
        walls = sorted(self.walls, key=lambda wall: (wall[-1], int(wall[1:-1]), wall[0]))
        pawns = " ".join(name(*square) for square in self.pawns)
        return " ".join([pawns, *map(str, self.left), "XO"[self.turn], *walls])


def name(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


def values(start: Naive) -> dict[Naive, int]:
    """The value to X of every position that may follow, by retrograde analysis: what can't be won is a draw.

    A position is known once a move wins it, or once all moves lose it; nothing else is looked at.
    """
    after: dict[Naive, list[Naive]] = {}
    before: dict[Naive, list[Naive]] = {}
    found: dict[Naive, int] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here not in after:
            after[here] = [here.after(move) for move in sorted(here.moves())]
            for child in after[here]:
                before.setdefault(child, []).append(here)
            waiting += after[here]
            if here.is_over():
                found[here] = 1 if here.pawns[0][1] == here.size - 1 else -1
    open_moves = {here: len(children) for here, children in after.items()}
    settled = list(found)
    while settled:
        child = settled.pop()
        for here in before.get(child, ()):
            open_moves[here] -= 1
            wins = found[child] == (1 if here.turn == 0 else -1)
            if here not in found and (wins or open_moves[here] == 0):
                found[here] = found[child]
                settled.append(here)
    return {here: found.get(here, 0) for here in after}
