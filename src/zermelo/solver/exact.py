"""Solving: the exact value of a position, from the ends of the game alone."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from zermelo import native
from zermelo.engine.decide import decide
from zermelo.engine.exact import Exact
from zermelo.engine.job import Job
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.errors import LimitReached, NotNative, TooDeep, Unsolved, Unsuitable
from zermelo.fields import is_hashable
from zermelo.game import Game
from zermelo.position import Position
from zermelo.recast import Teams, has_teams
from zermelo.search.decide import TRIAL_SHARE, checked
from zermelo.search.iteration import iterate
from zermelo.search.result import Limits, Line
from zermelo.search.suitability import ITERATION, is_closing, suits, usual_algorithm
from zermelo.search.tally import DEEPEST, ENGINE_TRIAL, MOST_LINES, NO_LIMIT, TRIAL

GAMES, PLIES = 30, 40
"""How many random games are played, and how far, to see whether a state comes back."""


@dataclass(frozen=True, slots=True)
class Solution:
    """An exact value, seen by the player to move, with the exact value of each action asked for, best first.

    By value iteration a value is within `precision` of the one told, and an action that play can go on for ever after
    may be known by a bound alone.
    """

    value: float
    line: tuple[Any, ...]
    actions: tuple[Line, ...]
    values: tuple[float, ...]
    nodes: int
    seconds: float
    algorithm: str
    world: str
    note: str
    precision: float = 0.0
    sweeps: int = 0


def solve(
    game: Game | Position,
    *,
    actions: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    world: str = "auto",
    options: Options | None = None,
) -> Solution:
    """The exact value of a game or position, and with `actions` of every action in it.

    Raises `Unsuitable` where the limits end before the game does, or where it may never end.

    >>> from zermelo.games.nim import Nim
    >>> solve(Nim(stones=20)).value
    -1.0
    """
    position = game if isinstance(game, Position) else Position(game)
    return next(solve_all([position], actions=actions, nodes=nodes, seconds=seconds, world=world, options=options))


def solve_all(
    positions: Iterable[Position],
    *,
    actions: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    world: str = "auto",
    options: Options | None = None,
) -> Iterator[Solution]:
    """The solutions of positions of one game, each as soon as it is found; limits hold for each position."""
    solver: Solver | None = None
    for position in positions:
        solver = solver or Solver(position, nodes=nodes, seconds=seconds, world=world, options=options)
        yield solver.solve(position, actions=actions)


class Solver:
    """Solves positions of one game, interpreted while that is quick, then native, with one table for all.

    `position` is one of them, by which it is seen whether the game can be solved at all: `Unsuitable` if it may never
    end. Limits hold for each position.
    """

    def __init__(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        world: str = "auto",
        options: Options | None = None,
    ) -> None:
        _refuse_endless(position)
        self.teams = Teams(position.game) if has_teams(position.game) else None
        self.game, self.world, self.options = self.teams or position.game, world, options or Options()
        self.limits = checked(Limits(None, nodes, seconds), 1, world)
        self.note = native.why_interpreted(self.game) if world == "auto" else ""
        self.native: Exact | None = None
        self.tried = 0

    def solve(self, position: Position, *, actions: bool = False) -> Solution:
        """The solution of one position; `Unsolved` if limits end before the game does."""
        if self.teams is None:
            return self._solve_sides(position, actions)
        found = self._solve_sides(position.recast(self.teams), actions)
        lines = tuple(replace(line, values=self.teams.to_players(line.values)) for line in found.actions)
        return replace(found, actions=lines, values=self.teams.to_players(found.values))

    def _solve_sides(self, position: Position, actions: bool) -> Solution:
        """The solution for players who each play alone."""
        if _is_iterable(position):
            return _by_iteration(position, actions, self.limits, self.world)
        if position.game.has_chance and not position.is_terminal and _can_iterate(position):
            return _with_chance(position, actions, self.limits, self.world)
        if position.is_terminal or position.game.no_return or usual_algorithm(position) != "pvs":
            return _by_deepening(position, actions, self.limits, self.world)
        limits, started = self.limits, time.monotonic()
        if self.native is None and self.world != "native" and (self.note or self.tried < ENGINE_TRIAL):
            quick = self.world == "auto" and not self.note
            most = min(ENGINE_TRIAL if quick else NO_LIMIT, limits.nodes or NO_LIMIT)
            share = TRIAL_SHARE if quick else 1.0
            exact = Exact(self.game, self.options, natively=False)
            found = self._run(exact, position, actions, most, share, started)
            self.tried += exact.machine.nodes if quick else 0
            if found is not None:
                return found
            if not quick or most == limits.nodes:
                raise self._shortage(exact.machine)
        if self.native is None:
            begun = time.monotonic()
            try:
                self.native = Exact(self.game, self.options, natively=True)
                self.native.machine.prepare(position.state)
                started += time.monotonic() - begun  # no clock runs while the rules are compiled
            except NotNative as error:
                if self.world == "native":
                    raise
                self.native, self.note = None, f"{self.game.title} runs interpreted: {error}"
                return self._solve_sides(position, actions)
        found = self._run(self.native, position, actions, limits.nodes or NO_LIMIT, 1.0, started)
        if found is None:
            raise self._shortage(self.native.machine)
        return found

    def _shortage(self, machine: Machine) -> Unsolved:
        """What there was too little of, and what to do."""
        if machine.is_full:
            return Unsolved(f"{self.game.title} is not solved from here: there is no room for so many actions")
        return Unsolved(_shortage(self.game, machine.nodes))

    def _run(
        self, exact: Exact, position: Position, actions: bool, nodes: int, share: float, started: float
    ) -> Solution | None:
        """The solution, or None where the limit on nodes, or a share of that on time, was reached first."""
        machine = exact.machine
        machine.begin(position.states)
        machine.resume(max(nodes // machine.threads, 1))
        job = Job(lambda: self._solve(exact, position, actions, started), machine.stop)
        seconds = self.limits.seconds
        left = None if seconds is None else seconds * share - (time.monotonic() - started)
        try:
            return job.result(left)
        except LimitReached:
            return None
        except TooDeep:
            raise Unsolved(_too_long(self.game, machine.nodes)) from None

    def _solve(self, exact: Exact, position: Position, actions: bool, started: float) -> Solution:
        game, machine, mover = self.game, exact.machine, position.to_move
        total = game.facts.total or 0.0

        def outside(value: float) -> float:
            return value + 0.0 if total == 0 or mover == 0 else total + value

        found: list[tuple[float, Any]] = []
        if actions:
            found = [(exact.value_after(position.states, action), action) for action in position.moves]
            found.sort(key=lambda pair: -pair[0])
            value, best = found[0]
        else:
            value, best = exact.value(position.state)
        seconds, nodes = time.monotonic() - started, machine.nodes
        states = position.states
        line = exact.line(states, value, best)
        lines = tuple(
            Line(action, outside(worth), "exact", line if action == best else exact.line(states, worth, action))
            for worth, action in found or [(value, best)]
        )
        world = "native" if machine.native else "interpreted"
        return Solution(outside(value), line, lines, (), nodes, seconds, "pvs", world, self.note)


def _by_deepening(position: Position, actions: bool, limits: Limits, world: str) -> Solution:
    """The solution by a search that knows no more at last than the ends of the game.

    An algorithm of the textbook: chance, many players, one player, ends. The engine, where states may not come
    back: games are long then, and their ends are nearer by a few plies at a time than by whole lines.
    """
    lines = max(len(position.moves), 1) if actions and not position.is_chance else 1
    depth = None if position.is_terminal else DEEPEST
    algorithm = "pvs" if position.game.no_return and not position.is_terminal else None
    how = {"nodes": limits.nodes, "seconds": limits.seconds, "lines": lines, "world": world}
    found = decide(position, depth=depth, algorithm=algorithm, **how)  # type: ignore[arg-type]
    if {found.kind, *(line.kind for line in found.lines)} != {"exact"}:
        raise Unsolved(
            _shortage(position.game, found.nodes) if found.depth == 0 else _too_long(position.game, found.nodes)
        )
    told = found.nodes, found.seconds, found.algorithm, found.world, found.note
    return Solution(found.value, found.line, found.lines, found.values, *told)


def _is_iterable(position: Position) -> bool:
    """Whether states come back, so that the values can only be found together."""
    if position.game.repetition:
        return is_closing(position)
    return position.game.repeats and not position.is_terminal and _can_iterate(position)


def _can_iterate(position: Position) -> bool:
    """Whether equal states can be found to be one, and their values together."""
    return not suits(ITERATION, position.game) and is_hashable(position.state)


def _with_chance(position: Position, actions: bool, limits: Limits, world: str) -> Solution:
    """The solution of a game with chance: by the textbook if it is a small one, else with equal states as one."""
    if world == "native":
        return _by_iteration(position, actions, limits, world)
    started, seconds = time.monotonic(), limits.seconds
    few = Limits(nodes=min(TRIAL, limits.nodes or TRIAL), seconds=seconds and seconds * TRIAL_SHARE)
    with suppress(Unsolved):
        return _by_deepening(position, actions, few, "interpreted")
    spent = time.monotonic() - started
    left = replace(limits, seconds=seconds and max(seconds - spent, seconds * (1 - TRIAL_SHARE)))
    found = _by_iteration(position, actions, left, world)
    return replace(found, seconds=found.seconds + spent)


def _by_iteration(position: Position, actions: bool, limits: Limits, world: str) -> Solution:
    """The solution by value iteration; `Unsolved` where play can go on for ever and that matters."""
    found = iterate(position, limits, MOST_LINES if actions else 1, world)
    if found.kind != "exact":
        raise Unsolved(f"{position.game.title} is not solved from here: {found.note}")
    how = found.nodes, found.seconds, found.algorithm, found.world, found.note
    return Solution(found.value, found.line, found.lines, (), *how, found.precision, found.sweeps)


def _refuse_endless(position: Position) -> None:
    """`Unsuitable` where the game says that states come back, or where a little random play shows it."""
    game, state = position.game, position.state
    if position.is_terminal or game.repetition or game.no_return or _is_iterable(position):
        return
    if game.repeats:
        cure = "" if is_hashable(state) else "make them of tuples, which a table can keep, or "
        raise Unsuitable(
            f"states of {game.title} can come back, so play may never end: {cure}search it with a depth instead"
        )
    dice = random.Random(0)
    for _ in range(GAMES if is_hashable(state) else 0):
        returned = _returning(game, state, dice)
        if returned is not None:
            raise Unsuitable(
                f"{game.title} comes back to {game.describe(returned)}, so play may never end: set repeats = True, or "
                "count the moves in the state"
            )


def _returning(game: Game, state: Any, dice: random.Random) -> Any:
    """The first state that comes back in one random game, or None."""
    seen = {state}
    for _ in range(PLIES):
        if game.is_terminal(state):
            break
        state = game.result(state, dice.choice(game.legal(state)))
        if state in seen:
            return state
        seen.add(state)
    return None


def _shortage(game: Game, nodes: int) -> str:
    """What there was too little of, and what to do."""
    return (
        f"{game.title} is not solved from here: limits were reached after {nodes:,} nodes: give more, or a position "
        "nearer to the end"
    )


def _too_long(game: Game, nodes: int) -> str:
    return (
        f"{game.title} is not solved from here: {DEEPEST:,} moves were not enough after {nodes:,} nodes: give a "
        "position nearer to the end, or search it with a depth"
    )
