"""Star1 and Star2 with everything: a table of ranges, ordering, the game's own bounds; one function that calls itself.

It keeps what probes find, so that an outcome is searched within what is known of it from both sides, and a state that
is reached again, by another way, in a probe or in the search after it, is not searched again.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.bits import Bits
from zermelo.errors import BadOdds, LimitReached, OutOfBounds, TooDeep
from zermelo.game import CHANCE
from zermelo.native.memory import get_item, identity, put_item
from zermelo.search.luck import CLOSE
from zermelo.search.ranges import MARK_BITS, Desk, depth_at, find, keep, mark_at, range_at
from zermelo.search.star import ALL
from zermelo.search.tally import Tally, at_horizon

TABLE_DEPTH = 2
"""From which depth on states are kept in the table."""
PROMISE_DEPTH = 2
"""From which depth on children are put in order by what they promise."""
PROBE_DEPTH = 2
"""From which depth on outcomes are probed."""
NOWHERE, BELOW, ABOVE = 0, 1, 2
"""From which side a probe bounds a value."""
ROUNDING = 1e-9
"""What part of a range is no more than rounding."""
FIRST = 1e30
"""The score of the table's action."""
LAST = -1e20
"""What is added to the score of an action that the game does not call plausible."""


def starred(  # noqa: C901
    game: Any,
    state: Any,
    player: int,
    alpha: float,
    beta: float,
    depth: int,
    most: int,
    top: int,
    desk: Desk,
    tally: Tally,
) -> float:
    """The expected value of `state` to `player` as far as the window needs it: the theorems of `star2` hold.

    m is what expectiminimax finds at the same depth. Where the game has bounds, or leaves out actions that can't be
    better, it may see more than that: m is then what expectiminimax would find with each value cut to its bounds.
    `tally.horizon` grows whenever the value rests on an evaluation, directly or through the table. `top` is the first
    free place of the stack.
    """
    # 1. Ends.
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if game.is_terminal(state):
        tally.leaves += 1
        tally.spare = min(tally.spare, depth)
        return sound(game, state, float(game.utility(state, player)), desk)
    if depth == 0:
        return sound(game, state, at_horizon(game, state, player, tally), desk)
    # 2. What is known of the state.
    evaluated, spare = tally.horizon, tally.spare
    tally.spare = depth
    low, high = -inf, inf
    if game.has_bounds:
        low, high = sure_range(game, state, player, depth, tally)
    in_table = depth >= TABLE_DEPTH and desk.mask >= 0
    key = Bits(0)
    mark = -1
    if in_table and low < high:
        key = Bits(identity(game.canonical_key(state)))
        place = find(desk, key)
        if place >= 0:
            mark = mark_at(desk, place)
            low, high = known_range(low, high, depth, place, desk, tally)
    floor, ceiling = max(alpha, low), min(beta, high)
    if floor >= ceiling:
        tally.spare = min(tally.spare, spare)
        return low if low >= beta else high
    mover = game.to_move(state)
    own = mover == player
    least, greatest = -inf, inf
    partial = False
    if mover == CHANCE:
        # 3. Outcomes. The average lies between least and greatest, by the ranges of all outcomes.
        count = gather_outcomes(game, state, player, depth, top, desk, tally)
        least, greatest = averages(state, top, count, desk)
        if desk.probe > 0 and depth >= PROBE_DEPTH:
            for index in range(count):
                if least >= ceiling or greatest <= floor:
                    break
                odds, worst, best, child = get_item(desk.stack, top + index, an_item, state)[:4]
                slack = ROUNDING * (greatest - least)
                side = probed_side(game, child, player, floor > least + slack, ceiling < greatest - slack)
                if worst < best and side != NOWHERE:
                    inner = max((floor - greatest) / odds + best, worst)
                    outer = min((ceiling - least) / odds + worst, best)
                    if inner < outer:
                        found = starred(
                            game, child, player, inner, outer, depth - 1, desk.probe, top + count, desk, tally
                        )
                        if side == BELOW and found > inner:
                            least += odds * (found - worst)
                            put_item(desk.stack, top + index, (odds, found, best, child, identity(0)))
                        elif side == ABOVE and found < outer:
                            greatest += odds * (found - best)
                            put_item(desk.stack, top + index, (odds, worst, found, child, identity(0)))
        for index in range(count):
            if least >= ceiling or greatest <= floor:
                break
            odds, worst, best, child = get_item(desk.stack, top + index, an_item, state)[:4]
            if worst < best:
                lowest, highest = (floor - greatest) / odds + best, (ceiling - least) / odds + worst
                inner, outer = max(lowest, worst), min(highest, best)
                if inner >= outer:
                    inner, outer = worst, best
                found = starred(game, child, player, inner, outer, depth - 1, ALL, top + count, desk, tally)
                if found <= lowest:
                    greatest = min(greatest + odds * (found - best), floor)
                elif found >= highest:
                    least = max(least + odds * (found - worst), ceiling)
                else:
                    found = min(max(found, worst), best)
                    least += odds * (found - worst)
                    greatest += odds * (found - best)
                    put_item(desk.stack, top + index, (odds, found, found, child, identity(0)))
        if least < ceiling and greatest > floor:
            least, greatest = averages(state, top, count, desk)
    else:
        # 4. Actions, best first.
        count = gather_actions(game, state, top, desk)
        if count > 1 and (depth >= PROMISE_DEPTH or mark >= 0):
            sort(game, state, mover, mark, depth, top, count, desk)
        value = -inf if own else inf
        inner, outer = floor, ceiling
        for index in range(min(count, most)):
            if inner >= outer:
                break
            _, _, _, child, action = get_item(desk.stack, top + index, an_item, state)
            share = most if most < ALL and game.to_move(child) == mover else ALL
            partial = partial or share < ALL
            found = starred(game, child, player, inner, outer, depth - 1, share, top + count, desk, tally)
            if own:
                value = max(value, found)
                if value > inner:
                    inner, mark = value, action
            else:
                value = min(value, found)
                if value < outer:
                    outer, mark = value, action
        partial = partial or most < count
        if value > floor and (own or not partial):
            least = value
        if value < ceiling and (not own or not partial):
            greatest = value
    # 5. What is known now.
    least, greatest = min(max(least, low), high), max(min(greatest, high), low)
    if in_table and (least > -inf or greatest < inf):
        proved = tally.horizon == evaluated
        keep(desk, key, least, greatest, depth - tally.spare if proved else depth, proved, mark)
    tally.spare = min(tally.spare, spare)
    if least >= beta or (partial and own):
        return max(least, alpha)
    return min(greatest, beta) if partial else greatest


