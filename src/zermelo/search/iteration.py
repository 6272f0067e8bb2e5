"""Value iteration: values to a stated precision where states come back, from bounds on both sides of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any
from weakref import WeakKeyDictionary

from zermelo import native
from zermelo.errors import LimitReached, NotNative, Unsolved, Unsuitable
from zermelo.fields import is_hashable
from zermelo.game import CHANCE, Game, overrides
from zermelo.position import Position, recurring
from zermelo.search.graph import Graph, possible
from zermelo.search.reach import ENDS
from zermelo.search.result import Kind, Limits, Line, Result
from zermelo.search.suitability import why_unbounded
from zermelo.search.tally import NO_LIMIT, TRIAL

PRECISION = 1e-9
"""How far a value may be off, for each unit between the utility bounds, to be called exact."""
LONGEST = 40
"""How many moves of the expected line are told."""
_solved: WeakKeyDictionary[Game, Graph] = WeakKeyDictionary()
"""The last graph of each game, which answers for all that is played from its first state on."""
TOO_MANY, FEW = 1e12, 1 << 20
"""Above how many states of a game only so many are looked for, where there is no limit."""
CURE = "a position nearer to the end, or search it with a depth"


def iterate(position: Position, limits: Limits, lines: int = 1, world: str = "auto") -> Result:
    """The value of a position that is no end, and of its best actions, by value iteration.

    Theorem. With one player, or two and a constant sum, the value lies within `precision` of what is told, if `kind`
    is exact; else it is at least what is told, whatever endless play is worth within the utility bounds, and the note
    says what it is at most. Rounding is left out of account: it is far below the usual precision.

    Raises `Unsolved` if the states are too many, or limits are reached before they are all found and settled: each
    state found counts as a node.
    """
    if not is_hashable(position.state):
        raise Unsuitable(
            f"value iteration keeps states in a table, which those of {position.game.title} can't be kept in: make "
            "them of tuples"
        )
    if position.game.state_count > TOO_MANY and limits == Limits():
        limits = Limits(nodes=FEW)
    started = time.monotonic()
    known = _solved.get(position.game)
    if known is not None and not worn(position) and world in ("auto", "native" if known.native else "interpreted"):
        number = known.number_of(position)
        if number is not None:
            return _Answer(position, known, number, lines, started).result()
    seconds = inf if limits.seconds is None else limits.seconds
    most = limits.nodes or NO_LIMIT
    if world == "auto" and not native.why_interpreted(position.game):
        trial = _Iteration(position, lines, started, started + seconds / 4, natively=False)
        try:
            return trial.run(min(TRIAL, most))
        except Unsolved:
            if most <= TRIAL:
                raise
    note = native.why_interpreted(position.game) if world == "auto" else ""
    work = _Iteration(position, lines, started, started + seconds, natively=world != "interpreted" and not note)
    try:
        work.prepare()
    except LimitReached:
        raise work.unsolved() from None
    except NotNative as error:
        if world == "native":
            raise
        note = f"{position.game.title} runs interpreted: {error}"
        work = _Iteration(position, lines, started, started + seconds, natively=False)
    work.note = note
    return work.run(most)


def prepare_closing(game: Game) -> None:
    """Compile value iteration for a game that it serves once few states can follow, so that no clock runs then."""
    if game.repetition and overrides(game, "is_closing"):
        Graph(game, game.initial(), natively=True).prepare()


def worn(position: Position) -> list[int]:
    """Where in a game the states stand that would end it if they came back once more, and may do so.

    Those that occurred less often make no difference: whoever has more than a return is worth can come by it without
    any state that comes again after this, and whoever has as much may let any come. A state from which few can follow
    is followed by no other, and to come back is worth the same in all states that can follow on one another.
    """
    game, state, states = position.game, position.state, position.states
    if not game.repetition:
        return []
    marks = [recurring(game, earlier) for earlier in states]
    often = {mark for mark, times in Counter(marks).items() if times >= game.repetition - 1}
    closing, tie = game.is_closing(state), game.tied(state, 0)
    return [
        place
        for place, mark in enumerate(marks)
        if mark in often
        and not (closing and not game.is_closing(states[place]))
        and game.tied(states[place], 0) == tie
        and not game.is_terminal(states[place])
    ]


def scale(game: Game) -> float:
    """What a precision is a part of: the distance of the utility bounds, where they are finite."""
    lowest, highest = game.utility_bounds
    return float(highest - lowest) if isfinite(highest - lowest) else 1.0


@dataclass(frozen=True, slots=True)
class Interval:
    """What is known of a value, to the player who is asked for."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def precision(self) -> float:
        """How far the value may be from the middle."""
        return (self.high - self.low) / 2


