"""The opening book: what is known of the first moves of a game, in one small file.

A record belongs to a state and to the child that one of its actions leads to, each by its canonical key. A mirrored or
turned state has the same keys but other actions, so probing tries the legal actions of the state in question and takes
those whose child has a record. A book can never give an illegal move, whoever wrote it. `docs/book.md` has the format.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import stat
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from zermelo.bits import WORD
from zermelo.errors import BadInput
from zermelo.native.memory import identity
from zermelo.position import Position
from zermelo.registry import spec

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.result import Kind

MAGIC = b"zermelo book\r\n\x1a\n"
"""How a book begins; a copy that was taken for text has lost one of its last signs."""
VERSION = 1
HEADER = struct.Struct("<16sIIQ16s")
"""Magic, version, bytes of the game's name, number of records, mark of the rules."""
FIELDS = (
    *(("key", "<u8"), ("child", "<u8"), ("value", "<f8"), ("weight", "<u4"), ("played", "<u4"), ("points", "<u4")),
    *(("depth", "<u2"), ("kind", "u1"), ("unused", "u1")),
)
"""A record of 40 bytes."""
KINDS: tuple[Kind | None, ...] = (None, "exact", "lower", "upper", "estimate")
"""What the number of a kind means; 0 is a child that was never searched."""
CHECKSUM = 32
MOST_NAME = 4096
"""Bytes that the name of a game may have."""
MOST_PLAYED = (1 << 31) - 1
"""How often an action can have been played; twice as many half points still fit."""
WALKS, STEPS = 2, 60
"""How many random games mark the rules, and how far they go."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a book says of an action, seen by the player to move.

    `weight` says how often to take it beside the others, 0 never. `value` is None where it was not searched, else
    `kind` and `depth` say how sure it is. It was `played` in so many games, in which the player made `score` points, 1
    for a win and ½ for a draw. `twins` are actions that lead to the same but for a symmetry.
    """

    action: Any
    weight: int
    value: float | None = None
    kind: Kind | None = None
    depth: int = 0
    played: int = 0
    score: float = 0.0
    twins: tuple[Any, ...] = ()


class BookLike(Protocol):
    """What whoever uses a book needs of it; a reader of another format has these as well."""

    def probe(self, position: Position) -> list[Entry]:
        """All that the book says of a position, best first; nothing where it knows nothing."""
        raise NotImplementedError

    def choose(self, position: Position, luck: random.Random | None = None) -> Entry | None:
        """An entry whose action to take: by weight with `luck`, twins evenly; else the best. None if there is none."""
        entries = [entry for entry in self.probe(position) if entry.weight > 0]
        if luck is None or not entries:
            return entries[0] if entries else None
        chosen = luck.choices(entries, [entry.weight for entry in entries])[0]
        actions = [chosen.action, *chosen.twins]
        action = actions.pop(luck.randrange(len(actions)))
        return replace(chosen, action=action, twins=tuple(actions))

    def fits(self, game: Game) -> bool:
        """Whether the book is for a game with these rules."""
        raise NotImplementedError


class Record(NamedTuple):
    """What is kept of a child: `points` are half points, `kind` is a number of `KINDS`."""

    value: float = 0.0
    weight: int = 0
    played: int = 0
    points: int = 0
    depth: int = 0
    kind: int = 0


class Content(NamedTuple):
    """What is in a file: the game's name, the mark of its rules, and the records as an array sorted by keys."""

    name: str
    mark: bytes
    records: Any


class Summary(NamedTuple):
    """How much is in a file: positions, those searched and those met in games; actions, and those of exact value."""

    positions: int
    searched: int
    played: int
    actions: int
    exact: int
    bytes: int


class _Probed(BookLike):
    """Probing and choosing, whatever keeps the records."""

    game: Game

    def fits(self, game: Game) -> bool:
        """Whether the book is for a game with these rules."""
        return self.game is game or mark_of(self.game) == mark_of(game)

    def records(self, key: int) -> Mapping[int, Record]:
        """The records of the state with a key, by the key of the child."""
        raise NotImplementedError

    def probe(self, position: Position) -> list[Entry]:
        """All that the book says of a position, best first: by weight, then by value, then by games played."""
        if position.is_chance:
            return []
        game, state = position.game, position.state
        records = self.records(key_of(game, state))
        actions: dict[int, list[Any]] = {}
        for action in position.moves if records else ():
            child = key_of(game, game.result(state, action))
            if child in records:
                actions.setdefault(child, []).append(action)
        found = [_entry(records[child], *twins) for child, twins in actions.items()]
        found.sort(key=lambda entry: (-entry.weight, entry.value is None, -(entry.value or 0.0), -entry.played))
        return found


