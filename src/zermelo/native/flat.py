"""Connect Four's perft as a specialist would write it for Numba, everything in one function: what `zermelo bench
speed` holds the generic kernel with the game's own rules against. No search uses it.
"""

from __future__ import annotations

from typing import Any

import numpy
from numba import njit, uint64

from zermelo.errors import LimitReached
from zermelo.native.functions import OPTIONS

FULL = 0xFDFBF7EFDFBF
"""All 42 cells; each column of six has a spare bit on top."""


def perft_connect_four(depth: int) -> int:
    """How many ways of exactly `depth` moves there are from the empty board of 7 columns and 6 rows."""
    tally = numpy.zeros(1, [("limit", "i8"), ("nodes", "i8")])
    tally["limit"] = 2**62
    return int(_perft_kernel(uint64(0), uint64(0), depth, tally[0]))


@njit(**OPTIONS)
def _perft_kernel(own: Any, taken: Any, depth: Any, tally: Any) -> Any:
    """The same steps as `zermelo.search.perft`, its count of nodes and its limit included."""
    if depth == 0:
        return 1
    last = own ^ taken
    run = last & last >> uint64(1)
    if run & run >> uint64(2):
        return 0
    run = last & last >> uint64(6)
    if run & run >> uint64(12):
        return 0
    run = last & last >> uint64(7)
    if run & run >> uint64(14):
        return 0
    run = last & last >> uint64(8)
    if run & run >> uint64(16):
        return 0
    if taken == uint64(FULL):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    total = 0
    for column in range(7):
        if not taken & uint64(1) << uint64(7 * column + 5):
            total += _perft_kernel(last, taken | taken + (uint64(1) << uint64(7 * column)), depth - 1, tally)
    return total
