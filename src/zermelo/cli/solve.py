"""`zermelo solve`: exact values, of one position or of a file of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import (
    GameArgument,
    Json,
    Moves,
    Nodes,
    Seconds,
    State,
    World,
    load_game,
    load_position,
    print_json,
    progress,
    rate,
    read_lines,
)
from zermelo.cli.show import complain, line_words, number, outcome_words, value_words
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.position import Position
    from zermelo.solver.exact import Solution


def solve(
    game: GameArgument,
    moves: Moves = "",
    state: State = "",
    positions: Annotated[
        str, typer.Option("--positions", help="A file: each line some moves or a state, and the value if known.")
    ] = "",
    seconds: Seconds = None,
    nodes: Nodes = None,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Solve a position exactly: its value, and the value of every action.

    In a file of positions, what is known of a line's value may follow the moves of a compact game after a space
    (`44433 2`), or any line after a semicolon; it is compared, and exit code 1 tells that something differed.

    Examples:

      zermelo solve tic-tac-toe

      zermelo solve nim:stones=100 --json

      zermelo solve connect-four:margin=1 --positions endgames.txt --json
    """
    if positions:
        _solve_file(game, positions, nodes, seconds, world, json)
        return
    from zermelo.solver.exact import solve as solve_position

    position = load_position(game, state, moves)
    with progress(f"solving {game} …"):
        found = solve_position(position, actions=True, nodes=nodes, seconds=seconds, world=world)
    if found.note:
        complain(found.note)
    print_json(_as_json(position, found, True)) if json else _print(position, found)


def _solve_file(spec: str, path: str, nodes: int | None, seconds: float | None, world: str, json: bool) -> None:
    """Each position of a file, in the file's order, printed as soon as it is solved."""
    from zermelo.solver.exact import solve as solve_position

    game = load_game(spec)
    differ = 0
    for count, line in enumerate(read_lines(path), 1):
        position, known = _parse_line(game, line, f"{path} line {count}")
        found = solve_position(position, nodes=nodes, seconds=seconds, world=world)
        wrong = known is not None and known != found.value
        differ += wrong
        if json:
            about = {"position": line.partition(";")[0].strip(), **_as_json(position, found, False)}
            print_json(about | ({"expected": known, "agrees": not wrong} if known is not None else {}))
        else:
            expected = f"  expected {number(known)}" if known is not None and wrong else ""
            typer.echo(f"{line}  value {number(found.value)}  {duration(found.seconds)}{expected}")
    if differ:
        complain(f"{'1 value differs' if differ == 1 else f'{differ} values differ'} from what {path} says")
        raise typer.Exit(1)


def _parse_line(game: Game, line: str, where: str) -> tuple[Position, float | None]:
    from zermelo.position import Position

    text, _, known = (part.strip() for part in line.partition(";"))
    words = text.split()
    if not known and game.compact and len(words) == 2:
        text, known = words
    try:
        value = float(known) if known else None
    except ValueError:
        raise BadInput(f"{where}: {known!r} is not a number") from None
    try:
        return Position.from_text(game, moves=text), value
    except BadInput as as_moves:
        try:
            return Position.from_text(game, state=text), value
        except BadInput:
            raise BadInput(f"{where}: {as_moves}") from None


def _as_json(position: Position, found: Solution, actions: bool) -> dict[str, Any]:
    words = position.line(list(found.line))
    answer: dict[str, Any] = {
        "action": words[0] if words else None,
        "value": found.value,
        "kind": "exact",
        "line": words,
        "depth": len(words),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "algorithm": found.algorithm,
        "world": found.world,
    }
    if actions:
        answer["actions"] = {position.line([line.action])[0]: line.value for line in found.actions}
    return answer | ({"values": list(found.values)} if found.values else {})


def _print(position: Position, found: Solution) -> None:
    game = position.game
    if position.is_terminal:
        typer.echo(f"the game is over: {outcome_words(game, position.utilities)}")
        return
    value = value_words(game, found.value, "exact")
    chance = f"chance moves; to {game.player_name(0)}"
    typer.echo(f"{chance if position.is_chance else game.player_name(position.to_move)}: {value}")
    for line in found.actions:
        words = position.line(list(line.actions))
        typer.echo(f"{words[0]:<8} {value_words(game, line.value, 'exact'):<20} {line_words(words)}")
    speed = rate(found.nodes, found.seconds)
    typer.echo(f"solved with {number(found.nodes)} nodes in {duration(found.seconds)} ({speed}), {found.world}")
