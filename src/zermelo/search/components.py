"""The parts of a graph within which states come back: its strongly connected components (Tarjan, 1972)."""

from __future__ import annotations

from typing import Any

from zermelo.errors import LimitReached
from zermelo.native import limit_now


def find_components(
    _: Any,
    starts: Any,
    targets: Any,
    order: Any,
    home: Any,
    low: Any,
    path: Any,
    upcoming: Any,
    ends: Any,
    count: Any,
) -> int:
    """How many components can be reached from state 0: `order` lists their states, and those that a component leads to
    come before it. `ends` are where they end in `order`, and `home[n]` is the component of state n.

    Within a component too, what follows on a state comes before it, but where it leads back. `home` is all -1 when this
    begins; `low`, `path` and `upcoming` are room to work in, one number a state. The first
    argument, a game, only says whose native code this is.
    """
    components, listed, waiting, visited, depth, last = 0, 0, 0, 1, 1, len(path) - 1
    path[0], upcoming[0], low[0], home[0] = 0, starts[0], 1, -2
    while depth > 0:
        at = path[depth - 1]
        if upcoming[at] < starts[at + 1]:
            target = targets[upcoming[at]]
            upcoming[at] += 1
            if home[target] == -1:  # a new state: -1 less its place in the order of visits, while it has no component
                if limit_now(count) == 0:
                    raise LimitReached
                visited += 1
                home[target], low[target], upcoming[target] = -1 - visited, visited, starts[target]
                path[depth] = target
                depth += 1
            elif home[target] < -1:
                low[at] = min(low[at], -1 - home[target])
            continue
        depth -= 1
        if depth > 0:
            low[path[depth - 1]] = min(low[path[depth - 1]], low[at])
        path[last - waiting] = at
        waiting += 1
        if low[at] == -1 - home[at]:  # all that wait and were visited after it are its component
            first = waiting
            while first > 0 and home[path[last - first + 1]] <= home[at]:
                first -= 1
            for place in range(first, waiting):
                member = path[last - place]
                order[listed] = member
                home[member] = components
                listed += 1
            waiting = first
            ends[components] = listed
            components += 1
    return components
