"""Max^n with shallow pruning: what the sum of utilities leaves to a player may make a branch pointless (Korf, 1991)."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from zermelo.errors import LimitReached, OutOfBounds, Uneven
from zermelo.game import CHANCE
from zermelo.search.luck import outcomes
from zermelo.tuples import add_scaled, same_for_all

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.tally import Tally

ROUNDING = 1e-9
"""How far a sum of utilities may be off for having been added up."""


def shallow_maxn(game: Game, state: Any, chooser: int, sure: float, depth: int, tally: Tally) -> tuple[float, ...]:
    """The value of `state` to each player, or -inf for all where `chooser`, who may go there, gets no more than `sure`.

    Theorem. Let m = maxn(state, depth), whose players take the first of their equally good actions. If all
    utilities and evaluations met lie within `utility_bounds` and add up to `utility_sum`, where there is one, then
    the tuple returned is m, or it is -inf throughout and m[chooser] ≤ sure. So with sure = -inf it is m, to the
    last component and under the same rule for ties: a mover changes his mind only for more, and a branch is
    left only when it can't give him more. (Where sums are rounded, so are ties.)

    Two cuts. Immediate: the mover has the highest utility there is. Shallow: the mover is sure of so much that,
    each other player having the lowest utility at least, no more than `sure` is left to the chooser. Deeper cuts
    would be wrong: who is two moves up does not know which tuple comes up in between. An average has no mover,
    so below chance the search begins anew, without `sure`.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        values = game.utilities(state)
        if not is_even(game, values):
            raise OutOfBounds
        return values
    if depth == 0:
        tally.leaves += 1
        tally.horizon += 1
        values = game.evaluations(state)
        if not is_even(game, values):
            raise Uneven
        return values
    mover = game.to_move(state)
    if mover == CHANCE:
        total = same_for_all(game, 0.0)
        for action, probability in outcomes(game, state):
            values = shallow_maxn(game, game.result(state, action), mover, -inf, depth - 1, tally)
            total = add_scaled(total, values, probability)
        return total
    best = same_for_all(game, -inf)
    for action in game.actions(state):
        values = shallow_maxn(game, game.result(state, action), mover, best[mover], depth - 1, tally)
        if values[mover] > best[mover]:
            best = values
            if best[mover] >= game.utility_bounds[1]:
                return best
            if chooser != mover and most_of_two(game) - best[mover] <= sure:
                return same_for_all(game, -inf)
    return best


def can_cut(game: Game) -> bool:
    """Whether the game's bounds let anything be cut: a highest utility, or with a constant sum a lowest one."""
    facts = game.facts
    return facts.highest < inf or (facts.total is not None and (facts.players == 2 or facts.lowest > -inf))


def most_of_two(game: Game) -> float:
    """The most that two players can have together, by the sum of all utilities and the lowest of them."""
    most = inf
    if game.has_constant_sum:
        others = game.players - 2
        most = float(game.utility_sum or 0)
        if others > 0:
            most -= others * game.utility_bounds[0]
    return most


def is_even(game: Game, values: tuple[float, ...]) -> bool:
    """Whether values lie within the bounds of the utility, and add up to its sum where that is constant."""
    total, even = 0.0, True
    for value in values:
        total += value
        even &= game.utility_bounds[0] <= value <= game.utility_bounds[1]
    if game.has_constant_sum:
        declared = float(game.utility_sum or 0)
        even &= abs(total - declared) <= ROUNDING * (1 + abs(declared))
    return even
