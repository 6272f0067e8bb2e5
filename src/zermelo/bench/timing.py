"""How fast works are, side by side in one run, so that a busy machine is unfair to none of them."""

from __future__ import annotations

import time
from collections.abc import Callable

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
