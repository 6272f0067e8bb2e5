"""A tree of simulations for one game: grown from a position, read, and taken along to the next position."""

from __future__ import annotations

from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.game import CHANCE
from zermelo.montecarlo.leaves import LeafPlayer
from zermelo.montecarlo.nodes import (
    AMAF,
    CHILDREN,
    CLAIMED,
    COUNT_BITS,
    DRAWS,
    LOWER,
    MADE,
    NODE,
    ROOT,
    ROOT_WORDS,
    SQUARES,
    TOTAL,
    UPPER,
    USED,
    VISITS,
    WINS,
)
from zermelo.montecarlo.tree import grow, transplant
from zermelo.native.memory import word_count
from zermelo.native.records import record_of
from zermelo.native.stack import with_stack
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
        self._kernel: Any = grow
        self._transplant: Any = transplant
        self._stopped = False
        self._leaves: LeafPlayer | None = None
        self._position: Position | None = None
        self._size = 8 * (NODE + 1 + word_count(game.initial()) + (AMAF if options.rave else 0))
        self.room = max(int(options.memory * MEBIBYTE) // self._size, 2 + ROOT)
        self.works = self._works(self._fresh_memory())

    # Memory.

    def _fresh_memory(self) -> dict[str, Any]:
        if not self.native:
            return {name: {} for name in ("memory", "items", "amaf")}
        import numpy

        words = {"memory": NODE, "items": 1 + word_count(self.game.initial()), "amaf": AMAF if self.options.rave else 0}
        return {name: numpy.zeros(count * self.room + 1, numpy.int64) for name, count in words.items()}

    def _works(self, memory: dict[str, Any]) -> list[Any]:
        """One for each thread; all share one tree, each has its own account of the root."""
        self._arrays = memory
        self._roots: list[Any] = []
        works: list[Any] = []
        several = self.native and self.options.device == "cpu"
        for thread in range(self.options.threads if several else 1):
            work = self.options.growth(self.game)
            work.room, work.thread = self.room, thread
            work.threads = 1 if not self.native else 2 if self.options.device == "cuda" else work.threads
            self._roots.append({})
            if self.native:
                import numpy

                self._roots[-1] = numpy.zeros(1, numpy.int64)
                addresses = {name: array.ctypes.data for name, array in memory.items()}
                works.append(record_of(work, roots=self._roots[-1].ctypes.data, **addresses))
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
                self._leaves = LeafPlayer(self.game, state, self.options.leaves, self.options.each, record)
            if self.options.reuse:
                self._transplant = native.ready(transplant, self.game, (state, 0, 0, 0, 0), record)

    def stand_at(self, position: Position) -> None:
        """Go to a position: the part of the tree below it is kept if it is there, all else forgotten."""
        node = self._node_of(position) if self.options.reuse else 0
        before = self._arrays
        self.works = self._works(self._fresh_memory())
        self._position = position.copy()
        if node:
            self._take_over(before, node, position.state)
        else:
            self._write(USED, ROOT + 1)
            self._write(NODE * ROOT + LOWER, float(self.works[0].lowest))
            self._write(NODE * ROOT + UPPER, float(self.works[0].highest))
        self._prepare_roots(len(position.moves))

    def _node_of(self, position: Position) -> int:
        """The node of a position that comes after the one stood at; 0 if there is none."""
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
        return node if node != ROOT and self.children(node)[1] else 0

    def _take_over(self, before: dict[str, Any], node: int, state: Any) -> None:
        old = {name: array.ctypes.data if self.native else array for name, array in before.items()}
        args = state, node, old["memory"], old["items"], old["amaf"]
        work = self._given(self.works[0])
        self._transplant(self.game, *args, work)
        self._write(NODE * ROOT + TOTAL, 0.0)

    def _prepare_roots(self, count: int) -> None:
        if self.native:
            import numpy

            self._roots = [numpy.zeros(ROOT_WORDS * max(count, 1), numpy.int64) for _ in self.works]
            for work, array in zip(self.works, self._roots, strict=True):
                work.roots = array.ctypes.data

    def _given(self, work: Any) -> Any:
        return work.record if self.native else work

    def simulate(self, simulations: int) -> None:
        """Make so many simulations more, all threads together, unless stopped or proved before."""
        assert self._position is not None
        share = -(-simulations // len(self.works))
        for work in self.works:
            work.limit = work.simulations + share
        if self._stopped:
            return
        state = self._position.state
        if self._leaves is not None:
            self._leaves.simulate(state, self.works[0])
            return
        errors: list[BaseException] = []
        helpers = [with_stack(partial(self._help, work, state, errors)) for work in self.works[1:]]
        try:
            self._kernel(self.game, state, self._given(self.works[0]))
        except Exception as error:
            errors.append(error)
        for helper in helpers:
            helper.join()
        if errors:
            raise native.told(self.game, errors[0]) if self.native else errors[0] from None

    def _help(self, work: Any, state: Any, errors: list[BaseException]) -> None:
        try:
            self._kernel(self.game, state, self._given(work))
        except Exception as error:
            errors.append(error)

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
        made = sum(int(work.simulations) for work in self.works)
        return made if self._leaves is None else made * self._leaves.each

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
        return self.number(NODE * ROOT + LOWER) == self.number(NODE * ROOT + UPPER)

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
        made = max(sum(int(work.simulations) for work in self.works), 1)
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
        return Line(action, value, kind, (action, *follows), odds=self._odds(node, index, mean))

    def _odds(self, node: int, index: int, mean: float) -> Odds:
        """Of a tree that was taken along, the visits count what was made before; all else counts what was made here."""
        first, count = self.children(ROOT)
        visits, place = self.word(NODE * node + VISITS), ROOT_WORDS * index
        share = visits / sum(self.word(NODE * child + VISITS) for child in range(first, first + count))
        made, wins, draws = (
            sum(self._word_of(each, place + name) for each in self._roots) for name in (MADE, WINS, DRAWS)
        )
        if not made:
            return Odds(visits, share, None, None, 0.0)
        squares = sum(self._number_of(each, place + SQUARES) for each in self._roots)
        error = sqrt(max(squares / made - mean * mean, 0.0) / made)
        if self.game.facts.total is None:
            return Odds(visits, share, None, None, error)
        return Odds(visits, share, wins / made, draws / made, error)

    def bounds(self, node: int, mover: int) -> tuple[float, float]:
        """What is proved of a node's value to a player."""
        low, high = self.number(NODE * node + LOWER), self.number(NODE * node + UPPER)
        if not self.works[0].proofs:
            return -inf, inf
        total = float(self.works[0].total)
        return (low, high) if mover in (0, CHANCE) else (total - high, total - low)

    def _follow(self, state: Any, node: int) -> list[Any]:
        """The play expected after a node: what was tried most, up to a turn of chance or what is little known."""
        found: list[Any] = []
        while (count := self.children(node)[1]) and self.game.to_move(state) != CHANCE:
            first = self.children(node)[0]
            node = max(range(first, first + count), key=lambda child: self._worth(child, state))
            if self.word(NODE * node + VISITS) < FEW:
                break
            found.append(self.game.legal(state)[node - first])
            state = self.game.result(state, found[-1])
        return found

    def _worth(self, node: int, state: Any) -> tuple[bool, int]:
        """What to expect first: a proved best, then what was tried most."""
        mover, work = self.game.to_move(state), self.works[0]
        best = work.highest if mover == 0 else work.total - work.lowest
        return self.bounds(node, mover) == (best, best), self.word(NODE * node + VISITS)


def _visits(line: Line) -> int:
    return line.odds.visits if line.odds is not None else 0
