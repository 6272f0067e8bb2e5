"""Qubic, tic-tac-toe on a cube of 4 × 4 × 4: cell 16 × layer + 4 × row + column, and 76 lines in 13 directions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Layers, marked_grid, parse_marks
from zermelo.errors import BadInput
from zermelo.game import Game

SIDE = range(4)
AXES = (0, 2, 4)
"""The lower of the two bits of a cell's number that are its column, its row and its layer."""
EXAMPLE = " ".join(["..../..../..../...."] * 4)


def _directions() -> tuple[tuple[Bits, int], ...]:
    """For each direction the first cells of its lines, and the step from a cell of a line to the next."""
    found = []
    for way in product((-1, 0, 1), repeat=3):
        if way > (0, 0, 0):
            places = product(*({1: [0], 0: SIDE, -1: [3]}[along] for along in way))
            starts = sum(1 << 16 * layer + 4 * row + column for layer, row, column in places)
            found.append((Bits(starts), 16 * way[0] + 4 * way[1] + way[2]))
    return tuple(found)


def _swaps() -> list[tuple[int, Bits]]:
    """Which cells change places with those how far on, three pairs of these for each step of a walk through all maps of
    the cube to itself that keep its lines: back to where it begins are 192 steps."""

    def exchange(shift: int, ones: int, zeros: int) -> tuple[int, Bits]:
        """The cells whose numbers have these bits 1 and those 0 go so far on, and what is there comes back."""
        return shift, Bits(sum(1 << cell for cell in range(64) if cell & ones == ones and not cell & zeros))

    none = exchange(0, 0, 63)
    column, row, layer = ([exchange(1 << axis, 0, 1 << axis), exchange(2 << axis, 0, 2 << axis), none] for axis in AXES)
    inner = [exchange(1 << axis, 1 << axis, 2 << axis) for axis in AXES]
    inside_out = [exchange(1 << axis, 0, 1 << axis) for axis in AXES]
    level, upright = (
        [exchange(3 << axis, 1 << axis, 4 << axis), exchange(6 << axis, 2 << axis, 8 << axis), none] for axis in (0, 2)
    )
    mirrored = [column, row, column, layer, column, row, column]
    hollowed = [*mirrored, inner, *mirrored, inside_out, *mirrored, inner, *mirrored]
    walk = [*hollowed, *(step for turn in (level, upright, level, upright, level) for step in (turn, *hollowed))]
    return [swap for step in walk for swap in step]