class Book(_Probed):
    """A book that was read from a file."""

    def __init__(self, game: Game, records: Any) -> None:
        self.game, self._records = game, records
        self._keys = records["key"]

    @classmethod
    def open(cls, path: str | Path, game: Game) -> Book:
        """The book in a file; `BadInput` if it is damaged, or of another game or other rules."""
        return cls(game, _content_for(path, game).records)

    def __len__(self) -> int:
        """How many actions it tells of, in all positions."""
        return len(self._records)

    def records(self, key: int) -> Mapping[int, Record]:
        """The records of the state with a key, by the key of the child."""
        start = bisect_left(self._keys, key)
        end = bisect_right(self._keys, key, start)
        return dict(_pair(row) for row in self._records[start:end].tolist())


class Draft(_Probed):
    """A book in the making: it can be probed, changed and saved."""

    def __init__(self, game: Game) -> None:
        self.game, self._mark = game, mark_of(game)
        self.states: dict[int, Mapping[int, Record]] = {}
        """The records by the key of the state, then of the child."""

    @classmethod
    def continuing(cls, path: str | Path, game: Game) -> Draft:
        """What is in a file, to go on with it; nothing if there is no such file. `BadInput` as for `Book.open`."""
        draft = cls(game)
        if os.path.lexists(path):
            states: dict[int, dict[int, Record]] = {}
            for row in _content_for(path, game).records.tolist():
                child, record = _pair(row)
                states.setdefault(row[0], {})[child] = record
            draft.states.update(states)
        return draft

    def __len__(self) -> int:
        """How many actions it tells of, in all positions."""
        return sum(map(len, self.states.values()))

    def records(self, key: int) -> Mapping[int, Record]:
        """The records of the state with a key, by the key of the child."""
        return self.states.get(key, {})

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all."""
        rows = [
            (key, child, *record, 0)
            for key, records in sorted(self.states.items())
            for child, record in sorted(records.items())
        ]
        write(path, name_of(self.game), self._mark, rows)


def _entry(record: Record, action: Any, *twins: Any) -> Entry:
    kind = KINDS[record.kind]
    value = record.value if kind is not None else None
    statistics = record.depth, record.played, record.points / 2
    return Entry(action, record.weight, value, kind, *statistics, twins)


def _pair(row: tuple[Any, ...]) -> tuple[int, Record]:
    """The child and the record in a row of a file."""
    _, child, *fields, _ = row
    return child, Record(*fields)


# Which game a book is for.


def key_of(game: Game, state: Any) -> int:
    """The 64 bits that stand for a state and its symmetries."""
    return identity(game.canonical_key(state)) & WORD


def name_of(game: Game) -> str:
    """The game as one would write it on the command line, a file without its folder; its class where that can't be."""
    try:
        text = re.sub(r"^.*[/\\](?=[^/\\]+\.py:)", "", spec(game))
    except BadInput:
        return game.title
    return text if text.isprintable() and len(text.encode()) <= MOST_NAME else game.title


def mark_of(game: Game) -> bytes:
    """16 bytes that tell rules from others: a hash of the states, turns, actions and ends of a few random games.

    What is marked is what the rules do: it is the same under every version of Python and however they are written, and
    another one where keys, which a book lives by, are made otherwise.
    """
    from zermelo.search.suitability import has_keys

    if not has_keys(Position(game)):
        raise BadInput(f"states of {game.title} can't be told apart in a book: give it a method key")
    dice, hasher = random.Random(0), hashlib.blake2b(digest_size=16)
    for _ in range(WALKS):
        state = game.initial()
        for _ in range(STEPS):
            moves = game.legal(state)
            ends = () if moves else game.utilities(state)
            words = key_of(game, state), int(game.to_move(state)), len(moves), *(worth + 0.0 for worth in ends)
            hasher.update(repr(words).encode())
            if not moves:
                break
            state = game.result(state, moves[int(dice.random() * len(moves))])
    return hasher.digest()


# The file.


