"""Chess positions with known answers: best moves, mates, and leaf counts, from files of EPD."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from zermelo.engine.engine import Engine
from zermelo.engine.options import Options
from zermelo.errors import BadInput
from zermelo.games.chess import Chess, epd
from zermelo.position import Position
from zermelo.search.decide import checked
from zermelo.search.perft import count_leaves
from zermelo.search.result import Limits, Result
from zermelo.search.tally import DEEPEST

T = TypeVar("T")

MOST_LINES = 100_000
DEPTH, NUMBER = re.compile("D[0-9]{1,2}"), re.compile("[0-9]{1,18}")
"""How published counts are written."""
EVERYTHING: dict[str, Any] = {"selective": False, "null_move": False, "quiescence": 0, "extension": False}
"""Switches for a search that leaves nothing out, and looks no further than its depth."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A position and what came of it: the move played, the moves wanted (nothing: any that mates), whether it is right.

    `mate` is in how many moves of its own the mover mates for sure, 0 where that is not known.
    """

    name: str
    position: str
    played: str
    wanted: tuple[str, ...]
    solved: bool
    value: float
    mate: int
    depth: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Counted:
    """A leaf count beside the published one."""

    position: str
    depth: int
    leaves: int
    published: int
    seconds: float

    @property
    def right(self) -> bool:
        return self.leaves == self.published


def entries(path: str, game: Chess, read: Callable[[epd.Entry], T]) -> list[T]:
    """What is read from each position of a file, a line each; `BadInput` names the line that can't be read."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path} can't be read: {getattr(error, 'strerror', None) or 'it is no text in UTF-8'}"
        ) from None
    found = []
    for number, line in enumerate(lines[:MOST_LINES], 1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(read(epd.read(game, line)))
            except BadInput as error:
                raise BadInput(f"{path} line {number}: {error}") from None
    if not found:
        raise BadInput(f"{path} has no positions: give a file of EPD, one position a line")
    return found


def solve_each(
    path: str,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    mate: int | None = None,
    options: Options | None = None,
) -> Iterator[Tried]:
    """Each position of a file, thought about afresh: right is a move that `bm` names, or none that `am` does; with
    neither, a forced mate; with `mate`, one in as many moves at most, for which everything is looked at."""
    game = Chess()
    if mate is not None and mate < 1:
        raise BadInput(f"a mate is in 1 move or more, not in {mate}")
    if mate is not None:
        options = replace(options or Options(), **EVERYTHING)
        depth = min(2 * mate - 1, depth or DEEPEST)
    checked(Limits(depth, nodes, seconds), 1, "native")
    known = entries(path, game, partial(Problem.of, game))
    engine = Engine(game, options, world="native")
    engine.prepare()
    for number, problem in enumerate(known, 1):
        engine.forget()
        engine.set_position(Position(game, problem.entry.state))
        found = engine.go(depth=depth, nodes=nodes, seconds=seconds).result()
        yield _judged(game, problem, number, found, mate)


class Problem(NamedTuple):
    """A position that is to be solved, with the actions that are right, or else those that are wrong."""

    entry: epd.Entry
    best: tuple[int, ...]
    avoided: tuple[int, ...]

    @classmethod
    def of(cls, game: Chess, entry: epd.Entry) -> Problem:
        """The problem on a line; `BadInput` if nothing is to be found there."""
        if game.is_terminal(entry.state):
            raise BadInput(f"the game is over in {game.format_state(entry.state)}, so there is no move to find")
        return cls(entry, entry.actions(game, "bm"), entry.actions(game, "am"))


def _judged(game: Chess, problem: Problem, number: int, found: Result, most: int | None) -> Tried:
    entry, best, avoided = problem
    state = entry.state
    moves = (found.plies + 1) // 2 if found.plies is not None and found.value > 0 else 0
    if most is not None or not (best or avoided):
        solved = 0 < moves <= (most or moves)
    else:
        solved = found.action in best if best else found.action not in avoided
    written: Callable[[Any], str] = lambda action: game.format_action(state, action)  # noqa: E731
    wanted = tuple(written(action) for action in best) + tuple(f"not {written(action)}" for action in avoided)
    text = game.format_state(state)
    name = entry.name or f"position {number}"
    how = found.value, moves, found.depth, found.nodes, found.seconds
    return Tried(name, text, written(found.action), wanted, solved, *how)


def count_each(path: str, most: int | None = None) -> Iterator[Counted]:
    """The leaf counts that a file gives (`;D1 20 ;D2 400`), counted again; none of more than `most` leaves."""
    game = Chess(dead=False)
    known = [(entry, published) for entry, counts in entries(path, game, _counts) for published in counts.items()]
    if not known:
        raise BadInput(f"{path} has no counts: write them behind the positions, as in ;D1 20 ;D2 400")
    for entry, (depth, published) in known:
        if most is None or published <= most:
            count = count_leaves(Position(game, entry.state), depth, "native")
            yield Counted(game.format_state(entry.state), depth, count.leaves, published, count.seconds)


def _counts(entry: epd.Entry) -> tuple[epd.Entry, dict[int, int]]:
    """A position with its published counts, by depth."""
    found = {}
    for name, operands in entry.operations.items():
        if DEPTH.fullmatch(name):
            if len(operands) != 1 or not NUMBER.fullmatch(operands[0]):
                raise BadInput(f"{name} has {' '.join(operands)!r} for a count: write it as in D1 20")
            found[int(name[1:])] = int(operands[0])
    return entry, found
