"""Proof-number search: whether a player gets at least so much, looking first where least is missing to know it.

Depth-first with a table (df-pn, Nagai 2002) on Allis's numbers of 1994: how many leaves must still be proved, and how
many disproved, at least. Kernels, in both worlds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.bits import Bits, signed
from zermelo.errors import LimitReached, OutOfBounds, TooDeep
from zermelo.fields import spread
from zermelo.native.memory import MIB, fresh_words, get_item, identity, peek, poke, put_item, word_count
from zermelo.search.threats import EVER, Shelf, forced_win, made_shelf

ENDLESS = 1 << 28
"""The proof number of what is disproved, and the disproof number of what is proved."""
FEW = 8
"""One of so many replies is taken to do something about a threat."""
BUCKET = 4
"""Words of a bucket of the table: two entries, each the state's key and its numbers."""
STACK = 1 << 26
"""Bytes for the children of the states on the line that is being searched; taken only as they are used."""


class Board(NamedTuple):
    """What a search for proofs works with: in native code addresses, interpreted dicts.

    `mask` is that of a bucket's number, `room` how many children the stack holds, `quota` the most nodes of one search
    for threats (0: none is made), `turned` up to which ply symmetric states are taken for one.
    """

    table: Any
    mask: int
    stack: Any
    room: int
    shelf: Shelf
    quota: int
    turned: int


