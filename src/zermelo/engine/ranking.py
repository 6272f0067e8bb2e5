"""Which action the selective search looks at next, and what it remembers of those that cut; kernels, in both worlds.

The actions of a state lie on the work's stack as (score, action, gain). Their ranks, words in which a better score is a
larger number, lie in a table of their own, where the best is found at once; the rank of an action that was chosen is 0.
"""

from __future__ import annotations

from typing import Any

from zermelo.bits import Bits, signed
from zermelo.engine.entries import MOVE_BITS
from zermelo.engine.work import HISTORY, MOTIFS
from zermelo.errors import LimitReached
from zermelo.native.memory import get_item, identity, largest, long_bits, peek, peek_short, poke, poke_short, put_item

HINTED, GAINS, KILLER, COUNTER, LOSSES = 1e9, 1e6, 9e5, 8e5, -1e6
"""Scores: the table's action, what is added to a gain, killers, the reply that cut before, what is added to a loss.

Other quiet actions have what they stand at.
"""
ABOVE, NUMBER = 2e6, Bits(0xFFFF)
"""What is added to scores so that none is below 0: a rank is the bits of that, with the action's number in the last."""
FULL = 16384
"""History stays between this and its negative."""


def offer(
    game: Any,
    state: Any,
    action: int,
    hint: int,
    mover: int,
    ply: int,
    answered: int,
    base: int,
    number: int,
    work: Any,
) -> int:
    """Put an action on the stack as the one of this number, with its score and what it gains; 1, to be counted."""
    place = base + number
    if place >= work.room:
        work.is_full = 1
        raise LimitReached
    gain = float(game.gain(state, action))
    score = gain
    if action & MOVE_BITS == hint:
        score = HINTED
    elif gain > 0.0:
        score += GAINS
    elif gain < 0.0:
        score += LOSSES
    elif action == work.killers[2 * ply] or action == work.killers[2 * ply + 1]:
        score = KILLER
    elif action == work.counters[answered]:
        score = COUNTER
    else:
        score = float(standing(game, state, action, mover, ply, work))
    put_item(work.stack, place, (score, action, gain))
    poke(work.ranks, place, long_bits(max(score + ABOVE, 0.0)) & ~NUMBER | NUMBER - number)
    return 1


def a_choice(_: Any) -> Any:
    """Any item of the stack, for its kind."""
    return 0.0, identity(0), 0.0


def choose(state: Any, base: int, count: int, work: Any) -> Any:
    """The best of the items from a place on that were not chosen before; of equals the earliest."""
    best = largest(work.ranks, base, base + count)
    place = base + signed(NUMBER - (best & NUMBER))
    poke(work.ranks, place, Bits(0))
    return get_item(work.stack, place, a_choice, state)


def standing(game: Any, state: Any, action: int, mover: int, ply: int, work: Any) -> int:
    """How often an action cut, at all and after what was played last; less where it was tried in vain."""
    total = int(work.history[HISTORY * mover + (action & (HISTORY - 1))])
    if game.has_motif:
        motif = 1 + game.motif(state, action)
        total += peek_short(work.pairs, answers_to(1, mover, ply, work) + motif)
        total += peek_short(work.pairs, answers_to(2, mover, ply, work) + motif)
    return total


def answers_to(back: int, mover: int, ply: int, work: Any) -> int:
    """Where the history begins of what answers the kind of action that was played so many plies ago, 1 or 2."""
    motif = work.motifs[ply - back + 1] if ply >= back - 1 else 0
    return ((2 * back - 2 + mover) * MOTIFS + motif) * MOTIFS


def reinforce(
    game: Any, state: Any, mark: int, mover: int, depth: int, ply: int, answered: int, base: int, count: int, work: Any
) -> None:
    """Remember a quiet action that cut, and that those chosen before it did not."""
    work.counters[answered] = mark
    if work.killers[2 * ply] != mark:
        work.killers[2 * ply + 1] = work.killers[2 * ply]
        work.killers[2 * ply] = mark
    bonus = min(16 * depth * depth, FULL // 8)
    credit(game, state, mark, mover, ply, bonus, work)
    for place in range(base, base + count):
        _, other, gain = get_item(work.stack, place, a_choice, state)
        if gain == 0.0 and other != mark and not peek(work.ranks, place):
            credit(game, state, other, mover, ply, -bonus, work)


def credit(game: Any, state: Any, action: int, mover: int, ply: int, bonus: int, work: Any) -> None:
    """Move all that an action stands at."""
    slot = HISTORY * mover + (action & (HISTORY - 1))
    work.history[slot] = moved(int(work.history[slot]), bonus)
    if game.has_motif:
        motif = 1 + game.motif(state, action)
        for back in range(1, 3):
            place = answers_to(back, mover, ply, work) + motif
            poke_short(work.pairs, place, moved(peek_short(work.pairs, place), bonus))


def moved(history: int, bonus: int) -> int:
    """A history after it has gone towards one of its ends, less the nearer it is."""
    return history + bonus - history * abs(bonus) // FULL
