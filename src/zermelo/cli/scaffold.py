"""`zermelo new NAME`: a small complete game with its test, that pass as they stand and invite editing."""

from __future__ import annotations

import keyword
import sys
from contextlib import suppress
from pathlib import Path
from string import Template

from zermelo.errors import BadInput

SHADOWED = sys.stdlib_module_names | {"test", "zermelo", "numpy", "numba", "pytest", "rich", "typer"}
"""Modules that a game file of the same name would hide from Python."""

TAKEN = {"Game", "Position", "Piles", "NamedTuple", "Iterator"}
"""Names that the files use themselves."""


def write_new(name: str, folder: Path) -> list[Path]:
    """Write NAME.py and test_NAME.py into `folder`; both or nothing, and never over a file that is there."""
    module = module_name(name)
    words = {"module": module, "game": class_name(module)}
    files = {
        folder / f"{module}.py": Template(GAME).substitute(words),
        folder / f"test_{module}.py": Template(TEST).substitute(words),
    }
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}: make it first")
    for path in files:
        if path.exists():
            raise BadInput(f"{path} is there already: choose another name, or move it away")
    _write_all(files)
    return list(files)


def module_name(name: str) -> str:
    """The module that a game called `name` is kept in (`my-game` in `my_game`), or `BadInput`."""
    module = name.replace("-", "_")
    if not module.isidentifier() or not class_name(module).isidentifier():
        raise BadInput(f"{name!r} can't name a game: use letters, digits and _ or -, a letter first, as in my-game")
    if keyword.iskeyword(module) or keyword.iskeyword(class_name(module)):
        raise BadInput(f"{name!r} is a word of Python's own: choose another name, such as {name}-game")
    if module.lower() in {other.lower() for other in SHADOWED}:
        raise BadInput(f"{module}.py would hide the Python module {module.lower()}: choose another name")
    if class_name(module) in TAKEN:
        raise BadInput(f"a class {class_name(module)} would hide the one the file needs: choose another name")
    return module


def class_name(module: str) -> str:
    """The CamelCase of a module's name: `tic_tac_toe` has the class `TicTacToe`."""
    return "".join(word[:1].upper() + word[1:] for word in module.split("_"))


def _write_all(files: dict[Path, str]) -> None:
    """Write all files, or none; a file that appears meanwhile stays as it is."""
    written: list[Path] = []
    try:
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise BadInput(f"can't write {error.filename}: {error.strerror}") from error


GAME = '''\
"""$game: count up together; whoever says the goal wins.

A complete game to start from: change the rules below into your own, then try

    zermelo check $module.py              is it well made?
    zermelo best $module.py               the best first move
    zermelo play $module.py --terminal    play it
    python test_$module.py                do the facts you know of it still hold?
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game
from zermelo.board import Piles


class $game(Game):
    """Start at 1; each turn add one or double; whoever says the goal wins."""

    players = 2
    utility_bounds = (-1, 1)  # no end is worth less or more: lets a search stop at a sure win
    player_names = ("first", "second")

    # A state is all that matters for what comes next. Numbers, and tuples of numbers, run fastest.
    class State(NamedTuple):
        count: int
        turn: int

    # What can be set when the game is made, as in $game(goal=100).
    def __init__(self, goal: int = 40, start: int = 1) -> None:
        self.goal = goal
        self.start = start

    # The six rules every game needs.

    def initial(self) -> State:
        """The state before the first move."""
        return self.State(self.start, 0)

    def to_move(self, state: State) -> int:
        """Whose turn it is: player 0 or player 1."""
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        """The legal moves. Here a move is the number that is added."""
        yield 1
        if 1 < state.count <= self.goal - state.count:
            yield state.count  # doubling is adding the count to itself

    def result(self, state: State, action: int) -> State:
        """The state after a move: a new one, for a state never changes."""
        return self.State(state.count + action, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        return state.count >= self.goal

    def utility(self, state: State, player: int) -> float:
        """What the end is worth to a player: 1 to the one who said the goal, -1 to the other."""
        return 1 if state.turn != player else -1

    # All the rest is optional: delete it, or make it your own. There is more that a game can say
    # of itself: evaluate (a guess, for a search that has to stop early), outcomes (dice), symmetries.

    def format_action(self, state: State, action: int) -> str:
        """How a move is written and typed: no spaces, and different for each move of a state."""
        return "+1" if action == 1 else "double"

    def board(self, state: State) -> Piles:
        """What the state looks like. For squares and pieces use Grid from zermelo.board."""
        return Piles(("count", "to go"), (state.count, self.goal - state.count))
'''

TEST = '''\
"""What is known about $game. Run it with `pytest` or with `python test_$module.py`."""

from __future__ import annotations

from $module import $game
from zermelo import Position, best


def test_first_moves() -> None:
    position = Position.from_text($game(goal=40), moves="+1 double")
    assert position.state == (4, 0)
    assert [position.game.format_action(position.state, move) for move in position.moves] == ["+1", "double"]


def test_the_end() -> None:
    position = Position.from_text($game(goal=5), moves="+1 double +1")
    assert position.is_terminal
    assert position.utilities == (1, -1)  # the first player said 5


def test_who_wins() -> None:
    # From an odd number every move leads to an even one, and from an even number one can always go to
    # an odd one: so whoever has the even numbers keeps them, and says an odd goal.
    for goal in (3, 5, 7, 9, 21):
        assert best($game(goal)).value == -1


def test_best_move() -> None:
    # With the goal 8, from 3: 4 would be doubled to 8, but 6 leaves the other only 7.
    found = best($game(goal=8, start=3))
    assert found.action == 3
    assert found.value == 1


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
'''
