"""Leaf counts of chess beside others: Stockfish's own `go perft`, and rust-chess, whose moves Python walks through.

All of them count the moves of the last ply instead of playing them.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from zermelo.bench.contest import Sizes, announce, judged, modules, why_absent
from zermelo.bench.rows import Comparison, Progress, at_least
from zermelo.bench.timing import Run, Side, contend
from zermelo.bench.works import counting
from zermelo.games.chess import Chess

STOCKFISH, RUST_CHESS, RUST_MODULE = "stockfish", "rust-chess", "rust_chess"
PLACES = (STOCKFISH, "/usr/games/stockfish")
"""Where the program may be: on the path, or where Debian has it."""
NO_STOCKFISH = "not found: install the program, which many systems have as a package of its own"


def leaves(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """Chess from the start: Stockfish to the full depth, rust-chess a ply less."""
    progress(f"{_work(sizes.perft)}: {STOCKFISH}")
    yield _against_stockfish(sizes)
    progress(f"{_work(sizes.perft - 1)}: {RUST_CHESS}")
    yield _against_rust_chess(sizes)


def _work(depth: int) -> str:
    return f"leaves of chess to depth {depth}, counted"


def _counted(depth: int) -> Side:
    """Zermelo's side, by the time of all its threads: it counts in one of its own."""
    count = counting(Chess(), depth)
    count()

    def side() -> Run:
        start = time.process_time()
        found = count()
        return Run(time.process_time() - start, (found,))

    return side


# Stockfish: a program that runs and waits to be asked.


class Stockfish:
    """The program at a path; `version` is what it says it is."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> Stockfish:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([self.path], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.version = self._asked("uci", "id name").rpartition(" ")[2]
        self._asked("isready", "readyok")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def count(self, depth: int) -> Run:
        """Its leaves from the start, and the processor's time for them."""
        clock = clock_of(self.process.pid)
        start = clock()
        found = self._asked(f"go perft {depth}", "Nodes searched")
        return Run(clock() - start, (int(found.rpartition(":")[2]),))

    def _asked(self, order: str, expected: str) -> str:
        """The line of its answer that begins as expected; `ImportError` if it ends before that."""
        asked, told = self.process.stdin, self.process.stdout
        assert asked is not None
        assert told is not None
        with suppress(BrokenPipeError):
            asked.write(order + "\n")
            asked.flush()
        for line in told:
            if line.startswith(expected):
                return line.strip()
        raise ImportError(f"{self.path} has ended at {order!r}")


def clock_of(process: int) -> Callable[[], float]:
    """The clock of another process's time on the processors, where the system has one; else that of the wall."""
    number = ~process << 3 | 2  # as Linux numbers them
    try:
        time.clock_gettime(number)
    except (AttributeError, OSError):
        return time.perf_counter
    return partial(time.clock_gettime, number)


def _against_stockfish(sizes: Sizes) -> Comparison:
    target = at_least(0.3)
    row = Comparison(_work(sizes.perft), STOCKFISH, "leaves/s", target=str(target))
    path = next(filter(None, map(shutil.which, PLACES)), None)
    if path is None:
        return replace(row, note=NO_STOCKFISH)
    try:
        with Stockfish(path) as program:
            row = replace(row, version=program.version)
            return judged(
                row, *contend(sizes.rounds, _counted(sizes.perft), lambda: program.count(sizes.perft)), target
            )
    except (ImportError, OSError) as error:
        return replace(row, note=f"can't be run: {error}")


# rust-chess: rules in Rust, a loop in Python.


def _against_rust_chess(sizes: Sizes) -> Comparison:
    target, depth = at_least(1), sizes.perft - 1
    row = announce(_work(depth), RUST_CHESS, RUST_CHESS, "leaves/s", target)
    try:
        (library,) = modules(RUST_MODULE)
    except ImportError as error:
        return replace(row, note=why_absent(error, RUST_MODULE))
    return judged(row, *contend(sizes.rounds, _counted(depth), partial(rust_side, library, depth)), target)


def rust_side(library: Any, depth: int) -> Run:
    """One run of rust-chess from the start, which is told to keep no list of earlier positions."""
    board = library.Board(mode=library.RepetitionDetectionMode.NONE)
    start = time.thread_time()
    found = _walked(board, depth)
    return Run(time.thread_time() - start, (found,))


def _walked(board: Any, depth: int) -> int:
    if depth <= 1:
        return int(board.get_generator_num_remaining())
    play = board.make_move_new
    if depth == 2:
        return sum(play(move, False).get_generator_num_remaining() for move in board.generate_legal_moves())
    return sum(_walked(play(move, False), depth - 1) for move in board.generate_legal_moves())
