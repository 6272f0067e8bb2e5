"""`zermelo check`: is this game well made?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.common import GameArgument, Json, Seed, print_json, progress, rate
from zermelo.cli.show import complain, number
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from rich.text import Text

    from zermelo.check import Report


def check(
    game: GameArgument,
    plies: Annotated[int, typer.Option("--plies", min=1, help="How much random play to look at.")] = 20_000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game is well made: the contract, the agreement of its worlds, its claims, its counts and its speed.

    Every method is tried in random play, interpreted and native side by side;
    what the game claims of values is held against exact ones. What is wrong is
    named with the method, the state and the cure; exit code 2 tells that there
    was an error.

    Examples:

      zermelo check connect-four

      zermelo check mygame.py

      zermelo check mygame.py:MyGame --plies 100000 --seed 7 --json
    """
    from zermelo.check import check_game
    from zermelo.registry import load

    made = load(game, tried=False)
    with progress(f"checking {game} …") as status:

        def listen(stage: str, done: int, total: int) -> None:
            if status is not None:
                status.update(f"checking {game}: {stage}" + (f" {done:,} of {total:,}" if total > 1 else ""))

        report = check_game(made, plies=plies, seed=seed, listen=listen)
    if json:
        print_json(report.as_dict())
    else:
        _print(report)
    if not report.passed:
        raise typer.Exit(2)


def _print(report: Report) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in _counts(report):
        console.print(line, soft_wrap=True)
    for finding in report.findings:
        style = "bold red" if finding.severity == "error" else "bold yellow"
        times = f" ({finding.times:,} times)" if finding.times > 1 else ""
        console.print(Text.assemble((f"{finding.severity}: ", style), finding.sentence, times), soft_wrap=True)
    console.print(Text(report.verdict, "bold green" if report.passed else "bold red"), soft_wrap=True)
    if report.seconds > 60:
        complain(f"checking took {duration(report.seconds)}: fewer --plies are quicker")


def _counts(report: Report) -> list[Text]:
    """What was met in play, in a few lines."""
    from rich.text import Text

    counts, speed = report.counts, report.speed
    rows = [
        ("play", f"{counts.plies:,} plies in {counts.games:,} games, {counts.states:,} different states"),
        ("length", _range(counts.shortest_game, counts.longest_game)),
        ("actions", f"{number(round(counts.average_actions, 2))} on average, {counts.most_actions} at most"),
        ("ends", "  ".join("/".join(number(value) for value in ends) for ends in counts.utilities[:8])),
        ("perft", " ".join(f"{count:,}" for count in counts.perft)),
        ("keys", _keys(report)),
        ("worlds", report.worlds),
        ("claims", report.claims),
    ]
    if speed.interpreted_plies_per_second:
        native = speed.native_plies_per_second
        fast = f", {rate(native, 1)} native" if native else ""
        rows.append(("speed", f"{rate(speed.interpreted_plies_per_second, 1)} plies interpreted{fast}"))
    return [Text.assemble((f"{name:<9}", "dim"), text) for name, text in rows if text]


def _keys(report: Report) -> str:
    """How well the keys tell states apart."""
    counts = report.counts
    shared = f", {counts.merged_states:,} states share one" if counts.merged_states else ""
    spread = f", spread {counts.key_spread:.2f}" if counts.key_spread is not None else ""
    return f"{counts.keys:,} different{shared}{spread}" if counts.keys else ""


def _range(shortest: int | None, longest: int | None) -> str:
    if shortest is None or longest is None:
        return "no game came to an end"
    return f"{shortest:,} plies" if shortest == longest else f"{shortest:,} to {longest:,} plies"
