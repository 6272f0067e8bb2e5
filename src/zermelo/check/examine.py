"""`check_game`: everything that can be told about how well a game is made, in one go."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from zermelo.check.claims import Claims
from zermelo.check.contract import check_declarations, check_initial
from zermelo.check.keys import check_keys, neighbours
from zermelo.check.knowledge import Knowledge
from zermelo.check.play import Limits, Sample, Table
from zermelo.check.report import Report
from zermelo.check.shapes import stretched
from zermelo.check.speed import count_leaves, count_leaves_native, interpreted_speed, native_speed
from zermelo.check.texts import Texts
from zermelo.check.values import Values
from zermelo.check.witness import Broken, Stop, Witness
from zermelo.check.worlds import Worlds
from zermelo.game import Game

PATIENCE = 10.0
"""Seconds after which a method is taken to loop for ever."""

LONGEST = 10_000
"""Plies after which a random game is taken not to end."""

CHUNK = 256
"""Plies of random play between two comparisons of the worlds; fewer where the rules are slow."""

MOST_INSPECTED = 400
"""States of which everything is checked: all results, texts, knowledge and the native view."""

Listener = Callable[[str, int, int], None]
"""Told of progress: what is being done, how much of it is done, and how much there is."""


def check_game(
    game: Game,
    *,
    plies: int = 20_000,
    seed: int = 0,
    patience: float = PATIENCE,
    longest: int = LONGEST,
    seconds: float = 8.0,
    listen: Listener | None = None,
) -> Report:
    """Play a game at random and check everything its methods say; never raises for a fault of the game.

    The same seed plays the same games, but for a game so slow that a stage ends by its `seconds`.
    `patience` is how long one call of a method may take. What can't be followed further is left; what was
    found until then is in the report.
    """
    started = time.monotonic()
    report = Report(game=_name(game), title=game.title, seed=seed)
    witness = Witness(game, patience)
    limits = Limits(plies, longest, seconds)
    try:
        _Examination(witness, report, limits, seed, listen or _ignore).run()
    except (Broken, Stop):
        if not report.worlds:
            report.worlds = "interpreted only: the rules must work before the worlds can be compared"
    report.findings = witness.findings
    report.seconds = round(time.monotonic() - started, 2)
    return report


class _Examination:
    """The stages of one check, in order: each rests on what those before it have found to be sound."""

    def __init__(self, witness: Witness, report: Report, limits: Limits, seed: int, listen: Listener) -> None:
        self.witness, self.report, self.limits, self.seed, self.listen = witness, report, limits, seed, listen

    def run(self) -> None:
        """All stages; one that breaks off leaves the next ones to be tried, unless the rules themselves failed."""
        check_declarations(self.witness)
        self.sample = Sample(check_initial(self.witness), min(MOST_INSPECTED, self.limits.plies))
        self.worlds = Worlds(self.witness, self.report, self.sample.initial)
        self.play()
        for stage in (self.inspect, self.read_lines, self.compare_keys, self.compare_worlds, self.test_claims):
            try:
                stage()
            except Broken:
                continue
        if self.witness.broken:
            raise Broken

    def play(self) -> None:
        table = Table(self.witness, self.sample, self.report.counts, self.limits, self.seed)
        table.play(lambda done: self.listen("random play", done, self.limits.plies))

    def inspect(self) -> None:
        """Texts and optional knowledge, in the first states that were met and their ends."""
        self.knowledge = Knowledge(self.witness, self.sample.initial)
        self.texts = Texts(self.witness, self.sample.initial)
        states = self.sample.inspected()
        until = time.monotonic() + self.limits.seconds
        for done, (state, moves) in enumerate(states):
            if time.monotonic() > until:
                return
            self.texts.check(state, moves)
            self.knowledge.check(state, moves)
            self.tell("texts and knowledge", done, len(states))
        for state in self.sample.ends():
            self.texts.check(state, [])
            self.knowledge.check_end(state)

    def read_lines(self) -> None:
        self.texts.check_lines(self.sample.games)

    def compare_keys(self) -> None:
        """Of all states of random play, and of those around a few."""
        values = Values(self.witness, self.limits.seconds)
        centres, limits = [state for state, _ in self.sample.inspected()], self.limits
        near = neighbours(self.witness, centres, limits.plies, limits.seconds / 4)
        check_keys(self.witness, list(self.sample.states.values()), near, values, self.report.counts)

    def compare_worlds(self) -> None:
        """Native against interpreted, if the rules work; speeds and counts on the way."""
        if self.witness.broken:
            return
        self.listen("compiling", 0, 1)
        worlds = self.worlds
        worlds.compile()
        speed = self.report.speed
        rate = interpreted_speed(self.witness, self.sample.initial)
        speed.interpreted_plies_per_second = round(rate, 1)
        self.listen("counting", 0, 1)
        count_leaves(self.witness, self.report, self.sample.initial)
        if worlds.native:
            self.listen("comparing the worlds", 0, 1)
            worlds.compare_views(self.comparable_states(), self.limits.seconds)
            chunk = max(1, min(CHUNK, int(rate * self.witness.patience / 10)))
            worlds.compare_playouts(self.limits.plies, self.seed, self.limits.seconds, chunk)
            speed.native_plies_per_second = native_speed(worlds)
            count_leaves_native(self.witness, self.report, self.sample.initial)

    def test_claims(self) -> None:
        """Claims about values, by native searches where the native rules are surely the same."""
        self.listen("claims", 0, 1)
        values = Values(self.witness, self.limits.seconds)
        claims = Claims(self.witness, self.knowledge, values, self.seed)
        try:
            claims.test(self.sample.games, self.worlds.agree and not self.witness.blames("result"))
        finally:
            counts = self.report.counts
            counts.solved_positions, counts.claims, self.report.claims = claims.solved, claims.tested, claims.told()

    def comparable_states(self) -> list[Any]:
        """Inspected states and ends, of the one shape that native code is made for."""
        states = [*(state for state, _ in self.sample.inspected()), *self.sample.ends()]
        return [state for state in states if not stretched(state, self.sample.initial)]

    def tell(self, stage: str, done: int, total: int) -> None:
        if done % 50 == 0:
            self.listen(stage, done, total)


def _ignore(stage: str, done: int, total: int) -> None:
    pass


def _name(game: Game) -> str:
    try:
        return repr(game)
    except Exception:
        return game.title
