"""Quoridor on bitboards: cell size × row + column, from a1 at the bottom left.

A wall covers two sides of cells. It has the number of the cell below and to the left of its middle, which is the one
nearest to a1: `e3h` lies above e3 and f3, `e3v` to the right of e3 and e4.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from zermelo.bits import Bits, blend
from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.games.quoridor.cells import (
    Cells,
    between,
    cells_of,
    common,
    count,
    down,
    holds,
    is_empty,
    lowest,
    meets,
    no_cells,
    numbers_in,
    one_cell,
    twice,
    union,
    up,
    without,
)
from zermelo.games.quoridor.notation import LETTERS, find_clash, read_position, write_cell

LARGEST = 11
PAWN, ACROSS, UPRIGHT = 0, 128, 256
"""What is added to have an action: to the cell that a pawn goes to, and to the number of a wall."""
PRICE = 0.02
"""About what a wall is worth to who has it."""


class Sides(NamedTuple):
    """A set of the upper sides and one of the right sides of cells, or one of walls that lie across and upright."""

    upper: Cells
    right: Cells


class Quoridor(Game):
    """Bring your pawn to the far side first; walls are put up to make the other's way longer, but never close it.

    A position that comes for the third time is a draw.
    """

    player_names = ("X", "O")
    utility_bounds = (-1, 1)
    repeats = True
    repetition = 3
    feature_names = ("steps", "turn", "walls", "race", "steps by walls", "walls by way", "few walls", "detour")
    weights = (0.017, 0.0048, 0.0094, 0.0237, -0.0009, 0.00075, 0.0194, 0.0065)
    """Rounded from two rounds of `zermelo tune`, which `docs/games.md` tells."""
    margin = 0.01
    known = "the second player wins with size=3 (walls 0 to 3) and size=5 (walls 0 or 1)"

    class State(NamedTuple):
        """The walls, the cells of the two pawns, and how many walls each player has left.

        What follows from these is kept: how many steps each is from the far side, and the walls that would lie on any
        of the shortest ways there.
        """

        across: Cells
        upright: Cells
        x: int
        o: int
        x_walls: int
        o_walls: int
        turn: int
        x_way: int
        x_cuts: tuple[Cells, Cells]
        o_way: int
        o_cuts: tuple[Cells, Cells]

    def __init__(self, size: int = 9, walls: int | None = None) -> None:
        if size % 2 == 0 or not 3 <= size <= LARGEST:
            raise BadInput(f"Quoridor needs an odd size from 3 to {LARGEST}, not {size}")
        if walls is not None and not 0 <= walls <= (size - 1) ** 2:
            raise BadInput(f"Quoridor of size {size} needs walls from 0 to {(size - 1) ** 2}, not {walls}")
        self.size, self.walls, last = size, size * size // 8 if walls is None else walls, size - 1
        places = [(row, column) for row in range(size) for column in range(size)]
        self.middle = size // 2

        def where(rows: range, columns: range) -> Cells:
            return cells_of([size * row + column for row, column in places if row in rows and column in columns])

        every, inner = range(size), range(last)
        self.slots = where(inner, inner)
        self.inside = Sides(where(inner, every), where(every, inner))
        self.bottom, self.top = where(range(1), every), where(range(last, size), every)
        self.left, self.right = where(every, range(1)), where(every, range(last, size))

    def initial(self) -> State:
        far = self.size * (self.size - 1) + self.middle
        return self.state(no_cells(), no_cells(), self.middle, far, self.walls, self.walls, 0)

    def state(self, across: Cells, upright: Cells, x: int, o: int, x_walls: int, o_walls: int, turn: int) -> State:
        """The state with all that follows from these."""
        sides = self.open_sides(across, upright)
        x_way, x_cuts = self.shortest(x, self.top, sides)
        o_way, o_cuts = self.shortest(o, self.bottom, sides)
        return self.State(across, upright, x, o, x_walls, o_walls, turn, x_way, x_cuts, o_way, o_cuts)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        walls = self.legal_walls(state)
        return self.numbers(self.steps(state), walls.upper, walls.right)

    def numbers(self, steps: Cells, across: Cells, upright: Cells) -> Iterator[int]:
        """The actions of these steps and walls."""
        for kind, rest in ((PAWN, steps), (ACROSS, across), (UPRIGHT, upright)):
            while not is_empty(rest):
                cell = lowest(rest)
                rest = without(rest, one_cell(cell))
                yield kind + cell

    def count_actions(self, state: State) -> int:
        walls = self.legal_walls(state)
        return count(self.steps(state)) + count(walls.upper) + count(walls.right)

    def result(self, state: State, action: int) -> State:
        """Ways are looked for anew only where the pawn or a wall on them is new."""
        if action < ACROSS:
            return self.stepped(state, action)
        wall, lies_across, is_x = action % ACROSS, action < UPRIGHT, state.turn == 0
        across = union(state.across, one_cell(wall)) if lies_across else state.across
        upright = state.upright if lies_across else union(state.upright, one_cell(wall))
        sides = self.open_sides(across, upright)
        x_way, x_cuts, o_way, o_cuts = state.x_way, state.x_cuts, state.o_way, state.o_cuts
        if holds(x_cuts[not lies_across], wall):
            x_way, x_cuts = self.shortest(state.x, self.top, sides)
        if holds(o_cuts[not lies_across], wall):
            o_way, o_cuts = self.shortest(state.o, self.bottom, sides)
        x_walls, o_walls = state.x_walls - is_x, state.o_walls - (not is_x)
        turn = 1 - state.turn
        return self.State(across, upright, state.x, state.o, x_walls, o_walls, turn, x_way, x_cuts, o_way, o_cuts)

    def stepped(self, state: State, cell: int) -> State:
        sides = self.open_sides(state.across, state.upright)
        if state.turn == 0:
            way, cuts = self.shortest(cell, self.top, sides)
            return state._replace(x=cell, turn=1, x_way=way, x_cuts=cuts)
        way, cuts = self.shortest(cell, self.bottom, sides)
        return state._replace(o=cell, turn=0, o_way=way, o_cuts=cuts)

    def is_terminal(self, state: State) -> bool:
        return state.x >= self.size * (self.size - 1) or state.o < self.size

    def utility(self, state: State, player: int) -> float:
        return 1 if (state.x >= self.size * (self.size - 1)) == (player == 0) else -1

    # Pawns.

    def steps(self, state: State) -> Cells:
        """Where the pawn may go: to a cell beside it, or if the other is there, behind it or else beside that."""
        own, other = (state.x, state.o) if state.turn == 0 else (state.o, state.x)
        open_sides = self.open_sides(state.across, state.upright)
        near = self.beside(one_cell(own), open_sides)
        if not holds(near, other):
            return near
        beyond = self.beside(one_cell(other), open_sides)
        behind = 2 * other - own
        jumps = one_cell(behind) if holds(beyond, behind) else beyond
        return without(union(near, jumps), union(one_cell(own), one_cell(other)))

    def open_sides(self, across: Cells, upright: Cells) -> Sides:
        """The sides of cells that a pawn can cross."""
        upper = without(self.inside.upper, union(across, up(across, 1)))
        return Sides(upper, without(self.inside.right, union(upright, up(upright, self.size))))

    def beside(self, cells: Cells, sides: Sides) -> Cells:
        """The cells one step from any of `cells` across these sides."""
        upper, right = sides.upper, sides.right
        column = union(up(common(cells, upper), self.size), common(down(cells, self.size), upper))
        return union(column, union(up(common(cells, right), 1), common(down(cells, 1), right)))

    def distance(self, cell: int, goal: Cells, sides: Sides) -> int:
        """How many steps it is to the goal, where pawns are in nobody's way; -1 where there is no path."""
        return self.spread(one_cell(cell), one_cell(cell), goal, sides)

    def spread(self, fresh: Cells, reached: Cells, goal: Cells, sides: Sides) -> int:
        """How many steps it is from the nearest of some cells to the goal, through none that has been reached; -1 where
        there is no path."""
        steps = 0
        while not meets(fresh, goal):
            fresh = without(self.beside(fresh, sides), reached)
            if is_empty(fresh):
                return -1
            reached = union(reached, fresh)
            steps += 1
        return steps

    # Walls.

    def legal_walls(self, state: State) -> Sides:
        """The walls that the player to move may put up: they have room, and leave both players a path."""
        if (state.x_walls if state.turn == 0 else state.o_walls) == 0:
            return Sides(no_cells(), no_cells())
        free = self.free_walls(state.across, state.upright)
        risky = self.closing(free, state.across, state.upright)
        if is_empty(union(risky.upper, risky.right)):
            return free
        upper, right = free
        for player in range(2):
            cell, goal = (state.x, self.top) if player == 0 else (state.o, self.bottom)
            cuts = state.x_cuts if player == 0 else state.o_cuts
            upper = without(upper, self.shut(common(risky.upper, cuts[0]), ACROSS, cell, goal, state))
            right = without(right, self.shut(common(risky.right, cuts[1]), UPRIGHT, cell, goal, state))
        return Sides(upper, right)

    def free_walls(self, across: Cells, upright: Cells) -> Sides:
        """The walls that neither overlap nor cross another."""
        taken = union(across, upright)
        upper = union(taken, union(up(across, 1), down(across, 1)))
        right = union(taken, union(up(upright, self.size), down(upright, self.size)))
        return Sides(without(self.slots, upper), without(self.slots, right))

    def closing(self, free: Sides, across: Cells, upright: Cells) -> Sides:
        """Of these walls those that touch others or the edge with at least two of both ends and the middle.

        No other can close a path: one could walk around it.
        """
        size = self.size
        points = union(union(across, upright), union(up(across, 1), down(across, 1)))
        points = union(points, union(up(upright, size), down(upright, size)))
        sideways = twice(union(up(points, 1), self.left), points, down(union(points, self.right), 1))
        lengthways = twice(union(up(points, size), self.bottom), points, down(union(points, self.top), size))
        return Sides(common(free.upper, sideways), common(free.right, lengthways))

    def shut(self, walls: Cells, kind: int, cell: int, goal: Cells, state: State) -> Cells:
        """Of these walls those after which no path leads from the cell to the goal."""
        found, rest = no_cells(), walls
        while not is_empty(rest):
            wall = one_cell(lowest(rest))
            rest = without(rest, wall)
            across = union(state.across, wall) if kind == ACROSS else state.across
            upright = union(state.upright, wall) if kind == UPRIGHT else state.upright
            if self.distance(cell, goal, self.open_sides(across, upright)) < 0:
                found = union(found, wall)
        return found

    def shortest(self, cell: int, goal: Cells, sides: Sides) -> tuple[int, tuple[Cells, Cells]]:
        """How many steps the shortest ways to the goal have, and the walls that would lie on any of them.

        Cells are kept by their distance modulo 3, which tells those before a cell from those behind it.
        """
        now = fresh = one_cell(cell)
        before = after = no_cells()
        steps = 0
        while not (is_empty(fresh) or meets(fresh, goal)):
            fresh = without(self.beside(fresh, sides), union(now, before))
            now, before, after = union(after, fresh), now, before
            steps += 1
        upper = right = no_cells()
        ahead = common(fresh, goal)
        for _ in range(steps):
            back = common(self.beside(ahead, sides), before)
            upper = union(upper, between(back, ahead, self.size))
            right = union(right, between(back, ahead, 1))
            now, before, after = before, after, now
            ahead = back
        upper, right = common(upper, sides.upper), common(right, sides.right)
        upper, right = union(upper, down(upper, 1)), union(right, down(right, self.size))
        return steps, (common(upper, self.slots), common(right, self.slots))

    # Judgement.

    def features(self, state: State) -> tuple[float, ...]:
        """X's lead in steps, whose turn it is, X's lead in walls, and who wins if nobody's way grows longer, told only
        where the loser has no walls left; the lead in steps by the walls that are left, and walls by the way of the
        other; that the last walls are worth more; and by how much more a wall can make the other's way longer.
        """
        lead = state.o_way - state.x_way
        race = 0.0
        if lead >= state.turn:
            race = float(state.o_walls == 0)
        elif state.x_walls == 0:
            race = -1.0
        free = self.free_walls(state.across, state.upright)
        x_detour = self.detour(0, state, free) if state.o_walls else 0
        o_detour = self.detour(1, state, free) if state.x_walls else 0
        return (
            float(lead),
            1.0 - 2.0 * state.turn,
            float(state.x_walls - state.o_walls),
            race,
            float(lead * (state.x_walls + state.o_walls)),
            float(state.x_walls * state.o_way - state.o_walls * state.x_way),
            sqrt(state.x_walls) - sqrt(state.o_walls),
            float(o_detour - x_detour),
        )

    def detour(self, player: int, state: State, free: Sides) -> int:
        """By how many steps a wall can make a player's way longer, of those that leave him one.

        Only walls on a shortest way do, and such a wall changes nothing on this side of the first step that it bars.
        """
        cell, goal = (state.x, self.top) if player == 0 else (state.o, self.bottom)
        way, cuts = (state.x_way, state.x_cuts) if player == 0 else (state.o_way, state.o_cuts)
        sides = self.open_sides(state.across, state.upright)
        across, upright = common(free.upper, cuts[0]), common(free.right, cuts[1])
        fresh = reached = one_cell(cell)
        longest, steps = way, 0
        while not is_empty(union(across, upright)):
            ahead = without(self.beside(fresh, sides), reached)
            upper = common(sides.upper, between(fresh, ahead, self.size))
            right = common(sides.right, between(fresh, ahead, 1))
            bars = common(across, union(upper, down(upper, 1)))
            across = without(across, bars)
            longest = max(longest, steps + self.longest(bars, ACROSS, fresh, reached, goal, sides))
            bars = common(upright, union(right, down(right, self.size)))
            upright = without(upright, bars)
            longest = max(longest, steps + self.longest(bars, UPRIGHT, fresh, reached, goal, sides))
            fresh, reached = ahead, union(reached, ahead)
            steps += 1
        return longest - way

    def longest(self, walls: Cells, kind: int, fresh: Cells, reached: Cells, goal: Cells, sides: Sides) -> int:
        """How far `spread` has to go at most behind any of these walls; -1 where none leaves a path."""
        found, rest = -1, walls
        while not is_empty(rest):
            wall = one_cell(lowest(rest))
            rest = without(rest, wall)
            upper = without(sides.upper, union(wall, up(wall, 1))) if kind == ACROSS else sides.upper
            right = without(sides.right, union(wall, up(wall, self.size))) if kind == UPRIGHT else sides.right
            found = max(found, self.spread(fresh, reached, goal, Sides(upper, right)))
        return found

    def evaluate(self, state: State, player: int) -> float:
        """The features by their weights, short of a win."""
        return max(-0.99, min(super().evaluate(state, player), 0.99))

    def gain(self, state: State, action: int) -> float:
        """What a step or a wall changes in the lead, less the price of a wall; a wall on nobody's way is quiet."""
        is_x, place = state.turn == 0, action % ACROSS
        if action < ACROSS:
            sides, goal = self.open_sides(state.across, state.upright), self.top if is_x else self.bottom
            return self.weights[0] * ((state.x_way if is_x else state.o_way) - self.distance(place, goal, sides))
        upright = action >= UPRIGHT
        on_x, on_o = holds(state.x_cuts[upright], place), holds(state.o_cuts[upright], place)
        if not (on_x or on_o):
            return 0.0
        wall = one_cell(place)
        across = state.across if upright else union(state.across, wall)
        sides = self.open_sides(across, union(state.upright, wall) if upright else state.upright)
        longer_x = self.distance(state.x, self.top, sides) - state.x_way if on_x else 0
        longer_o = self.distance(state.o, self.bottom, sides) - state.o_way if on_o else 0
        lead = longer_o - longer_x if is_x else longer_x - longer_o
        return self.weights[0] * lead - PRICE if longer_x or longer_o else 0.0

    def plausible(self, state: State) -> Iterator[int]:
        """Steps, and the walls that lengthen a shortest way of the other, lie at a pawn, or close a gap.

        It leaves out all other walls, and the best may be among them.
        """
        walls = self.legal_walls(state)
        near = union(self.corners(state.x), self.corners(state.o))
        cuts = state.o_cuts if state.turn == 0 else state.x_cuts
        gaps = self.closing(walls, state.across, state.upright)
        upper = common(walls.upper, union(near, union(cuts[0], gaps.upper)))
        right = common(walls.right, union(near, union(cuts[1], gaps.right)))
        return self.numbers(self.steps(state), upper, right)

    def corners(self, cell: int) -> Cells:
        """The numbers of the walls whose middle is a corner of the cell."""
        pair = union(one_cell(cell), down(one_cell(cell), 1))
        return common(self.slots, union(pair, down(pair, self.size)))

    def moves_left(self, state: State) -> int:
        """About how many moves are still to be played: each steps, and puts up his walls."""
        return state.x_way + state.o_way + state.x_walls + state.o_walls

    def key(self, state: State) -> Bits:
        numbers = (((state.x * 128 + state.o) * 128 + state.x_walls) * 128 + state.o_walls) * 2 + state.turn
        low = blend(state.across[0] ^ 0x9E3779B97F4A7C15, state.upright[0] ^ 0xC2B2AE3D27D4EB4F)
        high = blend(state.across[1] ^ 0xD6E8FEB86659FD93, state.upright[1] ^ 0xA0761D6478BD642F)
        return blend(low ^ high << 1 ^ 0xE7037ED1A0B428DB, high ^ Bits(numbers) ^ 0x8EBC6AF09C88C6E3)

    def skipped(self, state: State) -> State:
        return state._replace(turn=1 - state.turn)

    def symmetries(self, state: State) -> Iterator[State]:
        """The board with left and right exchanged."""
        across, upright = self.mirrored(state.across), self.mirrored(state.upright)
        x, o = self.opposite(state.x), self.opposite(state.o)
        yield self.state(across, upright, x, o, state.x_walls, state.o_walls, state.turn)

    def opposite(self, cell: int) -> int:
        return cell + self.size - 1 - 2 * (cell % self.size)

    def mirrored(self, walls: Cells) -> Cells:
        """The walls with left and right exchanged: they have one column less than cells."""
        found = no_cells()
        for column in range(self.size - 1):
            found = union(up(found, 1), common(down(up(walls, 1), column + 1), self.left))
        return found

    # Text and pictures.

    def format_action(self, state: State, action: int) -> str:
        return write_cell(action % ACROSS, self.size) + ("", "h", "v")[action // ACROSS]

    def format_state(self, state: State) -> str:
        """The squares of X and O, the walls each has left, who moves, and the walls on the board."""
        x, o = write_cell(state.x, self.size), write_cell(state.o, self.size)
        words = [x, o, str(state.x_walls), str(state.o_walls), self.player_names[state.turn]]
        words += [write_cell(cell, self.size) + "h" for cell in numbers_in(state.across)]
        return " ".join(words + [write_cell(cell, self.size) + "v" for cell in numbers_in(state.upright)])

    def parse_state(self, text: str) -> State:
        found = read_position(text, self.size, self.walls, self.player_names)
        if clash := find_clash(found.across, found.upright, self.size):
            raise BadInput(f"{text!r} can't be: {clash}")
        across, upright = cells_of(found.across), cells_of(found.upright)
        state = self.state(across, upright, *found.pawns, *found.left, found.turn)
        if state.x == state.o:
            raise BadInput(f"{text!r} has both pawns on {write_cell(state.x, self.size)}")
        sides = self.open_sides(across, upright)
        for name, cell, goal in (("X", state.x, self.top), ("O", state.o, self.bottom)):
            if self.distance(cell, goal, sides) < 0:
                raise BadInput(f"{text!r} leaves {name} no path")
            if holds(goal, cell) and name == self.player_names[state.turn]:
                raise BadInput(f"{text!r} lets {name} move, who has won already")
        return state

    def board(self, state: State) -> Grid:
        size = self.size
        names = {self.turned(state.x): "X", self.turned(state.o): "O"}
        cells = tuple(names.get(index, "") for index in range(size * size))
        sides, edges = self.open_sides(state.across, state.upright), []
        for inside, still_open, step in ((self.inside.upper, sides.upper, size), (self.inside.right, sides.right, 1)):
            closed = numbers_in(without(inside, still_open))
            edges += [(self.turned(cell), self.turned(cell + step)) for cell in closed]
        return Grid(
            *(size, size, cells, tuple("XO".find(cell or "-") for cell in cells)),
            rows=tuple(str(size - row) for row in range(size)),
            columns=tuple(LETTERS[:size]),
            caption=f"walls left: X {state.x_walls}, O {state.o_walls}",
            edges=tuple(edges),
        )

    def turned(self, cell: int) -> int:
        """The place of a cell in a picture, which begins with the top row."""
        return self.size * (self.size - 1 - cell // self.size) + cell % self.size
