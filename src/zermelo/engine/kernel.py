"""The search itself: alpha-beta with everything, one function that calls itself, in both worlds.

What may be switched is read from the work; what a game has no knowledge for is not even compiled for it.
"""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.bits import Bits, signed
from zermelo.engine.entries import (
    ENDLESS,
    EXACT,
    LOWER,
    MOVE_BITS,
    SETTLED,
    UPPER,
    action_in,
    age_in,
    depth_in,
    kind_in,
    lookup,
    orientation,
    packed,
    serves,
    state_key,
    store,
    value_in,
)
from zermelo.engine.forced import forced_plies, keep_threats
from zermelo.engine.order import an_item, gather, learn, leaves_some_out, return_of, sort
from zermelo.engine.work import BOUND_DEPTHS, BUSY, GUESS, HISTORY, LINE, NOWHERE, PATH, SURE, WON
from zermelo.errors import LimitReached, OutOfBounds
from zermelo.native.memory import from_short_bits, get_item, identity, next_up, peek, poke, put_item, short_bits

BOUND_TRIAL = 1000
"""How often the game's bounds are asked at a depth before it is seen whether they pay."""
BOUND_WORTH = 20
"""They pay if at least one time in so many they cut."""
DEFERRED = inf
"""The score of a child that another thread is searching: it is taken up last. No promise is infinite."""


