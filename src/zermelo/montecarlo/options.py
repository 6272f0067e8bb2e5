"""The switches of Monte-Carlo search, each with its default; `docs/algorithms/monte-carlo.md` says what each does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadInput
from zermelo.montecarlo.nodes import MOST_MOVES, NEVER, PLAYERS, Growth
from zermelo.search.suitability import MONTE_CARLO, why_no_value
from zermelo.switches import MOST_THREADS, parse_switches, within

if TYPE_CHECKING:
    from zermelo.game import Game

EVENLY = 1e15
"""An exploration that leaves nothing to what was found: the action tried least comes next."""

TREE_ALONE = ("exploration", "urgency", "bias", "rave", "expand", "proofs")
"""Switches of the tree, which `flat` does not grow."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How simulations are made.

    `exploration` and `urgency` are in standard deviations of the simulations' values. `expand` is after how many visits
    a leaf gets children. `rollout` is after how many random moves the evaluation is asked; None is at the end of the
    game. `memory` is in MiB. `leaves` and `each` are for a GPU: how many leaves are simulated at once, and how often.
    """

    algorithm: str = "uct"
    exploration: float = 1.4
    urgency: float = inf
    bias: float = 0.0
    rave: float = 0.0
    expand: int = 1
    rollout: int | None = None
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
        for name in ("exploration", "bias", "rave"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise BadInput(f"{name} must be 0 or more, not {value:g}")
        if self.urgency != self.urgency or self.urgency == -inf:
            raise BadInput(f"urgency must be a number or inf, not {self.urgency:g}")
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

    def growth(self, game: Game) -> Growth:
        """What a thread works with, for a game."""
        if game.players > PLAYERS:
            raise BadInput(f"{self.algorithm} is for at most {PLAYERS} players, {game.title} has {game.players}")
        low, high = (float(bound) for bound in game.utility_bounds)
        unit = (high - low) / 2 if isfinite(high - low) and high > low else 1.0
        flat = self.algorithm == "flat"
        total = game.facts.total or 0.0
        return Growth(
            seed=self.seed % 2**62,
            threads=self.threads,
            expand=NEVER if flat else self.expand,
            plies=MOST_MOVES if self.rollout is None else min(self.rollout, MOST_MOVES),
            plausible=int(self.plausible),
            proofs=int(self.proofs and not flat and not why_no_value(game)),
            shares=game.players if why_no_value(game) else 0,
            exploration=EVENLY if flat else self.exploration,
            urgency=self.urgency,
            bias=self.bias,
            rave=self.rave,
            unit=unit,
            spread=unit,
            total=total,
            middle=total / game.players,
            lowest=low,
            highest=high,
            penalty=low if isfinite(low) else -1.0,
        )
