"""Who moves in Pac-Man's experiments: planners that search, ghosts of chance, greedy ghosts; and a game between them.

What a planner believes (its model) and what the others really do may differ: that is what the experiments are about.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf, nextafter
from typing import Any, NamedTuple, Protocol

from zermelo import native
from zermelo.games.pacman import Pacman
from zermelo.search.alphabeta import alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.tally import Tally


class Mover(Protocol):
    """Somebody who chooses an action for whoever is to move."""

    def choose(self, state: Pacman.State, luck: random.Random) -> int: ...


class Planner:
    """Looks `depth` moves of Pac-Man ahead, with all the ghosts' moves between, and takes any of the best actions.

    Pac-Man wants the value high, a ghost wants it low. The model says what the ghosts are taken for: a team that
    plays against him, which alpha-beta searches, or chance, which expectiminimax does.
    """

    def __init__(self, model: Pacman, depth: int, *, natively: bool = True) -> None:
        self.model, self.plies = model, depth * model.movers
        self._search: Any = expectiminimax if model.facts.chance else alphabeta
        self._tally: Any = Tally()
        if natively and native.is_enabled():
            self._tally = native.tally_record(self._tally)
            self._search = native.prepare(self._search, model, *self._given(model.initial(), -inf, inf))

    def choose(self, state: Pacman.State, luck: random.Random) -> int:
        return luck.choice(self.best(state)[0])

    def best(self, state: Pacman.State) -> tuple[list[int], float]:
        """All the best actions for the one to move, and their value to Pac-Man."""
        actions = list(self.model.actions(state))
        sign = 1 if state.turn == 0 else -1
        found: list[int] = []
        value = -inf
        for action in actions:
            worth = self._worth(self.model.result(state, action), sign, value) if len(actions) > 1 else 0.0
            if worth > value:
                found, value = [], worth
            if worth == value:
                found.append(action)
        return found, sign * value

    def _worth(self, state: Pacman.State, sign: int, bar: float) -> float:
        """What a state is worth to the one who moves there by `sign`; where it is below the bar, something below it."""
        window = (nextafter(bar, -inf), inf) if sign > 0 else (-inf, nextafter(-bar, inf))
        return sign * float(self._search(self.model, *self._given(state, *window)))

    def _given(self, state: Pacman.State, alpha: float, beta: float) -> tuple[Any, ...]:
        """What the search is called with after the game; expectiminimax has no window."""
        window = () if self.model.facts.chance else (alpha, beta)
        return state, 0, *window, self.plies - 1, self._tally


class Lucky:
    """A ghost that goes as chance has it in its game: at random, or chasing."""

    def __init__(self, game: Pacman) -> None:
        self.game = game

    def choose(self, state: Pacman.State, luck: random.Random) -> int:
        actions, chances = zip(*self.game.outcomes(state), strict=True)
        return int(luck.choices(actions, chances)[0])


class Greedy:
    """A ghost that looks after itself: always the nearest way to Pac-Man, whatever the others do."""

    def __init__(self, game: Pacman) -> None:
        self.game = game

    def choose(self, state: Pacman.State, luck: random.Random) -> int:
        lures = {way: self.game.lure(state, way) for way in self.game.actions(state)}
        return luck.choice([way for way, lure in lures.items() if lure == max(lures.values())])


class Course(NamedTuple):
    """How a game went: `returns` counts the steps back to a cell where he had been before."""

    score: int
    steps: int
    food: int
    won: bool
    eaten: bool
    returns: int


def play(game: Pacman, pacman: Mover, ghosts: Sequence[Mover], luck: random.Random) -> Course:
    """One game, to its end; the same luck gives the same game."""
    state, seen, returns = game.initial(), {game.homes[0]}, 0
    while not game.is_terminal(state):
        mover = pacman if state.turn == 0 else ghosts[state.turn - 1]
        stepped = state.turn == 0
        state = game.result(state, mover.choose(state, luck))
        if stepped:
            returns += state.cells[0] in seen
            seen.add(state.cells[0])
    left = sum(word.count() for word in state.food)
    return Course(state.score, state.step, game.meals - left, left == 0, state.eaten, returns)
