"""What a hurried player would do: answer threats to capture, play good shapes beside the last stone, else anywhere.

Roll-outs play so. After MoGo (Gelly, Wang, Munos and Teytaud, 2006): chains of one liberty first, then 3×3 shapes,
then any point that is no eye of one's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.bits import Bits, scatter
from zermelo.games.go.patterns import eyes, shapes
from zermelo.games.go.plane import Cells, Plane

if TYPE_CHECKING:
    from zermelo.games.go import Go

HURRY = 15
"""One reply in so many + 1 is made without a look."""

NEAR = (0.0, 0.4, 0.3, 0.1, 0.0)
"""What it is worth to play so far from the last stone."""
ALONE = (-0.5, -0.3, 0.2, 0.1)
"""What it is worth to play so high where there is no stone around."""


class Habits(Plane):
    """A board with habits. `unit` is what there is to win."""

    unit: float

    def learn(self) -> None:
        """Make the tables; `__init__` calls it after `lay_out`."""
        inside = set(self.points)
        ring = [row * self.width + column for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column]
        self.ring = tuple(
            tuple(point + step for step in ring if point in inside and point + step in inside)
            for point in range(self.pass_move)
        )
        self.rim = tuple(
            sum(1 << place for place, step in enumerate(ring) if point + step not in inside)
            for point in range(self.pass_move)
        )
        self.eyes, self.shapes = eyes(), shapes()

    def reply(self, state: Go.State, word: Bits) -> int:
        """A move that a random word picks among those that a hurried player would think of."""
        free = self.free(state.own, state.other)
        if state.last >= 0 and word & HURRY:
            found = self.urgent(state, free)
            if self.is_empty(found):
                found = self.shapely(state, free)
            if not self.is_empty(found):
                return self.pick(found, word)
        return self.anywhere(state, free, word)

    def pick(self, cells: Cells, word: Bits) -> int:
        """The point of a set that a random word picks."""
        left = int(word >> 33) * self.count(cells) >> 31
        for place in range(self.words):
            here = cells[place]
            count = here.count()
            if left < count:
                for _ in range(left):
                    here &= here - 1
                return 64 * place + here.lowest()
            left -= count
        return self.pass_move

    def anywhere(self, state: Go.State, free: Cells, word: Bits) -> int:
        """Any point where a stone does no obvious harm; a pass if there is none."""
        left = free
        while not self.is_empty(left):
            point = self.pick(left, word)
            if self.is_sane(state, free, point):
                return point
            left = self.without(left, self.spot(point))
            word = scatter(word)
        return self.pass_move

    def is_sane(self, state: Go.State, free: Cells, point: int) -> bool:
        """Whether a stone may be put on a free point, leaves its chain two liberties, and fills no eye of one's own.

        A lone stone may have one, and one that takes others any number.
        """
        if point == state.ko or self.fits(self.eyes, state, point):
            return False
        spot = self.spot(point)
        near = self.around(spot)
        liberties = self.count(self.common(near, free))
        if liberties > 1:
            return True
        if self.takes(state, free, spot):
            return True
        if not self.meet(near, state.own):
            return liberties > 0
        return self.has_room(spot, state.own, self.without(free, spot))

    def takes(self, state: Go.State, free: Cells, spot: Cells) -> bool:
        """Whether a stone takes any of the other's."""
        left = self.common(self.around(spot), state.other)
        rest = self.without(free, spot)
        while not self.is_empty(left):
            seed = self.spot(self.first(left))
            if not self.is_empty(self.surrounded(seed, state.other, rest)):
                return True
            left = self.without(left, seed)
        return False

    def urgent(self, state: Go.State, free: Cells) -> Cells:
        """Where to take the stone just played, and where to save chains that it has left one liberty."""
        spot = self.spot(state.last)
        found = self.few_liberties(spot, state.other, free, 1)
        left = self.common(self.around(spot), state.own)
        while not self.is_empty(left):
            seed = self.spot(self.first(left))
            left = self.without(left, seed)
            liberty = self.few_liberties(seed, state.own, free, 1)
            if not self.is_empty(liberty):
                chain = self.chain(seed, state.own)
                left = self.without(left, chain)
                found = self.joined(found, self.rescue(state, free, chain, liberty))
        if state.ko >= 0:
            found = self.without(found, self.spot(state.ko))
        return found

    def rescue(self, state: Go.State, free: Cells, chain: Cells, liberty: Cells) -> Cells:
        """How to save a chain with one liberty: by taking a neighbour, or by going there if that gives it two."""
        found = self.nothing
        left = self.common(self.around(chain), state.other)
        while not self.is_empty(left):
            seed = self.spot(self.first(left))
            found = self.joined(found, self.few_liberties(seed, state.other, free, 1))
            left = self.without(left, seed)
        if self.has_room(liberty, state.own, self.without(free, liberty)):
            found = self.joined(found, liberty)
        return found

    def has_room(self, seed: Cells, stones: Cells, free: Cells) -> bool:
        """Whether the chain of `seed` has two liberties or more."""
        chain = seed
        while True:
            near = self.around(chain)
            if self.count(self.common(near, free)) > 1:
                return True
            grown = self.joined(chain, self.common(near, stones))
            if grown == chain:
                return False
            chain = grown

    def shapely(self, state: Go.State, free: Cells) -> Cells:
        """Where a good shape could be made beside the stone just played."""
        found = self.nothing
        for point in self.ring[state.last]:
            if self.holds(free, point) and self.fits(self.shapes, state, point) and self.is_sane(state, free, point):
                found = self.joined(found, self.spot(point))
        return found

    def fits(self, patterns: tuple[Bits, ...], state: Go.State, point: int) -> bool:
        """Whether what surrounds a point is among the patterns."""
        index = self.window(state.own, point) | self.window(state.other, point) << 8
        index |= self.rim[point] * 257
        return (index & 63) in patterns[index >> 6]

    def window(self, cells: Cells, point: int) -> int:
        """The neighbours of a point that are in a set, as a number of 8 bits."""
        start = point - self.width - 1
        word = start >> 6
        if start < 0:
            seen = cells[0] << -start
        else:
            seen = cells[word] >> (start & 63)
            if word + 1 < self.words and start & 63:
                seen |= cells[word + 1] << 64 - (start & 63)
        middle = seen >> self.width
        return int(seen & 7 | (middle & 1) << 3 | (middle >> 2 & 1) << 4 | (seen >> 2 * self.width & 7) << 5)

    def prior(self, state: Go.State, action: int) -> float:
        """What a move seems worth at a glance, from -1 to 1 of what there is to win."""
        return self.unit * self.glance(state, action)

    def glance(self, state: Go.State, action: int) -> float:
        """The same as a number from -1 to 1."""
        free = self.free(state.own, state.other)
        if action == self.pass_move:
            return -0.6
        if not self.is_sane(state, free, action):
            return -0.8
        spot, worth = self.spot(action), 0.0
        if self.takes(state, free, spot):
            worth += 0.4
        if self.fits(self.shapes, state, action):
            worth += 0.2
        if state.last >= 0:
            if self.holds(self.urgent(state, free), action):
                worth += 0.4
            worth += NEAR[min(self.distance(action, state.last), 4)]
        if self.is_lonely(state, spot):
            worth += ALONE[min(self.height(action), 3)]
        return min(worth, 0.9)

    def is_lonely(self, state: Go.State, spot: Cells) -> bool:
        """Whether there is no stone within two steps of a point."""
        near = self.around(spot)
        wide = self.joined(near, self.around(near))
        return not self.meet(wide, state.own) and not self.meet(wide, state.other)

    def height(self, point: int) -> int:
        """How far a point is from the edge: 0 on the first line."""
        row, column = point // self.width, point % self.width
        return min(row, column, self.size - 1 - row, self.size - 1 - column)

    def distance(self, one: int, other: int) -> int:
        """How many rows or columns two points lie apart, whichever is more."""
        rows, columns = one // self.width - other // self.width, one % self.width - other % self.width
        return max(abs(rows), abs(columns))
