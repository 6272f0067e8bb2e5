"""Solving: the exact value of a position, from the ends of the game alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.errors import Unsuitable
from zermelo.game import Game
from zermelo.position import Position
from zermelo.search.decide import decide
from zermelo.search.result import Line
from zermelo.search.tally import DEEPEST


@dataclass(frozen=True, slots=True)
class Solution:
    """An exact value, seen by the player to move, with the exact value of each action asked for, best first."""

    value: float
    line: tuple[Any, ...]
    actions: tuple[Line, ...]
    values: tuple[float, ...]
    nodes: int
    seconds: float
    algorithm: str
    world: str
    note: str


def solve(
    game: Game | Position, *, actions: bool = False, nodes: int | None = None, seconds: float | None = None
) -> Solution:
    """The exact value of a game or position, and with `actions` of every action in it.

    Raises `Unsuitable` where the limits end before the game does, or where it may never end.

    >>> from zermelo.games.nim import Nim
    >>> solve(Nim(stones=20)).value
    -1.0
    """
    position = game if isinstance(game, Position) else Position(game)
    title = position.game.title
    if position.game.repeats:
        raise Unsuitable(f"states of {title} can come back, so play may never end: search it with a depth instead")
    lines = max(len(position.moves), 1) if actions and not position.is_chance else 1
    depth = None if position.is_terminal else DEEPEST
    found = decide(position, depth=depth, nodes=nodes, seconds=seconds, lines=lines)
    if found.kind != "exact":
        reason = "limits were reached" if found.depth == 0 else f"{DEEPEST:,} moves were not enough"
        raise Unsuitable(f"{title} is not solved from here: {reason} after {found.nodes:,} nodes")
    how = found.nodes, found.seconds, found.algorithm, found.world, found.note
    return Solution(found.value, found.line, found.lines, found.values, *how)
