"""`zermelo bench`: node counts that never change, speed as ratios, and others side by side."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

import typer

from zermelo.cli.common import Json, print_json, progress, tell
from zermelo.cli.epd import counts, epd
from zermelo.cli.facts import facts
from zermelo.cli.match import match
from zermelo.cli.openings import openings
from zermelo.cli.show import complain, number
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from zermelo.bench.chance import Saving
    from zermelo.bench.devices import Pace
    from zermelo.bench.ordering import Count
    from zermelo.bench.rows import Comparison, Progress, Row

PEER_HEADS = ("peer", "its own", "zermelo's", "ratio", "target")
PEER_WIDTHS = (27, 7, 12, 7, 8)
"""Columns of one width in all tables of peers."""

bench = typer.Typer()
for verb in (match, openings, epd, counts, facts):
    bench.command()(verb)


@bench.callback(invoke_without_command=True)
def measure(context: typer.Context) -> None:
    """Measure: node counts, what techniques and threads are worth, speed, and others side by side."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@bench.command()
def signature(json: Json = False) -> None:
    """Count the nodes of fixed searches: the same number on every machine, unless a search has changed.

    The tests compare each count with the one in tests/data/signature.json.

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
def ordering(json: Json = False) -> None:
    """Count the nodes that each technique of the engine saves: the same searches with one switched at a time.

    ×2 says: twice the nodes of the engine as it is. Counts are the same on every machine.

    Example:

      zermelo bench ordering
    """
    from zermelo.bench.ordering import ordering as count

    with progress("counting …") as status:
        counts = count(progress=_teller(status, "counting"))
    if json:
        print_json([asdict(each) for each in counts])
        return
    for exact, group in groupby(counts, lambda each: each.exact):
        _show_counts("exact values" if exact else "to a depth, or until the value is sure", list(group))
    typer.echo("* with this switch a search sees other things, and found other values")


@bench.command()
def chance(json: Json = False) -> None:
    """Count the nodes that Star1, Star2 and Star2.5 save at chance nodes, without and with a table, at equal values.

    ×2 says: expectiminimax takes twice as many. Nodes are the same on every machine, times are this one's.

    Example:

      zermelo bench chance
    """
    from zermelo.bench.chance import chance as count

    with progress("counting …") as status:
        savings = count(progress=_teller(status, "counting"))
    if json:
        print_json([asdict(each) for each in savings])
        return
    for (task, depth), group in groupby(savings, lambda each: (each.task, each.depth)):
        _show_savings(f"{task}, to depth {depth}", list(group))


@bench.command()
def threads(json: Json = False) -> None:
    """Measure what a second thread is worth: the time of two threads over that of one, to the same depth or value.

    It needs two processors that do nothing else, and says so where they are busy.

    Example:

      zermelo bench threads
    """
    from zermelo.bench.threads import threads as measure
    from zermelo.bench.threads import why_doubtful

    if doubt := why_doubtful():
        complain(doubt)
    _measured(measure, json)


@bench.command("compile")
def compilation(json: Json = False) -> None:
    """Measure how long it takes until the engine is ready for each built-in game, compiled and from the cache.

    Each is measured in a process of its own, with an empty cache and then with a full one.

    Example:

      zermelo bench compile
    """
    from zermelo.bench.compilation import compilation as measure

    _measured(measure, json)


@bench.command()
def speed(json: Json = False) -> None:
    """Measure native against hand-written and interpreted code, searches, playouts and start-up, in one run.

    Ratios mean the same on every machine, and have targets; speeds are this machine's.

    Example:

      zermelo bench speed
    """
    from zermelo.bench.speed import speed as measure

    _measured(measure, json)


@bench.command()
def playouts(json: Json = False) -> None:
    """Play random games on the CPU and, where there is one, on a CUDA GPU: games a second, and whether counts agree.

    Both play the same games from the same seed, so every count must be the same.

    Example:

      zermelo bench playouts
    """
    from zermelo.bench.devices import devices

    with progress("playing …") as status:
        paces = devices(progress=_teller(status, "measuring"))
    if json:
        print_json([asdict(pace) for pace in paces])
        return
    for note in dict.fromkeys(pace.note for pace in paces if pace.note):
        complain(note)
    for device in dict.fromkeys(pace.device for pace in paces if pace.device):
        typer.echo(f"GPU: {device.removeprefix('cuda, ')}")
    heads = ("game", "moves", "one thread", "all threads", "GPU", "times", "same")
    _show(heads, [_paced(pace) for pace in paces])
    typer.echo("games a second; times: the GPU's of one thread's; same: both counted the same results")


def _paced(pace: Pace) -> tuple[str, ...]:
    """A row of games a second."""
    here = pace.game, f"{pace.moves:.1f}", _figure(pace.one), _figure(pace.all)
    if pace.gpu is None:
        return (*here, "", "", "")
    return (*here, _figure(pace.gpu), f"×{_figure(pace.gpu / pace.one)}", "yes" if pace.same else "NO")


@bench.command()
def peers(json: Json = False) -> None:
    r"""Do the same work by others beside Zermelo, and compare; it installs nothing itself, and takes five minutes.

    Libraries for games in general: OpenSpiel, easyAI, aima3. Programs for one game: bitbully, rust-reversi,
    Stockfish (its leaf counts), rust-chess.

    Example:

      pip install "zermelo\[bench]" && zermelo bench peers
    """
    from zermelo.bench.peers import peers as compare

    with progress("comparing …") as status:
        rows = compare(progress=_teller(status, "comparing"))
    if json:
        print_json([asdict(row) for row in rows])
        return
    for note, names in _missing(rows).items():
        complain(f"{', '.join(names)}: {note}")
    for (title, unit), group in groupby((row for row in rows if not row.note), lambda row: (_title(row), row.unit)):
        compared = list(group)
        nodes = {row.zermelo_nodes for row in compared if not row.part and row.zermelo_nodes}
        typer.echo(f"{title}{''.join(f', {count:,} nodes' for count in nodes)}: {unit}")
        if compared[0].part:
            _show(("part", *PEER_HEADS[1:]), [(row.part, *_compared(row)) for row in compared])
        else:
            _show(PEER_HEADS, [(_peer(row), *_compared(row)) for row in compared], PEER_WIDTHS)


def _title(row: Comparison) -> str:
    """What a table is about: a work, and with whom where the rows are its parts."""
    return f"{row.work}, {row.peer}, {row.version}" if row.part else row.work


def _teller(status: Any, doing: str) -> Progress:
    """What tells the moving sign, where there is one, what is being done."""
    return lambda what: tell(status, f"{doing} {what} …")


def _measured(measure: Callable[..., list[Row]], json: bool) -> None:
    """Measure, telling how far that is, and show what was found."""
    with progress("measuring …") as status:
        rows = measure(progress=_teller(status, "measuring"))
    _show_rows(rows, json)


def _show_rows(rows: Sequence[Row], json: bool) -> None:
    """Measurements with their targets."""
    if json:
        print_json([asdict(row) for row in rows])
        return
    _show(
        ("what", "measured", "", "target", ""),
        [(row.name, _figure(row.measured), row.unit, row.target, _mark(row.met)) for row in rows],
    )


def _show_savings(title: str, savings: Sequence[Saving]) -> None:
    """A row for each way to search."""
    typer.echo(title)
    rows = [
        (
            each.way,
            number(each.nodes),
            f"×{_figure(each.saved)}",
            duration(each.seconds),
            "same" if each.same else "other",
        )
        for each in savings
    ]
    _show(("search", "nodes", "saved", "time", "values"), rows, [14, 11, 6, 8])


def _show_counts(title: str, counts: Sequence[Count]) -> None:
    """A column for each task and a row for each switch, in times of the nodes that the first row tells."""
    from zermelo.bench.ordering import ALL

    tasks = list(dict.fromkeys(each.task for each in counts))
    cells = {(each.switches, each.task): _times(each) for each in counts}
    switches = list(dict.fromkeys(each.switches for each in counts))
    typer.echo(f"{title}: nodes, and times as many")
    names = ["all of these" if name == ALL else name.removeprefix("algorithm=") for name in switches]
    rows = [(name, *(cells[each, task] for task in tasks)) for name, each in zip(names, switches, strict=True)]
    _show(("switch", *tasks), rows, [max(map(len, names))])


def _times(count: Count) -> str:
    """The nodes of a search as it is, or how many times these it took with a switch."""
    from zermelo.bench.ordering import DEFAULT

    return number(count.nodes) if count.switches == DEFAULT else f"×{_figure(count.times)}{'' if count.same else ' *'}"


def _missing(rows: Sequence[Comparison]) -> dict[str, list[str]]:
    """Why some could not be compared with, and who."""
    found: dict[str, list[str]] = {}
    for row in rows:
        name = row.peer.partition(",")[0]
        if row.note and name not in found.setdefault(row.note, []):
            found[row.note].append(name)
    return found


def _peer(row: Comparison) -> str:
    """A peer with its version, and its nodes where they are others than Zermelo's."""
    differs = row.peer_nodes and row.peer_nodes != row.zermelo_nodes
    return f"{row.peer}, {row.version}" + (f" ({_figure(row.peer_nodes or 0)} nodes)" if differs else "")


def _compared(row: Comparison) -> Sequence[str]:
    """The figures of a comparison."""
    assert row.peer_measured is not None
    assert row.zermelo_measured is not None
    assert row.ratio is not None
    figures = _figure(row.peer_measured), _figure(row.zermelo_measured), f"×{_figure(row.ratio)}"
    return (*figures, f"{row.target} {_mark(row.met)}".strip())


def _show(heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int] = ()) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table: Table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for head, width in zip_longest(heads, widths):
        table.add_column(head, min_width=width)
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
