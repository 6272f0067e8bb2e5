"""Matrix games by name: those that ship, with their parameters, and files."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator
from importlib import resources
from math import comb, isqrt
from pathlib import PurePath

from zermelo.errors import BadInput
from zermelo.matrix.payoffs import MOST_ENTRIES, Matrix, brief, refuse_large
from zermelo.matrix.reading import parse_matrix, read_matrix
from zermelo.registry import arguments


def rock_paper_scissors() -> Matrix:
    """Rock breaks scissors, scissors cut paper, paper wraps rock."""
    return _shipped("rock-paper-scissors")


def matching_pennies() -> Matrix:
    """Both show a side of a coin: the row player wins if they match, the column player if not."""
    return _shipped("matching-pennies")


def morra(fingers: int = 2) -> Matrix:
    """Both show some fingers and guess what the other shows; who alone guesses right gets the sum of all fingers.

    The name of a choice is what is shown and what is guessed: 1-2.
    """
    most = isqrt(isqrt(MOST_ENTRIES))
    if not 1 <= fingers <= most:
        raise BadInput(f"morra needs 1 to {most} fingers, not {fingers}")
    plays = [(shown, guess) for shown in range(1, fingers + 1) for guess in range(1, fingers + 1)]
    payoffs = [[(mine[0] + yours[0]) * _won(mine, yours) for yours in plays] for mine in plays]
    names = [f"{shown}-{guess}" for shown, guess in plays]
    return Matrix.of(payoffs, names, names, f"morra with {fingers} fingers")


def blotto(soldiers: int = 6, fields: int = 3, enemy: int | None = None) -> Matrix:
    """Both spread their soldiers over the fields; who has more in a field wins it.

    The payoff is the fields won less the fields lost. `enemy` is how many soldiers the column player has, if not
    as many.
    """
    armies = soldiers, soldiers if enemy is None else enemy
    if not (1 <= fields <= 20 and all(0 <= army <= 1000 for army in armies)):
        raise BadInput("blotto needs 1 to 20 fields and 0 to 1,000 soldiers on each side")
    refuse_large("blotto", *(comb(army + fields - 1, army) for army in armies))
    mine, yours = (list(_spread(army, fields)) for army in armies)
    payoffs = [[sum((a > b) - (a < b) for a, b in zip(us, them, strict=True)) for them in yours] for us in mine]
    rows, columns = (["-".join(map(str, army)) for army in side] for side in (mine, yours))
    against = "" if enemy is None else f" against {enemy}"
    return Matrix.of(payoffs, rows, columns, f"blotto with {soldiers} soldiers{against} on {fields} fields")


LIBRARY: dict[str, Callable[..., Matrix]] = {
    "blotto": blotto,
    "matching-pennies": matching_pennies,
    "morra": morra,
    "rock-paper-scissors": rock_paper_scissors,
}
"""The matrix games that have a name."""


def load_matrix(text: str) -> Matrix:
    """The matrix that a text names: `morra`, `blotto:soldiers=6,fields=3`, `payoffs.csv`; `-` is the standard input."""
    name, _, words = text.strip().partition(":")
    simple = name.lower().replace("_", "-")
    if simple in LIBRARY:
        return LIBRARY[simple](**arguments(LIBRARY[simple], words, simple))
    if text == "-" or PurePath(text).suffix or "/" in text or os.path.exists(text):
        return read_matrix(text)
    hint = "".join(f"did you mean {guess}? " for guess in difflib.get_close_matches(simple, LIBRARY, 1))
    raise BadInput(f"unknown matrix {brief(name)}: {hint}there are {', '.join(LIBRARY)}, and payoffs.csv reads a file")


def _shipped(name: str) -> Matrix:
    file = resources.files("zermelo.matrix") / "data" / f"{name}.csv"
    return parse_matrix(file.read_text(encoding="utf-8"), f"{name}.csv", name)


def _won(mine: tuple[int, int], yours: tuple[int, int]) -> int:
    """1 where only the first guesses right, -1 where only the second does, else 0."""
    return (mine[1] == yours[0]) - (yours[1] == mine[0])


def _spread(soldiers: int, fields: int) -> Iterator[tuple[int, ...]]:
    """All ways to spread soldiers over fields, most in the first field first."""
    if fields == 1:
        yield (soldiers,)
        return
    for first in range(soldiers, -1, -1):
        for rest in _spread(soldiers - first, fields - 1):
            yield (first, *rest)
