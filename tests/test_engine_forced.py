"""Forced wins by threats within the engine's search: against trying everything on random graphs, and in Qubic."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Knowing, acyclic, switches, timed_value
from test_textbook_proofs import forced_naive, midgame, naive_value
from trees import examples
from zermelo.engine.decide import decide
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.engine.work import SURE, WON
from zermelo.games.qubic import Qubic
from zermelo.position import Position
from zermelo.search.result import Result
from zermelo.search.tally import DEEPEST
from zermelo.solver.exact import solve

THREATS = st.sampled_from([1, 4, 1000])
"""Quotas: none is enough for more than a win at once, some are, all are."""
WON_BY_THREATS = "213 243 234 322 133 443 314 224 334 321 222 341 111"
"""O has a win in 7 plies, and none that is shorter by threats."""


class Menacing(Knowing):
    """Known is of each node a mask of the actions that are said to be threats, and where a pass leads."""

    def forcing(self, state: int) -> Iterator[int]:
        for action in self.actions(state):
            if self.known[state][0] >> action % 3 & 1:
                yield action

    def passed(self, state: int) -> Iterator[int]:
        yield self.known[state][1]


@st.composite
def menacing(draw: st.DrawFn) -> Menacing:
    spots = draw(acyclic())
    node = st.integers(0, len(spots) - 1)
    known = draw(st.lists(st.tuples(st.integers(0, 7), node), min_size=len(spots), max_size=len(spots)))
    return Menacing(spots, 0, True, tuple(known))


def machine_of(game: Any, options: Options, shelf: int, distance: bool = True) -> Machine:
    machine = Machine(game, options, natively=False, distance=distance)
    machine.works[0].shelf_mask = shelf
    machine.begin((game.initial(),))
    return machine


@examples(400)
@given(menacing(), switches(null_move=False), THREATS, st.sampled_from([0, 1, 4095]))
def test_a_whole_search_finds_the_soonest_win(game: Menacing, options: Options, quota: int, shelf: int) -> None:
    """Threats change nothing that is proved by a search to the ends: also not how soon, and with any small table."""
    machine = machine_of(game, replace(options, threats=quota), shelf)
    assert machine.value(0, -inf, inf, DEEPEST) == timed_value(game, 0)


@examples(400)
@given(menacing(), switches(null_move=False), THREATS, st.integers(1, 5))
def test_a_win_is_true_to_any_depth(game: Menacing, options: Options, quota: int, depth: int) -> None:
    """A win takes at most so many plies, and so does a loss; within the depth, just so many."""
    machine = machine_of(game, replace(options, threats=quota), 4095)
    value, true = machine.value(0, -inf, inf, depth), timed_value(game, 0)
    if value >= SURE:
        assert true >= value
    if value <= -SURE:
        assert true <= value
    if abs(value) >= SURE and WON - abs(value) <= depth:
        assert true == value
    state, line = 0, machine.line(0)
    for action in line:
        state = game.result(state, action)
    if value >= SURE and game.is_terminal(state):
        assert game.utility(state, game.to_move(0)) == game.utility_bounds[1]
        assert len(line) <= WON - value


# Qubic.


def test_a_win_by_threats_is_found_at_once_and_shown_to_its_end() -> None:
    position = Position.from_text(Qubic(), moves=WON_BY_THREATS)
    found = decide(position, depth=1, world="interpreted", options=Options(threats=64))
    assert (found.value, found.kind, found.plies, found.depth, len(found.line)) == (1, "exact", 7, 1, 7)
    state = position.state
    for ply, action in enumerate(found.line):
        assert action in (position.game.forcing(state) if ply % 2 == 0 else position.game.plausible(state))
        state = position.game.result(state, action)
    assert position.game.utility(state, position.to_move) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_engine_sees_what_threats_win_in_qubic(seed: int) -> None:
    """To whatever depth: at most in so many plies as trying all threats says."""
    position = midgame(seed, 36)
    plies = forced_naive(position.game, position.state, position.to_move, {})
    found = decide(position, depth=2, world="interpreted", options=Options(threats=1000))
    if plies < inf:
        assert (found.value, found.kind) == (1, "exact")
        assert found.plies is not None
        assert found.plies <= plies


@pytest.mark.parametrize("seed", range(6))
def test_values_at_the_end_of_qubic(seed: int) -> None:
    """Engine and solver agree with trying everything, with threats and without."""
    position = midgame(seed, 58)
    value = naive_value(position.game, position.state)
    for quota in (0, 1, 32):
        options = Options(threats=quota, null_move=False)
        found = decide(position, world="interpreted", options=options)
        assert (found.value, found.kind) == (value, "exact")
        assert solve(position, world="interpreted", options=options).value == value


@pytest.mark.native
@pytest.mark.parametrize("seed", range(8))
def test_both_worlds_search_qubic_node_for_node(seed: int) -> None:
    dice, position = random.Random(seed), Position(Qubic())
    for _ in range(4 + 4 * seed):
        position.push(dice.choice(list(position.game.plausible(position.state))))
        if position.is_terminal:
            position.pop()
            break
    results = [decide(position, depth=2, world=world) for world in ("interpreted", "native")]
    assert same(results[0]) == same(results[1])


def same(found: Result) -> tuple[Any, ...]:
    return found.value, found.kind, found.plies, found.line, found.nodes, found.depth


def test_other_lines_are_searched_without_the_first_one() -> None:
    """A win by threats is one line; what is excluded at the root is not found again."""
    position = Position.from_text(Qubic(), moves=WON_BY_THREATS)
    found = decide(position, depth=2, lines=2, world="interpreted", options=Options(threats=64))
    assert len({line.action for line in found.lines}) == 2
    assert found.lines[0].value == 1
