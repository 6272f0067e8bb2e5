"""Choices that nobody need make: dominated rows and columns, and what is left when they are taken out, again and again.

A row is *strictly* dominated by a mix of the others that gets more against every column, *weakly* by one that never
gets less and somewhere gets more; for columns the other way round. All of it is decided in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import ge, gt
from typing import NamedTuple

from zermelo.matrix.payoffs import Matrix
from zermelo.matrix.simplex import Simplex

MOST_MIXED = 1_000
"""The most payoffs of a matrix in which dominating mixes are looked for; pure strategies are in all."""


class Dominated(NamedTuple):
    """A choice of `player` ("row" or "column") that the mix `by` makes needless, from choices to probabilities."""

    player: str
    choice: int
    by: dict[int, Fraction]
    strict: bool

    @property
    def by_pure(self) -> bool:
        """Whether a single choice dominates."""
        return len(self.by) == 1


@dataclass(frozen=True)
class Elimination:
    """What is taken out, in rounds, and the rows and columns that are left.

    A round takes all dominated choices of one player at once: the strictly dominated ones as long as there are any,
    then the weakly dominated ones. The value stays. Where only strictly dominated choices go, so do all optimal mixes,
    and the order does not matter; with weakly dominated ones an optimal mix of each player stays, others may go.
    """

    rounds: tuple[tuple[Dominated, ...], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def dominated(matrix: Matrix) -> list[Dominated]:
    """The dominated rows, then the dominated columns; strictly dominated where both can be said."""
    mixed = has_mixed(matrix)
    return [*_of_player(matrix, "row", mixed), *_of_player(matrix.turned, "column", mixed)]


def eliminate(matrix: Matrix) -> Elimination:
    """Take dominated choices out until none is left."""
    mixed = has_mixed(matrix)
    left = {"row": list(range(len(matrix.rows))), "column": list(range(len(matrix.columns)))}
    rounds: list[tuple[Dominated, ...]] = []
    while True:
        part = matrix.part(left["row"], left["column"])
        found = [list(_of_player(part, "row", mixed)), list(_of_player(part.turned, "column", mixed))]
        strict = [[each for each in side if each.strict] for side in found]
        taken = next((side for side in (*strict, *found) if side), None)
        if taken is None:
            return Elimination(tuple(rounds), tuple(left["row"]), tuple(left["column"]))
        own = left[taken[0].player]
        rounds.append(tuple(each._replace(choice=own[each.choice], by=_renamed(each, own)) for each in taken))
        gone = {each.choice for each in taken}
        left[taken[0].player] = [choice for place, choice in enumerate(own) if place not in gone]


def has_mixed(matrix: Matrix) -> bool:
    """Whether the matrix is small enough for dominating mixes to be looked for."""
    return len(matrix.rows) * len(matrix.columns) <= MOST_MIXED


def _of_player(matrix: Matrix, player: str, mixed: bool) -> Iterator[Dominated]:
    """The dominated rows of a matrix."""
    for row in range(len(matrix.rows)):
        found = _by_pure(matrix, row)
        if mixed and not (found and found.strict):
            mix = _by_mix(matrix, row)
            found = mix if mix and (mix.strict or found is None) else found
        if found is not None:
            yield found._replace(player=player)


def _renamed(found: Dominated, own: list[int]) -> dict[int, Fraction]:
    return {own[choice]: share for choice, share in found.by.items()}


def _by_pure(matrix: Matrix, row: int) -> Dominated | None:
    """The row by another, strictly if possible."""
    own, weak = matrix.payoffs[row], None
    for other, payoffs in enumerate(matrix.payoffs):
        if all(map(gt, payoffs, own)):
            return Dominated("row", row, {other: Fraction(1)}, True)
        if weak is None and payoffs != own and all(map(ge, payoffs, own)):
            weak = Dominated("row", row, {other: Fraction(1)}, False)
    return weak


def _by_mix(matrix: Matrix, row: int) -> Dominated | None:
    """The row by a mix of the others.

    What the others get more than this row is a game of its own. If its value is above 0, the optimal mix dominates
    strictly. If it is 0, an optimal mix that somewhere gets more than 0 dominates weakly.
    """
    others = [other for other in range(len(matrix.rows)) if other != row]
    if not others or _is_best(matrix, row):
        return None
    # The column player of the turned game, whose payoffs are negative gains, is the one who mixes the others.
    losses = [[own - matrix.payoffs[other][j] for other in others] for j, own in enumerate(matrix.payoffs[row])]
    game = Simplex(losses)
    if game.value > 0:
        return None
    strict = game.value < 0
    mix = game.column if strict else game.spread(range(len(others), len(others) + len(losses)))
    return None if mix is None else Dominated("row", row, {o: p for o, p in zip(others, mix, strict=True) if p}, strict)


def _is_best(matrix: Matrix, row: int) -> bool:
    """Whether the row alone is the best answer to some column, so that nothing dominates it."""
    return any(
        all(column[row] > payoff for other, payoff in enumerate(column) if other != row)
        for column in zip(*matrix.payoffs, strict=True)
    )
