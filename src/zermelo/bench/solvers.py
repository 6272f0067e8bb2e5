"""Programs made for one game, beside the engine: bitbully (Connect Four, C++), rust-reversi (Othello, Rust), Edax.

Both sides hold the watch themselves, so that what it takes to begin (compiling, starting, parsing) is not counted.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from zermelo.bench.contest import MISSING, Sizes, announce, judged, modules, why_absent
from zermelo.bench.positions import Problem, connect_four, opened, othello, played
from zermelo.bench.rows import Comparison, Progress, at_least, at_most
from zermelo.bench.timing import Run, Side, contend
from zermelo.bench.variants import DISCS_WON, DiscOthello
from zermelo.bench.works import deciding, solving
from zermelo.engine.options import Options
from zermelo.games.othello import Othello
from zermelo.position import Position


def solvers(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """All comparisons with programs made for one game."""
    yield from _bitbully(sizes, progress)
    yield from _rust_reversi(sizes, progress)
    yield _edax(sizes, progress)


# bitbully has a process of its own, since its licence (AGPL) is not one that Zermelo could import.

BITBULLY = "bitbully"
METHODS = ("mtdf", "nullWindow")
FILES = ("end_easy", "middle_easy", "middle_medium", "begin_easy")
HARD = "begin_medium"
SOLVER = """
import json, sys, time
from bitbully import bitbully_core
core = bitbully_core.BitBullyCore()
for line in sys.stdin:
    method, games = json.loads(line)
    boards = []
    for columns in games:
        boards.append(bitbully_core.BoardCore())
        assert boards[-1].setBoard(columns)
    solve = core.nullWindow if method == "nullWindow" else lambda board: core.mtdf(board, 0)
    core.resetTranspositionTable()
    core.resetNodeCounter()
    start = time.thread_time()
    values = [solve(board) for board in boards]
    print(json.dumps([time.thread_time() - start, values, core.getNodeCounter()]), flush=True)
