"""The engine asks a game only what the contract allows, and uses what it claims only as far as it is claimed."""

from __future__ import annotations

from typing import Any

import pytest

from broken_games import Race
from test_check import Scattered
from zermelo.engine.decide import decide
from zermelo.engine.options import Options
from zermelo.position import Position


class Ahead(Race):
    """An estimate that makes sense only as long as the game goes on, which is all that evaluate is for."""

    def evaluate(self, state: Any, player: int) -> float:
        lead = 1 / (self.goal - state.count) / 8
        return lead if player == state.turn else -lead


def test_no_end_is_evaluated() -> None:
    assert decide(Position(Ahead(goal=9)), algorithm="pvs", depth=6, world="interpreted").value == -1


class Calm(Scattered):
    """Estimates from -7/16 to 1/2, so that no action changes one by more than 1."""

    swing = 1.0

    def evaluate(self, state: Any, player: int) -> float:
        return self.utility(state, player) / 16

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return -8, 8


@pytest.mark.parametrize("seed", [2, 29, 75, 120])
@pytest.mark.parametrize("extension", [False, True])
def test_a_true_swing_changes_no_value(seed: int, extension: bool) -> None:
    position = Position(Calm(seed, depth=9))
    for depth in (3, 4, 5):
        plain, cut = (Options(futility=margin, extension=extension) for margin in (1e9, None))
        values = [decide(position, depth=depth, world="interpreted", options=each).value for each in (plain, cut)]
        assert values[0] == values[1]
