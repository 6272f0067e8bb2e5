"""A game as a graph of all states that may follow on one, with bounds on the value of each."""

from __future__ import annotations

import time
from collections.abc import Iterable
from math import inf, isfinite
from typing import Any
from weakref import ref

from zermelo import native
from zermelo.errors import GameError, LimitReached, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.native.memory import memory_size, word_count
from zermelo.position import Position
from zermelo.search.components import find_components
from zermelo.search.reach import ENDS, ODDS, TIES, Count, explore
from zermelo.search.sweeps import settle
from zermelo.search.tally import NO_LIMIT

MOST_STATES, MOST_LINKS = 1 << 24, 1 << 26
"""How many states and links are kept at most, if they fit into half of the memory."""
MOST_OBJECTS = 1 << 20
"""How many states are kept at most where they are Python objects."""
FIRST_STATES, FIRST_LINKS = 1 << 14, 1 << 16
"""For how many there is room at first."""
STATE_BYTES, LINK_BYTES = 60, 24
"""What a state takes besides its numbers, and what a link takes, while they are sorted."""
GROWTH = 4
"""How much more room there is each time that it was not enough."""
FINER = 1e-2
"""How much nearer than asked for each component is brought: what they leave adds up."""
PASSES = 3
"""How often all is swept, each time finer, until the first state is as near as asked for."""


