"""Connect Four on a bitboard: each column has a spare bit on top, so that shifted lines never wrap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Grid, marked_grid, parse_marks
from zermelo.errors import BadInput
from zermelo.game import Game


class ConnectFour(Game):
    """Drop a disc into a column; the first with four in a line wins (margin=1: the sooner, the more)."""

    player_names = ("X", "O")
    plausible_is_safe = True
    known = "the first player wins with the 41st disc (Allen, Allis 1988); 4,531,985,219,092 positions"

    class State(NamedTuple):
        own: Bits
        taken: Bits

    def __init__(self, width: int = 7, height: int = 6, line: int = 4, margin: int = 0) -> None:
        fits = width >= 1 and height >= 1 and width * (height + 1) <= 64
        if not fits or not 2 <= line <= max(width, height) or margin not in (0, 1):
            raise BadInput(
                "ConnectFour needs width × (height + 1) up to 64, line from 2 to the longer side, margin 0 or 1"
            )
        self.width, self.height, self.stride, self.margin = width, height, height + 1, margin
        self.column = Bits(2**height - 1)
        self.floor = Bits(sum(1 << self.stride * column for column in range(width)))
        self.full = self.floor * int(self.column)
        self.middle_first = tuple(sorted(range(width), key=lambda column: abs(2 * column + 1 - width)))
        self.line, self.ways = line, (1, height, height + 1, height + 2)
        steps = [min(2**done, line - 2**done) for done in range((line - 1).bit_length())]
        self.shifts = tuple(tuple(step * way for step in steps) for way in self.ways)
        self.most_discs = (width * height + 1) // 2
        highest = self.most_discs + 1 - line if margin else 1
        self.utility_bounds = (-highest, highest)
        self.compact = width <= 9

    def initial(self) -> State:
        return self.State(Bits(0), Bits(0))

    def to_move(self, state: State) -> int:
        return state.taken.count() % 2

    def actions(self, state: State) -> Iterator[int]:
        for column in range(self.width):
            if self.stride * column + self.height - 1 not in state.taken:
                yield column

    def result(self, state: State, action: int) -> State:
        return self.State(state.own ^ state.taken, state.taken | (state.taken + bit(self.stride * action)))

    def is_terminal(self, state: State) -> bool:
        return state.taken == self.full or self.has_line(state.own ^ state.taken)

    def utility(self, state: State, player: int) -> float:
        last = state.own ^ state.taken
        worth = self.worth(last.count()) if self.has_line(last) else 0
        return worth if player != self.to_move(state) else -worth

    def worth(self, discs: int) -> int:
        """What it is worth to win with so many discs of one's own; nothing where nobody has as many."""
        return min(max(self.most_discs + 1 - discs, 0), self.most_discs if self.margin else 1)

    def has_line(self, cells: Bits) -> bool:
        """Whether a line lies wholly in `cells`."""
        for shifts in self.shifts:
            run = cells
            for shift in shifts:
                run &= run >> shift
            if run:
                return True
        return False

    def completing(self, cells: Bits) -> Bits:
        """The cells that complete a line of `cells`: on top of it, or with some of it on either side."""
        found = ~Bits(0)
        for step in range(1, self.line):
            found &= cells << step
        for way in self.ways[1:]:
            gap = right = ~Bits(0)
            for step in range(1, self.line):
                right &= cells >> step * way
                gap = gap & cells << (self.line - step) * way | right
            found |= gap
        return found & self.full

    def playable(self, state: State) -> Bits:
        """The lowest free cell of each column."""
        return (state.taken + self.floor) & self.full

    def quiet(self, state: State) -> Bits:
        """The playable cells that don't let the opponent win at once."""
        danger = self.completing(state.own ^ state.taken) & ~state.taken
        forced = self.playable(state) & danger
        if forced.count() > 1:
            return Bits(0)
        return (forced or self.playable(state)) & ~(danger >> 1)

    def plausible(self, state: State) -> Iterator[int]:
        """What wins, else what does not lose at once, else all; from the middle outwards."""
        playable = self.playable(state)
        cells = self.completing(state.own) & playable or self.quiet(state) or playable
        for column in self.middle_first:
            if cells >> self.stride * column & self.column:
                yield column

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """A win at once, a loss at the opponent's next disc, or neither so soon."""
        own = state.own.count()
        other = state.taken.count() - own
        low, high = -self.worth(other + 2), self.worth(own + 2)
        wins, quiet = self.completing(state.own) & self.playable(state), self.quiet(state)
        if wins:
            low = high = self.worth(own + 1)
        elif not quiet:
            low = high = -self.worth(other + 1)
        return (low, high) if player == self.to_move(state) else (-high, -low)

    def promise(self, state: State, player: int) -> float:
        """How many free cells would complete a line of the player's."""
        cells = state.own if player == self.to_move(state) else state.own ^ state.taken
        return (self.completing(cells) & ~state.taken).count()

    def evaluate(self, state: State, player: int) -> float:
        return (self.promise(state, player) - self.promise(state, 1 - player)) / (self.full.count() + 1)

    def moves_left(self, state: State) -> int:
        return (self.full ^ state.taken).count()

    def key(self, state: State) -> Bits:
        return state.own + state.taken

    def symmetries(self, state: State) -> Iterator[State]:
        yield self.State(self.mirrored(state.own), self.mirrored(state.taken))

    def mirrored(self, cells: Bits) -> Bits:
        """The cells with left and right exchanged."""
        result = Bits(0)
        for column in range(self.width):
            result = result << self.stride | cells >> self.stride * column & self.column
        return result

    def format_action(self, state: State, action: int) -> str:
        return str(action + 1)

    def rows(self, state: State) -> list[str]:
        """The board from the top, each row as X, O and . for nothing."""
        own, other = "XO" if self.to_move(state) == 0 else "OX"
        marks = [own if cell in state.own else other if cell in state.taken else "." for cell in range(64)]
        return ["".join(marks[row : self.stride * self.width : self.stride]) for row in reversed(range(self.height))]

    def format_state(self, state: State) -> str:
        return "/".join(self.rows(state))

    def parse_state(self, text: str) -> State:
        rows = parse_marks(text, self.width, self.height)
        columns = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        if any("." in column.rstrip(".") for column in columns):
            raise BadInput(f"{text!r} has a disc with nothing under it: rows are written from the top")
        cells = ".".join(columns)
        x, o = (Bits(sum(1 << cell for cell, mark in enumerate(cells) if mark == name)) for name in "XO")
        state = self.State(x if x.count() == o.count() else o, x | o)
        if self.has_line(state.own):
            raise BadInput(f"{text!r} went on after {self.player_names[self.to_move(state)]} had won")
        return state

    def board(self, state: State) -> Grid:
        return marked_grid(self.rows(state), column_labels=[str(column + 1) for column in range(self.width)])
