"""How long it takes until the engine is ready for a game: compiled anew, and from the folder of compiled code."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from zermelo import native
from zermelo.bench.process import output
from zermelo.bench.rows import Progress, Row, at_most, row
from zermelo.errors import Unsuitable
from zermelo.registry import BUILT_IN, load
from zermelo.search.suitability import suits

COLD, WARM = at_most(20), at_most(1)
STARTS = 3
"""How many processes load what another one compiled; the quickest counts."""
PREPARE = """
import sys, time
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.registry import load
game = load(sys.argv[1])
start = time.perf_counter()
Machine(game, Options(), natively=True).prepare(game.initial())
print(time.perf_counter() - start)
"""


def compilation(names: Sequence[str] = (), starts: int = STARTS, progress: Progress = lambda _: None) -> list[Row]:
    """Two rows for each game, by default for all built-in ones that the engine serves."""
    if not native.is_enabled():
        raise Unsuitable("compiling can't be measured while NUMBA_DISABLE_JIT is set: unset it")
    return [each for name in names or served() for each in _measured(name, starts, progress)]


def served() -> list[str]:
    """The built-in games for the engine: two opponents and no chance."""
    return [name for name in BUILT_IN if not suits("pvs", load(name))]


def _measured(name: str, starts: int, progress: Progress) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="zermelo-bench-") as folder:
        progress(f"{name}, compiled")
        yield row(f"{name}, compiled", _seconds(name, folder), "s", COLD)
        progress(f"{name}, from the cache")
        yield row(f"{name}, from the cache", min(_seconds(name, folder) for _ in range(starts)), "s", WARM)


def _seconds(name: str, folder: str) -> float:
    """How long a new process takes to be ready, with a folder for compiled code."""
    return float(output(PREPARE, name, cache=folder))
