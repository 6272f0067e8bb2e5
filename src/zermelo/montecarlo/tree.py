"""UCT: simulations that grow a tree towards what looks best, in both worlds (Kocsis and Szepesvári, 2006)."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter, signed
from zermelo.errors import BadOdds, EvaluationOutOfBounds, OutOfBounds
from zermelo.game import CHANCE
from zermelo.montecarlo.nodes import (
    AMAF,
    CHILDREN,
    CLAIMED,
    COUNT_BITS,
    DRAWS,
    ENDED,
    FINISHED,
    LOWER,
    MADE,
    MARK,
    NODE,
    PATH,
    PRIOR,
    ROOT,
    SHARES,
    SQUARES,
    SUM,
    TIMES,
    TOTAL,
    UPPER,
    USED,
    WINS,
    WORTH,
    a_child,
)
from zermelo.montecarlo.proving import is_settled, prove
from zermelo.montecarlo.rave import back_up_rave, note_played, with_rave
from zermelo.native import limit_now
from zermelo.native.memory import (
    add_float,
    add_word,
    copy_word,
    get_item,
    identity,
    peek,
    peek_float,
    poke,
    poke_float,
    put_item,
    swap_word,
)
from zermelo.search.luck import CLOSE, random_action, random_outcome, random_plausible, random_step, stream
from zermelo.tuples import same_for_all

if TYPE_CHECKING:
    from zermelo.game import Game

PATIENT = 256
"""Moves of a roll-out after which it looks whether it is to stop."""


def grow(game: Game, root: Any, work: Any) -> None:
    """Simulate until the limit is reached or the root's value is proved.

    Each simulation has random numbers of its own, from the seed, its number and its thread: stopping and going on
    changes nothing.
    """
    while work.simulations < limit_now(work) and not work.proved:
        # 1. A new simulation with its own random numbers.
        work.simulations += 1
        work.word = signed(stream(work.seed + work.thread, work.simulations))
        work.length = 0
        # 2. Down the tree, to a leaf.
        depth, state = descend(game, root, work)
        # 3. What the leaf is worth, by a proof or by playing on at random.
        values = leaf_values(game, state, depth, work)
        if work.broken:
            take_back(depth, work)
            return
        # 4. Up the tree again, and what is proved now.
        value = back_up(values, depth, work)
        note(game, values, value, depth, work)
        if work.proofs and peek(work.memory, NODE * work.path[depth] + CHILDREN) == ENDED:
            prove(depth, work)


def descend(game: Game, root: Any, work: Any) -> tuple[int, Any]:
    """Go from the root to a leaf, which may get children on the way; its depth and state."""
    state = root
    node = ROOT
    depth = 0
    work.path[0] = ROOT
    if work.threads > 1:
        add_word(work.memory, NODE * ROOT, 1)
    while depth < PATH - 1:
        place = NODE * node
        packed = peek(work.memory, place + CHILDREN)
        if packed == 0:
            packed = expand(game, state, place, depth, work)
        if packed <= CLAIMED or (work.proofs and depth > 0 and is_settled(work.memory, place)):
            break
        mover = game.to_move(state)
        node = happening(packed, work) if mover == CHANCE else choice(game, place, packed, mover, work)
        depth += 1
        work.path[depth] = node
        work.movers[depth] = mover
        if work.threads > 1:
            lend(NODE * node, depth, work)
        mark, state = get_item(work.items, node, a_child, state)
        if work.rave > 0.0:
            note_played(mark, mover, work)
    work.deepest = max(work.deepest, depth)
    return depth, state


def lend(place: int, depth: int, work: Any) -> None:
    """Count a visit whose value is still to come: as lost, so that other threads go elsewhere.

    Where many are under way at once, that would count for more than what is known: there it is the mean so far.
    """
    tried = add_word(work.memory, place, 1)
    worth = work.penalty
    if work.many and tried > 0:
        worth = peek_float(work.memory, place + TOTAL) / tried
    work.owed[depth] = worth
    add_float(work.memory, place + TOTAL, worth)


def take_back(depth: int, work: Any) -> None:
    """Undo a simulation that has no value."""
    work.broken = 0
    work.simulations -= 1
    if work.threads > 1:
        for level in range(depth + 1):
            add_word(work.memory, NODE * work.path[level], -1)
            if level > 0:
                add_float(work.memory, NODE * work.path[level] + TOTAL, -work.owed[level])


def expand(game: Game, state: Any, place: int, depth: int, work: Any) -> Bits:
    """Give a leaf its children, if it has been visited often enough and there is room; its word for them then."""
    if game.is_terminal(state):
        if work.proofs:
            poke_float(work.memory, place + LOWER, float(game.utility(state, 0)))
            poke_float(work.memory, place + UPPER, float(game.utility(state, 0)))
        poke(work.memory, place + CHILDREN, Bits(ENDED))
        return Bits(ENDED)
    if depth > 0 and int(peek(work.memory, place)) - (work.threads > 1) < work.expand:
        return Bits(0)
    count = branches(game, state)
    if count == 0:
        random_step(game, state, Bits(0))  # which tells what the rules lack
    if work.threads > 1 and swap_word(work.memory, place + CHILDREN, Bits(0), Bits(CLAIMED)) != 0:
        return Bits(CLAIMED)
    first = take(count, work)
    packed = Bits(0)
    if first > 0:
        make_children(game, state, first, work)
        if game.no_return:
            forbid_returns(game, state, first, count, depth, work)
        packed = Bits(first) << COUNT_BITS | count
    poke(work.memory, place + CHILDREN, packed)
    return packed


def branches(game: Game, state: Any) -> int:
    """How many actions there are, or outcomes."""
    count = 0
    if game.has_chance and game.to_move(state) == CHANCE:
        for _, _ in game.outcomes(state):
            count += 1
    else:
        for _ in game.actions(state):
            count += 1
    return count


def make_children(game: Game, state: Any, first: int, work: Any) -> None:
    """Fill the nodes of all children."""
    node = first
    mover = game.to_move(state)
    if game.has_chance and mover == CHANCE:
        whole = 0.0
        for action, probability in game.outcomes(state):
            put_child(node, action, game.result(state, action), work)
            poke_float(work.memory, NODE * node + PRIOR, float(probability))
            whole += probability if probability >= 0 else inf
            node += 1
        if not abs(whole - 1.0) <= CLOSE:
            raise BadOdds
    else:
        for action in game.actions(state):
            child = game.result(state, action)
            put_child(node, action, child, work)
            if game.has_prior and work.prior > 0.0:
                poke_float(work.memory, NODE * node + PRIOR, float(game.prior(state, action)))
            elif work.bias > 0.0:
                poke_float(work.memory, NODE * node + PRIOR, float(game.promise(child, mover)))
            node += 1


def take(count: int, work: Any) -> int:
    """Room for some nodes side by side: the first of them, or 0 if there is none."""
    first = peek(work.memory, USED)
    while int(first) + count <= work.room:
        before = first
        if work.threads > 1:
            before = swap_word(work.memory, USED, first, first + count)
        else:
            poke(work.memory, USED, first + count)
        if before == first:
            return int(first)
        first = before
    work.is_full = 1
    return 0


def put_child(node: int, action: Any, child: Any, work: Any) -> None:
    """A new node for a child."""
    place = NODE * node
    poke(work.memory, place, Bits(0))
    poke_float(work.memory, place + TOTAL, 0.0)
    poke(work.memory, place + CHILDREN, Bits(0))
    poke_float(work.memory, place + LOWER, work.lowest)
    poke_float(work.memory, place + UPPER, work.highest)
    put_item(work.items, node, (identity(action), child))
    if work.rave > 0.0:
        poke(work.amaf, AMAF * node + TIMES, Bits(0))
        poke_float(work.amaf, AMAF * node + SUM, 0.0)
        poke(work.amaf, AMAF * node + MARK, Bits(identity(action)))


def forbid_returns(game: Game, state: Any, first: int, count: int, depth: int, work: Any) -> None:
    """Settle the children that would bring back a state of the game or of the way here: as lost to who moves there,
    so that nobody does. One that leaves things as they are brings nothing back."""
    here = identity(game.recurrence(state))
    for level in range(1, depth):
        work.marks[level] = identity(game.recurrence(get_item(work.items, work.path[level], a_child, state)[1]))
    worst = work.lowest if game.to_move(state) == 0 or not work.proofs else work.highest
    for node in range(first, first + count):
        mark = identity(game.recurrence(get_item(work.items, node, a_child, state)[1]))
        if mark != here and is_known(mark, depth, work):
            poke_float(work.memory, NODE * node + LOWER, worst)
            poke_float(work.memory, NODE * node + UPPER, worst)


def is_known(mark: int, depth: int, work: Any) -> bool:
    """Whether a state was there before, on the way to a depth or in the game; the root is of the game."""
    for level in range(1, depth):
        if work.marks[level] == mark:
            return True
    place = past_place(mark, work.past_size)
    while work.past_size > 0 and peek(work.past, place) != 0:
        if signed(peek(work.past, place)) == mark:
            return True
        place = (place + 1) % work.past_size
    return False


def past_place(mark: int, size: int) -> int:
    """Where the mark of a state that was played is looked for first."""
    return int(scatter(Bits(mark)) >> 33) * size >> 31


def happening(packed: Bits, work: Any) -> int:
    """A child of a chance node, by its probability."""
    first, count = int(packed >> COUNT_BITS), int(packed & ((1 << COUNT_BITS) - 1))
    left = next_random(work)
    for node in range(first, first + count - 1):
        probability = peek_float(work.memory, NODE * node + PRIOR)
        if left < probability:
            return node
        left -= probability
    return first + count - 1


def next_random(work: Any) -> float:
    """A random number from 0 to below 1."""
    word = Bits(work.word) + 1
    work.word = signed(word)
    return int(scatter(word) >> 11) / 2**53


def choice(game: Game, place: int, packed: Bits, mover: int, work: Any) -> int:
    """The child with the highest upper confidence bound, among those of which something is still to be found out.

    Children never visited come first, from a place of the node's own on, unless `urgency` says what they count.
    """
    first, count = int(packed >> COUNT_BITS), int(packed & ((1 << COUNT_BITS) - 1))
    visits = max(int(peek(work.memory, place)), 1)
    explore = work.exploration * work.spread * sqrt(log(visits))
    start = int(Bits(place) * 0x9E3779B97F4A7C15 >> 33) * count >> 31
    unvisited = urgency(first, count, work)
    low, high = peek_float(work.memory, place + LOWER), peek_float(work.memory, place + UPPER)
    floor = low if mover == 0 else work.total - high
    best = -inf
    chosen = first + start
    for step in range(count):
        node = first + start + step if start + step < count else first + start + step - count
        at = NODE * node
        tried = int(peek(work.memory, at))
        value = unvisited
        if game.has_prior and work.prior > 0.0:
            value = primed(node, tried + work.prior, explore, work)
        elif tried > 0:
            value = peek_float(work.memory, at + TOTAL) / tried + explore / sqrt(tried)
            if work.rave > 0.0:
                value = with_rave(value, node, tried, work)
        if work.bias > 0.0:
            value += work.bias * peek_float(work.memory, at + PRIOR) / (tried + 1)
        if work.settles:
            low, high = peek_float(work.memory, at + LOWER), peek_float(work.memory, at + UPPER)
            if low == high or (high if mover == 0 else work.total - low) <= floor:
                value = -inf
        if value > best:
            best = value
            chosen = node
            if best == inf:
                break
    return chosen


def primed(node: int, weight: float, explore: float, work: Any) -> float:
    """What a child counts whose first estimate is worth some visits; `weight` are these and its own."""
    at = NODE * node
    total = peek_float(work.memory, at + TOTAL) + work.prior * peek_float(work.memory, at + PRIOR)
    value: float = total / weight + explore / sqrt(weight)
    return with_rave(value, node, weight, work) if work.rave > 0.0 else value


def urgency(first: int, count: int, work: Any) -> float:
    """What a child never visited counts: so many spreads above the mean of its siblings."""
    if work.urgency == inf:
        return inf
    visits = 0
    total = 0.0
    for node in range(first, first + count):
        visits += int(peek(work.memory, NODE * node))
        total += peek_float(work.memory, NODE * node + TOTAL)
    return total / visits + work.urgency * work.spread if visits > 0 else inf


def leaf_values(game: Game, state: Any, depth: int, work: Any) -> tuple[float, ...]:
    """What a leaf is worth to each player: what is proved of it, or what comes of playing on."""
    leaf = NODE * work.path[depth]
    if peek(work.memory, leaf + CHILDREN) != ENDED and work.proofs and is_settled(work.memory, leaf):
        work.finished = 0 if game.has_chance else 1
        return same_for_all(game, peek_float(work.memory, leaf + LOWER))
    values = roll_out(game, state, work)
    check_bounds(values[0], work)
    return values


def check_bounds(value: float, work: Any) -> None:
    """`OutOfBounds` if an end or an evaluation lies outside the utility bounds, on which the proofs rest."""
    if work.proofs and not work.broken and not work.lowest <= value <= work.highest:
        if work.finished:
            raise OutOfBounds
        raise EvaluationOutOfBounds


def roll_out(game: Game, state: Any, work: Any) -> tuple[float, ...]:
    """Play on at random to the end, or to where the evaluation is asked; what that is worth to each player.

    If it is told to stop before, it is `broken`, and worth nothing.
    """
    word = Bits(work.word)
    played = 0
    pause = min(work.plies, PATIENT)
    work.finished = 0
    while not game.is_terminal(state):
        if played >= pause:
            if played >= work.plies:
                return game.evaluations(state)
            if limit_now(work) < work.simulations:
                work.broken = 1
                return same_for_all(game, 0.0)
            pause = min(work.plies, pause + PATIENT)
        word += 1
        played += 1
        mover = game.to_move(state)
        if game.has_chance and mover == CHANCE:
            state = game.result(state, random_outcome(game, state, scatter(word)))
        elif game.has_reply and work.reply:
            action = game.reply(state, scatter(word))
            if work.rave > 0.0:
                note_played(identity(action), mover, work)
            state = game.result(state, action)
        elif game.has_plausible and work.plausible:
            action = random_plausible(game, state, scatter(word))
            if work.rave > 0.0:
                note_played(identity(action), mover, work)
            state = game.result(state, action)
        else:
            action = random_action(game, state, scatter(word))
            if work.rave > 0.0:
                note_played(identity(action), mover, work)
            state = game.result(state, action)
    work.finished = 1
    return game.utilities(state)


def back_up(values: tuple[float, ...], depth: int, work: Any) -> float:
    """Add a simulation's values to all nodes on its way; where a range is proved, what lies outside is cut to it.

    Gives what was added to the first node after the root.
    """
    seen = values[0]
    first = 0.0
    for level in range(depth, -1, -1):
        place = NODE * work.path[level]
        mover = work.movers[level] if level > 0 else 0
        value = values[max(mover, 0)]
        if work.proofs:
            seen = min(max(seen, peek_float(work.memory, place + LOWER)), peek_float(work.memory, place + UPPER))
            value = work.total - seen if mover == 1 else seen
        if work.threads == 1:
            poke(work.memory, place, peek(work.memory, place) + 1)
            poke_float(work.memory, place + TOTAL, peek_float(work.memory, place + TOTAL) + value)
        elif level == 0:
            add_float(work.memory, place + TOTAL, value)
        else:
            add_float(work.memory, place + TOTAL, value - work.owed[level])
        if level == 1:
            first = value
    if work.rave > 0.0:
        back_up_rave(values, depth, work)
    return first


def note(game: Game, values: tuple[float, ...], value: float, depth: int, work: Any) -> None:
    """Count a game in all accounts; `value` is what it is worth to whoever chooses at the root."""
    if work.noted == 0:
        for player in range(game.players):
            work.origins[player] = values[player]
    work.noted += 1
    for player in range(game.players):
        work.sums[player] += values[player]
    note_spread(values[0] - work.origins[0], work)
    if depth > 0:
        note_root(values, value, work)


def note_spread(value: float, work: Any) -> None:
    """Keep the standard deviation of the values; it is looked at often in the beginning, then now and then."""
    work.sum += value
    work.squares += value * value
    if work.noted < 64 or work.noted & 63 == 0:
        mean = work.sum / work.noted
        variance = work.squares / work.noted - mean * mean
        work.spread = sqrt(variance) if variance > 0.0 else work.unit


def note_root(values: tuple[float, ...], value: float, work: Any) -> None:
    """Count a game for the action that it began with."""
    first = int(peek(work.memory, NODE * ROOT + CHILDREN) >> COUNT_BITS)
    place = (SHARES + work.shares) * (work.path[1] - first)
    poke(work.roots, place + MADE, peek(work.roots, place + MADE) + 1)
    if work.finished:
        poke(work.roots, place + FINISHED, peek(work.roots, place + FINISHED) + 1)
        if value > work.middle:
            poke(work.roots, place + WINS, peek(work.roots, place + WINS) + 1)
        elif value == work.middle:
            poke(work.roots, place + DRAWS, peek(work.roots, place + DRAWS) + 1)
    above = value - work.origins[max(work.movers[1], 0)]
    poke_float(work.roots, place + WORTH, peek_float(work.roots, place + WORTH) + above)
    poke_float(work.roots, place + SQUARES, peek_float(work.roots, place + SQUARES) + above * above)
    for player in range(work.shares):
        at = place + SHARES + player
        poke_float(work.roots, at, peek_float(work.roots, at) + values[player])


def transplant(_game: Game, root: Any, node: int, memory: Any, items: Any, amaf: Any, work: Any) -> None:
    """Copy the tree below a node of an old memory into the work's own, where that node becomes the root.

    Nodes are copied in the order of their new places, so that the copies not looked at yet are their own queue. What
    finds no room stays behind: its parent is a leaf again.
    """
    copy_node(memory, NODE * node, work.memory, NODE * ROOT)
    at = ROOT
    used = ROOT + 1
    while at < used:
        place = NODE * at
        packed = peek(work.memory, place + CHILDREN)
        if packed > CLAIMED:
            first, count = int(packed >> COUNT_BITS), int(packed & ((1 << COUNT_BITS) - 1))
            if used + count > work.room:
                poke(work.memory, place + CHILDREN, Bits(0))
            else:
                poke(work.memory, place + CHILDREN, Bits(used) << COUNT_BITS | count)
                for index in range(count):
                    copy_node(memory, NODE * (first + index), work.memory, NODE * (used + index))
                    put_item(work.items, used + index, get_item(items, first + index, a_child, root))
                    if work.rave > 0.0:
                        for word in range(AMAF):
                            copy_word(amaf, AMAF * (first + index) + word, work.amaf, AMAF * (used + index) + word)
                used += count
        elif packed == CLAIMED:
            poke(work.memory, place + CHILDREN, Bits(0))
        at += 1
    poke(work.memory, USED, Bits(used))


def copy_node(source: Any, start: int, target: Any, place: int) -> None:
    """Copy the words of a node."""
    for word in range(NODE):
        copy_word(source, start + word, target, place + word)
