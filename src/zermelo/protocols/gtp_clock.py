"""The clock of the Go Text Protocol: main time, then periods in which so many stones are to be played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.engine.clock import Clock
from zermelo.search.result import Limits

if TYPE_CHECKING:
    from zermelo.position import Position

RESERVE = 0.15
"""The part of a share, and the seconds, that are left for what takes time besides thinking."""
LEAST = 0.01
"""Seconds that a move takes however little is left."""
FEWEST = 10
"""How many moves are expected even where the board is nearly full."""
KEPT = 30
"""For how many moves more the time is kept that they take beyond their share."""
FADING = 0.8
"""Which part of the longest delay is still expected a move later."""


@dataclass
class GtpClock:
    """One player's clock: the time settings, what is left of the main time or of a period, and its stones.

    `lag` is by how much moves have lately taken longer than they should, as on a busy machine.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0

    def __post_init__(self) -> None:
        self.left, self.stones_left, self.lag = self.main, 0, LEAST
        if self.main <= 0 and self.stones > 0:
            self.left, self.stones_left = self.period, self.stones

    @property
    def is_running(self) -> bool:
        """Whether there is a limit: a period without stones is none."""
        return (self.main > 0 or self.stones_left > 0) and not (self.period > 0 and self.stones == 0)

    def set_left(self, seconds: float, stones: int) -> None:
        """What the controller says is left: of the main time (0 stones), or of a period."""
        self.left, self.stones_left = max(seconds, 0.0), max(stones, 0)
        self.main = max(self.main, LEAST)
        self.stones = max(self.stones, self.stones_left)

    def spend(self, seconds: float, share: float) -> None:
        """A move has been made, which should have taken its share; where the main time is over a period begins."""
        self.left -= seconds
        self.lag = max(self.lag * FADING, seconds - share, LEAST)
        if self.stones_left > 1 and self.left > 0:
            self.stones_left -= 1
        elif self.stones > 0 and (self.left <= 0 or self.stones_left == 1):
            self.left, self.stones_left = self.period, self.stones

    def share(self, position: Position) -> float:
        """The seconds for the next move."""
        moves = self.stones_left
        if moves == 0:
            moves = max(position.game.moves_left(position.state) // 2, FEWEST)
        kept = self.lag * KEPT if self.stones_left == 0 and self.stones == 0 else 0.0
        share = max(self.left - kept, 0.0) / moves
        if self.stones_left == 0 and self.stones > 0:
            share = max(share, min(self.left + self.period, self.period) / self.stones)
        return max(share * (1 - RESERVE) - max(min(RESERVE, share * RESERVE), self.lag), LEAST)


class Turn(Clock):
    """A move that takes so many seconds, whatever happens: compiling counts."""

    @classmethod
    def of(cls, seconds: float) -> Turn:
        return cls(seconds)

    def limits(self, position: Position) -> Limits:
        return Limits(seconds=self.left, enough=self.left)
