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

    plausible_is_safe = True
    known = "with 6 pits and 4 seeds the first player wins by 10 (Irving, Donkers, Uiterwijk 2000)"

    def __init__(self, pits: int = 6, seeds: int = 4, empty_capture: bool = False, margin: int = 1) -> None:
        super().__init__(pits, seeds, margin)
        self.empty_capture = empty_capture

    def track(self, pit: int) -> list[int]:
        """All places but the other's store, the pit itself last."""
        return [*range(pit + 1, self.pits + 1), *range(8, 8 + self.pits), *range(pit + 1)]

    def actions(self, state: Sowing.State) -> Iterator[int]:
        for pit in range(self.pits):
            if state.own >> 8 * pit & 255:
                yield pit

    def plausible(self, state: Sowing.State) -> Iterator[int]:
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

    def moves_left(self, state: Sowing.State) -> int:
        return self.in_row(state.own) + self.in_row(state.other)
