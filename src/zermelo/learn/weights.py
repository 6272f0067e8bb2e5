"""Weights as a file: what a fit found, as JSON, to play or to go on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.engine.book import name_of
from zermelo.errors import BadInput
from zermelo.learn.recipe import feature_names

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.learn.recipe import Weights

LARGEST = 1e300
"""No weight is as large as this."""


def write_weights(path: str | Path, game: Game, weights: Weights, **more: Any) -> None:
    """Write weights with the names of their features, and whatever else is to be told, to a file."""
    content = {"game": name_of(game), "weights": dict(zip(_unique(game), weights, strict=True)), **more}
    try:
        Path(path).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"the weights can't be written to {path}: {error.strerror}") from None


def read_weights(path: str | Path, game: Game) -> Weights:
    """The weights in a file that `write_weights` made for the same game; `BadInput` if it is none."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is no JSON, and so no file of weights") from None
    found = content.get("weights") if isinstance(content, dict) else None
    if not isinstance(found, dict) or not all(_is_number(weight) for weight in found.values()):
        raise BadInput(f'{path} is no file of weights: it needs "weights", an object of features and numbers')
    if content.get("game") != name_of(game):
        raise BadInput(f"{path} has weights for {content.get('game')}, not for {name_of(game)}")
    if list(found) != list(_unique(game)):
        raise BadInput(f"{path} has weights for other features than {game.title} has now: tune it anew")
    return tuple(float(weight) for weight in found.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


def _unique(game: Game) -> tuple[str, ...]:
    """A name for each feature that no other has."""
    names = feature_names(game)
    many = {name for name in names if names.count(name) > 1}
    return tuple(f"{name} ({place})" if name in many else name for place, name in enumerate(names, 1))
