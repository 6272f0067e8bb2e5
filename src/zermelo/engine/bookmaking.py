"""Making opening books: by searching the first moves best first, and from games that were played."""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo import native
from zermelo.engine.book import KINDS, MOST_PLAYED, Draft, Entry, Record, key_of
from zermelo.engine.decide import decide
from zermelo.errors import BadInput, NotNative
from zermelo.game import CHANCE
from zermelo.position import Position
from zermelo.search.decide import checked
from zermelo.search.result import Limits, Result
from zermelo.search.suitability import usual_algorithm
from zermelo.search.tally import TRIAL

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo.game import Game

FULL_WEIGHT = 1000
"""The weight of the best action by search; each next one that is as good has one less."""
SAVE_SECONDS, SAVE_SHARE = 5.0, 0.05
"""How often a book is saved while it is built, at least, and which part of the time saving may take."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to build a book by search; the limits hold for each position.

    Positions fewer than `plies` from the start are looked at. For each of `players` (empty: all of them) the book
    follows what it would itself play at their own turns, and at all others every action, or with `width` the so many
    best. `choices` actions are valued in a position; those within `margin` of the best may be played.
    """

    plies: int
    width: int | None = None
    choices: int = 3
    margin: float = 0.0
    players: tuple[int, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    world: str = "auto"

    def __post_init__(self) -> None:
        for name, value in (("plies", self.plies), ("width", self.width), ("choices", self.choices)):
            if value is not None and value < 1:
                raise BadInput(f"{name} must be 1 or more, not {value}")
        if not 0 <= self.margin < inf:
            raise BadInput(f"margin must be 0 or more, not {self.margin:g}")
        checked(Limits(self.depth, self.nodes, self.seconds), 1, self.world)


class Progress(NamedTuple):
    """How far a book is: positions searched now, positions that the book had, and those that are still to be seen."""

    searched: int
    kept: int
    waiting: int


class _Step(NamedTuple):
    """A position to look at, for some players; `number` tells steps of one cost apart."""

    cost: int
    number: int
    position: Position
    players: tuple[int, ...]


class Builder:
    """Searches positions from the start on, best first, into a draft; what the draft has already is not searched again.

    Each move costs one, and one more for every better action that it passes over; the cheapest position comes next.
    This order depends on the records alone, so a build that was interrupted goes on as if it had not been.
    """

    def __init__(self, draft: Draft, plan: Plan) -> None:
        self.draft, self.plan, self.game = draft, plan, draft.game
        for player in plan.players:
            if not 0 <= player < self.game.players:
                raise BadInput(f"there is no player {player + 1}: {self.game.title} has {self.game.players}")
        start = Position(self.game)
        usual_algorithm(start)  # refuses a game that nothing can search
        self.note = ""
        self._steps: list[_Step] = []
        self._pushed = self._searched = self._kept = 0
        self._reached: dict[int, dict[int, int]] = {}
        """By key and player, after how few moves a position was looked at."""
        self._push(0, start, plan.players or tuple(range(self.game.players)))

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return Progress(self._searched, self._kept, len(self._steps))

    def step(self) -> bool:
        """Look at one more position; False if there is none left."""
        if not self._steps:
            return False
        cost, _, position, players = heapq.heappop(self._steps)
        reached = self._reached.setdefault(key_of(self.game, position.state), {})
        ply = len(position.history)
        new = tuple(player for player in players if reached.get(player, inf) > ply)
        reached.update(dict.fromkeys(new, ply))
        if not new:
            return True
        mover = position.to_move
        searches = mover != CHANCE and (mover in new or self.plan.width is not None)
        valued = self._valued(position) if searches else []
        for place, action, good in self._followed(position, valued):
            wide = self.plan.width is None or place < self.plan.width
            still = tuple(player for player in new if (good if player == mover else wide))
            if still and ply + 1 < self.plan.plies:
                after = position.copy()
                after.push(action)
                self._push(cost + 1 + place, after, still)
        return True

    def _push(self, cost: int, position: Position, players: tuple[int, ...]) -> None:
        if not position.is_terminal:
            heapq.heappush(self._steps, _Step(cost, self._pushed, position, players))
            self._pushed += 1

    def _followed(self, position: Position, valued: list[Entry]) -> Iterator[tuple[int, Any, bool]]:
        """Actions with their places by value, and whether the book would play them; one of twins is enough."""
        known = []
        for place, entry in enumerate(valued):
            yield place, entry.action, entry.weight > 0
            known += [entry.action, *entry.twins]
        for action in position.moves if self.plan.width is None or position.is_chance else ():
            if action not in known:
                yield len(valued), action, False

    def _valued(self, position: Position) -> list[Entry]:
        """What is known of a position by search, which is made now if it has not been."""
        found = [entry for entry in self.draft.probe(position) if entry.kind is not None]
        if found:
            self._kept += 1
            return found
        record_search(self.draft, position, self._search(position), self.plan.margin)
        self._searched += 1
        return [entry for entry in self.draft.probe(position) if entry.kind is not None]

    def _search(self, position: Position) -> Result:
        """One search, in a world that depends on the rules and the limits, not on what was searched before."""
        if self.plan.world != "auto":
            return self._decide(position, self.plan.world, self.plan.nodes)
        if self._is_small:
            found = self._decide(position, "interpreted", min(TRIAL, self.plan.nodes or TRIAL))
            if self._is_finished(found):
                return found
        return self._decide(position, self._fast_world, self.plan.nodes)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the first position is searched quickly without native code; then every position is tried so."""
        start = Position(self.game)
        while start.is_chance:
            start.push(start.moves[0])
        return self._is_finished(self._decide(start, "interpreted", min(TRIAL, self.plan.nodes or TRIAL)))

    @cached_property
    def _fast_world(self) -> str:
        """Native if the game can be."""
        self.note = native.why_interpreted(self.game)
        try:
            if not self.note:
                decide(Position(self.game), depth=1, world="native")
        except NotNative as error:
            self.note = f"{self.game.title} runs interpreted: {error}"
        return "interpreted" if self.note else "native"

    def _is_finished(self, found: Result) -> bool:
        """Whether a search of at most `TRIAL` nodes has found all that the plan asks for."""
        is_all = self.plan.nodes is not None and self.plan.nodes <= TRIAL
        return is_all or found.depth == self.plan.depth or all(line.kind == "exact" for line in found.lines)

    def _decide(self, position: Position, world: str, nodes: int | None) -> Result:
        plan, lines = self.plan, self._lines(position)
        return decide(position, depth=plan.depth, nodes=nodes, seconds=plan.seconds, lines=lines, world=world)

    def _lines(self, position: Position) -> int:
        """How many actions to value, so that enough of them are no twins of one another."""
        game, state = self.game, position.state
        twins = Counter(key_of(game, game.result(state, action)) for action in position.moves)
        enough = min(max(self.plan.choices, self.plan.width or 1), len(twins))
        return 1 + sum(count for _, count in twins.most_common(enough - 1))


def build(draft: Draft, path: str | Path, plan: Plan, listen: Callable[[Progress], None] | None = None) -> Builder:
    """Build a book by search, saving it to a file as it goes; also when it is interrupted."""
    builder = Builder(draft, plan)
    draft.save(path)
    saved, pause = time.monotonic(), SAVE_SECONDS
    try:
        while builder.step():
            if listen is not None:
                listen(builder.progress)
            if time.monotonic() >= saved + pause:
                begun = time.monotonic()
                draft.save(path)
                saved = time.monotonic()
                pause = max(SAVE_SECONDS, (saved - begun) / SAVE_SHARE)
    finally:
        draft.save(path)
    return builder


def record_search(draft: Draft, position: Position, result: Result, margin: float = 0.0) -> None:
    """Keep what a search found of a position; its best actions, up to a margin, are what the book plays there."""
    game, state = position.game, position.state
    key = key_of(game, state)
    records = {child: record._replace(weight=0) for child, record in draft.records(key).items()}
    best = max(line.value for line in result.lines)
    valued: dict[int, Record] = {}
    for line in result.lines:
        child = key_of(game, game.result(state, line.action))
        if child not in valued and isfinite(line.value):
            weight = max(FULL_WEIGHT - len(valued), 1) if best - line.value <= margin else 0
            counted, kind = records.get(child, Record()), KINDS.index(line.kind)
            valued[child] = counted._replace(value=line.value, weight=weight, depth=result.depth, kind=kind)
    draft.states[key] = records | valued


# From games.


class Played(NamedTuple):
    """A game that was played, and what its end is worth to each player; nothing where that is not known."""

    position: Position
    utilities: tuple[float, ...]


def parse_game(game: Game, text: str) -> Played:
    """A game from text: its moves, and after a semicolon the utility of the first player where that is known."""
    moves, semicolon, result = text.rpartition(";") if ";" in text else (text, "", "")
    position = Position.from_text(game, moves=moves)
    if not position.history:
        raise BadInput("there are no moves")
    ended = position.utilities if position.is_terminal else ()
    if not semicolon:
        return Played(position, ended)
    given = _utilities(game, result.strip())
    if ended and ended[0] != given[0]:
        raise BadInput(f"the result is given as {given[0]:g}, but the game ended with {ended[0]:g}")
    return Played(position, ended or given)


def _utilities(game: Game, text: str) -> tuple[float, ...]:
    """Everybody's utility where that of the first player is written."""
    facts = game.facts
    if facts.players > 2 or (facts.players == 2 and facts.total is None):
        raise BadInput(
            f"one number does not tell the result of {game.title}: leave it out, and play the game to its end"
        )
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"the result {text!r} is not a number") from None
    if not (facts.lowest <= value <= facts.highest and isfinite(value)):
        raise BadInput(f"the result {text} is not from {facts.lowest:g} to {facts.highest:g}")
    return (value,) if facts.total is None else (value, facts.total - value)


def record_game(draft: Draft, played: Played, plies: int) -> None:
    """Count the first moves of a game. Where nothing was searched, an action weighs as many half points as it made."""
    game, states = draft.game, played.position.states
    keys = [key_of(game, state) for state in states[: plies + 1]]
    for state, key, child in zip(states, keys, keys[1:], strict=False):
        mover = game.to_move(state)
        if mover == CHANCE:
            continue
        records = dict(draft.records(key))
        before = records.get(child, Record())
        searched = any(record.kind for record in records.values())
        if before.played < MOST_PLAYED:
            points = before.points + _half_points(game, played.utilities, mover)
            weight = before.weight if searched else points
            records[child] = before._replace(played=before.played + 1, points=points, weight=weight)
        draft.states[key] = records


def _half_points(game: Game, utilities: tuple[float, ...], player: int) -> int:
    """2 for a win, which is more than an even share of what there is, 1 for a draw or no result, 0 for a loss."""
    if not utilities:
        return 1
    even = (game.facts.total or 0.0) / game.players
    return 2 if utilities[player] > even else 1 if utilities[player] == even else 0
