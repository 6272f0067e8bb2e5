"""What a measurement tells: a figure with its unit, and the target that it meets or misses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

Progress = Callable[[str], None]
"""Is told what is being measured."""


class Target(NamedTuple):
    """What a figure should be: at least (≥) or at most (≤) so much."""

    sign: str
    bar: float

    def is_met(self, figure: float) -> bool:
        """Whether a figure is good enough."""
        return figure >= self.bar if self.sign == "≥" else figure <= self.bar

    def __str__(self) -> str:
        return f"{self.sign} {self.bar:g}"


def at_least(bar: float) -> Target:
    return Target("≥", bar)


def at_most(bar: float) -> Target:
    return Target("≤", bar)


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement. `target` is empty, and `met` None, where there is only something to know."""

    name: str
    measured: float
    unit: str
    target: str = ""
    met: bool | None = None


def row(name: str, measured: float, unit: str, target: Target | None = None) -> Row:
    """A measurement held against its target."""
    return Row(name, measured, unit, *((str(target), target.is_met(measured)) if target else ()))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same work by a peer and by Zermelo, each as a figure of one `unit`; `ratio` is Zermelo's over the peer's.

    Figures are None where there is no comparison, and `note` says why. `part` is which part of the work this is,
    where there are several; nodes are those of the whole work, None where they are not counted.
    """

    work: str
    peer: str
    unit: str
    part: str = ""
    version: str = ""
    peer_measured: float | None = None
    zermelo_measured: float | None = None
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
    peer_nodes: int | None = None
    zermelo_nodes: int | None = None
    note: str = ""

    def with_figures(self, peer: float, zermelo: float, target: Target | None = None) -> Comparison:
        """The comparison with what was measured, held against its target."""
        ratio = zermelo / peer
        met = None if target is None else target.is_met(ratio)
        return replace(self, peer_measured=peer, zermelo_measured=zermelo, ratio=ratio, met=met)
