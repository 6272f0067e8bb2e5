"""`zermelo lab`: a lecture's claims as experiments."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.common import Json, Seed, print_json, progress
from zermelo.cli.show import number
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.lab.report import Experiment, Report

MOST_GAMES = 100_000

lab = typer.Typer()


@lab.callback(invoke_without_command=True)
def experiments(context: typer.Context, json: Json = False) -> None:
    """Run a lecture's claims as experiments, with figures; without a name, list them."""
    context.obj = json
    if context.invoked_subcommand is None:
        from zermelo.lab.pacman import PACMAN

        if json:
            print_json([{"name": each.name, "about": each.about} for each in (PACMAN,)])
            return
        for experiment in (PACMAN,):
            typer.echo(f"{experiment.name}  {experiment.about}")


@lab.command()
def pacman(
    context: typer.Context,
    games: Annotated[int, typer.Option("--games", help="How many games are played for each row.")] = 100,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Pac-Man: why he starves, what depth is worth, ghosts that trap him together, minimax against expectimax.

    The same seed gives the same tables. Ctrl-C ends it with the tables that are done.

    Example:

      zermelo lab pacman --games 20 --seed 1
    """
    from zermelo.lab.pacman import PACMAN

    _run(PACMAN, games, seed, json or context.obj)


def _run(experiment: Experiment, games: int, seed: int, json: bool) -> None:
    """Print each report as it is done; with `json` all at the end, also if that comes early."""
    if not 1 <= games <= MOST_GAMES:
        raise BadInput(f"--games is a number from 1 to {MOST_GAMES:,}, not {games}")
    done: list[Report] = []
    try:
        with progress("playing …") as status:

            def tell(what: str) -> None:
                if status is not None:
                    status.update(f"{what} …")

            for report in experiment.run(games, seed, tell):
                done.append(report)
                if not json:
                    _show(report, last=len(done))
    finally:
        if json:
            print_json([asdict(report) for report in done])


def _show(report: Report, last: int) -> None:
    """A report as text: its name, the claim, the table, what was found."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for place, head in enumerate(report.heads):
        table.add_column(head, justify="left" if place == 0 else "right", no_wrap=True)
    for row in report.rows:
        table.add_row(*(cell if isinstance(cell, str) else number(cell) for cell in row))
    console = Console()
    console.print(f"{last}. {report.name}", style="bold", highlight=False, soft_wrap=True)
    console.print(f"Claim: {report.claim}", highlight=False, soft_wrap=True)
    console.print(table, soft_wrap=not console.is_terminal)
    verdict = "It holds here" if report.holds else "It does not hold here"
    console.print(f"{verdict}: {report.finding}.\n", highlight=False, soft_wrap=True)
