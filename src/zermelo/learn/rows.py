"""Positions as rows of a sparse matrix: one row a position, one column a feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from zermelo.crew import work_through
from zermelo.errors import BadInput, GameError
from zermelo.learn.player import points
from zermelo.learn.recipe import check_weights_matter

if TYPE_CHECKING:
    from zermelo.learn.recipe import Recipe
    from zermelo.learn.store import Sample, Store

BATCH = 1000
"""How many positions a process is given at once."""
LOOKED_AT = 100
"""How many positions show whether the evaluation depends on the weights."""

Array = np.ndarray[Any, np.dtype[Any]]


class Rows(NamedTuple):
    """All positions: `features` is sparse; `games`, `points` (1, ½ or 0 to player 0) and `values` are by row."""

    features: Any
    games: Array
    points: Array
    values: Array


class _Part(NamedTuple):
    """Some rows: how many entries each has, their columns, and the entries."""

    number: int
    lengths: Array
    columns: Array
    entries: Array


@dataclass(frozen=True)
class Extract:
    """Turns a batch of states, as text, into rows; features are asked of the rules as they are written."""

    recipe: Recipe

    def __call__(self, batch: tuple[int, list[str]]) -> _Part:
        number, texts = batch
        lengths, columns, entries = [], list[int](), list[float]()
        for text in texts:
            found = self._features(text)
            filled = [place for place, feature in enumerate(found) if feature]
            lengths.append(len(filled))
            columns += filled
            entries += [found[place] for place in filled]
        return _Part(number, np.array(lengths, np.int32), np.array(columns, np.int32), np.array(entries, np.float64))

    def _features(self, text: str) -> tuple[float, ...]:
        game = self.recipe.made
        found = tuple(float(feature) for feature in game.features(game.parse_state(text)))
        if len(found) != len(game.weights) or not all(map(isfinite, found)):
            raise GameError(
                f"{game.title}.features gives {len(found)} numbers, not {len(game.weights)} finite ones, in {text!r}: "
                "mend it, or give it as many weights"
            )
        return found


def extract(recipe: Recipe, store: Store, processes: int, listen: Callable[[int], None]) -> Rows:
    """The rows of all positions in a store; `listen` is told how many are done. `BadInput` where there are none."""
    game = recipe.made
    games, results, values = list[int](), list[float](), list[float]()

    def batches() -> Iterator[tuple[int, list[str]]]:
        samples: Iterable[Sample] = store.samples()
        number = 0
        while some := list(islice(samples, BATCH)):
            games.extend(sample.game for sample in some)
            results.extend(points(game, sample.utility) for sample in some)
            values.extend(sample.value for sample in some)
            yield number, [sample.state for sample in some]
            number += 1

    check_weights_matter(game, (game.parse_state(sample.state) for sample in islice(store.samples(), LOOKED_AT)))
    parts, done = list[_Part](), 0
    for part in work_through(Extract(recipe), batches(), processes):
        parts.append(part)
        done += len(part.lengths)
        listen(done)
    if not parts:
        played = store.counts()[0]
        raise BadInput(
            f"{store.path} has no quiet positions in {played:,} games: play more, or think less about each move, so "
            "that fewer are decided by the search"
        )
    parts.sort(key=lambda part: part.number)
    return Rows(_joined(parts, len(game.weights)), np.array(games), np.array(results), np.array(values))


def together(parts: Sequence[Rows]) -> Rows:
    """The rows of several stores as one; games of different stores are different games."""
    games, first = [], 0
    for part in parts:
        games.append(part.games + first)
        first = int(games[-1].max()) + 1
    features = vstack([part.features for part in parts], format="csr")
    points, values = (np.concatenate([part[place] for part in parts]) for place in (2, 3))
    return Rows(features, np.concatenate(games), points, values)


def _joined(parts: list[_Part], width: int) -> Any:
    """The parts, one below the other, as one matrix."""
    lengths = np.concatenate([part.lengths for part in parts])
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    columns, entries = (np.concatenate([part[place] for part in parts]) for place in (2, 3))
    return csr_array((entries, columns, starts), shape=(len(lengths), width))
