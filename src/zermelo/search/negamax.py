"""Negamax: minimax with one rule for both players (the lecture's Any-Player)."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.game import Game
from zermelo.search.tally import Tally, at_horizon


def negamax(game: Game, state: Any, depth: int, tally: Tally) -> float:
    """The value of `state` to the player that `to_move` names there, looking `depth` plies ahead.

    Theorem. In a two-player zero-sum game, negamax(s) = minimax(s, to_move(s)). For what s is worth to
    one player is minus what it is worth to the other, so min over the opponent's values is minus max
    over their negations. The sign changes where the player does, not at every ply: after a move that
    leaves the same player to move, the child's value is already the mover's own.

    At an end the value is the utility to whomever `to_move` names there, so it must name a player there
    too; which one does not matter. `evaluate` must be zero-sum as `utility` is.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    mover = game.to_move(state)
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, mover))
    if depth == 0:
        return at_horizon(game, state, mover, tally)
    best = -inf
    for action in game.actions(state):
        child = game.result(state, action)
        value = negamax(game, child, depth - 1, tally)
        if game.to_move(child) != mover:
            value = -value
        best = max(best, value)
    return best
