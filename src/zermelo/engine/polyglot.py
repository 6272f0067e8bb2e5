"""Polyglot's opening books for chess, as the engine uses books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.engine.book import Book, BookLike, Entry
from zermelo.games.chess import Chess, polyglot

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo.game import Game
    from zermelo.position import Position

SUFFIX = ".bin"
"""How the names of Polyglot books end."""


class Polyglot(BookLike):
    """A Polyglot book: it knows actions and weights, and neither values nor results."""

    def __init__(self, game: Chess, content: bytes) -> None:
        self.game, self.content = game, content

    def probe(self, position: Position) -> list[Entry]:
        """All that the book says of a position, best first; nothing where it knows nothing."""
        replies = polyglot.probe(self.game, self.content, position.state) if not position.is_terminal else []
        return [Entry(reply.action, reply.weight) for reply in replies]

    def fits(self, game: Game) -> bool:
        """Whether the book is for a game with these rules."""
        return isinstance(game, Chess)


def is_polyglot(path: str | Path, game: Game) -> bool:
    """Whether a path names a Polyglot book for a game: by its ending, and only for chess."""
    return str(path).lower().endswith(SUFFIX) and isinstance(game, Chess)


def open_book(path: str | Path, game: Game) -> BookLike:
    """The opening book at a path, in whichever format; `BadInput` if it is damaged or of another game."""
    if isinstance(game, Chess) and is_polyglot(path, game):
        return Polyglot(game, polyglot.read(path))
    return Book.open(path, game)
