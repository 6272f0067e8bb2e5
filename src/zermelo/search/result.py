"""What a search answers: the action, what it is worth, how sure that is, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["exact", "lower", "upper", "estimate"]
"""exact: the value of the game. lower, upper: a bound on it. estimate: rests on an evaluation."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What simulations say of an action: how many began with it, which share of all that is, which part of them was won
    and drawn by the player to move (None where the game has no winner, or was not played to its end), and the standard
    error of their mean (None where all were made for an earlier position)."""

    visits: int
    share: float
    win: float | None
    draw: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """One action with its value to the player to move, and the play expected after it, itself included.

    `values` holds every player's value where the algorithm gives one, `plies` how far off a sure win or loss is, `odds`
    what simulations say.
    """

    action: Any
    value: float
    kind: Kind
    actions: tuple[Any, ...]
    values: tuple[float, ...] = ()
    plies: int | None = None
    odds: Odds | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops; None is no limit of that kind.

    `enough` is what it should take on average: one that goes deeper and deeper may take more, up to `seconds`, to
    finish a depth, and begins none that it would hardly finish.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    enough: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a search. `value` is seen by the player to move, at a chance turn by player 0.

    `action` is None where nobody chooses: at the end and at a chance turn. `values` holds every player's
    value where the algorithm gives one. `lines` are the best actions, best first, only values that are
    known in full. `note` is a sentence for the user, or empty. `plies` is how far off a sure win or loss is, where
    that is known, and `table` which part of the table is used. By value iteration an exact value is within `precision`
    of the one told, and `sweeps` is how often bounds were improved.
    """

    action: Any
    value: float
    kind: Kind
    line: tuple[Any, ...]
    depth: int
    nodes: int
    seconds: float
    algorithm: str
    world: str
    values: tuple[float, ...] = ()
    lines: tuple[Line, ...] = field(default=())
    note: str = ""
    plies: int | None = None
    table: float = 0.0
    rate: float = 0.0
    precision: float = 0.0
    sweeps: int = 0

    @property
    def speed(self) -> float:
        """Nodes per second: `rate` where the search told it, which leaves out a trial in another world."""
        return self.rate or self.nodes / max(self.seconds, 1e-9)