class Graph:
    """All states that may follow on `state`, and bounds `low` and `high` on their values to player 0.

    Natively it is flat arrays, else lists and dicts. Work ends by `LimitReached` at `until`, by the clock of
    `time.monotonic`.
    """

    def __init__(self, game: Game, state: Any, *, natively: bool) -> None:
        self._game, self.state, self.native, self.until = ref(game), state, natively, inf
        self.count, self.sweeps, self.components = Count(), 0, 0
        self.states: Any = {}
        self.table: Any = {}
        self.starts, self.kinds, self.targets = self._room(1), self._room(0, "i1"), self._room(0, "i4")
        self.odds, self.low, self.high = self._room(0, "f8"), self._room(0, "f8"), self._room(0, "f8")
        self.ties, self.choice = self._room(0, "f8"), self._room(0, "i4")
        self._grow(FIRST_STATES, FIRST_LINKS)

    @property
    def game(self) -> Game:
        """The game, which whoever asks has; a graph that is kept does not keep it."""
        game = self._game()
        assert game is not None
        return game

    def prepare(self) -> None:
        """Compile what will be called, so that no clock runs meanwhile."""
        if self.native:
            native.prepare_run(explore, self.game, *self._to_explore(), tally=self.count)
            marks = self._marks(1)
            native.prepare_run(find_components, self.game, self.starts, self.targets, *marks, tally=self.count)
            native.prepare_run(settle, self.game, *self._to_settle(marks[-1], 0.0), tally=self.count)

    # Room.

    def _room(self, size: int, kind: str = "i8") -> Any:
        """Room for so many numbers of a kind, all 0."""
        if not self.native:
            return [0] * size
        import numpy

        return numpy.zeros(size, kind)

    def _grow(self, states: int, links: int) -> None:
        """Have room for so many states and links; what is there stays."""
        self.starts, self.kinds = self._longer(self.starts, states + 1), self._longer(self.kinds, states)
        self.targets, self.odds = self._longer(self.targets, links), self._longer(self.odds, links)
        self.low = self._longer(self.low, states)
        if self.native and 2 * states > len(self.table):
            stored = self.states if len(self.states) else self._room(0)
            self.states = self._longer(stored, states * (1 + word_count(self.state)))
            self.table, self.count.known = self._room(2 * states), 0

    def _is_allowed(self, states: int, links: int) -> bool:
        """Whether there may be room for so many."""
        if not self.native:
            return states <= MOST_OBJECTS
        taken = states * (8 * (1 + word_count(self.state)) + STATE_BYTES) + links * LINK_BYTES
        memory = memory_size()
        return states <= MOST_STATES and links <= MOST_LINKS and (not memory or taken <= memory // 2)

    def _longer(self, items: Any, size: int) -> Any:
        if len(items) >= size:
            return items
        longer = self._room(size, items.dtype.str if self.native else "")
        longer[: len(items)] = items
        return longer

    def _marks(self, size: int) -> tuple[Any, ...]:
        """What `find_components` writes to, and works in."""
        order, home, low, path, ends = (self._room(size, "i4") for _ in range(5))
        home[:] = [-1] * size if not self.native else -1
        return order, home, low, path, self._room(size), ends

    # Work.

    def find(self, limit: int) -> bool:
        """Find all states; whether there was room for them. `LimitReached` if there are more than `limit`."""
        self.count.limit = limit
        while True:
            self._run(explore, *self._to_explore())
            if self.count.fault:
                raise self._fault()
            if self.count.done == self.count.nodes:
                self.count.limit = NO_LIMIT
                return True
            states, links = len(self.kinds), len(self.targets)
            if self.count.nodes < states:
                links *= GROWTH
            else:
                states *= GROWTH
            if not self._is_allowed(states, links):
                return False
            self._grow(states, links)

    def sort(self) -> None:
        """Number the states anew, so that each component comes after those it leads to; the first state is last."""
        import numpy

        nodes, count = self.count.nodes, self.count.links
        marks = self._marks(nodes)
        self.components = int(self._run(find_components, self.starts, self.targets, *marks))
        order, *_, ends = (numpy.asarray(mark, numpy.int32) for mark in marks)
        starts = numpy.asarray(self.starts[: nodes + 1], numpy.int64)
        targets = numpy.asarray(self.targets[:count], numpy.int32)
        lengths = numpy.diff(starts)[order]
        moved = numpy.zeros(nodes + 1, numpy.int64)
        numpy.cumsum(lengths, out=moved[1:])
        links = numpy.repeat(starts[order] - moved[:-1], lengths) + numpy.arange(count)
        numbers = numpy.empty(nodes, numpy.int32)
        numbers[order] = numpy.arange(nodes, dtype=numpy.int32)
        self.starts, self.targets = self._given(moved), self._given(numbers[targets[links]])
        self.odds = self._given(numpy.asarray(self.odds[:count])[links])
        self.kinds, self.low = (self._given(numpy.asarray(items[:nodes])[order]) for items in (self.kinds, self.low))
        self.ends = self._given(ends)
        self.states = self.table = {}

    def _given(self, items: Any) -> Any:
        """An array as kernels of this world take it."""
        return items if self.native else items.tolist()

    def end_at(self, numbers: Iterable[int]) -> None:
        """Let the game be over in these states, because they come back once more; before they are settled."""
        for number in numbers:
            self.kinds[number] = ENDS

    def settle(self, precision: float) -> None:
        """Bring the bounds of the first state within `precision` of each other, if they go so far."""
        import numpy

        lowest, highest = (float(bound) for bound in self.game.utility_bounds)
        worth, ended = numpy.asarray(self.low), numpy.asarray(self.kinds) == ENDS
        self.ties, self.low = self._given(worth), self._given(numpy.where(ended, worth, lowest))
        self.high = self._given(numpy.where(ended, worth, highest))
        self.choice = self._room(len(ended), "i4")
        width = precision * FINER if isfinite(highest - lowest) else 0.0
        for _ in range(PASSES):
            self.sweeps += max(int(self._run(settle, *self._to_settle(self.ends, width))), 1)
            if self.count.fault == TIES:
                title = self.game.title
                raise Unsuitable(
                    f"value iteration needs {title}.tied to be the same in all states that can follow on one another: "
                    f"search {title} with a depth"
                )
            if self.high[-1] - self.low[-1] <= precision:
                break
            width *= FINER

    def _to_explore(self) -> tuple[Any, ...]:
        states = self.states.ctypes.data if self.native else self.states
        return self.state, self.table, states, self.starts, self.targets, self.odds, self.kinds, self.low

    def _to_settle(self, ends: Any, width: float) -> tuple[Any, ...]:
        links = self.starts, self.targets, self.odds, self.kinds
        return *links, ends, self.components, self.ties, self.low, self.high, self.choice, width

    def _run(self, kernel: Any, *args: Any) -> Any:
        left = self.until - time.monotonic()
        if left <= 0:
            raise LimitReached
        seconds = left if isfinite(left) else None
        return native.run(kernel, self.game, *args, tally=self.count, native=self.native, seconds=seconds)

    # Answers.

    @property
    def first(self) -> int:
        """The number of the first state."""
        return self.count.nodes - 1 if self.components else 0

    @property
    def is_bounded(self) -> bool:
        """Whether there are bounds on the values yet."""
        return len(self.high) > 0

    def is_worn(self, number: int) -> bool:
        """Whether the game is over in a state because it comes back, though it has actions."""
        return bool(self.components and self.kinds[number] == ENDS and self.starts[number] < self.starts[number + 1])

    def links(self, number: int) -> list[int]:
        """The numbers of the states that follow on one, in the order of its actions or possible outcomes."""
        return [int(target) for target in self.targets[self.starts[number] : self.starts[number + 1]]]

    def number_of(self, position: Position) -> int | None:
        """The number of the state of a position that was reached from the first state; None if it was not."""
        numbers = self.numbers_along(position)
        return numbers[-1] if numbers else None

    def numbers_along(self, position: Position) -> list[int]:
        """The numbers of the states of a position from the first state of the graph on; none if it is not there."""
        states, history = position.states, position.history
        begin = next((place for place, state in enumerate(states) if state == self.state), None)
        if begin is None:
            return []
        numbers = [self.first]
        for state, action in zip(states[begin:], history[begin:], strict=False):
            followed = possible(self.game, state)
            if action not in followed:
                return []
            numbers.append(self.links(numbers[-1])[followed.index(action)])
        return numbers

    def _fault(self) -> GameError:
        """What is wrong with the state that was to be explored next."""
        game, state = self.game, self._state(self.count.done)
        where = game.describe(state)
        if self.count.fault == ODDS:
            odds = [probability for _, probability in game.outcomes(state)]
            what = f"outcomes gives the probabilities {odds!r}"
            return GameError(f"{game.title}.{what} in {where}: none may be negative, and they must add up to 1")
        worth, (low, high) = game.utility(state, 0), game.utility_bounds
        return GameError(
            f"{game.title}.utility gives player 0 {worth!r} in {where}, outside utility_bounds ({low:g}, {high:g}): "
            "widen the bounds, or mend utility"
        )

    def _state(self, number: int) -> Any:
        """A state by its number, found by the way that led to it first."""
        if not self.native:
            return self.states[number]
        import numpy

        if number == 0:
            return self.state
        link = int(numpy.argmax(self.targets[: self.count.links] == number))
        before = int(numpy.searchsorted(self.starts[: self.count.done + 1], link, "right")) - 1
        state = self._state(before)
        return self.game.result(state, possible(self.game, state)[link - int(self.starts[before])])


def possible(game: Game, state: Any) -> list[Any]:
    """The actions, or the outcomes that can happen."""
    if game.to_move(state) == CHANCE:
        return [action for action, probability in game.outcomes(state) if probability > 0]
    return list(game.actions(state))
