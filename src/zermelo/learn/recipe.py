"""A game with other weights, and how it gets into another process.

`weights` is compiled as a constant, so other weights are another game: it has kernels of its own.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import isfinite
from typing import Any

from zermelo.errors import BadInput
from zermelo.game import Game, overrides
from zermelo.registry import load, spec
from zermelo.search.suitability import why_no_value

Weights = tuple[float, ...]
NUMBER = re.compile(r"\d+")


class Recipe:
    """A game, and the weights to play it with where these are not its own. It pickles as text, so the game needs a name
    or a file where other processes are to have it."""

    def __init__(self, game: Game, weights: Weights | None = None) -> None:
        self.game, self.weights = game, weights

    @cached_property
    def made(self) -> Game:
        """The game with the weights."""
        return self.game if self.weights is None else reweighted(self.game, self.weights)

    def __reduce__(self) -> Any:
        return _loaded, (spec(self.game), self.weights)


def _loaded(text: str, weights: Weights | None) -> Recipe:
    return Recipe(load(text), weights)


def reweighted(game: Game, weights: Sequence[float]) -> Game:
    """The same game with other weights, made anew: what its `__init__` derives from them is derived from these."""
    given = tuple(float(weight) for weight in weights)
    if len(given) != len(game.weights) or not all(map(isfinite, given)):
        raise BadInput(f"{game.title} has {len(game.weights)} weights: give as many finite numbers, not {len(given)}")
    kind: Any = type(game.title, (type(game),), {"weights": given, "__doc__": type(game).__doc__})
    bound = inspect.signature(game.__init__).bind_partial()  # type: ignore[misc]
    bound.arguments.update(game.parameters)
    made: Game = kind(*bound.args, **bound.kwargs)
    if made.weights != given:
        vars(made)["weights"] = given
    return made


def feature_names(game: Game) -> tuple[str, ...]:
    """What to call the features: the game's names, else their numbers."""
    return game.feature_names or tuple(f"feature {number}" for number in range(1, len(game.weights) + 1))


def neighbours(names: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Pairs of features that are alike: whose names are the same but for their numbers, which are all 1 more.

    >>> neighbours(["pawn on row 2", "pawn on row 3", "king on row 3"])
    ((0, 1),)
    """
    kinds = [(NUMBER.sub("#", name), tuple(map(int, NUMBER.findall(name)))) for name in names]
    places = {kind: place for place, kind in enumerate(kinds)}
    after = [places.get((text, tuple(number + 1 for number in numbers)), -1) for text, numbers in kinds]
    return tuple((place, other) for place, other in enumerate(after) if other not in (-1, place))


def check_tunable(game: Game) -> None:
    """`BadInput` for a game whose evaluation can't be tuned, and why."""
    if not overrides(game, "features"):
        raise BadInput(f"{game.title} has no features: give it features(state) and weights, and they can be tuned")
    if why_no_value(game) or game.players != 2:
        raise BadInput(
            f"tuning is for two players with utilities of constant sum, and {game.title} is no such game: "
            "its features would have to say who gains what"
        )
    found = len(tuple(game.features(game.initial())))
    if found != len(game.weights) or found == 0:
        what = f"{game.title}.features gives {found} numbers for {len(game.weights)} weights"
        raise BadInput(f"{what}: give each a weight, 0.0 to begin with")
    if game.feature_names and len(game.feature_names) != found:
        raise BadInput(f"{game.title} has {len(game.feature_names)} feature_names for {found} features: give one each")


def check_weights_matter(game: Game, states: Iterable[Any]) -> None:
    """`BadInput` if the evaluation of none of these states depends on the weights."""
    other = reweighted(game, tuple(weight + 1.0 for weight in game.weights))
    seen = False
    for state in states:
        if any(game.features(state)):
            seen = True
            if game.evaluate(state, 0) != other.evaluate(state, 0):
                return
    if seen:
        raise BadInput(f"{game.title}.evaluate does not depend on its weights, so tuning them would change nothing")
