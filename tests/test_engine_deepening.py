"""Choosing by the engine: values to a depth, what is called exact, distances, lines, limits, stopping."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from graphs import (
    BEST,
    TOTALS,
    Bounded,
    Graph,
    Hinting,
    Loud,
    Passing,
    Spot,
    acyclic,
    full_value,
    layered,
    one_ply_earlier,
    plies_of,
    some_actions,
    spots_of,
    switches,
    timed_value,
)
from trees import NestedTree, examples, nested
from zermelo.engine.decide import Run, best, decide
from zermelo.engine.deepening import Deepening
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position
from zermelo.search.minimax import minimax
from zermelo.search.result import Limits, Result
from zermelo.search.suitability import ENGINE
from zermelo.search.tally import DEEPEST, Tally

WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]
PLAIN = {"extension": False, "deeper": False}
"""What a search to a depth must not have on to be comparable with minimax to that depth."""


def searched(game: Game, options: Options, lines: int = 1, state: Any = None, **limits: Any) -> Result:
    """The engine's answer, interpreted."""
    return decide(Position(game, state), options=options, lines=lines, world="interpreted", **limits)


def values_of_actions(game: Game, state: Any, depth: int = DEEPEST) -> dict[Any, float]:
    """Each action's value to the mover by plain minimax."""
    mover = game.to_move(state)
    return {
        action: minimax(game, game.result(state, action), mover, depth - 1, Tally()) for action in game.actions(state)
    }


def timed_actions(game: Game, depth: int = DEEPEST) -> dict[Any, float]:
    """Each first action's value to the mover, where a sooner win is worth more."""
    found = {}
    for action in game.actions(0):
        child = game.result(0, action)
        value = one_ply_earlier(timed_value(game, child, depth - 1))
        found[action] = value if game.to_move(child) == game.to_move(0) else -value
    return found


def end_of(game: Game, line: tuple[Any, ...], state: Any = None) -> Any:
    """The state that a line leads to; its actions must be legal."""
    position = Position(game, state)
    for action in line:
        position.push(action)
    return position.state


# Values.


@examples(400)
@given(layered(), st.sampled_from([0, 0, 3]), st.booleans(), switches(**PLAIN), st.integers(1, 6), st.integers(1, 4))
def test_a_depth_gives_the_best_actions_by_minimax_to_that_depth(
    spots: tuple[Spot, ...], total: float, bounded: bool, options: Options, depth: int, lines: int
) -> None:
    game = Graph(spots, total, bounded)
    result = searched(game, options, lines, depth=depth)
    values = values_of_actions(game, 0, depth)
    assert [line.value for line in result.lines] == sorted(values.values(), reverse=True)[:lines]
    assert all(values[line.action] == line.value for line in result.lines)
    assert len({line.action for line in result.lines}) == len(result.lines)
    assert (result.action, result.value, result.kind) == tuple(
        getattr(result.lines[0], name) for name in ("action", "value", "kind")
    )


@examples(400)
@given(acyclic(), TOTALS, st.booleans(), switches())
def test_with_no_limit_the_value_is_proved(
    spots: tuple[Spot, ...], total: float, bounded: bool, options: Options
) -> None:
    game = Graph(spots, total, bounded)
    result = searched(game, options)
    assert (result.value, result.kind) == (full_value(game, 0, game.to_move(0)), "exact")
    assert values_of_actions(game, 0)[result.action] == result.value


@examples(300)
@given(acyclic(), st.sampled_from([0, 3]), switches(), st.integers(2, 4))
def test_lines_are_the_best_actions_with_their_proved_values(
    spots: tuple[Spot, ...], total: float, options: Options, lines: int
) -> None:
    game = Graph(spots, total)
    result = searched(game, options, lines)
    values = values_of_actions(game, 0)
    assert [(line.value, line.kind) for line in result.lines] == [
        (value, "exact") for value in sorted(values.values(), reverse=True)[:lines]
    ]
    assert all(values[line.action] == line.value for line in result.lines)


