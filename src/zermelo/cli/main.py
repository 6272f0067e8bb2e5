"""The program `zermelo`: one verb each, one sentence for every error."""

from __future__ import annotations

import os
import sys
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from io import TextIOWrapper

import typer

from zermelo import __version__
from zermelo.cli.bench import bench
from zermelo.cli.best import best
from zermelo.cli.book import book
from zermelo.cli.check import check
from zermelo.cli.common import compiling, hide_progress
from zermelo.cli.evaluate import evaluate
from zermelo.cli.gtp import gtp
from zermelo.cli.lab import lab
from zermelo.cli.listing import games, new
from zermelo.cli.matrix import matrix
from zermelo.cli.perft import perft
from zermelo.cli.play import play
from zermelo.cli.playouts import playouts
from zermelo.cli.show import complain
from zermelo.cli.solve import solve
from zermelo.cli.tune import tune
from zermelo.cli.uci import uci
from zermelo.errors import NotNative, ZermeloError
from zermelo.native import worlds
from zermelo.registry import blame_for

STOPPED = 130
"""The exit code after Ctrl-C, as shells have it; typer also returns it, having caught the interrupt."""

NO_NUMBERS = {
    "Input should be a valid integer, unable to parse string as an integer": "not a whole number",
    "Input should be a valid number, unable to parse string as a number": "not a number",
}
"""Typer's words for a value that is no number, and ours."""

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def zermelo(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version."),
    verbose: bool = typer.Option(  # noqa: ARG001  (taken out of the arguments before, so that it may stand anywhere)
        False, "--verbose", help="Show the compiler's words where a game can't be native; may stand anywhere."
    ),
) -> None:
    """Search, solve and play any game whose rules are a small Python class."""
    if version:
        typer.echo(f"zermelo {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


_settings = {"verbose": False}

for verb in (games, play, best, solve, evaluate, perft, playouts, matrix, check, new, tune, uci, gtp):
    app.command()(verb)
app.add_typer(book, name="book")
app.add_typer(bench, name="bench")
app.add_typer(lab, name="lab")


def main() -> None:
    """Run the program; every error a user can cause ends with one sentence and exit code 2."""
    worlds.on_compile = compiling
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows few characters shows ? for the others
    arguments = [word for word in sys.argv[1:] if word != "--verbose"]
    _settings["verbose"] = len(arguments) < len(sys.argv) - 1
    try:
        code = app(arguments, standalone_mode=False)
        if code == STOPPED:
            hide_progress()
            complain("stopped")
    except ZermeloError as error:
        complain(str(error))
        if isinstance(error, NotNative) and _settings["verbose"] and error.detail:
            sys.stderr.write(error.detail + "\n")
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        hide_progress()
        complain("stopped")
        code = STOPPED
    except (BrokenPipeError, SystemExit):  # nobody reads on; typer, which sees it first, would exit with 1
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        sentence = _usage(error) or blame_for(error) or _unwritten(error)
        if not sentence:
            raise
        complain(sentence)
        code = 2
    sys.exit(code)


def _unwritten(error: Exception) -> str:
    """The sentence for an output that takes no more, such as a full disk; empty for any other error."""
    if not isinstance(error, OSError) or error.errno not in (ENOSPC, EDQUOT, EFBIG, EIO):
        return ""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return f"the output can't be written: {error.strerror or error}"


def _usage(error: Exception) -> str:
    """The sentence for wrong words on the command line; empty for any other error."""
    if not hasattr(error, "format_message"):
        return ""
    words = str(error.format_message()).strip().rstrip(".")
    for theirs, ours in NO_NUMBERS.items():
        words = words.replace(theirs, ours)
    context = getattr(error, "ctx", None)
    return f"{words[:1].lower()}{words[1:]}: see {context.command_path if context else 'zermelo'} --help"
