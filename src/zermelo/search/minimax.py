"""Minimax: what a state is worth to one player if everybody plays as well as can be."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.game import Game
from zermelo.search.tally import Tally, at_horizon


def minimax(game: Game, state: Any, player: int, depth: int, tally: Tally) -> float:
    """The value of `state` to `player` (Max), looking `depth` plies ahead.

    Theorem (von Neumann, 1928). In a finite game of two players, constant sum, perfect information and
    no chance, Max can make sure of at least this value, and Min of Max getting no more, if the search
    never met its horizon (`tally.horizon` stays 0). Otherwise it is the same for the game that ends at
    the horizon with `evaluate` as its payoff. With one player it is the best that can be reached.

    Every node is visited: time O(b^h), space O(bh). A state that is not terminal and has no actions is
    a fault of the game; its mover, with nothing to choose, gets an infinitely bad value.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    if game.to_move(state) == player:
        value = -inf
        for action in game.actions(state):
            value = max(value, minimax(game, game.result(state, action), player, depth - 1, tally))
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, minimax(game, game.result(state, action), player, depth - 1, tally))
    return value