@st.composite
def knowing(draw: st.DrawFn) -> Graph:
    """A graph with some knowledge, true or not, that no proof may rest on unless it is called safe."""
    spots = draw(acyclic())
    kind = draw(st.sampled_from([Graph, Bounded, Loud, Hinting, Passing]))
    if kind is Graph:
        return Graph(spots)
    slack = st.sampled_from([0, 1, 99])
    known: list[Any] = []
    for place, spot in enumerate(spots):
        others = [at for at, each in enumerate(spots) if at > place and each.next and each.mover != spot.mover]
        known.append(
            draw(st.tuples(slack, slack))
            if kind is Bounded
            else tuple(draw(st.lists(st.sampled_from(others), max_size=1)) if others else ())
            if kind is Passing
            else draw(some_actions(spot, least=int(kind is Hinting)))
        )
    return kind(spots, known=tuple(known))


RISKY = {
    "reductions": st.booleans(),
    "quiescence": st.sampled_from([0, 1, 16]),
    "futility": st.sampled_from([None, 0, 1.5]),
    "bias": st.sampled_from([0, 1.5, -1.5, 50]),
}
"""Switches that change estimates, and must not touch what is proved."""


def assert_true(game: Graph, result: Result) -> None:
    """Whatever is called exact is the value of the game, and a sure end comes no sooner than it can be forced."""
    values, timed = values_of_actions(game, 0), timed_actions(game)
    if result.kind == "exact":
        assert result.value == max(values.values())
    for line in result.lines:
        if line.kind == "exact":
            assert line.value == values[line.action]
        if line.plies is not None:
            assert line.kind == "exact"
            assert line.plies >= (plies_of(timed[line.action]) or inf)


@examples(900)
@given(knowing(), switches(), st.fixed_dictionaries(RISKY), st.integers(1, 8), st.integers(1, 3))
def test_whatever_is_called_exact_is_true(
    game: Graph, options: Options, risky: dict[str, Any], depth: int, lines: int
) -> None:
    assert_true(game, searched(game, replace(options, **risky), lines, depth=depth))


@examples(400)
@given(acyclic(), switches(table=1, table_first=True), st.integers(1, 80))
def test_whatever_is_called_exact_is_true_when_nodes_run_out(
    spots: tuple[Spot, ...], options: Options, nodes: int
) -> None:
    options = replace(options, algorithm="pvs") if options.algorithm == "alphabeta-ordered" else options
    assert_true(Graph(spots), searched(Graph(spots), options, nodes=nodes))


def test_a_draw_that_is_seen_is_exact_and_one_that_is_guessed_is_not() -> None:
    for last in (0, BEST, -BEST):
        chain = spots_of(*((at % 2, (at + 1,), 0) for at in range(6)), (0, (), last))
        forked = spots_of((0, (1, 2), 0), (0, (), 0), *((at % 2, (at + 1,), 0) for at in range(2, 8)), (1, (), last))
        for options in (
            Options(extension=False),
            Options(extension=False, table=0),
            Options(algorithm="mtdf", **PLAIN),
        ):
            for depth in range(1, 9):
                result = searched(Graph(chain), options, depth=depth)
                assert (result.value, result.kind) == ((0, "estimate") if depth < 6 else (last, "exact"))
                result = searched(Graph(forked), options, lines=2, depth=depth)
                kind = "estimate" if depth < 7 else "exact"
                assert {line.action: (line.value, line.kind) for line in result.lines} == {
                    0: (0, kind),
                    1: (0 if depth < 7 else last, kind),
                }


