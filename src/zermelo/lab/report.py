"""What an experiment has to say: a claim, a table of figures, and whether the claim holds in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

Cell = str | float
Teller = Callable[[str], None]
"""Is told what is being done."""


@dataclass(frozen=True, slots=True)
class Report:
    """One table; `holds` says whether the claim is borne out by it."""

    name: str
    claim: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    finding: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Experiment:
    """A lecture's claims to be run: its name, what it is about, what runs it, given a number of games and a seed."""

    name: str
    about: str
    run: Callable[[int, int, Teller], Iterator[Report]]


@dataclass(frozen=True, slots=True)
class Mean:
    """An average, and its standard error, 0 for a single value."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of one value or more."""
        return cls(mean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0)

    def __str__(self) -> str:
        return f"{self.value:.0f} ± {self.error:.0f}"

    def is_above(self, other: Mean) -> bool:
        """Whether this is larger by more than two standard errors of the difference."""
        return self.value - other.value > 2 * sqrt(self.error**2 + other.error**2)
