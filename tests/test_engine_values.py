"""The engine's kernel against minimax: any graph, window, depth, switch and table, in both worlds and in threads."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphs import (
    TOTALS,
    Bounded,
    Graph,
    Hashed,
    Hinting,
    Knowing,
    Loud,
    Returning,
    Spot,
    acyclic,
    cyclic,
    full_value,
    layered,
    some_actions,
    spots_of,
    switches,
    timed_value,
)
from test_textbook_alphabeta import obeys_the_theorem
from trees import examples, windows
from zermelo import native
from zermelo.bits import Bits, scatter
from zermelo.engine.decide import decide
from zermelo.engine.entries import bucket, state_key
from zermelo.engine.machine import Machine
from zermelo.engine.options import NEVER, Options
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position
from zermelo.search.alphabeta import alphabeta
from zermelo.search.luck import random_action
from zermelo.search.minimax import minimax
from zermelo.search.result import Result
from zermelo.search.tally import DEEPEST, Tally

DEPTHS = st.integers(0, 6) | st.just(DEEPEST)
PLAIN = {"extension": False, "deeper": False}
"""What a search to a depth must not have on to be comparable with minimax to that depth."""
MASKS = st.sampled_from([(4095, 4095), (0, 0), (1, 1), (0, 15)])
"""Tables large, with room for two entries or four, and growing."""


def machine_of(game: Game, options: Options, masks: tuple[int, int] = (4095, 4095), distance: bool = False) -> Machine:
    """An interpreted machine at the start of a search, with a table of so many buckets, and at most so many."""
    machine = Machine(game, options, natively=False, distance=distance)
    machine.works[0].mask, machine.works[0].largest_mask = masks
    machine.begin((game.initial(),))
    return machine


def movers_view(game: Game, state: Any, value: float) -> float:
    """Player 0's value as the kernel has it: the mover's, with the other's negated."""
    return value if game.to_move(state) == 0 else -value


# The theorem, interpreted.


@examples(800)
@given(
    layered(), TOTALS, st.booleans(), switches(**PLAIN), MASKS, st.sampled_from([NEVER, 1]),
    st.lists(windows(), min_size=1, max_size=4), DEPTHS,
)  # fmt: skip
def test_the_theorem_of_alphabeta_holds(
    spots: tuple[Spot, ...], total: float, bounded: bool, options: Options, masks: tuple[int, int], peeks: int,
    tried: list[tuple[float, float]], depth: int,
) -> None:  # fmt: skip
    game = Graph(spots, total, bounded)
    machine = machine_of(game, options, masks)
    machine.works[0].peek_depth = peeks
    exact = movers_view(game, 0, minimax(game, 0, 0, depth, Tally()))
    for low, high in tried:
        alpha, beta = (movers_view(game, 0, game.half) + bound for bound in (low, high))
        assert obeys_the_theorem(machine.value(0, alpha, beta, depth), exact, alpha, beta)


@examples(300)
@given(layered(), switches(**PLAIN), MASKS, st.lists(DEPTHS, min_size=1, max_size=4))
def test_deepening_on_the_same_table_gives_minimax_to_each_depth(
    spots: tuple[Spot, ...], options: Options, masks: tuple[int, int], depths: list[int]
) -> None:
    game = Graph(spots)
    machine = machine_of(game, options, masks)
    for depth in sorted(depths):
        exact = movers_view(game, 0, minimax(game, 0, 0, depth, Tally()))
        assert machine.value(0, -inf, inf, depth) == exact


@examples(400)
@given(layered(), TOTALS, switches(**PLAIN), MASKS, st.lists(windows(), min_size=1, max_size=3), DEPTHS)
def test_the_theorem_holds_where_sooner_wins_are_better(
    spots: tuple[Spot, ...], total: float, options: Options, masks: tuple[int, int], tried: list[Any], depth: int
) -> None:
    game = Graph(spots, total)
    machine, exact = machine_of(game, options, masks, distance=True), timed_value(game, 0, depth)
    for bound in (exact - 1, exact, exact + 1):
        tried += [(-inf, bound), (bound, inf), (bound, bound + 1)]
    for alpha, beta in tried:
        assert obeys_the_theorem(machine.value(0, alpha, beta, depth), exact, alpha, beta)