def test_a_guess_in_the_table_stays_a_guess() -> None:
    spots = spots_of((0, (1, 2, 1), 0), (1, (3, 3), 0), (1, (3,), 0), (0, (4,), 0), (1, (5,), 0), (0, (), BEST))
    position = Position(Graph(spots))
    machine = Machine(position.game, Options(extension=False), natively=False)
    for depth, kind in [(1, "estimate"), (3, "estimate"), (3, "estimate"), (4, "exact"), (9, "exact")]:
        assert Deepening(position, machine, Limits(depth), 3).run().kind == kind


# Distances and lines.


@examples(400)
@given(layered(), st.sampled_from([0, 3]), switches(extension=False), st.integers(1, 3))
def test_a_sure_win_is_told_with_its_shortest_distance(
    spots: tuple[Spot, ...], total: float, options: Options, lines: int
) -> None:
    game = Graph(spots, total)
    timed = timed_actions(game)
    result = searched(game, options, lines)
    assert result.plies == plies_of(max(timed.values()))
    assert all(line.plies == plies_of(timed[line.action]) for line in result.lines)


@examples(200)
@given(acyclic(), switches(extension=False, table=0))
def test_without_a_table_the_distance_is_the_shortest_in_any_graph(spots: tuple[Spot, ...], options: Options) -> None:
    game = Graph(spots)
    assert searched(game, options).plies == plies_of(timed_value(game, 0))


@pytest.mark.parametrize("algorithm", ENGINE)
@pytest.mark.parametrize("last", ["win", "lose"])
def test_the_distance_in_nim(algorithm: str, last: str) -> None:
    for stones in range(1, 12):
        game = Nim(stones=stones, last=last)
        result = searched(game, Options(algorithm=algorithm))
        assert result.plies == plies_of(timed_value(game, game.initial()))
        assert len(result.line) == result.plies


@examples(60)
@given(st.lists(st.integers(0, 8), min_size=3, max_size=6), st.sampled_from(ENGINE))
def test_the_distance_in_tic_tac_toe(luck: list[int], algorithm: str) -> None:
    position = Position(TicTacToe())
    for number in luck:
        if not position.is_terminal:
            position.push(position.moves[number % len(position.moves)])
    assume(not position.is_terminal)
    game, state = position.game, position.state
    result = searched(game, Options(algorithm=algorithm), state=state)
    assert result.plies == plies_of(timed_value(game, state))
    assert result.kind == "exact"
    assert game.utility(end_of(game, result.line, state), game.to_move(state)) == result.value
    assert result.plies in (None, len(result.line))


@examples(300)
@given(acyclic(), switches(extension=False, table=0))
def test_a_line_without_a_table_keeps_its_value_to_the_end(spots: tuple[Spot, ...], options: Options) -> None:
    game = Graph(spots)
    assert_lines_end_well(game, searched(game, options, 3))


def assert_lines_end_well(game: Graph, result: Result) -> None:
    """Each line goes to an end of the value that it promises, and as far as it says."""
    for line in result.lines:
        end = end_of(game, line.actions)
        assert game.is_terminal(end)
        assert game.utility(end, game.to_move(0)) == line.value
        assert line.plies in (None, len(line.actions))


@examples(300)
@given(acyclic(), switches(), st.integers(1, 9), st.integers(1, 3))
def test_lines_are_legal_and_begin_with_their_action(
    spots: tuple[Spot, ...], options: Options, depth: int, lines: int
) -> None:
    result = searched(Graph(spots), options, lines, depth=depth)
    assert result.line == result.lines[0].actions
    for line in result.lines:
        end_of(Graph(spots), line.actions)
        assert line.actions[0] == line.action


