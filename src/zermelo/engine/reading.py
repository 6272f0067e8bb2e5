"""One search by an algorithm of the textbook, by Star or by value iteration, that can be stopped like any other."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from zermelo import native
from zermelo.engine.thought import Listener, Thought
from zermelo.search import decide as textbook

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.position import Position
    from zermelo.search.result import Limits, Result


class Reading(Thought):
    """A search of a position to a depth or until limits; by what serves the game, if no algorithm is named."""

    def __init__(
        self,
        position: Position,
        algorithm: str | None,
        options: Options,
        limits: Limits,
        lines: int = 1,
        world: str = "auto",
        listen: Listener | None = None,
        finish: Listener | None = None,
    ) -> None:
        super().__init__(finish)
        self.position, self.algorithm, self.options = position, algorithm, options
        self.limits, self.lines, self.world, self.listen = limits, lines, world, listen
        self._halted = threading.Event()

    def halt(self) -> None:
        self._halted.set()

    def think(self) -> Result:
        limits = self.limits
        with native.halting(self._halted):
            return textbook.decide(
                self.position,
                depth=limits.depth,
                nodes=limits.nodes,
                seconds=limits.seconds if limits.enough is None else limits.enough,
                algorithm=self.algorithm,
                lines=self.lines,
                world=self.world,
                listen=self.listen,
                tools=self.options.tools,
            )
