"""A contest with another library: both sides do the same work in turns, and each counts by its best round."""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

from zermelo.bench.rows import Comparison, Target
from zermelo.bench.timing import Run, Work, race

MISSING = "not installed: pip install 'zermelo[bench]'"

Prepared = tuple[int, Callable[[], Any]]
"""How much a peer's work amounts to, as an instrumented run found it, and the work itself."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done: rounds of what is quick, the plies of plain searches and of leaf counts, games, and positions
    of each kind.

    What takes seconds is done in `long_rounds`.
    """

    rounds: int = 7
    long_rounds: int = 2
    depth: int = 8
    deep: int = 10
    native_games: int = 50_000
    peer_games: int = 20_000
    python_games: int = 200
    simulations: int = 200_000
    easy: int = 500
    hard: int = 100
    othello_depths: tuple[int, ...] = (8, 10)
    othello: int = 6
    empties: int = 12
    endings: int = 20
    endgames: str = "ffo_40_44"
    endgame_count: int = 5
    perft: int = 6


class Contest(NamedTuple):
    """A work that a peer and Zermelo both do; `prepare` imports the peer."""

    work: str
    peer: str
    package: str
    prepare: Callable[[], Prepared]
    zermelo: Work
    target: Target | None = None
    unit: str = "nodes/s"


def compare(contest: Contest, rounds: int) -> Comparison:
    """Both sides of a contest, in turns, each by its best round."""
    row = announce(contest.work, contest.peer, contest.package, contest.unit, contest.target)
    with silence():
        try:
            amount, work = contest.prepare()
        except ImportError as error:
            return replace(row, note=why_absent(error, contest.package))
        done = contest.zermelo()
        theirs, ours = race(rounds, partial(_counted, work, amount), contest.zermelo)
    if contest.unit == "nodes/s":
        row = replace(row, peer_nodes=amount, zermelo_nodes=done)
    return row.with_figures(theirs, ours, contest.target)


def announce(work: str, peer: str, package: str, unit: str, target: Target | None = None) -> Comparison:
    """A comparison with nothing measured yet."""
    return Comparison(work, peer, unit, version=version(package), target=str(target or ""))


def judged(
    row: Comparison, ours: Run, theirs: Run, target: Target | None = None, right: Sequence[float] = ()
) -> Comparison:
    """A comparison of two runs, by time (`s`), nodes, leaves (the values) or positions per second; no figures for
    wrong values."""
    row = replace(row, target=str(target or ""), peer_nodes=theirs.nodes, zermelo_nodes=ours.nodes)
    found = zip(ours.values, theirs.values, right or ours.values, strict=True)
    wrong = sum(not own == other == value for own, other, value in found)
    if wrong:
        return replace(row, note=f"values differ in {wrong} of {len(ours.values)} positions of {row.part or row.work}")
    return row.with_figures(_figure(row.unit, theirs), _figure(row.unit, ours), target)


def _figure(unit: str, run: Run) -> float:
    if unit == "s":
        return run.seconds
    amount = {"nodes/s": run.nodes, "leaves/s": sum(run.values)}.get(unit, len(run.values))
    assert amount is not None
    return amount / run.seconds


def version(package: str) -> str:
    """The version of a package, or nothing where it is not installed."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return ""


def why_absent(error: ImportError, *packages: str) -> str:
    """Why there is no comparison with somebody who could not be imported."""
    absent = isinstance(error, ModuleNotFoundError) and error.name in (*packages, "pyspiel")
    return MISSING if absent else f"can't be imported: {error}"


def modules(*names: str) -> tuple[Any, ...]:
    """The modules of these names, imported now."""
    return tuple(importlib.import_module(name) for name in names)


def _counted(work: Callable[[], Any], amount: int) -> int:
    work()
    return amount


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Keep warnings and words of the peers from the user's screen."""
    nowhere = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        yield
