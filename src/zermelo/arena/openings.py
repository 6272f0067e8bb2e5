"""Where games of a match begin: after random moves, or as a file says; each opening is for two games. And openings
for such a file, after which nobody is ahead by much."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from zermelo.engine.decide import decide
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.learn.player import random_move
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.suitability import has_keys

USUAL_PLIES = 4
MOST_PLIES = 200
TRIES = 100
"""How often random moves are drawn anew, where they end the game, have been drawn before, or leave somebody ahead."""


class Openings:
    """Openings of a game, told by a text: how many random moves, or the name of a file with one opening a line.

    A line of a file is moves as the game writes them, or a state; # begins a comment. The same seed gives the same.
    """

    def __init__(self, game: Game, text: str, seed: int) -> None:
        self.game, self.seed = game, seed
        self.plies = int(text) if text.isdecimal() else None
        self._drawn: list[Position] = []
        if self.plies is None:
            self._drawn = _from_file(game, text)
        elif self.plies > MOST_PLIES:
            raise BadInput(f"openings have at most {MOST_PLIES} random moves, not {text}")

    @property
    def count(self) -> int | None:
        """How many there are; None where they are drawn."""
        return None if self.plies is not None else len(self._drawn)

    def __getitem__(self, number: int) -> Position:
        """The opening of a pair of games; those of a file come again after the last."""
        if self.plies is None:
            return self._drawn[number % len(self._drawn)].copy()
        while len(self._drawn) <= number:
            self._drawn.append(self._draw(len(self._drawn), self.plies))
        return self._drawn[number].copy()

    def _draw(self, number: int, plies: int) -> Position:
        """Random moves after which the game goes on; other ones than before, where there are enough."""
        before = {position.history for position in self._drawn}
        found = None
        for attempt in range(TRIES):
            position = _wander(self.game, plies, random.Random(f"{self.seed}/{number}/{attempt}"))
            if not position.is_terminal:
                found = position
                if position.history not in before:
                    break
        if found is None:
            raise BadInput(f"{self.game.title} is over after {plies} random moves: give fewer of them as openings")
        return found


def load_for_match(text: str) -> Game:
    """The game of that text, or `BadInput` where nobody could win a match of it."""
    game = load(text)
    if game.facts.players != 2 or game.facts.total is None:
        raise BadInput(f"a match needs a game of two players and a constant sum, and {game.title} is none")
    return game


def level_openings(
    game: Game, plies: int, *, within: float, nodes: int, seed: int = 0
) -> Iterator[tuple[Position, float]]:
    """Positions after so many random moves that a search of so many nodes values within that of 0, with their values to
    the player to move: as many as are asked for, no two alike, each as soon as it is found.

    `BadInput` where a hundred in a row are none.
    """
    found, attempt, failures = set(), 0, 0
    while failures < TRIES:
        position = _wander(game, plies, random.Random(f"{seed}/level/{attempt}"))
        attempt, failures = attempt + 1, failures + 1
        key = game.canonical_key(position.state) if has_keys(position) else position.history
        if not position.is_terminal and key not in found:
            value = decide(position, nodes=nodes).value
            if abs(value) <= within:
                failures = 0
                found.add(key)
                yield position, value
    raise BadInput(
        f"{TRIES} times in a row the game was over after {plies} random moves, known already, or not within {within:g} "
        "of 0: give a larger --within, or other --plies"
    )


def _wander(game: Game, plies: int, luck: random.Random) -> Position:
    """A position after so many random moves, those of chance besides; at the end at the latest."""
    position = Position(game)
    while not position.is_terminal and (plies or position.is_chance):
        plies -= not position.is_chance
        position.push(random_move(position, luck))
    return position


def _from_file(game: Game, path: str) -> list[Position]:
    """The openings in a file, or `BadInput` with the line that is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadInput(f"the openings in {path!r} can't be read: {why}") from None
    texts = [(number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1)]
    found = [_opening(game, text, f"{path} line {number}") for number, text in texts if text]
    if not found:
        raise BadInput(f"there are no openings in {path}: write one a line, as moves or as a state")
    return found


def _opening(game: Game, text: str, where: str) -> Position:
    """The position that a line writes."""
    errors: list[str] = []
    readings: Sequence[dict[str, str]] = ({"moves": text}, {"state": text})
    for reading in readings:
        try:
            position = Position.from_text(game, **reading)
        except BadInput as error:
            errors.append(str(error))
            continue
        if position.is_terminal:
            raise BadInput(f"{where}: the game is over there")
        return position
    raise BadInput(f"{where} is no opening; as moves: {errors[0]}; as a state: {errors[1]}")
