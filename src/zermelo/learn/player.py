"""Quick play: one player's search, a varied opening, a game to its end, and whether a position is quiet."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isclose
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo import native
from zermelo.engine.decide import decide
from zermelo.engine.deepening import Deepening
from zermelo.engine.job import Job
from zermelo.engine.kernel import guess
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.errors import BadInput, LimitReached, NotNative
from zermelo.position import Position, recurring
from zermelo.search.decide import checked
from zermelo.search.result import Limits
from zermelo.search.suitability import ENGINE, usual_algorithm

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.result import Result

T = TypeVar("T")

TABLE = 0.5
"""MiB of a player's table: it fits the processor's cache, and holds what a quick search finds."""
REST_NODES = 100_000
"""Nodes that finding out whether a position is quiet may take; one that takes more is not."""
TRIES = 100
"""How many openings are tried before shorter ones are."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much each move is thought about, at least one of `nodes` and `depth`; and where the rules run."""

    nodes: int | None = None
    depth: int | None = None
    world: str = "auto"

    def __post_init__(self) -> None:
        if self.nodes is None and self.depth is None:
            raise BadInput("say how long to think about a move: give nodes, a depth, or both")
        checked(Limits(self.depth, self.nodes), 1, self.world)


def settle_world(game: Game, pace: Pace) -> tuple[Pace, str]:
    """The pace with a world that is no more "auto", and a sentence if that is not the native one. Compiles the game."""
    if pace.world == "interpreted":
        return pace, ""
    why = native.why_interpreted(game)
    try:
        if not why:
            there = Pace(pace.nodes, pace.depth, "native")
            with_room(lambda _: Player(game, there))
            return there, ""
    except NotNative as error:
        why = f"{game.title} runs interpreted: {error}"
    if pace.world == "native":
        raise NotNative(why)
    return Pace(pace.nodes, pace.depth, "interpreted"), why


class Player:
    """A player for one game from start to end: what it thinks depends on the positions it has seen and nothing else.

    To be called with room for deep recursion, as `Job` gives it.
    """

    def __init__(self, game: Game, pace: Pace) -> None:
        self.game, self.pace = game, pace
        self._options = Options(table=TABLE)
        self._algorithm = usual_algorithm(Position(game), to_a_depth=True)
        self._machine: Machine | None = None
        if self._algorithm in ENGINE:
            self._machine = Machine(game, self._options, natively=pace.world == "native")
            self._machine.prepare(game.initial())

    def think(self, position: Position) -> Result:
        """The best action by the pace; not for chance turns and ends."""
        limits = Limits(self.pace.depth, self.pace.nodes)
        if self._machine is not None:
            return Deepening(position, self._machine, limits, 1).run()
        how: dict[str, Any] = {"algorithm": self._algorithm, "options": self._options, "world": self.pace.world}
        return decide(position, depth=limits.depth, nodes=limits.nodes, **how)

    def is_quiet(self, position: Position) -> bool:
        """Whether playing out noisy actions pays for nobody: the position is worth what the evaluation says.

        What the player has just thought about, or another position of the same game.
        """
        game, state = self.game, position.state
        if not game.has_noisy:
            return True
        if self._machine is None:
            return not any(True for _ in game.noisy(state))
        self._machine.resume(REST_NODES)
        still = guess(game, state, game.to_move(state), self._machine.works[0])
        try:
            return isclose(self._machine.value(state, -inf, inf, 0), still, rel_tol=1e-6, abs_tol=1e-9)
        except LimitReached:
            return False


class Course(Position):
    """A game in progress that asks its rules once for each state what may be done there; nothing is taken back."""

    def __init__(self, game: Game, state: Any = None) -> None:
        super().__init__(game, state)
        self._asked: dict[str, tuple[int, Any]] = {}
        self._marks: list[Any] = []

    @property
    def moves(self) -> list[Any]:
        return list(self._once("moves", lambda: super(Course, self).moves))

    @property
    def is_terminal(self) -> bool:
        return bool(self._once("end", lambda: super(Course, self).is_terminal))

    @property
    def is_repeated(self) -> bool:
        if not self.game.repetition:
            return False
        self._marks += [recurring(self.game, state) for state in self._states[len(self._marks) :]]
        return self._marks.count(self._marks[-1]) >= self.game.repetition

    def _once(self, name: str, ask: Callable[[], Any]) -> Any:
        """What was asked last, where that was after as many moves."""
        ply, answer = self._asked.get(name, (-1, None))
        if ply != len(self._actions):
            answer = ask()
            self._asked[name] = len(self._actions), answer
        return answer


def random_opening(game: Game, plies: int, luck: random.Random) -> Course:
    """A position after so many random moves, or one less, so that either player may be next; never an end.

    Where a game is over sooner, fewer moves are made.
    """
    wanted = plies - luck.randrange(2) if plies else 0
    for tried in range(TRIES * wanted):
        course = Course(game)
        for _ in range(wanted - tried // TRIES):
            if course.is_terminal:
                break
            course.push(random_move(course, luck))
        if not course.is_terminal:
            return course
    return Course(game)


def random_move(position: Position, luck: random.Random) -> Any:
    """Any action, each as likely; at a chance turn, as likely as it is."""
    if not position.is_chance:
        return luck.choice(position.moves)
    outcomes = list(position.game.outcomes(position.state))
    return luck.choices([action for action, _ in outcomes], [float(chance) for _, chance in outcomes])[0]


def play_out(
    courses: Sequence[Course],
    players: Sequence[Player],
    longest: int,
    luck: random.Random,
    halted: threading.Event,
    choose: Callable[[Course, Result], Any] = lambda _, found: found.action,
) -> float:
    """Play on to the end, until a search proves the result, or for `longest` moves, which is a draw; what that is worth
    to player 0.

    `courses` are the same play in each player's game, or one that both share.
    """
    table = courses[0]
    while not table.is_terminal and len(table.history) < longest:
        if halted.is_set():
            raise LimitReached
        if table.is_chance:
            action = random_move(table, luck)
        else:
            mover = table.to_move
            course = courses[mover % len(courses)]
            found = players[mover].think(course)
            if found.kind == "exact":
                return seen_by_first(table, found.value)
            action = choose(course, found)
        for each in courses:
            each.push(action)
    return worth(table)


def with_room(work: Callable[[threading.Event], T]) -> T:
    """What some play gives, in a thread where searches may go deep; Ctrl-C halts it."""
    halted = threading.Event()
    return Job(lambda: work(halted), halted.set).result()


def seen_by_first(position: Position, value: float) -> float:
    """A value that the player to move counts, as player 0 counts it."""
    return value if position.to_move == 0 else (position.game.facts.total or 0.0) - value


def worth(position: Position) -> float:
    """What a game is worth to player 0 where it stands: at its end, what it says; before that, a draw."""
    if position.is_terminal:
        return float(position.utilities[0])
    return position.game.even_share


def points(game: Game, utility: float) -> float:
    """What player 0 has made of a game: 1 for a win, which is more than an even share, ½ for a draw, 0 for a loss."""
    return 1.0 if utility > game.even_share else 0.5 if utility == game.even_share else 0.0
