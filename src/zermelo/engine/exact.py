"""Exact values by the engine: null windows that close in on the value, from ends of the game alone."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from zermelo.engine.machine import Machine
from zermelo.errors import LimitReached, TooDeep
from zermelo.native.memory import next_up
from zermelo.search.tally import DEEPEST

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.engine.table import Table
    from zermelo.game import Game

STEPS = 40
"""How many null windows are tried before a whole one."""
LINE_NODES = 1_000_000
"""Nodes that finding the expected line may cost."""


class Exact:
    """Exact values of states of one game; values are the mover's, as the kernel has them."""

    def __init__(self, game: Game, options: Options, *, natively: bool, table: Table | None = None) -> None:
        self.game = game
        sound = replace(options, algorithm="pvs", null_move=False, reductions=False, forward=False, beam=None)
        sound = replace(sound, futility=None, bias=0.0)
        self.machine = Machine(game, sound, natively=natively, exact=True, table=table)

    def value(self, state: Any) -> tuple[float, Any]:
        """The value of a state that is not terminal, and an action that keeps it."""
        depth = min(int(self.game.moves_left(state)) or DEEPEST, DEEPEST)
        while True:
            horizon = self.machine.horizon
            value, action = self._close_in(state, depth)
            if self.machine.horizon == horizon or self._is_extreme(state, value):
                return value, action
            if depth >= DEEPEST:
                raise TooDeep
            depth = min(2 * depth + 8, DEEPEST)

    def _is_extreme(self, state: Any, value: float) -> bool:
        """Whether a value is that of the best or the worst end, which no estimate reaches."""
        mover = self.game.to_move(state)
        return value >= self.machine.top_for(mover) or value <= -self.machine.top_for(1 - mover)

    def value_after(self, state: Any, action: Any) -> float:
        """What an action is worth to the player who takes it."""
        mover, child = self.game.to_move(state), self.game.result(state, action)
        if self.game.is_terminal(child):
            self.machine.works[0].nodes += 1
            return self.machine.end_value(child, mover)
        value, _ = self.value(child)
        return value if self.game.to_move(child) == mover else -value

    def _close_in(self, state: Any, depth: int) -> tuple[float, Any]:
        """Halve the range of the value, nearer to 0 first, with what each null window tells."""
        machine, mover = self.machine, self.game.to_move(state)
        low, high = -machine.top_for(1 - mover), machine.top_for(mover)
        if not (isfinite(low) and isfinite(high)):
            machine.forget_line()
            value = machine.value(state, -inf, inf, depth)
            return value, machine.line(state)[0]
        action = None
        for _ in range(STEPS):
            if low >= high:
                break
            test = _between(low, high)
            machine.forget_line()
            value = machine.value(state, test, next_up(test), depth)
            if value > test:
                low, action = value, machine.line(state)[0]
            else:
                high = value
        if low < high or action is None:
            machine.forget_line()
            low = machine.value(state, -next_up(-low), high, depth)
            action = machine.line(state)[0]
        return low, action

    def line(self, state: Any, value: float, action: Any) -> tuple[Any, ...]:
        """The expected line that begins with an action that keeps a value, as far as a little searching shows it."""
        game, machine, found = self.game, self.machine, [action]
        spare = LINE_NODES if machine.native else LINE_NODES // 50
        limit, machine.limit = machine.limit, int(machine.works[0].nodes) + spare
        mover = game.to_move(state)
        state = game.result(state, action)
        try:
            while not game.is_terminal(state):
                if game.to_move(state) != mover:
                    mover, value = 1 - mover, -value
                machine.forget_line()
                depth = min(int(game.moves_left(state)) or DEEPEST, DEEPEST)
                machine.value(state, -next_up(-value), value, depth)
                line = machine.line(state)
                if not line:
                    break
                found.append(line[0])
                state = game.result(state, line[0])
        except LimitReached:
            pass
        finally:
            machine.limit = limit
        return tuple(found)


def _between(low: float, high: float) -> float:
    """A number from low to below high: the middle, or half of a bound if that is nearer to 0; whole if that fits."""
    middle = (low + high) / 2
    if middle <= 0 and low / 2 < middle:
        middle = low / 2
    elif middle >= 0 and high / 2 > middle:
        middle = high / 2
    whole = float(int(middle))
    return whole if low <= whole < high else middle