class _Iteration:
    """The work on one position in one world."""

    def __init__(self, position: Position, lines: int, started: float, until: float, *, natively: bool) -> None:
        self.position, self.game, self.lines, self.started = position, position.game, lines, started
        self.worn = worn(position)
        first = position.states[self.worn[0]] if self.worn else position.state
        self.graph = Graph(self.game, first, natively=natively)
        self.graph.until = until
        self.note = ""

    def prepare(self) -> None:
        """Compile what will be called; no clock runs meanwhile."""
        began = time.monotonic()
        self.graph.prepare()
        waited = time.monotonic() - began
        self.started += waited
        self.graph.until += waited

    def run(self, most: int) -> Result:
        """The answer; `Unsolved` where there is none within `most` states and the time."""
        graph = self.graph
        try:
            if not graph.find(most):
                raise Unsolved(f"{self._found()}, and there is no room for more: if play ends at all, give {CURE}")
            graph.sort()
            self._wear()
            graph.settle(PRECISION * scale(self.game))
        except LimitReached:
            raise self.unsolved() from None
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._found()) from None
        if not isfinite(self._answer().known.low):
            why = f"{why_unbounded(self.game)} where states come back"
            raise Unsolved(f"value iteration {why}: declare them, or search with a depth")
        if not self.worn:
            _solved[self.game] = graph
        found = self._answer().result()
        notes = found.note, self.note if graph.count.nodes > TRIAL else ""
        return replace(found, note="; ".join(filter(None, notes)))

    def unsolved(self) -> Unsolved:
        """How far the work came, and what to do."""
        return Unsolved(f"{self._found()} when limits were reached: give more, or {CURE}")

    def _answer(self) -> _Answer:
        number = self.graph.number_of(self.position) if self.worn and self.graph.components else None
        return _Answer(
            self.position, self.graph, self.graph.first if number is None else number, self.lines, self.started
        )

    def _wear(self) -> None:
        """Let the game be over in the states that may not come back once more."""
        if self.worn:
            numbers = self.graph.numbers_along(self.position)
            self.graph.end_at(numbers[place - self.worn[0]] for place in self.worn)

    def _found(self) -> str:
        """How far the work is, as the beginning of a sentence."""
        graph = self.graph
        found = f"value iteration has found {graph.count.nodes:,} states of {self.game.title}"
        if not graph.is_bounded:
            return found
        known = self._answer().known
        return f"{found}, whose value is between {known.low:.6g} and {known.high:.6g} as far as is known"


class _Answer:
    """What a settled graph says of one of its states."""

    def __init__(self, position: Position, graph: Graph, number: int, lines: int, started: float) -> None:
        self.position, self.game, self.graph, self.number = position, position.game, graph, number
        self.lines, self.started = lines, started
        self.player = max(position.to_move, 0)
        self.known = self._known()

    def interval(self, number: int, player: int) -> Interval:
        """What is known of the value of a state to a player."""
        low, high = float(self.graph.low[number]), float(self.graph.high[number])
        if player == 0:
            return Interval(low, high)
        total = self.game.facts.total or 0.0
        return Interval(total - high, total - low)

    def _known(self) -> Interval:
        """What is known of the value of the position, if it may not come back by the actions alone."""
        if not self.graph.is_worn(self.number):
            return self.interval(self.number, self.player)
        after = [self.interval(number, self.player) for number in self.graph.links(self.number)]
        return Interval(max(known.low for known in after), max(known.high for known in after))

    def told(self, known: Interval) -> tuple[float, Kind]:
        """The value, if it is known as well as it should be, else the least that it can be."""
        is_exact = known.precision <= PRECISION * scale(self.game)
        return (known.value, "exact") if is_exact else (known.low, "lower")

    def result(self) -> Result:
        """The whole answer."""
        found: tuple[Line, ...] = ()
        if not self.position.is_chance:
            found = tuple(self._line(action, number) for action, number in self._ranked()[: self.lines])
        action, line = (found[0].action, found[0].actions) if found else (None, ())
        seconds, world = time.monotonic() - self.started, "native" if self.graph.native else "interpreted"
        value, kind = self.told(self.known)
        how = len(line), self.graph.count.nodes, seconds, "value-iteration", world
        note = self._endless(self.known) if kind == "lower" else ""
        precision = max(self.known.precision, 0.0) if kind == "exact" else 0.0
        answer = Result(action, value, kind, line, *how, lines=found, note=note)
        return replace(answer, precision=precision, sweeps=self.graph.sweeps)

    def _ranked(self) -> list[tuple[Any, int]]:
        """The actions with the states they lead to, best first; among equals the one that leads on comes first."""
        pairs = list(zip(possible(self.game, self.position.state), self.graph.links(self.number), strict=True))
        least = [self.interval(number, self.player).low for _, number in pairs]
        chosen, close = int(self.graph.choice[self.number]), PRECISION * scale(self.game)
        if least[chosen] >= max(least) - close:
            least[chosen] = max(least) + close
        return [pairs[place] for place in sorted(range(len(pairs)), key=lambda place: -least[place])]

    def _endless(self, known: Interval) -> str:
        return (
            f"play of {self.game.title} can go on for ever, and the value is from {known.low:.6g} to {known.high:.6g}, "
            "depending on what that is worth"
        )

    def _line(self, action: Any, number: int) -> Line:
        """An action with its value and the play expected after it."""
        actions = (action, *self._after(self.game.result(self.position.state, action), number))
        return Line(action, *self.told(self.interval(number, self.player)), actions)

    def _after(self, state: Any, number: int) -> Iterator[Any]:
        """The play expected from a state, until chance moves or a state comes back."""
        game, seen = self.game, {self.number}
        for _ in range(LONGEST):
            seen.add(number)
            if self.graph.kinds[number] == ENDS or game.to_move(state) == CHANCE:
                return
            chosen = int(self.graph.choice[number])
            action, number = possible(game, state)[chosen], self.graph.links(number)[chosen]
            if number in seen:
                return
            yield action
            state = game.result(state, action)
