"""`zermelo best`: the best action, what it is worth, and how sure that is."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import (
    Book,
    GameArgument,
    Json,
    Moves,
    Nodes,
    Seconds,
    State,
    Switches,
    TableSize,
    Threads,
    World,
    hide_progress,
    load_position,
    open_book,
    print_json,
    rate,
)
from zermelo.cli.show import complain, line_words, number, outcome_words, value_words
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.engine.book import BookLike
    from zermelo.engine.clock import Clock
    from zermelo.engine.options import Options
    from zermelo.position import Position
    from zermelo.search.result import Result

USUAL_SECONDS = 5.0
"""How long to think where no limit is given."""
LONG = 100_000
"""From how many nodes on a search is long enough to show its depths."""
HEADS = f"{'depth':>5}  {'value':>10}  {'nodes':>13}  {'time':>8}  {'speed':>16}  {'table':>6}  line"


def best(
    game: GameArgument,
    moves: Moves = "",
    state: State = "",
    seconds: Seconds = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Look so many moves ahead.")] = None,
    nodes: Nodes = None,
    clock: Annotated[str, typer.Option("--clock", help="Seconds left, and gained with each move: 300+2.")] = "",
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="pvs, mtdf, alphabeta-full, alphabeta-ordered; minimax, negamax, alphabeta, alphabeta-table, "
            "expectiminimax, star1, star2, maxn; else what fits best."
        ),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", help="Show the values of so many best actions.")] = 1,
    opponent: Annotated[
        float | None,
        typer.Option("--opponent", help="How often the opponent errs, 0 to 1: chooses among equal actions."),
    ] = None,
    threads: Threads = 1,
    table: TableSize = None,
    book: Book = "",
    table_file: Annotated[
        str, typer.Option("--table-file", help="Begin with the table in this file, if it is there, and write it back.")
    ] = "",
    switches: Switches = None,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Find the best action, its value (exact, or an estimate: it says which), and the expected line.

    A long search shows each depth as it is done. Without a limit it thinks for 5 seconds at most.

    Examples:

      zermelo best tic-tac-toe --moves "b2 a1"

      zermelo best connect-four --moves 44433 --seconds 10 --lines 3

      zermelo best othello --seconds 5 --threads 2 --table 256

      zermelo best mygame.py --depth 6 --json
    """
    from zermelo.engine.opponent import Opponent
    from zermelo.engine.options import Options

    position = load_position(game, state, moves)
    options = Options.parse(switches or [], threads=threads, **({} if table is None else {"table": table}))
    timer = _clock(clock) if clock else None
    if seconds is depth is nodes is None and timer is None:
        seconds = USUAL_SECONDS
    show = None if json else _shower(position)
    limits: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds, "lines": lines}
    if opponent is not None:
        limits["opponent"] = Opponent(error=opponent)
    _refuse_unused(position, algorithm, locals())
    opened = open_book(book, position.game)
    result = _search(position, options, algorithm, world, timer, limits, show, opened, table_file)
    if result.note:
        complain(result.note)
    print_json(as_json(game, position, result)) if json else _print(position, result)


def _refuse_unused(position: Position, algorithm: str | None, given: dict[str, Any]) -> None:
    """Options that only the engine knows are refused where the textbook's algorithms search."""
    from zermelo.engine.decide import usual_algorithm
    from zermelo.search.suitability import ENGINE, STARS, suits

    chosen = algorithm or usual_algorithm(position)
    if suits(chosen, position.game):
        return
    named = [setting.partition("=")[0].strip() for setting in given["switches"] or []]
    if chosen in ENGINE:
        if "probe" in named:
            raise BadInput(f"probe is a switch of star2, not of {chosen}")
        return
    usual = {"clock": "", "opponent": None, "threads": 1, "table": None, "book": "", "table_file": "", "switches": None}
    if chosen in STARS:
        del usual["table"], usual["switches"]
        for name in named:
            if (chosen, name) != ("star2", "probe"):
                has = "has probe alone" if chosen == "star2" else "has no switches"
                raise BadInput(f"{name} is a switch of other algorithms: {chosen} {has}")
    for name, value in usual.items():
        if given[name] != value and given[name] != []:
            option = {"switches": "set", "table_file": "table-file"}.get(name, name)
            instead = ": give --seconds" if name == "clock" else ""
            raise BadInput(f"--{option} is for the engine's algorithms, not for {chosen}{instead}")


