"""A game clock, and how much of it one move may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.errors import BadInput
from zermelo.search.result import Limits

if TYPE_CHECKING:
    from zermelo.position import Position

USUAL_MOVES = 30
"""How many moves of one's own are expected where a game does not tell."""
RESERVE = 0.05
"""The part of the time left that is never planned with, for whatever takes time besides searching."""
STRETCH = 3.0
"""How many times its share a move may take where no depth has been finished sooner."""
MOST = 0.8
"""The part of all usable time that one move may take, however few are left."""
ENOUGH = 0.6
"""After which part of its share no deeper search is begun: a depth takes about twice as long as the one before, so a
move takes its share on average."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds left to the player to move, seconds gained with each move, and moves until more time is given.

    `lag` is what each move costs besides thinking. Without more time to come, that of twice the moves expected is kept.
    """

    left: float
    increment: float = 0.0
    moves: int | None = None
    lag: float = 0.0

    def __post_init__(self) -> None:
        if not self.left > 0:
            raise BadInput(f"the clock must have more than 0 seconds, not {self.left:g}")
        if not self.increment >= 0:
            raise BadInput(f"the increment must be 0 seconds or more, not {self.increment:g}")
        if self.moves is not None and self.moves < 1:
            raise BadInput(f"moves until more time must be 1 or more, not {self.moves}")

    def limits(self, position: Position) -> Limits:
        """What the next move may use: a share of what is left (`enough`), more if no depth is finished by then."""
        ahead = (position.game.moves_left(position.state) + 1) // 2 or USUAL_MOVES
        moves = max(min(ahead, self.moves or ahead), 1)
        kept = self.lag * (moves if self.moves or self.increment > self.lag else 2 * moves)
        usable = max(self.left * (1 - RESERVE) - kept, self.left * RESERVE)
        share = min(usable / moves + self.increment * (1 - RESERVE), usable)
        return Limits(seconds=min(share * STRETCH, usable * MOST), enough=min(share, usable * MOST))
