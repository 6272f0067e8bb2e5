"""`zermelo games`, which lists what is there, and `zermelo new`, which begins a game of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.common import Json, print_json
from zermelo.cli.show import games_table


def games(json: Json = False) -> None:
    """List the games: players, chance, what is known of them, and what can be set.

    What can be set follows the name: nim:stones=30,most=4.

    Examples:

      zermelo games

      zermelo games --json
    """
    from zermelo.registry import describe, names

    found = [describe(name) for name in names()]
    if json:
        print_json([game._asdict() for game in found])
        return
    from rich.console import Console

    Console().print(games_table(found))


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game's name.")],
    folder: Annotated[Path, typer.Option("--folder", help="Where to write it.")] = Path(),
    json: Json = False,
) -> None:
    """Write a new game file with its test, ready to run and to edit.

    It is a small game with all six methods: change them into yours, and let zermelo check tell what is missing.

    Example:

      zermelo new mygame
    """
    from zermelo.cli.scaffold import write_new

    paths = write_new(name, folder)
    if json:
        print_json({"files": [str(path) for path in paths]})
        return
    game, test = paths
    typer.echo(f"wrote {game} and {test}; try")
    for command in (f"zermelo check {game}", f"zermelo play {game}", f"python {test}"):
        typer.echo(f"  {command}")
