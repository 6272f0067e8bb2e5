"""RAVE: an action is also judged by the simulations in which its player took it later (Gelly and Silver, 2007)."""

from __future__ import annotations

from typing import Any

from zermelo.bits import Bits, signed
from zermelo.game import CHANCE
from zermelo.montecarlo.nodes import AMAF, CHILDREN, COUNT_BITS, MARK, NODE, PLAYED, SEEN_BITS, SUM, TIMES
from zermelo.native.memory import peek, peek_float, poke, poke_float


def note_played(mark: int, mover: int, work: Any) -> None:
    """Remember a move of this simulation."""
    if work.length < PLAYED:
        work.played[work.length] = mark
        work.played_by[work.length] = mover
        work.length += 1


def seat(mark: int) -> int:
    """The place of an action in the table of those seen."""
    return int(Bits(mark) * 0x9E3779B97F4A7C15 >> 64 - SEEN_BITS)


def back_up_rave(values: tuple[float, ...], depth: int, work: Any) -> None:
    """For every node on the way, add the simulation to all its actions that its player took from there on, and before
    anybody else did."""
    later = work.length
    for level in range(depth - 1, -1, -1):
        while later > level:
            later -= 1
            place = seat(work.played[later])
            work.seen[place] = work.played[later]
            work.seen_by[place] = work.played_by[later]
            work.seen_in[place] = work.simulations
        mover = work.movers[level + 1]
        if mover != CHANCE:
            packed = peek(work.memory, NODE * work.path[level] + CHILDREN)
            judge(packed, mover, values[mover], work)


def judge(packed: Bits, mover: int, value: float, work: Any) -> None:
    """Add a simulation to those children of a node whose action was seen in it."""
    first, count = int(packed >> COUNT_BITS), int(packed & ((1 << COUNT_BITS) - 1))
    for node in range(first, first + count):
        at = AMAF * node
        mark = signed(peek(work.amaf, at + MARK))
        place = seat(mark)
        if work.seen_in[place] == work.simulations and work.seen[place] == mark and work.seen_by[place] == mover:
            poke(work.amaf, at + TIMES, peek(work.amaf, at + TIMES) + 1)
            poke_float(work.amaf, at + SUM, peek_float(work.amaf, at + SUM) + value)


def with_rave(value: float, node: int, weight: float, work: Any) -> float:
    """A value that has a weight, with its share of what later moves say; the share falls as the weight grows.

    Were the two as good as each other they would count by their numbers; that later moves mislead is as if there were
    never more than `rave` of them (Gelly and Silver, 2011).
    """
    times = int(peek(work.amaf, AMAF * node + TIMES))
    if times == 0:
        return value
    share: float = times / (times + weight + times * weight / work.rave)
    return (1.0 - share) * value + share * peek_float(work.amaf, AMAF * node + SUM) / times
