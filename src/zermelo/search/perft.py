"""Counting the leaves of the game tree: the classic proof that rules are right, and a measure of speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import LimitReached
from zermelo.game import CHANCE

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally


def perft(game: Game, state: Any, depth: int, tally: Tally) -> int:
    """How many ways of exactly `depth` moves there are from `state`; games that end sooner don't count."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    total = 0
    for action in game.actions(state):
        total += perft(game, game.result(state, action), depth - 1, tally)
    return total


def perft_with_chance(game: Game, state: Any, depth: int, tally: Tally) -> int:
    """The same for a game with chance, each outcome counted as a move."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    total = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += perft_with_chance(game, game.result(state, action), depth - 1, tally)
    else:
        for action in game.actions(state):
            total += perft_with_chance(game, game.result(state, action), depth - 1, tally)
    return total
