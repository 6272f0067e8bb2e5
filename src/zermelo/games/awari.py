"""Awari (oware abapa): sow around the board, and take twos and threes from the other's side."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bits import Bits
from zermelo.errors import BadInput
from zermelo.sowing import COUNTS, Sowing

CLOSING = 10
"""With so few seeds in the pits all states that can follow are looked at."""
GRAND_SLAMS = ("no-capture", "forbidden", "capture")


class Awari(Sowing):
    """Sow the seeds of a pit one by one to the right, never into that pit itself; most seeds taken win.

    If the last seed makes two or three in a pit of the other, these are taken, and so are twos and threes in his pits
    just before it. A move that would take all that he has takes nothing (grand_slam=forbidden: it is not allowed;
    grand_slam=capture: it takes them). Who has the move must leave the other something to move. If he can't the game
    is over, and each takes what is on his side. A state that occurs for the third time ends the game too; then the
    seeds on the board are shared. With margin=0 all that counts is who has more, and more than half end the game.
    """

    feature_names = ("lead", "mobility", "prey", "hoard")
    weights = (1.0, 1.35, 0.53, 1.64)
    repeats = True
    repetition = 3
    known = "a draw with 6 pits and 4 seeds (Romein and Bal 2002)"

    def __init__(self, pits: int = 6, seeds: int = 4, grand_slam: str = "no-capture", margin: int = 1) -> None:
        if grand_slam not in GRAND_SLAMS:
            raise BadInput(f"Awari needs grand_slam no-capture, forbidden or capture, not {grand_slam!r}")
        super().__init__(pits, seeds, margin)
        self.slam_is_legal, self.slam_takes = grand_slam != "forbidden", grand_slam == "capture"

    def track(self, pit: int) -> list[int]:
        """All pits but the one that is sown."""
        return [*range(pit + 1, self.pits), *range(8, 8 + self.pits), *range(pit)]

    def actions(self, state: Sowing.State) -> Iterator[int]:
        for pit in range(self.pits):
            if self.is_legal(state, pit):
                yield pit

    def is_legal(self, state: Sowing.State, pit: int) -> bool:
        """Whether a pit may be sown: it has seeds, and the other is not left without any."""
        if not state.own >> 8 * pit & 255:
            return False
        if not state.other & self.row and self.count(state.own, pit) < self.pits - pit:
            return False
        return self.slam_is_legal or not self.is_slam(state, pit)

    def is_slam(self, state: Sowing.State, pit: int) -> bool:
        """Whether sowing a pit would take all that the other has."""
        place = COUNTS * pit + self.count(state.own, pit)
        other = (state.other + self.to_other[place]) & self.row
        return other != 0 and other == self.prey(other, self.ends[place])

    def prey(self, other: Bits, last: int) -> Bits:
        """The seeds that are taken when the last one fell into a place."""
        found = Bits(0)
        for pit in range(last - 8, -1, -1):
            seeds = other >> 8 * pit & 255
            if seeds != 2 and seeds != 3:
                break
            found |= seeds << 8 * pit
        return found

    def result(self, state: Sowing.State, action: int) -> Sowing.State:
        place = COUNTS * action + self.count(state.own, action)
        own, other = state.own + self.to_own[place], state.other + self.to_other[place]
        taken = self.prey(other, self.ends[place])
        if taken and (self.slam_takes or taken != other & self.row):
            own += Bits(self.in_row(taken)) << self.above
            other -= taken
        return self.State(other, own, 1 - state.turn)

    def is_terminal(self, state: Sowing.State) -> bool:
        if (
            not self.margin
            and 2 * max(self.count(state.own, self.pits), self.count(state.other, self.pits)) > self.total
        ):
            return True
        return not any(self.is_legal(state, pit) for pit in range(self.pits))

    def utility(self, state: Sowing.State, player: int) -> float:
        """With margin=0 a game that is decided is worth the same whatever is on the board."""
        worth = self.worth(self.lead(state) + self.in_row(state.own) - self.in_row(state.other))
        return worth if player == state.turn else -worth

    def tied(self, state: Sowing.State, player: int) -> float:
        """The seeds on the board are shared."""
        worth = self.worth(self.lead(state))
        return worth if player == state.turn else -worth

    def is_closing(self, state: Sowing.State) -> bool:
        """With ten seeds in twelve pits there are about a million states."""
        return self.in_row(state.own) + self.in_row(state.other) <= CLOSING

    def features(self, state: Sowing.State) -> tuple[float, ...]:
        """Seeds taken, pits with seeds, pits of the other with one or two, pits with seeds for the whole way around."""
        sign = 1 if state.turn == 0 else -1
        own, other = state.own, state.other
        return (
            sign * self.lead(state),
            sign * (self.filled(own, 1) - self.filled(other, 1)),
            sign * (self.small(other) - self.small(own)),
            sign * (self.large(own) - self.large(other)),
        )

    def small(self, word: Bits) -> int:
        """How many pits have one or two seeds, which one more makes prey."""
        return self.filled(word, 1) - self.filled(word, 3)

    def large(self, word: Bits) -> int:
        """How many pits have seeds for the whole way around."""
        return self.filled(word, 2 * self.pits)

    def promise(self, state: Sowing.State, player: int) -> float:
        """Seeds taken, then seeds on the own side."""
        lead = 8 * self.lead(state) + self.in_row(state.own) - self.in_row(state.other)
        return lead if player == state.turn else -lead