@examples(500)
@given(
    acyclic(), TOTALS, switches(), MASKS, st.sampled_from([NEVER, 1]),
    st.lists(st.tuples(windows(), DEPTHS), min_size=1, max_size=6), st.data(),
)  # fmt: skip
def test_what_rests_on_ends_alone_is_the_value_of_the_game(
    spots: tuple[Spot, ...], total: float, options: Options, masks: tuple[int, int], peeks: int, tried: list[Any],
    data: st.DataObject,
) -> None:  # fmt: skip
    slack = st.sampled_from([0, 0, 1, 3, 99])
    known = data.draw(st.lists(st.tuples(slack, slack), min_size=len(spots), max_size=len(spots)))
    game = Bounded(spots, total, True, tuple(known)) if data.draw(st.booleans()) else Graph(spots, total)
    machine = machine_of(game, options, masks)
    machine.works[0].peek_depth = peeks
    exact = movers_view(game, 0, full_value(game, 0, 0))
    for (low, high), depth in tried:
        alpha, beta = (movers_view(game, 0, game.half) + bound for bound in (low, high))
        before = machine.horizon
        found = machine.value(0, alpha, beta, depth)
        if machine.horizon == before:
            assert obeys_the_theorem(found, exact, alpha, beta)


@examples(60)
@given(st.lists(st.integers(0, 8), min_size=3, max_size=6), st.lists(windows(), min_size=1, max_size=3), st.data())
def test_one_entry_for_all_symmetries_changes_nothing(luck: list[int], tried: list[Any], data: st.DataObject) -> None:
    game = TicTacToe()
    machine = machine_of(game, data.draw(switches(table=1)))
    machine.works[0].symmetry_plies = data.draw(st.integers(-1, 5))
    state = game.initial()
    for number in luck:
        moves = game.legal(state)
        if moves:
            state = game.result(state, moves[number % len(moves)])
    for twin in (state, *game.symmetries(state)) if not game.is_terminal(state) else ():
        exact = minimax(game, twin, game.to_move(twin), DEEPEST, Tally())
        for alpha, beta in tried:
            assert obeys_the_theorem(machine.value(twin, alpha, beta, DEEPEST, 1), exact, alpha, beta)


# Switches that may change values, where they must not.


def told(result: Result) -> tuple[Any, ...]:
    """All that a search answers but the time it took and how full its table is."""
    return tuple(
        getattr(result, each.name) for each in fields(result) if each.name not in ("seconds", "table", "world", "rate")
    )


@examples(150)
@given(acyclic(), switches(), st.integers(1, 6))
def test_without_the_knowledge_they_need_switches_do_nothing(
    spots: tuple[Spot, ...], options: Options, depth: int
) -> None:
    position = Position(Graph(spots))
    plain = replace(options, quiescence=0, null_move=False, futility=None, forward=False, beam=None)
    switched = replace(options, quiescence=16, null_move=True, forward=True, beam=3)
    results = [decide(position, options=each, depth=depth, world="interpreted") for each in (plain, switched)]
    assert told(results[0]) == told(results[1])


class Swinging(Knowing):
    """What an action changes in the evaluation at most is worked out from the whole graph."""

    def __init__(
        self, spots: tuple[Spot, ...], total: float = 0, bounded: bool = True, known: tuple[Any, ...] = ()
    ) -> None:
        super().__init__(spots, total, bounded, known)
        steps = [abs(spots[to].lead - spot.lead) for spot in spots for to in spot.next if spots[to].next]
        self.swing = max(steps, default=0.0)


