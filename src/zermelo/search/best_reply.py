"""Best-reply search: between two moves of mine only the one opponent with the strongest reply moves.

Schadd and Winands, 2011. It looks further ahead than max^n and paranoid, since a round of any number of opponents
costs one ply, and it neither trusts the others nor takes them all for one enemy.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.errors import LimitReached
from zermelo.search.tally import at_horizon

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally


def best_reply(game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, tally: Tally) -> float:
    """The value of `state` to `player` as far as the window needs it; fail-soft; a round of the others is one ply.

    Theorem. It is alpha-beta, so the three cases of `alphabeta` hold, with m the minimax value of another game:
    one in which `player` moves in turn, and then one opponent of his enemies' choice makes one move, while the
    turns of all others are skipped. Of the game itself it proves nothing, not even where it saw every end: skipping
    may not be allowed there, and the others may move against `player` one after the other.
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
            value = max(value, best_reply(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value
    value = inf
    for _ in range(game.round_length):
        for action in game.actions(state):
            child = turned_to(game, game.result(state, action), player)
            value = min(value, best_reply(game, child, player, alpha, beta, depth - 1, tally))
            if value <= alpha:
                return value
            beta = min(beta, value)
        state = game.skipped(state)
        if game.is_terminal(state) or game.to_move(state) == player:
            break
    return value


def turned_to(game: Game, state: Any, player: int) -> Any:
    """The state after as many skipped turns as it takes until `player` is to move, or the game is over.

    Where his turn doesn't come in one round, because he is out of the game, the next player is to move.
    """
    for _ in range(game.round_length):
        if game.is_terminal(state) or game.to_move(state) == player:
            break
        state = game.skipped(state)
    return state
