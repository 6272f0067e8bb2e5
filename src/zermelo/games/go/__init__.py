"""Go: captures, superko, two passes, and whoever surrounds more wins (area scoring).

The rules are here. The board as sets of points is in `plane`, what a hurried player would do in `habits`, its 3×3
patterns in `patterns`, and games as files in `sgf`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, NamedTuple

from zermelo.bits import Bits
from zermelo.board import Grid, marked_grid
from zermelo.errors import BadInput
from zermelo.games.go.habits import Habits
from zermelo.games.go.plane import Cells
from zermelo.games.go.vertices import LETTERS, read_rows, read_vertex, write_rows, write_vertex

SMALL = 3
"""Up to this size alpha-beta sees to the end."""


def usual_komi(size: int) -> float:
    """What White is given where nobody says: 7 from 7 × 7 on, what smaller boards are solved with is 0."""
    return 7.0 if size >= 7 else 0.0


class Go(Habits):
    """Surround more than the other: stones and empty points count alike (margin=1: by how many points matters)."""

    player_names = ("Black", "White")
    tree_switches: ClassVar[Mapping[str, float]] = {"exploration": 0.0, "rave": 3000.0, "prior": 25.0, "expand": 4}
    repeats = True
    no_return = True
    known = "7×7 and smaller are solved: Black wins 3×3 by 9, 5×5 by 25 (van der Werf 2003)"

    class State(NamedTuple):
        """The stones of the player to move and of the other; `ko` may not be played, `last` was (both -1 if there is
        none); how often in a row was passed; and the komi, which stands here so that native code serves any."""

        own: tuple[Bits, ...]
        other: tuple[Bits, ...]
        turn: int
        ko: int
        last: int
        passes: int
        komi: float

    def __init__(self, size: int = 9, komi: float | None = None, suicide: bool = False, margin: int = 0) -> None:
        if not 2 <= size <= 19 or margin not in (0, 1):
            raise BadInput("Go needs size from 2 to 19, margin 0 or 1")
        self.area, self.suicide, self.margin = size * size, suicide, margin
        self.usual_algorithm = "uct" if size > SMALL else ""
        given = usual_komi(size) if komi is None else komi
        if not abs(given) <= self.area:
            raise BadInput(f"Go on {size} × {size} needs komi from -{self.area} to {self.area}")
        self.unit = self.area + abs(given) if margin else 1.0
        self.utility_bounds = (-self.unit, self.unit)
        self.lay_out(size)
        self.learn()

    @property
    def komi(self) -> float:
        """What White is given for moving second."""
        given = self.parameters["komi"]
        return float(usual_komi(self.size) if given is None else given)

    def initial(self) -> State:
        return self.State(self.nothing, self.nothing, 0, -1, -1, 0, self.komi)

    def to_move(self, state: State) -> int:
        return state.turn

    def is_terminal(self, state: State) -> bool:
        return state.passes == 2

    def actions(self, state: State) -> Iterator[int]:
        """The points from the bottom left up, then to pass. A point with a free neighbour needs no further look."""
        free = self.free(state.own, state.other)
        easy = self.common(free, self.around(free))
        for word in range(self.words):
            for place in free[word]:
                point = 64 * word + place
                if self.holds(easy, point) or self.is_legal(state, point):
                    yield point
        yield self.pass_move

    def is_legal(self, state: State, point: int) -> bool:
        """Whether a stone may be put on a free point, as far as the state tells: superko is a matter of the game.

        A single stone that would have no liberty brings back the board as it is, so it is never legal.
        """
        if point == state.ko:
            return False
        spot, free = self.spot(point), self.free(state.own, state.other)
        near = self.around(spot)
        if self.meet(near, free) or not self.is_empty(self.captured(state, point)):
            return True
        if not self.meet(near, state.own):
            return False
        return self.suicide or self.is_empty(self.surrounded(spot, state.own, self.without(free, spot)))

    def captured(self, state: State, point: int) -> Cells:
        """The stones of the other that a stone on a free point would take."""
        taken, spot = self.nothing, self.spot(point)
        free = self.without(self.free(state.own, state.other), spot)
        left = self.common(self.around(spot), state.other)
        while not self.is_empty(left):
            seed = self.spot(self.first(left))
            taken = self.joined(taken, self.surrounded(seed, state.other, free))
            left = self.without(left, self.joined(seed, taken))
        return taken

    def result(self, state: State, action: int) -> State:
        if action == self.pass_move:
            return self.State(state.other, state.own, 1 - state.turn, -1, -1, state.passes + 1, state.komi)
        spot, taken = self.spot(action), self.captured(state, action)
        own, other = self.joined(state.own, spot), self.without(state.other, taken)
        ko = -1
        if self.is_empty(taken):
            if not self.meet(self.around(spot), self.free(own, other)):
                own = self.without(own, self.surrounded(spot, own, self.free(own, other)))
        elif self.count(taken) == 1 and self.around_all(spot, other, taken):
            ko = self.first(taken)
        return self.State(other, own, 1 - state.turn, ko, action, 0, state.komi)

    def around_all(self, spot: Cells, other: Cells, taken: Cells) -> bool:
        """Whether all neighbours of a stone are the other's but for the one it took: then to retake it is a ko."""
        near = self.common(self.around(spot), self.full)
        return near == self.common(near, self.joined(other, taken))

    def utility(self, state: State, player: int) -> float:
        lead = self.score(state)
        worth = lead if self.margin else float((lead > 0) - (lead < 0))
        return worth if player == 0 else 0.0 - worth

    def score(self, state: State) -> float:
        """By how many points Black leads if all stones stay."""
        blacks, whites = self.areas(state)
        return self.count(blacks) - self.count(whites) - state.komi

    def areas(self, state: State) -> tuple[Cells, Cells]:
        """The stones of Black and what only they border on, and the same of White."""
        black, white = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        free = self.free(black, white)
        blacks = self.joined(black, self.chain(self.common(self.around(black), free), free))
        whites = self.joined(white, self.chain(self.common(self.around(white), free), free))
        return self.without(blacks, whites), self.without(whites, blacks)

    def evaluate(self, state: State, player: int) -> float:
        """The score if all stones stay, as a part of all there is to win."""
        worth = self.unit * self.score(state) / (self.area + abs(state.komi) + 1.0)
        return worth if player == 0 else 0.0 - worth

    def moves_left(self, state: State) -> int:
        """Two in three of the free points are played on yet."""
        return 2 * self.count(self.free(state.own, state.other)) // 3

    def key(self, state: State) -> Bits:
        """What was played last makes no difference."""
        key: Bits = super().key(state._replace(last=-1))
        return key

    def recurrence(self, state: State) -> tuple[Cells, Cells]:
        """The stones, whoever is to move: positional superko."""
        return (state.own, state.other) if state.turn == 0 else (state.other, state.own)

    # Text and pictures.

    def format_action(self, state: State, action: int) -> str:
        return write_vertex(action, self.size)

    def format_state(self, state: State) -> str:
        """Rows from the top, who is to move, and what else there is: `.X./XO./... O last=A2`."""
        black, white = self.stones(state)
        words = ["/".join(write_rows(black, white, self.size)), "XO"[state.turn]]
        for name in ("ko", "last"):
            point = getattr(state, name)
            words += [f"{name}={write_vertex(point, self.size)}"] if point >= 0 else []
        return " ".join(words + [f"passes={state.passes}"] * (state.passes > 0))

    def parse_state(self, text: str) -> State:
        rows, *words = text.split() or [""]
        black, white = read_rows(rows, self.size)
        found = {"turn": "X", "ko": "", "last": "", "passes": "0"}
        for number, word in enumerate(words):
            name, _, value = word.rpartition("=") if "=" in word else ("turn" if number == 0 else "", "", word.upper())
            if name not in found:
                raise BadInput(f"{word!r} is not part of a board of Go: write X or O to move, ko=…, last=…, passes=…")
            found[name] = value
        if found["turn"] not in ("X", "O") or found["passes"] not in ("0", "1", "2"):
            raise BadInput(f"{text!r} needs X or O to move, and 0, 1 or 2 passes")
        turn = "XO".index(found["turn"])
        ko, last = (read_vertex(found[name], self.size) if found[name] else -1 for name in ("ko", "last"))
        if ko in black | white or self.pass_move in (ko, last):
            raise BadInput(f"{text!r} can't be: ko is a free point, and last where a stone was put")
        return self.placed(black, white, turn)._replace(ko=ko, last=last, passes=int(found["passes"]))

    def placed(self, black: Iterable[int], white: Iterable[int], turn: int = 0) -> State:
        """The state with these stones on the board; `BadInput` where some have no liberty."""
        sets = [self.nothing, self.nothing]
        for colour, points in enumerate((black, white)):
            for point in points:
                sets[colour] = self.joined(sets[colour], self.spot(point))
        free = self.free(*sets)
        for colour, stones in enumerate(sets):
            dead = self.without(stones, self.chain(self.common(stones, self.around(free)), stones))
            if not self.is_empty(dead):
                where = write_vertex(self.first(dead), self.size)
                raise BadInput(
                    f"the {self.player_names[colour].lower()} stones at {where} have no liberty: take them off"
                )
        return self.State(sets[turn], sets[1 - turn], turn, -1, -1, 0, self.komi)

    def stones(self, state: State) -> tuple[set[int], set[int]]:
        """The points of the black and of the white stones."""
        black, white = self.recurrence(state)
        return {point for point in self.points if self.holds(black, point)}, {
            point for point in self.points if self.holds(white, point)
        }

    def board(self, state: State) -> Grid:
        rows = write_rows(*self.stones(state), self.size)
        labels = tuple(str(row) for row in range(self.size, 0, -1))
        row, column = divmod(state.last, self.width)
        marked = (self.size * (self.size - 1 - row) + column,) if state.last >= 0 else ()
        return marked_grid(rows, labels, tuple(LETTERS[: self.size]))._replace(marked=marked)
