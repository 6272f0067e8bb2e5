"""How fast Zermelo is on this machine, mostly as ratios, which mean the same on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from zermelo import native
from zermelo.bench.timing import Work, race
from zermelo.errors import Unsuitable
from zermelo.game import Game
from zermelo.montecarlo.playouts import playouts
from zermelo.registry import load
from zermelo.search.alphabeta import alphabeta
from zermelo.search.perft import perft
from zermelo.search.tally import Tally

Progress = Callable[[str], None]

IMPORT, PEER_IMPORT = "import zermelo", "import typer"
PROGRAM = "from zermelo.cli.main import main; main()"
FIRST_SEARCH = """
import time
start = time.perf_counter()
from zermelo.bench.speed import searching
from zermelo.registry import load
searching(load("connect-four"), 1)()
print(time.perf_counter() - start)
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done for each measurement."""

    rounds: int = 7
    native_depth: int = 9
    interpreted_depth: int = 5
    search_depth: int = 10
    games: int = 100_000
    starts: int = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement. `target` is empty, and `met` None, where there is only something to know."""

    name: str
    measured: float
    unit: str
    target: str = ""
    met: bool | None = None


def speed(sizes: Sizes | None = None, progress: Progress = lambda _: None) -> list[Row]:
    """All measurements, in about 15 seconds; `progress` is told what is being measured."""
    if not native.is_enabled():
        raise Unsuitable("the speed of native code can't be measured while NUMBA_DISABLE_JIT is set: unset it")
    parts = (_perft, _search, _playouts, _start, _program, _compilation)
    return [row for part in parts for row in part(sizes or Sizes(), progress)]


# The works: each gives a function that does it once and tells how much was done.


def counting(game: Game, depth: int, natively: bool = True) -> Work:
    """Perft from the initial state; its amount is leaves."""
    state = game.initial()
    return lambda: int(native.run(perft, game, state, depth, tally=Tally(), native=natively))


def searching(game: Game, depth: int) -> Work:
    """Alpha-beta without a table from the initial state, native; its amount is nodes."""
    state = game.initial()
    player = game.to_move(state)

    def work() -> int:
        tally = Tally()
        native.run(alphabeta, game, state, player, -inf, inf, depth, tally=tally, native=True)
        return tally.nodes

    return work


def playing(game: Game, games: int) -> Work:
    """Random playouts from the initial state, native, in one thread; its amount is games."""
    state = game.initial()

    def work() -> int:
        native.run(playouts, game, state, 0, games, 1, tally=Tally(), native=True)
        return games

    return work


# The measurements.


def _perft(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("perft: generic native code, hand-written native code and plain Python")
    from zermelo.native.flat import perft_connect_four

    game = load("connect-four")
    works = (
        counting(game, sizes.native_depth),
        lambda: perft_connect_four(sizes.native_depth),
        counting(game, sizes.interpreted_depth, natively=False),
    )
    if works[0]() != works[1]():
        raise AssertionError("the hand-written perft counts otherwise than the rules of Connect Four")
    ours, flat, interpreted = race(sizes.rounds, *works)
    yield Row("perft connect-four, native", ours, "leaves/s")
    yield _at_least(0.8, "native perft / hand-written Numba, connect-four", ours / flat, "×")
    yield _at_least(100, "native / interpreted perft, connect-four", ours / interpreted, "×")


def _search(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    for name, depth in (("tic-tac-toe", 9), ("connect-four", sizes.search_depth)):
        progress(f"alpha-beta on {name}")
        work = searching(load(name), depth)
        work()
        yield Row(f"alpha-beta {name} depth {depth}, no table", race(sizes.rounds, work)[0], "nodes/s")


def _playouts(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    for name in ("tic-tac-toe", "connect-four"):
        progress(f"random playouts of {name}")
        work = playing(load(name), sizes.games)
        work()
        yield Row(f"random playouts {name}, one thread", race(sizes.rounds, work)[0], "games/s")


def _start(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("start-up of Python with Zermelo and with Typer")
    times = [(_seconds(IMPORT), _seconds(PEER_IMPORT)) for _ in range(sizes.starts)]
    ours, peer = (min(column) for column in zip(*times, strict=True))
    yield _at_most(1.5, f"{IMPORT} / {PEER_IMPORT}, whole processes", ours / peer, "×")


def _program(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("zermelo best tic-tac-toe")
    times = [_seconds(PROGRAM, "best", "tic-tac-toe") for _ in range(1 + max(2, sizes.starts // 3))]
    yield _at_most(1.0, "zermelo best tic-tac-toe, warm cache", min(times[1:]), "s")


def _compilation(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("compiling alpha-beta for Connect Four, and loading it")
    with tempfile.TemporaryDirectory(prefix="zermelo-bench-") as folder:
        times = [float(_output(FIRST_SEARCH, cache=folder)) for _ in range(1 + max(2, sizes.starts // 3))]
    yield Row("first alpha-beta of connect-four, compiled", times[0], "s")
    yield Row("first alpha-beta of connect-four, loaded from disk", min(times[1:]), "s")


def _at_least(bar: float, name: str, measured: float, unit: str) -> Row:
    return Row(name, measured, unit, f"≥ {bar:g}", measured >= bar)


def _at_most(bar: float, name: str, measured: float, unit: str) -> Row:
    return Row(name, measured, unit, f"≤ {bar:g}", measured <= bar)


def _seconds(code: str, *arguments: str) -> float:
    """How long a Python process with this code takes, from start to end."""
    start = time.perf_counter()
    _output(code, *arguments)
    return time.perf_counter() - start


def _output(code: str, *arguments: str, cache: str = "") -> str:
    environment = {**os.environ, "ZERMELO_CACHE": cache} if cache else None
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
