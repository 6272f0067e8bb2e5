"""Whole games in one kernel: what is played there, as records of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo import native
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.errors import LimitReached
from zermelo.learn.kernel import play_kernel, read_kernel
from zermelo.native.memory import fresh_words, word_count
from zermelo.search.tally import NO_LIMIT

if TYPE_CHECKING:
    from zermelo.game import Game

TABLE = 1.0
"""MiB of a player's table: it fits the processor's cache, and holds what a quick search finds."""


DEEP = 24
"""Plies a move is looked ahead at most where only nodes limit that: they are counted after each depth, and where little
can happen, as with a king and a pawn against a king, a depth may take a thousand times what the one before it took."""


class Kept(NamedTuple):
    """A quiet position of a game, and what it was found worth to player 0."""

    ply: int
    state: Any
    value: float


class Played(NamedTuple):
    """A game: what it was worth to player 0, how many moves it had, and its quiet positions."""

    utility: float
    plies: int
    kept: tuple[Kept, ...]


class Quick:
    """Plays games of one kind from start to end; to be called with room for deep recursion, as `Job` gives it."""

    def __init__(self, game: Game, longest: int, *, natively: bool) -> None:
        self.game, self.longest, self.native = game, longest, natively
        self._machine = Machine(game, Options(table=TABLE), natively=natively)
        self._work = self._machine.works[0]
        size = longest * (2 + word_count(game.initial()))
        self._memory: Any = fresh_words(size, f"a game of {longest:,} moves") if natively else {}

    def prepare(self) -> None:
        """Compile what is needed."""
        self._kernel(play_kernel, self._arguments(0, 0, 0.0, 1, 1))
        self._kernel(read_kernel, (self._place, 0, self.game.initial()))

    def stop(self) -> None:
        """End the game that is being played."""
        self._work.limit = 0

    def play(self, seed: int, opening: int, luck: float, depth: int | None, nodes: int | None) -> Played:
        """One game, always the same for the same arguments; `LimitReached` if it is stopped."""
        machine, work = self._machine, self._work
        machine.begin((self.game.initial(),))
        if machine.table is not None:
            machine.table.clear()
            machine.table.lend(work, whole=False)
        work.limit = NO_LIMIT
        arguments = self._arguments(seed, opening, luck, depth or DEEP, nodes or NO_LIMIT)
        try:
            count, plies, utility = self._kernel(play_kernel, arguments)(self.game, *arguments)
        except LimitReached:
            raise
        except Exception as error:
            raise native.told(self.game, error) if self.native else error from None
        return Played(float(utility), int(plies), tuple(self._read(place) for place in range(count)))

    @property
    def _place(self) -> Any:
        return self._memory.ctypes.data if self.native else self._memory

    def _arguments(self, seed: int, opening: int, luck: float, depth: int, nodes: int) -> tuple[Any, ...]:
        how = seed, opening, float(luck), self.longest, depth, nodes
        return self.game.initial(), *how, self._place, self._work.record if self.native else self._work

    def _kernel(self, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        return native.prepare(kernel, self.game, *arguments) if self.native else kernel

    def _read(self, place: int) -> Kept:
        initial = self.game.initial()
        given = self._place, place, initial
        value, ply, state = self._kernel(read_kernel, given)(self.game, *given)
        made = type(initial)(*state) if hasattr(initial, "_fields") else state
        return Kept(int(ply), made, float(value))
