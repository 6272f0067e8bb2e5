"""How many ways to play there are, and how fast each world counts them."""

from __future__ import annotations

import random
import time
from typing import Any

from zermelo import native
from zermelo.check.kernels import playout_kernel
from zermelo.check.report import Report
from zermelo.check.witness import ANY, Witness
from zermelo.check.worlds import Worlds
from zermelo.errors import LimitReached
from zermelo.search.perft import counting
from zermelo.search.tally import Tally

NODES = 5_000
"""Nodes that counting may cost interpreted."""

NATIVE_NODES = 3_000_000
"""Nodes that counting may cost native."""

ENOUGH = 10_000
"""Leaves from which on a speed means something."""

DEEPEST = 12
MOMENT = 0.05
"""Seconds of native play that give a figure."""


def count_leaves(witness: Witness, report: Report, initial: Any) -> None:
    """The ways to play 1, 2, … plies, as far as the nodes last."""
    report.counts.perft, _ = _counts(witness, initial, NODES, False)


def count_leaves_native(witness: Witness, report: Report, initial: Any) -> None:
    """The same as far as native code comes, with its speed; it must count the same."""
    plain = report.counts.perft
    kernel, args = counting(witness.game, [initial], 0, natively=True)
    native.run(kernel, witness.game, *args, tally=Tally(), native=True)  # compiled before any clock runs
    counts, report.speed.native_leaves_per_second = _counts(witness, initial, NATIVE_NODES, True)
    if counts[: len(plain)] != plain[: len(counts)]:
        what = f"leads to {counts[: len(plain)]} leaves by depth native but to {plain} interpreted"
        witness.note("actions", "perft", what, "please report it, with the game")
    report.counts.perft = max(plain, counts, key=len)


def interpreted_speed(witness: Witness, initial: Any) -> float:
    """Interpreted plies a second: random play by the game's own rules."""

    def play() -> float:
        game, chance = witness.game, random.Random(1)
        state, plies, start = initial, 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < MOMENT:
            moves = game.legal(state)
            state = game.result(state, chance.choice(moves)) if moves else initial
            plies += bool(moves)
        return plies / spent

    return float(witness.run(ANY, initial, play))


def native_speed(worlds: Worlds) -> int:
    """Native plies a second, from as many plies as take a moment."""
    before = worlds.playout_from(worlds.initial, 1)
    plies, spent = 1_000, 0.0
    while spent < MOMENT and plies < 10**8:
        plies *= 4
        start = time.perf_counter()
        _, _, _, games = worlds.natively(worlds.initial, playout_kernel, *before, plies)
        spent = time.perf_counter() - start
    return round((plies - int(games)) / spent)


def _counts(witness: Witness, initial: Any, nodes: int, run_native: bool) -> tuple[list[int], float | None]:
    """The leaves by depth, as long as there are any, and the leaves a second where there are most of them."""
    game, tally = witness.game, Tally(limit=nodes)
    found: list[int] = []
    rate = None

    def run(depth: int) -> int:
        kernel, args = counting(game, [initial], depth, run_native)
        return int(native.run(kernel, game, *args, tally=tally, native=run_native, seconds=witness.patience / 2))

    for depth in range(1, DEEPEST + 1):
        start = time.perf_counter()
        try:
            number = witness.run(ANY, initial, run, depth)
        except LimitReached:
            break
        spent = time.perf_counter() - start
        if number == 0:
            break
        rate = round(number / spent) if number > max([ENOUGH, *found]) else rate
        found.append(number)
    return found, rate