class SwingingLoud(Swinging, Loud):
    """The same with noisy actions."""


class SwingingBack(Swinging, Returning):
    """The same with cycles."""


def futility_changes_nothing(game: Graph, options: Options, depth: int) -> bool:
    """Whether the value is the same with the game's swing and with a margin that is never enough."""
    found = [
        decide(Position(game), options=replace(options, futility=margin), depth=depth, world="interpreted").value
        for margin in (None, 1000.0)
    ]
    return found[0] == found[1]


@examples(400)
@given(layered(), switches(**PLAIN), st.integers(1, 6))
def test_futility_with_a_true_swing_changes_nothing(spots: tuple[Spot, ...], options: Options, depth: int) -> None:
    assert futility_changes_nothing(Swinging(spots), options, depth)


# Both worlds.

ENDINGS: list[tuple[Game, int]] = [
    (Nim(stones=18), 6),
    (TicTacToe(), 3),
    (ConnectFour(4, 4, 3), 6),
    (Othello(4), 7),
    (Hashed(), 0),
]
"""Games with the number of random plies after which trying everything is quick."""
LIMITS: list[dict[str, int]] = [{"depth": 1}, {"depth": 5}, {"nodes": 150}, {"nodes": 900}]
SETTINGS = [
    Options(),
    Options(algorithm="mtdf", deeper=False, extension=False),
    Options(algorithm="alphabeta-full", evaluation_first=False, table_first=False, null_move=False),
    Options(algorithm="alphabeta-ordered", plausible_first=False),
    Options(table=0, evaluation_first=False, killers=False, symmetry=False, reductions=True),
    Options(beam=3, forward=True),
    Options(evaluation_first=False, history=False, counter=False, bias=0.25, futility=0.5),
]


def stroll(game: Game, state: Any, seed: int, plies: int) -> Any:
    """The state after so many random plies, or the last one before the end."""
    word = scatter(Bits(seed))
    for _ in range(plies):
        word += 1
        after = game.result(state, random_action(game, state, scatter(word)))
        if game.is_terminal(after):
            break
        state = after
    return state


def record() -> Any:
    """A tally for native code that is called directly."""
    import numpy

    tally = numpy.zeros(1, [(field.name, "i8") for field in fields(Tally)])[0]
    tally["limit"] = Tally().limit
    return tally


@pytest.mark.native
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
@pytest.mark.parametrize(("game", "plies"), ENDINGS, ids=lambda item: getattr(item, "title", ""))
def test_the_worlds_search_the_same_nodes(game: Game, plies: int, setting: int, limits: dict[str, int]) -> None:
    for seed in (1, 2) if setting == 0 else (3,):
        position = Position(game, stroll(game, _start(game, seed), seed, plies))
        lines = 1 + seed % 2
        found = [
            decide(position, options=SETTINGS[setting], lines=lines, world=world, **limits)
            for world in ("interpreted", "native", "native")
        ]
        assert told(found[0]) == told(found[1])
        assert told(found[1]) == told(found[2])


def _start(game: Game, seed: int) -> Any:
    return Hashed.State(seed, 0, 0) if isinstance(game, Hashed) else game.initial()


@pytest.mark.native
@pytest.mark.parametrize("game", [Hashed(), Hashed(total=3)], ids=["zero sum", "sum 3"])
@examples(250)
@given(
    st.integers(0, 10**9), switches(**PLAIN), st.sampled_from([0, 0.01, 1]), st.lists(windows(), max_size=3),
    st.integers(0, 8),
)  # fmt: skip
def test_the_theorem_holds_natively(
    game: Hashed, seed: int, options: Options, table: float, tried: list[Any], depth: int
) -> None:
    state = Hashed.State(seed, 0, 0)
    machine = Machine(game, replace(options, table=table), natively=True, distance=False)
    machine.prepare(state)
    machine.begin((state,))
    tally = record()
    reference = native.prepare(minimax, game, state, 0, depth, tally)
    exact = movers_view(game, state, reference(game, state, 0, depth, tally))
    for alpha, beta in [*tried, (-inf, inf)]:
        assert obeys_the_theorem(machine.value(state, alpha, beta, depth), exact, alpha, beta)


