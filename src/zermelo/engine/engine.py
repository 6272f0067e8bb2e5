"""The engine as one thing that every face talks to: a position, `go`, `stop`, `ponder`, and events.

Nothing here blocks the caller: `go` and `ponder` return at once, and what is found comes as events and as a result
that can be waited for. All methods may be called from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from zermelo import native
from zermelo.engine.clock import ENOUGH, Clock
from zermelo.engine.decide import Run, chosen_by
from zermelo.engine.opponent import Opponent
from zermelo.engine.options import Options
from zermelo.engine.reading import Reading
from zermelo.engine.simulating import Simulating
from zermelo.engine.table import Table
from zermelo.engine.thought import Thought
from zermelo.errors import BadInput, NotNative, Unsuitable
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.options import TreeOptions
from zermelo.position import Position
from zermelo.recast import Teams, has_teams
from zermelo.search.decide import checked
from zermelo.search.iteration import prepare_closing
from zermelo.search.result import Limits, Line, Result
from zermelo.search.sides import for_players
from zermelo.search.suitability import ENGINE, ITERATION, MONTE_CARLO, has_keys, suits

if TYPE_CHECKING:
    import random

    from zermelo.engine.book import BookLike
    from zermelo.game import Game

LONGEST = 3600.0
"""Seconds that pondering may take."""
EXPECTED, ALL = "expected", "all"
"""What to think about on the opponent's time: the reply expected, or all replies."""


@dataclass(frozen=True, slots=True)
class Deepened:
    """One more depth is searched; `pondering` says that it is on the opponent's time."""

    result: Result
    pondering: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A search is over, or the book had the answer."""

    result: Result


@dataclass(frozen=True, slots=True)
class Pondered:
    """The opponent has replied while the engine was pondering: what was expected, what came."""

    expected: Any
    played: Any

    @property
    def hit(self) -> bool:
        """Whether the reply was the one expected."""
        return bool(self.expected == self.played)


Event = Deepened | Chosen | Pondered
Listener = Callable[[Event], None]


class Thinking(Protocol):
    """A search that is going on, or was; or an answer that needed none."""

    def stop(self) -> None:
        """End it as soon as may be; the result is the best so far."""

    @property
    def is_done(self) -> bool:
        """Whether it is over."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it came."""

    def result(self) -> Result:
        """The answer, once it is there."""


