"""Random playouts: games played to the end by chance alone, from which Monte Carlo methods learn a state's value.

The same seed gives the same playouts, move for move, interpreted and native.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter
from zermelo.errors import GameError, LimitReached
from zermelo.game import CHANCE
from zermelo.native import limit_now

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally


def playouts(game: Game, state: Any, player: int, games: int, seed: int, tally: Tally) -> float:
    """The sum of what `games` random playouts from `state` are worth to `player`.

    Each move is any of the `actions`, all equally likely to within their number / 2^31; outcomes of chance come
    with the probabilities that the game gives. `seed` is any 64-bit integer. `tally.nodes` counts the moves
    played, `tally.leaves` the games.
    """
    word = scatter(Bits(seed))
    total = 0.0
    for _ in range(games):
        now = state
        while not game.is_terminal(now):
            tally.nodes += 1
            if tally.nodes > limit_now(tally):
                raise LimitReached
            word += 1
            if game.has_chance and game.to_move(now) == CHANCE:
                now = game.result(now, random_outcome(game, now, scatter(word)))
            else:
                now = game.result(now, random_action(game, now, scatter(word)))
        tally.leaves += 1
        total += game.utility(now, player)
    return total


def random_action(game: Game, state: Any, word: Bits) -> Any:
    """The action that a random word picks.

    Counting first and going on to the end after the pick is the fastest way native: no division, no branch
    that can't be foreseen.
    """
    count = 0
    for _ in game.actions(state):
        count += 1
    if count == 0:
        raise GameError(f"{game.title}.actions gives nothing where is_terminal is false: give an action there")
    left = int(word >> 33) * count >> 31
    for action in game.actions(state):
        if left == 0:
            chosen = action
        left -= 1
    return chosen


def random_outcome(game: Game, state: Any, word: Bits) -> Any:
    """The outcome that a random word picks, by probability; what rounding leaves over goes to the last.

    Adding up is the fastest way native: the sums of fixed probabilities are constants.
    """
    at, total = int(word >> 11) / 2**53, 0.0
    found = False
    for action, probability in game.outcomes(state):
        if probability > 0 and total <= at:
            chosen = action
            found = True
        total += probability
    if not found:
        raise GameError(f"{game.title}.outcomes gives nothing at a chance turn: give each outcome its probability")
    return chosen
