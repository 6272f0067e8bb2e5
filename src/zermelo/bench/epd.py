"""Chess positions with known answers: best moves, mates, and leaf counts, from files of EPD."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.engine.engine import Engine
from zermelo.engine.options import Options
from zermelo.errors import BadInput
from zermelo.games.chess import Chess, epd
from zermelo.position import Position
from zermelo.search.perft import count_leaves
from zermelo.search.result import Result
from zermelo.search.tally import DEEPEST

MOST_LINES = 100_000
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


def entries(path: str, game: Chess) -> list[epd.Entry]:
    """The positions of a file, a line each; `BadInput` names the line that can't be read."""
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
                found.append(epd.read(game, line))
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
    if mate is not None:
        options = replace(options or Options(), **EVERYTHING)
        depth = min(2 * mate - 1, depth or DEEPEST)
    engine = Engine(game, options, world="native")
    known = entries(path, game)
    engine.prepare()
    for number, entry in enumerate(known, 1):
        engine.forget()
        engine.set_position(Position(game, entry.state))
        found = engine.go(depth=depth, nodes=nodes, seconds=seconds).result()
        yield _judged(game, entry, number, found, mate)


def _judged(game: Chess, entry: epd.Entry, number: int, found: Result, most: int | None) -> Tried:
    state = entry.state
    best, avoided = entry.actions(game, "bm"), entry.actions(game, "am")
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
    for entry in entries(path, game):
        position = Position(game, entry.state)
        for name, operands in entry.operations.items():
            if name[0] != "D" or not name[1:].isdigit() or len(operands) != 1 or not operands[0].isdigit():
                continue
            published = int(operands[0])
            if most is None or published <= most:
                started = time.monotonic()
                count = count_leaves(position, int(name[1:]), "native")
                spent = min(count.seconds, time.monotonic() - started)
                yield Counted(game.format_state(entry.state), int(name[1:]), count.leaves, published, spent)
