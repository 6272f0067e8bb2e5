"""How fast works are, side by side in one run, so that a busy machine is unfair to none of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

Work = Callable[[], int]
"""Does something and tells how much of it: nodes, leaves, games."""

SHORTEST = 0.05
"""Seconds that one sample takes at least; a short work is repeated."""


def race(rounds: int, *works: Work) -> tuple[float, ...]:
    """What each work does per second in its best round; in every round each has its turn.

    Whoever calls has run each work once before, so that nothing is compiled or imported on the clock.
    """
    best = [0.0] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            best[number] = max(best[number], _rate(work))
    return tuple(best)


def _rate(work: Work) -> float:
    done, spent, start = 0, 0.0, time.perf_counter()
    while spent < SHORTEST:
        done += work()
        spent = time.perf_counter() - start
    return done / spent


class Run(NamedTuple):
    """What somebody found in some positions, in how many seconds and nodes; None where nodes are not counted."""

    seconds: float
    values: tuple[float, ...]
    nodes: int | None = None
    actions: tuple[Any, ...] = ()


Side = Callable[[], Run]
"""Finds the values of some positions, and holds the watch itself: what it takes to begin is not counted.

In one thread the watch is that of its processor time, since others use the machine as well.
"""


def contend(rounds: int, ours: Side, *theirs: Side) -> tuple[Run, Run]:
    """Our quickest run, and the peer's by the quickest of its ways, in turns."""
    tries = [way() for way in theirs]
    peer = min(tries, key=lambda run: run.seconds)
    way = theirs[tries.index(peer)]
    our = ours()
    for _ in range(rounds - 1):
        peer = min(peer, way(), key=lambda run: run.seconds)
        our = min(our, ours(), key=lambda run: run.seconds)
    return our, peer