"""
"""Reads a method and lists of columns from 0, solves them with a table that is empty at first, without a book."""


class Bitbully:
    """The program, running and waiting for positions to solve."""

    def __enter__(self) -> Bitbully:
        command, pipe = [sys.executable, "-c", SOLVER], subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def solve(self, method: str, positions: Sequence[Position]) -> Run:
        """The values of positions by one of its methods; `ImportError` with its last words if it has ended."""
        asked, told, words = self.process.stdin, self.process.stdout, self.process.stderr
        assert asked is not None
        assert told is not None
        assert words is not None
        with suppress(BrokenPipeError):
            asked.write(json.dumps([method, [list(position.history) for position in positions]]) + "\n")
            asked.flush()
        answer = told.readline()
        if not answer:
            raise ImportError(words.read().strip().rpartition("\n")[2])
        seconds, values, nodes = json.loads(answer)
        return Run(seconds, tuple(values), nodes)


def _bitbully(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """Files of positions one by one, the easier ones together, and the harder one, by time and by nodes per second."""
    solve = partial(announce, "solving connect four", BITBULLY, BITBULLY)
    if importlib.util.find_spec(BITBULLY) is None:
        yield replace(solve("s"), note=MISSING)
        return
    runs, right = [], []
    with Bitbully() as program:
        for name in (*FILES, HARD):
            progress(f"solving connect four: {BITBULLY}, {name}")
            problems = connect_four(name, sizes.hard if name == HARD else sizes.easy)
            positions = [problem.position for problem in problems]
            ways = [partial(program.solve, method, positions) for method in METHODS]
            try:
                runs.append(contend(sizes.long_rounds, solving(positions), *ways))
            except ImportError as error:
                yield replace(solve("s"), note=why_absent(error))
                return
            right.append([problem.value for problem in problems])
    for name, pair, values in zip(FILES, runs, right, strict=False):
        yield judged(replace(solve("s"), part=name), *pair, right=values)
    hard, pair = runs[-1], (_together([ours for ours, _ in runs[:-1]]), _together([theirs for _, theirs in runs[:-1]]))
    every = [value for values in right[:-1] for value in values]
    yield judged(replace(solve("s"), part="these four"), *pair, at_most(1), every)
    yield judged(replace(solve("s"), part=HARD), *hard, at_most(1.2), right[-1])
    yield judged(replace(solve("nodes/s"), part="these four"), *pair, at_least(1), every)
    yield judged(replace(solve("nodes/s"), part=HARD), *hard, at_least(1), right[-1])


def _together(runs: Sequence[Run]) -> Run:
    """Several runs as one."""
    values = tuple(value for run in runs for value in run.values)
    return Run(sum(run.seconds for run in runs), values, sum(run.nodes or 0 for run in runs))


# rust-reversi: alpha-beta, which orders by the evaluation, has no table and only tells who wins, not by how much.

RUST, RUST_PACKAGE = "rust-reversi", "rust_reversi"


def _rust_reversi(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """The value to some depths with equal leaves, and who wins with few empty squares."""
    game = DiscOthello()
    middle = opened(game)[: sizes.othello]
    for depth in sizes.othello_depths:
        work = f"othello to depth {depth}, leaves are the lead in discs"
        progress(f"{work}: {RUST}")
        ours = deciding(middle, depth, Options(extension=False))
        yield _against_rust(work, sizes, ours, Searched(middle, depth, ("PieceEvaluator",), 1))
    work = f"who wins othello, {sizes.empties} empty squares"
    progress(f"{work}: {RUST}")
    late = [played(game, sizes.empties, seed) for seed in range(sizes.endings)]
    whole = Othello(margin=0)
    ours = solving([Position(whole, position.state) for position in late])
    evaluators = "PieceEvaluator", "LegalNumEvaluator"
    yield _against_rust(work, sizes, ours, Searched(late, sizes.empties, evaluators, DISCS_WON))


class Searched(NamedTuple):
    """What rust-reversi searches: positions to a depth, by some evaluators, its scores in units of `unit`."""

    positions: Sequence[Position]
    depth: int
    evaluators: Sequence[str]
    unit: int

    def side(self, library: Any, evaluator: str) -> Run:
        """One run. It looks `depth` plies beyond each move of the position; passing takes none of them."""
        search = library.AlphaBetaSearch(getattr(library, evaluator)(), self.depth - 1, DISCS_WON)
        boards = [library.Board() for _ in self.positions]
        for board, position in zip(boards, self.positions, strict=True):
            squares, mover = position.game.format_state(position.state).split()
            board.set_board_str(squares, library.Turn.BLACK if mover == "X" else library.Turn.WHITE)
        start = time.thread_time()
        scores = [search.get_search_score(board) for board in boards]
        return Run(time.thread_time() - start, tuple(score / self.unit for score in scores))


def _against_rust(work: str, sizes: Sizes, ours: Side, theirs: Searched) -> Comparison:
    row, target = announce(work, RUST, RUST, "positions/s"), at_least(1)
    try:
        (library,) = modules(RUST_PACKAGE)
    except ImportError as error:
        return replace(row, target=str(target), note=why_absent(error, RUST_PACKAGE))
    ways = [partial(theirs.side, library, evaluator) for evaluator in theirs.evaluators]
    return judged(row, *contend(sizes.rounds, ours, *ways), target)


# Edax is not run here: its figures are published ones, from another machine.

EDAX, EDAX_VERSION, EDAX_SECONDS, EDAX_NODES = "Edax", "4.6", 20.0, 471_000_000
"""For FFO 40 to 44 in one thread, without its weights."""
ENDGAME_TABLE = 256
"""MiB."""


def _edax(sizes: Sizes, progress: Progress) -> Comparison:
    """The time for FFO 40 to 44, in one thread; a best move and its value must be right in each."""
    progress("othello endgames")
    problems = othello(sizes.endgames, sizes.endgame_count)
    ours = solving([problem.position for problem in problems], Options(table=ENDGAME_TABLE))()
    theirs = Run(EDAX_SECONDS, tuple(problem.value for problem in problems), EDAX_NODES)
    row = Comparison(f"othello, {sizes.endgames} (Edax as published, elsewhere)", EDAX, "s", version=EDAX_VERSION)
    missed = sum(not _is_best(problem, action) for problem, action in zip(problems, ours.actions, strict=True))
    if missed:
        return replace(row, note=f"Zermelo's move is not a best one in {missed} of {len(problems)} positions")
    return judged(row, ours, theirs, at_most(3))


def _is_best(problem: Problem, action: Any) -> bool:
    position = problem.position
    return position.game.format_action(position.state, action) in problem.best
