"""One game between two players, from an opening to whatever ends it; nothing that a player does ends more than that."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.arena.external import MARGIN
from zermelo.arena.players import Choice, Player
from zermelo.errors import IllegalAction, OutOfTime, ProgramFailed
from zermelo.learn.player import random_move
from zermelo.position import Position

RULES, REPETITION, LENGTH = "rules", "repetition", "length"
"""How a game ends by itself: by its rules, by a state that came back, and as a draw because it is too long."""
TIME, ILLEGAL, FAILURE, RESIGNED = "time", "illegal", "failure", "resigned"
"""How a player loses it: he was late, answered what is no move, is gone or refuses, or gave up."""
LOSSES = (TIME, ILLEGAL, FAILURE, RESIGNED)
LONGEST = 1000
"""Moves after which a game is a draw."""
TURNS = 3
"""How many turns running a player must see himself far behind before he resigns."""


@dataclass(slots=True)
class Course:
    """How a game went: all moves in `position`, the seconds each seat took, why it ended, who lost by his own doing."""

    position: Position
    ending: str = ""
    reason: str = ""
    loser: int | None = None
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def score(self) -> float:
        """What the game gives to seat 0: 1, 0.5 or 0."""
        if self.loser is not None:
            return float(self.loser)
        if self.ending == LENGTH:
            return 0.5
        first, second = self.position.utilities
        return 1.0 if first > second else 0.0 if first < second else 0.5


class Lost(Exception):
    """A player has lost by his own doing: how, and in which words."""

    def __init__(self, ending: str, reason: str) -> None:
        super().__init__(reason)
        self.ending, self.reason = ending, reason


def play_out(
    opening: Position, seats: Sequence[Player], seed: str = "", *, longest: int = LONGEST, margin: float = MARGIN
) -> Course:
    """A whole game, from where the opening ends. The seed says what chance brings and how players err."""
    course = Course(opening.copy())
    position, behind = course.position, [0, 0]
    seat = 0
    try:
        for seat, player in enumerate(seats):
            _blamed(player.begin, position.copy(), random.Random(f"{seed}/{seat}").getrandbits(32))
        while not position.is_terminal:
            if len(position.history) >= longest:
                course.ending, course.reason = LENGTH, f"{longest:,} moves were played"
                return course
            if position.is_chance:
                position.push(random_move(position, random.Random(f"{seed}/{len(position.history)}")))
                continue
            seat = position.to_move
            choice = _turn(seats[seat], position, course.seconds[seat], margin)
            behind[seat] = behind[seat] + 1 if _is_behind(seats[seat], choice) else 0
            if behind[seat] >= TURNS:
                raise Lost(RESIGNED, f"saw himself behind by {seats[seat].resign:g} or more for {TURNS} turns")
            position.push(choice.action)
    except Lost as loss:
        course.ending, course.reason, course.loser = loss.ending, loss.reason, seat
    else:
        course.ending = REPETITION if position.is_repeated else RULES
    return course


def _turn(player: Player, position: Position, clock: list[float], margin: float) -> Choice:
    """What a player plays, timed by our own clock."""
    began = time.monotonic()
    try:
        choice: Choice = _blamed(player.choose, position.copy())
    finally:
        spent = time.monotonic() - began
        clock.append(spent)
    if choice.action is None:
        raise Lost(RESIGNED, "gave up")
    if player.seconds is not None and spent > player.seconds + margin:
        raise Lost(TIME, f"took {spent:.2f} s for a move, and {player.seconds:g} s are allowed")
    return choice


def _is_behind(player: Player, choice: Choice) -> bool:
    return player.resign is not None and choice.value is not None and choice.value <= -player.resign


def _blamed(call: Any, *arguments: Any) -> Any:
    """What a player does; what he does wrong is his loss."""
    try:
        return call(*arguments)
    except OutOfTime as error:
        raise Lost(TIME, str(error)) from None
    except ProgramFailed as error:
        raise Lost(FAILURE, str(error)) from None
    except IllegalAction as error:
        raise Lost(ILLEGAL, str(error)) from None
