"""Sweeps: bounds on the values of all states of a graph, drawn together from both sides."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.native import limit_now
from zermelo.search.reach import AVERAGES, ENDS, MAXIMISES, MINIMISES, TIES

STILL = 1e-16
"""A sweep that moves no bound by more than this, for each unit between the utility bounds, is the last one."""

LITTLE = 100
"""How many times the width asked for is little: what is farther apart may not matter to all that lead to it."""


def settle(
    game: Any,
    starts: Any,
    targets: Any,
    odds: Any,
    kinds: Any,
    ends: Any,
    components: int,
    ties: Any,
    low: Any,
    high: Any,
    choice: Any,
    width: float,
    count: Any,
) -> int:
    """How many sweeps it took to bring `low` and `high`, bounds on the values to player 0, together as far as they go.

    Component by component, from the ends of the game backwards: the states of each go up to where `ends` says, and
    lead to none of a later one. The bounds of a state that can't come back follow from those after it. Those of a
    component with cycles are swept in place until they are within `width`, besides what the states that it leads to
    are apart if that is little, or until they stand still.

    `choice` becomes for each state of a player the link that last made sure of more for him. To follow it leads on, not
    round in a circle of states that are all worth the same.

    Where a state that comes back ends the game, `ties` are what that is worth. It must be the same within a component,
    or `count.fault` becomes `TIES` and that is all. There is no chance in such a game.

    Theorem. If `low` and `high` hold the values before, whatever endless play is worth within them, they do after; and
    they only move towards each other. Where coming back ends the game they meet at the value: nobody can be made to
    take less than `low` or more than `high`, the values if endless play is the worst or the best of all for player 0;
    and what is between them each can have by going on for ever.
    """
    begin, most = 0, 0
    still = STILL * (game.utility_bounds[1] - game.utility_bounds[0])
    if still == inf:
        still = STILL
    for component in range(components):
        end = ends[component]
        sweeps, given = 0, gap_beyond(starts, targets, begin, end, low, high)
        enough = width + given if given <= LITTLE * width else width
        while True:
            moved, gap = sweep(starts, targets, odds, kinds, begin, end, low, high, choice)
            if given < 0:
                break
            sweeps += 1
            if limit_now(count) == 0:
                raise LimitReached
            if gap <= enough or moved <= still:
                break
        if given >= 0 and game.ends_by_repetition:
            if not is_one_tie(ties, begin, end):
                count.fault = TIES
                return most
            tie_up(starts, targets, kinds, begin, end, ties[begin], low, high, choice)
        most = max(most, sweeps)
        begin = end
    return most


def sweep(
    starts: Any,
    targets: Any,
    odds: Any,
    kinds: Any,
    begin: int,
    end: int,
    low: Any,
    high: Any,
    choice: Any,
) -> tuple[float, float]:
    """Draw the bounds of a component's states together once: how far one moved at most, and how far apart two are."""
    moved, gap = 0.0, 0.0
    for at in range(begin, end):
        if kinds[at] != ENDS and low[at] < high[at]:
            least, best, link = new_bounds(starts, targets, odds, kinds, low, high, at)
            if (kinds[at] == MAXIMISES and least > low[at]) or (kinds[at] == MINIMISES and best < high[at]):
                choice[at] = link - starts[at]
            if least > low[at]:
                moved, low[at] = max(moved, least - low[at]), least
            if best < high[at]:
                moved, high[at] = max(moved, high[at] - best), best
            gap = max(gap, high[at] - low[at])
    return moved, gap


def gap_beyond(starts: Any, targets: Any, begin: int, end: int, low: Any, high: Any) -> float:
    """How far the bounds of the states that a component leads to are apart at most; -1 if it has no cycle."""
    given, cyclic = 0.0, end > begin + 1
    for link in range(starts[begin], starts[end]):
        target = targets[link]
        if target >= begin:
            cyclic = True
        else:
            given = max(given, high[target] - low[target])
    return given if cyclic else -1.0


def is_one_tie(ties: Any, begin: int, end: int) -> bool:
    """Whether it is worth the same in all states of a component that one comes back."""
    return all(ties[at] == ties[begin] for at in range(begin, end))


def tie_up(
    starts: Any, targets: Any, kinds: Any, begin: int, end: int, tie: float, low: Any, high: Any, choice: Any
) -> None:
    """Give the states of a component their values, where endless play is worth `tie`, and choices that keep them."""
    for at in range(begin, end):
        low[at] = high[at] = min(max(tie, low[at]), high[at])
    for at in range(begin, end):
        for link in range(starts[at], starts[at + 1]):
            better = low[targets[link]] - low[targets[starts[at] + choice[at]]]
            if (better > 0 and kinds[at] == MAXIMISES) or (better < 0 and kinds[at] == MINIMISES):
                choice[at] = link - starts[at]


def new_bounds(
    starts: Any, targets: Any, odds: Any, kinds: Any, low: Any, high: Any, at: int
) -> tuple[float, float, int]:
    """What the bounds of the states that follow say of a state; and for a player's the link that makes sure of most."""
    chosen = starts[at]
    if kinds[at] == AVERAGES:
        least = best = 0.0
        for link in range(starts[at], starts[at + 1]):
            least += odds[link] * low[targets[link]]
            best += odds[link] * high[targets[link]]
    elif kinds[at] == MAXIMISES:
        least = best = -inf
        for link in range(starts[at], starts[at + 1]):
            if low[targets[link]] > least:
                least, chosen = low[targets[link]], link
            best = max(best, high[targets[link]])
    else:
        least = best = inf
        for link in range(starts[at], starts[at + 1]):
            least = min(least, low[targets[link]])
            if high[targets[link]] < best:
                best, chosen = high[targets[link]], link
    return least, best, chosen
