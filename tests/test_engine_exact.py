"""Exact values: solving equals trying everything, also where states come back and where values are of any size."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphs import (
    BEST,
    TOTALS,
    Graph,
    Hashed,
    Knowing,
    Loud,
    Returning,
    Spot,
    acyclic,
    cyclic,
    full_value,
    spots_of,
    switches,
    value_without_return,
)
from test_memory import walk
from trees import examples
from zermelo.engine.decide import decide
from zermelo.engine.deepening import Deepening
from zermelo.engine.exact import Exact
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.engine.work import PLIES
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.heaps import Heaps
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position, is_drawn
from zermelo.search.alphabeta import alphabeta
from zermelo.search.result import Limits
from zermelo.search.tally import DEEPEST, NO_LIMIT, Tally
from zermelo.solver.exact import Solution, Solver, solve, solve_all

WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]


class Counting(Knowing):
    """Known is about how many moves are left at each node."""

    def moves_left(self, state: int) -> int:
        return int(self.known[state])


def solved(game: Game, options: Options, actions: bool = True, **limits: Any) -> Solution:
    """The engine's solution, interpreted."""
    return solve(game, actions=actions, options=options, world="interpreted", **limits)


def assert_solved(game: Graph, solution: Solution, actions: bool) -> None:
    """The value is right, and that of every action if asked for, best first."""
    mover = game.to_move(0)
    values = {action: full_value(game, game.result(0, action), mover) for action in game.actions(0)}
    assert solution.value == max(values.values())
    assert all(line.value == values[line.action] for line in solution.actions)
    expected = sorted(values.values(), reverse=True)
    assert [line.value for line in solution.actions] == (expected if actions else expected[:1])
    assert solution.line == solution.actions[0].actions
    assert {line.kind for line in solution.actions} == {"exact"}


def assert_lines_keep_their_value(game: Graph, solution: Solution) -> None:
    """Each line is legal, and worth at every step what it promises, to the end."""
    for line in solution.actions:
        position, mover = Position(game), game.to_move(0)
        assert line.actions[0] == line.action
        for action in line.actions:
            position.push(action)
            assert full_value(game, position.state, mover) == line.value
        assert position.is_terminal


# Graphs.


@examples(500)
@given(acyclic(), TOTALS, st.booleans(), switches(), st.booleans())
def test_solving_equals_trying_everything(
    spots: tuple[Spot, ...], total: float, bounded: bool, options: Options, actions: bool
) -> None:
    game = Graph(spots, total, bounded)
    solution = solved(game, options, actions)
    assert_solved(game, solution, actions)
    assert_lines_keep_their_value(game, solution)


@examples(200)
@given(acyclic(), st.lists(st.floats(-4, 4) | st.sampled_from([1 / 3, 0.1, 5e-324, -0.0]), min_size=10, max_size=10),
       st.booleans(), switches(), st.booleans())  # fmt: skip
def test_values_that_no_short_float_holds_are_exact_all_the_same(
    spots: tuple[Spot, ...], leads: list[float], bounded: bool, options: Options, actions: bool
) -> None:
    pairs = zip(spots, leads, strict=False)
    game = Graph(tuple(spot if spot.next else spot._replace(lead=lead) for spot, lead in pairs), 0, bounded)
    assert_solved(game, solved(game, options, actions), actions)
    result = decide(Position(game), options=options, world="interpreted")
    assert (result.value, result.kind) == (full_value(game, 0, game.to_move(0)), "exact")


@examples(200)
@given(acyclic(14), TOTALS, st.booleans(), switches())
def test_one_table_serves_all_states_of_a_game(
    spots: tuple[Spot, ...], total: float, bounded: bool, options: Options
) -> None:
    game = Graph(spots, total, bounded)
    exact = Exact(game, options, natively=False)
    exact.machine.begin((0,))
    for state in [state for state in range(len(spots)) if spots[state].next]:
        mover = game.to_move(state)
        value, action = exact.value(state)
        assert value == (1 if mover == 0 else -1) * full_value(game, state, 0)
        assert full_value(game, game.result(state, action), mover) == full_value(game, state, mover)
        for each in game.actions(state):
            worth = full_value(game, game.result(state, each), 0)
            assert exact.value_after((state,), each) == (worth if mover == 0 else -worth)


