"""One search machine: the kernel in one world, with its works, its table and its threads."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.engine.entries import AGES, MOVE_BITS
from zermelo.engine.kernel import node
from zermelo.engine.selective import deep
from zermelo.engine.table import Table, masks
from zermelo.engine.work import GUESS, LINE, MOTIFS, PATH
from zermelo.errors import LimitReached
from zermelo.native.memory import SPARE, identity, word_count
from zermelo.native.records import forget, record_of
from zermelo.native.stack import deep_recursion, with_stack
from zermelo.position import recent
from zermelo.search.tally import NO_LIMIT
from zermelo.search.threats import ENTRY

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.game import Game

STACK = 1 << 28
"""Bytes for the children of the states on the line that is being searched; taken only as they are used."""
SHELF = 1 << 17
"""How many states the table of threats keeps."""
SHARED_DEPTH = 4
"""From which depth on threads share out the children of a state, if the table keeps what they find."""


class Machine:
    """Values of states of one game. Not for two searches at once; `stop` may be called from anywhere."""

    def __init__(
        self,
        game: Game,
        options: Options,
        *,
        natively: bool,
        exact: bool = False,
        distance: bool = True,
        table: Table | None = None,
        kernel: Any = None,
    ) -> None:
        self.game, self.options, self.native = game, options, natively
        self.threads = options.threads if natively else 1
        self.table = table
        if natively and table is None:
            self.table = Table(options.table or 0.01)
        self.works: list[Any] = [options.work(game, exact=exact, distance=distance) for _ in range(self.threads)]
        for work in self.works:
            work.shelf_mask = SHELF - 1
        self.limit = NO_LIMIT
        self._age = 0
        self._stopped = False
        self.selective = kernel is None and options.is_selective(game)
        self._source = kernel or (deep if self.selective else node)
        self._kernel: Any = self._source
        self._plain = natively and {type(action) for action in game.legal(game.initial())} == {int}
        if natively:
            self._make_native()
        else:
            self._memory = [{"pairs": work.pairs, "shelf": work.shelf} for work in self.works]
            for work in self.works:
                work.mask, work.largest_mask = masks(options.table)

    def _make_native(self) -> None:
        import numpy

        assert self.table is not None
        self._busy = numpy.zeros(1 << 14, numpy.uint64)
        self._memory = [self._own_memory() for _ in self.works]
        for work in self.works:
            work.sharing = max(SHARED_DEPTH, work.table_depth + 1) if self.threads > 1 else 0
            self.table.lend(work, whole=self.threads > 1)
            work.room = STACK // (8 * (2 + word_count(self.game.initial())))
        shared = {"table": self.table.address, "busy": self._busy.ctypes.data}
        self.works = [
            record_of(work, **shared, **{name: words.ctypes.data for name, words in memory.items()})
            for work, memory in zip(self.works, self._memory, strict=True)
        ]

    def _own_memory(self) -> dict[str, Any]:
        """What one work has for itself besides its numbers, each part only as long as the search needs it."""
        import numpy

        items = STACK // 24 if self.selective else 0
        pairs = 4 * MOTIFS * MOTIFS if self.selective and self.game.has_motif else 0
        shelf = ENTRY * SHELF if self.works[0].patience else 0
        return {
            "stack": numpy.empty(STACK, numpy.uint8),
            "ranks": numpy.empty(items and items + SPARE, numpy.int64),
            "pairs": numpy.zeros(pairs, numpy.int16),
            "shelf": numpy.zeros(shelf, numpy.int64),
        }

    def prepare(self, state: Any) -> None:
        """Compile the kernel, so that no clock runs meanwhile."""
        if self.native:
            self._kernel = native.ready(self._source, self.game, (state, 0.0, 0.0, 0, 0), self._given(self.works[0]))

    def _given(self, work: Any) -> Any:
        """What the kernel is given for a work."""
        return work.record if self.native else work

    @property
    def nodes(self) -> int:
        """How many nodes have been searched, by all threads."""
        return sum(int(work.nodes) for work in self.works)

    @property
    def distance(self) -> bool:
        """Whether sooner wins are preferred, so that values tell how far off a win is."""
        return bool(self.works[0].distance)

    def top_for(self, player: int) -> float:
        """The kernel's value of the best end of all for a player."""
        work = self.works[0]
        return float(work.highest) if player == 0 else -float(work.lowest)

    def end_value(self, state: Any, player: int) -> float:
        """The kernel's value of an end to a player."""
        if self.game.is_zero_sum or player == 0:
            return float(self.game.utility(state, player))
        return -float(self.game.utility(state, 0))

    def stop(self) -> None:
        """End the search that is going on, and any that is begun after it."""
        self._stopped = True
        for work in self.works:
            work.limit = 0

    def resume(self, nodes: int) -> None:
        """Let the machine search on for some nodes, also if it was stopped."""
        self.limit, self._stopped = int(self.works[0].nodes) + nodes, False

    def begin(self, states: tuple[Any, ...], limit: int = NO_LIMIT) -> None:
        """Start a new search, from the last of these states, the others being the game so far."""
        self.limit = limit
        self._grow_older()
        self._remember(states)
        for work in self.works:
            work.nodes = 0
            work.filled = 0
            for name in ("killers", "history", "counters", "bound_tries", "bound_cuts"):
                forget(getattr(work, name))
        for memory in self._memory:
            forget(memory["pairs"])
            forget(memory["shelf"])

    def stand_at(self, states: tuple[Any, ...]) -> None:
        """Go on from the last of these states. Where states may not come back, what the table has is of the past; a
        selective search's values are estimates anyway."""
        if self.game.remembers:
            if not self.selective:
                self._grow_older()
            self._remember(states)

    def _grow_older(self) -> None:
        self._age = ((self.table.age if self.table is not None else self._age) + 1) % AGES
        if self.table is not None:
            self.table.age = self._age
        for work in self.works:
            work.age = self._age
        if self._age == 0 and self.game.remembers:
            self._forget()

    def _forget(self) -> None:
        """Clear the table: its ages begin again, and what has one of them would be taken for new."""
        for work in self.works:
            if self.table is not None:
                self.table.clear()
                self.table.lend(work, whole=self.threads > 1)
            else:
                work.table.clear()

    def _remember(self, states: tuple[Any, ...]) -> None:
        """What was played and would be a draw, or illegal, if it came back, as often as that takes."""
        played = recent(self.game, states) if self.game.remembers else ()
        often = Counter(identity(self.game.recurrence(state)) for state in played)
        enough = int(self.works[0].returns)
        seen = [mark for mark, count in often.items() if count >= enough for _ in range(enough)][-PATH // 2 :]
        for work in self.works:
            work.known = len(seen)
            for index, mark in enumerate(seen):
                work.path[index] = mark

    def value(self, state: Any, alpha: float, beta: float, depth: int, ply: int = 0) -> float:
        """The kernel's value; `LimitReached` when the limit is. To be called with room for deep recursion."""
        for work in self.works:
            work.root_depth, work.null_ply = depth, -1
            work.limit = self.limit
            work.top = work.trail = 0
        if self._stopped:
            raise LimitReached
        if self.threads > 1:
            self._busy.fill(0)
        args = state, alpha, beta, depth, ply
        helpers = [with_stack(partial(self._help, work, args)) for work in self.works[1:] if work.nodes < self.limit]
        try:
            with deep_recursion():
                return float(self._kernel(self.game, *args, self._given(self.works[0])))
        except Exception as error:
            raise native.told(self.game, error) if self.native else error from None
        finally:
            for work in self.works[1:]:
                work.limit = 0
            for helper in helpers:
                helper.join()
            if self.native and self.table is not None:
                self.table.take_back(self.works[0])

    def _help(self, work: Any, args: tuple[Any, ...]) -> None:
        """Search the same as the first thread, for the table; whatever goes wrong there goes wrong here as well."""
        with suppress(Exception):
            self._kernel(self.game, *args, self._given(work))

    def exclude(self, actions: list[Any]) -> None:
        """Leave some actions out at the root from now on."""
        marks = [identity(action) for action in actions]
        for work in self.works:
            work.excluded_count = len(marks)
            for index, mark in enumerate(marks):
                work.excluded[index] = mark

    def suggest(self, action: Any) -> None:
        """The action to try first at the root from now on; None for none."""
        for work in self.works:
            work.root_hint = -1 if action is None else identity(action) & MOVE_BITS

    @property
    def horizon(self) -> int:
        """How often something was decided because the depth was spent, by the thread whose value counts."""
        return int(self.works[0].doubts) % GUESS

    @property
    def guesses(self) -> int:
        """How often something was decided by a guess that more depth would not replace."""
        return int(self.works[0].doubts) // GUESS

    @property
    def root_value(self) -> float:
        """The value of the best action at the root so far, also where a search was cut off."""
        return float(self.works[0].root_value)

    @property
    def is_full(self) -> bool:
        """Whether a search ended because there was no room for the children of its states."""
        return any(work.is_full for work in self.works)

    def line(self, state: Any) -> tuple[Any, ...]:
        """The expected line of the last search, as far as it is known. Where actions are numbers, they are their own
        identities, and need not be looked for."""
        work, found = self.works[0], []
        if self._plain:
            return tuple(work.line[: min(work.line_length[0], LINE)])
        for index in range(int(work.line_length[0])):
            mark = int(work.line[index])
            fitting = [action for action in self.game.legal(state) if identity(action) == mark]
            if len(fitting) != 1 or index >= LINE:
                break
            found.append(fitting[0])
            state = self.game.result(state, fitting[0])
        return tuple(found)

    def forget_line(self) -> None:
        """Clear the line, so that an old one is never taken for a new one."""
        self.works[0].line_length[0] = 0

    def used(self) -> float:
        """Which part of the table holds entries."""
        return self.table.used() if self.table is not None else 0.0
