"""Opening books in the Polyglot format: the key of a position, and the file of 16-byte records sorted by key.

A record is a key, a move, a weight and a number for learning, each with its highest byte first. A castling move is
written as the king's step onto his own rook.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import BadInput
from zermelo.games.chess.fen import CASTLING, kind, pieces, square_of
from zermelo.games.chess.san import KING, LONG, SHORT

if TYPE_CHECKING:
    from zermelo.games.chess import Chess
    from zermelo.games.chess.pgn import Record

RECORD = struct.Struct(">QHHI")
KINDS = "pPnNbBrRqQkK"
"""The pieces in the order of the format."""
CASTLING_AT, PASSANT_AT, TURN_AT, COUNT = 768, 772, 780, 781
"""Where the numbers for castling, en passant and the turn begin, and how many there are."""
MOST_WEIGHT = 0xFFFF
LOOKS = 1000
"""At how many records it is looked whether a file is sorted."""
ROOKS = {SHORT: 7, LONG: 0}
"""The rook that a king castles with, by where the king goes."""


class Reply(NamedTuple):
    """A move that a book knows in a position; it is to be taken as often beside the others as its weight says."""

    action: int
    weight: int


@cache
def numbers() -> tuple[int, ...]:
    """The random numbers of the format."""
    lines = Path(__file__).with_name("polyglot.txt").read_text(encoding="ascii").splitlines()
    found = tuple(int(word, 16) for line in lines if not line.startswith("#") for word in line.split())
    assert len(found) == COUNT
    return found


def key(state: Chess.State) -> int:
    """The 64 bits that stand for a position in every Polyglot book.

    En passant counts where it is legal. The format has it count wherever a pawn stands beside the one that moved, so a
    position in which that pawn is pinned has another key there.
    """
    random, black, found = numbers(), state.ply % 2, 0
    for square, sign in enumerate(pieces(state)):
        if sign != ".":
            found ^= random[64 * KINDS.index(sign) + square]
    rights = state.rights.flipped() if black else state.rights
    for index, (_, rook) in enumerate(CASTLING.values()):
        if square_of(rook) in rights:
            found ^= random[CASTLING_AT + index]
    if state.passant:
        found ^= random[PASSANT_AT + (state.passant.lowest() & 7)]
    return found if black else found ^ random[TURN_AT]


def pack_action(state: Chess.State, action: int) -> int:
    """An action in the 16 bits of the format."""
    origin, target, turn = action & 63, action >> 6 & 63, 56 * (state.ply % 2)
    if kind(state, origin) == "K" and abs(target - origin) == 2:
        target = ROOKS[target]
    return target ^ turn | (origin ^ turn) << 6 | action >> 12 << 12


def unpack_action(state: Chess.State, word: int) -> int:
    """The action that 16 bits write; it need not be legal."""
    turn = 56 * (state.ply % 2)
    origin, target = word >> 6 & 63 ^ turn, word & 63 ^ turn
    if (
        origin == KING
        and kind(state, KING) == "K"
        and target in state.own & state.straight
        and target in ROOKS.values()
    ):
        target = SHORT if target > KING else LONG
    return origin | target << 6 | word >> 12 << 12


# Reading.


def read(path: str | Path) -> bytes:
    """The records of a book, all together; `BadInput` if the file is no Polyglot book."""
    try:
        if not Path(path).is_file():
            raise BadInput(f"{path} is no file, and so no book")
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"the book {path} can't be read: {error.strerror}") from None
    except MemoryError:
        raise BadInput(f"there is no memory for the book {path}") from None
    if len(content) % RECORD.size or not content:
        count = f"{len(content):,} bytes"
        raise BadInput(f"{path} has {count}, and so is no Polyglot book, whose records have {RECORD.size} each")
    last = len(content) // RECORD.size - 1
    some = [_record(content, last * index // LOOKS)[0] for index in range(LOOKS + 1)]
    if some != sorted(some):
        raise BadInput(f"{path} is no Polyglot book, or damaged: its records are not sorted by key")
    return content


def probe(game: Chess, content: bytes, state: Chess.State) -> list[Reply]:
    """What a book has for a position, by weight; what is not legal there is left out."""
    wanted = key(state)
    words = [(word, weight) for _, word, weight, _ in _records(content, wanted)]
    legal = set(game.actions(state)) if words else set()
    replies = {Reply(unpack_action(state, word), weight) for word, weight in words}
    found = [reply for reply in replies if reply.action in legal]
    return sorted(found, key=lambda reply: (-reply.weight, reply.action))


def count_positions(content: bytes) -> int:
    """How many positions a book knows."""
    return len({found for found, *_ in RECORD.iter_unpack(content)})


def _records(content: bytes, wanted: int) -> Iterator[tuple[int, int, int, int]]:
    """The records with a key, found by halving."""
    low, end = 0, len(content) // RECORD.size
    high = end
    while low < high:
        middle = (low + high) // 2
        if _record(content, middle)[0] < wanted:
            low = middle + 1
        else:
            high = middle
    while low < end and _record(content, low)[0] == wanted:
        yield _record(content, low)
        low += 1


def _record(content: bytes, index: int) -> tuple[int, int, int, int]:
    found: tuple[int, int, int, int] = RECORD.unpack_from(content, index * RECORD.size)
    return found


# Writing.


class Draft:
    """A book in the making: for each position the moves that were played, with their half points."""

    def __init__(self, game: Chess) -> None:
        self.game = game
        self.replies: dict[int, dict[int, int]] = {}
        """Weights by the key of the position, then by move."""

    @classmethod
    def continuing(cls, path: str | Path, game: Chess) -> Draft:
        """What is in a file, to go on with it; nothing if there is no such file."""
        draft = cls(game)
        if os.path.lexists(path):
            for found, word, weight, _ in RECORD.iter_unpack(read(path)):
                draft.replies.setdefault(found, {})[word] = weight
        return draft

    def __len__(self) -> int:
        """How many moves it knows, in all positions."""
        return sum(map(len, self.replies.values()))

    def add(self, record: Record, plies: int) -> None:
        """Count the first moves of a game: two for a win of the player to move, one for a draw or no result."""
        state, points = record.start, record.points or (0.5, 0.5)
        for action in record.actions[:plies]:
            weights = self.replies.setdefault(key(state), {})
            word = pack_action(state, action)
            weights[word] = weights.get(word, 0) + int(2 * points[state.ply % 2])
            state = self.game.result(state, action)

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all. Where weights are too large for the format, all are made smaller."""
        rows = []
        for found, weights in sorted(self.replies.items()):
            most = max(MOST_WEIGHT, *weights.values())
            ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
            rows += [RECORD.pack(found, word, weight * MOST_WEIGHT // most, 0) for word, weight in ranked]
        new = Path(f"{path}.new")
        try:
            try:
                new.write_bytes(b"".join(rows))
                os.replace(new, path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise BadInput(f"the book can't be written to {path}: {error.strerror}") from None
