"""`zermelo evaluate`: what the game's evaluation says of a position, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from zermelo.cli.common import GameArgument, Json, Moves, State, load_position, print_json
from zermelo.cli.show import NOTHING, number, outcome_words
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.shares import Share


def evaluate(game: GameArgument, moves: Moves = "", state: State = "", json: Json = False) -> None:
    """Evaluate a position without searching, and show the share of each feature where the game has features.

    The value and all shares are seen by the player to move. Features that add nothing are only counted, and those
    whose names differ in what follows a comma are one; --json has each.

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
    _print_terms(terms)
    known = overrides(rules, "evaluate") or terms
    note = "" if known else f" ({rules.title} has no evaluation of its own)"
    typer.echo(f"{rules.player_name(mover)}: {number(value)}{note}")


def _print_terms(terms: tuple[Share, ...]) -> None:
    """The terms that add something, the largest first; where one has several stages, what it weighs over all."""
    groups: dict[str, list[Share]] = {}
    for term in terms:
        groups.setdefault(term.name.partition(",")[0], []).append(term)
    rows = [
        (name, sum(term.feature for term in group), sum(term.share for term in group)) for name, group in groups.items()
    ]
    shown = sorted((row for row in rows if abs(row[2]) > NOTHING), key=lambda row: -abs(row[2]))
    width = max((len(name) for name, _, _ in shown), default=0)
    if shown:
        typer.echo(f"{'':{width}}  {'feature':>8}  {'weight':>7}  {'share':>8}")
    for name, feature, share in shown:
        weight = number(share / feature) if feature else ""
        typer.echo(f"{name:{width}}  {number(feature):>8}  {weight:>7}  {share:>+8.4g}")
    if hidden := len(rows) - len(shown):
        others = "no feature adds anything" if not shown else f"{hidden} more add nothing"
        typer.echo(f"({others})")


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
