"""The transposition table's entries: how a state's value is packed, found and kept; kernels, in both worlds.

Two words an entry: the state's key xor the second word, and the second word, so that an entry torn between two
threads is not found; no locks. The second word holds, from the low end, the value as a short float (32 bits), what
it is (2: the value, or a bound), the depth it was searched to (10), the search it comes from (4), and the action (16).

Two entries share a bucket. A new entry replaces one of the same state; else the first of the two if that comes from
an earlier search or was searched less deep; else the second, always. A state with one action has no
entry if its child may have one.
"""

from __future__ import annotations

from typing import Any

from zermelo.bits import Bits, signed
from zermelo.engine.work import SURE
from zermelo.fields import SPREAD, spread
from zermelo.native.memory import from_short_bits, identity, peek, poke, short_bits

EXACT, LOWER, UPPER = 1, 2, 3
"""What a stored value is: the value, or a bound below or above it."""
ENDLESS = 512
"""The depth of an entry that rests on ends of the game alone, and so serves any depth.

What it was searched to is added to it in the entry, so that the deeper of two such entries is kept.
"""
SETTLED = ENDLESS - 1
"""The depth of one that rests on guesses as well, but on none that more depth would replace."""
MOVE_BITS = 0xFFFF
AGES = 16


def bucket(work: Any, key: Bits) -> int:
    """The index of the first word of a key's bucket."""
    return signed(spread(key) & work.mask) * 4


def lookup(work: Any, key: Bits) -> Bits:
    """The second word of the entry of a key, or 0."""
    place = bucket(work, key)
    word = peek(work.table, place + 1)
    if peek(work.table, place) ^ word == key:
        return word
    word = peek(work.table, place + 3)
    if peek(work.table, place + 2) ^ word == key:
        return word
    return Bits(0)


def store(work: Any, key: Bits, word: Bits) -> None:
    """Keep an entry, as the replacement policy has it; `filled` counts what the search loses by that.

    After `losses` in eight buckets it uses more of the table.
    """
    place = bucket(work, key)
    first = peek(work.table, place + 1)
    if peek(work.table, place) ^ first != key:
        second = peek(work.table, place + 3)
        same = peek(work.table, place + 2) ^ second == key
        fresh = first >> 44 & 15 == word >> 44 & 15
        if same or (fresh and first >> 34 & 1023 > word >> 34 & 1023):
            place += 2
            fresh = second >> 44 & 15 == word >> 44 & 15
        if fresh and not same and peek(work.table, place + 1):
            work.filled += 1
            if 8 * work.filled > work.losses * work.mask and work.mask < work.largest_mask:
                work.filled = 0
                grow(work)
                place = bucket(work, key)
    poke(work.table, place, key ^ word)
    poke(work.table, place + 1, word)


def grow(work: Any) -> None:
    """Use twice as much of the table, and move the entries to where they are looked for now.

    A table that fits the processor's caches is much faster than a large one, so it only grows when one search
    has lost much in it.
    """
    old = work.mask
    work.mask = min(2 * old + 1, work.largest_mask)
    for index in range(2 * (old + 1)):
        place = 2 * index
        word = peek(work.table, place + 1)
        if word:
            key = peek(work.table, place) ^ word
            target = bucket(work, key) + place % 4
            if target != place:
                poke(work.table, target, key ^ word)
                poke(work.table, target + 1, word)
                poke(work.table, place + 1, Bits(0))


def packed(work: Any, value: float, kind: int, depth: int, action: int, ply: int) -> Bits:
    """The second word of an entry. A sure win or loss is stored with its distance from this state, not from the root.

    One of unknown length has none. A value that a short float can't hold is stored as a bound on it.
    """
    if work.distance and value > SURE:
        value += ply
    elif work.distance and value < -SURE:
        value -= ply
    short = from_short_bits(short_bits(value))
    if short != value:
        if kind == EXACT:
            kind = LOWER if short < value else UPPER
        elif (kind == LOWER) != (short < value):
            kind = 0
    word = short_bits(short) | Bits(kind) << 32 | Bits(min(depth, 2 * ENDLESS - 1)) << 34
    return word | Bits(work.age) << 44 | (Bits(action) & MOVE_BITS) << 48


def value_in(work: Any, word: Bits, ply: int) -> float:
    """The value in an entry, as seen from a ply."""
    value = from_short_bits(word & 0xFFFFFFFF)
    if work.distance and value > SURE:
        value -= ply
    elif work.distance and value < -SURE:
        value += ply
    return value


def kind_in(word: Bits) -> int:
    """What the value in an entry is."""
    return signed(word >> 32 & 3)


def depth_in(word: Bits) -> int:
    """How deep the value in an entry was searched."""
    return min(signed(word >> 34 & 1023), ENDLESS)


def age_in(word: Bits) -> int:
    """The search that an entry comes from."""
    return signed(word >> 44 & 15)


def action_in(word: Bits) -> int:
    """The low bits of the action in an entry."""
    return signed(word >> 48)


def serves(work: Any, word: Bits, depth: int) -> bool:
    """Whether an entry was searched deep enough; one that more depth would not change always was."""
    found = depth_in(word)
    return found in (depth, SETTLED, ENDLESS) or (found > depth and work.deeper == 1)


def state_key(game: Any, state: Any, ply: int, work: Any) -> Bits:
    """The key of a state in the table: near the root one for all its symmetries, further down its own.

    Where states may not come back, those of the line belong to it: which they were decides what may be done.
    """
    if game.no_return:
        return Bits(identity(game._fitting(state, game.key(state)))) ^ int(work.salt) ^ int(work.trail)
    if game.has_symmetries and ply <= work.symmetry_plies:
        return Bits(identity(game.canonical_key(state))) ^ int(work.salt)
    return Bits(identity(game._fitting(state, game.key(state)))) ^ int(work.salt)


def orientation(game: Any, state: Any) -> int:
    """Tells a state from its symmetries, whose actions are others; stored actions are mixed with it."""
    if game.has_symmetries:
        return signed(Bits(identity(game.key(state))) * SPREAD >> 48)
    return 0
