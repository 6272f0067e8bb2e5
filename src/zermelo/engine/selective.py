"""The selective search: alpha-beta for games that say what an action gains at once; kernels, in both worlds.

It looks deep where it matters: late quiet actions are looked at less deep, hopeless ones not at all, and at the leaves
exchanges are played out. What it finds is an estimate, but for wins and losses that it has seen to the end. Children
are made when their turn comes, since most never do; an action is a number here, and is its own identity.
"""

from __future__ import annotations

from math import inf, log
from typing import Any

from zermelo.bits import Bits
from zermelo.engine.entries import (
    EXACT,
    LOWER,
    MOVE_BITS,
    UPPER,
    action_in,
    age_in,
    bucket,
    depth_in,
    kind_in,
    lookup,
    packed,
    state_key,
    store,
    value_in,
)
from zermelo.engine.kernel import comes_back, end_value, estimate, guess, keep_line, reached, rely_on, tied_value
from zermelo.engine.order import is_excluded
from zermelo.engine.ranking import COUNTER, FULL, HINTED, KILLER, choose, offer, reinforce
from zermelo.engine.work import GUESS, HISTORY, LINE, NOWHERE, PLIES, SURE
from zermelo.errors import LimitReached
from zermelo.native.memory import fetch_soon, next_up

SAFE, HOPELESS, LOSING = 3, 5, 8
"""Up to which depth a state that is far above the window is not looked at; up to which depth that is left after a
hopeless action it is left out, and one that loses something.

The deeper, the more there is that only looks safe: a sacrifice wins some plies later.
"""
DEEPER = 3
"""An entry of the table that was searched by more plies than this deeper is not replaced."""
REDUCTIONS = tuple(
    tuple(int(0.5 + log(max(depth, 1)) * log(max(tried, 1)) / 2.2) for tried in range(64)) for depth in range(64)
)
"""How many plies less deep a quiet action is looked at, by depth and by how many were looked at before it."""


