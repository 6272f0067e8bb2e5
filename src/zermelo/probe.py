"""A first try of a game that somebody wrote: do its rules run at all, and do they come to an end?"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

from zermelo.errors import GameError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.guard import line_in, told, within

PATIENCE = 10.0
"""Seconds that one call of a rule may take."""
ENOUGH = 1.0
"""Seconds after which a slow playout has shown enough."""
PLIES = 200


def probe(game: Game, seconds: float = PATIENCE) -> None:
    """Play one random game, the same each time, of up to 200 plies and about a second.

    `GameError` names the rule that raises, takes longer than `seconds` or gives what it must not, and the state.
    """
    rules = _Rules(game, seconds)
    chance = random.Random(0)
    state = rules.call("initial")
    enough = time.monotonic() + ENOUGH
    for _ in range(PLIES):
        if rules.call("is_terminal", state):
            for player in range(game.players):
                rules.number("utility", state, player)
            return
        mover = rules.call("to_move", state)
        if mover not in range(CHANCE, game.players):
            rules.refuse("to_move", state, f"gives {mover!r}", f"give a player from 0 to {game.players - 1}, or CHANCE")
        rules.number("evaluate", state, max(mover, 0))
        options = rules.run("outcomes" if mover == CHANCE else "actions", partial(game.legal, state), state)
        state = rules.call("result", state, chance.choice(options))
        if time.monotonic() > enough:
            return


class _Rules:
    """The rules of a game, each call of which ends within a time or is refused in a sentence."""

    def __init__(self, game: Game, seconds: float) -> None:
        self.game = game
        self.seconds = seconds
        self.file = getattr(sys.modules.get(type(game).__module__), "__file__", None)

    def call(self, rule: str, *arguments: Any) -> Any:
        """What a rule gives; its first argument, if any, is the state."""
        return self.run(rule, partial(getattr(self.game, rule), *arguments), *arguments[:1])

    def number(self, rule: str, state: Any, player: int) -> None:
        """Check that a rule gives a number."""
        value = self.call(rule, state, player)
        if not isinstance(value, Real) or value != value:
            self.refuse(rule, state, f"gives {value!r}", "give a number")

    def run(self, rule: str, body: Callable[[], Any], *state: Any) -> Any:
        slow = f"did not end within {self.seconds:g} s"
        try:
            return within(self.seconds, lambda: self.sentence(rule, slow, *state), body)
        except ZermeloError:
            raise
        except Exception as error:
            line = line_in(error, self.file)
            what = f"raised {told(error)}" + (f" (line {line})" if line is not None else "")
            raise GameError(self.sentence(rule, what, *state)) from None

    def refuse(self, rule: str, state: Any, what: str, cure: str) -> NoReturn:
        raise GameError(f"{self.sentence(rule, what, state)}: {cure}")

    def sentence(self, rule: str, what: str, *state: Any) -> str:
        file = f"{Path(self.file).name}: " if self.file else ""
        where = f" in {self.described(state[0])}" if state else ""
        return f"{file}{self.game.title}.{rule} {what}{where}"

    def described(self, state: Any) -> str:
        """The state as the game writes it, or as Python does where that takes long."""
        try:
            return within(ENOUGH, "", self.game.describe, state)
        except GameError:
            return f"state {state!r}"
