"""How fast Zermelo is on this machine, mostly as ratios, which mean the same on every machine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import native
from zermelo.bench.process import output
from zermelo.bench.rows import Progress, Row, at_least, at_most, row
from zermelo.bench.timing import race
from zermelo.bench.works import counting, playing, searching
from zermelo.errors import Unsuitable
from zermelo.registry import load

IMPORT, PEER_IMPORT = "import zermelo", "import typer"
PROGRAM = "from zermelo.cli.main import main; main()"
FIRST_SEARCH = """
import time
start = time.perf_counter()
from zermelo.bench.works import searching
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


def speed(sizes: Sizes | None = None, progress: Progress = lambda _: None) -> list[Row]:
    """All measurements, in about 15 seconds; `progress` is told what is being measured."""
    if not native.is_enabled():
        raise Unsuitable("the speed of native code can't be measured while NUMBA_DISABLE_JIT is set: unset it")
    parts = (_perft, _search, _playouts, _start, _program, _compilation)
    return [row for part in parts for row in part(sizes or Sizes(), progress)]


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
    yield row("perft connect-four, native", ours, "leaves/s")
    yield row("native perft / hand-written Numba, connect-four", ours / flat, "×", at_least(0.8))
    yield row("native / interpreted perft, connect-four", ours / interpreted, "×", at_least(100))


def _search(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    for name, depth in (("tic-tac-toe", 9), ("connect-four", sizes.search_depth)):
        progress(f"alpha-beta on {name}")
        work = searching(load(name), depth)
        work()
        yield row(f"alpha-beta {name} depth {depth}, no table", race(sizes.rounds, work)[0], "nodes/s")


def _playouts(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    for name in ("tic-tac-toe", "connect-four"):
        progress(f"random playouts of {name}")
        work = playing(load(name), sizes.games)
        work()
        yield row(f"random playouts {name}, one thread", race(sizes.rounds, work)[0], "games/s")


def _start(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("start-up of Python with Zermelo and with Typer")
    times = [(_seconds(IMPORT), _seconds(PEER_IMPORT)) for _ in range(sizes.starts)]
    ours, peer = (min(column) for column in zip(*times, strict=True))
    yield row(f"{IMPORT} / {PEER_IMPORT}, whole processes", ours / peer, "×", at_most(1.5))


def _program(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("zermelo best tic-tac-toe")
    times = [_seconds(PROGRAM, "best", "tic-tac-toe") for _ in range(1 + max(2, sizes.starts // 3))]
    yield row("zermelo best tic-tac-toe, warm cache", min(times[1:]), "s", at_most(1))


def _compilation(sizes: Sizes, progress: Progress) -> Iterator[Row]:
    progress("compiling alpha-beta for Connect Four, and loading it")
    with tempfile.TemporaryDirectory(prefix="zermelo-bench-") as folder:
        times = [float(output(FIRST_SEARCH, cache=folder)) for _ in range(1 + max(2, sizes.starts // 3))]
    yield row("first alpha-beta of connect-four, compiled", times[0], "s")
    yield row("first alpha-beta of connect-four, loaded from disk", min(times[1:]), "s")


def _seconds(code: str, *arguments: str) -> float:
    """How long a Python process with this code takes, from start to end."""
    start = time.perf_counter()
    output(code, *arguments)
    return time.perf_counter() - start
