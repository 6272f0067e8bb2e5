"""Max^n: each of any number of players maximises its own utility (Luckhardt and Irani, 1986)."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached
from zermelo.game import CHANCE, Game
from zermelo.search.luck import outcomes
from zermelo.search.tally import Tally
from zermelo.tuples import add_scaled, same_for_all


def maxn(game: Game, state: Any, depth: int, tally: Tally) -> tuple[float, ...]:
    """The value of `state` to each player, looking `depth` plies ahead; chance's turn is a ply.

    Theorem. The choices behind these values are an equilibrium, in every subgame: no player can gain on
    average by choosing otherwise alone. With two players and constant sum it is the minimax value; in
    other games there may be several equilibria with different values, and this is the one where each
    player takes the first of its equally good actions.

    Utilities must be finite. Nothing is pruned: another player's utility tells nothing about one's own.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return game.utilities(state)
    if depth == 0:
        tally.leaves += 1
        tally.horizon += 1
        return game.evaluations(state)
    mover = game.to_move(state)
    if mover == CHANCE:
        total = same_for_all(game, 0.0)
        for action, probability in outcomes(game, state):
            total = add_scaled(total, maxn(game, game.result(state, action), depth - 1, tally), probability)
        return total
    best = same_for_all(game, -inf)
    for action in game.actions(state):
        values = maxn(game, game.result(state, action), depth - 1, tally)
        if values[mover] > best[mover]:
            best = values
    return best