def deep(game: Any, state: Any, alpha: float, beta: float, depth: int, ply: int, work: Any) -> float:
    """What `state` seems worth to the player to move, looking about `depth` plies ahead, as far as the window needs it.

    A value beyond `SURE` is proved: a line to the end against which nothing helps.
    """
    # 1. Ends, and states that come back.
    threatened = game.has_threatened and bool(game.threatened(state))
    if threatened and ply < 2 * work.root_depth:
        depth += 1
    if depth <= 0:
        return calm(game, state, alpha, beta, work.quiescence, ply, work)
    if work.nodes >= work.limit:
        raise LimitReached
    work.nodes += 1
    key = state_key(game, state, ply, work)
    if ply <= LINE:
        work.line_length[ply] = 0
    mover = game.to_move(state)
    if game.is_terminal(state):
        return end_value(game, state, mover, ply, work)
    if game.remembers and comes_back(game, state, ply, work):
        return tied_value(game, state, mover)
    if ply >= PLIES - 1:
        return estimate(game, state, mover, work)
    narrow = beta <= next_up(alpha)
    # 2. What the table says.
    hint = work.root_hint if ply == 0 else -1
    word = lookup(work, key)
    kind, value = 0, 0.0
    if word:
        if hint < 0 and action_in(word) != MOVE_BITS:
            hint = action_in(word)
        kind, value = kind_in(word), value_in(work, word, ply)
        fresh = not game.remembers or abs(value) < SURE or age_in(word) == work.age
        enough = kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha)
        if narrow and fresh and enough and depth_in(word) >= depth:
            rely_on(word, kind, value, mover, work)
            return value
    # 3. What the state seems worth as it stands, and whether that is more than two plies ago.
    before = work.doubts
    answered = work.answered
    stand = -inf if threatened else guess(game, state, mover, work)
    work.stands[ply] = stand
    improving = ply >= 2 and stand > work.stands[ply - 2]
    if word and not threatened and abs(value) < SURE and (kind == EXACT or (kind == LOWER) == (value > stand)):
        stand = value
    margin = float(game.margin)
    if narrow and not threatened and beta < SURE and beta > -SURE:
        # 4. So much that the opponent can't make up for it.
        if depth <= SAFE and stand - margin * (depth - improving) >= beta:
            work.doubts += 1
            return stand
        # 5. So much that even passing is good enough; a ply at least is looked at, which shows what threatens.
        if game.has_passed and work.null_move > 0 and depth >= 3 and stand >= beta and work.null_ply != ply:
            value = -inf
            for passed in game.passed(state):
                less = 3 + depth // 4 + min(int((stand - beta) / (2 * margin)), 3)
                work.null_ply = ply + 1
                work.motifs[ply + 1] = 0
                value = -deep(game, passed, -beta, -alpha, max(depth - 1 - less, 1), ply + 1, work)
                work.null_ply = -1
            if value >= beta:
                work.doubts += GUESS
                return value if value < SURE else beta
    # 6. Where nothing is known, a shallower search finds what to look at first.
    if hint < 0 and depth >= 4:
        depth -= 1
    # 7. Each action in turn.
    reach = work.reach
    work.reach = NOWHERE
    base = work.top
    count = step = 0
    first = hint >= 0 and ply > 0 and not game.has_symmetries
    gathered = False
    best, best_mark, floor = -inf, 0, alpha
    tried = quiets = 0
    most_quiets = (3 + depth * depth) // (1 if improving or not narrow else 2)
    while True:
        if first:
            score, mark, gain = HINTED, hint, float(game.gain(state, hint))
        else:
            if not gathered:
                gathered = True
                for action in game.actions(state):
                    if (tried == 0 or action != hint) and (ply > 0 or not is_excluded(action, work)):
                        count += offer(game, state, action, hint, mover, ply, answered, base, count, work)
                work.top = base + count
            if step == count:
                break
            score, mark, gain = choose(state, base, count, work)
            step += 1
        first = False
        quiet = gain == 0.0
        child = game.result(state, mark)
        fetch_soon(work.table, bucket(work, state_key(game, child, ply + 1, work)))
        attacks = game.has_threatened and bool(game.threatened(child))
        # 8. Late ones that gain nothing are looked at less deep.
        left = depth - 1
        reduced = 0
        if depth >= 2 and tried >= (2 if narrow else 4) and gain <= 0.0:
            reduced = REDUCTIONS[min(depth, 63)][min(tried, 63)] + (not improving) - (not narrow)
            if quiet and score < COUNTER:
                reduced -= int(score) // (FULL // 2)
            reduced -= threatened or attacks or score >= COUNTER
            reduced = min(max(reduced, 0), left)
        # 9. Very late and hopeless ones, and those that lose something, are left out, unless they attack.
        if ply > 0 and best > -SURE and not threatened and not attacks and score < KILLER:
            rest = left - reduced
            hopeless = stand + margin * (rest + 2)
            late = quiets >= most_quiets or (rest <= HOPELESS and narrow and hopeless <= floor)
            if quiet and not late and rest < LOSING and game.has_loses:
                late = bool(game.loses(state, mark, margin * (rest + 1)))
            if (quiet and late) or (depth <= LOSING and gain < -margin * depth):
                work.doubts += 1
                continue
        reduced = min(reduced, max(left - 1, 0))
        same = game.to_move(child) == mover
        window = beta if tried == 0 else next_up(floor)
        value = 0.0
        if game.has_motif:
            work.motifs[ply + 1] = 1 + game.motif(state, mark)
        while True:
            work.answered = HISTORY * mover + (mark & (HISTORY - 1))
            if same:
                value = deep(game, child, floor, window, left - reduced, ply + 1, work)
            else:
                value = -deep(game, child, -window, -floor, left - reduced, ply + 1, work)
            if value > floor and reduced > 0:
                reduced = 0
            elif value > floor and value < beta and window < beta:
                window = beta
            else:
                break
        tried += 1
        quiets += quiet
        if value > best:
            best, best_mark = value, mark
            if value > floor:
                floor = value
                if ply < LINE and (ply == 0 or not narrow):
                    keep_line(mark, ply, work)
                if ply == 0:
                    work.root_value = value
                if value >= beta:
                    if quiet:
                        reinforce(game, state, mark, mover, depth, ply, answered, base, count, work)
                    break
    work.top = base
    # 10. What was found is kept, unless much more is known. What depends on how one came here is a guess elsewhere.
    free = work.reach >= ply
    if free or abs(best) < SURE:
        work.doubts += not free
        deeper = word != 0 and age_in(word) == work.age and depth_in(word) > depth + DEEPER
        if (ply > 0 or work.excluded_count == 0) and not deeper:
            kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            store(work, key, packed(work, best, kind, reached(depth, work.doubts - before), best_mark & MOVE_BITS, ply))
    work.reach = reach if free else min(work.reach, reach)
    return best


