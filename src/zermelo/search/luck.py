"""Random moves in kernels: what a random word picks, the same in every world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter
from zermelo.errors import GameError
from zermelo.game import CHANCE

if TYPE_CHECKING:
    from zermelo.game import Game


def stream(seed: int, number: int) -> Bits:
    """Where the random numbers of a game begin."""
    return scatter(scatter(Bits(seed)) + number)


def random_step(game: Game, state: Any, word: Bits) -> Any:
    """The state after an action, or an outcome of chance, that a random word picks."""
    if game.has_chance and game.to_move(state) == CHANCE:
        return game.result(state, random_outcome(game, state, word))
    return game.result(state, random_action(game, state, word))


def random_action(game: Game, state: Any, word: Bits) -> Any:
    """The action that a random word picks, all equally likely to within their number / 2^31.

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


def random_plausible(game: Game, state: Any, word: Bits) -> Any:
    """The same among the actions that the game finds plausible."""
    count = 0
    for _ in game.plausible(state):
        count += 1
    if count == 0:
        return random_action(game, state, word)
    left = int(word >> 33) * count >> 31
    for action in game.plausible(state):
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
