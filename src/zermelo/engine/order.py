"""The children of a state, most promising first; kernels, in both worlds.

They lie on the work's stack as (score, identity of the action, child).
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.entries import MOVE_BITS, bucket, state_key
from zermelo.engine.work import HISTORY, NOWHERE, PATH, PLIES
from zermelo.errors import LimitReached
from zermelo.native.memory import fetch_soon, get_item, identity, put_item

FIRST = 1e30
"""The score of the table's action."""
LAST = -1e20
"""What is added to the score of an action that the game does not call plausible."""
KILLER = 1e15
LARGEST_HISTORY = 1 << 20


def gather(game: Any, state: Any, depth: int, ply: int, base: int, work: Any) -> int:
    """Put the children of a state on the stack, in the game's own order, and count them.

    Where the game calls some plausible, these come first, and below the root the others may not come at all. At the
    root the excluded actions are left out.
    """
    count = 0
    if game.has_plausible:
        enough = ply > 0 and (game.plausible_is_safe or work.forward)
        if enough or work.plausible_first:
            for action in game.plausible(state):
                if ply > 0 or not is_excluded(identity(action), work):
                    count += add(game, state, action, 0.0, depth, ply, base + count, work)
        if enough and count > 0:
            return count
        promising = count
        for action in game.actions(state):
            mark = identity(action)
            if not among(state, mark, base, promising, work) and (ply > 0 or not is_excluded(mark, work)):
                count += add(game, state, action, LAST, depth, ply, base + count, work)
        return count
    for action in game.actions(state):
        if ply > 0 or not is_excluded(identity(action), work):
            count += add(game, state, action, 0.0, depth, ply, base + count, work)
    return count


def is_excluded(mark: int, work: Any) -> bool:
    """Whether an action at the root is not to be searched."""
    return any(work.excluded[index] == mark for index in range(work.excluded_count))


def leaves_some_out(game: Any, state: Any, ply: int, count: int, work: Any) -> bool:
    """Whether a forward search has gathered fewer actions than there are."""
    if ply > 0 and work.forward:
        for _ in game.actions(state):
            count -= 1
    return count < 0


def add(game: Any, state: Any, action: Any, score: float, depth: int, ply: int, place: int, work: Any) -> int:
    """Put one child on the stack, and the table is told that it will be asked for it; 0 if that would be a return."""
    if place >= work.room:
        work.is_full = 1
        raise LimitReached
    child = game.result(state, action)
    if game.no_return and returns(game, state, child, ply, work):
        return 0
    if depth > work.table_depth:
        fetch_soon(work.table, bucket(work, state_key(game, child, ply + 1, work)))
    put_item(work.stack, place, (score, identity(action), child))
    return 1


def returns(game: Any, state: Any, child: Any, ply: int, work: Any) -> bool:
    """Whether a child is an earlier state come back; one that leaves things as they are is not."""
    mark = identity(game.recurrence(child))
    if mark == identity(game.recurrence(state)):
        return False
    earlier = return_of(mark, work.known + ply, game.reversible(child), work)
    work.reach = min(work.reach, earlier)
    return earlier < NOWHERE


def return_of(mark: int, place: int, back: int, work: Any) -> int:
    """The ply at which the state that a line comes to was before, if that makes it a draw; else `NOWHERE`.

    It is looked for `back` plies back. Below the root once is enough, since what was done once can be done again; of
    the states that were played, the root among them, as many are needed as the game says. They are the same for a
    whole search: no ply of it.
    """
    first = max(place - back, work.known + 1)
    for index in range(min(place, PATH) - 1, first - 1, -1):
        if work.path[index] == mark:
            return index - int(work.known)
    played = 0
    for index in range(work.known if place - back <= work.known else -1, -1, -1):
        if work.path[index] == mark:
            played += 1
            if played >= work.returns:
                return NOWHERE - 1
    return NOWHERE


def an_item(state: Any) -> Any:
    """Any item of the stack, for its kind."""
    return 0.0, identity(0), state


def among(state: Any, mark: int, base: int, count: int, work: Any) -> bool:
    """Whether an action is on the stack already."""
    return any(get_item(work.stack, base + index, an_item, state)[1] == mark for index in range(count))


def sort(
    game: Any, state: Any, mover: int, hint: int, depth: int, ply: int, answered: int, base: int, count: int, work: Any
) -> None:
    """Sort the children by what is known of them; equals stay in the game's own order."""
    level = min(ply, PLIES - 1)
    for index in range(count):
        score, mark, child = get_item(work.stack, base + index, an_item, state)
        if mark & MOVE_BITS == hint:
            score = FIRST
        else:
            slot = HISTORY * mover + (mark & (HISTORY - 1))
            if depth >= work.promise_depth:
                score += float(game.promise(child, mover))
            if work.killers_first:
                if mark == work.killers[2 * level]:
                    score += 2 * KILLER
                elif mark == work.killers[2 * level + 1]:
                    score += KILLER
            if work.counter_first and mark == work.counters[answered]:
                score += KILLER / 2
            if work.history_first:
                score += work.history[slot] / LARGEST_HISTORY
        place = base + index
        while place > base:
            before = get_item(work.stack, place - 1, an_item, state)
            if before[0] >= score:
                break
            put_item(work.stack, place, before)
            place -= 1
        put_item(work.stack, place, (score, mark, child))


def learn(mark: int, mover: int, depth: int, ply: int, answered: int, work: Any) -> None:
    """Remember an action that cut: it may cut again elsewhere, and after the same action of the opponent."""
    work.counters[answered] = mark
    level = min(ply, PLIES - 1)
    if work.killers[2 * level] != mark:
        work.killers[2 * level + 1] = work.killers[2 * level]
        work.killers[2 * level] = mark
    slot = HISTORY * mover + (mark & (HISTORY - 1))
    work.history[slot] += min(depth, 64) * min(depth, 64)
    if work.history[slot] > LARGEST_HISTORY:
        for each in range(2 * HISTORY):
            work.history[each] //= 2
