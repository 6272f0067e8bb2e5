"""Expectiminimax: minimax where dice or cards also move."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.game import CHANCE, Game
from zermelo.search.luck import outcomes
from zermelo.search.tally import Tally, at_horizon


def expectiminimax(game: Game, state: Any, player: int, depth: int, tally: Tally) -> float:
    """The expected value of `state` to `player` (Max), looking `depth` plies ahead; chance's turn is a ply.

    Theorem. With two players and constant sum, Max can make sure of at least this much on average, and
    Min of Max getting no more on average, if `tally.horizon` stays 0. With one player (expectimax) it is
    the best average that can be reached. Everybody but `player` is taken to want `player`'s value low,
    so with more players, or a sum that varies, it is only what `player` can be held to: use maxn there.

    Values are averaged, so they mean something in themselves, not only in their order: decisions survive
    positive linear transformations of the utility, and no others.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    mover = game.to_move(state)
    if mover == CHANCE:
        value = 0.0
        for action, probability in outcomes(game, state):
            value += probability * expectiminimax(game, game.result(state, action), player, depth - 1, tally)
    elif mover == player:
        value = -inf
        for action in game.actions(state):
            value = max(value, expectiminimax(game, game.result(state, action), player, depth - 1, tally))
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, expectiminimax(game, game.result(state, action), player, depth - 1, tally))
    return value