def node(game: Any, state: Any, alpha: float, beta: float, depth: int, ply: int, work: Any) -> float:
    """The value of `state` to the player to move, looking `depth` plies ahead, as far as the window needs it.

    The theorem of `zermelo.search.alphabeta` holds for it where no switch is on that may change values.
    """
    if work.nodes >= work.limit:
        raise LimitReached
    work.nodes += 1
    if ply <= LINE:
        work.line_length[ply] = 0
    mover = game.to_move(state)
    narrow = beta <= next_up(alpha)
    if game.is_terminal(state):
        return end_value(game, state, mover, ply, work)
    if game.remembers and comes_back(game, state, ply, work):
        return tied_value(game, state, mover)
    if depth <= 0:
        if game.has_forcing and not game.remembers and work.patience > 0:
            plies = forced_plies(game, state, mover, 0, work)
            if plies > 0:
                value = sure_win(mover, ply + plies, work)
                if not narrow:
                    keep_threats(game, state, mover, plies, ply, work)
                work.doubts += work.distance > 0 and value < beta
                return value
        if game.has_noisy and work.quiescence > 0:
            return rest(game, state, alpha, beta, work.quiescence, ply, work)
        return estimate(game, state, mover, work)
    low, high = -inf, inf
    if game.has_bounds and game.plausible_is_safe:
        low, high = sure_range(game, state, mover, work)
        if ply == 0:
            low, high = -inf, inf
        elif low >= high or low >= beta or high <= alpha:
            return high if high <= alpha else low
    elif game.has_bounds and ply > 0 and bounds_pay(depth, work):
        low, high = sure_range(game, state, mover, work)
        if low >= high or low >= beta or high <= alpha:
            work.bound_cuts[min(depth, BOUND_DEPTHS - 1)] += 1
            return high if high <= alpha else low
    in_table = depth >= work.table_depth
    key = Bits(0)
    hint = work.root_hint if ply == 0 else -1
    if in_table:
        key = state_key(game, state, ply, work)
        word = lookup(work, key)
        if word:
            if work.table_first and hint < 0:
                hint = action_in(word) ^ orientation(game, state)
            if ply > 0:
                low, high = narrowed(game, word, low, high, alpha, beta, mover, depth, ply, work)
                if low >= high:
                    return low
    before = work.doubts
    answered = work.answered
    if game.has_forcing and not game.remembers and work.patience > 0:
        plies = forced_plies(game, state, mover, depth, work)
        if plies > 0 and ((narrow and ply > 0) or keep_threats(game, state, mover, plies, ply, work)):
            low = max(low, sure_win(mover, ply + plies, work))
            if ply == 0:
                work.root_value = low
            if low >= beta or not work.distance:
                return low
            hint = work.line[ply * LINE] & MOVE_BITS if not narrow else hint
    if game.has_passed and narrow and may_pass(game, mover, beta, depth, ply, work):
        for passed in game.passed(state):
            work.null_ply = ply + 1
            value = -node(game, passed, -beta, -alpha, depth - 1 - work.null_move, ply + 1, work)
            work.null_ply = -1
            if value >= beta:
                work.doubts += GUESS
                return min(value, inner_range(game, mover, work)[1])
    futile = -inf
    if work.futility >= 0.0 and depth == 1:
        stand = guess(game, state, mover, work) + work.futility
        if stand <= alpha:
            futile = stand
    reach = work.reach
    work.reach = NOWHERE
    base = work.top
    here = 0
    if game.no_return:
        here = identity(game.recurrence(state))
        work.trail ^= here
    count = gather(game, state, depth, ply, base, work)
    work.top = base + count
    if count > 1 and depth >= work.order_depth:
        sort(game, state, mover, hint, depth, ply, answered, base, count, work)
    omits = count > work.beam
    if game.has_plausible and not game.plausible_is_safe:
        omits = omits or leaves_some_out(game, state, ply, count, work)
    if omits:
        count = min(count, work.beam)
        work.doubts += GUESS
    best = -inf
    best_mark = max(hint, 0)
    floor = max(alpha, low)
    ceiling = min(beta, high)
    is_forced = count == 1 and not omits
    left = depth if is_forced and work.extension and ply < 2 * work.root_depth else depth - 1
    searched = 0
    if in_table and narrow and depth >= work.peek_depth and ply > 0:
        best = peek_ahead(game, state, mover, ceiling, left, ply, base, count, work)
    for step in range(2 * count if work.sharing else count):
        if best >= ceiling:
            break
        index = step if step < count else step - count
        score, mark, child = get_item(work.stack, base + index, an_item, state)
        if work.sharing and (score == DEFERRED) != (step >= count):
            continue
        same = game.to_move(child) == mover
        if futile > -inf and left == 0 and not is_end(game, child, ply + 1, work):
            best = max(best, futile)
            work.doubts += 1
            continue
        claim = 0
        if work.sharing and searched > 0 and left >= work.sharing:
            claim = signed(state_key(game, child, ply + 1, work) ^ Bits(left))
            if step < count and peek(work.busy, claim & BUSY) == Bits(claim):
                put_item(work.stack, base + index, (DEFERRED, mark, child))
                continue
            poke(work.busy, claim & BUSY, Bits(claim))
        reduced = 0
        if work.reductions and searched >= 3 and narrow:
            reduced = min(1 + (searched >= 8) + (searched >= 20) + (left >= 8), left)
        window = ceiling if searched == 0 or not work.null_window else next_up(floor)
        value = 0.0
        while True:
            work.answered = HISTORY * mover + (mark & (HISTORY - 1))
            if same:
                value = node(game, child, floor, window, left - reduced, ply + 1, work)
            else:
                value = -node(game, child, -window, -floor, left - reduced, ply + 1, work)
            if value > floor and reduced > 0:
                reduced = 0
            elif value > floor and value < ceiling and window < ceiling:
                window = ceiling
            else:
                break
        if claim != 0:
            poke(work.busy, claim & BUSY, Bits(0))
        searched += 1
        if value > best:
            best = value
            best_mark = mark
            if value > floor:
                floor = value
                if ply < LINE and (ply == 0 or not narrow):
                    keep_line(mark, ply, work)
                if ply == 0:
                    work.root_value = value
    work.top = base
    work.trail ^= here
    if searched and best >= ceiling and (work.killers_first or work.history_first or work.counter_first):
        learn(best_mark, mover, depth, ply, answered, work)
    if omits:
        best = max(best, inner_range(game, mover, work)[0])
    best = min(max(best, low), high)
    if work.reach >= ply:
        if in_table and not (is_forced and left >= work.table_depth) and (ply > 0 or work.excluded_count == 0):
            kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            action = (best_mark & MOVE_BITS) ^ orientation(game, state)
            store(work, key, packed(work, best, kind, reached(depth, work.doubts - before), action, ply))
        work.reach = reach
    else:
        work.reach = min(work.reach, reach)
    return best


