"""A square board as sets of points, each a tuple of 64-bit words.

The points of a row lie side by side, from the bottom left up, with a spare bit after each row, so that a set shifted
by a step never wraps into the next row. Sets that went through `around` may hold spare bits; they are met with others
that don't.
"""

from __future__ import annotations

from zermelo.bits import Bits, bit
from zermelo.game import Game
from zermelo.tuples import put

Cells = tuple[Bits, ...]


class Plane(Game):
    """The sets of points of a board of `size` × `size`, and what can be done with them; no game yet."""

    def lay_out(self, size: int) -> None:
        """Make the board; `__init__` calls it."""
        self.size, self.width = size, size + 1
        self.words = (size * self.width + 63) // 64
        self.pass_move = size * self.width
        self.points = tuple(row * self.width + column for row in range(size) for column in range(size))
        self.nothing = (Bits(0),) * self.words
        self.full = tuple(
            Bits(sum(1 << point - 64 * word for point in self.points if point // 64 == word))
            for word in range(self.words)
        )
        ways = (1, -1, self.width, -self.width)
        inside = set(self.points)
        self.beside = tuple(
            tuple(point + way for way in ways if point in inside and point + way in inside)
            for point in range(self.pass_move)
        )

    # Single points.

    def spot(self, point: int) -> Cells:
        """The set of one point."""
        return put(self.nothing, point >> 6, bit(point & 63))

    def holds(self, cells: Cells, point: int) -> bool:
        """Whether a point is in a set."""
        return (point & 63) in cells[point >> 6]

    def first(self, cells: Cells) -> int:
        """The lowest point of a set, which is not empty."""
        point = 0
        for word in range(self.words - 1, -1, -1):
            if cells[word]:
                point = 64 * word + cells[word].lowest()
        return point

    # Sets.

    def count(self, cells: Cells) -> int:
        """How many points a set has."""
        total = 0
        for word in range(self.words):
            total += cells[word].count()
        return total

    def is_empty(self, cells: Cells) -> bool:
        """Whether a set has no points."""
        left = Bits(0)
        for word in range(self.words):
            left |= cells[word]
        return left == 0

    def meet(self, one: Cells, other: Cells) -> bool:
        """Whether two sets have a point in common."""
        common = Bits(0)
        for word in range(self.words):
            common |= one[word] & other[word]
        return common != 0

    def common(self, one: Cells, other: Cells) -> Cells:
        """The points of both sets."""
        for word in range(self.words):
            one = put(one, word, one[word] & other[word])
        return one

    def joined(self, one: Cells, other: Cells) -> Cells:
        """The points of either set."""
        for word in range(self.words):
            one = put(one, word, one[word] | other[word])
        return one

    def without(self, one: Cells, other: Cells) -> Cells:
        """The points of the first set that are not in the other."""
        for word in range(self.words):
            one = put(one, word, one[word] & ~other[word])
        return one

    def free(self, one: Cells, other: Cells) -> Cells:
        """The points of the board in neither set."""
        for word in range(self.words):
            one = put(one, word, self.full[word] & ~(one[word] | other[word]))
        return one

    def around(self, cells: Cells) -> Cells:
        """The neighbours of a set's points."""
        found, step, rest = cells, self.width, 64 - self.width
        for word in range(self.words):
            here = cells[word]
            near = here << 1 | here >> 1 | here << step | here >> step
            if word > 0:
                near |= cells[word - 1] >> 63 | cells[word - 1] >> rest
            if word < self.words - 1:
                near |= cells[word + 1] << 63 | cells[word + 1] << rest
            found = put(found, word, near)
        return found

    # Chains: stones of one colour that are connected.

    def chain(self, seed: Cells, stones: Cells) -> Cells:
        """The stones connected with those of `seed`, and these."""
        chain = seed
        while True:
            grown = self.joined(chain, self.common(self.around(chain), stones))
            if grown == chain:
                return chain
            chain = grown

    def surrounded(self, seed: Cells, stones: Cells, free: Cells) -> Cells:
        """The chain of `seed` if none of its neighbours is free, else nothing; mostly that shows at once."""
        chain = seed
        while True:
            near = self.around(chain)
            if self.meet(near, free):
                return self.nothing
            grown = self.joined(chain, self.common(near, stones))
            if grown == chain:
                return chain
            chain = grown

    def few_liberties(self, seed: Cells, stones: Cells, free: Cells, most: int) -> Cells:
        """The liberties of the chain of `seed` if there are no more than `most`, else nothing."""
        chain = seed
        while True:
            near = self.around(chain)
            liberties = self.common(near, free)
            if self.count(liberties) > most:
                return self.nothing
            grown = self.joined(chain, self.common(near, stones))
            if grown == chain:
                return liberties
            chain = grown
