"""UCT: simulations that grow a tree towards what looks best, in both worlds (Kocsis and Szepesvári, 2006)."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter, signed
from zermelo.errors import OutOfBounds
from zermelo.game import CHANCE
from zermelo.montecarlo.nodes import (
    AMAF,
    CHILDREN,
    CLAIMED,
    COUNT_BITS,
    DRAWS,
    ENDED,
    LOWER,
    MADE,
    MARK,
    NODE,
    PATH,
    PRIOR,
    ROOT,
    ROOT_WORDS,
    SQUARES,
    SUM,
    TIMES,
    TOTAL,
    UPPER,
    USED,
    WINS,
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
from zermelo.search.luck import random_action, random_outcome, random_plausible, stream
from zermelo.tuples import same_for_all

if TYPE_CHECKING:
    from zermelo.game import Game


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
        leaf = NODE * work.path[depth]
        ended = peek(work.memory, leaf + CHILDREN) == ENDED
        if work.proofs and not ended and is_settled(work.memory, leaf):
            back_up(game, same_for_all(game, peek_float(work.memory, leaf + LOWER)), depth, work)
        elif ended:
            back_up(game, game.utilities(state), depth, work)
        else:
            back_up(game, roll_out(game, state, work), depth, work)
        # 4. What is proved now.
        if work.proofs and ended:
            prove(depth, work)


def descend(game: Game, root: Any, work: Any) -> tuple[int, Any]:
    """Go from the root to a leaf, which may get children on the way; its depth and state."""
    state = root
    node = ROOT
    depth = 0
    work.path[0] = ROOT
    while depth < PATH - 1:
        place = NODE * node
        packed = peek(work.memory, place + CHILDREN)
        if packed == 0:
            packed = expand(game, state, place, depth, work)
        if packed <= CLAIMED or (work.proofs and depth > 0 and is_settled(work.memory, place)):
            break
        mover = game.to_move(state)
        node = happening(packed, work) if mover == CHANCE else choice(place, packed, mover, work)
        depth += 1
        work.path[depth] = node
        work.movers[depth] = mover
        if work.threads > 1:
            add_word(work.memory, NODE * node, 1)
            add_float(work.memory, NODE * node + TOTAL, work.penalty)
        mark, state = get_item(work.items, node, a_child, state)
        if work.rave > 0.0:
            note_played(mark, mover, work)
    work.deepest = max(work.deepest, depth)
    return depth, state


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
    if work.threads > 1 and swap_word(work.memory, place + CHILDREN, Bits(0), Bits(CLAIMED)) != 0:
        return Bits(CLAIMED)
    first = take(count, work)
    packed = Bits(0)
    if first > 0:
        make_children(game, state, first, work)
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
        for action, probability in game.outcomes(state):
            put_child(node, action, game.result(state, action), work)
            poke_float(work.memory, NODE * node + PRIOR, float(probability))
            node += 1
    else:
        for action in game.actions(state):
            child = game.result(state, action)
            put_child(node, action, child, work)
            if work.bias > 0.0:
                poke_float(work.memory, NODE * node + PRIOR, float(game.promise(child, mover)))
            node += 1


def take(count: int, work: Any) -> int:
    """Room for some nodes side by side: the first of them, or 0 if there is none."""
    first = int(peek(work.memory, USED))
    if work.threads > 1:
        first = add_word(work.memory, USED, count)
    else:
        poke(work.memory, USED, Bits(first + count))
    if first + count > work.room:
        add_word(work.memory, USED, -count)
        work.is_full = 1
        return 0
    return first


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


def choice(place: int, packed: Bits, mover: int, work: Any) -> int:
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
        if tried > 0:
            value = peek_float(work.memory, at + TOTAL) / tried + explore / sqrt(tried)
            if work.rave > 0.0:
                value = with_rave(value, node, tried, work)
        if work.bias > 0.0:
            value += work.bias * peek_float(work.memory, at + PRIOR) / (tried + 1)
        if work.proofs:
            low, high = peek_float(work.memory, at + LOWER), peek_float(work.memory, at + UPPER)
            if low == high or (high if mover == 0 else work.total - low) <= floor:
                value = -inf
        if value > best:
            best = value
            chosen = node
            if best == inf:
                break
    return chosen


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


def roll_out(game: Game, state: Any, work: Any) -> tuple[float, ...]:
    """Play on at random to the end, or to where the evaluation is asked; what that is worth to each player."""
    word = Bits(work.word)
    played = 0
    while not game.is_terminal(state):
        if played >= work.plies:
            work.moves += played
            return game.evaluations(state)
        word += 1
        played += 1
        mover = game.to_move(state)
        if game.has_chance and mover == CHANCE:
            state = game.result(state, random_outcome(game, state, scatter(word)))
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
    work.moves += played
    return game.utilities(state)


def back_up(game: Game, values: tuple[float, ...], depth: int, work: Any) -> None:
    """Add a simulation's values to all nodes on its way; where a range is proved, what lies outside is cut to it.

    `OutOfBounds` if a value lies outside the utility bounds, on which the proofs rest.
    """
    seen = values[0]
    if work.proofs and not work.lowest <= seen <= work.highest:
        raise OutOfBounds
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
            add_word(work.memory, place, 1)
            add_float(work.memory, place + TOTAL, value)
        else:
            add_float(work.memory, place + TOTAL, value - work.penalty)
        if level == 1:
            note_root(value, work)
    if work.rave > 0.0:
        back_up_rave(values, depth, work)
    note_spread(values[0], work)
    for player in range(game.players):
        work.sums[player] += values[player]


def note_root(value: float, work: Any) -> None:
    """Count a simulation for the action that it began with."""
    first = int(peek(work.memory, NODE * ROOT + CHILDREN) >> COUNT_BITS)
    place = ROOT_WORDS * (work.path[1] - first)
    poke(work.roots, place + MADE, peek(work.roots, place + MADE) + 1)
    if value > work.middle:
        poke(work.roots, place + WINS, peek(work.roots, place + WINS) + 1)
    elif value == work.middle:
        poke(work.roots, place + DRAWS, peek(work.roots, place + DRAWS) + 1)
    poke_float(work.roots, place + SQUARES, peek_float(work.roots, place + SQUARES) + value * value)


def note_spread(value: float, work: Any) -> None:
    """Keep the standard deviation of the values; it is looked at often in the beginning, then now and then."""
    work.sum += value
    work.squares += value * value
    if work.simulations < 64 or work.simulations & 63 == 0:
        mean = work.sum / work.simulations
        variance = work.squares / work.simulations - mean * mean
        work.spread = sqrt(variance) if variance > 0.0 else work.unit


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