def sound(game: Any, state: Any, value: float, desk: Desk) -> float:
    """The value of an end or a guess, if it lies within the utility bounds; else `OutOfBounds`, with the state told."""
    lowest, highest = game.utility_bounds
    if not lowest <= value <= highest:
        put_item(desk.stack, 0, (value, 0.0, 0.0, state, identity(0)))
        raise OutOfBounds
    return value


def sure_range(game: Any, state: Any, player: int, depth: int, tally: Tally) -> tuple[float, float]:
    """The game's own bounds on a state that is no end; only at depth 0 it is a guess instead."""
    tally.spare = min(tally.spare, depth - 1)
    low, high = game.bounds(state, player)
    return float(low), float(high)


def known_range(low: float, high: float, depth: int, place: int, desk: Desk, tally: Tally) -> tuple[float, float]:
    """What is left of a range by the table's entry at a place; what that rests on is counted."""
    least, greatest, proved = range_at(desk, place, depth)
    if proved:
        tally.spare = min(tally.spare, depth - depth_at(desk, place))
    elif least > -inf or greatest < inf:
        tally.horizon += 1
    return max(low, least), min(high, greatest)


def probed_side(game: Any, state: Any, player: int, may_fail_low: bool, may_fail_high: bool) -> int:
    """From which side trying some actions of a state bounds its value, if that may end the search."""
    if game.is_terminal(state):
        return NOWHERE
    mover = game.to_move(state)
    if mover == player and may_fail_high:
        return BELOW
    return ABOVE if mover != player and mover != CHANCE and may_fail_low else NOWHERE


