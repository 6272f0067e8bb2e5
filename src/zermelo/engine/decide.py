"""Choosing an action: by the engine where the game is one for it, else by the textbook's algorithms."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

from zermelo import native
from zermelo.engine.deepening import Deepening, Listener
from zermelo.engine.machine import Machine
from zermelo.engine.narrow import Narrow, NarrowMachine
from zermelo.engine.opponent import LINES, Opponent
from zermelo.engine.options import Options
from zermelo.engine.simulating import Simulating
from zermelo.engine.table import Table
from zermelo.engine.thought import Thought
from zermelo.errors import NotNative, Unsolved, Unsuitable
from zermelo.game import Game
from zermelo.montecarlo.options import TreeOptions
from zermelo.position import Position
from zermelo.recast import has_teams
from zermelo.search import decide as textbook
from zermelo.search.decide import ITERATION_SHARE
from zermelo.search.iteration import iterate
from zermelo.search.result import Limits, Result
from zermelo.search.sides import decide_by_teams
from zermelo.search.suitability import (
    ENGINE,
    ITERATION,
    MONTE_CARLO,
    STARS,
    has_keys,
    is_closing,
    suits,
    usual_algorithm,
)
from zermelo.search.tally import ENGINE_TRIAL


def best(game: Game | Position, **limits: Any) -> Result:
    """The best action of a game or position: `decide` with its keywords as limits.

    >>> from zermelo.games.nim import Nim
    >>> best(Nim(stones=21)).action
    1
    """
    return decide(game if isinstance(game, Position) else Position(game), **limits)


def decide(
    position: Position,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    algorithm: str | None = None,
    lines: int = 1,
    world: str = "auto",
    listen: Listener | None = None,
    options: Options | None = None,
    tree: TreeOptions | None = None,
    opponent: Opponent | None = None,
) -> Result:
    """The best action in a position, its value, and how sure that is.

    The search deepens until the value is exact or a limit is reached; the textbook's algorithms go to `depth` at
    once. The same limits on depth and nodes give the same answer and the same nodes. `options` are the engine's, `tree`
    those of Monte-Carlo search, whose nodes are simulations; `opponent` says what is believed of the opponent, and
    chooses among actions that are otherwise equal.
    """
    chosen = algorithm or chosen_by(position, options, tree)
    if refusal := suits(chosen, position.game):
        raise Unsuitable(refusal)
    limits = textbook.checked(Limits(depth, nodes, seconds), lines, world)
    how: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds, "lines": lines, "world": world}
    if has_teams(position.game):
        how |= {"algorithm": algorithm and chosen, "options": options, "tree": tree, "opponent": opponent}
        return decide_by_teams(decide, position, listen, **how)
    if chosen in MONTE_CARLO:
        simulated = replace(tree or TreeOptions(), algorithm=chosen)
        return Simulating(position, simulated, limits, lines, world, listen).result()
    if chosen in (*ENGINE, *STARS) and not has_keys(position):
        other = "expectiminimax" if chosen in STARS else "alphabeta"
        raise Unsuitable(
            f"{chosen} keeps states in a table, where those of {position.game.title} can't be told apart: give it a "
            f"key, or use {other}"
        )
    if chosen not in ENGINE:
        asked, switches = algorithm if chosen == ITERATION else chosen, options or Options()
        return textbook.decide(position, **how, algorithm=asked, listen=listen, tools=switches.tools)
    switches = replace(options or Options(), algorithm=chosen)
    return Run(position, switches, limits, lines, world, listen, opponent=opponent, closes=algorithm is None).result()


def chosen_by(position: Position, options: Options | None, tree: TreeOptions | None) -> str:
    """The algorithm where none is named: that of the switches given for it, else what serves the game."""
    if tree is not None and options is None:
        return tree.algorithm
    usual = usual_algorithm(position)
    return options.algorithm if options is not None and usual in ENGINE else usual


class Run(Thought):
    """One search by the engine, in the world that suits: interpreted while that is quick, then native.

    `listen` is told every depth. Where `only` is given, no other actions are looked at. With `closes`, and no limit on
    depth or nodes, it is value iteration that answers where few states can follow.
    """

    def __init__(
        self,
        position: Position,
        options: Options,
        limits: Limits,
        lines: int = 1,
        world: str = "auto",
        listen: Listener | None = None,
        table: Table | None = None,
        opponent: Opponent | None = None,
        finish: Listener | None = None,
        only: tuple[Any, ...] = (),
        closes: bool = False,
    ) -> None:
        super().__init__(finish)
        self.position, self.options, self.limits = Narrow(position, only) if only else position, options, limits
        self.closes = closes and not only
        self.opponent, self.shown = opponent, lines
        self.lines = lines if opponent is None else max(lines, LINES)
        self.world, self.listen, self.table = world, listen, table
        self._machine: Machine | None = None
        self._timer: threading.Timer | None = None
        self._halted = threading.Event()

    def halt(self) -> None:
        self._halted.set()
        if self._machine is not None:
            self._machine.stop()

    @property
    def is_native(self) -> bool:
        return self._machine is not None and self._machine.native

    def think(self) -> Result:
        found = self._closed() or self._search()
        if self.opponent is not None and not self.position.is_terminal:
            found = self.opponent.prefer(self.position, found, self.world, lambda: self._stopped)
        return replace(found, lines=found.lines[: self.shown])

    def _closed(self) -> Result | None:
        """The answer by all states that can follow, where these are few; None where it would take too long, and then
        there is time left for a search."""
        limits, began = self.limits, time.monotonic()
        counted = limits.depth is not None or limits.nodes is not None
        if not self.closes or counted or not is_closing(self.position):
            return None
        most = limits.seconds if limits.enough is None else limits.enough
        share = Limits(seconds=most and most * ITERATION_SHARE)
        try:
            with native.halting(self._halted):
                found = iterate(self.position, share, self.lines, self.world)
        except Unsolved:
            spent, least = time.monotonic() - began, (most or 0.0) * (1 - ITERATION_SHARE)
            self.limits = replace(limits, seconds=limits.seconds and max(limits.seconds - spent, least))
            return None
        if self.listen is not None:
            self.listen(found)
        return found

    def _search(self) -> Result:
        began = time.monotonic()
        if self.world == "interpreted":
            return self._deepen(self._machine_for(False), self.limits, self.listen, 0.0).told
        machine = self._machine_for(True) if self.world == "native" else None
        if machine is not None and self._is_ready(machine, began):
            return self._deepen(machine, self.limits, self.listen, 0.0).told
        heard: list[Result] = []
        trial_nodes = min(ENGINE_TRIAL, self.limits.nodes or ENGINE_TRIAL)
        trial = self._deepen(self._machine_for(False), replace(self.limits, nodes=trial_nodes), heard.append, 0.0)
        out_of_nodes = trial_nodes == self.limits.nodes and trial.told.nodes >= trial_nodes
        if trial.finished or out_of_nodes or self._stopped or self._is_late(time.monotonic() - began):
            for event in heard:
                trial.say_to(self.listen, event)
            return trial.told
        why = native.why_interpreted(self.position.game)
        if not why:
            try:
                machine = self._machine_for(True)
                if not self._is_ready(machine, began):
                    return trial.told
                spent = trial.told.seconds if self.limits.enough is None else time.monotonic() - began
                found = self._deepen(machine, self.limits, self.listen, spent)
                deeper = found.finished or found.told.depth >= trial.told.depth
                return found.told if deeper else replace(trial.told, seconds=found.told.seconds)
            except NotNative as error:
                why = f"{self.position.game.title} runs interpreted: {error}"
        return self._deepen(self._machine_for(False), self.limits, self.listen, trial.told.seconds, why).told

    def _machine_for(self, natively: bool) -> Machine:
        table = self.table if natively else None
        if isinstance(self.position, Narrow):
            return NarrowMachine(self.position, self.options, natively=natively, table=table)
        return Machine(self.position.game, self.options, natively=natively, table=table)

    def _is_ready(self, machine: Machine, began: float) -> bool:
        """Compile the rules; False if the search is stopped before that is done, or late by a game clock."""
        timed = self.limits.enough is not None
        return self.compiled(
            lambda: machine.prepare(self.position.state), lambda: timed and self._is_late(time.monotonic() - began)
        )

    def _is_late(self, spent: float) -> bool:
        return self.limits.seconds is not None and spent >= self.limits.seconds

    def _deepen(
        self, machine: Machine, limits: Limits, listen: Listener | None, spent: float, note: str = ""
    ) -> Deepening:
        """One whole search in one world."""
        with self._lock:
            self._machine = machine
            if self._stopped:
                machine.stop()
        if limits.seconds is not None:
            self._timer = threading.Timer(min(max(limits.seconds - spent, 0.0), threading.TIMEOUT_MAX), machine.stop)
            self._timer.daemon = True
            self._timer.start()
        try:
            deepening = Deepening(self.position, machine, limits, self.lines, listen)
            deepening.run(spent, note)
        finally:
            if self._timer is not None:
                self._timer.cancel()
        return deepening
