"""Alpha-beta: minimax without the nodes that can't change the answer, in its three textbook forms.

`alpha` is what Max, and `beta` what Min, is already sure of elsewhere on the path to the state.
All three return minimax's value for alpha = -inf and beta = inf; they differ in what they say outside
the window. Players may move twice in a row. With perfect order a uniform tree of branching b and height
h costs b^⌈h/2⌉ + b^⌊h/2⌋ - 1 leaves (Knuth and Moore, 1975), at worst all b^h.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.game import Game
from zermelo.search.tally import Tally, at_horizon


def alphabeta(game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, tally: Tally) -> float:
    """The value of `state` to `player` (Max) as far as it matters; fail-soft, as in the lecture.

    Theorem. Let alpha < beta, m = minimax(state, player, depth) and v the value returned.
      alpha < v < beta:  m = v   (exact)
      v ≤ alpha:         m ≤ v   (v is an upper bound: fail low)
      v ≥ beta:          m ≥ v   (v is a lower bound: fail high)
    So v = m whenever alpha ≤ m ≤ beta. Only the root's v is known to be m: a child's may be a bound.
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
            value = max(value, alphabeta(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if value >= beta:
                return value
            alpha = max(alpha, value)  # Max's best alternative along the path to descendants of state
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, alphabeta(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if value <= alpha:
                return value
            beta = min(beta, value)  # Min's best alternative along the path to descendants of state
    return value


def alphabeta_hard(game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, tally: Tally) -> float:
    """The value of `state` to `player` (Max), cut to the window; fail-hard.

    Theorem. Let alpha < beta, m = minimax(state, player, depth) and v the value returned. Then
    v = min(max(m, alpha), beta), so
      alpha < v < beta:  m = v   (exact)
      v = alpha:         m ≤ v   (upper bound)
      v = beta:          m ≥ v   (lower bound)
    It visits the same nodes as `alphabeta` and tells less about values outside the window.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return min(max(float(game.utility(state, player)), alpha), beta)
    if depth == 0:
        return min(max(at_horizon(game, state, player, tally), alpha), beta)
    if game.to_move(state) == player:
        for action in game.actions(state):
            alpha = max(alpha, alphabeta_hard(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if alpha >= beta:
                return beta
        return alpha
    for action in game.actions(state):
        beta = min(beta, alphabeta_hard(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
        if beta <= alpha:
            return alpha
    return beta


def negamax_alphabeta(game: Game, state: Any, alpha: float, beta: float, depth: int, tally: Tally) -> float:
    """The value of `state` to the player to move there, as far as it matters; fail-soft.

    Theorem. For two players and zero sum the three cases of `alphabeta` hold with m = negamax(state, depth).
    `alpha` is what the mover, and -beta what the opponent, is sure of; so the window turns over, to
    (-beta, -alpha), where the move passes to the other player, and stays where the same one moves again.
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
        if game.to_move(child) == mover:
            value = negamax_alphabeta(game, child, alpha, beta, depth - 1, tally)
        else:
            value = -negamax_alphabeta(game, child, -beta, -alpha, depth - 1, tally)
        best = max(best, value)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best
