"""Each built-in game that the engine serves is searched natively as it is interpreted."""

from __future__ import annotations

import random

import pytest

from zermelo.engine.decide import decide
from zermelo.learn.player import random_move
from zermelo.position import Position
from zermelo.registry import load

GAMES = ("awari", "checkers", "chess", "connect-four", "go:size=3", "kalah", "othello", "quoridor", "qubic")


@pytest.mark.native
@pytest.mark.parametrize("name", GAMES)
def test_both_worlds_find_the_same(name: str) -> None:
    position, luck = Position(load(name)), random.Random(name)
    for _ in range(4):
        position.push(random_move(position, luck))
    one, two = (decide(position, algorithm="pvs", depth=2, lines=2, world=world) for world in ("native", "interpreted"))
    assert (one.world, two.world) == ("native", "interpreted")
    assert [(line.action, line.value, line.kind) for line in one.lines] == [
        (line.action, line.value, line.kind) for line in two.lines
    ]
    assert (one.line, one.nodes, one.depth) == (two.line, two.nodes, two.depth)
