"""Counting the leaves of the game tree: the classic proof that rules are right, and a measure of speed."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from zermelo import native
from zermelo.errors import BadInput, LimitReached, NotNative
from zermelo.game import CHANCE, Game
from zermelo.position import Position
from zermelo.search.tally import NO_LIMIT, TRIAL, Tally


def perft(game: Game, state: Any, depth: int, tally: Tally) -> int:
    """How many ways of exactly `depth` moves there are from `state`; games that end sooner don't count.

    Each outcome of chance is a move.
    """
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if depth == 1 and not game.has_chance:
        return game.count_actions(state)
    total = 0
    if game.has_chance and game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += perft(game, game.result(state, action), depth - 1, tally)
    else:
        for action in game.actions(state):
            total += perft(game, game.result(state, action), depth - 1, tally)
    return total


class Count(NamedTuple):
    """A leaf count, the world that counted it, and how long that took, compiling and trial left out.

    `note` says why it was not the native world.
    """

    leaves: int
    world: str
    seconds: float
    note: str = ""


def count_leaves(position: Position, depth: int, world: str = "auto") -> Count:
    """`perft` of a position: quick ones interpreted, others native where the game can be."""
    game = position.game
    if world not in ("auto", "interpreted", "native"):
        raise BadInput(f"there is no world {world!r}: use auto, interpreted or native")
    if world == "native":
        return _count(position, depth, Tally(), natively=True)
    limit = TRIAL if world == "auto" else NO_LIMIT
    try:
        return _count(position, depth, Tally(limit), natively=False)
    except LimitReached:
        note = native.why_interpreted(game)
    if not note:
        try:
            return count_leaves(position, depth, "native")
        except NotNative as error:
            note = f"{game.title} runs interpreted: {error}"
    return count_leaves(position, depth, "interpreted")._replace(note=note)


def _count(position: Position, depth: int, tally: Tally, natively: bool) -> Count:
    args = perft, position.game, position.state, depth
    if natively:
        native.prepare_run(*args, tally=tally)
    started = time.monotonic()
    leaves = native.run(*args, tally=tally, native=natively)
    return Count(leaves, "native" if natively else "interpreted", time.monotonic() - started)
