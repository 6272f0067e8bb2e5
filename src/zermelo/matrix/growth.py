"""How strategies multiply: brute force over them against backward induction, on uniform trees of growing height."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import BadInput
from zermelo.games.random_tree import RandomTree
from zermelo.search.minimax import minimax
from zermelo.search.strategies import compare
from zermelo.search.tally import Tally

MOST_PAIRS = 100_000
"""The most pairs of strategies that are played."""

MOST_NODES = 5_000
"""The largest tree that is searched."""


@dataclass(frozen=True)
class Level:
    """A uniform tree: its strategies, what comparing all reduced ones takes, and what backward induction takes.

    `full` and `reduced` are of Max and of Min; `pairs` of reduced ones are compared. `lecture` is b^⌈h/2⌉, the order of
    the number of non-equivalent strategies by the lecture. `comparing` is in seconds, None where there are too many
    pairs; `agree` says whether both ways found the same value.
    """

    height: int
    full: tuple[int, int]
    reduced: tuple[int, int]
    pairs: int
    lecture: int
    nodes: int
    searching: float
    comparing: float | None
    agree: bool | None


def growth(branching: int, most: int = MOST_PAIRS) -> Iterator[Level]:
    """Uniform trees from height 1 on, as long as backward induction is quick; each with random leaves."""
    if not 2 <= branching <= 10:
        raise BadInput(f"the growth of strategies is shown for 2 to 10 actions at a node, not {branching}")
    height = 1
    while (branching ** (height + 1) - 1) // (branching - 1) <= MOST_NODES:
        yield _level(branching, height, most)
        height += 1


def full_counts(branching: int, height: int) -> tuple[int, int]:
    """Full strategies of Max, who moves first, and of Min: a choice at each own node."""
    own = [sum(branching**ply for ply in range(first, height, 2)) for first in (0, 1)]
    return branching ** own[0], branching ** own[1]


def reduced_counts(branching: int, height: int) -> tuple[int, int]:
    """Reduced strategies: of the nodes two plies below a choice, only those below the action chosen are left."""
    mine = sum(branching**turn for turn in range((height + 1) // 2))
    yours = sum(branching ** (turn + 1) for turn in range(height // 2))
    return branching**mine, branching**yours


def _level(branching: int, height: int, most: int) -> Level:
    game = RandomTree(branching=branching, depth=height)
    reduced = reduced_counts(branching, height)
    pairs, tally = reduced[0] * reduced[1], Tally()
    started = time.perf_counter()
    value = minimax(game, game.initial(), 0, height, tally)
    searching = time.perf_counter() - started
    comparing, agree = None, None
    if pairs <= most:
        started = time.perf_counter()
        agree = compare(game, game.initial(), 0, most=most).value == value
        comparing = time.perf_counter() - started
    lecture = branching ** ((height + 1) // 2)
    counts = full_counts(branching, height), reduced
    return Level(height, *counts, pairs, lecture, tally.nodes, searching, comparing, agree)
