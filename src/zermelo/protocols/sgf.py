"""Positions from SGF files, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import BadInput
from zermelo.games.go.sgf import decode, main_line, parse, tree_of, write
from zermelo.position import Position

if TYPE_CHECKING:
    from zermelo.games.go import Go

MOST_BYTES = 16 << 20
"""The size of file that is not even begun."""


def read_position(data: bytes | str, moves: int | None = None) -> Position:
    """The position at the end of the first game's main line, or after so many moves; `BadInput` if it has none."""
    play = main_line(parse(decode(data) if isinstance(data, bytes) else data)[0])
    position = Position(play.game, play.start)
    for action in play.actions[:moves]:
        position.push(action)
    return position


def load_position(path: str, moves: int | None = None) -> Position:
    """The same from a file."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise BadInput(f"{path} is larger than {MOST_BYTES >> 20} MiB: that is no game")
    return read_position(data, moves)


def write_position(position: Position, **properties: str) -> str:
    """A game as the text of an SGF file; `properties`, such as PB="Ann", are the root's."""
    game: Go = position.game  # type: ignore[assignment]
    return write([tree_of(game, position.states[0], position.history, **properties)])