def _search(
    position: Position,
    options: Options,
    algorithm: str | None,
    world: str,
    clock: Clock | None,
    limits: dict[str, Any],
    show: Callable[[Result], None] | None,
    book: BookLike | None,
    table_file: str,
) -> Result:
    """By the engine where it is one for the game and the algorithm, else by the textbook."""
    from zermelo.engine.decide import decide, usual_algorithm
    from zermelo.engine.engine import Deepened, Engine, Event
    from zermelo.search.suitability import ENGINE, STARS

    chosen = algorithm or usual_algorithm(position)
    if chosen not in ENGINE:
        heard = show if chosen in STARS else None
        return decide(position, algorithm=chosen, world=world, listen=heard, options=options, **limits)
    engine = Engine(position.game, options, book=book, world=world)
    engine.set_position(position)
    keep = bool(table_file)
    if keep and not os.access(Path(table_file).parent, os.W_OK):
        complain(f"the table can't be written to {table_file}: there is no such folder to write to; it is not kept")
        keep = False
    if table_file and Path(table_file).exists():
        without = "the search goes on without it and leaves it alone"
        keep = _or_complain(lambda: engine.load_table(table_file), without) and keep

    def listen(event: Event) -> None:
        if show is not None and isinstance(event, Deepened):
            show(event.result)

    engine.listen(listen)
    thinking = engine.go(clock=clock, algorithm=algorithm, **limits)
    try:
        while not thinking.wait(0.1):
            pass
    except KeyboardInterrupt:
        thinking.stop()
        thinking.wait()
        hide_progress()
        if thinking.result().depth == 0:
            raise
        complain("stopped: this is the best so far")
    result = thinking.result()
    if keep:
        _or_complain(lambda: engine.save_table(table_file), "it is not kept")
    return result


def _or_complain(work: Callable[[], None], instead: str) -> bool:
    """Do something the search can do without; if it fails, say why and what happens instead. Whether it was done."""
    try:
        work()
    except BadInput as error:
        complain(f"{error}; {instead}")
        return False
    return True


def _clock(text: str) -> Clock:
    """The clock that a text such as 300+2 writes."""
    from zermelo.engine.clock import Clock

    left, _, increment = text.partition("+")
    try:
        return Clock(float(left), float(increment or 0))
    except ValueError:
        raise BadInput(f"a clock is seconds left, and gained with each move, such as 300+2, not {text!r}") from None


def _shower(position: Position) -> Callable[[Result], None]:
    """Prints a row for each depth, all of them once the search is a long one; on a terminal, cut at its edge."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    rows = [HEADS[:columns]]

    def show(result: Result) -> None:
        words = " ".join(position.line(list(result.line)))
        row = (
            f"{result.depth:>5}  {_short(position, result):>10}  {number(result.nodes):>13}  "
            f"{duration(result.seconds):>8}  {rate(result.speed, 1):>16}  {result.table:>6.1%}  {words}"
        )
        rows.append(row if len(row) <= columns else f"{row[: columns - 1]}…")
        while rows and result.nodes >= LONG:
            typer.echo(rows.pop(0))

    return show


def _short(position: Position, result: Result) -> str:
    """A value for a narrow column: +0.25, and where it is proved win 7, loss 4, draw, =+12."""
    middle = (position.game.facts.total or 0) / 2
    if result.kind == "exact" and result.plies is not None:
        return f"{'win' if result.value > middle else 'loss'} {result.plies}"
    shown = f"{result.value:+.2f}".rstrip("0").rstrip(".") if result.value else "0"
    return f"={shown}" if result.kind == "exact" else shown


def as_json(game: str, position: Position, result: Result) -> dict[str, Any]:
    """A result as one JSON object, actions in the game's own notation."""
    texts = position.line(list(result.line))
    found: dict[str, Any] = {
        "game": game,
        "state": str(position),
        "action": texts[0] if texts else None,
        "value": result.value,
        "kind": result.kind,
        "line": texts,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "algorithm": result.algorithm,
        "world": result.world,
    }
    if result.plies is not None:
        found["plies"] = result.plies
    if result.values:
        found["values"] = list(result.values)
    if len(result.lines) > 1:
        found["lines"] = [
            {"action": words[0], "value": line.value, "kind": line.kind, "line": words}
            | ({"values": list(line.values)} if line.values else {})
            | ({"plies": line.plies} if line.plies is not None else {})
            for line in result.lines
            for words in [position.line(list(line.actions))]
        ]
    return found


def _print(position: Position, result: Result) -> None:
    game = position.game
    if position.is_terminal:
        typer.echo(f"the game is over: {outcome_words(game, result.values)}")
        return
    if result.action is None:
        typer.echo(f"chance moves; to {game.player_name(0)}: {value_words(game, result.value, result.kind)}")
    for line in result.lines if len(result.lines) > 1 else ():
        words = position.line(list(line.actions))
        value = value_words(game, line.value, line.kind, line.plies, result.depth)
        typer.echo(f"{words[0]:<8} {value:<28} {line_words(words)}")
    if len(result.lines) <= 1 and result.action is not None:
        words = position.line(list(result.line))
        mover = game.player_name(position.to_move)
        typer.echo(f"{words[0]}  ({mover}: {value_words(game, result.value, result.kind, result.plies, result.depth)})")
        typer.echo(f"line     {line_words(words)}")
    if result.algorithm == "book":
        typer.echo("from the book" + (f", which searched to depth {result.depth}" if result.depth else ""))
        return
    speed, nodes = rate(result.speed, 1), "1 node" if result.nodes == 1 else f"{number(result.nodes)} nodes"
    typer.echo(
        f"searched {nodes} to depth {result.depth} in {duration(result.seconds)} ({speed}) "
        f"by {result.algorithm}, {result.world}"
    )
