"""`zermelo bench openings`: where matches can begin, and nobody is ahead."""

from __future__ import annotations

import shlex
import sys
from itertools import islice
from math import isfinite
from typing import Annotated

import typer

from zermelo.cli.common import GameArgument, Json, Seed, print_json, progress, say, tell
from zermelo.errors import BadInput

MOST = 10_000


def openings(
    game: GameArgument,
    within: Annotated[float, typer.Option("--within", help="How far from 0 the value may be.")],
    count: Annotated[int, typer.Option("--count", help="How many.")] = 20,
    plies: Annotated[int, typer.Option("--plies", help="After so many random moves.")] = 4,
    nodes: Annotated[int, typer.Option("--nodes", help="How many nodes a search has to find the value.")] = 1_000_000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find openings after which nobody is ahead by much, for `bench match --openings FILE`.

    Random moves are played, and kept if a search from there values the position within that of 0; no two of the
    positions are alike. Each is told as soon as it is found, with its value to the player to move. The same seed gives
    the same openings.

    Example:

      zermelo bench openings kalah --within 1 --nodes 20000000 > kalah.txt
    """
    from zermelo.arena.openings import MOST_PLIES, level_openings, load_for_match

    for name, number, most in (("--count", count, MOST), ("--plies", plies, MOST_PLIES), ("--nodes", nodes, 10**12)):
        if not 1 <= number <= most:
            raise BadInput(f"{name} is a number from 1 to {most:,}, not {number}")
    if not (isfinite(within) and within >= 0):
        raise BadInput(f"--within must be 0 or more, not {within:g}")
    found = level_openings(load_for_match(game), plies, within=within, nodes=nodes, seed=seed)
    with progress("searching …") as status:
        if not json:
            say(f"# zermelo {shlex.join(sys.argv[1:])}")
        for number, (position, value) in enumerate(islice(found, count), 1):
            tell(status, f"{number} of {count} openings …")
            if json:
                print_json({"moves": position.texts, "value": value})
            else:
                say(f"{' '.join(position.texts)}  # {f'{value:+.4g}' if value else 0}")
