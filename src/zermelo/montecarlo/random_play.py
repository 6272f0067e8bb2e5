"""Random play in kernels: games played to the end by chance alone, and what came of them, counted exactly.

Every game has random numbers of its own, from the seed and the game's number. So the counts are the same whoever
plays which game: interpreted, native, in any number of threads, or on a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.bits import Bits, scatter
from zermelo.fields import hash_fields
from zermelo.native.memory import add_word, peek, poke, swap_word
from zermelo.search.luck import random_step, stream

if TYPE_CHECKING:
    from zermelo.game import Game

MOVES, LOST, HEAD = 0, 1, 2
"""Words of the memory: moves played, games whose result found no room; the results begin after them."""
KEY, COUNT, NUMBER, ENTRY = 0, 1, 2, 3
"""Words of an entry: the result's key, how often it came, and the number of a game that ended so."""
RESULTS = 1 << 16
"""How many different results are told apart."""
SLOTS, CLOSE = 8, 4
"""Entries that each thread has for itself, so that it seldom touches what all share; in how many of them, side by side,
a result may be. So as many different results never drive each other out."""
UNFINISHED = 1
"""The key of games that did not end within the moves allowed."""


def memory_size(threads: int) -> int:
    """How many words the memory of `count_kernel` takes."""
    return HEAD + ENTRY * (RESULTS + SLOTS * threads)


def count_kernel(
    game: Game, start: Any, seed: int, first: int, last: int, most: int, memory: Any, thread: int, threads: int
) -> None:
    """Play the games numbered from `first` to below `last`, of which this thread plays one in `threads`.

    Their results are added to those in `memory`; a game of more than `most` moves is broken off. All in one loop,
    so that on a GPU neighbours whose games end at different times don't wait for each other.
    """
    private = HEAD + ENTRY * (RESULTS + SLOTS * thread)
    number = first + thread
    word = stream(seed, number)
    now = start
    moves = played = 0
    while number < last:
        if game.is_terminal(now) or played == most:
            key = result_key(game, now) if game.is_terminal(now) else Bits(UNFINISHED)
            note_result(memory, private, key, number)
            moves += played
            played = 0
            number += threads
            word = stream(seed, number)
            now = start
        else:
            played += 1
            word += 1
            now = random_step(game, now, scatter(word))
    for slot in range(SLOTS):
        hand_over(memory, private + ENTRY * slot)
    add_word(memory, MOVES, moves)


def replay(game: Game, start: Any, seed: int, number: int, most: int) -> tuple[tuple[float, ...], int]:
    """What the end of the game with a number is worth to each player, and how many moves it took."""
    word = stream(seed, number)
    now = start
    played = 0
    while not game.is_terminal(now) and played < most:
        played += 1
        word += 1
        now = random_step(game, now, scatter(word))
    return game.utilities(now), played


def result_key(game: Game, state: Any) -> Bits:
    """A word for what an end is worth to the players; not 0, nor `UNFINISHED`."""
    key = hash_fields(game.utilities(state))
    return key if key > UNFINISHED else key + 2


def note_result(memory: Any, private: int, key: Bits, number: int) -> None:
    """Count a result in the entries of this thread; where there is no place left for it, another one is handed over."""
    slot = int(key >> 40 & (SLOTS - 1))
    entry = private + ENTRY * slot
    for step in range(CLOSE):
        near = private + ENTRY * (slot + step & SLOTS - 1)
        there = peek(memory, near)
        if there == key or there == 0:
            entry = near
            break
    if peek(memory, entry) != key:
        hand_over(memory, entry)
        poke(memory, entry, key)
        poke(memory, entry + NUMBER, Bits(number))
    poke(memory, entry + COUNT, peek(memory, entry + COUNT) + 1)


def hand_over(memory: Any, entry: int) -> None:
    """Add what an entry of this thread has counted to what all have, and empty it."""
    key, count = peek(memory, entry), peek(memory, entry + COUNT)
    if count == 0:
        return
    poke(memory, entry + COUNT, Bits(0))
    place = int(key >> 20 & (RESULTS - 1))
    for _ in range(RESULTS):
        shared = HEAD + ENTRY * place
        before = swap_word(memory, shared, Bits(0), key)
        if before == 0:
            poke(memory, shared + NUMBER, peek(memory, entry + NUMBER))
        if before == 0 or before == key:
            add_word(memory, shared + COUNT, int(count))
            return
        place = (place + 1) & (RESULTS - 1)
    add_word(memory, LOST, int(count))
