"""Othello on a bitboard: square 8 × row + column, from a1 at the top left; a smaller board lies in that corner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Grid, marked_grid
from zermelo.errors import BadInput
from zermelo.game import Game

LETTERS = "abcdefgh"
PASS = 64
SIGNS = {sign: mark for mark, signs in {"X": "Xx*@Bb", "O": "OoWw", ".": ".-"}.items() for sign in signs}
WORDS = re.compile(r"[a-h][1-8]|pass|pa|ps|--", re.IGNORECASE)

EVERY, INNER = Bits(2**64 - 1), Bits(0x7E7E7E7E7E7E7E7E)
AXES = ((8, EVERY), (1, INNER), (7, INNER), (9, INNER))
"""The step along each axis, and the columns whose discs can be outflanked along it."""
SWEEPS = (
    (1, Bits(0xFEFEFEFEFEFEFEFE), Bits(0x7F7F7F7F7F7F7F7F)),
    (2, Bits(0xFCFCFCFCFCFCFCFC), Bits(0x3F3F3F3F3F3F3F3F)),
    (4, Bits(0xF0F0F0F0F0F0F0F0), Bits(0x0F0F0F0F0F0F0F0F)),
)
"""Steps that add up to any along a row, with the columns where they end to the right and to the left."""
TURNED = ((7, Bits(0x00AA00AA00AA00AA)), (14, Bits(0x0000CCCC0000CCCC)), (28, Bits(0x00000000F0F0F0F0)))
FLIPPED = ((8, Bits(0x00FF00FF00FF00FF)), (16, Bits(0x0000FFFF0000FFFF)), (32, Bits(0x00000000FFFFFFFF)))
"""Which squares change places, and how far, to exchange rows with columns, and top with bottom."""


class Othello(Game):
    """Outflank the other's discs to make them yours; most discs win (margin=0: by how many does not matter)."""

    player_names = ("X", "O")
    known = "with size=4 the second player wins by 10, empty squares counted for the winner"
    feature_names = ("mobility", "frontier", "corners", "x-squares", "c-squares", "stable")
    weights = (1.0, 0.4, 8.0, -6.0, -1.0, 1.0)

    class State(NamedTuple):
        own: Bits
        other: Bits
        turn: int

    def __init__(self, size: int = 8, margin: int = 1) -> None:
        if size not in (4, 6, 8) or margin not in (0, 1):
            raise BadInput("Othello needs size 4, 6 or 8, margin 0 or 1")
        self.size, self.margin, self.cells, last = size, margin, size * size, size - 1
        self.utility_bounds = (-self.cells, self.cells) if margin else (-1, 1)
        squares = [8 * row + column for row in range(size) for column in range(size)]
        self.full = Bits(sum(1 << square for square in squares))
        self.sides = Bits(sum(1 << square for square in squares if square % 8 in (0, last)))
        self.ends = Bits(sum(1 << square for square in squares if square // 8 in (0, last)))
        self.corners = self.sides & self.ends
        self.diagonals = bit(9) | bit(7 + last) | bit(8 * last - 7) | bit(9 * last - 9)
        self.ahead = tuple(_rays(*way) for way in ((1, 0), (0, 1), (1, 1), (-1, 1)))
        self.back = tuple(_rays(*way) for way in ((-1, 0), (0, -1), (-1, -1), (1, -1)))

    def initial(self) -> State:
        middle = 9 * (self.size // 2)
        return self.State(bit(middle - 8) | bit(middle - 1), bit(middle - 9) | bit(middle), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        """The squares from the lowest up; with none it is `PASS`, which is what the lowest of nothing gives."""
        moves = self.moves(state.own, state.other)
        for _ in range(max(moves.count(), 1)):
            square = moves.lowest()
            moves &= moves - 1
            yield square

    def result(self, state: State, action: int) -> State:
        flips = self.flips(state.own, state.other, action)
        return self.State(state.other ^ flips, state.own ^ flips ^ bit(action), 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return not self.can_move(state.own, state.other) and not self.can_move(state.other, state.own)

    def utility(self, state: State, player: int) -> float:
        own, other = state.own.count(), state.other.count()
        if own == other:
            return 0
        worth = self.cells - 2 * min(own, other) if self.margin else 1
        return worth if (own > other) == (player == state.turn) else -worth

    def moves(self, own: Bits, other: Bits) -> Bits:
        """The squares where `own` may place a disc."""
        found = Bits(0)
        for step, columns in AXES:
            found |= self.reached(own, other & columns, step)
        return found & self.full & ~(own | other)

    def can_move(self, own: Bits, other: Bits) -> bool:
        """Whether there are any, which mostly shows along the first axis."""
        free = self.full & ~(own | other)
        return any(free & self.reached(own, other & columns, step) for step, columns in AXES)

    def reached(self, own: Bits, other: Bits, step: int) -> Bits:
        """The squares next to one to six discs of `other` with one of `own` behind, both ways along an axis."""
        up, down = other & own << step, other & own >> step
        up, down = up | other & up << step, down | other & down >> step
        pairs, twice = other & other << step, 2 * step
        up, down = up | pairs & up << twice, down | pairs >> step & down >> twice
        up, down = up | pairs & up << twice, down | pairs >> step & down >> twice
        return up << step | down >> step

    def flips(self, own: Bits, other: Bits, action: int) -> Bits:
        """The discs of `other` that a disc on a square outflanks: on each ray those before the first of `own`."""
        free, found = ~(own | other), Bits(0)
        for rays in self.ahead:
            stops = rays[action] & ~other
            stop = stops & -stops & own
            found |= rays[action] & stop - (stop != 0)
        for rays in self.back:
            mine = rays[action] & own
            nearer = Bits(-2) << mine.highest() if mine > rays[action] & free else Bits(0)
            found |= rays[action] & nearer
        return found

    def features(self, state: State) -> tuple[float, ...]:
        x, o = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        free = self.full & ~(x | o)
        danger = self.around(free & self.corners)
        stable_x, stable_o = self.stable(x, o)
        return (
            self.moves(x, o).count() - self.moves(o, x).count(),
            (free & self.around(o)).count() - (free & self.around(x)).count(),
            (x & self.corners).count() - (o & self.corners).count(),
            (x & danger & self.diagonals).count() - (o & danger & self.diagonals).count(),
            (x & danger & ~self.diagonals).count() - (o & danger & ~self.diagonals).count(),
            stable_x - stable_o,
        )

    def evaluate(self, state: State, player: int) -> float:
        """About the final difference, and always less than all squares."""
        most = self.cells - 1.0
        score = max(-most, min(super().evaluate(state, player), most))
        return score if self.margin else score / self.cells

    def promise(self, state: State, player: int) -> float:
        """How few moves the one to move has; one into a corner counts as two."""
        moves = self.moves(state.own, state.other)
        freedom = moves.count() + (moves & self.corners).count()
        return freedom if player == state.turn else -freedom

    def around(self, cells: Bits) -> Bits:
        """The cells and their neighbours."""
        _, right, left = SWEEPS[0]
        wide = cells | cells << 1 & right | cells >> 1 & left
        return wide | wide << 8 | wide >> 8

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """No player gets the stable discs of the other, nor the empty squares in their place."""
        mine, theirs = self.stable(state.own, state.other)
        low, high = 2 * mine - self.cells, self.cells - 2 * theirs
        if player != state.turn:
            low, high = -high, -low
        return (low, high) if self.margin else ((low > 0) - (low < 0), (high > 0) - (high < 0))

    def stable(self, own: Bits, other: Bits) -> tuple[int, int]:
        """How many discs of each player will surely never be flipped; none while all corners are free.

        Along each axis such a disc is at the edge, on a full line, or next to another of its owner.
        """
        row = column = falling = rising = free = self.full & ~(own | other)
        if free & self.corners == self.corners:
            return 0, 0
        for step, right, left in SWEEPS:
            row |= row << step & right | row >> step & left
            column |= column << 8 * step | column >> 8 * step
            falling |= falling << 9 * step & right | falling >> 9 * step & left
            rising |= rising << 7 * step & left | rising >> 7 * step & right
        row, column = self.sides | ~row, self.ends | ~column
        falling, rising = self.sides | self.ends | ~falling, self.sides | self.ends | ~rising
        mine = self.grown(own, row, column, falling, rising)
        return mine.count(), self.grown(other, row, column, falling, rising).count()

    def grown(self, own: Bits, row: Bits, column: Bits, falling: Bits, rising: Bits) -> Bits:
        """The stable discs of `own`, where these squares are at the edge or on full lines of the four axes."""
        found, before = Bits(0), EVERY
        while found != before:
            before = found
            found = own & (row | found << 1 | found >> 1) & (column | found << 8 | found >> 8)
            found &= (falling | before << 9 | before >> 9) & (rising | before << 7 | before >> 7)
        return found

    def moves_left(self, state: State) -> int:
        """About how many moves are still to be played: the empty squares."""
        return self.cells - (state.own | state.other).count()

    def symmetries(self, state: State) -> Iterator[State]:
        own, other = state.own, state.other
        for number in range(7):
            if number % 2 == 0:
                own, other = self.swapped(own, TURNED), self.swapped(other, TURNED)
            else:
                gap = 8 * (8 - self.size)
                own, other = self.swapped(own, FLIPPED) >> gap, self.swapped(other, FLIPPED) >> gap
            yield self.State(own, other, state.turn)

    def swapped(self, cells: Bits, swaps: tuple[tuple[int, Bits], ...]) -> Bits:
        for step, places in swaps:
            change = (cells ^ cells >> step) & places
            cells ^= change | change << step
        return cells

    def format_action(self, state: State, action: int) -> str:
        return "pass" if action == PASS else f"{LETTERS[action % 8]}{action // 8 + 1}"

    def parse_action(self, state: State, text: str) -> int:
        action: int = super().parse_action(state, "pass" if text.lower() in ("--", "pa", "ps") else text)
        return action

    def split_moves(self, text: str) -> list[str]:
        words = super().split_moves(text)
        return [move for word in words for move in (WORDS.findall(word) if not WORDS.sub("", word) else [word])]

    def rows(self, state: State) -> list[str]:
        """The board from the top, each row as X, O and . for nothing."""
        own, other = "XO" if state.turn == 0 else "OX"
        marks = [own if square in state.own else other if square in state.other else "." for square in range(64)]
        return ["".join(marks[start : start + self.size]) for start in range(0, 8 * self.size, 8)]

    def format_state(self, state: State) -> str:
        return "".join(self.rows(state)).replace(".", "-") + " " + self.player_names[state.turn]

    def parse_state(self, text: str) -> State:
        words = text.partition(";")[0].replace("/", " ").split() or [""]
        signs = "".join(words)
        cut = len(signs) - (len(words[-1]) == 1 or len(signs) == self.cells + 1)
        marks, mover = [SIGNS.get(sign, "") for sign in signs[:cut]], SIGNS.get(signs[cut:], ".")
        if "" in marks:
            raise BadInput(f"{text!r} has {signs[marks.index('')]!r} for a square, which is none of X, O and -")
        if len(marks) != self.cells:
            raise BadInput(f"{text!r} has {len(marks)} squares, not {self.cells}")
        if mover == ".":
            raise BadInput(f"{text!r} does not say who is to move: write X or O after the squares")
        places = [(8 * (number // self.size) + number % self.size, mark) for number, mark in enumerate(marks)]
        x, o = (Bits(sum(1 << square for square, mark in places if mark == name)) for name in "XO")
        return self.State(x, o, 0) if mover == "X" else self.State(o, x, 1)

    def board(self, state: State) -> Grid:
        numbers = [str(row + 1) for row in range(self.size)]
        return marked_grid(self.rows(state), numbers, LETTERS[: self.size])


def _rays(across: int, down: int) -> tuple[Bits, ...]:
    """The squares beyond each square in a direction; none for `PASS`."""
    found = []
    for square in range(64):
        column, row, ray = square % 8 + across, square // 8 + down, 0
        while 0 <= column < 8 and 0 <= row < 8:
            ray |= 1 << 8 * row + column
            column, row = column + across, row + down
        found.append(Bits(ray))
    return (*found, Bits(0))