def calm(game: Any, state: Any, alpha: float, beta: float, left: int, ply: int, work: Any) -> float:
    """Quiescence: what a state seems worth once exchanges have been played out.

    The mover need not take part in any of them, unless he is threatened: then he has to find an answer.
    """
    if work.nodes >= work.limit:
        raise LimitReached
    work.nodes += 1
    key = state_key(game, state, ply, work)
    if ply <= LINE:
        work.line_length[ply] = 0
    mover = game.to_move(state)
    if game.is_terminal(state):
        return end_value(game, state, mover, ply, work)
    if game.remembers and comes_back(game, state, ply, work):
        return tied_value(game, state, mover)
    word = lookup(work, key) if ply > 0 else Bits(0)
    hint = -1
    if word:
        hint = action_in(word)
        kind, value = kind_in(word), value_in(work, word, ply)
        fresh = not game.remembers or abs(value) < SURE or age_in(word) == work.age
        if fresh and (kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha)):
            rely_on(word, kind, value, mover, work)
            return value
    threatened = game.has_threatened and left > 0 and bool(game.threatened(state))
    before = work.doubts
    best = -inf if threatened else estimate(game, state, mover, work)
    if best >= beta or left <= 0 or ply >= PLIES - 1:
        return best
    stand, floor = best, max(alpha, best)
    best_mark = MOVE_BITS
    reach = work.reach
    work.reach = NOWHERE
    base = work.top
    count = 0
    if threatened:
        for action in game.actions(state):
            count += offer(game, state, action, hint, mover, ply, work.answered, base, count, work)
    elif game.has_noisy:
        for action in game.noisy(state):
            count += offer(game, state, action, hint, mover, ply, work.answered, base, count, work)
    work.top = base + count
    for _ in range(count):
        _, mark, gain = choose(state, base, count, work)
        if not threatened:
            if gain < 0.0:
                break
            hopeless = stand + gain + 2 * float(game.margin)
            if hopeless <= floor:
                best = max(best, hopeless)
                continue
        child = game.result(state, mark)
        fetch_soon(work.table, bucket(work, state_key(game, child, ply + 1, work)))
        if game.has_motif:
            work.motifs[ply + 1] = 1 + game.motif(state, mark)
        if game.to_move(child) == mover:
            value = calm(game, child, floor, beta, left - 1, ply + 1, work)
        else:
            value = -calm(game, child, -beta, -floor, left - 1, ply + 1, work)
        if value > best:
            best, best_mark = value, mark
            floor = max(floor, value)
            if value >= beta:
                break
    work.top = base
    free = work.reach >= ply
    if free or abs(best) < SURE:
        work.doubts += not free
        kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        if not word or depth_in(word) == 0:
            store(work, key, packed(work, best, kind, reached(0, work.doubts - before), best_mark & MOVE_BITS, ply))
    work.reach = reach if free else min(work.reach, reach)
    return best
