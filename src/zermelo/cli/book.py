"""`zermelo book`: opening books, built by search or from games, and what they say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import (
    GameArgument,
    Json,
    Moves,
    State,
    World,
    load_game,
    load_position,
    numbered_lines,
    print_json,
    progress,
)
from zermelo.cli.show import complain, number, value_words
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from zermelo.engine.book import Entry
    from zermelo.engine.bookmaking import Progress
    from zermelo.game import Game
    from zermelo.position import Position

USUAL_SECONDS = 1.0
"""How long a position is searched where no limit is given."""
USUAL_PLIES = 30
"""How many moves of each game enter a book."""

BookArgument = Annotated[str, typer.Argument(metavar="FILE", help="The book.")]

book = typer.Typer()


@book.callback(invoke_without_command=True)
def books(context: typer.Context) -> None:
    """Make opening books by search or from games, and look into them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@book.command()
def build(
    game: GameArgument,
    file: BookArgument,
    plies: Annotated[int, typer.Option("--plies", help="How many moves deep the book goes.")],
    width: Annotated[
        int | None, typer.Option("--width", help="Answer only so many best actions of the opponent; else all.")
    ] = None,
    choices: Annotated[int, typer.Option("--choices", help="How many actions of a position are valued.")] = 3,
    margin: Annotated[float, typer.Option("--margin", help="What is so little below the best may be played too.")] = 0,
    player: Annotated[
        int | None, typer.Option("--player", help="Only for this player (1, 2, …); else for all.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Search each position for so long.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Search each position so deep.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Search each position for so many nodes.")] = None,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Build a book by search, best lines first; a book that is there already is continued.

    Without a limit each position is searched for a second. Ctrl-C keeps what is done, and the same command goes on.

    Examples:

      zermelo book build tic-tac-toe ttt.book --plies 9

      zermelo book build connect-four four.book --plies 8 --depth 12

      zermelo book build othello mine.book --plies 10 --width 4 --player 1
    """
    from zermelo.engine.book import Draft
    from zermelo.engine.bookmaking import Plan
    from zermelo.engine.bookmaking import build as search

    if seconds is depth is nodes is None:
        seconds = USUAL_SECONDS
    players = () if player is None else (player - 1,)
    plan = Plan(plies, width, choices, margin, players, depth, nodes, seconds, world)
    draft = Draft.continuing(file, load_game(game))
    begun = time.monotonic()
    try:
        with progress(f"building {file}") as status:

            def listen(done: Progress) -> None:
                if status is not None:
                    status.update(_bar(f"building {file}", done))

            builder = search(draft, file, plan, listen)
    except KeyboardInterrupt:
        complain(f"{file} has {_counted(len(draft.states), 'position')} so far: the same command goes on from there")
        raise
    if builder.note:
        complain(builder.note)
    done, spent = builder.progress, time.monotonic() - begun
    if json:
        counts = {**done._asdict(), "positions": len(draft.states), "actions": len(draft)}
        print_json({"game": game, "file": file, **counts, "seconds": round(spent, 3)})
        return
    typer.echo(
        f"{file}: {_counted(len(draft.states), 'position')} with {_counted(len(draft), 'action')}; "
        f"{number(done.searched)} searched in {duration(spent)}, {number(done.kept)} there before"
    )


@book.command()
def add(
    game: GameArgument,
    file: BookArgument,
    games: Annotated[str, typer.Argument(metavar="GAMES", help="A text file, one game a line; PGN for Polyglot.")],
    plies: Annotated[int, typer.Option("--plies", min=1, help="How many moves of each game to count.")] = USUAL_PLIES,
    json: Json = False,
) -> None:
    """Add games to a book: how often each move was played, and how well it did. A book that isn't there is begun.

    A line has the moves of one game as the game writes them, and may end with `;` and what it was worth to player 1.

    A game that was played to its end needs no result; one that has none counts as a draw. `#` begins a comment.

    For chess a book whose name ends in .bin is a Polyglot book, and GAMES are PGN.

    Examples:

      zermelo book add connect-four four.book games.txt

      zermelo book add othello wthor.book games.txt --plies 20 --json

      zermelo book add chess openings.bin games.pgn
    """
    from zermelo.engine.polyglot import is_polyglot

    made = load_game(game)
    filling = _add_to_polyglot if is_polyglot(file, made) else _add_to_book
    count, positions, new = filling(made, file, games, plies)
    if json:
        print_json({"game": game, "file": file, "games": count, "positions": positions, "new": new})
        return
    typer.echo(f"{file}: {_counted(positions, 'position')}, {number(new)} new from {_counted(count, 'game')}")


def _add_to_book(game: Game, file: str, games: str, plies: int) -> tuple[int, int, int]:
    """Add games to a book of ours: how many they were, how many positions it then has, and how many are new."""
    from zermelo.engine.book import Draft
    from zermelo.engine.bookmaking import parse_game, record_game

    draft = Draft.continuing(file, game)
    before, played = len(draft.states), []
    for count, line in numbered_lines(games):
        try:
            played.append(parse_game(game, line))
        except BadInput as error:
            raise BadInput(f"{games} line {count}: {error}") from None
    for each in played:
        record_game(draft, each, plies)
    draft.save(file)
    return len(played), len(draft.states), len(draft.states) - before


def _add_to_polyglot(game: Game, file: str, games: str, plies: int) -> tuple[int, int, int]:
    """Add PGN games to a Polyglot book, as `_add_to_book` does."""
    from zermelo.games.chess import Chess
    from zermelo.games.chess.pgn import read_file
    from zermelo.games.chess.polyglot import Draft

    assert isinstance(game, Chess)
    draft = Draft.continuing(file, game)
    before, count = len(draft.replies), 0
    for record in read_file(game, games):
        draft.add(record, plies)
        count += 1
    if draft.replies:
        draft.save(file)
    return count, len(draft.replies), len(draft.replies) - before


@book.command()
def show(game: GameArgument, file: BookArgument, moves: Moves = "", state: State = "", json: Json = False) -> None:
    """Show what a book says in a position, best first.

    Moves that come to the same by a symmetry of the board share a row.

    Examples:

      zermelo book show connect-four four.book

      zermelo book show connect-four four.book --moves 44 --json
    """
    from zermelo.engine.polyglot import open_book

    position = load_position(game, state, moves)
    entries = open_book(file, position.game).probe(position)
    if json:
        print_json({"game": game, "state": str(position), "entries": [_as_json(position, each) for each in entries]})
    elif entries:
        typer.echo(f"{position.game.player_name(position.to_move)} to move")
        _print(_table(position, entries))
    else:
        typer.echo("the game is over" if position.is_terminal else f"{file} says nothing about this position")


@book.command()
def info(file: BookArgument, json: Json = False) -> None:
    """Tell what a book is for, and how much is in it.

    A book that can't be used is refused, and why is said.

    Examples:

      zermelo book info four.book

      zermelo book info four.book --json
    """
    from zermelo.engine.book import read, summary
    from zermelo.engine.polyglot import SUFFIX

    if file.lower().endswith(SUFFIX):
        _print_polyglot(file, json)
        return
    content = read(file)
    found = summary(content)
    if json:
        print_json({"game": content.name, "rules": content.mark.hex(), **found._asdict()})
        return
    from rich.text import Text

    rows = (
        ("game", content.name),
        ("positions", f"{found.positions:,}, {found.searched:,} of them searched, {found.played:,} from games"),
        ("actions", f"{found.actions:,}, {found.exact:,} with exact values"),
        ("size", f"{found.bytes:,} bytes"),
        ("rules", content.mark.hex()),
    )
    for name, text in rows:
        _print(Text.assemble((f"{name:<10}", "dim"), text))


def _print_polyglot(file: str, json: bool) -> None:
    """What is in a Polyglot book, which does not say what it is for."""
    from zermelo.games.chess import polyglot

    content = polyglot.read(file)
    positions, actions = polyglot.count_positions(content), len(content) // polyglot.RECORD.size
    if json:
        print_json({"game": "chess", "format": "Polyglot", "positions": positions, "actions": actions})
        return
    sizes = f"{_counted(positions, 'position')} with {_counted(actions, 'action')}, {len(content):,} bytes"
    typer.echo(f"{file}: a Polyglot book for chess, {sizes}")


def _as_json(position: Position, entry: Entry) -> dict[str, Any]:
    """An entry with actions as text."""
    game, state = position.game, position.state
    return {
        "action": game.format_action(state, entry.action),
        "twins": [game.format_action(state, action) for action in entry.twins],
        "weight": entry.weight,
        "value": entry.value,
        "kind": entry.kind,
        "depth": entry.depth,
        "played": entry.played,
        "score": entry.score,
    }


def _table(position: Position, entries: list[Entry]) -> RenderableType:
    """The entries as a table; columns that would be empty are left out."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    game, state, total = position.game, position.state, sum(entry.weight for entry in entries)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    rows = [
        {
            "move": Text(game.format_action(state, entry.action), "bold cyan"),
            "also": Text(" ".join(game.format_action(state, action) for action in entry.twins), "dim"),
            "chosen": Text(f"{entry.weight / total:.0%}" if entry.weight else "never", "" if entry.weight else "dim"),
            "value": _value_text(game, entry),
            "depth": Text(str(entry.depth) if entry.kind else ""),
            "games": Text(number(entry.played) if entry.played else ""),
            "score": Text(f"{entry.score / entry.played:.0%}" if entry.played else ""),
        }
        for entry in entries
    ]
    shown = [name for name in rows[0] if any(row[name].plain for row in rows)]
    for name in shown:
        table.add_column(name, justify="left" if name in ("move", "also", "value") else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(row[name] for name in shown))
    return table


def _value_text(game: Game, entry: Entry) -> Text:
    """What an action is worth, wins and losses in colour."""
    from rich.text import Text

    if entry.value is None or entry.kind is None:
        return Text()
    words = value_words(game, entry.value, entry.kind)
    style = "green" if words.startswith("a win") else "red" if words.startswith("a loss") else ""
    return Text(words, style)


def _print(what: RenderableType) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(what, soft_wrap=not console.is_terminal)


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _bar(title: str, done: Progress) -> RenderableType:
    """A bar that grows with the positions that are done."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    seen = done.searched + done.kept
    row = Table.grid(padding=(0, 1))
    bar = ProgressBar(seen + done.waiting, seen, width=30)
    row.add_row(title, bar, f"{_counted(seen, 'position')}, {number(done.waiting)} to come")
    return row
