"""A first try of a game that somebody wrote: do its rules run at all, and do they come to an end?"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import islice
from math import fsum, isclose
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

from zermelo.errors import GameError, ZermeloError
from zermelo.fields import kind_of, why_not_plain
from zermelo.game import CHANCE, MOST_ACTIONS, Game
from zermelo.guard import line_in, told, within

PATIENCE = 10.0
"""Seconds that one call of a rule may take."""
ENOUGH = 1.0
"""Seconds after which a slow playout has shown enough."""
PLIES = 200
LOOPS = "the time is up"


def probe(game: Game, seconds: float = PATIENCE) -> None:
    """Play one random game, the same each time, of up to 200 plies and about a second.

    `GameError` names the rule that raises, takes longer than `seconds` or gives what it must not, and the state.
    """
    rules = _Rules(game, seconds)
    chance = random.Random(0)
    state = initial = rules.call("initial")
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
        if mover == CHANCE:
            rules.odds(state)
        options = rules.run("outcomes" if mover == CHANCE else "actions", partial(game.legal, state), state)
        state = rules.result(state, chance.choice(options), initial)
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

    def odds(self, state: Any) -> None:
        """Check that `outcomes` gives pairs whose probabilities are such, and add up to 1."""
        pairs = self.run("outcomes", lambda: list(islice(self.game.outcomes(state), MOST_ACTIONS)), state)
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[1], Real):
                self.refuse("outcomes", state, f"gives {pair!r}", "give pairs of an action and its probability")
            if not 0 <= float(pair[1]) <= 1:
                what = f"gives {pair[0]!r} the probability {pair[1]!r}"
                self.refuse("outcomes", state, what, "give probabilities from 0 to 1")
        total = fsum(probability for _, probability in pairs)
        if pairs and not isclose(total, 1, rel_tol=0, abs_tol=1e-9):
            self.refuse("outcomes", state, f"gives probabilities that add up to {total:.12g}", "let them add up to 1")

    def result(self, state: Any, action: Any, initial: Any) -> Any:
        """The state after an action, if it is one of the kind of `initial` and the state before is left as it is."""
        before = self.snapshot(state)
        found = self.call("result", state, action)
        if before is not None and not _same(before, state):
            self.refuse("result", before, "changes the state it is given", "work on a copy of it")
        if not isinstance(found, type(initial)) and not isinstance(initial, type(found)):
            what = f"gives {'None' if found is None else kind_of(found)} for action {action!r}"
            self.refuse("result", state, what, f"return the next state, {kind_of(initial)} like the first")
        return found

    def snapshot(self, state: Any) -> Any:
        """A copy of a state that may change, to compare it with later; None where that can't be done."""
        if not why_not_plain(state):
            return None
        try:
            copied = within(self.seconds, "", deepcopy, state)
        except Exception:
            return None
        return copied if _same(copied, state) else None

    def run(self, rule: str, body: Callable[[], Any], *state: Any) -> Any:
        try:
            return within(self.seconds, LOOPS, body)
        except Exception as error:
            expired = isinstance(error, GameError) and str(error) == LOOPS
            if isinstance(error, ZermeloError) and not expired:
                raise
            line = line_in(error.__context__ or error if expired else error, self.file)
            what = f"did not end within {self.seconds:g} s" if expired else f"raised {told(error)}"
            place = f" (line {line})" if line is not None else ""
            raise GameError(self.sentence(rule, what + place, *state)) from None

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


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False
