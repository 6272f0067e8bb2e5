"""Proved values in UCT's tree: ends are certain, and so is what follows from them (MCTS-Solver, score-bounded).

Bounds are on the value to player 0, for games in which a state has one value.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.bits import Bits
from zermelo.game import CHANCE
from zermelo.montecarlo.nodes import CHILDREN, COUNT_BITS, LOWER, NODE, PRIOR, UPPER
from zermelo.native.memory import peek, peek_float, poke_float


def is_settled(memory: Any, place: int) -> bool:
    """Whether a node's value is proved."""
    return peek_float(memory, place + LOWER) == peek_float(memory, place + UPPER)


def prove(depth: int, work: Any) -> None:
    """Carry what is proved of a leaf up the way to it, as far as it proves something."""
    for level in range(depth - 1, -1, -1):
        place = NODE * work.path[level]
        low, high = proved_range(peek(work.memory, place + CHILDREN), work.movers[level + 1], work)
        if low == peek_float(work.memory, place + LOWER) and high == peek_float(work.memory, place + UPPER):
            return
        poke_float(work.memory, place + LOWER, low)
        poke_float(work.memory, place + UPPER, high)
        if level == 0 and low == high:
            work.proved = 1


def proved_range(packed: Bits, mover: int, work: Any) -> tuple[float, float]:
    """What the children's bounds say of their parent's value to player 0; sums are not rounded beyond its utility."""
    first, count = int(packed >> COUNT_BITS), int(packed & ((1 << COUNT_BITS) - 1))
    low = high = 0.0 if mover == CHANCE else -inf if mover == 0 else inf
    for node in range(first, first + count):
        least, most = peek_float(work.memory, NODE * node + LOWER), peek_float(work.memory, NODE * node + UPPER)
        if mover == CHANCE:
            probability = peek_float(work.memory, NODE * node + PRIOR)
            if probability > 0.0:
                low += probability * least
                high += probability * most
        elif mover == 0:
            low, high = max(low, least), max(high, most)
        else:
            low, high = min(low, least), min(high, most)
    return min(max(low, work.lowest), work.highest), min(max(high, work.lowest), work.highest)
