"""`zermelo evaluate`: what the game's evaluation says of a position, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from zermelo.cli.common import GameArgument, Json, Moves, State, load_position, print_json
from zermelo.cli.show import number, outcome_words
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.shares import Share


def evaluate(game: GameArgument, moves: Moves = "", state: State = "", json: Json = False) -> None:
    """Evaluate a position without searching, and show the share of each feature where the game has features.

    The value and all shares are seen by the player to move.

    Examples:

      zermelo evaluate othello --moves "f5 d6 c3 d3 c4"

      zermelo evaluate mygame.py --state "…" --json
    """
    from zermelo.game import overrides
    from zermelo.search.shares import shares

    position = load_position(game, state, moves)
    rules = position.game
    if position.is_terminal:
        raise BadInput(f"the game is over there: {outcome_words(rules, position.utilities)}")
    mover = max(position.to_move, 0)
    value = float(rules.evaluate(position.state, mover))
    terms = shares(rules, position.state, mover) if overrides(rules, "features") else ()
    if json:
        print_json(_as_json(game, position, mover, value, terms))
        return
    if terms:
        width = max(len(term.name) for term in terms)
        typer.echo(f"{'':{width}}  {'feature':>8}  {'weight':>7}  {'share':>8}")
        for term in sorted(terms, key=lambda term: -abs(term.share)):
            cells = f"{number(term.feature):>8}  {number(term.weight):>7}  {term.share:>+8.4g}"
            typer.echo(f"{term.name:{width}}  {cells}")
    known = overrides(rules, "evaluate") or terms
    note = "" if known else f" ({rules.title} has no evaluation of its own)"
    typer.echo(f"{rules.player_name(mover)}: {number(value)}{note}")


def _as_json(game: str, position: Position, mover: int, value: float, terms: tuple[Share, ...]) -> dict[str, Any]:
    return {
        "game": game,
        "state": str(position),
        "player": mover,
        "value": value,
        "features": [
            {"name": term.name, "feature": term.feature, "weight": term.weight, "share": term.share} for term in terms
        ],
    }
