"""Maze pursuit: who wins by a naive fixpoint, the rules, both worlds, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo import Position
from zermelo.draw.text import lines
from zermelo.errors import BadInput
from zermelo.games.pursuit import Pursuit
from zermelo.maze import STAY
from zermelo.solver.exact import solve

MAZES = sorted((Path(__file__).parent.parent / "src/zermelo/games/pursuit/mazes").glob("*.txt"))
ESCAPES = {("fork", False), ("fork", True), ("dead-end", False), ("dead-end", True), ("zugzwang", False)}
"""The mazes where the runner gets out, without and with standing still."""


def escapes(path: Path, stay: bool) -> bool:
    """Whether the runner can force his way out, however long it takes, by sets of positions that grow until done."""
    rows = path.read_text().splitlines()
    grid = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "#"}
    near = {
        (row, column): [
            place
            for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if place in grid
        ]
        + [(row, column)] * stay
        for row, column in grid
    }
    out = {place for place, sign in grid.items() if sign == "E"}
    start = tuple(next(place for place, sign in grid.items() if sign == who) for who in "RH")
    places = [(runner, hunter) for runner in grid for hunter in grid if runner != hunter and runner not in out]
    to_run: set[object] = set()
    to_hunt: set[object] = set()
    while True:
        more_run = {
            (runner, hunter)
            for runner, hunter in places
            if any(step != hunter and (step in out or (step, hunter) in to_hunt) for step in near[runner])
        }
        more_hunt = {
            (runner, hunter)
            for runner, hunter in places
            if all(step != runner and (runner, step) in more_run for step in near[hunter])
        }
        if (more_run, more_hunt) == (to_run, to_hunt):
            return start in to_run
        to_run, to_hunt = more_run, more_hunt


@pytest.mark.parametrize("stay", [False, True])
@pytest.mark.parametrize("path", MAZES, ids=lambda path: path.stem)
def test_who_wins_each_maze(path: Path, stay: bool) -> None:
    assert escapes(path, stay) == ((path.stem, stay) in ESCAPES)


@pytest.mark.parametrize("maze", ["fork", "dead-end", "gate"])
def test_the_solver_says_the_same(maze: str) -> None:
    found = solve(Position(Pursuit(maze, limit=24)), world="interpreted")
    assert found.value == (1 if (maze, False) in ESCAPES else -1)


def test_the_ends() -> None:
    game = Pursuit("fork", limit=4, stay=True)
    state = game.initial()
    assert STAY in game.legal(state)
    for _ in range(4):
        assert not game.is_terminal(state)
        state = game.result(state, STAY)
    assert game.is_terminal(state)
    assert game.utilities(state) == (-1, 1), "blocked"
    out = game.to_exit.index(0)
    assert game.utilities(state._replace(runner=out)) == (1, -1)
    assert game.utilities(state._replace(runner=out, hunter=out)) == (-1, 1), "caught on the exit"
    assert STAY not in Pursuit("fork").legal(Pursuit("fork").initial())


def test_estimates_lie_inside_the_bounds_and_text_goes_both_ways() -> None:
    game = Pursuit("zugzwang")
    for runner in range(len(game.maze.places)):
        for hunter in range(len(game.maze.places)):
            state = game.State(runner, hunter, 0)
            assert -1 < game.evaluate(state, 0) == -game.evaluate(state, 1) < 1
    assert game.parse_state(game.format_state(state)) == state
    with pytest.raises(BadInput, match="cells go from 0 to 26"):
        game.parse_state("runner=99 hunter=0 step=0")


def test_the_board() -> None:
    game = Pursuit("gate")
    assert lines(game.board(game.initial())) == [
        "╭───────────────────╮",
        "│ ☺                 │",
        "│   ╭───╮   ╭───╮   │",
        "│   ╰───╯   ╰───┤ ☠ │",
        "│               │ ⌂ │",
        "╰───────────────┴───╯",
        "step 0 of 60",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#####\n#R E#\n#####", "has 0 times hunter: put one H into it"),
        ("#####\n#RHH#\n#####", "has 2 times hunter: put one H into it"),
        ("#####\n#R H#\n#####", "has no exit: put an E into it"),
        ("#####\n#  H#\n#####", "has no runner: put one R into it"),
    ],
)
def test_bad_mazes(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "my.txt").write_text(text)
    with pytest.raises(BadInput) as told:
        Pursuit(str(tmp_path / "my.txt"))
    assert sentence in str(told.value)


def test_bad_limit() -> None:
    with pytest.raises(BadInput, match="limit from 1 to 10,000, not 0"):
        Pursuit(limit=0)
