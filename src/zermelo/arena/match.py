"""A match: games between two players, each opening with both colours, one after the other or in several processes."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from zermelo.arena.bout import play_out
from zermelo.arena.openings import Openings
from zermelo.arena.players import Player
from zermelo.arena.recipes import Recipe, parse_player
from zermelo.arena.records import Record, Terms
from zermelo.errors import BadInput, ZermeloError
from zermelo.registry import load
from zermelo.search.result import Limits

LEAVING = 5.0
"""Seconds that a process has to end its players and leave."""


class Table:
    """Where games of a match are played: the game, the openings, and both players, who are made when first needed."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.game = terms, load(terms.game)
        facts = self.game.facts
        if facts.players != 2 or facts.total is None:
            raise BadInput(f"a match needs a game of two players and a constant sum, and {self.game.title} is none")
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
            tuple(self._texts(course.position)),
            len(opening.history),
            1 - course.score if seat else course.score,
            course.ending,
            course.reason,
            "" if course.loser is None else ("first", "second")[course.loser ^ seat],
            (_rounded(times[0]), _rounded(times[1])),
        )

    def _texts(self, position: Any) -> list[str]:
        pairs = zip(position.states, position.history, strict=False)
        return [self.game.format_action(state, action) for state, action in pairs]

    def close(self) -> None:
        """End both players."""
        for player in self._players:
            player.close()
        self._players = []


def play_match(table: Table, numbers: Collection[int], concurrency: int = 1) -> Iterator[Record]:
    """The games of these numbers, each as it is done; in order where there is one process.

    The games that are not done when the caller leaves, or stops the program, are given up.
    """
    if concurrency < 1:
        raise BadInput(f"concurrency must be 1 or more, not {concurrency}")
    if min(concurrency, len(numbers)) > 1:
        table.close()
        yield from _Crew(table.terms, list(numbers), min(concurrency, len(numbers))).play()
        return
    try:
        for number in numbers:
            yield table.play(number)
    finally:
        table.close()


class _Crew:
    """Processes that play, each with players of its own; each is given a game as soon as it is free."""

    def __init__(self, terms: Terms, numbers: list[int], size: int) -> None:
        self.terms, self.waiting, self.size = terms, numbers, size
        self.workers: dict[Connection, SpawnProcess] = {}
        self.playing: dict[Connection, int] = {}

    def play(self) -> Iterator[Record]:
        try:
            for _ in range(self.size):
                self._hire()
            while self.playing:
                for connection in wait(list(self.playing)):
                    assert isinstance(connection, Connection)
                    yield self._taken(connection)
            for connection in self.workers:
                connection.send(None)
            for worker in self.workers.values():
                worker.join(LEAVING)
        finally:
            self._dismiss()

    def _hire(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        worker = context.Process(target=_work, args=(theirs, self.terms), daemon=True)
        worker.start()
        theirs.close()
        self.workers[ours] = worker
        self._give(ours)

    def _give(self, connection: Connection) -> None:
        """The next game, if there is any."""
        self.playing.pop(connection, None)
        if self.waiting:
            self.playing[connection] = self.waiting.pop(0)
            connection.send(self.playing[connection])

    def _taken(self, connection: Connection) -> Record:
        """What a process has done; it is given the next game."""
        number = self.playing[connection]
        try:
            found = connection.recv()
        except (EOFError, OSError):
            worker = self.workers[connection]
            worker.join(1.0)
            raise BadInput(
                f"the process that played game {number + 1} has ended (exit code {worker.exitcode}): is there memory "
                f"for {self.size} of them?"
            ) from None
        if isinstance(found, str):
            raise BadInput(found)
        self._give(connection)
        assert isinstance(found, Record)
        return found

    def _dismiss(self) -> None:
        """End all processes, with their players."""
        for worker in self.workers.values():
            worker.terminate()
        for connection, worker in self.workers.items():
            worker.join(LEAVING)
            if worker.is_alive():
                worker.kill()
                worker.join()
            worker.close()
            connection.close()


def _work(connection: Connection, terms: Terms) -> None:
    """Play the games whose numbers come, until None comes or the process is told to leave."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    table = None
    try:
        table = Table(terms)
        while (number := connection.recv()) is not None:
            connection.send(table.play(number))
    except ZermeloError as error:
        connection.send(str(error))
    except (EOFError, BrokenPipeError):
        pass
    finally:
        with suppress(Exception):
            if table is not None:
                table.close()


def _rounded(times: list[float]) -> tuple[float, ...]:
    return tuple(round(time, 4) for time in times)