def rest(game: Any, state: Any, alpha: float, beta: float, left: int, ply: int, work: Any) -> float:
    """Quiescence: the value of a state once its noisy actions have been played out, or none of them pays.

    The mover need not take any of them: what the state seems worth as it is, is the least it gets.
    """
    mover = game.to_move(state)
    best = estimate(game, state, mover, work)
    if left == 0:
        return best
    floor = max(alpha, best)
    for action in game.noisy(state):
        if best >= beta:
            break
        child = game.result(state, action)
        same = game.to_move(child) == mover
        if work.nodes >= work.limit:
            raise LimitReached
        work.nodes += 1
        value = 0.0
        if game.is_terminal(child):
            value = end_value(game, child, mover, ply + 1, work)
        elif game.remembers and comes_back(game, child, ply + 1, work):
            value = tied_value(game, child, mover)
        elif same:
            value = rest(game, child, floor, beta, left - 1, ply + 1, work)
        else:
            value = -rest(game, child, -beta, -floor, left - 1, ply + 1, work)
        if value > best:
            best = value
            floor = max(floor, value)
    return best


def bounds_pay(depth: int, work: Any) -> bool:
    """Whether the game's bounds have cut often enough at this depth to be asked again."""
    level = min(depth, BOUND_DEPTHS - 1)
    work.bound_tries[level] += 1
    return bool(work.bound_tries[level] < BOUND_TRIAL or work.bound_cuts[level] * BOUND_WORTH > work.bound_tries[level])


def end_value(game: Any, state: Any, mover: int, ply: int, work: Any) -> float:
    """What an end of the game is worth to `mover`; with distances, a win is worth more the sooner it is."""
    lowest, highest = game.utility_bounds
    value = float(game.utility(state, mover if game.is_zero_sum else 0))
    if not lowest <= value <= highest:
        raise OutOfBounds
    if mover != 0 and not game.is_zero_sum:
        value = -value
    if work.distance:
        if value >= (work.highest if mover == 0 else -work.lowest):
            return WON - ply
        if value <= (work.lowest if mover == 0 else -work.highest):
            return ply - WON
    return value


def sure_win(mover: int, plies: int, work: Any) -> float:
    """What a win so many plies from the root at most is worth to `mover` at least; without distances, any win."""
    if work.distance:
        return WON - plies
    return float(work.highest) if mover == 0 else -float(work.lowest)


def tied_value(game: Any, state: Any, mover: int) -> float:
    """What it is worth to `mover` that the game ends because a state has come back."""
    if game.is_zero_sum or mover == 0:
        return float(game.tied(state, mover))
    return -float(game.tied(state, 0))


def estimate(game: Any, state: Any, mover: int, work: Any) -> float:
    """What a state where the search stops seems worth to `mover`."""
    work.doubts += 1
    return guess(game, state, mover, work)


def guess(game: Any, state: Any, mover: int, work: Any) -> float:
    """What a state seems worth to `mover` without searching, strictly between the worst and the best end."""
    value = work.bias
    if game.is_zero_sum:
        value += float(game.evaluate(state, mover))
    else:
        value += float(game.evaluate(state, 0)) if mover == 0 else -float(game.evaluate(state, 0))
    low, high = inner_range(game, mover, work)
    return from_short_bits(short_bits(min(max(value, low), high)))


def inner_range(game: Any, mover: int, work: Any) -> tuple[float, float]:
    """The least and the most that a guess may say: strictly between the worst and the best end for `mover`."""
    if game.is_zero_sum or mover == 0:
        return float(work.floor), float(work.ceiling)
    return -float(work.ceiling), -float(work.floor)


def sure_range(game: Any, state: Any, mover: int, work: Any) -> tuple[float, float]:
    """The game's own bounds on the value to `mover`; with distances, a sure win is one of unknown length."""
    low, high = -inf, inf
    if game.is_zero_sum:
        least, most = game.bounds(state, mover)
        low, high = float(least), float(most)
    else:
        least, most = game.bounds(state, 0)
        low, high = float(least), float(most)
        if mover != 0:
            low, high = -high, -low
    if work.distance:
        top = work.highest if mover == 0 else -work.lowest
        bottom = work.lowest if mover == 0 else -work.highest
        if low >= top:
            return SURE, inf
        if high <= bottom:
            return -inf, -SURE
        if low <= bottom:
            low = -inf
        if high >= top:
            high = inf
    return low, high


def may_pass(game: Any, mover: int, beta: float, depth: int, ply: int, work: Any) -> bool:
    """Whether to try what happens if the mover passes: not twice in a row, not near the end, not for a sure win."""
    tries = work.null_move > 0 and depth > work.null_move and work.null_ply != ply
    return bool(tries and beta < inner_range(game, mover, work)[1])


