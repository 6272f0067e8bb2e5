"""What Zermelo does to be measured, native: each gives a function that does it once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeVar

from zermelo import native
from zermelo.bench.timing import Run, Side, Work
from zermelo.engine.deepening import Deepening
from zermelo.engine.exact import Exact
from zermelo.engine.job import Job
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.game import Game
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.options import TreeOptions
from zermelo.montecarlo.playouts import CPU, playouts
from zermelo.position import Position
from zermelo.search.alphabeta import alphabeta
from zermelo.search.perft import perft
from zermelo.search.result import Limits
from zermelo.search.tally import Tally

T = TypeVar("T")
Clock = Callable[[], float]
"""Seconds: of this thread's work, whatever else the machine does, or of the wall where threads work together."""


def counting(game: Game, depth: int, natively: bool = True) -> Work:
    """Perft from the initial state; its amount is leaves."""
    state = game.initial()
    return lambda: int(native.run(perft, game, state, depth, tally=Tally(), native=natively))


def searching(game: Game, depth: int) -> Work:
    """Alpha-beta without a table from the initial state; its amount is nodes."""
    state = game.initial()
    player = game.to_move(state)

    def work() -> int:
        tally = Tally()
        native.run(alphabeta, game, state, player, -inf, inf, depth, tally=tally, native=True)
        return tally.nodes

    return work


def playing(game: Game, games: int) -> Work:
    """Random playouts from the initial state, in one thread; its amount is games."""
    return lambda: playouts(game, games=games, seed=1, device=CPU).games


def simulating(game: Game, simulations: int, moves: str = "") -> Work:
    """UCT with random roll-outs, the tree begun anew each time; its amount is simulations.

    Nothing is proved and nothing plausible preferred: that would be other work than the peers'.
    """
    position = Position.from_text(game, "", moves)
    grove = Grove(game, TreeOptions(proofs=False, plausible=False, reuse=False), natively=True)
    grove.prepare(position.state)

    def work() -> int:
        grove.stand_at(position)
        grove.simulate(simulations)
        return grove.simulations

    return work


def deciding(
    positions: Sequence[Position], depth: int, options: Options | None = None, clock: Clock = time.thread_time
) -> Side:
    """The engine, deepening to a depth in each position, with a table of its own for each."""

    def side() -> Run:
        seconds, nodes, found = 0.0, 0, []
        for position in positions:
            machine = Machine(position.game, options or Options(), natively=True)
            machine.prepare(position.state)
            deepening = Deepening(position, machine, Limits(depth), 1)
            spent, result = _timed(deepening.run, machine, clock)
            seconds, nodes = seconds + spent, nodes + result.nodes
            found.append(result)
        return Run(seconds, tuple(result.value for result in found), nodes, tuple(result.action for result in found))

    return side


def solving(positions: Sequence[Position], options: Options | None = None, clock: Clock = time.thread_time) -> Side:
    """Exact values, one position after the other with one table, which each run begins empty."""

    def side() -> Run:
        exact = Exact(positions[0].game, options or Options(), natively=True)
        machine = exact.machine
        machine.prepare(positions[0].state)

        def work() -> tuple[list[tuple[float, Any]], int]:
            nodes, found = 0, []
            for position in positions:
                machine.begin(position.states)
                found.append(exact.value(position.state))
                nodes += machine.nodes
            return found, nodes

        seconds, (found, nodes) = _timed(work, machine, clock)
        return Run(seconds, tuple(value for value, _ in found), nodes, tuple(action for _, action in found))

    return side


def _timed(work: Callable[[], T], machine: Machine, clock: Clock) -> tuple[float, T]:
    """How long a work takes in a thread that has room for it, and what it gives."""

    def timed() -> tuple[float, T]:
        start = clock()
        found = work()
        return clock() - start, found

    return Job(timed, machine.stop).result()
