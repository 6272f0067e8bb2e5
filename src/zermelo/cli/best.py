"""`zermelo best`: the best action, what it is worth, and how sure that is."""

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
    load_position,
    print_json,
    progress,
    rate,
)
from zermelo.cli.show import complain, line_words, number, outcome_words, value_words
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.result import Result

USUAL_SECONDS = 5.0
"""How long to think where no limit is given."""


def best(
    game: GameArgument,
    moves: Moves = "",
    state: State = "",
    seconds: Seconds = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Look exactly so many moves ahead.")] = None,
    nodes: Nodes = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="minimax, negamax, alphabeta, alphabeta-table, expectiminimax, maxn; else what fits best."),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", help="Show the values of so many best actions.")] = 1,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Find the best action, its value (exact, or an estimate: it says which), and the expected line.

    Without a limit it thinks for 5 seconds at most.

    Examples:

      zermelo best tic-tac-toe --moves "b2 a1"

      zermelo best connect-four --moves 44433 --seconds 10 --lines 3

      zermelo best mygame.py --depth 6 --json
    """
    from zermelo.engine.decide import decide

    position = load_position(game, state, moves)
    if seconds is depth is nodes is None:
        seconds = USUAL_SECONDS
    found: list[Result] = []
    try:
        with progress("thinking …") as status:

            def listen(result: Result) -> None:
                found.append(result)
                if status is not None:
                    status.update(f"thinking … {_summary(position, result)}")

            result = decide(
                position,
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                algorithm=algorithm,
                lines=lines,
                world=world,
                listen=listen,
            )
    except KeyboardInterrupt:
        if not found:
            raise
        complain("stopped: this is the best so far")
        result = found[-1]
    if result.note:
        complain(result.note)
    print_json(as_json(game, position, result)) if json else _print(position, result)


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
    if result.values:
        found["values"] = list(result.values)
    if len(result.lines) > 1:
        found["lines"] = [
            {"action": words[0], "value": line.value, "kind": line.kind, "line": words}
            | ({"values": list(line.values)} if line.values else {})
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
        typer.echo(f"{words[0]:<8} {value_words(game, line.value, line.kind):<28} {line_words(words)}")
    if len(result.lines) <= 1 and result.action is not None:
        words = position.line(list(result.line))
        mover = game.player_name(position.to_move)
        typer.echo(f"{words[0]}  ({mover}: {value_words(game, result.value, result.kind)})")
        typer.echo(f"line     {line_words(words)}")
    speed = rate(result.nodes, result.seconds)
    typer.echo(
        f"searched {number(result.nodes)} nodes to depth {result.depth} in {duration(result.seconds)} ({speed}) "
        f"by {result.algorithm}, {result.world}"
    )


def _summary(position: Position, result: Result) -> str:
    words = " ".join(position.line(list(result.line))[:1])
    return f"depth {result.depth}: {words} {number(result.value)}, {number(result.nodes)} nodes"
