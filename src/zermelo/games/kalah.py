"""Kalah: sow seeds into your own store; what is left at the end belongs to whom it lies with."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bits import Bits
from zermelo.sowing import COUNTS, Sowing


class Kalah(Sowing):
    """Sow the seeds of a pit one by one to the right; most seeds in the store win (margin=0: by how many is all one).

    The last seed in one's own store gives another turn. The last one in an empty pit of one's own takes what is in
    the pit opposite, if that is not empty (empty_capture=true: itself then too), and goes to the store with it. When
    the pits of either player are all empty the game is over, and the seeds in the pits go to whom these belong.
    """

    feature_names = ("lead", "seeds", "mobility", "turns", "captures", "move")
    weights = (1.0, 0.07, 0.53, 0.96, 0.38, 1.28)
    plausible_is_safe = True
    known = (
        "with 6 pits and 4 seeds the first player wins by 8 (Rawlings 2015), with empty_capture=true by 10 (Irving, "
        "Donkers, Uiterwijk 2000)"
    )

    def __init__(self, pits: int = 6, seeds: int = 4, empty_capture: bool = False, margin: int = 1) -> None:
        super().__init__(pits, seeds, margin)
        self.empty_capture = empty_capture
        self.distances = Bits(sum(pits - pit << 8 * pit for pit in range(pits)))

    def track(self, pit: int) -> list[int]:
        """All places but the other's store, the pit itself last."""
        return [*range(pit + 1, self.pits + 1), *range(8, 8 + self.pits), *range(pit + 1)]

    def actions(self, state: Sowing.State) -> Iterator[int]:
        for pit in range(self.pits):
            if state.own >> 8 * pit & 255:
                yield pit

    def plausible(self, state: Sowing.State) -> Iterator[int]:
        """All, those next to the store first."""
        for pit in range(self.pits - 1, -1, -1):
            if state.own >> 8 * pit & 255:
                yield pit

    def result(self, state: Sowing.State, action: int) -> Sowing.State:
        place = COUNTS * action + self.count(state.own, action)
        own, other, last = state.own + self.to_own[place], state.other + self.to_other[place], self.ends[place]
        if last == self.pits:
            return self.State(own, other, state.turn)
        if last < self.pits and own >> 8 * last & 255 == 1:
            facing = 8 * (self.pits - 1 - last)
            taken = other >> facing & 255
            if taken or self.empty_capture:
                own += (taken + 1 << self.above) - (Bits(1) << 8 * last)
                other -= taken << facing
        return self.State(other, own, 1 - state.turn)

    def is_terminal(self, state: Sowing.State) -> bool:
        return not state.own & self.row or not state.other & self.row

    def utility(self, state: Sowing.State, player: int) -> float:
        worth = self.worth(self.lead(state) + self.in_row(state.own) - self.in_row(state.other))
        return worth if player == state.turn else -worth

    def features(self, state: Sowing.State) -> tuple[float, ...]:
        """Seeds in store and in pits, pits with seeds, turns and captures at hand, whose move it is."""
        sign = 1 if state.turn == 0 else -1
        own, other = state.own, state.other
        return (
            sign * self.lead(state),
            sign * (self.in_row(own) - self.in_row(other)),
            sign * (self.filled(own, 1) - self.filled(other, 1)),
            sign * (self.turns(own) - self.turns(other)),
            sign * (self.captures(own, other) - self.captures(other, own)),
            sign,
        )

    def turns(self, word: Bits) -> int:
        """How many pits have the seeds to end in the store."""
        return self.pits - self.filled(word ^ self.distances, 1)

    def captures(self, own: Bits, other: Bits) -> int:
        """How many seeds of `other` could be taken from each of his pits, all added up."""
        found = 0
        for pit in range(self.pits - 1):
            last = pit + self.count(own, pit)
            if pit < last < self.pits and self.count(own, last) == 0:
                found += self.count(other, self.pits - 1 - last)
        return found

    def bounds(self, state: Sowing.State, player: int) -> tuple[float, float]:
        """What is in a store stays there, and whoever has a pit that reaches his store gets one more."""
        reach = int((state.own & self.row) + self.ones * 128 - self.distances & self.ones << 7 != 0)
        low = self.worth(2 * (self.count(state.own, self.pits) + reach) - self.total)
        high = self.worth(self.total - 2 * self.count(state.other, self.pits))
        return (low, high) if player == state.turn else (-high, -low)

    def promise(self, state: Sowing.State, player: int) -> float:
        """Another turn first, then seeds in the store."""
        lead = self.lead(state)
        return lead + self.total if player == state.turn else -lead

    def moves_left(self, state: Sowing.State) -> int:
        """More than are mostly played: so many seeds fall into the stores one by one."""
        return 2 * (self.in_row(state.own) + self.in_row(state.other)) + 8
