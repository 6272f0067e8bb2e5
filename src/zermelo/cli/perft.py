"""`zermelo perft`: leaf counts of the game tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.common import GameArgument, Json, Moves, State, World, load_position, print_json, progress, rate
from zermelo.cli.show import complain
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from zermelo.position import Position


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=1000, help="How many moves deep to count.")],
    moves: Moves = "",
    state: State = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count each first move on its own.")] = False,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Count the ways of exactly DEPTH moves: the proof that rules are right, and a measure of speed.

    Compare the count with a published one, or with your own by hand: a wrong rule shows within a few moves.

    Examples:

      zermelo perft connect-four 9

      zermelo perft tic-tac-toe 9 --divide

      zermelo perft mygame.py 5 --world interpreted
    """
    from zermelo.search.perft import count_each, count_leaves

    position = load_position(game, state, moves)
    with progress(f"counting {game} to depth {depth} …"):
        if divide and depth > 0:
            children = _children(position)
            counts = count_each([after for _, after in children], depth - 1, world)
            parts = {word: count for (word, _), count in zip(children, counts, strict=True)}
        else:
            parts = {"": count_leaves(position, depth, world)}
    spent = sum(count.seconds for count in parts.values())
    leaves = sum(count.leaves for count in parts.values())
    where = next((count.world for count in parts.values()), "interpreted")
    note = next((count.note for count in parts.values() if count.note), "")
    if note:
        complain(note)
    if json:
        about = {"game": game, "depth": depth, "leaves": leaves, "seconds": round(spent, 6), "world": where}
        print_json(about | ({"divide": {word: count.leaves for word, count in parts.items()}} if divide else {}))
        return
    for word, count in parts.items() if divide and depth > 0 else ():
        typer.echo(f"{word:<8} {count.leaves}")
    typer.echo(str(leaves))
    typer.echo(f"{duration(spent)}, {rate(leaves, spent)} leaves, {where}", err=True)


def _children(position: Position) -> list[tuple[str, Position]]:
    """Each move from a position with the position after it."""
    found = []
    for action in position.moves:
        after = position.copy()
        after.push(action)
        found.append((position.line([action])[0], after))
    return found
