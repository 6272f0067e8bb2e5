"""`zermelo play`: play a game against the computer."""

from __future__ import annotations

import random
import sys
from typing import Annotated

import typer

from zermelo.cli.common import Book, GameArgument, Moves, State, load_position, open_book
from zermelo.engine.levels import FULL, LEVELS, USUAL
from zermelo.errors import BadInput


def play(
    game: GameArgument,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in this terminal.")] = True,  # noqa: ARG001
    players: Annotated[
        str, typer.Option("--players", help="human or computer for each player, such as computer,human.")
    ] = "",
    level: Annotated[int, typer.Option("--level", help=f"How strong: {min(LEVELS)} (beginner) to {FULL}.")] = USUAL,
    ponder: Annotated[
        str, typer.Option("--ponder", help="Think on your time too: about the reply expected, or about all.")
    ] = "",
    typed: Annotated[
        bool, typer.Option("--typed", help="Type moves as lines, also where the game is played with single keys.")
    ] = False,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="POLICY",
            help="The computer moves by this, and does not think: random, greedy, or FILE.py:function.",
        ),
    ] = "",
    book: Book = "",
    moves: Moves = "",
    state: State = "",
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of dice and of the computer's slips.")] = None,
) -> None:
    """Play against the computer, or let it play itself. Type help at the prompt for what you can say there.

    Moves can also come through a pipe, one a line. Games such as pacman are played with the arrow keys; c lets the
    computer play, q leaves.

    Examples:

      zermelo play tic-tac-toe --terminal

      zermelo play connect-four --level 5 --players computer,human

      zermelo play othello --level 6 --ponder expected

      zermelo play pacman --players computer --level 8

      zermelo play pacman:ghosts_play=minimax --against greedy

      zermelo play mygame.py --players computer,computer
    """
    from zermelo.cli.live import LiveSession
    from zermelo.cli.terminal import Session
    from zermelo.engine.mind import Mind

    if ponder not in ("", "expected", "all"):
        raise BadInput(f"--ponder is expected or all, not {ponder!r}")
    position = load_position(game, state, moves)
    count = position.game.players
    who = players.split(",") if players else ["human"] + ["computer"] * (count - 1)
    live = bool(position.game.keys) and not typed and sys.stdin.isatty() and sys.stdout.isatty()
    session = (LiveSession if live else Session)(
        position.game,
        who,
        level,
        Mind(position.game, ponder=ponder, book=open_book(book, position.game), luck=random.Random(seed)),
        spec=game,
        seed=seed,
        position=position,
        kept=[*(["--ponder", ponder] if ponder else []), *(["--book", book] if book else [])],
        against=against,
    )
    raise typer.Exit(session.run())
