"""The computer as a player: it thinks at a level, from a book if it has one, and on the other's time if asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.engine.decide import decide
from zermelo.engine.engine import Engine
from zermelo.engine.levels import LEVELS
from zermelo.search.suitability import usual_algorithm

if TYPE_CHECKING:
    import random

    from zermelo.engine.book import BookLike
    from zermelo.engine.options import Options
    from zermelo.game import Game
    from zermelo.position import Position
    from zermelo.search.result import Result


class Mind:
    """Plays any game: two opponents without chance by the engine, all others by the textbook's algorithms.

    `ponder` is "expected", "all" or "" for not at all.
    """

    def __init__(
        self,
        game: Game,
        *,
        ponder: str = "",
        options: Options | None = None,
        book: BookLike | None = None,
        luck: random.Random | None = None,
    ) -> None:
        self.game, self.ponder, self.book, self.luck = game, ponder, book, luck
        self.engine: Engine | None = None
        self._options = options
        self._line: tuple[Any, ...] = ()
        self._played: tuple[Any, ...] = ()
        """What has to have been played for the line to follow."""
        self._waiting: Position | None = None

    def think(self, position: Position, level: int) -> Result:
        """The action for the player to move, found within what the level allows; a hint, if that is the other."""
        engine = self._engine_for(position)
        for_the_other = self._waiting is not None and self._waiting.history == position.history
        self.settle(position)
        limits = LEVELS[level].limits_for(engine.algorithm if engine is not None else "")
        if engine is None:
            return decide(position, depth=limits.depth, seconds=limits.seconds)
        engine.set_position(position)
        result = engine.go(depth=limits.depth, nodes=limits.nodes, seconds=limits.seconds).result()
        self._line = result.line if for_the_other else result.line[1:]
        self._played = position.history if for_the_other else (*position.history, result.action)
        return result

    def wait(self, position: Position) -> None:
        """The other is to move: go on thinking, if that is wanted."""
        engine = self._engine_for(position)
        if not self.ponder or engine is None or (self._waiting and self._waiting.history == position.history):
            return
        self.settle(position)
        engine.set_position(position)
        engine.ponder(self._line if position.history == self._played else (), self.ponder)
        self._waiting = position.copy()

    def settle(self, position: Position) -> None:
        """See what was played while the engine waited; stop pondering."""
        waiting, self._waiting = self._waiting, None
        if waiting is None or self.engine is None:
            return
        known = len(waiting.history)
        if len(position.history) > known and position.history[:known] == waiting.history:
            self.engine.play(position.history[known])
        else:
            self.engine.stop()

    def summary(self) -> str:
        """How often the reply expected while pondering was the one played; empty if nothing was."""
        if self.engine is None or not self.engine.ponder_tries:
            return ""
        hits, tries = self.engine.ponder_hits, self.engine.ponder_tries
        return f"{hits} of {tries} {'reply' if tries == 1 else 'replies'} expected ({self.engine.hit_rate:.0%})"

    def _engine_for(self, position: Position) -> Engine | None:
        if self.engine is None and usual_algorithm(position) in ("pvs", "uct"):
            self.engine = Engine(self.game, self._options, book=self.book, luck=self.luck)
        return self.engine
