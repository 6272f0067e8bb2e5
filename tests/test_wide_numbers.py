"""Numbers of more than 64 bits, in states and as actions, where rules run interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.engine.decide import decide
from zermelo.fields import hash_fields
from zermelo.game import Game
from zermelo.native.memory import identity
from zermelo.position import Position
from zermelo.search.alphabeta import alphabeta
from zermelo.search.tally import DEEPEST, Tally
from zermelo.solver.exact import solve

CELLS = range(70, 79)
"""Cells of a board that no word of 64 bits holds."""
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(NamedTuple):
    crosses: int
    noughts: int


class FarBoard(Game):
    """Tic-tac-toe, as sets of cells far up in large numbers; an action is the bit of its cell."""

    utility_bounds = (-1, 1)

    def initial(self) -> Board:
        return Board(0, 0)

    def to_move(self, state: Board) -> int:
        return (state.crosses | state.noughts).bit_count() % 2

    def actions(self, state: Board) -> Iterator[int]:
        for cell in CELLS:
            if not (state.crosses | state.noughts) >> cell & 1:
                yield 1 << cell

    def result(self, state: Board, action: int) -> Board:
        if self.to_move(state) == 0:
            return Board(state.crosses | action, state.noughts)
        return Board(state.crosses, state.noughts | action)

    def is_terminal(self, state: Board) -> bool:
        return (state.crosses | state.noughts).bit_count() == 9 or self.has_line(0, state) or self.has_line(1, state)

    def has_line(self, player: int, state: Board) -> bool:
        return any(all(state[player] >> CELLS[cell] & 1 for cell in line) for line in LINES)

    def utility(self, state: Board, player: int) -> int:
        return int(self.has_line(player, state)) - int(self.has_line(1 - player, state))


@pytest.mark.parametrize("cells", [(), (0, 1), (4, 0, 8), (0, 4, 8, 2)])
def test_boards_of_more_than_64_cells_have_their_value(cells: tuple[int, ...]) -> None:
    position = Position(FarBoard())
    for cell in cells:
        position.push(1 << CELLS[cell])
    exact = alphabeta(position.game, position.state, position.to_move, -2, 2, DEEPEST, Tally())
    found = decide(position, world="interpreted")
    assert (found.value, found.kind) == (exact, "exact")
    after = position.copy()
    after.push(found.action)
    assert solve(after, world="interpreted").value == -exact
    assert solve(position, world="interpreted").value == exact
    assert len({line.action for line in decide(position, lines=5, world="interpreted").lines}) == 5


@given(st.integers(), st.integers())
def test_different_numbers_have_different_keys(one: int, other: int) -> None:
    for first, second in ((one, other), (one << 64, other << 64), (one, one + (1 << 64)), (one, one - (1 << 64))):
        is_word = all(-(1 << 63) <= number < 1 << 64 for number in (first, second))
        if not is_word:
            assert (hash_fields((first,)) == hash_fields((second,))) == (first == second)
            assert (identity(first) == identity(second)) == (first == second)


@given(st.floats(-1e300, 1e300))
def test_equal_numbers_have_equal_keys(number: Any) -> None:
    whole = int(number)
    if not 1 << 63 <= whole < 1 << 64:
        assert hash_fields((float(whole),)) == hash_fields((whole,))
