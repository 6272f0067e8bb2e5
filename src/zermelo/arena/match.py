"""A match: games between two players, each opening with both colours, one after the other or in several processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterator
from multiprocessing.util import Finalize
from typing import NoReturn

from zermelo.arena.bout import play_out
from zermelo.arena.openings import Openings, load_for_match
from zermelo.arena.players import Player
from zermelo.arena.recipes import Recipe, parse_player
from zermelo.arena.records import Record, Terms
from zermelo.crew import work_through
from zermelo.search.result import Limits


class Table:
    """Where games of a match are played: the game, the openings, and both players, who are made when first needed."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.game = terms, load_for_match(terms.game)
        self.openings = Openings(self.game, terms.openings, terms.seed)
        self._players: list[Player] = []

    @property
    def recipes(self) -> list[Recipe]:
        """What the terms say of the players."""
        terms = self.terms
        usual = Limits(terms.depth, terms.nodes, terms.seconds)
        return [parse_player(text, usual, terms.margin) for text in (terms.first, terms.second)]

    @property
    def players(self) -> list[Player]:
        """Both players, as they call themselves."""
        for recipe in self.recipes[len(self._players) :]:
            self._players.append(recipe.make(self.game))
        return self._players

    def play(self, number: int) -> Record:
        """The game of that number; the same each time where players think to a depth or by nodes."""
        terms, seat, opening = self.terms, number % 2, self.openings[number // 2]
        players = self.players
        seats = players[::-1] if seat else players
        course = play_out(opening, seats, f"{terms.seed}/{number // 2}", longest=terms.longest, margin=terms.margin)
        first = opening.states[0]
        times = course.seconds[::-1] if seat else course.seconds
        return Record(
            number,
            (seats[0].name, seats[1].name),
            seat,
            "" if first == self.game.initial() else self.game.format_state(first),
            course.position.texts,
            len(opening.history),
            1 - course.score if seat else course.score,
            course.ending,
            course.reason,
            "" if course.loser is None else ("first", "second")[course.loser ^ seat],
            (_rounded(times[0]), _rounded(times[1])),
        )

    def close(self) -> None:
        """End both players."""
        for player in self._players:
            player.close()
        self._players = []


def play_match(table: Table, numbers: Collection[int], concurrency: int = 1) -> Iterator[Record]:
    """The games of these numbers, each as it is done; in order where there is one process.

    The games that are not done when the caller leaves, or stops the program, are given up.
    """
    processes = min(concurrency, max(len(numbers), 1))
    try:
        if processes == 1:
            yield from map(table.play, numbers)
        else:
            table.close()
            yield from work_through(Place(table.terms), list(numbers), processes)
    finally:
        table.close()


class Place:
    """A table in a process of its own, made there for its first game; when the process ends, its players do."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._table: Table | None = None

    def __call__(self, number: int) -> Record:
        if self._table is None:
            self._table = Table(self.terms)
            signal.signal(signal.SIGTERM, self._leave)
            Finalize(None, self._table.close, exitpriority=1)
        return self._table.play(number)

    def _leave(self, *_: object) -> NoReturn:
        """Told to go: end the players and the process, whatever it is at, also if that is leaving."""
        try:
            if self._table is not None:
                self._table.close()
        finally:
            os._exit(0)


def _rounded(times: list[float]) -> tuple[float, ...]:
    return tuple(round(time, 4) for time in times)
