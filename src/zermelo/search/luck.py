"""Random moves in kernels: what a random word picks, the same in every world."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter
from zermelo.errors import BadOdds, GameError
from zermelo.game import CHANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo.game import Game

CLOSE = 1e-9
"""How far from 1 probabilities may add up to."""


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


def outcomes(game: Game, state: Any) -> Iterator[tuple[Any, float]]:
    """The outcomes of a turn of chance with their probabilities; `BadOdds` in the end if those are none."""
    whole = 0.0
    for action, probability in game.outcomes(state):
        whole += probability if probability >= 0 else inf
        yield action, probability
    if not abs(whole - 1.0) <= CLOSE:
        raise BadOdds


def random_outcome(game: Game, state: Any, word: Bits) -> Any:
    """The outcome that a random word picks, by probability; what rounding leaves over goes to the last.

    Adding up is the fastest way native: the sums of fixed probabilities are constants.
    """
    at, total = int(word >> 11) / 2**53, 0.0
    for action, probability in game.outcomes(state):
        if probability > 0 and total <= at:
            chosen = action
        total += probability if probability >= 0 else inf
    if not abs(total - 1.0) <= CLOSE:
        raise BadOdds
    return chosen
