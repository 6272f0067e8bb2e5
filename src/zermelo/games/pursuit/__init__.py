"""Maze pursuit: the path-finding of one agent, with another who wants to stop him."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple

from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.maze import KEYS, STAY, STEPS, load_maze

SIGNS = {"R": "runner", "H": "hunter", "E": "exit"}


class Pursuit(Game):
    """Reach an exit of the maze, or as the hunter, catch the runner or block his way.

    The runner steps first, then they step in turn, each to a neighbouring cell; with `stay` one may also stand still.
    A runner who meets the hunter is caught, on an exit too; one who is not out after `limit` steps of both is blocked.
    """

    player_names = ("runner", "hunter")
    utility_bounds = (-1, 1)
    known = "fork: the runner escapes; gate: he doesn't; zugzwang: he does because nobody may stand still"
    keys: ClassVar[Mapping[str, str]] = KEYS

    class State(NamedTuple):
        runner: int
        hunter: int
        step: int

    def __init__(self, maze: str = "fork", limit: int = 60, stay: bool = False) -> None:
        found = load_maze(maze, Path(__file__).parent / "mazes", "R", SIGNS)
        if len(found.marks["H"]) != 1:
            raise BadInput(f"the layout {maze} has {len(found.marks['H'])} times hunter: put one H into it")
        if not found.marks["E"]:
            raise BadInput(f"the layout {maze} has no exit: put an E into it")
        if not 1 <= limit <= 10_000:
            raise BadInput(f"Pursuit needs a limit from 1 to 10,000, not {limit}")
        self.maze, self.ways, self.distances, self.longest = found, found.steps, found.distances, found.longest
        self.start = self.State(found.marks["R"][0], found.marks["H"][0], 0)
        self.to_exit = tuple(
            min(found.distances[cell][out] for out in found.marks["E"]) for cell in range(len(found.places))
        )
        self.limit, self.stay = limit, stay

    def initial(self) -> State:
        return self.start

    def to_move(self, state: State) -> int:
        return state.step % 2

    def actions(self, state: State) -> Iterator[int]:
        cell = state.runner if state.step % 2 == 0 else state.hunter
        for way in range(4):
            if self.ways[cell][way] >= 0:
                yield way
        if self.stay:
            yield STAY

    def result(self, state: State, action: int) -> State:
        if state.step % 2 == 0:
            return self.State(self.moved(state.runner, action), state.hunter, state.step + 1)
        return self.State(state.runner, self.moved(state.hunter, action), state.step + 1)

    def moved(self, cell: int, action: int) -> int:
        """The cell that an action leads to."""
        return cell if action == STAY else self.ways[cell][action]

    def is_terminal(self, state: State) -> bool:
        return state.runner == state.hunter or self.to_exit[state.runner] == 0 or state.step >= self.limit

    def utility(self, state: State, player: int) -> float:
        out = self.to_exit[state.runner] == 0 and state.runner != state.hunter
        return 1 if out == (player == 0) else -1

    def evaluate(self, state: State, player: int) -> float:
        """By how much the runner is nearer to an exit than the hunter, and how far the hunter is from him."""
        lead = self.to_exit[state.hunter] - self.to_exit[state.runner]
        worth = (2 * lead + self.distances[state.runner][state.hunter]) / (4 * self.longest + 1)
        return worth if player == 0 else -worth

    # Text and pictures.

    def format_action(self, state: State, action: int) -> str:
        return STEPS[action]

    def parse_state(self, text: str) -> State:
        state: Pursuit.State = super().parse_state(text)
        last = len(self.maze.places) - 1
        if not (0 <= state.runner <= last and 0 <= state.hunter <= last and 0 <= state.step <= self.limit):
            raise BadInput(f"{text!r} is not in this maze: cells go from 0 to {last}, step from 0 to {self.limit}")
        return state

    def board(self, state: State) -> Grid:
        exits = [(cell, "⌂", "green") for cell, far in enumerate(self.to_exit) if far == 0]
        people = [(state.runner, "☺", "yellow"), (state.hunter, "☠", "red")]
        return self.maze.draw(exits + people, f"step {state.step} of {self.limit}")