def write(path: str | Path, name: str, mark: bytes, rows: list[tuple[Any, ...]]) -> None:
    """Write sorted rows as a book, whole or not at all."""
    import numpy

    text = name.encode()
    head = HEADER.pack(MAGIC, VERSION, len(text), len(rows), mark) + text.ljust(_padded(len(text)), b"\0")
    body = head + numpy.array(rows, numpy.dtype(list(FIELDS))).tobytes()
    new = Path(f"{path}.new")
    try:
        try:
            with open(new, "wb") as file:
                file.write(body + hashlib.sha256(body).digest())
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"the book can't be written to {path}: {error.strerror}") from None


def read(path: str | Path) -> Content:
    """What is in a file, whatever game it is for; `BadInput` if it is no book, or not whole."""
    import numpy

    kind = numpy.dtype(list(FIELDS))
    content = _bytes_of(path, kind.itemsize)
    _, _, length, count, mark = HEADER.unpack_from(content)
    start, body = HEADER.size + _padded(length), memoryview(content)[:-CHECKSUM]
    text, records = content[HEADER.size : start], numpy.frombuffer(body, kind, count, start)
    name = text[:length].decode(errors="replace")
    is_clean = name.isprintable() and name.encode().ljust(len(text), b"\0") == text
    if hashlib.sha256(body).digest() != content[-CHECKSUM:] or not is_clean or not _is_sound(records):
        raise _damaged(path)
    return Content(name, mark, records)


def _bytes_of(path: str | Path, record: int) -> bytes:
    """A whole file, if it begins as a book does and is as long as it says; before that is clear, little is read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadInput(f"{path} is no file, and so no book")
        with open(path, "rb") as file:
            head = file.read(HEADER.size)
            if not head.startswith(MAGIC):
                raise BadInput(f"{path} is no book of Zermelo's")
            if len(head) < HEADER.size:
                raise _damaged(path)
            _, version, length, count, _ = HEADER.unpack(head)
            if version != VERSION:
                raise BadInput(f"{path} is a book of format {version}, this program reads {VERSION}: build it anew")
            size = HEADER.size + _padded(length) + count * record + CHECKSUM
            if length > MOST_NAME or size != os.fstat(file.fileno()).st_size:
                raise _damaged(path)
            content = head + file.read(size - HEADER.size)
    except OSError as error:
        raise BadInput(f"the book {path} can't be read: {error.strerror}") from None
    except MemoryError:
        raise BadInput(f"there is no memory for the book {path}") from None
    if len(content) != size:
        raise _damaged(path)
    return content


def _damaged(path: str | Path) -> BadInput:
    return BadInput(f"the book {path} is damaged or cut short: fetch it again, or build it anew")


def summary(content: Content) -> Summary:
    """How much is in a file."""
    import numpy

    records, kinds = content.records, content.records["kind"]
    sets = records, records[kinds > 0], records[records["played"] > 0]
    positions, searched, played = (len(numpy.unique(some["key"])) for some in sets)
    size = HEADER.size + _padded(len(content.name.encode())) + records.nbytes + CHECKSUM
    return Summary(positions, searched, played, len(records), int((kinds == KINDS.index("exact")).sum()), size)


def _content_for(path: str | Path, game: Game) -> Content:
    """What is in a file, if it is for that game."""
    content = read(path)
    name = name_of(game)
    if content.name != name:
        raise BadInput(f"{path} is a book for {content.name}, not for {name}")
    if content.mark != mark_of(game):
        raise BadInput(f"{path} is a book for {name} with other rules or keys: build it anew")
    return content


def _padded(length: int) -> int:
    """The length of a name with the zeros behind it, so that records begin at a multiple of 8."""
    return -(-length // 8) * 8


def _is_sound(records: Any) -> bool:
    """Whether records are in strict order, and hold nothing that no writer writes."""
    import numpy

    key, child, kind = records["key"], records["child"], records["kind"]
    rising = (key[1:] > key[:-1]) | (key[1:] == key[:-1]) & (child[1:] > child[:-1])
    counted = (records["played"] <= MOST_PLAYED) & (records["points"] <= 2 * records["played"].astype("u8"))
    known = (kind < len(KINDS)) & (records["unused"] == 0) & numpy.isfinite(records["value"])
    nothing = (kind == 0) & ((records["value"] != 0) | (records["depth"] != 0))
    return bool(rising.all() and counted.all() and known.all() and not nothing.any())