@examples(150)
@given(acyclic(14), switches(), st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_a_table_kept_from_move_to_move_proves_nothing_false(
    spots: tuple[Spot, ...], options: Options, luck: list[int]
) -> None:
    game = Graph(spots)
    machine, position = Machine(game, options, natively=False), Position(game)
    for number in luck:
        if position.is_terminal:
            break
        result = Deepening(position, machine, Limits(), 1).run()
        exact = timed_value(game, position.state)
        assert (result.kind, result.value) == ("exact", full_value(game, position.state, position.to_move))
        assert (result.plies or inf) >= (plies_of(exact) or inf)
        position.push(position.moves[number % len(position.moves)])


# Limits.


@pytest.mark.parametrize("options", [Options(algorithm=algorithm, table=1) for algorithm in ENGINE], ids=ENGINE)
@pytest.mark.parametrize("nodes", [1, 2, 7, 100, 1500])
def test_nodes_are_kept_and_repeatable(options: Options, nodes: int) -> None:
    first, second = (searched(ConnectFour(), options, nodes=nodes) for _ in range(2))
    assert replace(first, seconds=0, rate=0) == replace(second, seconds=0, rate=0)
    assert first.nodes <= nodes + 1
    assert first.action in range(7)
    assert first.kind == "estimate"


@pytest.mark.native
@pytest.mark.parametrize("threads", [1, 2])
def test_nodes_are_kept_natively(threads: int) -> None:
    result = decide(Position(ConnectFour()), options=Options(threads=threads), nodes=100_000, world="native")
    assert 50_000 <= result.nodes <= 100_000


@examples(200)
@given(layered(), switches(table=1, table_first=True, **PLAIN), st.integers(1, 60))
def test_a_search_cut_short_keeps_the_last_depths_action_or_finds_a_better(
    spots: tuple[Spot, ...], options: Options, nodes: int
) -> None:
    options = replace(options, algorithm="pvs") if options.algorithm == "alphabeta-ordered" else options
    assert_not_worse(Graph(spots), searched(Graph(spots), options, nodes=nodes))


def assert_not_worse(game: Graph, result: Result) -> None:
    """The action is the best to the depth that was finished, or better than that to the next."""
    if result.depth > 0:
        now, then = timed_actions(game, result.depth), timed_actions(game, result.depth + 1)
        firsts = [action for action in now if now[action] == max(now.values())]
        assert result.action in firsts or any(then[result.action] > then[action] for action in firsts)


@pytest.mark.parametrize("world", WORLDS)
def test_seconds_end_a_search_in_time(world: str) -> None:
    best(ConnectFour(), depth=1, world=world)
    started = time.monotonic()
    result = best(ConnectFour(), seconds=0.3, world=world)
    assert 0.2 < time.monotonic() - started < 3
    assert 0.2 < result.seconds < 3
    assert result.action in range(7)
    assert result.depth >= 1


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("after", [0.0, 0.3])
def test_a_stop_from_another_thread_gives_the_best_so_far(world: str, after: float) -> None:
    best(ConnectFour(), depth=1, world=world)
    run = Run(Position(ConnectFour()), Options(), Limits(), world=world)
    timer = threading.Timer(after, run.stop)
    started = time.monotonic()
    timer.start()
    result = run.result()
    timer.join()
    assert time.monotonic() - started < after + 3
    assert result.kind == "estimate"
    assert result.action in range(7)
    assert result.depth >= 1 or after == 0


def test_every_depth_is_told_until_the_one_asked_for() -> None:
    heard: list[Result] = []
    decide(Position(ConnectFour()), options=Options(), depth=4, world="interpreted", listen=heard.append)
    assert [result.depth for result in heard] == [1, 2, 3, 4]
    assert [result.nodes for result in heard] == sorted(result.nodes for result in heard)


@pytest.mark.parametrize("limits", [{"depth": 0}, {"depth": -1}, {"nodes": 0}, {"nodes": -5}, {"seconds": 0},
                                    {"seconds": -1.0}, {"seconds": float("nan")}, {"lines": 0}])  # fmt: skip
@pytest.mark.parametrize("algorithm", ENGINE)
def test_limits_of_nothing_are_refused(algorithm: str, limits: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"^\w+ must be (more than 0|at least 1), not [^\n]+$"):
        best(Nim(), algorithm=algorithm, **limits)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"algorithm": "minimax"}, "the engine has no algorithm 'minimax': use one of pvs, mtdf"),
        ({"threads": 0}, "threads must be 1 or more, not 0"),
        ({"threads": 10**9}, "threads must be at most 256"),
        ({"table": -1}, "table must be 0"),
        ({"table": 0.001}, "table must be 0"),
        ({"table": inf}, "table must be 0"),
        ({"table": float("nan")}, "table must be 0"),
        ({"quiescence": -1}, "quiescence must be 0 or more"),
        ({"beam": 0}, "beam must be 1 or more"),
        ({"futility": -0.5}, "futility must be 0 or more"),
        ({"futility": inf}, "futility must be 0 or more"),
        ({"bias": inf}, "bias must be a number"),
        ({"bias": float("nan")}, "bias must be a number"),
    ],
    ids=str,
)
def test_switches_that_make_no_sense_are_one_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=rf"^{words}[^\n]*$"):
        Options(**given)


