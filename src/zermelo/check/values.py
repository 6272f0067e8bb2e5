"""Small exact searches that use none of a game's optional knowledge, to test that knowledge by what they find."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf, isclose
from typing import Any

from zermelo import native
from zermelo.check.contract import CLOSE
from zermelo.check.kernels import claims_kernel
from zermelo.check.witness import ANY, Witness
from zermelo.errors import LimitReached, NotNative
from zermelo.search.alphabeta import alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.suitability import why_no_value
from zermelo.search.tally import Tally

NODES, NATIVE_NODES = 1_000, 50_000
"""Nodes that one search may cost, interpreted and native."""

ALL_NODES, ALL_NATIVE_NODES = 20_000, 40_000_000
"""Nodes that all searches together may cost."""

DEEPEST = 100
"""Plies down to which a value is looked for."""


class Values:
    """Exact values of states near the end of the game, as long as the nodes and the seconds last.

    They rest on the six methods, on `outcomes` and on `utility_bounds` alone.
    """

    def __init__(self, witness: Witness, seconds: float) -> None:
        self.witness, self.game, self.natively = witness, witness.game, False
        self.seconds, self.until = min(seconds, witness.patience) / 4, inf
        self.exist = not why_no_value(witness.game)
        self.total = float(witness.game.facts.total or 0)
        self.nodes, self.left = NODES, ALL_NODES

    def compile(self, state: Any) -> None:
        """Search natively from now on, and further, if that can be; no clock runs meanwhile."""
        kernels = [self._value_call(0)] + [(claims_kernel, (self.total,))] * (not self.game.has_chance)
        try:
            for kernel, arguments in kernels:
                native.prepare_run(kernel, self.game, state, *arguments, tally=Tally())
        except NotNative:
            return
        self.natively, self.nodes, self.left = True, NATIVE_NODES, ALL_NATIVE_NODES

    @property
    def are_spent(self) -> bool:
        """Whether there is not enough left for one more search."""
        return self.left < self.nodes or time.monotonic() > self.until

    def value(self, state: Any, player: int) -> float | None:
        """What a state is worth to a player; None if there is no such value or it costs too much."""
        tally = Tally()
        kernel, arguments = self._value_call(player)
        value = self._searched(tally, kernel, state, *arguments)
        return float(value) if value is not None and tally.horizon == 0 else None

    def is_worth(self, state: Any, player: int, least: float) -> bool | None:
        """Whether a state is worth as much to a player, but for rounding; None if that costs too much to say."""
        tally, off = Tally(), CLOSE * (1 + abs(least))
        kernel, arguments = self._value_call(player, (least - 2 * off, least - off))
        value = self._searched(tally, kernel, state, *arguments)
        return value >= least - off if value is not None and tally.horizon == 0 else None

    def false_claims(self, state: Any) -> tuple[int, list[Any]] | None:
        """How many states that are no ends may follow, and one of them, or none, of which `bounds` or `plausible`
        says something false; None if that costs too much."""
        tally = Tally()
        found = self._searched(tally, claims_kernel, state, self.total)
        if found is None:
            return None
        _, fails, where = found
        where = type(state)._make(where) if self.natively else where
        return tally.nodes - tally.leaves, [where] if fails else []

    def to_player(self, player: int, value: float) -> float:
        """What a value to the first player is to another one."""
        return value if player == 0 else self.total - value

    def equal(self, first: float, second: float) -> bool:
        """Whether two values are the same but for rounding."""
        return isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE)

    def _value_call(self, player: int, window: tuple[float, float] | None = None) -> tuple[Any, tuple[Any, ...]]:
        """The search for a value, and its arguments after game and state; outside the window it finds a bound."""
        if self.game.has_chance:
            return expectiminimax, (player, DEEPEST)
        low, high = window or self.game.utility_bounds
        return alphabeta, (player, float(low), float(high), DEEPEST)

    def _searched(self, tally: Tally, kernel: Callable[..., Any], state: Any, *arguments: Any) -> Any:
        """What a search gives; None if it costs too much."""
        self.until = min(self.until, time.monotonic() + 4 * self.seconds)
        if not self.exist or self.are_spent:
            return None
        tally.limit = self.nodes

        def search() -> Any:
            limits: dict[str, Any] = {"tally": tally, "native": self.natively, "seconds": self.seconds}
            return native.run(kernel, self.game, state, *arguments, **limits)

        try:
            return self.witness.run(ANY, state, search)
        except LimitReached:
            return None
        finally:
            self.left -= tally.nodes
