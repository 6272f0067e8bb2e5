"""Not assuming the best reply: what a state is worth against an opponent who errs, or who plays by other lights.

Averages leave no room for alpha and beta, so every state down to the depth is looked at.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.errors import LimitReached
from zermelo.search.tally import at_horizon

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally


def erring(game: Game, state: Any, player: int, depth: int, error: float, tally: Tally) -> float:
    """The value of `state` to `player` if the opponent takes any action, each as likely, with probability `error`.

    With error 0 it is minimax; with error 1 the opponent plays at random.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    best, worst, total, count = -inf, inf, 0.0, 0
    for action in game.actions(state):
        value = erring(game, game.result(state, action), player, depth - 1, error, tally)
        best = max(best, value)
        worst = min(worst, value)
        total += value
        count += 1
    if game.to_move(state) == player:
        return best
    return (1.0 - error) * worst + error * (total / count)


def predicted(game: Game, model: Game, state: Any, player: int, depth: int, tally: Tally) -> float:
    """The value of `state` to `player` if the opponent always goes where `model`, a game with the same states,
    evaluates best for him, looking one action ahead."""
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    mover = game.to_move(state)
    best, liked = -inf, -inf
    chosen = state
    for action in game.actions(state):
        child = game.result(state, action)
        if mover == player:
            best = max(best, predicted(game, model, child, player, depth - 1, tally))
        else:
            seen = (
                float(model.utility(child, mover)) if model.is_terminal(child) else float(model.evaluate(child, mover))
            )
            if seen > liked:
                liked = seen
                chosen = child
    if mover == player:
        return best
    return predicted(game, model, chosen, player, depth - 1, tally)
