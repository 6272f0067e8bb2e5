"""Closing in on an exact value with null windows, all of them in one call of a kernel, in both worlds."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.engine.kernel import node
from zermelo.native.memory import next_up

STEPS = 40
"""How many null windows are tried before a whole one."""


def close_in(game: Any, state: Any, low: float, high: float, depth: int, ply: int, work: Any) -> float:
    """The value of a state, which is from `low` to `high`; the line of the work begins with an action that keeps it.

    The range is halved, nearer to 0 first, with what each null window tells.
    """
    mark, found = 0, False
    for _ in range(STEPS):
        if low >= high or low == -inf or high == inf:
            break
        test = between(low, high)
        value = node(game, state, test, next_up(test), depth, ply, work)
        if value > test:
            low, mark, found = value, work.line[0], True
        else:
            high = value
    if low < high or not found:
        return node(game, state, -next_up(-low), high, depth, ply, work)
    work.line[0] = mark
    work.line_length[0] = 1
    return low


def between(low: float, high: float) -> float:
    """A number from low to below high: the middle, or half of a bound if that is nearer to 0; whole if that fits."""
    middle = (low + high) / 2
    if middle <= 0 and low / 2 < middle:
        middle = low / 2
    elif middle >= 0 and high / 2 > middle:
        middle = high / 2
    whole = float(int(middle))
    return whole if low <= whole < high else middle