@examples(300)
@given(acyclic(), st.sampled_from([0, 3, 10]), switches(), st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_a_wrong_guess_at_the_moves_left_changes_no_value(
    spots: tuple[Spot, ...], total: float, options: Options, left: list[int]
) -> None:
    game = Counting(spots, total, known=tuple(left))
    assert_solved(game, solved(game, options), True)


# Games.


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(
    ("game", "plies", "most"),
    [(Nim(stones=18), 2, 6), (TicTacToe(), 3, 7), (ConnectFour(4, 4, 3), 8, 12), (Othello(4), 8, 11), (Hashed(), 0, 5)],
    ids=lambda item: getattr(item, "title", ""),
)
@examples(12)
@given(data=st.data())
def test_solving_equals_alphabeta_in_every_game(game: Game, plies: int, most: int, world: str, data: Any) -> None:
    state = walk(game, data.draw(st.lists(st.integers(0, 11), min_size=plies, max_size=most)))
    solution = solve(Position(game, state), actions=True, world=world)
    if game.is_terminal(state):
        assert solution.line == ()
        return
    mover, values = game.to_move(state), {}
    for action in game.actions(state):
        values[action] = alphabeta(game, game.result(state, action), mover, -inf, inf, DEEPEST, Tally())
    assert {line.action: line.value for line in solution.actions} == values
    assert solution.value == max(values.values())
    for line in solution.actions:
        position = Position(game, state)
        for action in line.actions:
            position.push(action)
        assert position.is_terminal
        assert game.utility(position.state, mover) == line.value


def test_heaps_follow_boutons_theorem() -> None:
    for heaps in ("1-2-3", "2-3-4", "1-1", "3", "1-4-5"):
        total = 0
        for size in heaps.split("-"):
            total ^= int(size)
        assert solve(Heaps(heaps), world="interpreted").value == (1 if total else -1)


def test_many_positions_share_one_table() -> None:
    game = TicTacToe()
    positions = [Position.from_text(game, moves=moves) for moves in ("a1 b2 c3", "a1 b2 c3 a3", "a1 b2 b1 c1 a3 a2")]
    found = list(solve_all(positions, world="interpreted"))
    for position, solution in zip(positions, found, strict=True):
        state = position.state
        assert solution.value == alphabeta(game, state, game.to_move(state), -inf, inf, DEEPEST, Tally())


def test_limits_that_end_before_the_game_are_told() -> None:
    for limits in ({"nodes": 1}, {"nodes": 300}, {"seconds": 0.05}):
        with pytest.raises(Unsuitable, match=r"^ConnectFour is not solved from here: limits were reached after [\d,]+"):
            solve(ConnectFour(), world="interpreted", **limits)
    for limits in ({"nodes": 0}, {"seconds": -1}, {"nodes": -3}):
        with pytest.raises(BadInput, match="must be more than 0"):
            solve(Nim(), **limits)


@pytest.mark.native
def test_limits_are_kept_natively() -> None:
    with pytest.raises(Unsuitable, match="limits were reached after"):
        solve(ConnectFour(4, 4, 3), world="native", nodes=5)


# States that come back.


def returning_value(game: Graph, position: Position) -> float:
    """What a position is worth to the mover, where all that was played counts as seen."""
    value = value_without_return(game, position.state, frozenset(position.states[:-1]))
    return value if position.to_move == 0 else game.half * 2 - value


@examples(700)
@given(cyclic(), st.sampled_from([0, 0, 3]), switches(), st.lists(st.integers(0, 2), max_size=3))
def test_a_state_that_comes_back_is_a_draw(
    spots: tuple[Spot, ...], total: float, options: Options, luck: list[int]
) -> None:
    game = Returning(spots, total)
    position = Position(game)
    for number in luck:
        action = position.moves[number % len(position.moves)]
        after = game.result(position.state, action)
        if after in position.states or game.is_terminal(after):
            break
        position.push(action)
    result = decide(position, options=options, world="interpreted")
    assert (result.value, result.kind) == (returning_value(game, position), "exact")


@examples(200)
@given(cyclic(), switches(), st.integers(1, 3))
def test_lines_know_that_the_root_would_come_back(spots: tuple[Spot, ...], options: Options, lines: int) -> None:
    game = Returning(spots)
    mover = game.to_move(0)
    for line in decide(Position(game), options=options, lines=lines, world="interpreted").lines:
        value = value_without_return(game, game.result(0, line.action), frozenset({0}))
        assert (line.value, line.kind) == (value if mover == 0 else -value, "exact")


@examples(200)
@given(cyclic(), switches(), st.integers(1, 9))
def test_a_depth_makes_no_draw_of_a_guess(spots: tuple[Spot, ...], options: Options, depth: int) -> None:
    position = Position(Returning(spots))
    result = decide(position, options=options, depth=depth, world="interpreted")
    assert result.kind == "estimate" or result.value == returning_value(position.game, position)  # type: ignore[arg-type]


def test_a_draw_that_depends_on_the_way_is_not_kept() -> None:
    """The second player's first way passes `again`, where returning to `hub` is a draw; on the second way it wins."""
    hub, again, won, lost = 1, 2, (0, (), BEST), (0, (), -BEST)
    game = Returning(spots_of((1, (hub, again), 0), (0, (again, 3), 0), (0, (hub, 4), 0), won, lost))
    for algorithm in ("pvs", "mtdf", "alphabeta-full"):
        options = Options(algorithm=algorithm, evaluation_first=False)
        result = decide(Position(game), options=options, world="interpreted")
        assert (result.value, result.kind) == (-BEST, "exact")
        assert solve(game, options=options, world="interpreted").value == -BEST


@examples(300)
@given(cyclic(), switches(table=1))
def test_a_look_ahead_in_the_table_knows_what_would_come_back(spots: tuple[Spot, ...], options: Options) -> None:
    position = Position(Returning(spots))
    machine = Machine(position.game, options, natively=False)
    machine.works[0].peek_depth = machine.works[0].table_depth = 1
    result = Deepening(position, machine, Limits(), 1).run()
    assert (result.value, result.kind) == (returning_value(position.game, position), "exact")  # type: ignore[arg-type]


@examples(300)
@given(cyclic(), switches())
@example(
    spots_of((1, (1, 2, 0), -3), (1, (), 2), (1, (3, 2), 0), (1, (2, 4), 0.75), (0, (), -2)), Options(algorithm="mtdf")
)
def test_a_line_goes_where_its_value_comes_from(spots: tuple[Spot, ...], options: Options) -> None:
    game = Returning(spots)
    result = decide(Position(game), options=options, world="interpreted")
    position = Position(game)
    for action in result.line:
        position.push(action)
    assert position.is_terminal
    assert result.value == (0 if is_drawn(game, position.states) else game.utility(position.state, game.to_move(0)))


def test_a_win_is_found_that_does_not_go_in_circles() -> None:
    game = Returning(spots_of((0, (0, 1), 0), (1, (2,), 0), (0, (1, 3), 0), (1, (4,), 0), (0, (), BEST)))
    result = decide(Position(game), options=Options(extension=False), world="interpreted")
    assert (result.value, result.kind, result.plies, result.line) == (BEST, "exact", 4, (1, 0, 1, 0))


class HashedBack(Hashed):
    """Random graphs with cycles for native code."""

    repeats = True
    repetition = 2

    class State(NamedTuple):
        seed: int
        spot: int
        ply: int

    def result(self, state: State, action: int) -> State:  # type: ignore[override]
        return self.State(state.seed, super().result(state, action).spot, 1)


@pytest.mark.native
@examples(60)
@given(st.integers(0, 10**9), switches(table=1))
def test_a_state_that_comes_back_is_a_draw_natively(seed: int, options: Options) -> None:
    game = HashedBack(width=6)
    position = Position(game, HashedBack.State(seed, 0, 0))
    found = [decide(position, options=options, world=world) for world in ("native", "interpreted")]
    value = value_without_return(game, position.state)
    for result in found:
        assert (result.value, result.kind) == (value if position.to_move == 0 else -value, "exact")
    assert found[0].nodes == found[1].nodes


# Faults that were found and mended.


@examples(200)
@given(cyclic(), switches())
@example(spots_of((1, (1, 0), 0), (0, (), -BEST)), Options())
def test_solving_every_action_knows_that_the_root_would_come_back(spots: tuple[Spot, ...], options: Options) -> None:
    game = Returning(spots)
    mover = game.to_move(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zermelo.engine.exact.LINE_NODES", 100)
        for line in solved(game, options).actions:
            value = value_without_return(game, game.result(0, line.action), frozenset({0}))
            assert line.value == (value if mover == 0 else -value)


def test_the_line_of_a_solution_does_not_go_in_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.engine.exact.LINE_NODES", 300)
    game = Returning(spots_of((0, (1,), 0), (1, (0,), 0)))
    assert len(solved(game, Options()).line) <= 2


def test_a_table_kept_from_move_to_move_knows_what_was_played() -> None:
    start, hub, second, other, won, small = 0, 1, 2, 3, (0, (), BEST), (0, (), 1)
    spots = spots_of((0, (other, hub), 0), (0, (4, second), 0), (0, (other, 5), 0), (1, (hub,), 0), won, small)
    position = Position(Returning(spots), start)
    machine = Machine(position.game, Options(), natively=False)
    assert Deepening(position, machine, Limits(), 1).run().value == BEST
    position.push(1)
    position.push(1)
    assert position.states == (start, hub, second)
    assert Deepening(position, machine, Limits(), 1).run().value == 1


def test_a_second_time_is_no_draw_where_the_third_is() -> None:
    class Thrice(Returning):
        repetition = 3

    position = Position(Thrice(spots_of((0, (1, 2), 0), (0, (0, 3), 0), (0, (), BEST), (0, (), 1))))
    position.push(0)
    assert decide(position, options=Options(), world="interpreted").value == BEST


@examples(200)
@given(acyclic(), TOTALS, switches(), st.lists(st.integers(0, 3), min_size=10, max_size=10))
@example(
    spots_of((0, (1,), 0), (0, (4, 2), 0), (1, (3, 5), 0), (0, (6,), -1.5), (0, (), -1), (0, (), 0), (0, (), 0)),
    -10, Options(), [2] * 10,
)  # fmt: skip
def test_a_wrong_guess_at_the_moves_left_changes_no_value_whatever_the_sum(
    spots: tuple[Spot, ...], total: float, options: Options, left: list[int]
) -> None:
    game = Counting(spots, total, known=tuple(left))
    assert_solved(game, solved(game, options), True)


@examples(200)
@given(acyclic(), switches(), st.lists(st.integers(0, 3), min_size=10, max_size=10))
@example(
    spots_of((0, (1,), 0), (0, (2, 3), 0), (0, (4,), 0), (0, (5,), 3), (0, (), 2), (0, (), 0)), Options(), [1] * 10
)
def test_a_line_keeps_its_value_whatever_the_guess_at_the_moves_left(
    spots: tuple[Spot, ...], options: Options, left: list[int]
) -> None:
    game = Counting(spots, known=tuple(left))
    assert_lines_keep_their_value(game, solved(game, options))


def test_a_line_goes_to_the_end_whatever_the_guess_at_the_moves_left() -> None:
    spots = spots_of(*((0, (at + 1,), 0) for at in range(4)), (0, (5,), -3), (0, (), 0))
    game = Counting(spots, known=(1,) * 6)
    assert_lines_keep_their_value(game, solved(game, Options()))


def test_a_hopeless_state_is_solved() -> None:
    assert solved(Graph(spots_of((0, (1,), 0), (0, (), -inf)), bounded=False), Options(), False).value == -inf


def long_fork(length: int) -> Graph:
    """Two ways from each state to the next, so that without a table there are more ways than can be tried."""
    return Graph(spots_of(*((at % 2, (at + 1, at + 1), 0) for at in range(length)), (0, (), 0)))


def test_a_long_game_is_solved() -> None:
    assert solved(long_fork(PLIES - 20), Options(), False, nodes=20_000).value == 0


def test_a_longer_game_is_solved() -> None:
    assert solved(long_fork(PLIES + 40), Options(), False, nodes=20_000).value == 0


class LoudBack(Loud, Returning):
    """Noisy actions among states that come back."""


def test_noisy_play_goes_through_no_draw() -> None:
    circle = spots_of((0, (1, 3), 0), (0, (2,), 0), (0, (0,), 0), (0, (), 4))
    position = Position(LoudBack(circle, known=((1,), (0,), (0,), ())))
    position.push(0)
    result = decide(position, depth=1, options=Options(extension=False), world="interpreted")
    assert (result.value, result.kind) == (0, "estimate")


@pytest.mark.parametrize("often", [2, 3])
def test_what_was_played_long_ago_may_not_come_back(often: int) -> None:
    class Circle(Returning):
        repetition = often

    last = 2 * PLIES
    way = [(0, (at + 1,), 0) for at in range(1, last)]
    circle = spots_of((0, (1, last + 1), 0), *way, (0, (0, last + 2), 0), (0, (), BEST), (0, (), 2))
    position = Position(Circle(circle))
    for _ in range((often - 1) * (last + 1) - 1):
        position.push(0)
    result = decide(position, world="interpreted")
    assert (result.action, result.value, result.kind) == (1, 2, "exact")


def test_a_stop_that_came_too_late_does_not_end_the_next_search() -> None:
    exact = Exact(Nim(stones=9), Options(), natively=False)
    position = Position(exact.game)
    solver = Solver(position, world="interpreted")
    exact.machine.stop()
    assert solver._run(exact, position, False, NO_LIMIT, 1.0, 0.0) is not None


@pytest.mark.native
def test_threads_share_the_nodes_of_a_solution() -> None:
    position = Position.from_text(ConnectFour(), moves="44444421")
    with pytest.raises(Unsuitable) as error:
        solve(position, nodes=40_000, world="native", options=Options(threads=2))
    assert int(str(error.value).split(" nodes")[0].split()[-1].replace(",", "")) <= 40_000
