"""Random playouts: what comes of many games played by chance alone, on the CPU or on a GPU, exactly the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.errors import BadInput, NoDevice, NotNative, Unsuitable
from zermelo.montecarlo.random_play import (
    COUNT,
    ENTRY,
    HEAD,
    KEY,
    LOST,
    MOVES,
    NUMBER,
    RESULTS,
    SLOTS,
    UNFINISHED,
    count_kernel,
    memory_size,
    replay,
)
from zermelo.native.stack import with_stack
from zermelo.switches import MOST_THREADS

if TYPE_CHECKING:
    from zermelo.game import Game

CPU, CUDA, AUTO = "cpu", "cuda", "auto"
DEVICES = (AUTO, CPU, CUDA)
MOST_MOVES = 100_000
"""After how many moves a game is broken off."""
TRIAL = 20
"""Games played interpreted before native code is made."""
PATIENT = 0.2
"""Seconds that one call of a kernel should take: between calls a playout can be stopped."""
SMALL = 1_000_000
"""Up to how many games are not worth a GPU."""

Listener = Callable[["Playouts"], None]


@dataclass(frozen=True, slots=True)
class Playouts:
    """What came of random games: how often each result, as utilities of all players, was reached.

    `unfinished` are games that were broken off. `device` says where they were played, `note` why not where asked for.
    """

    results: dict[tuple[float, ...], int] = field(default_factory=dict)
    games: int = 0
    moves: int = 0
    unfinished: int = 0
    seconds: float = 0.0
    device: str = CPU
    note: str = ""

    @property
    def finished(self) -> int:
        """How many games came to an end."""
        return self.games - self.unfinished

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / max(self.seconds, 1e-9)

    def mean(self, player: int = 0) -> float:
        """What a game was worth to a player on average; 0 if none came to an end."""
        total = sum(count * values[player] for values, count in self.results.items())
        return total / self.finished if self.finished else 0.0

    def error(self, player: int = 0) -> float:
        """The standard error of the mean."""
        mean = self.mean(player)
        squares = sum(count * (values[player] - mean) ** 2 for values, count in self.results.items())
        return sqrt(squares) / self.finished if self.finished else 0.0


def playouts(
    game: Game,
    state: Any = None,
    games: int = 1000,
    *,
    seed: int = 0,
    device: str = AUTO,
    threads: int = 1,
    most: int = MOST_MOVES,
    world: str = "auto",
    listen: Listener | None = None,
) -> Playouts:
    """Play random games from a state, the initial one if none is given, and count their results.

    The same seed gives the same counts in every world, on every device and with any number of threads. Where `cuda`
    can't be used the CPU plays and `note` says why; `auto` takes a GPU if there is one and the games are many. In the
    world `native` a game that can't be native is refused by `NotNative`. `listen` is told what has been counted from
    time to time; what it raises ends the playing.

    >>> from zermelo.games.nim import Nim
    >>> found = playouts(Nim(stones=4), games=1000, seed=1)
    >>> found.games, sum(found.results.values()), sorted(found.results)
    (1000, 1000, [(-1.0, 1.0), (1.0, -1.0)])
    """
    if games < 1:
        raise BadInput(f"games must be 1 or more, not {games}")
    if not 1 <= threads <= MOST_THREADS:
        raise BadInput(f"threads must be from 1 to {MOST_THREADS}, not {threads}")
    if most < 1:
        raise BadInput(f"most must be 1 or more, not {most}")
    if world not in ("auto", "interpreted", "native"):
        raise BadInput(f"there is no world {world!r}: use auto, interpreted or native")
    if device not in DEVICES:
        raise BadInput(f"there is no device {device!r}: use {', '.join(DEVICES)}")
    if device == CUDA and world == "interpreted":
        raise BadInput("a GPU runs no interpreted rules: use the device cpu, or the world auto or native")
    task = _Task(game, game.initial() if state is None else state, games, seed % 2**62, most)
    player, note = _player(task, device, threads, world)
    began = time.perf_counter()
    done, chunk = 0, min(games, player.least)
    while done < games:
        started = time.perf_counter()
        last = min(done + chunk, games)
        player.play(done, last)
        done, spent = last, time.perf_counter() - started
        chunk = max(player.least, int(chunk * min(max(PATIENT / max(spent, 1e-9), 0.1), 8)))
        if listen is not None:
            listen(Playouts(games=done, seconds=time.perf_counter() - began, device=player.device))
    return replace(player.found(done), seconds=time.perf_counter() - began, note=note)


@dataclass(frozen=True, slots=True)
class _Task:
    """Which games are to be played."""

    game: Game
    state: Any
    games: int
    seed: int
    most: int


def _player(task: _Task, device: str, threads: int, world: str) -> tuple[_Interpreted, str]:
    """Who plays the games, and why it is not who was asked for."""
    few = task.games <= TRIAL and device != CUDA and world == "auto"
    why = native.why_interpreted(task.game) if world == "auto" and not few else ""
    if why or few or world == "interpreted":
        return _Interpreted(task), why
    note = ""
    try:
        if device == CUDA or (device == AUTO and task.games > SMALL):
            try:
                return _OnGpu(task), ""
            except (NoDevice, NotNative) as error:
                note = f"{error}; the CPU plays" if device == CUDA else ""
        return _Native(task, threads), note
    except NotNative as error:
        if world == "native":
            raise
        return _Interpreted(task), f"{task.game.title} runs interpreted: {error}"


class _Interpreted:
    """Plays in plain Python."""

    device, least = "cpu, interpreted", 1

    def __init__(self, task: _Task) -> None:
        self.task = task
        self._memory: dict[int, int] = {}

    def play(self, first: int, last: int) -> None:
        """Play the games from a number to below another."""
        task = self.task
        count_kernel(task.game, task.state, task.seed, first, last, task.most, self._memory, 0, 1)

    def word(self, index: int) -> int:
        """A word of the memory."""
        return int(self._memory.get(index, 0))

    def places(self) -> list[int]:
        """Where entries of results are."""
        return [at for at in range(HEAD, HEAD + ENTRY * RESULTS, ENTRY) if self.word(at + KEY)]

    def replay(self, number: int) -> tuple[float, ...]:
        """What a game was worth to each player."""
        task = self.task
        return replay(task.game, task.state, task.seed, number, task.most)[0]

    def found(self, games: int) -> Playouts:
        """All that was counted."""
        if self.word(LOST):
            raise Unsuitable(
                f"{self.task.game.title} has more than {RESULTS:,} different results, too many to count each: "
                "play fewer games"
            )
        counts: dict[tuple[float, ...], int] = {}
        unfinished = 0
        for place in self.places():
            count = self.word(place + COUNT)
            if self.word(place + KEY) == UNFINISHED:
                unfinished = count
            else:
                counts[self.replay(self.word(place + NUMBER))] = count
        results = {values: counts[values] for values in sorted(counts, reverse=True)}
        return Playouts(results, games, self.word(MOVES), unfinished, device=self.device)


class _Native(_Interpreted):
    """Plays in native code, in any number of threads."""

    least = 100

    def __init__(self, task: _Task, threads: int) -> None:
        import numpy

        super().__init__(task)
        self.threads, self.device = threads, f"{CPU}, {threads} thread{'s' * (threads > 1)}"
        self._words = numpy.zeros(memory_size(threads), numpy.int64)
        args = task.state, task.seed, 0, 0, task.most, self._words.ctypes.data, 0
        self._kernel = native.ready(count_kernel, task.game, args, threads)
        self._replay = native.ready(replay, task.game, (task.state, task.seed, 0), task.most)

    def play(self, first: int, last: int) -> None:
        task = self.task
        errors: list[BaseException] = []

        def work(thread: int) -> None:
            try:
                args = task.state, task.seed, first, last, task.most, self._words.ctypes.data, thread, self.threads
                self._kernel(task.game, *args)
            except BaseException as error:
                errors.append(error)

        workers = [with_stack(lambda thread=thread: work(thread)) for thread in range(self.threads)]  # type: ignore[misc]
        for worker in workers:
            worker.join()
        if errors:
            raise native.told(task.game, errors[0])

    def word(self, index: int) -> int:
        return int(self._words[index])

    def places(self) -> list[int]:
        keys = self._words[HEAD : HEAD + ENTRY * RESULTS : ENTRY]
        return [HEAD + ENTRY * int(index) for index in keys.nonzero()[0]]

    def replay(self, number: int) -> tuple[float, ...]:
        task = self.task
        return tuple(self._replay(task.game, task.state, task.seed, number, task.most)[0])


class _OnGpu(_Native):
    """Plays on a GPU."""

    def __init__(self, task: _Task) -> None:
        from zermelo.native.driver import gpu

        super().__init__(task, 1)
        device = gpu()
        args = task.state, task.seed, 0, 0, task.most, 0, 0, 1
        self._program = device.program(count_kernel, task.game, args)
        self.threads = self.least = self._program.threads
        self.device = f"{CUDA}, {device.name}"
        self._memory_there = device.memory(8 * memory_size(self.threads))
        self._words = self._words[: HEAD + ENTRY * (RESULTS + SLOTS)]

    def play(self, first: int, last: int) -> None:
        task = self.task
        args = task.state, task.seed, first, last, task.most, self._memory_there.address
        self._program.launch(args, self.threads)

    def found(self, games: int) -> Playouts:
        self._memory_there.read(self._words)
        return super().found(games)
