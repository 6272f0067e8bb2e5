"""The selective search: what it calls proved is true, both worlds find the same, and what it is told is heeded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import BEST, Hashed, full_value, plies_of, timed_value
from trees import examples
from zermelo.bits import Bits
from zermelo.engine.decide import decide
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.game import Game
from zermelo.position import Position


class Gaining(Hashed):
    """Random graphs whose actions gain something, now and then in vain, and in some of which the mover is attacked."""

    margin = 1.0

    class State(NamedTuple):
        seed: int
        spot: int
        ply: int

    def gain(self, state: State, action: int) -> float:
        return float(int(self.dice(state) >> 12 + 3 * action & 7) - 3)

    def loses(self, state: State, action: int, most: float) -> bool:
        return int(self.dice(state) >> 24 + 3 * action & 7) > 5 + most

    def motif(self, state: State, action: int) -> int:
        return int(self.dice(state) >> 33 + 3 * action & 7) * 70 + action

    def threatened(self, state: State) -> bool:
        return self.dice(state) >> 50 & 7 == 0

    def noisy(self, state: State) -> Iterator[int]:
        for action in self.actions(state):
            if self.gain(state, action) != 0:
                yield action

    def passed(self, state: State) -> Iterator[State]:
        other = self.State(state.seed, state.spot + 8, state.ply)
        if self.to_move(other) != self.to_move(state) and not self.is_terminal(other):
            yield other


SEEDS = st.integers(0, 10**9)


@examples(300)
@given(SEEDS, st.integers(1, 12), st.integers(2, 4), st.sampled_from([0, 0, 3]))
def test_what_is_called_proved_is_true(seed: int, depth: int, most: int, total: float) -> None:
    game = Gaining(height=8, width=6, most=most, total=total)
    position = Position(game, game.State(seed, 0, 0))
    found = decide(position, depth=depth, options=Options(null_move=False), world="interpreted")
    assert found.action in position.moves
    if found.kind == "exact":
        assert found.value == full_value(game, position.state, position.to_move)
        best = timed_value(game, position.state)
        assert found.plies is None or found.plies >= (plies_of(best) or 0)


@examples(100)
@given(SEEDS)
def test_a_win_that_is_there_is_found_in_the_end(seed: int) -> None:
    game = Gaining(height=6, width=6, most=3)
    position = Position(game, game.State(seed, 0, 0))
    best = timed_value(game, position.state)
    found = decide(position, options=Options(null_move=False), world="interpreted")
    if best > BEST:
        assert (found.value, found.kind, found.plies) == (BEST, "exact", plies_of(best))


@pytest.mark.native
@examples(40)
@given(SEEDS, st.integers(1, 10))
def test_both_worlds_find_the_same(seed: int, depth: int) -> None:
    game = Gaining(height=9, width=8, most=4)
    position = Position(game, game.State(seed, 0, 0))
    one, two = (decide(position, depth=depth, world=world, lines=2) for world in ("native", "interpreted"))
    assert (one.action, one.value, one.kind, one.line, one.nodes) == (
        two.action,
        two.value,
        two.kind,
        two.line,
        two.nodes,
    )


@pytest.mark.parametrize(
    ("options", "selective"), [({}, True), ({"selective": False}, False), ({"algorithm": "mtdf"}, False)]
)
def test_a_game_that_knows_gains_is_searched_selectively_unless_told_otherwise(options: Any, selective: bool) -> None:
    assert Machine(Gaining(), Options(**options), natively=False).selective == selective
    assert not Machine(Hashed(), Options(**options), natively=False).selective


class Exchange(Game):
    """The first player may take a pawn that is defended, or do nothing; who takes back wins two."""

    utility_bounds = (-9, 9)
    margin = 0.5

    class State(NamedTuple):
        ply: int
        lead: int

    def initial(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        for action in range(2):
            yield action

    def result(self, state: State, action: int) -> State:
        change = action * (1 if state.ply == 0 else -3 if state.ply == 1 and state.lead == 1 else 0)
        return self.State(state.ply + 1, state.lead + change)

    def is_terminal(self, state: State) -> bool:
        return state.ply == 20

    def utility(self, state: State, player: int) -> float:
        return 0

    def evaluate(self, state: State, player: int) -> float:
        return state.lead if player == 0 else -state.lead

    def noisy(self, state: State) -> Iterator[int]:
        if state.ply == 0 or state.lead == 1:
            yield 1

    def gain(self, state: State, action: int) -> float:
        return 0.0 if action == 0 or state.ply > 1 else 1.0 if state.ply == 0 else 3.0


def test_an_exchange_is_played_out() -> None:
    found = decide(Position(Exchange()), depth=1, world="interpreted")
    assert (found.action, found.value) == (0, 0)
    hasty = decide(Position(Exchange()), depth=1, options=Options(quiescence=0), world="interpreted")
    assert (hasty.action, hasty.value) == (1, 1)


def test_bits_turn_a_board_round() -> None:
    assert Bits(0x0102030405060708).flipped() == 0x0807060504030201