class Qubic(Game):
    """Mark a free cell of a cube of 4 × 4 × 4 cells; the first with four in a line wins."""

    player_names = ("X", "O")
    utility_bounds = (-1, 1)
    plausible_is_safe = True
    reductions = True
    known = "the first player wins (Patashnik 1980; Allis and Schoo 1992)"
    feature_names = ("lines with one", "lines with two", "lines with three", "forks", "move")
    weights = (0.001207, 0.005266, 0.01065, -0.003432, 0.007216)

    class State(NamedTuple):
        own: Bits
        other: Bits
        turn: int

    def __init__(self) -> None:
        self.directions = _directions()
        self.shifts, self.places = zip(*_swaps(), strict=True)
        lines = [[start + step * place for place in SIDE] for starts, step in self.directions for start in starts]
        counts = [sum(cell in line for line in lines) for cell in range(64)]
        self.rich = Bits(sum(1 << cell for cell in range(64) if counts[cell] == 7))

    def initial(self) -> State:
        return self.State(Bits(0), Bits(0), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for cell in ~(state.own | state.other):
            yield cell

    def result(self, state: State, action: int) -> State:
        return self.State(state.other, state.own | bit(action), 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return self.has_line(state.other) or state.own | state.other == ~Bits(0)

    def utility(self, state: State, player: int) -> float:
        if not self.has_line(state.other):
            return 0
        return -1 if player == state.turn else 1

    def has_line(self, cells: Bits) -> bool:
        """Whether a line lies wholly in `cells`."""
        for starts, step in self.directions:
            pairs = cells & cells >> step
            if pairs & pairs >> 2 * step & starts:
                return True
        return False

    def completing(self, cells: Bits) -> Bits:
        """The cells that complete a line whose three others are in `cells`."""
        found = Bits(0)
        for starts, step in self.directions:
            first, second = cells & starts, cells >> step & starts
            third, fourth = cells >> 2 * step & starts, cells >> 3 * step & starts
            front, back = first & second, third & fourth
            found |= second & back | (first & back) << step | (front & fourth) << 2 * step | (front & third) << 3 * step
        return found

    def promising(self, cells: Bits, free: Bits) -> Bits:
        """The free cells of the lines with two of `cells` and two free ones: to take one threatens the other."""
        found, open_cells = Bits(0), cells | free
        for starts, step in self.directions:
            pairs = open_cells & open_cells >> step
            lines = pairs & pairs >> 2 * step & starts
            if lines:
                first, second = cells, cells >> step
                third, fourth = cells >> 2 * step, cells >> 3 * step
                lines &= (first ^ second) & (third ^ fourth) | (first & second ^ third & fourth) & ~(
                    first ^ second | third ^ fourth
                )
                lines |= lines << step
                found |= lines | lines << 2 * step
        return found & free

    def forced(self, state: State) -> Bits:
        """The cells that win at once, else those that the opponent would win on."""
        free = ~(state.own | state.other)
        return self.completing(state.own) & free or self.completing(state.other) & free

    def plausible(self, state: State) -> Iterator[int]:
        """What wins, else one cell that the opponent would win on, else all: first those that lie on seven lines."""
        free = ~(state.own | state.other)
        cells = self.forced(state)
        if cells:
            yield cells.lowest()
        else:
            for cell in free & self.rich:
                yield cell
            for cell in free & ~self.rich:
                yield cell

    def forcing(self, state: State) -> Iterator[int]:
        """What wins, else the threats: cells that make three in a line whose fourth is free."""
        free = ~(state.own | state.other)
        wins, musts = self.completing(state.own) & free, self.completing(state.other) & free
        if wins:
            yield wins.lowest()
        elif musts.count() <= 1:
            for cell in self.promising(state.own, free) & (musts or free):
                yield cell

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """A win at once, a loss at the opponent's next mark, or neither."""
        free = ~(state.own | state.other)
        low, high = -1, 1
        if self.completing(state.own) & free:
            low = 1
        elif (self.completing(state.other) & free).count() > 1:
            high = -1
        return (low, high) if player == state.turn else (-high, -low)

    def passed(self, state: State) -> Iterator[State]:
        """One more mark never hurts."""
        yield self.State(state.other, state.own, 1 - state.turn)

    def features(self, state: State) -> tuple[float, ...]:
        """The lines that only the first player has so many marks in, less those that only the second has; the cells in
        which two lines with two cross, likewise; and whose move it is."""
        mine, theirs = self.open_lines(state.own, state.other), self.open_lines(state.other, state.own)
        sign = 1 - 2 * state.turn
        one, two, three, forks = mine[0] - theirs[0], mine[1] - theirs[1], mine[2] - theirs[2], mine[3] - theirs[3]
        return sign * one, sign * two, sign * three, sign * forks, sign

    def open_lines(self, own: Bits, other: Bits) -> tuple[int, int, int, int]:
        """How many lines have one, two and three of `own` and none of `other`, and how many free cells lie on two or
        more of those with two."""
        one = two = three = 0
        once, twice = Bits(0), Bits(0)
        for starts, step in self.directions:
            taken = other | other >> step
            lines = starts & ~(taken | taken >> 2 * step)
            front, back = own ^ own >> step, own >> 2 * step ^ own >> 3 * step
            both, ends = own & own >> step, own >> 2 * step & own >> 3 * step
            odd = lines & (front ^ back)
            pairs = lines & (both | ends)
            one += (odd & ~pairs).count()
            three += (odd & pairs).count()
            lines &= front & back | (both ^ ends) & ~(front | back)
            two += lines.count()
            cells = lines | lines << step
            cells |= cells << 2 * step
            twice |= once & cells
            once |= cells
        return one, two, three, (twice & ~own).count()

    def moves_left(self, state: State) -> int:
        return (~(state.own | state.other)).count()

    def symmetries(self, state: State) -> Iterator[State]:
        own, other = state.own, state.other
        for start in range(0, len(self.shifts), 3):
            for number in range(start, start + 3):
                shift, places = self.shifts[number], self.places[number]
                change = (own ^ own >> shift) & places
                own ^= change | change << shift
                change = (other ^ other >> shift) & places
                other ^= change | change << shift
            yield self.State(own, other, state.turn)

    def format_action(self, state: State, action: int) -> str:
        return f"{action // 16 + 1}{action // 4 % 4 + 1}{action % 4 + 1}"

    def rows(self, state: State) -> list[str]:
        """The rows of all layers, each as X, O and . for nothing."""
        own, other = "XO" if state.turn == 0 else "OX"
        marks = [own if cell in state.own else other if cell in state.other else "." for cell in range(64)]
        return ["".join(marks[start : start + 4]) for start in range(0, 64, 4)]

    def format_state(self, state: State) -> str:
        rows = self.rows(state)
        return " ".join("/".join(rows[start : start + 4]) for start in range(0, 16, 4))

    def parse_state(self, text: str) -> State:
        layers = text.split()
        if [layer.count("/") for layer in layers] != [3] * 4:
            raise BadInput(f"{text!r} is not four layers of four rows, such as {EXAMPLE!r}")
        marks = "".join(parse_marks("/".join(layers), 4, 16))
        x, o = (Bits(sum(1 << cell for cell, mark in enumerate(marks) if mark == name)) for name in "XO")
        state = self.State(x, o, 0) if x.count() == o.count() else self.State(o, x, 1)
        if self.has_line(state.own):
            raise BadInput(f"{text!r} went on after {self.player_names[state.turn]} had won")
        return state

    def board(self, state: State) -> Layers:
        rows, numbers = self.rows(state), ("1", "2", "3", "4")
        grids = (marked_grid(rows[start : start + 4], numbers, numbers) for start in range(0, 16, 4))
        return Layers(tuple(grids), tuple(f"layer {number}" for number in numbers))
