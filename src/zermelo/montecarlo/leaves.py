"""Many leaves of UCT's tree at once, each simulated many times: work for a GPU, which the CPU can do as well.

The tree is walked down for each leaf with those before counted as visits, so that the leaves differ; then all are
played out; then what came of each is carried up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.bits import Bits, scatter, signed
from zermelo.errors import NoDevice, NotNative
from zermelo.game import CHANCE
from zermelo.montecarlo.nodes import CHILDREN, ENDED, LOWER, NODE, PATH, a_child
from zermelo.montecarlo.proving import is_settled, prove
from zermelo.montecarlo.tree import back_up, check_bounds, descend, note, take_back
from zermelo.native.memory import (
    fresh_words,
    get_item,
    identity,
    peek,
    peek_float,
    poke,
    poke_float,
    put_item,
    word_count,
)
from zermelo.search.luck import random_plausible, random_step, stream
from zermelo.tuples import put, same_for_all

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.montecarlo.options import TreeOptions

WAY = 1 + 3 * PATH
"""Words that a leaf's way may take: its depth, the nodes, who moved to them, and what is owed to them.

They lie by their kind, those of all leaves side by side: only as much memory is touched as the ways are long."""
PLAUSIBLE, REPLY = 1, 2
"""Bits that say which methods of the game roll-outs go by."""
PART, PART_THERE = 1 << 10, 1 << 22
"""Games that one call plays on the CPU, and on a GPU: between calls a round can be stopped."""


def gather(game: Game, root: Any, leaves: int, ways: Any, states: Any, work: Any) -> None:
    """Walk down to so many leaves, and keep their ways and states."""
    for leaf in range(leaves):
        work.simulations += 1
        work.word = signed(stream(work.seed, work.simulations))
        depth, state = descend(game, root, work)
        poke(ways, leaf, Bits(depth))
        for level in range(depth + 1):
            place = leaves * (1 + 3 * level) + leaf
            poke(ways, place, Bits(work.path[level]))
            poke(ways, place + leaves, Bits(work.movers[level]))
            poke_float(ways, place + 2 * leaves, work.owed[level])
        put_item(states, leaf, (identity(0), state))


def play_leaves(
    game: Game,
    root: Any,
    states: Any,
    first: int,
    last: int,
    each: int,
    plies: int,
    habits: int,
    seed: int,
    values: Any,
    thread: int,
    threads: int,
) -> None:
    """Play the games numbered from `first` to below `last`, `each` from every leaf, of which this thread plays one in
    `threads`; what they are worth to every player, and whether that is an end's worth, goes to `values`.

    `root` is any state, for its kind. All in one loop, as in `count_kernel`.
    """
    number = first + thread
    word = stream(seed, number)
    now = get_item(states, min(number, last - 1) // each, a_child, root)[1]
    played = 0
    while number < last:
        ended = game.is_terminal(now)
        if ended or played == plies:
            found = game.utilities(now) if ended else game.evaluations(now)
            place = (game.players + 1) * number
            poke(values, place, Bits(ended))
            for player in range(game.players):
                poke_float(values, place + 1 + player, found[player])
            number += threads
            word = stream(seed, number)
            now = get_item(states, min(number, last - 1) // each, a_child, root)[1]
            played = 0
        else:
            played += 1
            word += 1
            now = step(game, now, habits, scatter(word))


def step(game: Game, state: Any, habits: int, word: Bits) -> Any:
    """The state after a move of a roll-out that a random word picks; `habits` says which methods of the game may."""
    if game.has_chance and game.to_move(state) == CHANCE:
        return random_step(game, state, word)
    if game.has_reply and habits & REPLY != 0:
        return game.result(state, game.reply(state, word))
    if game.has_plausible and habits & PLAUSIBLE != 0:
        return game.result(state, random_plausible(game, state, word))
    return random_step(game, state, word)


def carry_up(game: Game, _root: Any, leaves: int, played: int, each: int, ways: Any, values: Any, work: Any) -> None:
    """Add the mean of each leaf's games to all nodes on its way, and prove what is proved now; only the first `played`
    leaves have games, the others are taken back."""
    for leaf in range(leaves):
        depth = int(peek(ways, leaf))
        for level in range(depth + 1):
            place = leaves * (1 + 3 * level) + leaf
            work.path[level] = int(peek(ways, place))
            work.movers[level] = signed(peek(ways, place + leaves))
            work.owed[level] = peek_float(ways, place + 2 * leaves)
        if leaf < played:
            back_up(mean_of(game, each * leaf, each, values, depth, work), depth, work)
            if work.proofs and peek(work.memory, NODE * work.path[depth] + CHILDREN) == ENDED:
                prove(depth, work)
        else:
            take_back(depth, work)


def mean_of(game: Game, first: int, each: int, values: Any, depth: int, work: Any) -> tuple[float, ...]:
    """What a leaf's games were worth to each player on average, with each of them counted; a proved leaf is worth what
    is proved."""
    leaf = NODE * work.path[depth]
    proved = work.proofs and is_settled(work.memory, leaf)
    total = same_for_all(game, 0.0)
    for number in range(first, first + each):
        place = (game.players + 1) * number
        work.finished = int(peek(values, place))
        found = same_for_all(game, 0.0)
        for player in range(game.players):
            found = put(found, player, peek_float(values, place + 1 + player))
        check_bounds(found[0], work)
        if proved:
            work.finished = 0 if game.has_chance else 1
            found = put(found, 0, peek_float(work.memory, leaf + LOWER))
            found = put(found, game.players - 1, work.total - found[0] if game.players > 1 else found[0])
        for player in range(game.players):
            total = put(total, player, total[player] + found[player])
        note(game, found, found[max(work.movers[1], 0)], depth, work)
    for player in range(game.players):
        total = put(total, player, total[player] / each)
    return total


class LeafPlayer:
    """Plays leaves out on a GPU, or natively where there is none; `note` says why."""

    def __init__(self, game: Game, state: Any, options: TreeOptions, work: Any) -> None:
        self.game, self.leaves, self.each = game, options.leaves, options.each
        sizes = WAY, 1 + word_count(state), self.each * (1 + game.players)
        what = f"a round of {self.leaves:,} leaves with {self.each:,} games each"
        self._ways, self._states, self._values = (fresh_words(size * self.leaves, what) for size in sizes)
        self.note = ""
        self._program: Any = None
        self._gather = native.ready(gather, game, (state, 0, 0, 0), work.record)
        self._carry = native.ready(carry_up, game, (state, 0, 0, 0, 0, 0), work.record)
        self._part = PART_THERE
        args = state, 0, 0, 0, self.each, 0, 0, 0, 0, 0, 1
        try:
            self._start(args)
        except (NoDevice, NotNative) as error:
            self.note = f"{error}; the CPU plays"
            self._native = native.ready(play_leaves, game, args[:-1], 1)
            self._part = PART

    @property
    def batch(self) -> int:
        """How many games a round has."""
        return self.leaves * self.each

    def _start(self, args: tuple[Any, ...]) -> None:
        from zermelo.native.driver import BLOCK, gpu

        device = gpu()
        self._program = device.program(play_leaves, self.game, args)
        self._there = device.memory(self._states.nbytes), device.memory(self._values.nbytes)
        wanted = -(-min(self.batch, PART_THERE) // BLOCK) * BLOCK
        self._threads = min(self._program.threads, wanted)

    def simulate(self, games: int, state: Any, work: Any, is_stopped: Callable[[], bool]) -> None:
        """So many games, in rounds: as many leaves as there are, played out and carried up."""
        while games > 0 and not work.proved and not is_stopped():
            each = min(self.each, games)
            leaves = min(self.leaves, games // each)
            games -= leaves * each
            self._round(leaves, each, state, work, is_stopped)

    def _round(self, leaves: int, each: int, state: Any, work: Any, is_stopped: Callable[[], bool]) -> None:
        ways, states, values = (array.ctypes.data for array in (self._ways, self._states, self._values))
        self._gather(self.game, state, leaves, ways, states, work.record)
        seed = signed(scatter(Bits(work.seed) ^ Bits(work.simulations))) >> 2
        played, games = 0, leaves * each
        if self._program is not None:
            self._there[0].write(self._states)
        while played < games and not is_stopped():
            last = min(played + self._part, games)
            args = played, last, each, work.plies, PLAUSIBLE * work.plausible | REPLY * work.reply, seed
            if self._program is not None:
                self._program.launch((state, self._there[0].address, *args, self._there[1].address), self._threads)
            else:
                self._native(self.game, state, states, *args, values, 0, 1)
            played = last
        if self._program is not None:
            self._there[1].read(self._values)
        self._carry(self.game, state, leaves, played // each, each, ways, values, work.record)
