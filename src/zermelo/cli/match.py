"""`zermelo bench match`: two players, many games, and what that says about them."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from math import isfinite
from statistics import mean, median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import GameArgument, Json, Nodes, Seed, hide_progress, print_json, progress
from zermelo.cli.show import complain, elo_words
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.arena.match import Table
    from zermelo.arena.records import Record, RecordFile, Terms
    from zermelo.statistics import Sprt

MOST_GAMES = 1_000_000
STOPPED = 130
ENDINGS = {
    "rules": "by the rules",
    "repetition": "by repetition",
    "length": "as a draw by length",
    "time": "by time",
    "illegal": "by an illegal answer",
    "failure": "by a failure",
    "resigned": "by resignation",
}
FAULTS = {"late": "time", "illegal": "illegal", "failed": "failure", "resigned": "resigned"}


def match(
    game: GameArgument,
    first: Annotated[str, typer.Option("--first", metavar="PLAYER", help="Whom the figures are about.")] = "zermelo",
    second: Annotated[str, typer.Option("--second", metavar="PLAYER", help="The other one.")] = "alphabeta:depth=4",
    games: Annotated[int, typer.Option("--games", help="How many games; each opening is for two of them.")] = 40,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Seconds a move, for both; 1 if no limit.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="How far both look ahead.")] = None,
    nodes: Nodes = None,
    openings: Annotated[
        str, typer.Option("--openings", help="How many random moves, or a file with moves or a state on each line.")
    ] = "4",
    concurrency: Annotated[int, typer.Option("--concurrency", help="How many games are played at once.")] = 1,
    longest: Annotated[int, typer.Option("--longest", help="After so many moves a game is a draw.")] = 1000,
    margin: Annotated[float, typer.Option("--margin", help="Seconds a move may be late before it loses.")] = 1.0,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop as soon as one of two Elo differences is clear.")
    ] = "",
    record: Annotated[str, typer.Option("--record", metavar="FILE", help="Keep the games, as lines of JSON.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match in that file.")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    r"""Play a match: every opening with both colours; wins, draws, losses, and Elo with its 95 % interval.

    A player is zermelo, an algorithm (alphabeta:depth=4), level:3, random, greedy, FILE.py:function, uci:COMMAND or
    gtp:COMMAND; settings come behind a colon. A player who is late, answers what is no move, or is gone loses that
    game. Ctrl-C keeps what is finished.

    Examples:

      zermelo bench match connect-four --first zermelo --second alphabeta:depth=4 --seconds 0.1

      zermelo bench match othello --first uct:seconds=1 --second zermelo:depth=6 --record games.jsonl

      zermelo bench match chess --second "uci:stockfish:UCI_LimitStrength=true,UCI_Elo=2200" --concurrency 2

      zermelo bench match go --first uct:seconds=2 --second "gtp:gnugo --mode gtp --level 10"
    """
    from zermelo.arena.match import Table
    from zermelo.arena.records import RecordFile, Terms

    if seconds is depth is nodes is None:
        seconds = 1.0
    terms = Terms(game, first, second, seconds, depth, nodes, openings, longest, margin, seed)
    _refuse(terms, games, concurrency)
    if resume and not record:
        raise BadInput("--resume goes on with the games of a file: name it by --record")
    test = _sprt(sprt)
    table = Table(terms)
    try:
        names = [player.name for player in table.players]
        if (count := table.openings.count) and 2 * count < games:
            complain(f"there are {count} openings for {(games + 1) // 2} pairs of games: they come again")
        kept = RecordFile(record, terms, resume=resume) if record else None
        done, stopped = _played(table, games, concurrency, test, kept)
    finally:
        table.close()
    found = _summary(terms, names, done, test)
    if json:
        print_json(found)
    else:
        _show(found)
    if stopped:
        words = [*sys.argv[1:], *([] if resume else ["--resume"])]
        cure = f": zermelo {shlex.join(words)} goes on" if record else "; with --record it could go on later"
        complain(f"{len(done)} of {games} games are done{cure}")
        raise typer.Exit(STOPPED)


def _refuse(terms: Terms, games: int, concurrency: int) -> None:
    """Numbers that make no match."""
    bounds = {"--games": (games, MOST_GAMES), "--concurrency": (concurrency, 256), "--longest": (terms.longest, 10**6)}
    for name, (number, most) in bounds.items():
        if not 1 <= number <= most:
            raise BadInput(f"{name} is a number from 1 to {most:,}, not {number}")
    for name, value in (("seconds", terms.seconds), ("depth", terms.depth), ("nodes", terms.nodes)):
        if value is not None and not (isfinite(value) and value > 0):
            raise BadInput(f"--{name} must be more than 0, not {value:g}")
    if not (isfinite(terms.margin) and terms.margin >= 0):
        raise BadInput(f"--margin must be 0 seconds or more, not {terms.margin:g}")


def _sprt(text: str) -> Sprt | None:
    """The test that a text such as 0,20 writes."""
    from zermelo.statistics import Sprt

    if not text:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = 0.0
    if not -1000 <= low < high <= 1000:
        raise BadInput(f"--sprt is two differences in Elo, the smaller first, such as 0,20, not {text!r}")
    return Sprt(low, high)


def _played(
    table: Table, games: int, concurrency: int, test: Sprt | None, kept: RecordFile | None
) -> tuple[dict[int, Record], bool]:
    """The games by number, those of the file among them, and whether somebody stopped the match."""
    from zermelo.arena.match import play_match
    from zermelo.arena.records import pairs_of

    done = {number: game for number, game in (kept.kept if kept else {}).items() if number < games}
    missing = [number for number in range(games) if number not in done]
    if test and test.decision(pairs_of(done.values())):
        missing = []
    running = play_match(table, missing, concurrency)
    try:
        with progress("playing …") as status:
            for record in running:
                done[record.game] = record
                if kept:
                    kept.add(record)
                if status is not None:
                    status.update(_so_far(done, games))
                if test and test.decision(pairs_of(done.values())):
                    break
    except KeyboardInterrupt:
        hide_progress()
        return done, True
    finally:
        running.close()  # type: ignore[attr-defined]
        if kept:
            kept.close()
    return done, False


def _so_far(done: dict[int, Record], games: int) -> str:
    from zermelo.arena.records import pairs_of
    from zermelo.statistics import Standing

    now = Standing.of(pairs_of(done.values()))
    score = f"+{now.wins} ={now.draws} -{now.losses}, {now.score:.1%}"
    return f"{now.games} of {games} games: {score}, {elo_words(now.elo, now.elo_low, now.elo_high)}"


def _summary(terms: Terms, names: Sequence[str], done: dict[int, Record], test: Sprt | None) -> dict[str, Any]:
    """All there is to tell, as data."""
    from dataclasses import asdict

    from zermelo.arena.records import pairs_of
    from zermelo.statistics import Standing

    records = [done[number] for number in sorted(done)]
    pairs = pairs_of(records)
    now = Standing.of(pairs)
    return {
        **asdict(terms),
        **now.figures(),
        "sprt": None if test is None else _tested(test, pairs),
        "players": [_player(names[who], who, records) for who in (0, 1)],
        "endings": dict(Counter(record.ending for record in records)),
        "faults": [_fault(record) for record in records if record.loser],
    }


def _tested(test: Sprt, pairs: list[list[float]]) -> dict[str, Any]:
    ratio, decided = test.ratio(pairs), test.decision(pairs)
    return {"elo0": test.elo0, "elo1": test.elo1, "ratio": ratio, "bound": test.bound, "decision": decided}


def _player(name: str, who: int, records: Sequence[Record]) -> dict[str, Any]:
    """What one player took for his moves, and how often he lost by his own doing."""
    times = [time for record in records for time in record.seconds[who]] or [0.0]
    lost = Counter(record.ending for record in records if record.loser == ("first", "second")[who])
    return {
        "name": name,
        "moves": sum(len(record.seconds[who]) for record in records),
        "mean_seconds": mean(times),
        "median_seconds": median(times),
        "longest_seconds": max(times),
        **{fault: lost[ending] for fault, ending in FAULTS.items()},
    }


def _fault(record: Record) -> dict[str, Any]:
    return {"game": record.game + 1, "loser": record.loser, "ending": record.ending, "reason": record.reason}


def _show(found: dict[str, Any]) -> None:
    """The same as text, but for who gave up when: that is no fault."""
    typer.echo(f"{found['game']}: {found['first']} against {found['second']}, {found['games']} games")
    typer.echo(
        f"wins {found['wins']}, draws {found['draws']}, losses {found['losses']}: score {found['score']:.1%} "
        f"(95 %: {found['score_low']:.1%} to {found['score_high']:.1%})"
    )
    elo = elo_words(found["elo"], found["elo_low"], found["elo_high"])
    typer.echo(f"{elo}, likelihood of superiority {found['superiority']:.1%}")
    if found["sprt"]:
        typer.echo(_sprt_words(found["sprt"]))
    ended = [f"{count} {ENDINGS[ending]}" for ending, count in found["endings"].items()]
    typer.echo(f"games ended: {', '.join(ended) or 'none'}")
    for who, each in zip(("first", "second"), found["players"], strict=True):
        times = [f"{name} {duration(each[f'{name}_seconds'])}" for name in ("mean", "median", "longest")]
        typer.echo(f"{who}: {each['name']}, {each['moves']} moves, {', '.join(times)}{_lost(each)}")
    faults = [fault for fault in found["faults"] if fault["ending"] != "resigned"]
    for fault in faults[:10]:
        typer.echo(
            f"game {fault['game']}: the {fault['loser']} player lost {ENDINGS[fault['ending']]}: {fault['reason']}"
        )
    if len(faults) > 10:
        typer.echo(f"… and {len(faults) - 10} more such games")


def _lost(player: dict[str, Any]) -> str:
    """How often a player lost by his own doing, if he did."""
    words = [f"{player[fault]} {ENDINGS[ending]}" for fault, ending in FAULTS.items() if player[fault]]
    return f"; lost {', '.join(words)}" if words else ""


def _sprt_words(test: dict[str, Any]) -> str:
    bounds = f"log-likelihood ratio {test['ratio']:.2f} (decides at ±{test['bound']:.2f})"
    if not test["decision"]:
        return f"nothing decided between {test['elo0']:g} and {test['elo1']:g} Elo: {bounds}"
    other = "elo0" if test["decision"] == "elo1" else "elo1"
    return f"decided for {test[test['decision']]:g} Elo, against {test[other]:g}: {bounds}"
