"""`zermelo bench facts`: what is published about whole games, found anew."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from zermelo.cli.common import Json, print_json, progress, say, tell
from zermelo.cli.show import number
from zermelo.cli.show import seconds as duration


def facts(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only facts about these.")] = None,
    json: Json = False,
) -> None:
    """Find anew what is published about whole games: leaf counts, and the values of games that were solved.

    All must be right; the exit code is 1 if one is not. Kalah and Qubic take some ten minutes each; each fact is
    told as soon as it is found. Tables take two gigabytes.

    Examples:

      zermelo bench facts

      zermelo bench facts chess checkers
    """
    from zermelo.bench.facts import facts as find

    wrong = 0
    with progress("finding …") as status:
        for finding in find(games or (), progress=lambda what: tell(status, f"finding {what} …")):
            wrong += not finding.right
            if json:
                print_json({**asdict(finding), "right": finding.right})
            else:
                found = number(finding.found) + ("" if finding.right else f", not {number(finding.published)}")
                spent = f"{number(finding.nodes)} nodes in {duration(finding.seconds)}"
                say(f"{finding.game}: {finding.what} {found} ({finding.source}), {spent}")
    if wrong:
        raise typer.Exit(1)
