"""`zermelo tune`: weights of an evaluation, fitted to games that the program plays itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import GameArgument, Json, World, load_game, print_json, progress, working
from zermelo.cli.show import complain, elo_words, number
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from zermelo.game import Game
    from zermelo.learn.fit import Fit, Settings
    from zermelo.learn.recipe import Recipe
    from zermelo.learn.selfplay import Plan
    from zermelo.learn.store import Store
    from zermelo.statistics import Standing

USUAL_GAMES, USUAL_NODES = 1000, 1000
"""How many games are played, and how many nodes a move is thought about, where nothing is said."""
MOST_GAMES = 100_000_000

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="Where the games are kept.")]


def tune(
    game: GameArgument,
    file: FileArgument,
    games: Annotated[int | None, typer.Option("--games", help="How many games the file shall have.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Think about each move for so many nodes.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Think about each move so deep.")] = None,
    opening: Annotated[
        int | None, typer.Option("--opening", help="How many moves of a game are random at first.")
    ] = None,
    luck: Annotated[
        float | None, typer.Option("--luck", help="How often a move is random after that, for a while.")
    ] = None,
    longest: Annotated[int | None, typer.Option("--longest", help="After so many moves a game is a draw.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of all that is left to chance.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the games in the file, or add to them.")] = False,
    also: Annotated[
        list[str] | None, typer.Option("--also", metavar="FILE", help="Fit to the games in another file as well.")
    ] = None,
    processes: Annotated[int, typer.Option("--processes", help="How many processes share the work.")] = 1,
    weights: Annotated[str, typer.Option("--weights", metavar="JSON", help="Begin with the weights in a file.")] = "",
    unit: Annotated[
        str, typer.Option("--unit", metavar="FEATURE=NUMBER", help="Scale the weights so that this one is as given.")
    ] = "",
    pull: Annotated[float, typer.Option("--pull", help="How strongly weights are held where they were (L2).")] = 10.0,
    smooth: Annotated[
        float,
        typer.Option(
            "--smooth", help="How strongly features that differ by 1 in their names' numbers are held together."
        ),
    ] = 0.0,
    mix: Annotated[float, typer.Option("--mix", help="Share of the search's values in what is fitted to.")] = 0.0,
    held: Annotated[float, typer.Option("--held", help="Share of the games that is kept out, as a check.")] = 0.2,
    match: Annotated[int, typer.Option("--match", help="Let new weights play so many games against the old.")] = 0,
    write: Annotated[str, typer.Option("--write", metavar="JSON", help="Write the weights to a file.")] = "",
    world: World = "auto",
    json: Json = False,
) -> None:
    """Tune the weights of a game's features to the results of games that the program plays against itself.

    Ctrl-C, or worse, keeps every game that is over; --resume goes on from there, with the settings of the file.

    Examples:

      zermelo tune othello othello.games --games 2000 --processes 8 --match 200

      zermelo tune othello othello.games --resume --games 5000 --unit mobility=1 --write othello.json

      zermelo tune othello round2.games --weights othello.json --also othello.games --mix 0.5 --match 200
    """
    from zermelo.learn.recipe import Recipe, check_tunable
    from zermelo.learn.weights import read_weights, write_weights

    _check_counts(games, match)
    made = load_game(game)
    check_tunable(made)
    recipe = Recipe(made, read_weights(weights, made) if weights else None)
    settings = _settings(made, unit, pull, smooth, mix, held)
    given = {"nodes": nodes, "depth": depth, "opening": opening, "luck": luck, "longest": longest, "seed": seed}
    with _others(file, also or [], made) as others, _opened(file, made, resume, games, given) as (store, plan, wanted):
        plan = _settled(recipe, plan, world)
        _play(recipe, plan, store, wanted, processes, game)
        stores = [store, *others]
        found = _fitted(recipe, stores, replace(settings, seed=plan.seed), processes)
        count = sum(each.counts()[0] for each in stores)
    if write:
        losses = {"loss_before": found.loss_before._asdict(), "loss_after": found.loss_after._asdict()}
        write_weights(write, made, found.weights, scale=found.scale, games=count, positions=found.positions, **losses)
    if not json:
        _show(made, found, f"{count:,} in the file{'s' if also else ''}")
    score = _matched(recipe, Recipe(made, found.weights), plan, match, processes) if match and found.is_new else None
    if json:
        print_json(_as_json(game, made, found, count, score))
    elif score is not None:
        typer.echo(f"new against old: {_score_words(score)}")


def _check_counts(games: int | None, match: int) -> None:
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise BadInput(f"--games is a number from 1 to {MOST_GAMES:,}, not {games}")
    if not 0 <= match <= MOST_GAMES:
        raise BadInput(f"--match is a number of games from 0 to {MOST_GAMES:,}, not {match}")


def _settings(game: Game, unit: str, pull: float, smooth: float, mix: float, held: float) -> Settings:
    from zermelo.learn.fit import Settings
    from zermelo.learn.recipe import feature_names, neighbours

    chosen, names = None, feature_names(game)
    if unit:
        name, equals, text = unit.rpartition("=")
        if not equals or name not in names:
            some = ", ".join(names[:30]) + (" …" if len(names) > 30 else "")
            raise BadInput(f"--unit is a feature and its worth, as in {names[0]}=1, not {unit!r}: there are {some}")
        try:
            chosen = names.index(name), float(text)
        except ValueError:
            raise BadInput(f"--unit {unit}: {text!r} is not a number") from None
    return Settings(held=held, pull=pull, smooth=smooth, neighbours=neighbours(names), mix=mix, unit=chosen)


# The games.


@contextmanager
def _opened(
    file: str, game: Game, resume: bool, games: int | None, given: dict[str, Any]
) -> Iterator[tuple[Store, Plan, int]]:
    """The file of games, new or as it is, with the plan by which they are played and how many there shall be."""
    from zermelo.learn.player import Pace
    from zermelo.learn.selfplay import Plan
    from zermelo.learn.store import Store

    usual: dict[str, Any] = {"nodes": None, "depth": None, "opening": 8, "luck": 0.1, "longest": 500, "seed": 0}
    if given["nodes"] is given["depth"] is None:
        usual["nodes"] = USUAL_NODES
    told = {name: value for name, value in given.items() if value is not None}
    store = Store.resume(file, game) if resume else None
    kept = {**usual, **told} if store is None else store.settings
    try:
        for name, value in told.items():
            if store is not None and kept[name] != value:
                before = f"without --{name}" if kept[name] is None else f"with --{name} {kept[name]}"
                raise BadInput(f"{file} was begun {before}: leave --{name} out, or begin a new file")
        rest = {name: kept[name] for name in ("opening", "luck", "longest", "seed")}
        plan = Plan(Pace(kept["nodes"], kept["depth"]), **rest)
        store = store or Store.begin(file, game, kept)
        yield store, plan, games or max(store.counts()[0], 0 if resume else USUAL_GAMES)
    finally:
        if store is not None:
            store.close()


@contextmanager
def _others(file: str, also: list[str], game: Game) -> Iterator[list[Store]]:
    """More files of games."""
    from zermelo.learn.store import Store

    seen = {Path(file).resolve()}
    with ExitStack() as stack:
        stores = []
        for path in also:
            if Path(path).resolve() in seen:
                raise BadInput(f"--also {path}: that file is read already")
            if not Path(path).is_file():
                raise BadInput(f"--also {path}: there is no such file")
            seen.add(Path(path).resolve())
            stores.append(stack.enter_context(Store.resume(path, game)))
        yield stores


def _settled(recipe: Recipe, plan: Plan, world: str) -> Plan:
    """The plan with the world in which its games are played."""
    from zermelo.learn.player import Pace, settle_world

    pace, note = settle_world(recipe.made, Pace(plan.pace.nodes, plan.pace.depth, world))
    if note:
        complain(note)
    return replace(plan, pace=pace)


def _play(recipe: Recipe, plan: Plan, store: Store, wanted: int, processes: int, name: str) -> None:
    from zermelo.learn.selfplay import gather

    begun, first = time.monotonic(), store.counts()[0]
    try:
        with progress(f"playing {name}") as status:

            def listen(done: int, positions: int) -> None:
                if status is not None:
                    rate = (done - first) / max(time.monotonic() - begun, 1e-9)
                    words = f"{done:,} of {wanted:,} games, {positions:,} positions"
                    words += f", {duration((wanted - done) / rate)} to go" if rate and wanted > done else ""
                    status.update(_bar(f"playing {name}", done, wanted, words))

            gather(recipe, plan, store, wanted, processes, listen)
    except KeyboardInterrupt:
        complain(f"{store.path} has {store.counts()[0]:,} games so far: --resume --games {wanted} goes on from there")
        raise


def _fitted(recipe: Recipe, stores: list[Store], settings: Settings, processes: int) -> Fit:
    from zermelo.learn.fit import fit
    from zermelo.learn.rows import Rows, extract, together

    total, parts = sum(store.counts()[1] for store in stores), list[Rows]()
    with progress("reading positions") as status:

        def listen(done: int) -> None:
            if status is not None:
                done += sum(len(part.games) for part in parts)
                status.update(_bar("reading positions", done, total, f"{done:,} of {total:,}"))

        for store in stores:
            parts.append(extract(recipe, store, processes, listen))
        rows = together(parts)
        if status is not None:
            status.update("fitting weights")
        return fit(rows, tuple(map(float, recipe.made.weights)), settings)


def _matched(old: Recipe, new: Recipe, plan: Plan, games: int, processes: int) -> Standing:
    from zermelo.learn.match import play_match

    plan, title = _settled(new, plan, plan.pace.world), "new weights against old"
    with working(title) as status:
        scores: list[Standing] = []

        def listen(score: Standing) -> None:
            scores[:] = [score]
            if status is not None:
                status.update(_bar(title, score.games, games, _score_words(score)))

        try:
            return play_match(new, old, plan, games, processes, listen)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(*(f"{title} so far: {_score_words(score)}" for score in scores)) from None


def _bar(title: str, done: int, total: int, words: str) -> RenderableType:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    row = Table.grid(padding=(0, 1))
    row.add_row(title, ProgressBar(max(total, 1), done, width=30), words)
    return row


# What was found.


def _show(game: Game, found: Fit, kept: str) -> None:
    """The losses, the weights one by one where they are few, and all of them as Python."""
    from rich.console import Console

    typer.echo(f"{found.positions:,} quiet positions of {found.games:,} games ({kept})")
    for name, before, after in (
        ("fitted to", found.loss_before.fitted, found.loss_after.fitted),
        ("kept out", found.loss_before.held, found.loss_after.held),
    ):
        if before is not None and after is not None:
            typer.echo(f"loss on games {name}: {before:.5f} before, {after:.5f} after")
    typer.echo(f"scale {number(found.scale)}: an evaluation of 1 is worth {_chance(found.scale):.1%} of the points")
    if found.errors:
        console = Console(highlight=False)
        console.print(_table(game, found), soft_wrap=not console.is_terminal)
    typer.echo(f"weights = {as_python(found.weights)}")
    if not found.is_new:
        typer.echo("nothing has changed: no other weights are better on the games kept out; more games may show some")


def _table(game: Game, found: Fit) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from zermelo.learn.recipe import feature_names

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for head in ("feature", "before", "after", "standard error"):
        table.add_column(head, justify="left" if head == "feature" else "right", no_wrap=True)
    for row in zip(feature_names(game), found.before, found.weights, found.errors, strict=True):
        table.add_row(row[0], *(f"{value:.4g}" for value in row[1:3]), f"± {row[3]:.2g}")
    return table


def as_python(weights: tuple[float, ...]) -> str:
    """Weights as a tuple to put into the game's file, in lines that are not too long."""
    words = [f"{weight!r}," for weight in weights]
    line, lines = "", []
    for word in words:
        if len(line) + len(word) > 110:
            lines.append(line.rstrip())
            line = ""
        line += f"{word} "
    lines.append(line.rstrip())
    if len(lines) == 1:
        return f"({line.rstrip()})" if len(weights) == 1 else f"({line.rstrip()[:-1]})"
    return "(\n" + "".join(f"    {each}\n" for each in lines) + ")"


def _chance(odds: float) -> float:
    from math import exp

    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


def _score_words(score: Standing) -> str:
    elo = elo_words(score.elo, score.elo_low, score.elo_high)
    return f"{score.wins} won, {score.draws} drawn, {score.losses} lost, {elo}"


def _as_json(spec: str, game: Game, found: Fit, games: int, score: Standing | None) -> dict[str, Any]:
    from zermelo.learn.recipe import feature_names

    told: dict[str, Any] = {"game": spec, "games": games, "features": list(feature_names(game)), **asdict(found)}
    told |= {"used_games": found.games, "games": games}
    told |= {name: getattr(found, name)._asdict() for name in ("loss_before", "loss_after")}
    if score is not None:
        told["match"] = score.figures()
    return told
