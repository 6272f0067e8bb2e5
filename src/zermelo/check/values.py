"""Values of states by a small exact search, to test what a game claims of them."""

from __future__ import annotations

import time
from math import inf, isclose
from typing import Any

from zermelo import native
from zermelo.check.contract import CLOSE
from zermelo.check.play import Played, identify
from zermelo.check.witness import ANY, Broken, Witness
from zermelo.errors import LimitReached
from zermelo.game import CHANCE, overrides
from zermelo.search.alphabeta import alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.suitability import why_no_value
from zermelo.search.tally import Tally

NODES = 1_000
"""Nodes that one value may cost."""

ALL_NODES = 20_000
"""Nodes that all values together may cost."""

DEEPEST = 100
"""Plies down to which a value is looked for."""


class Values:
    """Exact values of states near the end of the game, as long as the nodes and the seconds last."""

    def __init__(self, witness: Witness, seconds: float) -> None:
        self.witness, self.game = witness, witness.game
        self.seconds, self.until = min(seconds, witness.patience) / 4, inf
        self.exist = not why_no_value(witness.game)
        self.left = ALL_NODES
        self.proved = 0

    def value(self, state: Any, player: int) -> float | None:
        """What a state is worth to a player; None if there is no such value or it costs too much."""
        tally = Tally(limit=min(NODES, self.left))
        self.until = min(self.until, time.monotonic() + 4 * self.seconds)
        if not self.exist or tally.limit <= 0 or time.monotonic() > self.until:
            return None
        try:
            value = float(self.witness.run(ANY, state, self._search, state, player, tally))
        except LimitReached:
            return None
        finally:
            self.left -= tally.nodes
        self.proved += tally.horizon == 0
        return value if tally.horizon == 0 else None

    def to_player(self, player: int, value: float) -> float:
        """What a value to the first player is to another one."""
        return value if player == 0 else (self.game.facts.total or 0) - value

    def equal(self, first: float, second: float) -> bool:
        """Whether two values are the same but for rounding."""
        return isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE)

    def _search(self, state: Any, player: int, tally: Tally) -> float:
        limits: dict[str, Any] = {"tally": tally, "native": False, "seconds": self.seconds}
        if self.game.facts.chance:
            return float(native.run(expectiminimax, self.game, state, player, DEEPEST, **limits))
        return float(native.run(alphabeta, self.game, state, player, -inf, inf, DEEPEST, **limits))


Estimate = tuple[Any, int, float]
"""A state, a player, and what `evaluate` says the state is worth to the player."""


def check_claims(witness: Witness, values: Values, games: list[Played], estimates: list[Estimate]) -> None:
    """Claims that only a search can test: estimates at a bound, bounds, safe plausible actions, symmetries."""
    check_extreme_estimates(witness, values, estimates)
    game = witness.game
    claims = [
        check
        for method, check in (("bounds", check_bounds), ("symmetries", check_symmetries), ("plausible", check_safety))
        if overrides(game, method) and not witness.blames(method) and (method != "plausible" or game.plausible_is_safe)
    ]
    if not claims or not values.exist:
        return
    seen = set()
    for state in (state for played in games for state in reversed(played.last)):
        if identify(state) not in seen and (value := values.value(state, 0)) is not None:
            for check in claims:
                try:
                    check(witness, values, state, value)
                except Broken:
                    continue
        seen.add(identify(state))


def check_extreme_estimates(witness: Witness, values: Values, estimates: list[Estimate]) -> None:
    """A search takes an estimate at a bound as proved, so it may stand there only where a small search proves it."""
    for state, player, estimate in estimates:
        if values.left < NODES or time.monotonic() > values.until:
            return
        value = values.value(state, player)
        if value is not None and values.equal(value, estimate):
            continue
        worth = f"while the state is worth {value:g}," if value is not None else "which a search takes as proved,"
        what = f"gives player {player} {estimate!r}, a bound of the utility, {worth}"
        witness.note("evaluate", "extreme", what, "keep estimates strictly inside the bounds", state)


def check_bounds(witness: Witness, values: Values, state: Any, value: float) -> None:
    """The bounds of a state hold its value, to each player."""
    for player in range(witness.game.players):
        worth = values.to_player(player, value)
        low, high = witness.ask("bounds", state, player)
        if not low - CLOSE <= worth <= high + CLOSE:
            what = f"gives player {player} ({low:g}, {high:g}), but the value is {worth:g}"
            witness.note("bounds", "false", what, "give only bounds that surely hold", state)


def check_symmetries(witness: Witness, values: Values, state: Any, value: float) -> None:
    """Turned and mirrored states are worth the same; each time another of them is looked at."""
    twins = witness.ask("symmetries", state)
    for twin in twins[values.proved % max(len(twins), 1) :][:1]:
        worth = values.value(twin, 0)
        if worth is not None and not values.equal(worth, value):
            what = f"gives {witness.described(twin)}, which is worth {worth:g} to player 0 in place of {value:g},"
            witness.note("symmetries", "value", what, "give only states that are worth the same", state)


def check_safety(witness: Witness, values: Values, state: Any, value: float) -> None:
    """If plausible actions are safe, the best of them is as good as the best of all."""
    mover = witness.ask("to_move", state)
    if mover == CHANCE:
        return
    worths = [values.value(witness.ask("result", state, action), mover) for action in witness.ask("plausible", state)]
    own = values.to_player(mover, value)
    known = [worth for worth in worths if worth is not None]
    if known and len(known) == len(worths) and not values.equal(max(known), own):
        what = f"leaves out the best action: its actions are worth {max(known):g} at most, all actions {own:g},"
        witness.note("plausible", "unsafe", what, "let it keep a best action, or set plausible_is_safe = False", state)