class _Known(Thinking):
    """What the book says."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def stop(self) -> None:
        """It was over before it began."""

    @property
    def is_done(self) -> bool:
        return True

    def wait(self, seconds: float | None = None) -> bool:
        return True

    def result(self) -> Result:
        return self._result


class Engine:
    """An engine for one game, with a table or a tree that it keeps from move to move, and a book if it has one.

    Any algorithm that suits the game runs in it; `options` are for alpha-beta's and Star's, `tree` for Monte-Carlo
    search. With `luck` it takes the book's actions by their weights, else always the best.

    >>> from zermelo.games.nim import Nim
    >>> engine = Engine(Nim(stones=21))
    >>> engine.go(depth=30).result().action
    1
    """

    def __init__(
        self,
        game: Game,
        options: Options | None = None,
        *,
        tree: TreeOptions | None = None,
        book: BookLike | None = None,
        luck: random.Random | None = None,
        world: str = "auto",
    ) -> None:
        self.game, self.options, self.book, self.luck, self.world = game, options or Options(), book, luck, world
        self.tree = tree or TreeOptions()
        self._position = Position(game)
        self._teams = Teams(game) if has_teams(game) else None
        self.algorithm = chosen_by(self._position, options, tree)
        """What searches where `go` is not told."""
        if book is not None and not book.fits(game):
            raise BadInput(f"the book is not for {game!r}: make one for these rules")
        self._table: Table | None = None
        self._listeners: tuple[Listener, ...] = ()
        self._lock = threading.RLock()
        self._grove: Grove | None = None
        self._thinking: Thought | None = None
        self._pondering: tuple[Thought, Any] | None = None
        self._was_native = False
        self._due = inf
        """When a search that was told to hurry begins no new depth."""
        self.ponder_tries = self.ponder_hits = 0

    # The position.

    @property
    def position(self) -> Position:
        """A copy of the position that the engine is at."""
        with self._lock:
            return self._position.copy()

    def set_position(self, position: Position) -> None:
        """Go to a position; whatever was being thought about ends, what was learnt is kept."""
        if position.game is not self.game:
            other = "another copy of it" if repr(position.game) == repr(self.game) else repr(position.game)
            raise BadInput(f"this engine is for {self.game!r}, not for {other}: make the position of engine.game")
        with self._lock:
            self.stop()
            self._position = position.copy()

    def play(self, action: Any) -> None:
        """Take an action on the engine's board: its own, or the opponent's, which ends any pondering."""
        with self._lock:
            self._position.push(action)
            if self._pondering is None or self._pondering[0].is_stopped:
                return
            run, expected = self._pondering
            event = Pondered(expected, action)
            self.ponder_tries += expected is not None
            self.ponder_hits += event.hit
            run.stop()
            run.wait()
            self._was_native = self._was_native or run.is_native
        self._tell(event)

    @property
    def hit_rate(self) -> float:
        """Which part of the replies pondered about were the ones expected; 0 where there were none."""
        return self.ponder_hits / self.ponder_tries if self.ponder_tries else 0.0

    # Thinking.

    def go(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Clock | None = None,
        lines: int = 1,
        algorithm: str | None = None,
        opponent: Opponent | None = None,
        only: Sequence[Any] = (),
        book: bool = True,
    ) -> Thinking:
        """Start to think about the position; returns at once. Whatever was being thought about ends.

        Where `only` is given, no other actions are looked at, and the book is not asked; nor is it without `book`.
        """
        limits = checked(Limits(depth, nodes, seconds), lines, self.world)
        if clock is not None:
            timed = clock.limits(self.position)
            limits = replace(timed, depth=depth, nodes=limits.nodes, seconds=min(timed.seconds or 0.0, seconds or 1e9))
        chosen = algorithm or self.algorithm
        if only and chosen not in ENGINE:
            raise Unsuitable(f"{chosen} looks at all actions: leave out only, or use {ENGINE[0]}")
        asked = algorithm is not None or chosen != ITERATION
        if refusal := suits(chosen, self.game):
            raise Unsuitable(refusal)
        with self._lock:
            self.stop()
            self._due = inf
            known = self._from_book() if book and lines == 1 and not only else None
            if known is None:
                how: dict[str, Any] = {"asked": asked, "only": only, "closes": algorithm is None}
                run = self._thought(self._position.copy(), chosen, limits, lines, opponent, **how)
                self._thinking = run
                run.start()
                return run
        self._tell(Chosen(known))
        return _Known(known)

    def hurry(self, *, seconds: float | None = None, clock: Clock | None = None) -> None:
        """Give the thinking that is going on so long from now, as when the opponent has played what `go` was about."""
        thinking = self._thinking
        if thinking is None or thinking.is_done:
            return
        limits = Limits(seconds=seconds) if clock is None else clock.limits(self.position)
        if limits.enough is not None:
            self._due = time.monotonic() + ENOUGH * limits.enough
        if limits.seconds is not None:
            timer = threading.Timer(min(limits.seconds, threading.TIMEOUT_MAX), thinking.stop)
            timer.daemon = True
            timer.start()

    def prepare(self) -> None:
        """Compile what a search needs, so that no clock runs meanwhile; returns when that is done."""
        if self.world == "interpreted" or native.why_interpreted(self.game):
            return
        with self._lock:
            self.stop()
            before, self._was_native = self._was_native, True
            try:
                self._thought(Position(self.game), self.algorithm, Limits(depth=1), 1, pondering=True).result()
                prepare_closing(self.game)
            except NotNative:
                self._was_native = before

    def _from_book(self) -> Result | None:
        """What the book would play here."""
        entry = self.book.choose(self._position, self.luck) if self.book is not None else None
        if entry is None:
            return None
        value, kind = entry.value or 0.0, entry.kind or "estimate"
        line = Line(entry.action, value, kind, (entry.action,))
        how = entry.depth, 0, 0.0, "book", "interpreted"
        return Result(entry.action, value, kind, line.actions, *how, lines=(line,))

    def ponder(self, line: tuple[Any, ...] = (), about: str = EXPECTED) -> None:
        """Think on the opponent's time, until the next `play`, `go`, `stop` or `set_position`.

        `line` is the play expected from here, the opponent's reply first, as the last result has it. About the
        expected reply, the engine searches the position after it; about all, the position as it is.
        """
        if about not in (EXPECTED, ALL):
            raise BadInput(f"pondering is about {EXPECTED!r} or {ALL!r}, not {about!r}")
        with self._lock:
            self.stop()
            position = self._position.copy()
            if position.is_terminal or (about == EXPECTED and not line):
                return
            expected = line[0] if line else None
            if about == EXPECTED:
                position.push(expected)
                if position.is_terminal:
                    return
            limits = Limits() if self.algorithm in ENGINE else Limits(seconds=LONGEST)
            run = self._thought(position, self.algorithm, limits, 1, pondering=True)
            self._pondering = run, expected
            run.start()

    def stop(self) -> None:
        """End any thinking and pondering; returns when it has ended. `go`'s result is then the best so far.

        It takes no lock, so that a listener may call it as well; and it changes nothing, so that whoever else calls it
        waits as long.
        """
        thinking, pondering = self._thinking, self._pondering
        for run in (thinking, pondering[0] if pondering is not None else None):
            if run is not None:
                run.stop()
                run.wait()

    def _thought(
        self,
        position: Position,
        algorithm: str,
        limits: Limits,
        lines: int,
        opponent: Opponent | None = None,
        *,
        pondering: bool = False,
        asked: bool = True,
        only: Sequence[Any] = (),
        closes: bool = False,
    ) -> Thought:
        """A search by any algorithm, not begun yet; one that nobody asked for may turn to another.

        Teams are searched as sides, and told to all their members.
        """

        def listen(result: Result) -> None:
            self._tell(Deepened(self._for_players(result), pondering))
            if time.monotonic() >= self._due and not pondering:
                found.stop()

        if self._teams is not None:
            position = position.recast(self._teams)
        world = "native" if self.world == "auto" and self._was_native else self.world
        finish = None if pondering else self._finished
        found: Thought
        if algorithm in MONTE_CARLO:
            tree = replace(self.tree, algorithm=algorithm)
            found = Simulating(position, tree, limits, lines, world, listen, self._grove_for(position, tree), finish)
        elif algorithm not in ENGINE:
            found = Reading(position, algorithm if asked else None, self.options, limits, lines, world, listen, finish)
        else:
            options = replace(self.options, algorithm=algorithm)
            if not has_keys(position):
                raise Unsuitable(f"the states of {self.game.title} have no keys, so there can be no table of them")
            if self._table is None and options.table:
                self._table = Table(options.table)
            how = self._table, opponent, finish, tuple(only), closes
            found = Run(position, options, limits, lines, world, listen, *how)
        found.retell = self._for_players
        return found

    def _grove_for(self, position: Position, tree: TreeOptions) -> Grove | None:
        """The tree to go on with, where simulations are native; another one if the switches are others."""
        if self.world == "interpreted":
            return None
        if self._grove is None or self._grove.options != tree:
            self._grove = Grove(position.game, tree, natively=True)
        return self._grove

    def _for_players(self, result: Result) -> Result:
        return result if self._teams is None else for_players(self._teams, result)

    def _finished(self, result: Result) -> None:
        self._was_native = self._was_native or result.world == "native"
        self._tell(Chosen(result))

    # Events.

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have a function called with every event, in the thread where it happens; gives what ends that.

        It should return soon: the search waits for it. Of the engine it may call `stop`.
        """

        def tell(event: Event) -> None:
            listener(event)

        def end() -> None:
            self._listeners = tuple(each for each in self._listeners if each is not tell)

        self._listeners = (*self._listeners, tell)

        return end

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    # The table.

    def forget(self) -> None:
        """Empty the table, and drop the tree."""
        with self._lock:
            self.stop()
            self._grove = None
            if self._table is not None:
                self._table.clear()

    def save_table(self, path: str) -> None:
        """Write the table to a file."""
        with self._lock:
            self.stop()
            self._the_table().save(path, self._mark())

    def load_table(self, path: str) -> None:
        """Read a table that `save_table` wrote for the same game; `BadInput` if it can't be used."""
        with self._lock:
            self.stop()
            self._the_table().load(path, self._mark())

    def _the_table(self) -> Table:
        if self._table is None:
            self._table = Table(self.options.table or 1)
        return self._table

    def _mark(self) -> str:
        """What a table must be for: the game's rules and parameters."""
        from zermelo.native.digest import digest

        return f"{self.game!r} {digest(self.game)}"
