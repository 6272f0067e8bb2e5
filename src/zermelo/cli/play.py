"""`zermelo play`: play a game against the computer."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.cli.common import GameArgument, Moves, State, load_position
from zermelo.cli.levels import FULL, LEVELS, USUAL, limits


def play(
    game: GameArgument,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in this terminal.")] = True,  # noqa: ARG001
    players: Annotated[
        str, typer.Option("--players", help="human or computer for each player, such as computer,human.")
    ] = "",
    level: Annotated[int, typer.Option("--level", help=f"How strong: {min(LEVELS)} (beginner) to {FULL}.")] = USUAL,
    moves: Moves = "",
    state: State = "",
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of dice and of the computer's slips.")] = None,
) -> None:
    """Play against the computer, or let it play itself. Type help at the prompt for what you can say there.

    Moves can also come through a pipe, one a line.

    Examples:

      zermelo play tic-tac-toe --terminal

      zermelo play connect-four --level 5 --players computer,human

      zermelo play mygame.py --players computer,computer
    """
    from zermelo.cli.terminal import Session
    from zermelo.engine.decide import decide

    position = load_position(game, state, moves)
    count = position.game.players
    who = players.split(",") if players else ["human"] + ["computer"] * (count - 1)
    session = Session(
        position.game,
        who,
        level,
        lambda where, strength: decide(where, **limits(strength)),
        spec=game,
        seed=seed,
        position=position,
    )
    raise typer.Exit(session.run())