@pytest.mark.native
@examples(120)
@given(st.integers(0, 10**9), switches(**PLAIN, threads=2), st.integers(1, 8))
def test_two_threads_find_the_same_values(seed: int, options: Options, depth: int) -> None:
    game, state = Hashed(), Hashed.State(seed, 0, 0)
    tally = record()
    reference = native.prepare(minimax, game, state, 0, depth, tally)
    mover = game.to_move(state)
    result = decide(Position(game, state), options=options, depth=depth, world="native")
    assert result.value == reference(game, state, mover, depth, tally)
    exact = decide(Position(game, state), options=replace(options, deeper=True, extension=True), world="native")
    assert (exact.value, exact.kind) == (reference(game, state, mover, DEEPEST, tally), "exact")


@pytest.mark.native
@pytest.mark.parametrize(
    ("game", "plies", "count", "table"),
    [(*ENDINGS[0], 20_000, 0.01), (*ENDINGS[1], 50_000, 0.01), (*ENDINGS[2], 50_000, 0.1), (*ENDINGS[3], 40_000, 0.1),
     (*ENDINGS[4], 40_000, 0.01)],
    ids=lambda item: getattr(item, "title", None) or str(item),
)  # fmt: skip
def test_200_000_random_positions_agree_with_a_search_of_everything(
    game: Game, plies: int, count: int, table: float
) -> None:
    machine = Machine(game, Options(table=table), natively=True, distance=False)
    start, tally = game.initial(), record()
    machine.prepare(start)
    machine.begin((start,))
    walk = native.prepare(stroll, game, start, 0, 0)
    reference = native.prepare(alphabeta, game, start, 0, -inf, inf, DEEPEST, tally)
    low, high = game.utility_bounds
    for seed in range(count):
        state = type(start)(*walk(game, _start(game, seed // 5), seed, plies + seed % 5))
        exact = movers_view(game, state, reference(game, state, 0, -inf, inf, DEEPEST, tally))
        alpha = low - 0.5 + seed * 7 % (int(high - low) + 2)
        beta = alpha + 1 + seed % 3
        assert obeys_the_theorem(machine.value(state, alpha, beta, DEEPEST, 1), exact, alpha, beta), state
    assert machine.horizon == 0


# Faults that were found and mended.


def test_bounds_that_meet_prove_nothing_false_of_the_children() -> None:
    start, parent, worse, ends = 0, 1, 2, ((0, (), 2), (0, (), 2), (0, (), -3))
    spots = spots_of((0, (1,), 0), (0, (2, 3), 0), (1, (4, 5), 0), *ends)
    game = Bounded(spots, known=((99, 99), (0, 99), *((99, 99),) * 4))
    machine = machine_of(game, Options(evaluation_first=False, killers=False, history=False, counter=False))
    assert machine.value(parent, 2.5, 3, DEEPEST, 1) == 2
    work = machine.works[0]
    for index in range(4):
        work.table.pop(bucket(work, state_key(game, worse, DEEPEST, work)) + index, None)
    assert machine.value(start, -inf, inf, DEEPEST) == 2
    assert machine.value(worse, -inf, inf, DEEPEST, 1) == 3


LEAP = spots_of((0, (1, 2), 0), (0, (3,), 0), (0, (4,), 0), (0, (), 2), (0, (5,), 0.75), (0, (), 3))
"""The second way is worth 3, and seems to be worth 0, then 0.75; the first is worth 2."""


@examples(100)
@given(layered(), switches(deeper=False, extension=True), st.integers(1, 6))
@example(LEAP, Options(deeper=False), 2)
def test_futility_leaves_extended_actions_alone(spots: tuple[Spot, ...], options: Options, depth: int) -> None:
    assert futility_changes_nothing(Swinging(spots), options, depth)


@examples(100)
@given(acyclic(), switches())
def test_futility_hides_no_proof(spots: tuple[Spot, ...], options: Options) -> None:
    result = decide(Position(Swinging(spots)), options=options, world="interpreted")
    assert (result.value, result.kind) == (full_value(Graph(spots), 0, spots[0].mover), "exact")


@examples(100)
@given(layered(), switches(**PLAIN), st.integers(1, 6), st.data())
@example(LEAP, Options(**PLAIN), 2, ((), (0,), (), (), (0,), ()))
def test_futility_leaves_noisy_play_alone(spots: tuple[Spot, ...], options: Options, depth: int, noise: Any) -> None:
    loud = noise if isinstance(noise, tuple) else tuple(noise.draw(some_actions(spot)) for spot in spots)
    assert futility_changes_nothing(SwingingLoud(spots, known=loud), options, depth)


@examples(100)
@given(cyclic(), switches(**PLAIN, table=0), st.integers(1, 6))
@example(spots_of((1, (2, 1), 2.25), (1, (1,), 3.0), (1, (), 1)), Options(**PLAIN), 2)
def test_futility_leaves_draws_by_repetition_alone(spots: tuple[Spot, ...], options: Options, depth: int) -> None:
    assert futility_changes_nothing(SwingingBack(spots), options, depth)


@examples(100)
@given(acyclic(), switches(plausible_first=True), st.integers(1, 6))
@example(spots_of((0, (1,), 0), (0, (), 0)), Options(), 1)
def test_forward_search_is_the_same_where_all_is_plausible(
    spots: tuple[Spot, ...], options: Options, depth: int
) -> None:
    position = Position(Hinting(spots, known=tuple(tuple(range(len(spot.next))) for spot in spots)))
    results = [
        decide(position, options=replace(options, forward=forward), depth=depth, world="interpreted")
        for forward in (False, True)
    ]
    assert told(results[0]) == told(results[1])


@pytest.mark.native
def test_the_worlds_search_the_same_nodes_with_a_small_table() -> None:
    found = [decide(Position(TicTacToe()), options=Options(table=0.01), world=w) for w in ("interpreted", "native")]
    assert told(found[0]) == told(found[1])


KERNELS = """
from zermelo import native
from zermelo.games.nim import Nim

def down(game, state, depth):
    if depth == 0:
        return 0
    return 1 + down(game, state, depth - 1)

def outer(game, state):
    return down(game, state, 3)

if __name__ == "__main__":
    assert native.call(outer, Nim(), Nim().initial()) == 3
"""


@pytest.mark.native
def test_a_kernel_from_disk_may_call_one_that_calls_itself(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    surroundings = os.environ | {"ZERMELO_CACHE": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, tmp_path / "kernels.py"], env=surroundings, check=False)
        assert done.returncode == 0


def test_a_beam_of_one_is_no_only_action() -> None:
    chain = spots_of(*((0, (at + 1, at + 1), at / 8) for at in range(10)), (0, (), 4))
    result = decide(Position(Graph(chain)), options=Options(beam=1), depth=3, world="interpreted")
    assert (result.value, result.kind, len(result.line)) == (3 / 8, "estimate", 3)


class Proud(Graph):
    """The third child promises more than anything."""

    def promise(self, state: int, player: int) -> float:
        return 1e40 if state == 3 else 0.0


def test_any_finite_promise_is_looked_at() -> None:
    spots = spots_of((0, (1, 2, 3), 0), (0, (), -2), (0, (), 1), *((0, (at,), 0) for at in (4, 5, 6)), (0, (), 3))
    result = decide(Position(Proud(spots)), world="interpreted")
    assert (result.action, result.value, result.kind) == (2, 3, "exact")
