"""The value of a state by any of the algorithms, in either world: one way to call them all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from zermelo import native
from zermelo.errors import BadOdds, GameError, LimitReached, OutOfBounds, TooDeep, Uneven, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.search.alphabeta import alphabeta
from zermelo.search.best_reply import best_reply
from zermelo.search.chance import starred, told_item
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.luck import stream
from zermelo.search.maxn import maxn
from zermelo.search.memory import array_table, remembering_alphabeta
from zermelo.search.minimax import minimax
from zermelo.search.negamax import negamax
from zermelo.search.ranges import PROBE, TABLE, Memory
from zermelo.search.sampled import WIDTH, sampled
from zermelo.search.shallow import can_cut, shallow_maxn
from zermelo.search.star import ALL
from zermelo.search.suitability import STARS
from zermelo.search.tally import Tally

TABLE_ENTRIES = 1 << 21
"""Entries of a native table: 48 MiB."""


class Tools(NamedTuple):
    """What some algorithms take besides: star1 and star2 a `table` (in MiB) and `probe` (actions of each outcome),
    sampled the `width` of its tree and a `seed`."""

    table: float = TABLE
    probe: int = PROBE
    width: int = WIDTH
    seed: int = 0


@dataclass
class Searcher:
    """Values of states of one game by one algorithm, counted in one tally, until one deadline.

    `cuts` says whether max^n prunes: where the game's bounds allow it, until an evaluation turns out not to keep them.
    `number` tells samples apart that are drawn from the same seed.
    """

    game: Game
    algorithm: str
    native: bool
    tally: Tally
    until: float = inf
    table: Any = field(default=None)
    tools: Tools = field(default_factory=Tools)
    number: int = 0

    def __post_init__(self) -> None:
        self.cuts = can_cut(self.game)
        if self.algorithm in STARS:
            self.memory = Memory(
                self.game, self.native, self.tools.table, self.tools.probe if self.algorithm == "star2" else 0
            )
        if self.algorithm in ("alphabeta-table", "paranoid") and self.table is None:
            self.table = array_table(TABLE_ENTRIES) if self.native else {}

    def prepare(self, state: Any) -> None:
        """Compile what will be called, so that no clock runs meanwhile."""
        if self.native:
            kernel, args = self._call(0, -inf, inf, 0)
            native.prepare_run(kernel, self.game, state, *args, tally=self.tally)

    def used(self) -> float:
        """Which part of the table of ranges holds entries; 0 where there is none."""
        return self.memory.used() if self.algorithm in STARS else 0.0

    def value(self, state: Any, player: int, alpha: float, beta: float, depth: int) -> float:
        """What `state` is worth to `player`, looking `depth` plies ahead: exact inside the window, else a bound.

        Algorithms without a window give the value itself.
        """
        if self.algorithm == "maxn":
            return self.values(state, depth)[player]
        kernel, args = self._call(player, alpha, beta, depth)
        value = float(self._run(kernel, state, *args))
        turned = self.algorithm == "negamax" and self.game.to_move(state) != player
        return -value if turned else value

    def _call(self, player: int, alpha: float, beta: float, depth: int) -> tuple[Any, tuple[Any, ...]]:
        """The kernel of the algorithm, and its arguments after game and state."""
        calls: dict[str, tuple[Any, tuple[Any, ...]]] = {
            "alphabeta": (alphabeta, (player, alpha, beta, depth)),
            "alphabeta-table": (remembering_alphabeta, (player, alpha, beta, depth, self.table)),
            "minimax": (minimax, (player, depth)),
            "expectiminimax": (expectiminimax, (player, depth)),
            "negamax": (negamax, (depth,)),
            "sampled": (sampled, (player, depth, self.tools.width, int(stream(self.tools.seed, self.number) >> 2))),
            "maxn": (shallow_maxn, (CHANCE, -inf, depth)) if self.cuts else (maxn, (depth,)),
            "best-reply": (best_reply, (player, alpha, beta, depth)),
        }
        calls["paranoid"] = calls["expectiminimax" if self.game.has_chance else "alphabeta-table"]
        if self.algorithm in STARS:
            return starred, (player, alpha, beta, depth, ALL, 1, self.memory.desk)
        return calls[self.algorithm]

    def values(self, state: Any, depth: int, chooser: int = CHANCE, sure: float = -inf) -> tuple[float, ...]:
        """What `state` is worth to each player, by max^n; perhaps -inf for all where `chooser` gets `sure` at most."""
        if self.cuts:
            try:
                return tuple(float(value) for value in self._run(shallow_maxn, state, chooser, sure, depth))
            except Uneven:
                self.cuts = False
        return tuple(float(value) for value in self._run(maxn, state, depth))

    def _run(self, kernel: Any, state: Any, *args: Any) -> Any:
        if self.until == inf:
            left = None
        elif (left := self.until - time.monotonic()) <= 0:
            raise LimitReached
        try:
            return native.run(kernel, self.game, state, *args, tally=self.tally, native=self.native, seconds=left)
        except (OutOfBounds, BadOdds, TooDeep) as error:
            raise self._told(error, state, args[0]) if self.algorithm in STARS else error from None

    def _told(self, error: Exception, state: Any, player: int) -> Exception:
        """What a kernel found wrong, as a sentence with the state where it is."""
        if isinstance(error, TooDeep):
            return Unsuitable(f"there is no room for the actions of {self.game.title} so deep: give a smaller depth")
        told = native.call if self.native else _interpreted
        number, where = told(told_item, self.game, state, self.memory.desk)
        plain: Any = type(state)
        place = self.game.describe(plain._make(where) if self.native and isinstance(state, tuple) else where)
        if isinstance(error, BadOdds):
            fault = "of which one is negative" if number == inf else f"that add up to {number:.12g}"
            return GameError(f"{self.game.title}.outcomes gives probabilities in {place} {fault}: let them add up to 1")
        low, high = self.game.utility_bounds
        return GameError(
            f"{self.game.title} gives {place} the value {number:g} to {self.game.player_name(player)}, outside its "
            f"utility_bounds ({low:g}, {high:g}), which {self.algorithm} relies on: widen them, or use expectiminimax"
        )


def _interpreted(kernel: Any, *args: Any) -> Any:
    return kernel(*args)