# Faults that were found and mended.


@examples(200)
@given(acyclic(), switches())
@example(
    spots_of((1, (2, 1), 0), (0, (3,), 0), (1, (5, 4), 0), (0, (5,), 0), (0, (), 0), (0, (6,), 0), (0, (), -4)),
    Options(),
)
def test_a_distance_within_the_depth_is_the_shortest(spots: tuple[Spot, ...], options: Options) -> None:
    result, shortest = searched(Graph(spots), options), plies_of(timed_value(Graph(spots), 0))
    assert (result.plies is None) == (shortest is None)
    if result.plies is not None and shortest is not None:
        assert result.plies == shortest or result.plies > max(result.depth, shortest)


@examples(200)
@given(acyclic(), switches(extension=False))
@example(
    spots_of(
        *((0, (1, 3), 0), (0, (2,), 0), (0, (3,), 0), (0, (4, 5), 0), (0, (5,), 0)),
        *((1, (6, 7), 0), (0, (7,), 0), (0, (8,), 0), (0, (), -4)),
    ),
    Options(extension=False),
)
def test_the_table_keeps_distances_shortest(spots: tuple[Spot, ...], options: Options) -> None:
    assert searched(Graph(spots), options).plies == plies_of(timed_value(Graph(spots), 0))


@examples(300)
@given(acyclic(), switches())
@example(spots_of((1, (1, 2), 0), (0, (2, 2), 0), (0, (4, 3), 3.0), (0, (5,), -1.5), (0, (), 0), (0, (), 4)), Options())
def test_a_line_that_comes_to_an_end_comes_to_the_promised_one(spots: tuple[Spot, ...], options: Options) -> None:
    game = Graph(spots)
    result = searched(game, options)
    end = end_of(game, result.line)
    assert not game.is_terminal(end) or game.utility(end, game.to_move(0)) == result.value


@examples(300)
@given(acyclic(), switches())
@example(spots_of((0, (1,), 0), (1, (3, 2), 0), (0, (4,), 0), (0, (), 0), (0, (), -4)), Options())
@example(
    spots_of((0, (1,), 0), (0, (3, 2), 0), (0, (3,), 0), (0, (4,), 0), (0, (5,), 0), (0, (), -4)),
    Options(extension=False),
)
def test_a_proved_line_goes_to_the_end(spots: tuple[Spot, ...], options: Options) -> None:
    assert_lines_end_well(Graph(spots), searched(Graph(spots), options))


@examples(300)
@given(acyclic(), switches(), st.integers(1, 80))
@example(
    spots_of((1, (3, 2, 1), 0), (0, (), 0), (0, (6,), -3), (0, (4,), 0), (0, (5,), 0), (0, (6,), 0), (0, (), 4)),
    Options(table_first=False, extension=False),
    30,
)
def test_a_search_cut_short_proves_nothing_false(spots: tuple[Spot, ...], options: Options, nodes: int) -> None:
    assert_true(Graph(spots), searched(Graph(spots), options, nodes=nodes))


