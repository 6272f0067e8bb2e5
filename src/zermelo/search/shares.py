"""Why an evaluation is what it is: the share of each feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import BadInput
from zermelo.game import overrides

if TYPE_CHECKING:
    from zermelo.game import Game


class Share(NamedTuple):
    """One term of an evaluation: the feature, its weight, and their product, all seen by one player."""

    name: str
    feature: float
    weight: float

    @property
    def share(self) -> float:
        """What the term adds to the evaluation."""
        return self.feature * self.weight + 0.0


def shares(game: Game, state: Any, player: int) -> tuple[Share, ...]:
    """The terms of `features × weights` in a state, as `player` sees them; `BadInput` for a game without features."""
    if not overrides(game, "features"):
        raise BadInput(f"{game.title} has no features: give it features(state) and weights to see what counts")
    features = tuple(game.features(state))
    names = game.feature_names or tuple(f"feature {number}" for number in range(1, len(features) + 1))
    side = 1.0 if player == 0 else -1.0
    return tuple(
        Share(name, side * float(feature), float(weight))
        for name, feature, weight in zip(names, features, game.weights, strict=True)
    )
