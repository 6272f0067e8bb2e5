"""An opponent who is not perfect: among actions that the search holds equal, take the one he will stumble over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.errors import BadInput, LimitReached, NotNative
from zermelo.game import Game
from zermelo.search.erring import erring, predicted
from zermelo.search.tally import Tally

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.result import Line, Result

LINES = 16
"""How many of the best actions are considered."""
NODES = 3_000_000
"""How many nodes looking at all of them may cost."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What is believed of the opponent.

    `error` is how often he takes any action instead of the best. `model`, a game with the same states, is one by
    whose evaluation he plays, one action ahead. `depth` is how far that is looked into. `margin` is how much of an
    estimated value may be risked; a proved value is never given up.
    """

    error: float = 0.1
    model: Game | None = None
    depth: int = 4
    margin: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 1:
            raise BadInput(f"the opponent's error must be from 0 to 1, not {self.error:g}")
        if self.depth < 1:
            raise BadInput(f"the opponent's depth must be 1 or more, not {self.depth}")
        if not 0 <= self.margin < inf:
            raise BadInput(f"the margin against the opponent must be 0 or more, not {self.margin:g}")

    def prefer(
        self, position: Position, result: Result, world: str = "auto", is_over: Callable[[], bool] = lambda: False
    ) -> Result:
        """The result with its lines in the order in which they are best against this opponent.

        It is as it was where `is_over` says before the end that there is no time for that.
        """
        best = result.lines[0] if result.lines else None
        if best is None:
            return result
        equal = [line for line in result.lines if self._is_as_good(line, best)]
        if len(equal) < 2:
            return result
        worth = {}
        for line in equal:
            if is_over():
                return result
            worth[id(line)] = self.worth(position, line.action, world, NODES // len(equal))
        ranked = sorted(equal, key=lambda line: -worth[id(line)])
        first = ranked[0]
        others = tuple(line for line in result.lines if line not in ranked)
        return replace(
            result,
            action=first.action,
            value=first.value,
            line=first.actions,
            lines=(*ranked, *others),
            plies=first.plies,
        )

    def _is_as_good(self, line: Line, best: Line) -> bool:
        """Whether nothing that is proved is lost by taking this line, nor more than the margin of an estimate."""
        if best.kind == "exact":
            return line.kind == "exact" and line.value == best.value
        return line.kind != "exact" and line.value >= best.value - self.margin

    def worth(self, position: Position, action: Any, world: str = "auto", nodes: int = NODES) -> float:
        """What an action is worth to the player to move, against this opponent, by so many nodes at most."""
        game, player = position.game, position.to_move
        state = game.result(position.state, action)
        depth = self.depth
        while True:
            try:
                return self._value(game, state, player, depth, world, nodes)
            except LimitReached:
                depth -= 1

    def _value(self, game: Game, state: Any, player: int, depth: int, world: str, nodes: int) -> float:
        def run(natively: bool) -> float:
            tally = Tally(limit=nodes if natively else max(nodes // 500, 1))
            if self.model is not None:
                args: tuple[Any, ...] = predicted, game, self.model, state, player, depth
            else:
                args = erring, game, state, player, depth, self.error
            return float(native.run(*args, tally=tally, native=natively))

        if world != "interpreted" and not native.why_interpreted(game):
            try:
                return run(True)
            except NotNative:
                pass
        return run(False)
