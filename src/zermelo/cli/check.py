"""`zermelo check`: is this game well made?"""

from __future__ import annotations

import typer

from zermelo.cli.common import GameArgument, Json, Seed


def check(game: GameArgument, json: Json = False, seed: Seed = 0) -> None:
    """Check a game."""
    raise typer.Exit(1)
