"""Tuples of numbers in rules and searches: a changed cell, a weighted sum, one value for each player.

Native code has its own twin of each function (`zermelo.native.twins`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.game import Game


def put(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """A tuple like `items` with `item` at `index`: how a rule changes one cell of a board."""
    if not 0 <= index < len(items):
        raise IndexError(f"there is no item {index} among {len(items)}")
    return (*items[:index], item, *items[index + 1 :])


def weighted(features: tuple[float, ...], weights: tuple[float, ...]) -> float:
    """The sum of features times weights, rounded after each, as native code does it and Python's `sum` does not."""
    total = 0.0
    for feature, weight in zip(features, weights, strict=True):
        total += feature * weight
    return total


def same_for_all(game: Game, value: float) -> tuple[float, ...]:
    """A tuple with `value` for each player."""
    return (value,) * game.players


def add_scaled(total: tuple[float, ...], part: tuple[float, ...], weight: float) -> tuple[float, ...]:
    """total + weight × part, item by item."""
    return tuple(old + weight * new for old, new in zip(total, part, strict=True))
