"""Games that the program plays against itself, and the quiet positions in them."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.bits import Bits, scatter
from zermelo.crew import work_through
from zermelo.errors import BadInput
from zermelo.learn.player import Course, Pace, Player, play_out, random_move, random_opening, seen_by_first, with_room
from zermelo.learn.quick import Quick
from zermelo.native import TICK
from zermelo.position import Position
from zermelo.search.suitability import ENGINE, usual_algorithm

if TYPE_CHECKING:
    from zermelo.learn.recipe import Recipe
    from zermelo.learn.store import Store
    from zermelo.search.result import Result


@dataclass(frozen=True, slots=True)
class Plan:
    """How games are played. The first `opening` moves are random; up to three times as many, one move in `1 / luck` is.

    A game that goes on for `longest` moves is a draw. Game n of a plan is always the same, whoever plays it.
    """

    pace: Pace
    opening: int = 8
    luck: float = 0.1
    longest: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.opening <= 10_000:
            raise BadInput(f"opening is how many moves are random, from 0 to 10,000, not {self.opening}")
        if not 0 <= self.luck <= 1:
            raise BadInput(f"luck is a probability from 0 to 1, not {self.luck:g}")
        if not 1 <= self.longest <= 100_000:
            raise BadInput(f"longest is a number of moves from 1 to 100,000, not {self.longest}")


class Seen(NamedTuple):
    """A quiet position of a game, as text, and what the search found it worth to player 0."""

    ply: int
    state: str
    value: float


class Record(NamedTuple):
    """A game that was played: its number, what it was worth to player 0, how many moves it had, what was quiet."""

    number: int
    utility: float
    plies: int
    seen: tuple[Seen, ...]


@dataclass(frozen=True)
class SelfPlay:
    """Plays the games of a plan by their numbers."""

    recipe: Recipe
    plan: Plan

    def __call__(self, number: int) -> Record:
        return with_room(lambda halted: self._play(number, halted))

    def _play(self, number: int, halted: threading.Event) -> Record:
        if usual_algorithm(Position(self.recipe.made), to_a_depth=True) in ENGINE:
            return self._play_quickly(number, halted)
        return self._play_thoughtfully(number, halted)

    def _play_quickly(self, number: int, halted: threading.Event) -> Record:
        """The whole game in one kernel."""
        plan = self.plan
        seed = int(scatter(Bits(plan.seed) << 32 ^ number)) >> 2
        with stopping(halted, self._quick.stop):
            played = self._quick.play(seed, plan.opening, plan.luck, plan.pace.depth, plan.pace.nodes)
        game = self.recipe.made
        seen = tuple(Seen(kept.ply, game.format_state(kept.state), kept.value) for kept in played.kept)
        return Record(number, played.utility, played.plies, seen)

    @cached_property
    def _quick(self) -> Quick:
        return Quick(self.recipe.made, self.plan.longest, natively=self.plan.pace.world == "native")

    def _play_thoughtfully(self, number: int, halted: threading.Event) -> Record:
        """Move by move, as any game can be played."""
        game, plan, seen = self.recipe.made, self.plan, list[Seen]()
        luck = random.Random(f"{plan.seed} {number}")
        course, player = random_opening(game, plan.opening, luck), Player(game, plan.pace)

        def choose(course: Course, found: Result) -> Any:
            ply = len(course.history)
            if player.is_quiet(course):
                seen.append(Seen(ply, str(course), seen_by_first(course, found.value)))
            strays = ply < 3 * plan.opening and luck.random() < plan.luck
            return random_move(course, luck) if strays else found.action

        utility = play_out([course], [player, player], plan.longest, luck, halted, choose)
        return Record(number, utility, len(course.history), tuple(seen))


@contextmanager
def stopping(halted: threading.Event, stop: Callable[[], None]) -> Iterator[None]:
    """Have something stopped once an event is set, for as long as this lasts."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(TICK):
            if halted.is_set():
                stop()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def gather(
    recipe: Recipe, plan: Plan, store: Store, games: int, processes: int, listen: Callable[[int, int], None]
) -> None:
    """Play until the store has the first `games` games of the plan; `listen` is told games and positions after each.

    Each game is safe in the store as soon as it is over.
    """
    done, positions = store.counts()
    listen(done, positions)
    for record in work_through(SelfPlay(recipe, plan), store.missing(games), processes):
        store.add(record)
        done, positions = done + 1, positions + len(record.seen)
        listen(done, positions)
