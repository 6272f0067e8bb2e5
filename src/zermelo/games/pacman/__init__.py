"""Pac-Man: one who eats in a maze, and ghosts who hunt him, as a team, by chance, or by a plan of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Facts, Game, listed
from zermelo.maze import KEYS, STAY, STEPS, load_maze
from zermelo.tuples import put

SIGNS = {"P": "Pac-Man", "G": "ghost", ".": "food", "o": "capsule"}
GHOSTS_PLAY = ("minimax", "random", "chasing")
EVALUATIONS = ("better", "score")
NOWHERE = 4
"""The direction of somebody who has not moved yet."""
FOOD, WIN, LOSS, GHOST = 10, 500, -500, 200
"""The points; each step costs one."""
SCARE = 40
"""For how many of its turns a capsule scares a ghost."""
CHASE = 0.8
"""How surely a chasing ghost takes the way that is best."""
NEAR = 4
"""From how many steps on a ghost is no danger to the evaluation."""
DREAD, DRAW, PILL = 5.0, 50.0, 15.0
"""What the evaluation takes off for each step that a ghost is nearer, gives for near prey, takes off for a capsule."""
LOOKS = "ᗢᗧᗧᗤᗧ"
"""Pac-Man facing north, east, south and west, and before the first step."""
HUES = ("red", "magenta", "cyan", "green")
"""The ghosts' colours."""


