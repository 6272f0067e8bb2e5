"""Choices that nobody need make: dominated rows and columns, and what is left when they are taken out, again and again.

A row is *strictly* dominated by a mix of the others that gets more against every column, *weakly* by one that never
gets less and somewhere gets more; for columns the other way round. All of it is decided in fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.matrix.payoffs import Matrix
from zermelo.matrix.simplex import Simplex

MOST_COMPARED = 6 * 10**7
"""The most payoffs to compare in a round; where there are more, nothing is looked for."""


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
    """What is dominated at first, what is taken out, in rounds, and the rows and columns that are left.

    A round takes all dominated choices of one player at once: the strictly dominated ones as long as there are any,
    then the weakly dominated ones. The value stays. Where only strictly dominated choices go, so do all optimal mixes,
    and the order does not matter; with weakly dominated ones an optimal mix of each player stays, others may go.
    """

    dominated: tuple[Dominated, ...]
    rounds: tuple[tuple[Dominated, ...], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def dominated(matrix: Matrix) -> list[Dominated]:
    """The dominated rows, then the dominated columns; strictly dominated where both can be said."""
    scan = _Scan(matrix)
    return [*scan.of("row"), *scan.of("column")]


def eliminate(matrix: Matrix) -> Elimination:
    """Take dominated choices out until none is left."""
    scan = _Scan(matrix)
    found = first = scan.of("row"), scan.of("column")
    rounds: list[tuple[Dominated, ...]] = []
    while taken := _next_round(found):
        rounds.append(tuple(taken))
        scan.take_out(taken)
        found = scan.of("row"), scan.of("column")
    return Elimination((*first[0], *first[1]), tuple(rounds), tuple(scan.left["row"]), tuple(scan.left["column"]))


def looks_at_all(matrix: Matrix) -> bool:
    """Whether the matrix is small enough to compare each row, and each column, with all others."""
    height, width = matrix.shape
    return height * width * (height + width) <= MOST_COMPARED


def _next_round(found: tuple[list[Dominated], list[Dominated]]) -> list[Dominated]:
    """What to take out next of the dominated rows and columns: one player's strictly dominated ones first."""
    strict = [[each for each in side if each.strict] for side in found]
    return next((side for side in (*strict, *found) if side), [])


class _Scan:
    """Looks for what is dominated among the rows and columns that are left."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix, self.mixes, self.compares = matrix, matrix.is_small, looks_at_all(matrix)
        self.left = {"row": list(range(len(matrix.rows))), "column": list(range(len(matrix.columns)))}
        self.ranks: Any = _ranks(matrix) if self.compares else None

    def take_out(self, taken: list[Dominated]) -> None:
        gone = {each.choice for each in taken}
        player = taken[0].player
        self.left[player] = [choice for choice in self.left[player] if choice not in gone]

    def of(self, player: str) -> list[Dominated]:
        """What is dominated of one player's choices, all numbered as in the whole matrix."""
        if not self.compares:
            return []
        ranks = self.ranks[self.left["row"]][:, self.left["column"]]
        ranks = ranks if player == "row" else -ranks.T
        part = self.matrix.part(self.left["row"], self.left["column"]) if self.mixes else None
        if part and player == "column":
            part = part.turned
        own = self.left[player]
        found = (_of_row(ranks, part, place) for place in range(len(own)))
        return [
            Dominated(player, own[each.choice], {own[choice]: share for choice, share in each.by.items()}, each.strict)
            for each in found
            if each
        ]


def _of_row(ranks: Any, part: Matrix | None, row: int) -> Dominated | None:
    """Whether a row is dominated: by a row, or strictly or failing that by a mix where there is a `part` to mix in."""
    pure = _by_pure(ranks, row)
    if part is None or (pure and pure.strict):
        return pure
    mix = _by_mix(part, row)
    return mix if mix and (mix.strict or pure is None) else pure


def _by_pure(ranks: Any, row: int) -> Dominated | None:
    """The row by another, strictly if possible; payoffs are given by their ranks, which are in the same order."""
    never_less = (ranks >= ranks[row]).all(axis=1)
    if never_less.sum() == 1:
        return None
    for strict, where in (
        (True, (ranks > ranks[row]).all(axis=1)),
        (False, never_less & (ranks > ranks[row]).any(axis=1)),
    ):
        if where.any():
            return Dominated("row", row, {int(where.argmax()): Fraction(1)}, strict)
    return None


def _ranks(matrix: Matrix) -> Any:
    """The payoffs as whole numbers in the same order, small enough for NumPy."""
    import numpy as np

    places = {payoff: place for place, payoff in enumerate(sorted({p for row in matrix.payoffs for p in row}))}
    return np.array([[places[payoff] for payoff in row] for row in matrix.payoffs], dtype=np.int32)


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
