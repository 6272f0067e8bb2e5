"""Star1 and Star2: expectiminimax without the outcomes that can't change the answer (Ballard, 1983).

An average of values that lie between the game's utility bounds is known in part before all of them are: with
`total` summed up and probability `rest` still out, it lies between total + rest · lowest and total + rest · highest.
So an outcome need only be searched as far as the average can still fall inside the window, and where it can't, the
others need not be searched at all. At the players' nodes both are alpha-beta.

Utility and evaluation must lie within the bounds, and the bounds be finite; `OutOfBounds` where a value does not.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.errors import LimitReached, OutOfBounds
from zermelo.game import CHANCE, Game
from zermelo.search.tally import Tally, at_horizon

ALL = 1 << 30
"""More actions than any state has."""


def star1(game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, tally: Tally) -> float:  # noqa: C901
    """The expected value of `state` to `player` (Max) as far as it matters; fail-soft.

    Theorem. Let alpha < beta, m = expectiminimax(state, player, depth) and v the value returned. But for rounding,
      alpha < v < beta:  m = v   (exact)
      v ≤ alpha:         m ≤ v   (v is an upper bound: fail low)
      v ≥ beta:          m ≥ v   (v is a lower bound: fail high)
    It never visits more nodes than expectiminimax.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return within(game, float(game.utility(state, player)))
    if depth == 0:
        return within(game, at_horizon(game, state, player, tally))
    mover = game.to_move(state)
    if mover == CHANCE:
        value, rest = 0.0, 0.0
        lowest, highest = float(game.utility_bounds[0]), float(game.utility_bounds[1])
        for _, probability in game.outcomes(state):
            rest += probability
        for action, probability in game.outcomes(state):
            if probability > 0:
                rest -= probability
                low = (alpha - value - rest * highest) / probability  # an outcome worth less makes all worth too little
                high = (beta - value - rest * lowest) / probability  # one worth more makes all worth too much
                floor, ceiling = max(low, lowest), min(high, highest)
                found = star1(game, game.result(state, action), player, floor, ceiling, depth - 1, tally)
                value += probability * found
                if found <= low:
                    return min(value + rest * highest, alpha)
                if found >= high:
                    return max(value + rest * lowest, beta)
    elif mover == player:
        value = -inf
        for action in game.actions(state):
            value = max(value, star1(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if value >= beta:
                return value
            alpha = max(alpha, value)
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, star1(game, game.result(state, action), player, alpha, beta, depth - 1, tally))
            if value <= alpha:
                return value
            beta = min(beta, value)
    return value


def star2(  # noqa: C901
    game: Game, state: Any, player: int, alpha: float, beta: float, depth: int, probe: int, most: int, tally: Tally
) -> float:
    """As `star1`, but each outcome is probed before any is searched: only its first `probe` actions are tried.

    If Max moves after the outcome, those give a lower bound on it, if Min an upper one; often these are enough.
    With `probe` = 1 it is Star2, with more what is called Star2.5, with 0 it is Star1. What a probe finds is forgotten
    when the outcomes are searched; the search with a table (`zermelo.search.chance`) keeps it.

    Theorem. With `most` = ALL the three cases of `star1` hold. With less, only the first `most` actions of a
    player's node are tried, and m ≥ v if v > alpha at Max's, m ≤ v if v < beta at Min's; nothing else is known.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        return within(game, float(game.utility(state, player)))
    if depth == 0:
        return within(game, at_horizon(game, state, player, tally))
    mover = game.to_move(state)
    lowest, highest = float(game.utility_bounds[0]), float(game.utility_bounds[1])
    value, tried, whole, least, greatest = 0.0, 0, 0.0, 0.0, 0.0
    if mover == CHANCE:
        for _, probability in game.outcomes(state):
            whole += probability
        rest = whole
        for action, probability in game.outcomes(state):  # probing: all outcomes lie between least and greatest
            child = game.result(state, action)
            rest -= probability
            worst, best = lowest, highest
            if probability > 0 and probe > 0 and depth > 1 and is_choice(game, child):
                floor = max((alpha - greatest - rest * highest) / probability, lowest)
                ceiling = min((beta - least - rest * lowest) / probability, highest)
                found = star2(game, child, player, floor, ceiling, depth - 1, probe, probe, tally)
                if game.to_move(child) == player:
                    worst = found if found > floor else lowest
                else:
                    best = found if found < ceiling else highest
            least += probability * worst
            greatest += probability * best
            if least + rest * lowest >= beta:
                return least + rest * lowest
            if greatest + rest * highest <= alpha:
                return greatest + rest * highest
        rest = whole
        for action, probability in game.outcomes(state):  # searching, as in Star1
            if probability > 0:
                rest -= probability
                low = (alpha - value - rest * highest) / probability
                high = (beta - value - rest * lowest) / probability
                floor, ceiling = max(low, lowest), min(high, highest)
                found = star2(game, game.result(state, action), player, floor, ceiling, depth - 1, probe, ALL, tally)
                value += probability * found
                if found <= low:
                    return min(value + rest * highest, alpha)
                if found >= high:
                    return max(value + rest * lowest, beta)
    elif mover == player:
        value = -inf
        for action in game.actions(state):
            if value >= beta or tried == most:
                break
            found = star2(game, game.result(state, action), player, alpha, beta, depth - 1, probe, ALL, tally)
            value = max(value, found)
            alpha = max(alpha, value)
            tried += 1
    else:
        value = inf
        for action in game.actions(state):
            if value <= alpha or tried == most:
                break
            found = star2(game, game.result(state, action), player, alpha, beta, depth - 1, probe, ALL, tally)
            value = min(value, found)
            beta = min(beta, value)
            tried += 1
    return value


def is_choice(game: Game, state: Any) -> bool:
    """Whether a player has to choose an action in a state."""
    return not game.is_terminal(state) and game.to_move(state) != CHANCE


def within(game: Game, value: float) -> float:
    """The value, if it lies within the utility bounds; else `OutOfBounds`."""
    lowest, highest = game.utility_bounds
    if not lowest <= value <= highest:
        raise OutOfBounds
    return value
