"""The engine's switches, each with its default; `docs/algorithms/engine.md` says what each may get wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits
from zermelo.engine.work import LARGEST, Work
from zermelo.errors import BadInput
from zermelo.fields import hash_fields
from zermelo.game import overrides
from zermelo.native.memory import from_short_bits, short_bits
from zermelo.search.ranges import PROBE
from zermelo.search.sampled import WIDTH
from zermelo.search.suitability import ENGINE
from zermelo.search.tally import DEEPEST
from zermelo.search.values import Tools
from zermelo.switches import MOST_THREADS, parse_switches, within

if TYPE_CHECKING:
    from zermelo.game import Game

NEVER = 1 << 30
"""A depth that no search reaches."""
LEAST_TABLE, USUAL_TABLE = 0.01, 64.0
"""MiB of the smallest table, and of the usual one."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the engine searches.

    `table` is in MiB, 0 for none. `futility` is a margin; None takes the game's `swing`. None of `reductions` takes the
    game's. `beam` is how many actions are looked at in each state, best first; None is all. `selective` is for games
    that say what an action gains. `probe` is star2's: how many actions of each outcome are tried before any is
    searched; `width` and `seed` are those of sampled. `threats` is in nodes, 0 for none. What comes after `deeper` may
    change values.
    """

    algorithm: str = "pvs"
    table: float = USUAL_TABLE
    threads: int = 1
    table_first: bool = True
    plausible_first: bool = True
    evaluation_first: bool = True
    killers: bool = True
    history: bool = True
    counter: bool = True
    symmetry: bool = True
    extension: bool = True
    probe: int = PROBE
    width: int = WIDTH
    seed: int = 0
    deeper: bool = True
    quiescence: int = 16
    bias: float = 0.0
    futility: float | None = None
    null_move: bool = True
    reductions: bool | None = None
    threats: int = 8
    selective: bool = True
    forward: bool = False
    beam: int | None = None
    secondary: int = 0

    def __post_init__(self) -> None:
        if self.algorithm not in ENGINE:
            raise BadInput(f"the engine has no algorithm {self.algorithm!r}: use one of {', '.join(ENGINE)}")
        within("threads", self.threads, 1, MOST_THREADS)
        if not (self.table == 0 or LEAST_TABLE <= self.table < inf):
            raise BadInput(f"table must be 0 (none) or at least {LEAST_TABLE} MiB, not {self.table:g}")
        within("quiescence", self.quiescence, 0, DEEPEST)
        within("threats", self.threats, 0, DEEPEST)
        within("secondary", self.secondary, 0, DEEPEST)
        within("probe", self.probe, 0, NEVER)
        within("width", self.width, 1, NEVER)
        if self.beam is not None:
            within("beam", self.beam, 1, NEVER)
        if self.futility is not None and not 0 <= self.futility < inf:
            raise BadInput(f"futility must be 0 or more, not {self.futility:g}")
        if not isfinite(self.bias):
            raise BadInput(f"bias must be a number, not {self.bias}")

    @classmethod
    def parse(cls, settings: Iterable[str], **given: Any) -> Options:
        """Options from texts such as `killers=no` and `beam=5`, besides those given as values."""
        return parse_switches(cls, "the engine", settings, **given)

    @property
    def tools(self) -> Tools:
        """What the algorithms take that are not alpha-beta's."""
        return Tools(self.table, self.probe, self.width, self.seed % 2**62)

    def work(self, game: Game, *, exact: bool = False, distance: bool = True) -> Work:
        """A work with these switches for a game: with `exact` for exact values alone, with `distance` sooner wins are
        better, so that values tell how far off they are."""
        ordered = self.algorithm == "alphabeta-ordered"
        knows = any(overrides(game, name) for name in ("promise", "evaluate", "features"))
        evaluates = self.evaluation_first and knows
        total = game.facts.total or 0.0
        low, high = game.utility_bounds
        lowest, highest = max(float(low), total - high), min(float(high), total - low)
        futility = self.futility
        if futility is None:
            futility = inf if game.has_noisy and self.quiescence else game.swing
        kept = 6 if exact else 2 if self.threads == 1 else 3  # threads that write less hinder each other less
        work = Work(
            distance=int(distance and not exact and max(-lowest, highest) <= LARGEST),
            table_depth=kept if self.table and not ordered else NEVER,
            symmetry_plies=6 if self.symmetry else -1,
            peek_depth=22 if exact else 10,
            losses=256 if exact else 1,
            deeper=int(self.deeper),
            null_window=int(self.algorithm in ("pvs", "mtdf")),
            order_depth=4 if exact else 1,
            promise_depth=(4 if exact else 2) if evaluates else NEVER,
            table_first=int(self.table_first),
            plausible_first=int(self.plausible_first),
            killers_first=int(self.killers and not ordered and not evaluates),
            history_first=int(self.history and not ordered and not evaluates),
            counter_first=int(self.counter and not ordered and not evaluates),
            quiescence=self.quiescence,
            null_move=2 if self.null_move else 0,
            reductions=int(game.reductions if self.reductions is None else self.reductions),
            extension=int(self.extension),
            forward=int(self.forward),
            beam=NEVER if self.beam is None else self.beam,
            bias=self.bias,
            futility=futility if isfinite(futility) else -1.0,
            lowest=lowest,
            highest=highest,
            floor=short_above(lowest),
            ceiling=-short_above(-highest),
            patience=self.threats if game.has_forcing else 0,
            returns=max(game.repetition - 1, 1),
        )
        work.salt = self._salt(work, self.is_selective(game))
        return work

    def is_selective(self, game: Game) -> bool:
        """Whether a game is searched selectively."""
        return game.has_gain and self.selective and self.algorithm == "pvs" and not self.forward

    def _salt(self, work: Work, selective: bool) -> int:
        """Sets apart in the table what searches with other switches found, where these change values."""
        meaning = (
            *(work.distance, work.deeper, work.quiescence, work.null_move, work.reductions, work.extension),
            *(work.forward, work.beam, work.bias, work.futility),
            *((1,) if selective else ()),
            *((2, work.patience) if work.patience else ()),
        )
        return int(hash_fields(meaning)) >> 1


def short_above(value: float) -> float:
    """The least number above a value that a short float holds."""
    short = from_short_bits(short_bits(value))
    if short > value:
        return short
    word = int(short_bits(short))
    above = 1 if short == 0 else word + 1 if short > 0 else word - 1
    return from_short_bits(Bits(above))