def is_sure(kind: int, value: float, mover: int, work: Any) -> bool:
    """Whether a bound on what `mover` gets is the best or worst end of all, and so holds at any depth."""
    top, bottom = SURE, -SURE
    if not work.distance:
        top = work.highest if mover == 0 else -work.lowest
        bottom = work.lowest if mover == 0 else -work.highest
    return (kind == LOWER and value >= top) or (kind == UPPER and value <= bottom)


def answers(game: Any, word: Bits, kind: int, value: float, mover: int, depth: int, work: Any) -> bool:
    """Whether what the table says of a state holds for a search of this depth.

    Where a state that comes back is a draw, an earlier search's does not: since then states have been played.
    """
    if game.remembers and age_in(word) != work.age:
        return False
    return kind != 0 and (serves(work, word, depth) or is_sure(kind, value, mover, work))


def narrowed(
    game: Any,
    word: Bits,
    low: float,
    high: float,
    alpha: float,
    beta: float,
    mover: int,
    depth: int,
    ply: int,
    work: Any,
) -> tuple[float, float]:
    """What is left of a sure range by what the table says: the value twice, if that is enough for the window."""
    kind = kind_in(word)
    value = value_in(work, word, ply)
    if answers(game, word, kind, value, mover, depth, work):
        if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
            rely_on(word, kind, value, mover, work)
            return value, value
        if depth_in(word) == ENDLESS:
            return (max(low, value), high) if kind == LOWER else (low, min(high, value))
    return low, high


def reached(depth: int, doubts: int) -> int:
    """How deep a value holds that was searched to a depth, by what it rests on: endlessly, if only on ends."""
    if doubts == 0:
        return ENDLESS + min(depth, ENDLESS - 1)
    return SETTLED if doubts % GUESS == 0 else min(depth, SETTLED - 1)


def rely_on(word: Bits, kind: int, value: float, mover: int, work: Any) -> None:
    """Count what an entry that answers rests on, if that is not ends of the game alone."""
    depth = depth_in(word)
    if depth < ENDLESS and not is_sure(kind, value, mover, work):
        if depth == SETTLED:
            work.doubts += GUESS
        else:
            work.doubts += 1


def peek_ahead(
    game: Any, state: Any, mover: int, ceiling: float, left: int, ply: int, base: int, count: int, work: Any
) -> float:
    """The best value of a child that the table has already, if that is enough for a cut; else -inf."""
    for index in range(count):
        _, _, child = get_item(work.stack, base + index, an_item, state)
        word = lookup(work, state_key(game, child, ply + 1, work))
        if word and not (game.ends_by_repetition and is_end(game, child, ply + 1, work)):
            kind = kind_in(word)
            value = value_in(work, word, ply + 1)
            other = game.to_move(child)
            if answers(game, word, kind, value, other, left, work):
                same = other == mover
                if kind == EXACT or kind == (LOWER if same else UPPER):
                    found = value if same else -value
                    if found >= ceiling:
                        rely_on(word, kind, value, other, work)
                        return found
    return -inf


def comes_back(game: Any, state: Any, ply: int, work: Any) -> bool:
    """Whether the state was there before, in this line or in the game, and that ends it; else it is entered into it."""
    mark = identity(game.recurrence(state))
    place = work.known + ply
    if game.ends_by_repetition and ply > 0:
        earlier = return_of(mark, place, game.reversible(state), work)
        if earlier < NOWHERE:
            work.reach = min(work.reach, earlier)
            return True
    if place < PATH:
        work.path[place] = mark
    else:
        work.doubts += GUESS
    return False


def is_end(game: Any, state: Any, ply: int, work: Any) -> bool:
    """Whether a state that a line comes to ends the game, by its rules or because it was there before."""
    if game.is_terminal(state):
        return True
    if game.ends_by_repetition:
        mark = identity(game.recurrence(state))
        return return_of(mark, work.known + ply, game.reversible(state), work) < NOWHERE
    return False


def keep_line(mark: int, ply: int, work: Any) -> None:
    """The expected line from a ply: its action, and the line expected after it."""
    start, below = ply * LINE, (ply + 1) * LINE
    length = min(work.line_length[ply + 1], LINE - 1 - ply)
    work.line[start] = mark
    for index in range(length):
        work.line[start + 1 + index] = work.line[below + index]
    work.line_length[ply] = length + 1
