"""`zermelo best`: the best action, what it is worth, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.answer import as_json, print_answer, shower
from zermelo.cli.common import (
    Book,
    GameArgument,
    Json,
    Moves,
    Nodes,
    Seconds,
    Seed,
    State,
    Switches,
    TableSize,
    Threads,
    World,
    hide_progress,
    load_policy,
    load_position,
    open_book,
    print_json,
    working,
)
from zermelo.cli.show import complain
from zermelo.errors import BadInput, Unsolved

if TYPE_CHECKING:
    from zermelo.engine.book import BookLike
    from zermelo.engine.clock import Clock
    from zermelo.engine.options import Options
    from zermelo.montecarlo.options import TreeOptions
    from zermelo.position import Position
    from zermelo.search.result import Result

PATIENCE = 30.0
"""How long value iteration, which has no answer before it is done, may take where no limit is given."""


def best(
    game: GameArgument,
    moves: Moves = "",
    state: State = "",
    seconds: Seconds = None,
    roll: Annotated[str, typer.Option("--roll", help="What chance brings next, as the game writes it: 3-1.")] = "",
    depth: Annotated[int | None, typer.Option("--depth", help="Look so many moves ahead.")] = None,
    nodes: Nodes = None,
    clock: Annotated[str, typer.Option("--clock", help="Seconds left, and gained with each move: 300+2.")] = "",
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="pvs, mtdf, alphabeta-full, alphabeta-ordered; minimax, negamax, alphabeta, alphabeta-table, "
            "expectiminimax, star1, star2, maxn, paranoid, best-reply, value-iteration; threats, pns; sampled, uct, "
            "flat; else what fits best."
        ),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", help="Show the values of so many best actions.")] = 1,
    opponent: Annotated[
        float | None,
        typer.Option("--opponent", help="How often the opponent errs, 0 to 1: chooses among equal actions."),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="POLICY",
            help="The others play by this, not well: random, greedy, or FILE.py:function; values are averages then.",
        ),
    ] = "",
    threads: Threads = 1,
    table: TableSize = None,
    book: Book = "",
    table_file: Annotated[
        str, typer.Option("--table-file", help="Begin with the table in this file, if it is there, and write it back.")
    ] = "",
    switches: Switches = None,
    seed: Seed = 0,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Find the best action, its value (exact, or an estimate: it says which), and the expected line.

    A long search shows each depth as it is done. Without a limit it thinks for 5 seconds at most, and for 30 where
    states come back by chance and the game is solved as a whole.

    Examples:

      zermelo best tic-tac-toe --moves "b2 a1"

      zermelo best connect-four --moves 44433 --seconds 10 --lines 3

      zermelo best othello --seconds 5 --threads 2 --table 256

      zermelo best tic-tac-toe --against random

      zermelo best backgammon --roll 3-1 --seconds 2

      zermelo best connect-four --algorithm uct --seconds 2 --set rave=300 --seed 7

      zermelo best mygame.py --depth 6 --json
    """
    from zermelo.engine.opponent import Opponent
    from zermelo.search.suitability import MONTE_CARLO, STARS, TEXTBOOK, usual_algorithm

    position = load_position(game, state, moves)
    if roll:
        _roll(position, roll)
    if against:
        if opponent is not None:
            raise BadInput("--against says how the others move, --opponent only parts equal actions: give one of them")
        position = _facing(position, against)
    timer = _clock(clock) if clock else None
    if seconds is depth is nodes is None and timer is None:
        seconds = _patience(position, algorithm)
    limits: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": seconds, "lines": lines, "clock": timer}
    if opponent is not None:
        limits["opponent"] = Opponent(error=opponent)
    chosen = algorithm or usual_algorithm(position)
    simulates, at_once = chosen in MONTE_CARLO, depth is not None and chosen in TEXTBOOK and chosen not in STARS
    options = _switches(switches or [], simulates, threads, table, seed)
    _refuse_unused(position, algorithm, locals())
    show = None if json or at_once else shower(position, "simulations" if simulates else "nodes")
    opened = open_book(book, position.game)
    result = _search(position, options, algorithm, world, limits, show, opened, table_file)
    if result.note:
        complain(result.note)
    if json:
        print_json(as_json(game, position, result) | ({"against": against} if against else {}))
    else:
        print_answer(position, result, f" on average against {against.rpartition(':')[2]} play" if against else "")


