"""`zermelo gtp`: Go over the Go Text Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zermelo.cli.common import Nodes, Seed, Switches, Threads, load_game
from zermelo.errors import BadInput


def gtp(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Go, with parameters if wanted (go:size=13).")] = "go",
    seconds: Annotated[
        float, typer.Option("--seconds", help="Think so long about each move where no clock runs.")
    ] = 2.0,
    simulations: Nodes = None,
    resign: Annotated[
        float, typer.Option("--resign", help="Resign where the chance to win is below this, from 0 (never) to 0.5.")
    ] = 0.0,
    threads: Threads = 1,
    switches: Switches = None,
    seed: Seed = 0,
) -> None:
    """Speak the Go Text Protocol, version 2, on standard input and output: for board programs and matches.

    Nothing is compiled before the first move is asked for. Where the other program runs a clock, that is kept.

    Examples:

      zermelo gtp

      zermelo gtp go:size=13 --seconds 10 --threads 2

      gogui-twogtp -black "zermelo gtp" -white "gnugo --mode gtp" -size 9 -games 10
    """
    from zermelo.games.go import Go
    from zermelo.montecarlo.options import TreeOptions
    from zermelo.protocols.gtp import Server, serve

    played = load_game(game)
    if not isinstance(played, Go):
        raise BadInput(f"GTP is a protocol for Go, not for {played.title}: write zermelo gtp go")
    if not seconds > 0:
        raise BadInput(f"seconds must be more than 0, not {seconds:g}")
    if simulations is not None and simulations < 1:
        raise BadInput(f"simulations must be 1 or more, not {simulations}")
    if not 0 <= resign <= 0.5:
        raise BadInput(f"resign must be from 0 to 0.5, not {resign:g}")
    tree = TreeOptions.parse(switches or [], threads=threads, seed=seed)
    serve(Server(played, seconds=seconds, simulations=simulations, resign=resign, tree=tree), sys.stdin, sys.stdout)
