"""Random games, with every rule checked in every state they pass through."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from zermelo.check.contract import check_mover, check_moves, check_result, check_terminal, check_utilities
from zermelo.check.report import Counts
from zermelo.check.witness import Broken, Stop, Witness
from zermelo.fields import is_hashable
from zermelo.game import CHANCE, overrides
from zermelo.guard import within

MOST_BROKEN = 20
"""Games that break off at an error before the check gives up playing."""

KEPT_GAMES = 200
"""Games whose moves and last states are kept for later stages."""

MOST_TRIED = 200
"""Actions of one state whose results are checked; a random choice of more."""

LAST = 30
"""States kept from the end of each game."""

SHOWN_UTILITIES = 20

Progress = Callable[[int], None]


@dataclass(slots=True)
class Played:
    """One game of random play. `last` are its last states before the end, earliest first."""

    moves: list[Any]
    last: list[Any]


@dataclass(slots=True)
class Sample:
    """What random play met: all different states in order, the moves of those that are no ends, and the ends.

    States are known by what `identify` gives. The first few, `most_inspected`, have all their results checked.
    """

    initial: Any
    most_inspected: int
    states: dict[Any, Any] = field(default_factory=dict)
    moves: dict[Any, list[Any]] = field(default_factory=dict)
    terminal: dict[Any, None] = field(default_factory=dict)
    games: list[Played] = field(default_factory=list)

    def inspected(self) -> list[tuple[Any, list[Any]]]:
        """The states that were inspected, each with its moves."""
        return [(self.states[identity], moves) for identity, moves in islice(self.moves.items(), self.most_inspected)]

    def ends(self) -> list[Any]:
        """Some of the terminal states."""
        return [self.states[identity] for identity in islice(self.terminal, self.most_inspected)]


@dataclass(slots=True)
class Limits:
    """How long to play: plies in all, plies in one game, and seconds."""

    plies: int
    longest: int
    seconds: float


class Table:
    """Plays random games on one table and keeps count."""

    def __init__(self, witness: Witness, sample: Sample, counts: Counts, limits: Limits, seed: int) -> None:
        self.witness, self.sample, self.counts, self.limits = witness, sample, counts, limits
        self.chance = random.Random(seed)
        self.branching = self.decisions = self.breaks = 0
        self.utilities: dict[tuple[float, ...], None] = {}

    def play(self, progress: Progress) -> None:
        """Play until the plies or the seconds are used up, or the rules have failed too often."""
        until = time.monotonic() + self.limits.seconds
        while self.counts.plies < self.limits.plies and time.monotonic() < until and self.breaks < MOST_BROKEN:
            before = self.counts.plies
            try:
                self.play_game(until)
            except Broken:
                self.breaks += 1
            except Stop:
                self.count_up()
                raise
            progress(self.counts.plies)
            if self.counts.plies == before:
                break  # the first state is terminal, or broken: each further game would be the same
        self.count_up()

    def play_game(self, until: float) -> None:
        """One game from the first state to the end, by the rules or by repetition, to a fault or to a limit."""
        state, game = self.sample.initial, Played([], [])
        passed, marks = Counter[Any](), list[Any]()
        if len(self.sample.games) < KEPT_GAMES:
            self.sample.games.append(game)
        while True:
            identity = identify(state)
            self.check_repetition(state, identity, passed)
            passed[identity] += 1
            self.check_return(state, marks)
            moves = self.visit(state, identity)
            if not moves or 0 < self.witness.game.repetition <= passed[identity]:
                self.count_game(len(game.moves))
                return
            if self.is_over(state, len(game.moves), until):
                self.counts.unfinished_games += 1
                return
            action = self.chance.choice(moves)
            game.moves.append(action)
            game.last = [*game.last[1 - LAST :], state]
            state = check_result(self.witness, state, action, self.sample.initial)
            self.counts.plies += 1

    def visit(self, state: Any, identity: Any) -> list[Any]:
        """What can be done in a state, nothing at an end; all that its methods say is checked where it is new."""
        sample = self.sample
        if identity not in sample.states:
            sample.states[identity] = state
            terminal = check_terminal(self.witness, state)
            mover = check_mover(self.witness, state)
            if terminal:
                self.visit_end(state, identity, mover)
            else:
                self.visit_new(state, identity, mover)
        if identity in sample.terminal:
            return []
        if identity not in sample.moves:
            raise Broken
        moves = sample.moves[identity]
        self.branching, self.decisions = self.branching + len(moves), self.decisions + 1
        return moves

    def visit_new(self, state: Any, identity: Any, mover: int) -> None:
        """What can be done in a state, and, in the first few, what each action leads to."""
        moves = check_moves(self.witness, state, mover)
        self.count_moves(mover, len(moves))
        if len(self.sample.moves) < self.sample.most_inspected:
            for action in moves if len(moves) <= MOST_TRIED else self.chance.sample(moves, MOST_TRIED):
                check_result(self.witness, state, action, self.sample.initial)
        self.sample.moves[identity] = moves

    def visit_end(self, state: Any, identity: Any, mover: int) -> None:
        """What an end is worth; its actions, where it has any, don't matter."""
        if mover == CHANCE:
            cure = "name a player where the game is over, no matter which"
            self.witness.note("to_move", "end", "gives CHANCE at an end", cure, state, "warning")
        self.sample.terminal[identity] = None
        self.utilities.setdefault(check_utilities(self.witness, state))
        with suppress(Exception):
            self.counts.ends_with_actions += within(self.witness.patience, "", self.has_actions, state)

    def has_actions(self, state: Any) -> bool:
        """Whether a state has actions, be it an end or not."""
        return any(True for _ in self.witness.game.actions(state))

    def check_repetition(self, state: Any, identity: Any, passed: Counter[Any]) -> None:
        if identity in passed and not self.witness.game.repeats:
            what = f"leads back to a state that was there before, {len(passed)} plies after the start of a game,"
            cure = "set repeats = True, or count the moves in the state"
            self.witness.note("result", "repeats", what, cure, state)
            raise Broken

    def check_return(self, state: Any, marks: list[Any]) -> None:
        """A state that comes back, by what the game knows it by, lies no further back than the game says."""
        game = self.witness.game
        if not (game.remembers and overrides(game, "reversible")):
            return
        mark, back = self.witness.ask("recurrence", state), self.witness.ask("reversible", state)
        earlier = marks[: max(len(marks) - back, 0)]
        if mark in earlier:
            what = f"gives {back}, but the same state was there {len(marks) - earlier.index(mark)} plies ago,"
            self.witness.note("reversible", "back", what, "count all actions since one that can't be undone", state)
            raise Broken
        marks.append(mark)

    def is_over(self, state: Any, plies: int, until: float) -> bool:
        """Whether a game must be given up."""
        if plies >= self.limits.longest:
            what = f"is still false after {plies:,} plies of random play"
            cure = "if the game can go on for ever, end it after so many moves"
            self.witness.note("is_terminal", "long", what, cure, state, "warning")
            return True
        return self.counts.plies >= self.limits.plies or time.monotonic() >= until

    def count_game(self, plies: int) -> None:
        counts = self.counts
        counts.games += 1
        counts.shortest_game = plies if counts.shortest_game is None else min(counts.shortest_game, plies)
        counts.longest_game = plies if counts.longest_game is None else max(counts.longest_game, plies)

    def count_moves(self, mover: int, number: int) -> None:
        counts = self.counts
        counts.chance_states += mover == CHANCE
        counts.most_actions = max(counts.most_actions, number)
        if mover not in counts.players_seen:
            counts.players_seen = sorted([*counts.players_seen, mover])

    def count_up(self) -> None:
        """Fill in what is known only at the end."""
        counts, sample = self.counts, self.sample
        counts.states, counts.inspected_states = len(sample.states), len(sample.inspected())
        counts.terminal_states = len(sample.terminal)
        counts.average_actions = round(self.branching / self.decisions, 2) if self.decisions else 0.0
        worths = sorted(tuple(float(worth) for worth in worths) for worths in self.utilities)
        counts.different_utilities = len(worths)
        counts.utilities = [list(worth) for worth in worths[:SHOWN_UTILITIES]]


def identify(state: Any) -> Any:
    """Something to know a state by in sets: the state itself, or what it looks like where it can't be hashed."""
    return state if is_hashable(state) else repr(state)