def _roll(position: Position, text: str) -> None:
    """Let chance bring what a text says."""
    if not position.is_chance:
        raise BadInput(f"chance does not move here in {position.game.title}: leave out --roll")
    before = len(position.history)
    position.push_text(text)
    if len(position.history) > before + 1:
        raise BadInput(f"--roll is what chance brings, and {text!r} is more than that: give moves by --moves")


def _switches(
    settings: list[str], simulates: bool, threads: int, table: float | None, seed: int
) -> dict[str, Options | TreeOptions]:
    """What the engine is made with: switches of Monte-Carlo search, or of the others."""
    from zermelo.engine.options import Options
    from zermelo.montecarlo.options import TreeOptions

    if simulates:
        memory = {} if table is None else {"memory": table}
        return {"tree": TreeOptions.parse(settings, threads=threads, seed=seed, **memory)}
    given = {} if table is None else {"table": table}
    return {"options": Options.parse(settings, threads=threads, seed=seed, **given)}


def _facing(position: Position, against: str) -> Position:
    """The position with everybody but the team of the player to move as chance, moving by a policy."""
    from zermelo.recast import Facing

    game, chooser = position.game, max(position.to_move, 0)
    others = [player for player in range(game.players) if game.team(player) != game.team(chooser)]
    if not others:
        raise BadInput(f"there is nobody to play against in {game.title}: leave out --against")
    return position.recast(Facing(game, load_policy(against), others))


def _patience(position: Position, algorithm: str | None) -> float:
    """How long to think where no limit is given."""
    from zermelo.engine.simulating import USUAL_SECONDS
    from zermelo.search.suitability import ITERATION, usual_algorithm

    return PATIENCE if (algorithm or usual_algorithm(position)) == ITERATION else USUAL_SECONDS


def _refuse_unused(position: Position, algorithm: str | None, given: dict[str, Any]) -> None:
    """Options that an algorithm does not know are refused."""
    from zermelo.search.suitability import ENGINE, MONTE_CARLO, PROOFS, SAMPLED, STARS, suits, usual_algorithm

    chosen = algorithm or usual_algorithm(position)
    if suits(chosen, position.game):
        return
    families = {
        MONTE_CARLO: "seed threads table switches clock",
        STARS: "table switches clock",
        PROOFS: "table",
        (SAMPLED,): "seed switches",
    }
    families[ENGINE] = "clock opponent book table_file threads table switches"
    known = next((words.split() for family, words in families.items() if chosen in family), [])
    _refuse_switches(chosen, [setting.partition("=")[0].strip() for setting in given["switches"] or []])
    if chosen in MONTE_CARLO and given["depth"] is not None:
        raise BadInput(f"{chosen} looks as far as its simulations lead: give --simulations in place of --depth")
    usual = {"seed": 0, "clock": "", "opponent": None, "book": "", "table_file": "", "threads": 1, "table": None}
    for name, value in (usual | {"switches": None}).items():
        if name not in known and given[name] != value and given[name] != []:
            option = {"switches": "set", "table_file": "table-file"}.get(name, name)
            instead = ": give --seconds" if name == "clock" else ""
            whose = "simulations" if name == "seed" else "the engine's algorithms"
            raise BadInput(f"--{option} is for {whose}, not for {chosen}{instead}")


def _refuse_switches(chosen: str, named: list[str]) -> None:
    """Switches that belong to another algorithm are refused."""
    from zermelo.search.suitability import ENGINE, SAMPLED

    own = {"star1": "", "star2": "probe", SAMPLED: "width"}
    for name in named:
        owner = next((other for other, switch in own.items() if switch == name), "")
        if chosen in own and name != own[chosen]:
            has = f"has {own[chosen]} alone" if own[chosen] else "has no switches"
            raise BadInput(f"{name} is a switch of other algorithms: {chosen} {has}")
        if chosen in ENGINE and owner:
            raise BadInput(f"{name} is a switch of {owner}, not of {chosen}")


def _search(
    position: Position,
    options: dict[str, Any],
    algorithm: str | None,
    world: str,
    limits: dict[str, Any],
    show: Callable[[Result], None] | None,
    book: BookLike | None,
    table_file: str,
) -> Result:
    """By the engine, which can be stopped at any moment."""
    from zermelo.engine.engine import Deepened, Engine, Event

    engine = Engine(position.game, **options, book=book, world=world)
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
    thinking = engine.go(algorithm=algorithm, **limits)
    try:
        with working("thinking …"):
            while not thinking.wait(0.1):
                pass
    except KeyboardInterrupt:
        thinking.stop()
        thinking.wait()
        hide_progress()
        try:
            if thinking.result().depth == 0:
                raise
        except Unsolved:
            raise KeyboardInterrupt from None
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