@examples(300)
@given(layered(), switches(**PLAIN), st.integers(1, 60))
@example(
    spots_of((1, (1, 2, 1), 0), (0, (), 0), (0, (3,), -3), (0, (), 0)),
    Options(algorithm="alphabeta-ordered", evaluation_first=False, **PLAIN),
    8,
)
def test_a_search_cut_short_is_no_worse_than_the_last_depth(
    spots: tuple[Spot, ...], options: Options, nodes: int
) -> None:
    assert_not_worse(Graph(spots), searched(Graph(spots), options, nodes=nodes))


@examples(200)
@given(acyclic(), switches(), st.integers(1, 2), st.integers(1, 8))
@example(spots_of((1, (1, 2), 0), (0, (), 4), (0, (), 0)), Options(evaluation_first=False), 1, 1)
def test_a_beam_proves_nothing_false(spots: tuple[Spot, ...], options: Options, beam: int, depth: int) -> None:
    assert_true(Graph(spots), searched(Graph(spots), replace(options, beam=beam), depth=depth))


@examples(200)
@given(acyclic(), switches(), st.integers(1, 8), st.data())
@example(spots_of((1, (1,), 0), (1, (2, 3), 0), (0, (), 0), (0, (), 4)), Options(), 2, ((0,), (1,), (), ()))
def test_a_forward_search_proves_nothing_false(
    spots: tuple[Spot, ...], options: Options, depth: int, plausible: Any
) -> None:
    if not isinstance(plausible, tuple):
        plausible = tuple(plausible.draw(some_actions(spot, least=1)) for spot in spots)
    game = Hinting(spots, known=plausible)
    assert_true(game, searched(game, replace(options, forward=True), depth=depth))


def test_more_lines_than_a_beam_is_wide() -> None:
    game = Graph(spots_of((0, (1, 2), 0), (0, (), 1), (0, (), 2)))
    assert len(searched(game, Options(beam=1), 2, depth=1).lines) in (1, 2)


SHORT = spots_of((1, (2, 1), 0), (0, (4, 3), 0), (0, (), 0), (1, (5, 6), 0), (0, (), -2), (0, (6,), 0), (0, (), 0))


@pytest.mark.parametrize(
    "game_and_options",
    [
        (Graph(SHORT), Options(beam=1)),
        (Hinting(SHORT, known=((0, 1), (0, 1), (), (0, 1), (), (0,), ())), Options(forward=True)),
        (Passing(SHORT, known=((1,), (3,), (), (5,), (), (), ())), Options()),
    ],
    ids=["beam", "forward", "passed"],
)
def test_a_short_game_is_not_called_endless(
    game_and_options: tuple[Graph, Options], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.engine.deepening.DEEPEST", 60)
    assert searched(*game_and_options).action in (0, 1)


@examples(200)
@given(acyclic(), TOTALS, switches(), st.integers(2, 4))
@example(spots_of((1, (1, 2), 0), (0, (), 4), (0, (), 0)), -10, Options(), 2)
@example(spots_of((0, (1, 2), 0), (0, (), -4), (0, (), 0)), 10, Options(), 2)
def test_lines_are_sorted_whatever_the_sum(spots: tuple[Spot, ...], total: float, options: Options, lines: int) -> None:
    game = Graph(spots, total)
    values = sorted(values_of_actions(game, 0).values(), reverse=True)
    assert [line.value for line in searched(game, options, lines).lines] == values[:lines]


SURE_CHAIN = spots_of((0, (1,), 0), (0, (2,), 0), (0, (3,), 0), (0, (4,), 0), (0, (), 4))


def test_a_win_of_unknown_length_stays_one_in_the_next_search() -> None:
    position = Position(Bounded(SURE_CHAIN, known=((0, 0), (1, 0), (0, 0), (0, 0), (9, 0))))
    machine = Machine(position.game, Options(), natively=False)
    Deepening(position, machine, Limits(), 1).run()
    position.push(0)
    assert (Deepening(position, machine, Limits(), 1).run().plies or 0) <= 3


def test_a_win_of_unknown_length_is_no_value_of_its_own() -> None:
    spots = spots_of((0, (1, 3), 0), (0, (3, 2), 0), (0, (), -4), (0, (4,), 0), (0, (5,), 0), (0, (), -4))
    game = Bounded(spots, known=((0, 0), (1, 9), (0, 1), (9, 9), (1, 0), (1, 9)))
    lines = searched(game, Options(algorithm="mtdf", extension=False), 2).lines
    assert [line.value for line in lines] == [-4, -4]


def test_no_end_is_evaluated() -> None:
    assert searched(NestedTree(nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])), Options()).value == 3


