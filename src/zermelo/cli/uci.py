"""`zermelo uci`: an engine for programs that speak UCI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import typer

from zermelo.cli.common import load_game

UciGame = Annotated[
    str, typer.Argument(metavar="GAME", help="The game; moves of others than chess are as they write them.")
]


def uci(game: UciGame = "chess") -> None:
    """Be a chess engine for other programs: speak UCI on the input and the output, until quit or the end of the input.

    Nothing is compiled before isready, which takes a while the first time.

    Examples:

      zermelo uci

      echo uci | zermelo uci
    """
    from zermelo.protocols.uci import Server

    Server(load_game(game), write).run(lines())


def write(line: str) -> None:
    """Send a line; nobody may be there to read it any more."""
    with suppress(OSError, ValueError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def lines() -> Iterator[str]:
    """The lines that come, whatever their bytes."""
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")
