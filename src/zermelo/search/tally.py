"""What a search counts while it runs, and the limit it obeys.

In native code a tally is one NumPy record of the same fields, passed as a pointer; another thread may
lower its `limit` to stop the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.game import Game

NO_LIMIT = 2**62
"""A node limit no search reaches."""

TRIAL = 5_000
"""Nodes searched interpreted before native code is made: small games never wait for the compiler."""

ENGINE_TRIAL = 2_000
"""The same for the engine, which does more in each node."""

MOST_LINES = 1024
"""How many lines a search tells at most."""

DEEPEST = 10_000
"""How many plies a search without a depth limit goes down before it calls the game endless."""


@dataclass(slots=True)
class Tally:
    """Counts of one search. `horizon` counts states that were evaluated because the depth ran out:
    zero means that every value below the root came from ends of the game. `extreme` counts those among
    them whose evaluation is not strictly inside the utility bounds: zero means that a value at a bound is proved.
    `spare` is the least depth that was left at an end, for searches that note how deep a value goes."""

    limit: int = NO_LIMIT
    nodes: int = 0
    leaves: int = 0
    horizon: int = 0
    extreme: int = 0
    spare: int = 0


def at_horizon(game: Game, state: Any, player: int, tally: Tally) -> float:
    """What a state where the depth ran out seems worth to `player`; counted as a leaf, and as an estimate."""
    tally.leaves += 1
    tally.horizon += 1
    value = float(game.evaluate(state, player))
    lowest, highest = game.utility_bounds
    tally.extreme += (value <= lowest) | (value >= highest)
    return value
