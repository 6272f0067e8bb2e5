"""`zermelo bench`: node counts that never change, speed as ratios, and other libraries side by side."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from zermelo.cli.common import Json, print_json, progress
from zermelo.cli.show import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from zermelo.bench.peers import Row

bench = typer.Typer()


@bench.callback(invoke_without_command=True)
def measure(context: typer.Context) -> None:
    """Measure: node counts, speed, and other libraries side by side."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@bench.command()
def signature(json: Json = False) -> None:
    """Count the nodes of fixed searches: the same number on every machine, unless a search has changed.

    Example:

      zermelo bench signature --json > tests/data/signature.json
    """
    from zermelo.bench.signature import signature as count

    with progress("counting …"):
        found = count()
    if json:
        print_json(asdict(found))
        return
    for part in found.parts:
        typer.echo(f"{part.nodes:>12,}  {part.name}")
    typer.echo(f"{found.signature:>12,}  signature")


@bench.command()
def speed(json: Json = False) -> None:
    """Measure native against hand-written and interpreted code, searches, playouts and start-up, in one run.

    Example:

      zermelo bench speed
    """
    from zermelo.bench.speed import speed as measure

    with progress("measuring …") as status:
        rows = measure(progress=lambda what: status.update(f"measuring {what} …") if status is not None else None)
    if json:
        print_json([asdict(row) for row in rows])
        return
    _show(
        ("what", "measured", "", "target", ""),
        [(row.name, _figure(row.measured), row.unit, row.target, _mark(row.met)) for row in rows],
    )


@bench.command()
def peers(json: Json = False) -> None:
    r"""Do the same work in OpenSpiel, easyAI and aima3 beside Zermelo, and compare; it installs nothing itself.

    Example:

      pip install "zermelo\[bench]" && zermelo bench peers
    """
    from zermelo.bench.peers import peers as compare

    with progress("comparing …") as status:
        rows = compare(progress=lambda what: status.update(f"comparing {what} …") if status is not None else None)
    if json:
        print_json([asdict(row) for row in rows])
        return
    _show(
        ("work", "peer", "peer's rate", "zermelo's", "ratio", "target", "", "nodes of both"),
        [_compared(row) for row in rows],
    )


def _compared(row: Row) -> Sequence[str]:
    """A comparison as a row of the table."""
    if row.peer_rate is None or row.zermelo_rate is None or row.ratio is None:
        return (row.work, row.peer, row.note)
    nodes = f"{row.peer_nodes:,} / {row.zermelo_nodes:,}" if row.peer_nodes and row.zermelo_nodes else ""
    rates = f"{_figure(row.peer_rate)} {row.unit}", _figure(row.zermelo_rate)
    return (row.work, f"{row.peer} {row.version}", *rates, f"×{_figure(row.ratio)}", row.target, _mark(row.met), nodes)


def _show(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table: Table = Table(*heads, box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*row)
    console = Console()
    console.print(table, soft_wrap=not console.is_terminal)


def _figure(value: float) -> str:
    """Three figures are enough for a measurement."""
    for size, name in ((1e9, " billion"), (1e6, " million")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return number(round(value)) if value >= 100 else f"{value:.3g}"


def _mark(met: bool | None) -> str:
    return "" if met is None else "met" if met else "missed"
