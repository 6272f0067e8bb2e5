"""The switches of Monte-Carlo search, each with its default; `docs/algorithms/monte-carlo.md` says what each does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadInput, GameError
from zermelo.montecarlo.nodes import MOST_MOVES, NEVER, PLAYERS, Growth
from zermelo.search.suitability import MONTE_CARLO, why_no_value
from zermelo.switches import MOST_THREADS, parse_switches, within

if TYPE_CHECKING:
    from zermelo.game import Game

EVENLY = 1e15
"""An exploration that leaves nothing to what was found: the action tried least comes next."""

COMMON = {"exploration": 1.4, "urgency": inf, "bias": 0.0, "rave": 0.0, "prior": 10.0, "expand": 1}
"""Switches that a game may set otherwise (`tree_switches`), and what they are where it doesn't."""

TREE_ALONE = (*COMMON, "proofs")
"""Switches of the tree, which `flat` does not grow."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How simulations are made; a switch that is None is what the game says, else the common one.

    `exploration` and `urgency` are in standard deviations of the simulations' values. `expand` is after how many visits
    a leaf gets children, `prior` how many visits the game's first estimate of an action counts. `rollout` is after how
    many moves the evaluation is asked; None is at the end of the game. `reply` and `plausible` are whether roll-outs
    go by these methods of the game. `memory` is in MiB. `leaves` and `each` are for a GPU: how many leaves are played
    out at once, and how often.
    """

    algorithm: str = "uct"
    exploration: float | None = None
    urgency: float | None = None
    bias: float | None = None
    rave: float | None = None
    prior: float | None = None
    expand: int | None = None
    rollout: int | None = None
    reply: bool = True
    plausible: bool = True
    proofs: bool = True
    reuse: bool = True
    memory: float = 1024.0
    threads: int = 1
    seed: int = 0
    device: str = "cpu"
    leaves: int = 256
    each: int = 64

    def __post_init__(self) -> None:
        if self.algorithm not in MONTE_CARLO:
            raise BadInput(f"there is no Monte-Carlo search {self.algorithm!r}: use one of {', '.join(MONTE_CARLO)}")
        for name in ("exploration", "bias", "rave", "prior"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value >= 0):
                raise BadInput(f"{name} must be 0 or more, not {value:g}")
        if self.urgency is not None and (self.urgency != self.urgency or self.urgency == -inf):
            raise BadInput(f"urgency must be a number or inf, not {self.urgency:g}")
        if self.expand is not None:
            within("expand", self.expand, 1, NEVER)
        within("threads", self.threads, 1, MOST_THREADS)
        within("memory", self.memory, 0.01, 2**30)
        within("leaves", self.leaves, 1, 2**20)
        within("each", self.each, 1, 2**20)
        if self.rollout is not None:
            within("rollout", self.rollout, 0, NEVER)
        if self.device not in ("cpu", "cuda"):
            raise BadInput(f"there is no device {self.device!r}: use cpu or cuda")
        self._refuse_unused()

    def _refuse_unused(self) -> None:
        """Switches that would change nothing are refused."""
        changed = [each.name for each in fields(self) if getattr(self, each.name) != each.default]
        for name in changed:
            if self.algorithm == "flat" and name in TREE_ALONE:
                raise BadInput(f"{name} is a switch of uct: flat has no tree, leave it out")
            if self.device == "cuda" and name in ("rave", "threads"):
                raise BadInput(
                    f"{name} is not for device=cuda, where leaves are played out apart: leave one of them out"
                )

    @classmethod
    def parse(cls, settings: Iterable[str], **given: Any) -> TreeOptions:
        """Options from texts such as `rave=300` and `proofs=no`, besides those given as values."""
        settings = list(settings)
        if any(setting.partition("=")[0].strip() == "algorithm" for setting in settings):
            raise BadInput("algorithm is not a switch of Monte-Carlo search: choose it with --algorithm")
        return parse_switches(cls, "Monte-Carlo search", settings, **given)

    def switches(self, game: Game) -> dict[str, float]:
        """The switches that a game may set, as they are for this one."""
        if unknown := set(game.tree_switches) - set(COMMON):
            names = ", ".join(COMMON)
            raise GameError(f"{game.title}.tree_switches has {min(unknown)!r}, which a game can't set: use {names}")
        usual = COMMON | dict(game.tree_switches)
        if self.device == "cuda":
            usual["rave"] = COMMON["rave"]
        if self.algorithm == "flat":
            usual = COMMON | {"exploration": EVENLY, "expand": NEVER}
        if not game.has_prior:
            usual["prior"] = 0.0
            if self.prior:
                raise BadInput(
                    f"prior is for games with a method of that name, which {game.title} has not: leave it out"
                )
        given = {name: getattr(self, name) for name in COMMON}
        return {name: type(COMMON[name])(usual[name] if value is None else value) for name, value in given.items()}

    def growth(self, game: Game) -> Growth:
        """What a thread works with, for a game."""
        if game.players > PLAYERS:
            raise BadInput(f"{self.algorithm} is for at most {PLAYERS} players, {game.title} has {game.players}")
        low, high = (float(bound) for bound in game.utility_bounds)
        unit = (high - low) / 2 if isfinite(high - low) and high > low else 1.0
        flat = self.algorithm == "flat"
        total = game.facts.total or 0.0
        proofs = self.proofs and not flat and not why_no_value(game)
        return Growth(
            **self.switches(game),  # type: ignore[arg-type]
            seed=self.seed % 2**62,
            threads=self.threads,
            plies=MOST_MOVES if self.rollout is None else min(self.rollout, MOST_MOVES),
            plausible=int(self.plausible),
            reply=int(self.reply),
            proofs=int(proofs),
            settles=int(proofs or game.no_return),
            shares=game.players if why_no_value(game) else 0,
            unit=unit,
            spread=unit,
            total=total,
            middle=total / game.players,
            lowest=low,
            highest=high,
            penalty=low if isfinite(low) else -1.0,
        )
