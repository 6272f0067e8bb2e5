"""Games that were played, as lines of JSON in a file: written one by one, so that nothing finished is lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.position import Position

VERSION = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """All that decides what the games of a match are like; players are texts, `openings` too."""

    game: str
    first: str
    second: str
    seconds: float | None = 1.0
    depth: int | None = None
    nodes: int | None = None
    openings: str = "4"
    longest: int = 1000
    margin: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A game of a match. Games 0 and 1 have one opening, games 2 and 3 the next, and so on.

    `players` are names in the order of seats; `seat` is where the first player sits: 0 in even games, 1 in odd ones.
    `start` is the first state as text, empty where it is the game's own. `moves` are all moves in the game's notation;
    the first `opening` of them were given. `score` is the first player's, `seconds` what each took for his moves.
    """

    game: int
    players: tuple[str, str]
    seat: int
    start: str
    moves: tuple[str, ...]
    opening: int
    score: float
    ending: str
    reason: str = ""
    loser: str = ""
    seconds: tuple[tuple[float, ...], tuple[float, ...]] = field(default=((), ()))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Record:
        """The record that JSON holds; `ValueError` or the like where it holds none."""
        values = dict(data)
        for name in ("players", "moves"):
            values[name] = tuple(map(str, values[name]))
        values["seconds"] = tuple(tuple(map(float, times)) for times in values["seconds"])
        record = cls(**values)
        if record.game < 0 or record.score not in (0, 0.5, 1) or len(record.seconds) != 2 or len(record.players) != 2:
            raise ValueError(record)
        return record

    def replay(self, game: Game) -> Position:
        """The game once more, move by move."""
        position = Position(game, game.parse_state(self.start) if self.start else None)
        for text in self.moves:
            for action in game.parse_play(position.state, text):
                position.push(action)
        return position


def pairs_of(records: Iterable[Record]) -> list[list[float]]:
    """The first player's scores, those with the same opening together."""
    found: dict[int, list[float]] = {}
    for record in records:
        found.setdefault(record.game // 2, []).append(record.score)
    return [found[number] for number in sorted(found)]


class RecordFile:
    """A file of games: one line of terms, then one for each game. `kept` are those it had before, by number."""

    def __init__(self, path: str, terms: Terms, *, resume: bool) -> None:
        self.path = Path(path)
        self.kept: dict[int, Record] = {}
        begun = self.path.exists() and self.path.stat().st_size > 0
        if begun and not resume:
            raise BadInput(f"{path} is there already: give --resume to go on with it, or another name")
        try:
            whole = self._read(terms) if begun else 0
            self._file: IO[bytes] = open(path, "r+b" if begun else "wb")  # noqa: SIM115
            self._file.truncate(whole)
            self._file.seek(whole)
        except OSError as error:
            raise BadInput(f"games can't be kept in {path}: {error.strerror}") from None
        if not whole:
            self._write({"zermelo-match": VERSION, **asdict(terms)})

    def add(self, record: Record) -> None:
        """Write a game, at once."""
        self._write(asdict(record))

    def close(self) -> None:
        self._file.close()

    def _write(self, data: Mapping[str, Any]) -> None:
        try:
            self._file.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise BadInput(f"games can't be kept in {self.path}: {error.strerror}") from None

    def _read(self, terms: Terms) -> int:
        """Take what the file holds; the bytes of whole lines, behind which a game may stand that was cut short."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        for number, line in enumerate(lines, 1):
            try:
                value = json.loads(line)
                if number > 1:
                    record = Record.read(value)
                    self.kept[record.game] = record
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise BadInput(f"{self.path} line {number} holds no game of a match") from None
            if number == 1:
                self._refuse_other(value, terms)
        return whole

    def _refuse_other(self, value: Any, terms: Terms) -> None:
        if not isinstance(value, dict) or value.get("zermelo-match") != VERSION:
            raise BadInput(f"{self.path} holds no match: give another file")
        for name, wanted in asdict(terms).items():
            with suppress(KeyError):
                if value[name] == wanted:
                    continue
            raise BadInput(
                f"{self.path} holds a match with {name} {value.get(name)!r}, not {wanted!r}: give it the same"
            )
