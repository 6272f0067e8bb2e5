"""What is run in both worlds, from one source, and must come out the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits
from zermelo.fields import hash_fields
from zermelo.game import CHANCE

if TYPE_CHECKING:
    from zermelo.game import Game

PARTS = ("to_move", "is_terminal", "actions", "actions", "outcomes", "result", "", "key", "canonical_key")
"""The method behind each part of a view; the seventh part is `utility` at an end, else `evaluate`."""

VALUES = 6
"""The place of the values in a view."""

KNOWLEDGE = ("promise", "bounds", "bounds", "moves_left", "plausible", "noisy", "passed")
"""The method behind each part of what a game knows."""


def view_kernel(game: Game, state: Any) -> tuple[Any, ...]:
    """All that the rules say of one state: who moves, whether it is an end, how many actions there are, digests of
    the actions, of their probabilities and of the states they lead to, the values, and the keys."""
    count, actions, odds, results = 0, Bits(0), Bits(0), Bits(0)
    if game.is_terminal(state):
        values = game.utilities(state)
    else:
        values = game.evaluations(state)
        if game.has_chance and game.to_move(state) == CHANCE:
            for action, probability in game.outcomes(state):
                count += 1
                actions = hash_fields((actions, action))
                odds = hash_fields((odds, float(probability)))
                results = hash_fields((results, game.result(state, action)))
        else:
            for action in game.actions(state):
                count += 1
                actions = hash_fields((actions, action))
                results = hash_fields((results, game.result(state, action)))
    ends = game.is_terminal(state)
    keys = game.key(state), game.canonical_key(state)
    return game.to_move(state), ends, count, actions, odds, results, values, keys[0], keys[1]


def knowledge_kernel(game: Game, state: Any, player: int) -> tuple[Any, ...]:
    """What a game knows of a state that is not terminal, as one player sees it; digests of all that is yielded."""
    low, high = game.bounds(state, player)
    plausible, noisy, passed = Bits(0), Bits(0), Bits(0)
    if not game.has_chance or game.to_move(state) != CHANCE:
        if game.has_plausible:
            for action in game.plausible(state):
                plausible = hash_fields((plausible, action))
        if game.has_noisy:
            for action in game.noisy(state):
                noisy = hash_fields((noisy, action))
        if game.has_passed:
            for other in game.passed(state):
                passed = hash_fields((passed, other))
    left = game.moves_left(state)
    return float(game.promise(state, player)), float(low), float(high), left, plausible, noisy, passed


def playout_kernel(
    game: Game, initial: Any, state: Any, random: Bits, digest: Bits, plies: int
) -> tuple[Any, Bits, Bits, int]:
    """Go on from `state` for so many random plies, at an end again from `initial`.

    Gives the state reached, the random numbers' and the digest's new states, and how many games ended; the
    digest is of all states and utilities on the way.
    """
    games = 0
    for _ in range(plies):
        if game.is_terminal(state):
            for player in range(game.players):
                digest = hash_fields((digest, float(game.utility(state, player))))
            state = initial
            games += 1
        else:
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            count = count_moves(game, state)
            state = nth_result(game, state, int(random >> 33) % count)
            digest = hash_fields((digest, count, state))
    return state, random, digest, games


def count_moves(game: Game, state: Any) -> int:
    """How many things may happen next."""
    count = 0
    if game.has_chance and game.to_move(state) == CHANCE:
        for _ in game.outcomes(state):
            count += 1
    else:
        for _ in game.actions(state):
            count += 1
    return count


def nth_result(game: Game, state: Any, number: int) -> Any:
    """The state after the action, or outcome, of that number."""
    if game.has_chance and game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            if number == 0:
                return game.result(state, action)
            number -= 1
    else:
        for action in game.actions(state):
            if number == 0:
                return game.result(state, action)
            number -= 1
    return state


def nth_action_kernel(game: Game, state: Any, number: int) -> Any:
    """The action, or outcome, of that number: asked only where the worlds differ, to say in what."""
    if game.has_chance and game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            if number == 0:
                return action
            number -= 1
    else:
        for action in game.actions(state):
            if number == 0:
                return action
            number -= 1
    raise IndexError


def nth_result_kernel(game: Game, state: Any, number: int) -> Any:
    """The state after the action, or outcome, of that number: asked only where the worlds differ."""
    return nth_result(game, state, number)
