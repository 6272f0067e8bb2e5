"""The positions that are measured: files with exact values, and games that were begun."""

from __future__ import annotations

import random
from importlib import resources
from typing import NamedTuple

from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello
from zermelo.position import Position

OPENINGS = (
    "e6d6c3f4d7c5c4c7c6b5b4e3a4d3c8b6f5e7a5b3f8a6a7a3",
    "d3c3b3e3f3c5c4c2b4d2e2f2c1b5d1e1f4b1c6a3a4e6a2g5",
    "c4e3f2c5d6e2f5c3f3f4d3d2e1g3d1c6g4c1b1h4c2g6f6g1",
    "f5f6e6f4g6d7d6c5g4c7e3f3d3g5c6h5d8c8f7f8h6e8e7h4",
    "d3e3f4c3c2d2d1c1b1d6e6f7e2f2c5c4b5f3g1g4b3f5g3e1",
    "f5f4f3f6d3f2e6d6e7d8g5e3g4c6c5g3f8h5f7d7c7c2g6c3",
)
"""Games of Othello up to the 24th move: six at random, the others by a search five plies deep."""


class Problem(NamedTuple):
    """A position with its exact value to the player to move, and the moves that keep it where these are known."""

    position: Position
    value: float
    best: frozenset[str] = frozenset()


def lines(name: str) -> list[str]:
    """The lines of a file of positions, such as `connect_four/end_easy.txt`."""
    return (resources.files("zermelo.bench") / "data" / name).read_text(encoding="utf-8").splitlines()


def connect_four(name: str, most: int | None = None) -> list[Problem]:
    """The first positions of a file, under margin=1."""
    game, found = ConnectFour(margin=1), []
    for line in lines(f"connect_four/{name}.txt")[:most]:
        moves, value = line.split()
        found.append(Problem(Position.from_text(game, moves=moves), float(value)))
    return found


def othello(name: str, most: int | None = None) -> list[Problem]:
    """The first positions of a file; its moves stand best first."""
    game, found = Othello(), []
    for line in lines(f"othello/{name}.obf")[:most]:
        state, *answers = (part.strip() for part in line.strip(" ;").split(";"))
        values = {move.lower(): float(value) for move, value in (answer.split(":") for answer in answers)}
        value = max(values.values())
        best = frozenset(move for move, worth in values.items() if worth == value)
        found.append(Problem(Position.from_text(game, state), value, best))
    return found


def opened(game: Game) -> list[Position]:
    """Positions of an Othello game with 36 empty squares, from games in which nobody passed."""
    return [Position.from_text(game, moves=moves) for moves in OPENINGS]


def played(game: Game, left: int, seed: int) -> Position:
    """The first position with so many moves left in a game of random moves."""
    dice = random.Random(seed)
    while True:
        position = Position(game)
        while not position.is_terminal:
            if game.moves_left(position.state) <= left:
                return position
            position.push(dice.choice(position.moves))
