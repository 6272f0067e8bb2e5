"""`zermelo bench epd` and `zermelo bench counts`: chess positions with known answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from zermelo.cli.common import Json, Switches, print_json, progress, say, tell
from zermelo.cli.show import number

File = Annotated[str, typer.Argument(metavar="FILE", help="A file of EPD, one position a line.")]


def epd(
    file: File,
    seconds: Annotated[float | None, typer.Option(help="Think about each position for so long.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Look at so many positions for each.")] = None,
    depth: Annotated[int | None, typer.Option(help="Look so many plies ahead.")] = None,
    mate: Annotated[int | None, typer.Option(help="Right is a forced mate in so many moves at most.")] = None,
    settings: Switches = None,
    json: Json = False,
) -> None:
    """Find the best moves of chess positions from a file (bm, am), or a forced mate where none are given.

    Each position is thought about afresh, for a second if nothing else is said.

    Examples:

      zermelo bench epd tests/data/chess/wac_odd.epd --seconds 1

      zermelo bench epd tests/data/chess/mate3.fen --mate 3
    """
    from zermelo.bench.epd import solve_each
    from zermelo.engine.options import Options

    if seconds is None and nodes is None and depth is None and mate is None:
        seconds = 1.0
    how = {"seconds": seconds, "nodes": nodes, "depth": depth, "mate": mate}
    solved = total = searched = 0
    spent = 0.0
    with progress("compiling …") as status:
        for tried in solve_each(file, options=Options.parse(settings or ()), **how):  # type: ignore[arg-type]
            total, solved = total + 1, solved + tried.solved
            searched, spent = searched + tried.nodes, spent + tried.seconds
            tell(status, f"{solved} of {total} solved …")
            if json:
                print_json(asdict(tried))
            elif not tried.solved:
                wanted = " or ".join(tried.wanted) or (f"a mate in {mate}" if mate else "a mate")
                say(f"{tried.name}: {tried.played} at depth {tried.depth}, not {wanted}")
    if not json:
        typer.echo(f"{solved} of {total} solved, {number(round(searched / max(spent, 1e-9)))} nodes/s")


def counts(
    file: File,
    most: Annotated[int | None, typer.Option(help="Leave out counts of more leaves.")] = None,
    json: Json = False,
) -> None:
    """Count leaves from chess positions, and compare with the counts that a file gives (;D1 20 ;D2 400).

    All of them must be right; the exit code is 1 if one is not.

    Example:

      zermelo bench counts tests/data/chess/perft.epd --most 1000000
    """
    from zermelo.bench.epd import count_each

    right = total = leaves = 0
    spent = 0.0
    with progress("compiling …") as status:
        for counted in count_each(file, most):
            total, right = total + 1, right + counted.right
            leaves, spent = leaves + counted.leaves, spent + counted.seconds
            tell(status, f"{total} counts …")
            if json:
                print_json({**asdict(counted), "right": counted.right})
            elif not counted.right:
                what = f"{number(counted.leaves)} leaves at depth {counted.depth}, not {number(counted.published)}"
                say(f"{counted.position}: {what}")
    if not json:
        rate = number(round(leaves / max(spent, 1e-9)))
        typer.echo(f"{right} of {total} counts right, {number(leaves)} leaves, {rate} leaves/s")
    if right < total:
        raise typer.Exit(1)
