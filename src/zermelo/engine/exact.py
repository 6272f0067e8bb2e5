"""Exact values by the engine: null windows that close in on the value, from ends of the game alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.engine.closing import close_in
from zermelo.engine.kernel import tied_value
from zermelo.engine.machine import Machine
from zermelo.errors import LimitReached, TooDeep
from zermelo.position import is_drawn
from zermelo.search.tally import DEEPEST

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.game import Game

LINE_NODES = 1_000_000
"""Nodes that finding the expected line may cost."""


class Exact:
    """Exact values of states of one game; values are the mover's, as the kernel has them."""

    def __init__(self, game: Game, options: Options, *, natively: bool) -> None:
        self.game = game
        sound = replace(options, algorithm="pvs", null_move=False, reductions=False, forward=False, beam=None)
        sound = replace(sound, futility=None, bias=0.0)
        self.machine = Machine(game, sound, natively=natively, exact=True, kernel=close_in)

    def value(self, state: Any) -> tuple[float, Any]:
        """The value of a state that is not terminal, and an action that keeps it."""
        return self._deep_enough(state, partial(self._close_in, state))

    def _deep_enough(self, state: Any, search: Callable[[int], tuple[float, Any]]) -> tuple[float, Any]:
        """What a search to a depth finds, once that is proved: first as deep as the game says, then deeper."""
        machine = self.machine
        depth = min(int(self.game.moves_left(state)) or DEEPEST, DEEPEST)
        while True:
            horizon, guesses = machine.horizon, machine.guesses
            value, action = search(depth)
            if (machine.horizon, machine.guesses) == (horizon, guesses) or self._is_extreme(state, value):
                return value, action
            if depth >= DEEPEST:
                raise TooDeep
            depth = min(2 * depth + 8, DEEPEST)

    def _is_extreme(self, state: Any, value: float) -> bool:
        """Whether a value is that of the best or the worst end, which no estimate reaches."""
        mover = self.game.to_move(state)
        return value >= self.machine.top_for(mover) or value <= -self.machine.top_for(1 - mover)

    def value_after(self, states: tuple[Any, ...], action: Any) -> float:
        """What an action is worth to the player who takes it in the last of these states of a game."""
        mover, child = self.game.to_move(states[-1]), self.game.result(states[-1], action)
        if self.game.is_terminal(child):
            self.machine.works[0].nodes += 1
            return self.machine.end_value(child, mover)
        if is_drawn(self.game, (*states, child)):
            return tied_value(self.game, child, mover)
        self.machine.stand_at((*states, child))
        value, _ = self.value(child)
        return value if self.game.to_move(child) == mover else -value

    def _close_in(self, state: Any, depth: int) -> tuple[float, Any]:
        """The value, which is from the worst end to the best, and an action that keeps it."""
        mover = self.game.to_move(state)
        return self._from(state, -self.machine.top_for(1 - mover), self.machine.top_for(mover), depth)

    def _from(self, state: Any, low: float, high: float, depth: int) -> tuple[float, Any]:
        """A value that is from `low` to `high`, by a search to some depth, and an action that keeps it."""
        self.machine.forget_line()
        value = self.machine.value(state, low, high, depth)
        return value, self._first(state)

    def _first(self, state: Any) -> Any:
        """The action found last; where all are infinitely bad, any."""
        return (self.machine.line(state) or self.game.legal(state))[0]

    def line(self, states: tuple[Any, ...], value: float, action: Any) -> tuple[Any, ...]:
        """The expected line that begins with an action that keeps a value, as far as a little searching shows it."""
        game, machine, found = self.game, self.machine, [action]
        spare = LINE_NODES if machine.native else LINE_NODES // 50
        limit, machine.limit = machine.limit, int(machine.works[0].nodes) + spare
        mover = game.to_move(states[-1])
        states = *states, game.result(states[-1], action)
        try:
            while not game.is_terminal(states[-1]) and not is_drawn(game, states):
                if game.to_move(states[-1]) != mover:
                    mover, value = 1 - mover, -value
                machine.stand_at(states)
                kept, action = self._deep_enough(states[-1], partial(self._from, states[-1], value, value))
                if kept < value:
                    break
                found.append(action)
                states = *states, game.result(states[-1], action)
        except (LimitReached, TooDeep):
            pass
        finally:
            machine.limit = limit
        return tuple(found)