@pytest.mark.parametrize("spots", [
    spots_of((0, (1, 2), 0), (1, (), -1e300), (1, (), 1e300)),
    spots_of((0, (1, 1), 0), (1, (2,), 1e300), (0, (), 0)),
], ids=["utility", "evaluation"])  # fmt: skip
def test_large_numbers(spots: tuple[Spot, ...]) -> None:
    assert searched(Graph(spots, bounded=False), Options(), depth=1).value >= 1e38


class Thing:
    """A state of no kind that Python can write down."""

    def __init__(self, number: int) -> None:
        self.number = number


class Things(Nim):
    """Nim with such states, and no keys."""

    def initial(self) -> Any:
        return Thing(3)

    def to_move(self, state: Any) -> int:
        return state.number % 2

    def actions(self, state: Any) -> Any:
        yield 1

    def result(self, state: Any, action: int) -> Any:
        return Thing(state.number - 1)

    def is_terminal(self, state: Any) -> bool:
        return state.number == 0

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1


def test_a_game_without_keys_is_for_the_textbook() -> None:
    assert best(Things(), world="interpreted").algorithm == "alphabeta"


def test_a_game_without_keys_is_refused_in_a_sentence() -> None:
    with pytest.raises(Unsuitable):
        best(Things(), algorithm="pvs", world="interpreted")


def test_more_lines_than_there_is_room_for_are_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"^lines must be at most 1024, not 1025$"):
        best(Nim(), lines=1025)


DODGE = spots_of((0, (1, 2), 0), (1, (3, 4), 0), (1, (4,), 0), (0, (5,), 0), (0, (6,), 0.75), (0, (), 4), (0, (), 0))
"""The first line that one expects ends before a sure win, which the opponent dodges."""


@examples(300)
@given(acyclic(), switches(table=1), st.integers(1, 4), st.integers(1, 4), st.sampled_from([None, 1, 2]))
@example(DODGE, Options(extension=False), 2, 1, None)
def test_a_secondary_search_proves_nothing_false(
    spots: tuple[Spot, ...], options: Options, depth: int, lines: int, beam: int | None
) -> None:
    switched = replace(options, secondary=2, beam=beam)
    result = decide(Position(Graph(spots)), depth=depth, lines=lines, options=switched, world="interpreted")
    exact = full_value(Graph(spots), 0, spots[0].mover)
    assert result.kind == "estimate" or result.value == exact
    for line in result.lines:
        after = full_value(Graph(spots), spots[0].next[line.action], spots[0].mover)
        assert line.kind == "estimate" or line.value == after


def test_the_last_of_many_lines_is_no_proof_of_the_best() -> None:
    ends = (0, (), -3), (0, (), 2)
    spots = spots_of((0, (1, 2), 0), (0, (3, 4), 3), (0, (), 0), (0, (5,), 3), (0, (6,), -3), *ends)
    result = decide(Position(Graph(spots)), lines=2, options=Options(beam=1), world="interpreted")
    assert [(line.action, line.value, line.kind) for line in result.lines] == [(1, 0, "exact"), (0, -3, "estimate")]
    assert (result.action, result.value, result.kind) == (1, 0, "estimate")
