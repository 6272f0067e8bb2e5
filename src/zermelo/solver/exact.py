"""Solving: the exact value of a position, from the ends of the game alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from zermelo.errors import Unsuitable
from zermelo.game import Game
from zermelo.position import Position
from zermelo.search.decide import decide
from zermelo.search.result import Line, Result
from zermelo.search.tally import DEEPEST

GAMES, PLIES = 30, 40
"""How many random games are played, and how far, to see whether a state comes back."""


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
    game: Game | Position,
    *,
    actions: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    world: str = "auto",
) -> Solution:
    """The exact value of a game or position, and with `actions` of every action in it.

    Raises `Unsuitable` where the limits end before the game does, or where it may never end.

    >>> from zermelo.games.nim import Nim
    >>> solve(Nim(stones=20)).value
    -1.0
    """
    position = game if isinstance(game, Position) else Position(game)
    _refuse_endless(position)
    lines = max(len(position.moves), 1) if actions and not position.is_chance else 1
    depth = None if position.is_terminal else DEEPEST
    found = decide(position, depth=depth, nodes=nodes, seconds=seconds, lines=lines, world=world)
    if {found.kind, *(line.kind for line in found.lines)} != {"exact"}:
        raise Unsuitable(f"{position.game.title} is not solved from here: {_shortage(found)}")
    how = found.nodes, found.seconds, found.algorithm, found.world, found.note
    return Solution(found.value, found.line, found.lines, found.values, *how)


def _refuse_endless(position: Position) -> None:
    """`Unsuitable` where the game says that states come back, or where a little random play shows it."""
    game, state = position.game, position.state
    if game.repeats:
        raise Unsuitable(f"states of {game.title} can come back, so play may never end: search it with a depth instead")
    dice = random.Random(0)
    for _ in range(GAMES if _is_hashable(state) else 0):
        returned = _returning(game, state, dice)
        if returned is not None:
            raise Unsuitable(
                f"{game.title} comes back to {game.describe(returned)}, so play may never end: set repeats = True and "
                "search it with a depth, or count the moves in the state"
            )


def _returning(game: Game, state: Any, dice: random.Random) -> Any:
    """The first state that comes back in one random game, or None."""
    seen = {state}
    for _ in range(PLIES):
        if game.is_terminal(state):
            break
        state = game.result(state, dice.choice(game.legal(state)))
        if state in seen:
            return state
        seen.add(state)
    return None


def _is_hashable(state: Any) -> bool:
    try:
        hash(state)
    except TypeError:
        return False
    return True


def _shortage(found: Result) -> str:
    """What there was too little of, and what to do."""
    if found.depth == 0:
        return f"limits were reached after {found.nodes:,} nodes: give more, or a position nearer to the end"
    return (
        f"{DEEPEST:,} moves were not enough after {found.nodes:,} nodes: give a position nearer to the end, "
        "or search it with a depth"
    )
