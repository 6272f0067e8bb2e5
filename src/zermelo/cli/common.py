"""What the verbs of the command line share: their arguments, the position they speak of, and their output."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.show import complain, number
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from zermelo.engine.book import BookLike
    from zermelo.game import Game
    from zermelo.position import Position
    from zermelo.recast import Policy

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A name, a name with parameters (nim:stones=30), or a file (mygame.py).")
]
Moves = Annotated[str, typer.Option("--moves", help="Moves already played, as the game writes them.")]
State = Annotated[str, typer.Option("--state", help="The position, as the game writes it, instead of the start.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all that is left to chance.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Stop after so many seconds.")]
Nodes = Annotated[
    int | None, typer.Option("--nodes", "--simulations", help="Stop after so many nodes, or simulations.")
]
World = Annotated[str, typer.Option("--world", help="Where the rules run: auto, interpreted or native.")]
Threads = Annotated[int, typer.Option("--threads", help="How many threads search, sharing one table.")]
TableSize = Annotated[float | None, typer.Option("--table", help="MiB of the table of states; 0 for none.")]
Switches = Annotated[
    list[str] | None, typer.Option("--set", metavar="SWITCH=VALUE", help="A switch of the engine: killers=no, beam=5.")
]
Book = Annotated[str, typer.Option("--book", help="An opening book for the game; see zermelo book --help.")]


_told: set[str] = set()
_signs: list[Any] = []
"""The sign that is shown now, if any."""
_hidden: set[Any] = set()
"""The sign too, once it has been taken away for good."""


def load_game(spec: str) -> Game:
    """The game that `spec` names; one from a file is tried out first, so that it can't hang or crash later."""
    from zermelo.registry import load

    return load(spec)


def load_position(spec: str, state: str = "", moves: str = "") -> Position:
    """The position that the options describe."""
    from zermelo.position import Position

    return Position.from_text(load_game(spec), state, moves)


def open_book(path: str, game: Game) -> BookLike | None:
    """The opening book at a path, if one is given; one that can't be used is told, and done without."""
    from zermelo.engine import polyglot

    try:
        return polyglot.open_book(path, game) if path else None
    except BadInput as error:
        complain(f"{error}; the search goes on without it")
        return None


def load_policy(name: str) -> Policy:
    """The policy of that name, or the function that FILE.py:function names."""
    from zermelo.recast import POLICIES
    from zermelo.registry import load_function

    if name not in POLICIES and ".py" not in name:
        raise BadInput(f"there is no policy {name!r}: use {', '.join(POLICIES)}, or FILE.py:function")
    return POLICIES.get(name) or load_function(name)


def errors_console() -> Console:
    """A console on the error stream, for progress."""
    from rich.console import Console

    return Console(stderr=True)


@contextlib.contextmanager
def progress(message: str) -> Iterator[Any]:
    """A moving sign on the error stream while something takes time; nothing where there is no terminal.

    A sign within another takes its place for that time: two at once would write over each other.
    """
    console = errors_console()
    if not console.is_terminal:
        yield None
        return
    if _signs:
        before = _signs[0].status
        _signs[0].update(message)
        try:
            yield _signs[0]
        finally:
            _signs[0].update(before)
        return
    with console.status(message, spinner="dots") as status:
        _signs.append(status)
        try:
            yield status
        finally:
            _signs.remove(status)
            _hidden.discard(status)


def tell(sign: Any, message: str) -> None:
    """Say on a moving sign how far something is, where there is one."""
    if sign is not None:
        sign.update(message)


@contextlib.contextmanager
def working(message: str) -> Iterator[Any]:
    """A sign while something takes time; if it is stopped, what it had found is told."""
    try:
        with progress(message) as status:
            yield status
    except KeyboardInterrupt as stop:
        if stop.args:
            complain(str(stop))
        raise


def hide_progress() -> None:
    """Take away the sign of work that nobody waits for any more, such as compiling for a search that was stopped."""
    for sign in _signs:
        sign.stop()
        _hidden.add(sign)


@contextlib.contextmanager
def compiling(game: Game) -> Iterator[None]:
    """Shown while a game is compiled, which happens once for each version of its rules."""
    message = f"compiling {game.title} (first time only)"
    if not errors_console().is_terminal and message not in _told:
        _told.add(message)
        sys.stderr.write(message + "\n")
    with progress(message):
        yield


def say(text: str) -> None:
    """A line of the answer; a sign that moves meanwhile makes room for it."""
    moving = [sign for sign in _signs if sign not in _hidden]
    for sign in moving:
        sign.stop()
    typer.echo(text)
    for sign in moving:
        sign.start()


def print_json(value: Any) -> None:
    """One JSON value on one line of the output; numbers that are whole are written as such."""
    say(json.dumps(_plain(value), ensure_ascii=False))


def rate(count: float, seconds: float) -> str:
    """How many a second, in words."""
    each = count / max(seconds, 1e-9)
    for size, name in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if each >= size:
            return f"{each / size:.1f} {name}/s"
    return f"{number(round(each))}/s"


def numbered_lines(path: str) -> list[tuple[int, str]]:
    """The lines of a text file that are not empty or comments, each with its number."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [(count, line.strip()) for count, line in enumerate(file, 1)]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}") from None
    return [(count, line) for count, line in lines if line and not line.startswith("#")]


def _plain(value: Any) -> Any:
    """A value with what JSON knows: whole floats as integers, infinities as null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return None
        return int(value) if value.is_integer() else value
    return value
