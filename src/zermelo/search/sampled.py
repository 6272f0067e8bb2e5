"""Minimax of a randomly selected subtree: how the lecture explains Monte-Carlo roll-outs.

At each node some of the children are picked at random, and the others are ignored. What is seen of the tree shrinks
from b^h to width^h, and what is found is an estimate, another one for each seed.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter
from zermelo.errors import LimitReached
from zermelo.game import CHANCE
from zermelo.search.luck import random_outcome
from zermelo.search.tally import at_horizon

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally


WIDTH = 3
"""How many actions are usually looked at in each state."""


def sampled(game: Game, state: Any, player: int, depth: int, width: int, seed: int, tally: Tally) -> float:
    """The minimax value of a random subtree of `state` to `player` (Max), looking `depth` plies ahead.

    Theorem. Each node has at most `width` children, every set of so many equally likely, drawn apart for each node
    from `seed`; where no node has more actions than `width` and chance never moves it is the minimax value itself. At a
    turn of chance it is the mean of `width` outcomes drawn by their probabilities.

    `tally.horizon` grows wherever something was left out or evaluated.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, player))
    if depth == 0:
        return at_horizon(game, state, player, tally)
    word = scatter(Bits(seed))
    mover = game.to_move(state)
    if game.has_chance and mover == CHANCE:
        total = 0.0
        tally.horizon += 1
        for _ in range(width):
            word += 1
            child = game.result(state, random_outcome(game, state, scatter(word)))
            total += sampled(game, child, player, depth - 1, width, int(word >> 2), tally)
        return total / width
    count = 0
    for _ in game.actions(state):
        count += 1
    wanted = min(width, count)
    tally.horizon += int(wanted < count)
    best = -inf if mover == player else inf
    for action in game.actions(state):
        word += 1
        taken = int(scatter(word) >> 33) * count >> 31 < wanted  # so many of those left are wanted: each is as likely
        count -= 1
        if taken:
            wanted -= 1
            value = sampled(game, game.result(state, action), player, depth - 1, width, int(word >> 2), tally)
            best = max(best, value) if mover == player else min(best, value)
    return best
