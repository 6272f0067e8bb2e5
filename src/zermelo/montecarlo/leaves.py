"""Many leaves of UCT's tree at once, each simulated many times: work for a GPU, which the CPU can do as well.

The tree is walked down for each leaf as if the simulations before had been lost, so that the leaves differ; then all
are played out; then what came of each is carried up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.bits import Bits, scatter, signed
from zermelo.errors import NoDevice, NotNative
from zermelo.montecarlo.nodes import CHILDREN, ENDED, NODE, PATH, a_child
from zermelo.montecarlo.proving import prove
from zermelo.montecarlo.tree import back_up, descend
from zermelo.native.memory import get_item, identity, peek, peek_float, poke, poke_float, put_item, word_count
from zermelo.search.luck import random_step, stream
from zermelo.tuples import put, same_for_all

if TYPE_CHECKING:
    from zermelo.game import Game

WAY = 1 + 2 * PATH
"""Words that a leaf's way takes: its depth, the nodes, and who moved to them."""
MOST_MOVES = 10_000
"""After how many moves a roll-out is broken off, and the evaluation asked."""


def gather(game: Game, root: Any, leaves: int, ways: Any, states: Any, work: Any) -> None:
    """Walk down to so many leaves, and keep their ways and states."""
    for leaf in range(leaves):
        work.simulations += 1
        work.word = signed(stream(work.seed, work.simulations))
        depth, state = descend(game, root, work)
        poke(ways, WAY * leaf, Bits(depth))
        for level in range(depth + 1):
            poke(ways, WAY * leaf + 1 + 2 * level, Bits(work.path[level]))
            poke(ways, WAY * leaf + 2 + 2 * level, Bits(work.movers[level]))
        put_item(states, leaf, (identity(0), state))


def play_leaves(
    game: Game, root: Any, states: Any, leaves: int, each: int, seed: int, values: Any, thread: int, threads: int
) -> None:
    """Play each leaf out `each` times; what every game is worth to every player goes to `values`.

    `root` is any state, for its kind. All in one loop, as in `count_kernel`.
    """
    number = thread
    games = leaves * each
    word = stream(seed, number)
    now = get_item(states, min(number, games - 1) // each, a_child, root)[1]
    played = 0
    while number < games:
        if game.is_terminal(now) or played == MOST_MOVES:
            found = game.utilities(now) if game.is_terminal(now) else game.evaluations(now)
            for player in range(game.players):
                poke_float(values, game.players * number + player, found[player])
            number += threads
            word = stream(seed, number)
            now = get_item(states, min(number, games - 1) // each, a_child, root)[1]
            played = 0
        else:
            played += 1
            word += 1
            now = random_step(game, now, scatter(word))


def carry_up(game: Game, _root: Any, leaves: int, ways: Any, means: Any, work: Any) -> None:
    """Add what came of each leaf to all nodes on its way, and prove what is proved now."""
    for leaf in range(leaves):
        depth = int(peek(ways, WAY * leaf))
        for level in range(depth + 1):
            work.path[level] = int(peek(ways, WAY * leaf + 1 + 2 * level))
            work.movers[level] = signed(peek(ways, WAY * leaf + 2 + 2 * level))
        values = same_for_all(game, 0.0)
        for player in range(game.players):
            values = put(values, player, peek_float(means, game.players * leaf + player))
        back_up(game, values, depth, work)
        if work.proofs and peek(work.memory, NODE * work.path[depth] + CHILDREN) == ENDED:
            prove(depth, work)


class LeafPlayer:
    """Plays leaves out on a GPU, or natively where there is none; `note` says why."""

    def __init__(self, game: Game, state: Any, leaves: int, each: int, record: Any) -> None:
        import numpy

        self.game, self.leaves, self.each = game, leaves, each
        words = 1 + word_count(state)
        self._ways = numpy.zeros(WAY * leaves, numpy.int64)
        self._states = numpy.zeros(words * leaves, numpy.int64)
        self._values = numpy.zeros((leaves, each, game.players), numpy.float64)
        self._means = numpy.zeros((leaves, game.players), numpy.float64)
        self.note = ""
        self._program: Any = None
        self._gather = native.ready(gather, game, (state, leaves, 0, 0), record)
        self._carry = native.ready(carry_up, game, (state, leaves, 0, 0), record)
        args = state, 0, leaves, each, 0, 0, 0, 1
        try:
            self._start(args)
        except (NoDevice, NotNative) as error:
            self.note = f"{error}; the CPU plays"
            self._native = native.ready(play_leaves, game, args[:-1], 1)

    def _start(self, args: tuple[Any, ...]) -> None:
        from zermelo.native.driver import BLOCK, gpu

        device = gpu()
        self._program = device.program(play_leaves, self.game, args)
        self._there = device.memory(self._states.nbytes), device.memory(self._values.nbytes)
        wanted = -(-self.leaves * self.each // BLOCK) * BLOCK
        self._threads = min(self._program.threads, wanted)

    def simulate(self, state: Any, work: Any) -> None:
        """One round: as many leaves as there are, played out and carried up."""
        ways, states = self._ways.ctypes.data, self._states.ctypes.data
        self._gather(self.game, state, self.leaves, ways, states, work.record)
        seed = signed(scatter(Bits(work.seed) ^ Bits(work.simulations))) >> 2
        if self._program is not None:
            self._there[0].write(self._states)
            args = state, self._there[0].address, self.leaves, self.each, seed, self._there[1].address
            self._program.launch(args, self._threads)
            self._there[1].read(self._values)
        else:
            out = self._values.ctypes.data
            self._native(self.game, state, states, self.leaves, self.each, seed, out, 0, 1)
        self._means[:] = self._values.mean(axis=1)
        self._carry(self.game, state, self.leaves, ways, self._means.ctypes.data, work.record)