def told_item(game: Any, state: Any, desk: Desk) -> tuple[float, Any]:  # noqa: ARG001
    """What a kernel left to be told before it raised: a number and a state, of the same kind as `state`."""
    item = get_item(desk.stack, 0, an_item, state)
    return item[0], item[3]


def an_item(state: Any) -> Any:
    """Any item of the stack, for its kind: odds or score, range, child, identity of the action."""
    return 0.0, 0.0, 0.0, state, identity(0)


def averages(state: Any, top: int, count: int, desk: Desk) -> tuple[float, float]:
    """The least and the greatest average by the ranges of all outcomes, summed in the game's own order."""
    least, greatest = 0.0, 0.0
    for index in range(count):
        odds, worst, best = get_item(desk.stack, top + index, an_item, state)[:3]
        least += odds * worst
        greatest += odds * best
    return least, greatest


def gather_outcomes(game: Any, state: Any, player: int, depth: int, top: int, desk: Desk, tally: Tally) -> int:
    """Put the outcomes that can happen on the stack, with what is known of them, and count them."""
    count, whole = 0, 0.0
    lowest, highest = float(game.utility_bounds[0]), float(game.utility_bounds[1])
    for action, probability in game.outcomes(state):
        odds = float(probability)
        whole += odds
        if odds > 0.0:
            child = game.result(state, action)
            worst, best = lowest, highest
            if depth > 1 and not game.is_terminal(child):
                if game.has_bounds:
                    low, high = sure_range(game, child, player, depth - 1, tally)
                    worst, best = max(low, worst), min(high, best)
                if depth > TABLE_DEPTH and desk.mask >= 0:
                    place = find(desk, Bits(identity(game.canonical_key(child))))
                    if place >= 0:
                        worst, best = known_range(worst, best, depth - 1, place, desk, tally)
            push(top + count, (odds, worst, best, child, identity(0)), desk)
            count += 1
        elif odds < 0.0:
            whole = inf
    if not abs(whole - 1.0) <= CLOSE:
        put_item(desk.stack, 0, (whole, 0.0, 0.0, state, identity(0)))
        raise BadOdds
    return count


def gather_actions(game: Any, state: Any, top: int, desk: Desk) -> int:
    """Put the children of a player's state on the stack, and count them.

    Where the game calls some actions plausible, these come first; where no others can be better, these alone.
    """
    count = 0
    if game.has_plausible:
        for action in game.plausible(state):
            push(top + count, (0.0, 0.0, 0.0, game.result(state, action), identity(action)), desk)
            count += 1
        if game.plausible_is_safe and count > 0:
            return count
    promising = count
    for action in game.actions(state):
        if not among(state, identity(action), top, promising, desk):
            score = LAST if promising else 0.0
            push(top + count, (score, 0.0, 0.0, game.result(state, action), identity(action)), desk)
            count += 1
    return count


def push(place: int, item: Any, desk: Desk) -> None:
    """Put an item on the stack; `TooDeep` where there is no room."""
    if place >= desk.room:
        raise TooDeep
    put_item(desk.stack, place, item)


def among(state: Any, mark: int, top: int, count: int, desk: Desk) -> bool:
    """Whether an action is on the stack already."""
    return any(get_item(desk.stack, top + index, an_item, state)[4] == mark for index in range(count))


def sort(game: Any, state: Any, mover: int, hint: int, depth: int, top: int, count: int, desk: Desk) -> None:
    """Sort the children by what is known of them; equals stay in the game's own order."""
    for index in range(count):
        score, _, _, child, mark = get_item(desk.stack, top + index, an_item, state)
        if mark & MARK_BITS == hint:
            score = FIRST
        elif depth >= PROMISE_DEPTH:
            score += float(game.promise(child, mover))
        place = top + index
        while place > top:
            before = get_item(desk.stack, place - 1, an_item, state)
            if before[0] >= score:
                break
            put_item(desk.stack, place, before)
            place -= 1
        put_item(desk.stack, place, (score, 0.0, 0.0, child, mark))
