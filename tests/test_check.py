"""`check_game`: sound games pass, and each kind of fault is found, in a sentence of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import broken_games as broken
import pytest
from hypothesis import given
from trees import ChanceTree, NestedTree, examples, random_trees

from zermelo import registry
from zermelo.check import Report, check_game
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.native import is_enabled

PATIENCE = 0.4


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most faults need no native code to be found."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def check(game: Game, **options: Any) -> Report:
    return check_game(game, **{"plies": 300, "patience": PATIENCE, **options})


# Sound games.


@pytest.mark.parametrize("name", registry.names())
def test_built_in_games_are_well_made(name: str) -> None:
    report = check_game(registry.load(name), plies=1_000)
    assert report.findings == []
    assert report.passed
    assert "is well made" in report.verdict
    assert report.counts.plies == 1_000
    if is_enabled():
        assert report.worlds == "interpreted, native"
        assert report.compared_plies >= 1_000
        assert report.compared_states >= report.counts.inspected_states
        assert report.speed.native_plies_per_second is not None
    assert json.loads(json.dumps(report.as_dict()))["verdict"] == report.verdict
