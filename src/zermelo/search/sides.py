"""Teams in a search: it is they who play, and their members who are told what came out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.recast import Teams

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.position import Position
    from zermelo.search.result import Result


def decide_by_teams(decide: Callable[..., Result], position: Position, listen: Any, **limits: Any) -> Result:
    """What `decide` finds for the teams of a game, told to all players; so is what the listener hears meanwhile."""
    game = Teams(position.game)

    def tell(result: Result) -> None:
        listen(for_players(game, result))

    return for_players(game, decide(position.recast(game), listen=tell if listen else None, **limits))


def for_players(game: Teams, result: Result) -> Result:
    """A result with every player's value in place of every team's."""
    lines = tuple(replace(line, values=game.to_players(line.values)) for line in result.lines)
    return replace(result, values=game.to_players(result.values), lines=lines)
