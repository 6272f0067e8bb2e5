"""Games on disk: one SQLite file, one writer, a game at a time. What was added survives whatever ends the program."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.engine.book import mark_of, name_of
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.learn.selfplay import Record

MAGIC = 0x5A65726D
"""SQLite's application id of such a file."""
VERSION = 1
TABLES = f"""
PRAGMA application_id = {MAGIC};
PRAGMA user_version = {VERSION};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (number INTEGER PRIMARY KEY, utility REAL NOT NULL, plies INTEGER NOT NULL);
CREATE TABLE positions (
    game INTEGER NOT NULL, ply INTEGER NOT NULL, state TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""


class Sample(NamedTuple):
    """A position with what became of it: the number of its game, that game's utility to player 0, the state as text,
    and what a search found it worth to player 0."""

    game: int
    utility: float
    state: str
    value: float


class Store:
    """The games of one game and one plan. Nobody else can write to the file while it is open."""

    def __init__(self, path: str | Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection

    @classmethod
    def begin(cls, path: str | Path, game: Game, settings: dict[str, Any]) -> Store:
        """A new file; `BadInput` if there is one already. `settings` are what must be the same to go on with it."""
        if Path(path).exists():
            raise BadInput(f"{path} is there already: add --resume to go on with it, or name another file")
        about = {"game": name_of(game), "rules": mark_of(game).hex(), "settings": json.dumps(settings)}
        store = cls._open(path)
        with store._writing() as connection:
            connection.executescript("BEGIN;" + TABLES)
            connection.executemany("INSERT INTO about VALUES (?, ?)", list(about.items()))
        return store

    @classmethod
    def resume(cls, path: str | Path, game: Game) -> Store:
        """The file of an earlier run; `BadInput` if there is none, or it is for another game or other rules."""
        if not Path(path).is_file():
            raise BadInput(f"there is no file {path} to resume: leave out --resume to begin it")
        store = cls._open(path)
        try:
            store._check(game)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def _open(cls, path: str | Path) -> Store:
        try:
            connection = sqlite3.connect(path, timeout=0.5)
        except sqlite3.Error as error:
            raise BadInput(f"{path} can't be opened: {error}") from None
        store = cls(path, connection)
        try:
            with store._writing():
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return store

    def _check(self, game: Game) -> None:
        with self._writing() as connection:
            magic, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _NUMBERS)
            if magic != MAGIC:
                raise BadInput(f"{self.path} is no file of games that tune has made")
            if version != VERSION:
                raise BadInput(f"{self.path} has format {version}, this program reads {VERSION}: begin a new file")
            about = dict(connection.execute("SELECT name, value FROM about").fetchall())
            name = name_of(game)
            if about.get("game") != name:
                raise BadInput(f"{self.path} has games of {about.get('game')}, not of {name}")
            if about.get("rules") != mark_of(game).hex():
                raise BadInput(f"{self.path} has games of {name} with other rules: begin a new file")
            connection.execute("UPDATE about SET value = value")  # takes the lock

    @property
    def settings(self) -> dict[str, Any]:
        """What the file was begun with."""
        with self._writing() as connection:
            (text,) = connection.execute("SELECT value FROM about WHERE name = 'settings'").fetchone()
        found: dict[str, Any] = json.loads(text)
        return found

    def counts(self) -> tuple[int, int]:
        """How many games and positions there are."""
        with self._writing() as connection:
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
            (positions,) = connection.execute("SELECT count(*) FROM positions").fetchone()
        return int(games), int(positions)

    def missing(self, games: int) -> list[int]:
        """The numbers below `games` of those that have not been played."""
        with self._writing() as connection:
            played = {number for (number,) in connection.execute("SELECT number FROM games")}
        return [number for number in range(games) if number not in played]

    def add(self, record: Record) -> None:
        """Keep a game; when this returns, it is kept whatever happens to the program."""
        with self._writing() as connection:
            head = record.number, record.utility, record.plies
            connection.execute("INSERT INTO games VALUES (?, ?, ?)", head)
            rows = [(record.number, *seen) for seen in record.seen]
            connection.executemany("INSERT INTO positions (game, ply, state, value) VALUES (?, ?, ?, ?)", rows)

    def samples(self) -> Iterator[Sample]:
        """All positions, in the order of their games and plies."""
        query = "SELECT game, utility, state, value FROM positions JOIN games ON number = game ORDER BY game, ply"
        with self._writing() as connection, closing(connection.execute(query)) as cursor:
            for row in cursor:
                yield Sample(*row)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and a sentence where SQLite has an error."""
        try:
            with self._connection:
                yield self._connection
        except sqlite3.Error as error:
            raise BadInput(_sentence(self.path, error)) from None


_NUMBERS = ("application_id", "user_version")


def _sentence(path: str | Path, error: sqlite3.Error) -> str:
    words = str(error)
    if "locked" in words:
        return f"{path} is in use by another run: wait for its end, or name another file"
    if "not a database" in words or "malformed" in words or "no such" in words:
        return f"{path} is no file of games that tune has made, or it is damaged: name another one"
    return f"{path} can't be used: {words}"
