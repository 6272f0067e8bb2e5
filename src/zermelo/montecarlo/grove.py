"""A tree of simulations for one game: grown from a position, read, and taken along to the next position."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.errors import BadInput
from zermelo.game import CHANCE
from zermelo.montecarlo.leaves import LeafPlayer
from zermelo.montecarlo.nodes import (
    AMAF,
    CHILDREN,
    CLAIMED,
    COUNT_BITS,
    DRAWS,
    FINISHED,
    LOWER,
    MADE,
    NODE,
    ROOT,
    SHARES,
    SQUARES,
    TOTAL,
    UPPER,
    USED,
    VISITS,
    WINS,
    WORTH,
)
from zermelo.montecarlo.tree import grow, past_place, transplant
from zermelo.native.memory import fresh_words, identity, word_count
from zermelo.native.records import record_of
from zermelo.native.stack import with_stack
from zermelo.search.luck import stream
from zermelo.search.result import Line, Odds

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.montecarlo.options import TreeOptions
    from zermelo.position import Position
    from zermelo.search.result import Kind

MEBIBYTE = 1 << 20
FEW = 8
"""Up to how many visits a node is too little known to be part of the expected line."""


class Grove:
    """Simulations from one position. Not for two callers at once; `stop` may be called from anywhere.

    Interpreted, its memory is dicts; natively, arrays that are taken from the system as they fill.
    """

    def __init__(self, game: Game, options: TreeOptions, *, natively: bool) -> None:
        self.game, self.options, self.native = game, options, natively
        self._rave = options.switches(game)["rave"] > 0
        self._kernel: Any = grow
        self._transplant: Any = transplant
        self._stopped = False
        self._leaves: LeafPlayer | None = None
        self._position: Position | None = None
        self._before = 0
        self._size = 8 * (NODE + 1 + word_count(game.initial()) + (AMAF if self._rave else 0))
        self.room = max(int(options.memory * MEBIBYTE) // self._size, 2 + ROOT)
        self.works = self._works(self._fresh_memory())

    # Memory.

    def _fresh_memory(self) -> dict[str, Any]:
        if not self.native:
            return {name: {} for name in ("memory", "items", "amaf")}
        words = {"memory": NODE, "items": 1 + word_count(self.game.initial()), "amaf": AMAF if self._rave else 0}
        what = f"a tree of {self.options.memory:g} MiB"
        return {name: fresh_words(count * self.room + 1, what) for name, count in words.items()}

    def _works(self, memory: dict[str, Any]) -> list[Any]:
        """One for each thread; all share one tree, each has its own account of the root."""
        self._arrays = memory
        self._roots: list[Any] = []
        works: list[Any] = []
        several = self.native and self.options.device == "cpu"
        for thread in range(self.options.threads if several else 1):
            work = self.options.growth(self.game)
            work.room, work.thread = self.room, thread
            work.many = int(self.native and self.options.device == "cuda")
            work.threads = work.threads if several else 1 + work.many
            if self._before:
                work.seed = int(stream(work.seed, self._before) >> 2)
            self._roots.append({})
            if self.native:
                import numpy

                self._roots[-1] = numpy.zeros(1, numpy.int64)
                addresses = {name: array.ctypes.data for name, array in memory.items()}
                works.append(record_of(work, roots=self._roots[-1].ctypes.data, past=0, **addresses))
            else:
                work.memory, work.items, work.amaf, work.roots = *memory.values(), self._roots[-1]
                works.append(work)
        return works

    def word(self, index: int) -> int:
        """A word of the tree."""
        return self._word_of(self._arrays["memory"], index)

    def number(self, index: int) -> float:
        """A float of the tree."""
        return self._number_of(self._arrays["memory"], index)

    def _word_of(self, memory: Any, index: int) -> int:
        return int(memory[index]) if self.native else int(memory.get(index, 0))

    def _number_of(self, memory: Any, index: int) -> float:
        return float(memory[index : index + 1].view("f8")[0]) if self.native else float(memory.get(index, 0.0))

    def _write(self, index: int, value: float) -> None:
        memory = self._arrays["memory"]
        if self.native and isinstance(value, float):
            memory[index : index + 1].view("f8")[0] = value
        else:
            memory[index] = value

    # Growing.

    def prepare(self, state: Any) -> None:
        """Compile the kernels, so that no clock runs meanwhile."""
        if self.native:
            record = self.works[0].record
            self._kernel = native.ready(grow, self.game, (state,), record)
            if self.options.device == "cuda":
                self._leaves = LeafPlayer(self.game, state, self.options, self.works[0])
            if self.options.reuse:
                self._transplant = native.ready(transplant, self.game, (state, 0, 0, 0, 0), record)

    def stand_at(self, position: Position) -> None:
        """Go to a position: the part of the tree below it is kept if it is there, all else forgotten.

        Simulations are counted anew; those of a tree that is kept have other random numbers than the ones before.
        """
        count = len(self.game.legal(position.state))
        if ROOT + 1 + count > self.room:
            size = f"{self.options.memory:g} MiB"
            raise BadInput(f"a tree of {size} does not hold the {count:,} actions of this position: ask for more")
        node = self._node_of(position) if self.options.reuse else 0
        self._before = self._before + self.simulations if node else 0
        before = self._arrays
        self.works = self._works(before if node == ROOT else self._fresh_memory())
        self._position = position.copy()
        if node > ROOT:
            self._take_over(before, node, position.state)
        elif not node:
            self._write(USED, ROOT + 1)
            self._write(NODE * ROOT + LOWER, float(self.works[0].lowest))
            self._write(NODE * ROOT + UPPER, float(self.works[0].highest))
        for work in self.works:
            work.proved = int(self.is_proved)
        self._prepare_roots(count)
        if self.game.no_return:
            self._prepare_past(position)

    def _prepare_past(self, position: Position) -> None:
        """Make the table of the states that may not come back; natively it is read as an address."""
        marks = {identity(self.game.recurrence(state)) for state in position.states}
        size = 4 * len(marks)
        self._past = self._fresh_past(size)
        for mark in marks:
            place = past_place(mark, size)
            while self._word_of(self._past, place):
                place = (place + 1) % size
            self._past[place] = mark
        for work in self.works:
            work.past_size = size
            work.past = self._past.ctypes.data if self.native else self._past

    def _fresh_past(self, size: int) -> Any:
        return fresh_words(size, "a table of what was played") if self.native else {}

    def _node_of(self, position: Position) -> int:
        """The node of the position stood at, or of one that comes after it; 0 if there is none."""
        if self._position is None:
            return 0
        known, history = len(self._position.history), position.history
        if history[:known] != self._position.history or position.states[known] != self._position.state:
            return 0
        node = ROOT
        for state, action in zip(position.states[known:], history[known:], strict=False):
            first, count = self.children(node)
            actions = self.game.legal(state)
            if not count or action not in actions:
                return 0
            node = first + actions.index(action)
        return node if self.children(node)[1] else 0

    def _take_over(self, before: dict[str, Any], node: int, state: Any) -> None:
        old = {name: array.ctypes.data if self.native else array for name, array in before.items()}
        args = state, node, old["memory"], old["items"], old["amaf"]
        work = self._given(self.works[0])
        self._transplant(self.game, *args, work)
        self._write(NODE * ROOT + TOTAL, 0.0)

    def _prepare_roots(self, count: int) -> None:
        if self.native:
            import numpy

            self._roots = [numpy.zeros(self._account * max(count, 1), numpy.int64) for _ in self.works]
            for work, array in zip(self.works, self._roots, strict=True):
                work.roots = array.ctypes.data

    @property
    def _account(self) -> int:
        """How many words there are about each action at the root."""
        return SHARES + int(self.works[0].shares)

    def _given(self, work: Any) -> Any:
        return work.record if self.native else work

    @property
    def batch(self) -> int:
        """How many simulations are made at once."""
        return 1 if self._leaves is None else self._leaves.batch

    def simulate(self, simulations: int) -> None:
        """Make so many simulations more, all threads together, unless stopped or proved before."""
        assert self._position is not None
        share, rest = divmod(simulations, len(self.works))
        for index, work in enumerate(self.works):
            work.limit = work.simulations + share + (index < rest)
        if self._stopped:
            return
        jobs = self._jobs(self._position.state, simulations)
        errors: list[Exception] = []
        helpers = [with_stack(partial(_attempt, job, errors)) for job in jobs[1:]]
        _attempt(jobs[0], errors)
        for helper in helpers:
            helper.join()
        if errors:
            raise native.told(self.game, errors[0]) if self.native else errors[0] from None

    def _jobs(self, state: Any, simulations: int) -> list[Callable[[], None]]:
        """What each thread that has something to do is to do."""
        if self._leaves is not None:
            return [partial(self._leaves.simulate, simulations, state, self.works[0], lambda: self._stopped)]
        return [partial(self._kernel, self.game, state, self._given(work)) for work in self.works[:simulations]]

    def stop(self) -> None:
        """End the simulations that are going on, and any begun after."""
        self._stopped = True
        for work in self.works:
            work.limit = 0

    def resume(self) -> None:
        """Let simulations be made again."""
        self._stopped = False

    # Reading.

    @property
    def simulations(self) -> int:
        """How many were made from the position stood at."""
        return sum(int(work.noted) for work in self.works)

    @property
    def note(self) -> str:
        """What is not as it was asked for."""
        full = "the memory is full: the tree no longer grows" if self.is_full else ""
        return (self._leaves.note if self._leaves is not None else "") or full

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return self.word(USED) - ROOT

    @property
    def depth(self) -> int:
        """How deep a simulation has gone in the tree."""
        return max(int(work.deepest) for work in self.works)

    @property
    def is_full(self) -> bool:
        """Whether the memory is used up, so that the tree no longer grows."""
        return any(work.is_full for work in self.works)

    @property
    def is_proved(self) -> bool:
        """Whether the position's value is certain."""
        return self._is_settled(ROOT)

    @property
    def used(self) -> float:
        """Which part of the memory holds nodes."""
        return self.nodes / self.room

    def children(self, node: int) -> tuple[int, int]:
        """The first child of a node, and how many there are."""
        packed = self.word(NODE * node + CHILDREN)
        return (packed >> COUNT_BITS, packed & ((1 << COUNT_BITS) - 1)) if packed > CLAIMED else (0, 0)

    def means(self) -> tuple[float, ...]:
        """What the position is worth to each player, by the mean of all simulations."""
        made = max(self.simulations, 1)
        return tuple(sum(float(work.sums[player]) for work in self.works) / made for player in range(self.game.players))

    def lines(self) -> list[Line]:
        """The actions at the root that were tried, best first; at a chance turn, what may happen."""
        assert self._position is not None
        state, mover = self._position.state, self._position.to_move
        first, _ = self.children(ROOT)
        if not first:
            return []
        actions = self.game.legal(state)
        tried = [index for index in range(len(actions)) if self.word(NODE * (first + index) + VISITS)]
        lines = [self._line(state, actions[index], index, mover) for index in tried]
        proved = sorted(
            (line for line in lines if line.kind == "exact"), key=lambda line: (-line.value, -_visits(line))
        )
        others = sorted(
            (line for line in lines if line.kind != "exact"), key=lambda line: (-_visits(line), -line.value)
        )
        bar = others[0].value if others else -inf
        better, worse = ([line for line in proved if (line.value >= bar) == is_better] for is_better in (True, False))
        return [*better, *others, *worse]

    def _line(self, state: Any, action: Any, index: int, mover: int) -> Line:
        """What the simulations say of an action at the root, as its mover sees it; of an outcome, as player 0 does."""
        node = self.children(ROOT)[0] + index
        low, high = self.bounds(node, mover)
        mean = self.number(NODE * node + TOTAL) / self.word(NODE * node + VISITS)
        kind: Kind = "exact" if low == high else "estimate"
        follows = self._follow(self.game.result(state, action), node)
        value = min(max(mean, low), high) + 0.0
        values = self._values(index, value, mover)
        return Line(action, value, kind, (action, *follows), values, odds=self._odds(node, index, mover))

    def _values(self, index: int, value: float, mover: int) -> tuple[float, ...]:
        """What an action at the root is worth to each player, where that does not follow from its value to one."""
        made, *_ = self._counts(index)
        if not self.works[0].shares or not made:
            return ()
        place = self._account * index + SHARES
        sums = (
            sum(self._number_of(each, place + player) for each in self._roots) for player in range(self.game.players)
        )
        return tuple(value if player == max(mover, 0) else total / made for player, total in enumerate(sums))

    def _counts(self, index: int) -> tuple[int, ...]:
        """Simulations made from an action at the root, finished, won and drawn."""
        place = self._account * index
        names = MADE, FINISHED, WINS, DRAWS
        return tuple(sum(self._word_of(each, place + name) for each in self._roots) for name in names)

    def _odds(self, node: int, index: int, mover: int) -> Odds:
        """Of a tree that was taken along, the visits count what was made before; all else counts what was made here."""
        first, count = self.children(ROOT)
        visits = self.word(NODE * node + VISITS)
        share = visits / sum(self.word(NODE * child + VISITS) for child in range(first, first + count))
        made, finished, wins, draws = self._counts(index)
        error = self._error(index, made, max(mover, 0)) if made else None
        if not finished or self.options.rollout is not None or self.game.facts.total is None:
            return Odds(visits, share, None, None, error)
        return Odds(visits, share, wins / finished, draws / finished, error)

    def _error(self, index: int, made: int, mover: int) -> float:
        """The standard error of the mean of an action's values; each thread tells them from its own origin on."""
        place = self._account * index
        origins = [float(work.origins[mover]) for work in self.works]
        counts = [self._word_of(each, place + MADE) for each in self._roots]
        sums = [self._number_of(each, place + WORTH) for each in self._roots]
        squares = [self._number_of(each, place + SQUARES) for each in self._roots]
        accounts = list(zip(counts, sums, squares, origins, strict=True))
        mean = origins[0] + sum(total + count * (origin - origins[0]) for count, total, _, origin in accounts) / made
        spread = sum(
            square + (origin - mean) * (2 * total + count * (origin - mean))
            for count, total, square, origin in accounts
        )
        return sqrt(max(spread, 0.0)) / made

    def bounds(self, node: int, mover: int) -> tuple[float, float]:
        """What is proved of a node's value to a player."""
        low, high = self.number(NODE * node + LOWER), self.number(NODE * node + UPPER)
        if not self.works[0].proofs:
            return -inf, inf
        total = float(self.works[0].total)
        return (low, high) if mover in (0, CHANCE) else (total - high, total - low)

    def _follow(self, state: Any, node: int) -> list[Any]:
        """The play expected after a node: to the end where it is proved, else up to a turn of chance or what is little
        known."""
        found: list[Any] = []
        while self.children(node)[1] and (mover := self.game.to_move(state)) != CHANCE:
            first = self.children(node)[0]
            node = self._expected(node, mover)
            if self.word(NODE * node + VISITS) < FEW and not self._is_settled(node):
                break
            found.append(self.game.legal(state)[node - first])
            state = self.game.result(state, found[-1])
        return found

    def _expected(self, node: int, mover: int) -> int:
        """The child that a player would choose: what was tried most, unless a proved one is as good as its mean."""
        first, count = self.children(node)
        children = range(first, first + count)
        floor = max(self.bounds(child, mover)[0] for child in children)
        proved = [child for child in children if self._is_settled(child)]
        others = [child for child in children if child not in proved and self.bounds(child, mover)[1] >= floor]
        sure = max(proved, key=lambda child: (self.bounds(child, mover)[0], self._visits(child)), default=0)
        tried = max(others, key=self._visits, default=0)
        return sure if sure and (not tried or self.bounds(sure, mover)[0] >= self._mean(tried, mover)) else tried

    def _is_settled(self, node: int) -> bool:
        low, high = self.bounds(node, 0)
        return low == high

    def _visits(self, node: int) -> int:
        return self.word(NODE * node + VISITS)

    def _mean(self, node: int, mover: int) -> float:
        """What a node is worth to whoever moves to it, within what is proved."""
        low, high = self.bounds(node, mover)
        return min(max(self.number(NODE * node + TOTAL) / max(self._visits(node), 1), low), high)


def _attempt(job: Callable[[], None], errors: list[Exception]) -> None:
    try:
        job()
    except Exception as error:
        errors.append(error)


def _visits(line: Line) -> int:
    return line.odds.visits if line.odds is not None else 0
