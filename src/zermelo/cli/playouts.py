"""`zermelo playouts`: what comes of random games, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.common import (
    GameArgument,
    Json,
    Moves,
    Seed,
    State,
    World,
    load_position,
    print_json,
    progress,
    rate,
)
from zermelo.cli.show import complain, number
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.montecarlo.playouts import Playouts

MOST_SHOWN = 20
"""How many different results are shown."""


def playouts(
    game: GameArgument,
    games: Annotated[int, typer.Option("--games", help="How many games to play.")] = 10_000,
    moves: Moves = "",
    state: State = "",
    seed: Seed = 0,
    device: Annotated[str, typer.Option("--device", help="Where to play: auto, cpu or cuda.")] = "auto",
    threads: Annotated[int, typer.Option("--threads", help="How many threads of the CPU play.")] = 1,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Play games at random from a position, and count how they end: a first idea of what the position is worth.

    The same seed gives the same counts on the CPU, in any number of threads, and on a CUDA GPU.

    Examples:

      zermelo playouts connect-four --games 1000000

      zermelo playouts backgammon --games 100000000 --device cuda --seed 7

      zermelo playouts mygame.py --moves "1 2" --json
    """
    from zermelo.montecarlo.playouts import playouts

    position = load_position(game, state, moves)
    with progress(f"playing {game} …") as status:

        def listen(now: Playouts) -> None:
            if status is not None:
                status.update(f"playing {game}: {number(now.games)} of {number(games)} games …")

        found = playouts(
            position.game,
            position.state,
            games,
            seed=seed,
            device=device,
            threads=threads,
            world=world,
            listen=listen,
        )
    if found.note:
        complain(found.note)
    if json:
        print_json(_as_json(game, position.game, found, seed))
    else:
        _print(position.game, found)


def _as_json(name: str, game: Game, found: Playouts, seed: int) -> dict[str, object]:
    players = range(game.players)
    return {
        "game": name,
        "games": found.games,
        "seed": seed,
        "results": [{"utilities": list(values), "games": count} for values, count in found.results.items()],
        "unfinished": found.unfinished,
        "mean": [found.mean(player) for player in players],
        "error": [found.error(player) for player in players],
        "moves": found.moves,
        "seconds": round(found.seconds, 6),
        "device": found.device,
    }


def _print(game: Game, found: Playouts) -> None:
    ranked = sorted(found.results.items(), key=lambda item: -item[1])
    for values, count in ranked[:MOST_SHOWN]:
        words = ", ".join(f"{game.player_name(player)} {value:g}" for player, value in enumerate(values))
        typer.echo(f"{count / found.games:>7.2%}  {number(count):>14}  {words}")
    if len(ranked) > MOST_SHOWN:
        rest = sum(count for _, count in ranked[MOST_SHOWN:])
        typer.echo(f"{rest / found.games:>7.2%}  {number(rest):>14}  {len(ranked) - MOST_SHOWN} other results")
    if found.unfinished:
        typer.echo(f"{found.unfinished / found.games:>7.2%}  {number(found.unfinished):>14}  broken off")
    for player in range(game.players):
        error = 1.96 * found.error(player)
        typer.echo(f"mean for {game.player_name(player)}: {found.mean(player):.4g} ± {error:.2g}")
    length = f"{found.moves / found.games:.1f} moves a game"
    typer.echo(f"{length}, {duration(found.seconds)}, {rate(found.games, found.seconds)} games, {found.device}")
