"""Iterative deepening: search one ply deeper again and again, and have an answer at every moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from math import inf, isclose
from typing import TYPE_CHECKING, Any

from zermelo.engine.clock import ENOUGH
from zermelo.engine.kernel import inner_range
from zermelo.engine.work import SURE, WON
from zermelo.errors import LimitReached, Unsuitable
from zermelo.native.memory import next_up
from zermelo.position import is_drawn
from zermelo.search.result import Kind, Limits, Line, Result
from zermelo.search.tally import DEEPEST, ENGINE_TRIAL, NO_LIMIT

if TYPE_CHECKING:
    from zermelo.engine.machine import Machine
    from zermelo.position import Position

Listener = Callable[[Result], None]

LINE_NODES = 500_000
"""Nodes that completing the expected lines may cost on top of the search."""
LATE = 0.02
"""The part of the time for a move that may be used besides, once it is over: to complete lines, or to find another
action where the best one turned out to lose."""
STEPS = 24
"""How many null-window steps MTD(f) takes before it gives up guessing."""


class Deepening:
    """One search from one position. `finished` says that it ended by itself: proved, or at the depth asked for."""

    def __init__(
        self, position: Position, machine: Machine, limits: Limits, lines: int, listen: Listener | None = None
    ) -> None:
        self.position, self.game, self.machine = position, position.game, machine
        self.limits, self.listen = limits, listen
        wanted = max(lines, 2) if machine.options.secondary else lines
        self.lines = min(wanted, len(position.moves)) if not position.is_terminal else 0
        self.shown = lines
        self.finished, self.started = False, time.monotonic()
        self.mover = 0 if position.is_terminal else position.to_move

    def run(self, spent: float = 0.0, note: str = "") -> Result:
        """Search until finished or out of limits; `spent` are seconds used before, on the same limits."""
        self.began = time.monotonic()
        self.note, self.started = note, self.began - spent
        if self.position.is_terminal:
            self.finished = True
            self.told = self._at_end()
            return self.told
        self.machine.begin(self.position.states, self._node_limit())
        result = self._first_guess()
        depths = range(1, DEEPEST + 1) if self.limits.depth is None else self._up_to(self.limits.depth)
        try:
            for depth in depths:
                result = self._search_depth(depth, result)
                self.say(result)
                if depth == self.limits.depth or self._settled:
                    self.finished = True
                    break
                if self.limits.enough is not None and time.monotonic() - self.started >= ENOUGH * self.limits.enough:
                    self.finished = True
                    break
            else:
                raise Unsuitable(f"{self.game.title} goes on for more than {DEEPEST:,} moves: give a depth")
        except LimitReached:
            result = self._cut_short(result)
        self.told = self._told(result)
        return self.told

    def _node_limit(self) -> int:
        return max(self.limits.nodes // self.machine.threads, 1) if self.limits.nodes else NO_LIMIT

    def _up_to(self, depth: int) -> range:
        return range(1, depth + 1)

    def say(self, result: Result) -> None:
        """Tell the listener, if there is one."""
        self.say_to(self.listen, result)

    @staticmethod
    def say_to(listen: Listener | None, result: Result) -> None:
        """Tell a listener, if there is one."""
        if listen is not None:
            listen(result)

    # One depth.

    def _search_depth(self, depth: int, before: Result) -> Result:
        """The best few actions to one depth, each searched first where it was the best before."""
        found: list[Line] = []
        self._settled = True
        for number in range(self.lines):
            known = before.lines[number] if before.depth > 0 and number < len(before.lines) else None
            self.machine.suggest(known and known.action)
            found.append(self._next_line(depth, found, self.inside(known) if known else 0.0))
        self.machine.exclude([])
        first, best = found[0], max(found, key=self.inside)
        is_proved = first.kind == "exact" or self._is_won(best)
        found.sort(key=lambda line: -self.inside(line))
        result = self._result(depth, tuple(found))
        return result if is_proved else replace(result, kind="estimate")

    def _next_line(self, depth: int, found: list[Line], guess: float) -> Line:
        """The line of the best action that is not among those found."""
        machine, taken = self.machine, [line.action for line in found]
        machine.exclude(taken)
        horizon, guesses = machine.horizon, machine.guesses
        machine.forget_line()
        value = self._value(depth, guess)
        actions = machine.line(self.position.state)
        if not actions:
            actions = (next(action for action in self.position.moves if action not in taken),)
        complete = machine.horizon == horizon
        line = self.line_of(value, actions, complete and machine.guesses == guesses)
        self._settled = self._settled and (complete or (line.kind == "exact" and not self._is_shortened(line, depth)))
        return line

    def _is_shortened(self, line: Line, depth: int) -> bool:
        """Whether a deeper search may find a sooner end than that of a proved line: a selective one leaves out some."""
        return self.machine.selective and line.plies is not None and line.plies > depth

    def _value(self, depth: int, guess: float) -> float:
        state, machine = self.position.state, self.machine
        if machine.selective:
            return self._near(depth, guess)
        if machine.options.algorithm != "mtdf":
            return machine.value(state, -inf, inf, depth)
        low, high = -inf, inf
        for _ in range(STEPS):
            beta = next_up(low) if guess <= low else guess
            guess = machine.value(state, -next_up(-beta), beta, depth)
            if guess < beta:
                high = guess
            else:
                low = guess
            if low >= high:
                break
        return machine.value(state, -inf, inf, depth) if low < high or not machine.line(state) else low

    def _near(self, depth: int, guess: float) -> float:
        """The value by a window around a guess, which grows to whichever side the value is beyond it."""
        state, machine, width = self.position.state, self.machine, float(self.game.margin) / 3
        low, high = (guess - width, guess + width) if depth >= 5 and abs(guess) < SURE else (-inf, inf)
        while True:
            value = machine.value(state, low, high, depth)
            width *= 2
            if value <= low > -inf:
                low = value - width if width < 16 * self.game.margin else -inf
            elif value >= high < inf:
                high = value + width if width < 16 * self.game.margin else inf
            else:
                return value

    # What a value means.

    def line_of(self, value: float, actions: tuple[Any, ...], proved: bool) -> Line:
        """A line from the kernel's value, which is the mover's, with sure wins and losses by their length."""
        work_high, work_low = self.machine.top_for(self.mover), -self.machine.top_for(1 - self.mover)
        if self.machine.distance and abs(value) >= SURE:
            plies = int(WON - abs(value))
            known = plies if abs(value) > SURE and plies < WON - SURE else None
            seen = work_high if value > 0 else work_low
            return Line(actions[0], self._outside(seen), "exact", actions, plies=known)
        sure = value >= work_high or value <= work_low
        kind: Kind = "exact" if proved or sure else "estimate"
        shown = self._outside(value)
        return Line(actions[0], shown if kind == "exact" else float(f"{shown:.7g}"), kind, actions)

    def _outside(self, value: float) -> float:
        """A value as the mover counts it: where the sum is constant but not 0, the kernel has player 0's, turned."""
        total = self.game.facts.total or 0.0
        return value + 0.0 if total == 0 or self.mover == 0 else total + value

    def inside(self, line: Line) -> float:
        """The kernel's value of a line."""
        total = self.game.facts.total or 0.0
        value = line.value if total == 0 or self.mover == 0 else line.value - total
        if line.plies is not None:
            best, worst = self.machine.top_for(self.mover), -self.machine.top_for(1 - self.mover)
            return WON - line.plies if best - value < value - worst else line.plies - WON
        return value

    def _is_lost(self, line: Line) -> bool:
        """Whether a line is proved to come to the worst end."""
        worst = -self.machine.top_for(1 - self.mover)
        return line.kind == "exact" and self.inside(line) <= (-SURE if line.plies is not None else worst)

    def _is_won(self, line: Line) -> bool:
        """Whether a line is proved to come to the best end."""
        return line.kind == "exact" and self.inside(line) >= self.machine.top_for(self.mover)

    def _result(self, depth: int, lines: tuple[Line, ...]) -> Result:
        best = lines[0]
        machine = self.machine
        return Result(
            best.action,
            best.value,
            best.kind,
            best.actions,
            depth,
            machine.nodes,
            time.monotonic() - self.started,
            machine.options.algorithm,
            "native" if machine.native else "interpreted",
            lines=lines,
            note=self.note,
            plies=best.plies,
            table=machine.used(),
            rate=self._rate(),
        )

    def _rate(self) -> float:
        return self.machine.nodes / max(time.monotonic() - self.began, 1e-9)

    def _at_end(self) -> Result:
        values = tuple(float(value) for value in self.position.utilities)
        world = "native" if self.machine.native else "interpreted"
        how = 0, 0.0, self.machine.options.algorithm, world
        return Result(None, values[max(self.position.to_move, 0)] + 0.0, "exact", (), 0, *how, values, note=self.note)

    def _first_guess(self) -> Result:
        """What to answer if not even one ply can be searched: the first move, and the evaluation."""
        value = float(self.game.evaluate(self.position.state, self.mover))
        action = self.position.moves[0]
        return self._result(0, (Line(action, value + 0.0, "estimate", (action,)),))

    def _cut_short(self, result: Result) -> Result:
        """The last depth's answer, or a better action that was found since, or another if it turned out to lose."""
        self.machine.exclude([])
        actions = self.machine.line(self.position.state) if self.lines == 1 else ()
        if not actions:
            return result
        line = self.line_of(self.machine.root_value, actions, False)
        if self._is_lost(line):
            if len(self.position.moves) == 1:
                return self._result(result.depth, (line,))
            return self._instead_of(line, result)
        return result if line.action == result.action else self._result(result.depth, (line,))

    def _instead_of(self, lost: Line, result: Result) -> Result:
        """The best of the other actions by a little more searching; if they all lose, the one that loses last."""
        self._allow_more()
        other, deepest = None, 0
        try:
            for depth in range(1, max(result.depth, 1) + 1):
                self.machine.suggest(other and other.action)
                other, deepest = self._next_line(depth, [lost], self.inside(other) if other else 0.0), depth
        except LimitReached:
            pass
        finally:
            self.machine.exclude([])
        if other is None:
            return result
        if self._is_lost(other) and self.inside(lost) > self.inside(other):
            other = lost
        return self._result(deepest, (other,))

    def _allow_more(self) -> None:
        """Let the machine search a little more once the limits are reached, or for what is left of the time."""
        most = LINE_NODES if self.machine.native else ENGINE_TRIAL
        seconds = self.limits.seconds if self.limits.enough is None else self.limits.enough
        if seconds is not None:
            left = max(seconds + self.started - time.monotonic(), LATE * seconds)
            most = int(min(most, left * self._rate() + 1))
        self.machine.resume(most)

    def _told(self, result: Result) -> Result:
        """The result with its lines as far as a little more searching shows them, and the figures of the search."""
        note = self.note
        if self.machine.is_full:
            note = f"the search of {self.game.title} ran out of room for its actions: this is the best until then"
        nodes, seconds, rate = self.machine.nodes, time.monotonic() - self.started, self._rate()
        self._allow_more()
        lines = [replace(line, actions=self._completed(line, result.depth)) for line in result.lines]
        if self.machine.options.secondary and result.kind == "estimate" and len(lines) > 1:
            lines = self._second_look(lines)
        best = lines[0]
        shown = tuple(lines[: self.shown])
        told = replace(result, nodes=nodes, seconds=seconds, note=note, rate=rate, line=best.actions, lines=shown)
        return replace(told, action=best.action, value=best.value, plies=best.plies)

    def _second_look(self, lines: list[Line]) -> list[Line]:
        """The secondary search: from where each line ends, look some plies further, and order the lines by that.

        It proves nothing, since nobody has to follow a line.
        """
        least, most = inner_range(self.game, self.mover, self.machine.works[0])
        found = []
        for line in lines:
            states = self._states(line.actions)
            state = states[-1]
            if line.kind == "estimate" and not self.game.is_terminal(state):
                try:
                    self.machine.stand_at(states)
                    self.machine.forget_line()
                    value = self.machine.value(state, -inf, inf, self.machine.options.secondary)
                    seen = value if self.game.to_move(state) == self.mover else -value
                    actions = *line.actions, *self.machine.line(state)
                    line = self.line_of(min(max(seen, least), most), actions, False)
                except LimitReached:
                    pass
            found.append(line)
        return sorted(found, key=lambda line: -self.inside(line))

    def _states(self, actions: tuple[Any, ...]) -> tuple[Any, ...]:
        """The states of the game so far, and of a line that goes on from there."""
        states = list(self.position.states)
        for action in actions:
            states.append(self.game.result(states[-1], action))
        return tuple(states)

    def _completed(self, line: Line, depth: int) -> tuple[Any, ...]:
        """The expected play to the depth of the search, or to the end if that is proved.

        What the table cut off is searched again, a piece at a time.
        """
        found, states = line.actions, self._states(line.actions)
        try:
            while (line.kind == "exact" or len(found) < depth) and not self._is_over(states):
                piece = self._piece(line, states, len(found), depth)
                if not piece:
                    break
                found += piece
                states = self._states(found)
        except LimitReached:
            pass
        return found

    def _is_over(self, states: tuple[Any, ...]) -> bool:
        return self.game.is_terminal(states[-1]) or is_drawn(self.game, states)

    def _piece(self, line: Line, states: tuple[Any, ...], length: int, depth: int) -> tuple[Any, ...]:
        """How a line of some length goes on; nothing where what was proved is not found again."""
        machine, state = self.machine, states[-1]
        machine.stand_at(states)
        machine.suggest(None)
        for ahead in (max(line.plies or depth, depth) - length, DEEPEST):
            horizon, guesses = machine.horizon, machine.guesses
            machine.forget_line()
            value = machine.value(state, -inf, inf, max(ahead, 1))
            seen = value if self.game.to_move(state) == self.mover else -value
            again = self.line_of(seen, (line.action,), (machine.horizon, machine.guesses) == (horizon, guesses))
            if line.kind == "estimate" or (again.kind == "exact" and isclose(again.value, line.value, abs_tol=1e-9)):
                return machine.line(state)
        return ()