class Pacman(Game):
    """Eat all the food in a maze full of ghosts; every step costs a point.

    Pac-Man steps, then each ghost in turn. Food is worth 10, the last of it 500 more, a scared ghost 200; being eaten
    costs 500. The game also ends after `steps` steps of Pac-Man. Ghosts never stop, and turn back only in dead ends. A
    capsule scares them for 40 of their turns: then they may turn back, stay where they are every other turn, and when
    eaten go home. `ghosts_play` says who moves them: they themselves as a team (minimax), or chance, with all ways
    alike (random) or mostly the one towards Pac-Man, away from him when scared (chasing).
    """

    utility_sum = None
    known = "the ghosts catch him in tiny and trap whatever he does, if they play together"
    keys: ClassVar[Mapping[str, str]] = KEYS

    class State(NamedTuple):
        """`cells`, `facing` and `scared` (turns left) hold one number for Pac-Man, then one for each ghost."""

        food: tuple[Bits, ...]
        capsules: tuple[Bits, ...]
        cells: tuple[int, ...]
        facing: tuple[int, ...]
        scared: tuple[int, ...]
        score: int
        step: int
        turn: int
        eaten: bool

    def __init__(
        self,
        layout: str = "small",
        ghosts: int | None = None,
        ghosts_play: str = "chasing",
        evaluation: str = "better",
        steps: int = 300,
        stop: bool = False,
    ) -> None:
        maze = load_maze(layout, Path(__file__).parent / "layouts", "P", SIGNS)
        homes = maze.marks["G"][:ghosts]
        for name, given, choices in (
            ("ghosts_play", ghosts_play, GHOSTS_PLAY),
            ("evaluation", evaluation, EVALUATIONS),
        ):
            if given not in choices:
                raise BadInput(f"Pacman needs {name} to be one of {', '.join(choices)}, not {given!r}")
        if ghosts is not None and not 0 <= ghosts == len(homes):
            raise BadInput(f"the layout {layout} has {len(maze.marks['G'])} ghosts: ghosts can't be {ghosts}")
        if not maze.marks["."]:
            raise BadInput(f"the layout {layout} has no food: put a . into it")
        if not 1 <= steps <= 10_000:
            raise BadInput(f"Pacman needs steps from 1 to 10,000, not {steps}")
        self.maze, self.ways, self.distances, self.longest = maze, maze.steps, maze.distances, maze.longest
        self.words = (len(maze.places) + 63) // 64
        self.food, self.capsules = self._sets(maze.marks["."]), self._sets(maze.marks["o"])
        self.homes = maze.marks["P"] + homes
        self.movers = len(self.homes)
        self.team_plays, self.chases = ghosts_play == "minimax", ghosts_play == "chasing"
        self.better, self.steps, self.may_stop = evaluation == "better", steps, stop
        self.players = self.movers if self.team_plays else 1
        self.player_names = ("Pac-Man", *(f"ghost {number}" for number in range(1, self.players)))
        self.utility_sum = 0 if self.players > 1 else None
        self.meals, self.pills = len(maze.marks["."]), len(maze.marks["o"])
        most = WIN + (FOOD - 1) * self.meals + GHOST * len(homes) * self.pills
        self.worst, self.most = LOSS - steps, most
        self.utility_bounds = (
            (self.worst, most) if self.players == 1 else (-max(most, -self.worst), max(most, -self.worst))
        )

    def _sets(self, cells: tuple[int, ...]) -> tuple[Bits, ...]:
        return tuple(Bits(sum(1 << cell % 64 for cell in cells if cell // 64 == word)) for word in range(self.words))

    @property
    def facts(self) -> Facts:
        return super().facts._replace(chance=not self.team_plays and self.movers > 1)

    def team(self, player: int) -> int:
        return min(player, 1)

    def initial(self) -> State:
        still = (NOWHERE,) * self.movers
        return self.State(self.food, self.capsules, self.homes, still, (0,) * self.movers, 0, 0, 0, False)

    def to_move(self, state: State) -> int:
        return state.turn if state.turn == 0 or self.team_plays else CHANCE

    def is_terminal(self, state: State) -> bool:
        return state.eaten or (state.step >= self.steps and state.turn == 0) or not self.has_food(state)

    def utility(self, state: State, player: int) -> float:
        return state.score if player == 0 else -state.score

    def has_food(self, state: State) -> bool:
        """Whether anything is left to eat."""
        return any(word for word in state.food)

    def actions(self, state: State) -> Iterator[int]:
        """The open ways; a ghost that is not scared turns back only where there is no other."""
        mover = state.turn
        cell, back = state.cells[mover], (state.facing[mover] + 2) % 4
        waits = state.scared[mover] % 2 == 1
        free = mover == 0 or state.scared[mover] > 0 or state.facing[mover] == NOWHERE
        dead_end = True
        for way in range(4):
            dead_end = dead_end and (way == back or self.ways[cell][way] < 0)
        for way in range(4):
            if self.ways[cell][way] >= 0 and not waits and (free or dead_end or way != back):
                yield way
        if waits or (mover == 0 and self.may_stop):
            yield STAY

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        """What chance moves a ghost to: all ways share what is not the chase, the best ways what is."""
        count, best, ties = 0, 0, 0
        for way in self.actions(state):
            worth = self.lure(state, way)
            if count == 0 or worth > best:
                best, ties = worth, 0
            count += 1
            ties += worth == best
        for way in self.actions(state):
            chased = CHASE / ties if self.lure(state, way) == best else 0.0
            yield way, (chased + (1 - CHASE) / count if self.chases else 1 / count)

    def lure(self, state: State, way: int) -> int:
        """How much a way draws the ghost to move: the nearer to Pac-Man, or if scared the farther, the more."""
        cell = state.cells[state.turn]
        after = self.distances[cell if way == STAY else self.ways[cell][way]][state.cells[0]]
        return after if state.scared[state.turn] > 0 else -after

    def result(self, state: State, action: int) -> State:
        mover = state.turn
        cell = state.cells[mover]
        if action != STAY:
            cell = self.ways[cell][action]
            state = state._replace(cells=put(state.cells, mover, cell), facing=put(state.facing, mover, action))
        after = (mover + 1) % self.movers
        if mover == 0:
            return self.met(self.fed(state._replace(score=state.score - 1, step=state.step + 1, turn=after), cell), 0)
        calmer = put(state.scared, mover, max(state.scared[mover] - 1, 0))
        return self.met(state._replace(scared=calmer, turn=after), mover)

    def fed(self, state: State, cell: int) -> State:
        """The state when Pac-Man has eaten what lies in a cell."""
        word, place = cell // 64, cell % 64
        if place in state.food[word]:
            state = state._replace(food=put(state.food, word, state.food[word] & ~bit(place)), score=state.score + FOOD)
            if not self.has_food(state):
                state = state._replace(score=state.score + WIN, turn=0)
        if place in state.capsules[word]:
            scared = state.scared
            for ghost in range(1, self.movers):
                scared = put(scared, ghost, SCARE)
            state = state._replace(
                capsules=put(state.capsules, word, state.capsules[word] & ~bit(place)), scared=scared
            )
        return state

    def met(self, state: State, mover: int) -> State:
        """The state when Pac-Man and a ghost in his cell have met: any ghost if he moved, else the one that did."""
        for ghost in range(1, self.movers):
            together = state.cells[ghost] == state.cells[0] and mover in (0, ghost)
            if together and not state.eaten and self.has_food(state):
                if state.scared[ghost] > 0:
                    state = state._replace(
                        cells=put(state.cells, ghost, self.homes[ghost]),
                        facing=put(state.facing, ghost, NOWHERE),
                        scared=put(state.scared, ghost, 0),
                        score=state.score + GHOST,
                    )
                else:
                    state = state._replace(eaten=True, score=state.score + LOSS, turn=0)
        return state

    def evaluate(self, state: State, player: int) -> float:
        """The score; the better evaluation adds what is near: food, danger, prey, capsules.

        What it adds for the way to the nearest food is less than what eating it brings: so he always eats.
        """
        value = float(state.score)
        if self.better:
            value -= (FOOD - 1) * self.to_food(state) / self.longest
            for ghost in range(1, self.movers):
                away = self.distances[state.cells[ghost]][state.cells[0]]
                if state.scared[ghost] > 2 * away:
                    value += DRAW / (1 + away)
                elif away < NEAR:
                    value -= DREAD * (NEAR - away)
            for word in state.capsules:
                value -= PILL * word.count()
            value = min(max(value, self.worst + 1.0), self.most - 1.0)
        return value if player == 0 else -value

    def to_food(self, state: State) -> int:
        """How many steps it is from Pac-Man to the nearest food."""
        least = self.longest
        for word in range(self.words):
            for place in state.food[word]:
                least = min(least, self.distances[state.cells[0]][64 * word + place])
        return least

    # Text and pictures.

    def format_action(self, state: State, action: int) -> str:
        return STEPS[action]

    def parse_state(self, text: str) -> State:
        state: Pacman.State = super().parse_state(text)
        if problem := self._why_no_state(state) or self._why_no_meeting(state) or self._why_no_score(state):
            raise BadInput(f"{text!r} is no position of this maze: {problem}")
        return state

    def _why_no_state(self, state: State) -> str:
        """Which field is not as it is in this maze; empty if all are."""
        each = (state.cells, state.facing, state.scared)
        if {len(part) for part in each} != {self.movers} or {len(state.food), len(state.capsules)} != {self.words}:
            return f"cells, facing and scared have length {self.movers}, food and capsules {self.words}"
        ranges = {
            "cells": (each[0], len(self.maze.places) - 1),
            "facing": (each[1], NOWHERE),
            "scared": (each[2], SCARE),
            "turn": ((state.turn,), self.movers - 1),
            "step": ((state.step,), self.steps),
        }
        for name, (values, highest) in ranges.items():
            if not all(0 <= value <= highest for value in values):
                return f"{name} goes from 0 to {highest}"
        laid = zip(state.food + state.capsules, self.food + self.capsules, strict=True)
        return "food and capsules lie only where the layout has them" if any(now & ~all_ for now, all_ in laid) else ""

    def _why_no_meeting(self, state: State) -> str:
        """What can't be of who is where; empty if all can. A ghost eaten at home stays in his cell until one steps."""
        met = [ghost for ghost in range(1, self.movers) if state.cells[ghost] == state.cells[0]]
        back = [
            ghost
            for ghost in met
            if (state.cells[ghost], state.facing[ghost], state.scared[ghost]) == (self.homes[ghost], NOWHERE, 0)
        ]
        hungry = self.has_food(state)
        if state.scared[0]:
            return "scared begins with 0, for Pac-Man"
        if state.eaten and not (hungry and any(state.scared[ghost] == 0 for ghost in met)):
            return "he is eaten by a ghost in his cell that is not scared, while there is food"
        if hungry and not state.eaten and met != back:
            return "a ghost is in his cell, and neither he is eaten nor the ghost, which would be at home"
        return "turn is 0 at the end" if state.turn and (state.eaten or not hungry) else ""

    def _why_no_score(self, state: State) -> str:
        """What can't be of the step and the score; empty if both can. Each capsule lets a ghost be eaten once."""
        meals, pills = self.meals - self.count(state.food), self.pills - self.count(state.capsules)
        prey = (self.movers - 1) * pills - sum(turns > 0 for turns in state.scared)
        if prey < 0:
            return "no ghost is scared before a capsule is eaten"
        if state.step < max(meals + pills, min(state.turn, 1)):
            return f"step is too low for {meals} food and {pills} capsules eaten, and turn={state.turn}"
        least = FOOD * meals + WIN * (not self.has_food(state)) + LOSS * state.eaten - state.step
        scores = [least + GHOST * eaten for eaten in range(prey + 1)]
        return (
            "" if state.score in scores else f"the score is {listed([str(score) for score in scores])} by what is eaten"
        )

    def count(self, words: tuple[Bits, ...]) -> int:
        """How many cells are in a set."""
        return sum(word.count() for word in words)

    def board(self, state: State) -> Grid:
        caption = f"score {state.score}   step {state.step} of {self.steps}   food {self.count(state.food)}"
        if max(state.scared):
            caption += f"   scared for {max(state.scared)}"
        return self.maze.draw(self.things(state), caption)

    def things(self, state: State) -> Iterator[tuple[int, str, str]]:
        """What is to be seen: the cell, the sign and the colour of each."""
        for word in range(self.words):
            for place in state.food[word]:
                yield 64 * word + place, "·", ""
            for place in state.capsules[word]:
                yield 64 * word + place, "◉", "white"
        yield state.cells[0], LOOKS[state.facing[0]], "yellow"
        for ghost in range(1, self.movers):
            sign, colour = ("ϖ", "blue") if state.scared[ghost] else ("ᗣ", HUES[(ghost - 1) % len(HUES)])
            yield state.cells[ghost], sign, colour
        if state.eaten:
            yield state.cells[0], "✗", "red"
