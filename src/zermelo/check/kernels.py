"""What is run in both worlds, from one source, and must come out the same."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits
from zermelo.errors import LimitReached
from zermelo.fields import hash_fields
from zermelo.game import CHANCE

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally

ROUNDING = 1e-9
"""How far a value may be off for having been added up."""

PARTS = ("to_move", "is_terminal", "actions", "actions", "outcomes", "result", "", "key", "canonical_key")
"""The method behind each part of a view; the seventh part is `utility` at an end, else `evaluate`."""

VALUES = 6
"""The place of the values in a view."""

KNOWLEDGE = (
    *("promise", "bounds", "bounds", "moves_left", "plausible", "noisy", "passed", "skipped"),
    *("gain", "threatened", "count_actions", "reversible", "recurrence", "tied", "forcing"),
)
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
    plausible, noisy, passed, skipped = Bits(0), Bits(0), Bits(0), Bits(0)
    gains, forcing = Bits(0), Bits(0)
    threatened, count, back, mark, tie = False, 0, 0, Bits(0), 0.0
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
        if game.has_skipped:
            skipped = hash_fields((skipped, game.skipped(state)))
        gains, forcing = attack_digests(game, state)
        threatened, count = bool(game.threatened(state)), game.count_actions(state)
    if game.remembers:
        back, mark, tie = (
            game.reversible(state),
            hash_fields((game.recurrence(state),)),
            float(game.tied(state, player)),
        )
    hope, left = float(game.promise(state, player)), game.moves_left(state)
    return (
        hope,
        float(low),
        float(high),
        left,
        plausible,
        noisy,
        passed,
        skipped,
        gains,
        threatened,
        count,
        back,
        mark,
        tie,
        forcing,
    )


def attack_digests(game: Game, state: Any) -> tuple[Bits, Bits]:
    """Digests of what each action gains or loses and of which kind it is, and of the actions that are threats."""
    gains, forcing = Bits(0), Bits(0)
    if game.has_gain:
        for action in game.actions(state):
            gains = hash_fields((gains, float(game.gain(state, action)), game.motif(state, action)))
            gains = hash_fields((gains, bool(game.loses(state, action, game.margin))))
    if game.has_forcing:
        for action in game.forcing(state):
            forcing = hash_fields((forcing, action))
    return gains, forcing


def claims_kernel(game: Game, state: Any, total: float, tally: Tally) -> tuple[float, bool, Any]:
    """The value of a state to player 0 by minimax over all that can follow, without chance; whether `bounds` or
    `plausible` says something false of that state or a later one, and which one that is.

    `total` is the constant sum of both players' utilities.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return float(game.utility(state, 0)), False, state
    sign = 1.0 if game.to_move(state) == 0 else -1.0
    best, best_plausible = -inf, -inf
    fails, where = False, state
    for action in game.actions(state):
        value, failed, place = claims_kernel(game, game.result(state, action), total, tally)
        if failed:
            fails, where = True, place
        best = max(best, sign * value)
        if game.has_plausible and game.plausible_is_safe and sign * value > best_plausible:
            for chosen in game.plausible(state):
                if chosen == action:
                    best_plausible = sign * value
    if game.has_plausible and game.plausible_is_safe and best_plausible < best - ROUNDING:
        fails, where = True, state
    if game.has_bounds:
        for player in range(game.players):
            worth = sign * best if player == 0 else total - sign * best
            low, high = game.bounds(state, player)
            if worth < low - ROUNDING or worth > high + ROUNDING:
                fails, where = True, state
    return sign * best, fails, where


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