class Files:
    """The memory of one search, in one world; `board` is what kernels are given of it."""

    def __init__(self, game: Any, natively: bool, table: float, threats: float, quota: int, turned: int) -> None:
        buckets = max(int(table * MIB) // (8 * BUCKET), 1)
        mask = (1 << (buckets.bit_length() - 1)) - 1
        shelf, self.threats = made_shelf(natively, threats)
        self.board = Board({}, mask, {}, STACK, shelf, quota, turned)
        if natively:
            import numpy

            self.words = fresh_words(BUCKET * (mask + 1), f"a table of {table:g} MiB")
            self.stack = numpy.empty(STACK, numpy.uint8)
            room = STACK // (8 * (3 + word_count(game.initial())))
            self.board = self.board._replace(table=self.words.ctypes.data, stack=self.stack.ctypes.data, room=room)


def prove(
    game: Any,
    state: Any,
    player: int,
    goal: float,
    most_proof: int,
    most_disproof: int,
    ply: int,
    top: int,
    board: Board,
    tally: Any,
) -> tuple[int, int]:
    """The proof and disproof numbers of "`player` gets at least `goal`" in a state that is no end.

    Theorem. (0, ENDLESS): it is so. (ENDLESS, 0): it is not. Else one of the two has reached its threshold.
    """
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    began = tally.nodes
    key = state_key(game, state, ply, board)
    own = game.to_move(state) == player
    # 1. The children, with what is known of them.
    count = gather(game, state, player, goal, ply, top, board, tally)
    # 2. Look where least is missing, until that is more than was asked for.
    proof = disproof = 0
    while True:
        easiest = second = 2 * ENDLESS
        hardest, unsettled, choice = 0, 0, 0
        for index in range(count):
            first, other = get_item(board.stack, top + index, an_item, state)[:2]
            if not own:
                first, other = other, first
            if first < easiest:
                easiest, second, choice = first, easiest, index
            elif first < second:
                second = first
            if other > 0:
                hardest = max(hardest, other)
                unsettled += 1
        together = min(hardest + max(unsettled - 1, 0), ENDLESS)
        proof, disproof = (easiest, together) if own else (together, easiest)
        if proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
            break
        _, _, score, child = get_item(board.stack, top + choice, an_item, state)
        narrow = min(second + 1, most_proof if own else most_disproof)
        wide = (most_disproof if own else most_proof) - unsettled + 1
        limits = (narrow, wide) if own else (wide, narrow)
        found = prove(game, child, player, goal, limits[0], limits[1], ply + 1, top + count, board, tally)
        put_item(board.stack, top + choice, (found[0], found[1], score, child))
    store(board, key, proof, disproof, tally.nodes - began)
    return proof, disproof


def an_item(state: Any) -> Any:
    """Any item of the stack, for its kind: proof number, disproof number, promise, state."""
    return identity(0), identity(0), 0.0, state


def gather(game: Any, state: Any, player: int, goal: float, ply: int, top: int, board: Board, tally: Any) -> int:
    """Put the children of a state on the stack, most promising first, with their numbers; and count them.

    One that settles the state is alone.
    """
    count, mover = 0, game.to_move(state)
    for action in game.sufficient(state):
        child = game.result(state, action)
        proof, disproof = first_numbers(game, child, player, goal, ply + 1, board, tally)
        if (proof if mover == player else disproof) == 0:
            put_item(board.stack, top, (proof, disproof, 0.0, child))
            return 1
        if top + count >= board.room:
            raise TooDeep
        place = top + count
        score = float(game.promise(child, mover))
        while place > top:
            before = get_item(board.stack, place - 1, an_item, state)
            if before[2] >= score:
                break
            put_item(board.stack, place, before)
            place -= 1
        put_item(board.stack, place, (proof, disproof, score, child))
        count += 1
    return count


def first_numbers(
    game: Any, state: Any, player: int, goal: float, ply: int, board: Board, tally: Any
) -> tuple[int, int]:
    """What is known of a state, by the end of the game, the table, or threats; else a guess of what is missing."""
    if game.is_terminal(state):
        worth = float(game.utility(state, player))
        lowest, highest = game.utility_bounds
        if not (worth in (lowest, highest) or 2 * worth == lowest + highest):
            raise OutOfBounds
        return settled(worth >= goal)
    mover = game.to_move(state)
    if game.has_forcing and board.quota > 0 and mover == player:  # noqa: SIM102 (a test of what the game has stands alone)
        if forced_win(game, state, player, EVER, EVER, board.quota, board.shelf, tally) > 0:
            return settled(True)
    key = state_key(game, state, ply, board)
    place = find(board, key)
    if place >= 0:
        return numbers_at(board, place)
    proof, disproof = 1, 1
    if game.has_forcing and board.quota > 0 and mover != player:
        if forced_win(game, state, mover, EVER, EVER, board.quota, board.shelf, tally) > 0:
            proof, disproof = settled(False)
        else:
            proof = missing(game, state, player, board, tally)
    store(board, key, proof, disproof, 0)
    return proof, disproof


def missing(game: Any, state: Any, player: int, board: Board, tally: Any) -> int:
    """How many replies to an action of `player`'s seem to need an answer of his.

    They are few if he wins by threats unless something is done about it.
    """
    count = 0
    for _ in game.sufficient(state):
        count += 1
    if game.has_passed:
        for other in game.passed(state):
            if forced_win(game, other, player, EVER, EVER, board.quota, board.shelf, tally) > 0:
                return 1 + count // FEW
    return count


def settled(proved: bool) -> tuple[int, int]:
    """The numbers of what is proved, or disproved."""
    return (0, ENDLESS) if proved else (ENDLESS, 0)


def state_key(game: Any, state: Any, ply: int, board: Board) -> Bits:
    """The key of a state in the table: near the root one for all its symmetries, further down its own."""
    if game.has_symmetries and ply <= board.turned:
        return Bits(identity(game.canonical_key(state)))
    return Bits(identity(game.key(state)))


def find(board: Board, key: Bits) -> int:
    """The place of a state's entry, or -1."""
    place = signed(spread(key) & board.mask) * BUCKET
    if peek(board.table, place) == key and peek(board.table, place + 1):
        return place
    if peek(board.table, place + 2) == key and peek(board.table, place + 3):
        return place + 2
    return -1


def numbers_at(board: Board, place: int) -> tuple[int, int]:
    """The numbers in an entry."""
    word = peek(board.table, place + 1)
    return signed(word & 0x1FFFFFFF), signed(word >> 29 & 0x1FFFFFFF)


def store(board: Board, key: Bits, proof: int, disproof: int, nodes: int) -> None:
    """Keep the numbers of a state, in place of its own, else of the one of two that cost less."""
    effort = Bits(Bits(nodes).highest() + 1)
    word = Bits(min(proof, ENDLESS)) | Bits(min(disproof, ENDLESS)) << 29 | effort << 58
    place = find(board, key)
    if place < 0:
        place = signed(spread(key) & board.mask) * BUCKET
        first, second = peek(board.table, place + 1), peek(board.table, place + 3)
        if first and (not second or first >> 58 > second >> 58):
            place += 2
    poke(board.table, place, key)
    poke(board.table, place + 1, word)
