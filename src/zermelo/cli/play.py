"""`zermelo play`: play a game against the computer."""

from __future__ import annotations

import random
import sys
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.common import Book, GameArgument, Moves, State, load_position, open_book
from zermelo.engine.levels import FULL, LEVELS, USUAL
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.arena.players import Player
    from zermelo.game import Game


USUAL_SECONDS = 2.0


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
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            metavar="PLAYER",
            help="Who plays the computer's part: uci:COMMAND, gtp:COMMAND, or any player of zermelo bench match.",
        ),
    ] = "",
    seconds: Annotated[float, typer.Option("--seconds", help="Seconds a move, for that opponent.")] = USUAL_SECONDS,
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

      zermelo play chess --opponent "uci:stockfish:UCI_LimitStrength=true,UCI_Elo=1500" --seconds 1
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
    given = {"--ponder": ponder, "--book": book, "--opponent": opponent}
    player = _opponent(position.game, opponent, seconds, who, given | {"--against": against}) if opponent else None
    if opponent and seconds != USUAL_SECONDS:
        given["--seconds"] = f"{seconds:g}"
    try:
        session = (LiveSession if live else Session)(
            position.game,
            who,
            level,
            Mind(position.game, ponder=ponder, book=open_book(book, position.game), luck=random.Random(seed)),
            spec=game,
            seed=seed,
            position=position,
            kept=[word for name, value in given.items() if value for word in (name, value)],
            against=against,
            opponent=player,
        )
        code = session.run()
    finally:
        if player is not None:
            player.close()
    raise typer.Exit(code)


def _opponent(game: Game, text: str, seconds: float, who: list[str], given: dict[str, str]) -> Player:
    """The player that a text names, who thinks so long for a move."""
    from zermelo.arena.recipes import parse_player
    from zermelo.search.result import Limits

    for name in ("--ponder", "--book", "--against"):
        if given[name]:
            raise BadInput(f"{name} is for the computer's own play, and --opponent plays here: leave one of them out")
    if "computer" not in who:
        raise BadInput("--opponent plays the computer's part, and nobody is the computer here: leave it out")
    if not 0 < seconds < inf:
        raise BadInput(f"--seconds must be more than 0, not {seconds:g}")
    return parse_player(text, Limits(seconds=seconds)).make(game)
