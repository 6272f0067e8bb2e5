"""Choosing at the root: every algorithm, every world, exact values only where they are exact."""

from __future__ import annotations

import time
from math import inf
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import NestedTree, Node, examples, general, nested
from trees import trees as random_trees
from zermelo.engine.decide import best, decide
from zermelo.engine.engine import Engine
from zermelo.engine.options import Options
from zermelo.errors import BadInput, OutOfBounds, Unsuitable
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.dice_race import DiceRace
from zermelo.games.heaps import Heaps
from zermelo.games.nim import Nim
from zermelo.games.random_tree import RandomTree
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.montecarlo.options import TreeOptions
from zermelo.position import Position
from zermelo.recast import Facing, greedy
from zermelo.search.minimax import minimax
from zermelo.search.tally import DEEPEST, Tally
from zermelo.solver.exact import solve

ALGORITHMS = ["minimax", "negamax", "alphabeta", "alphabeta-table", "expectiminimax", "maxn"]
WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]
trees = st.builds(RandomTree, branching=st.integers(1, 4), depth=st.integers(0, 4), seed=st.integers(0, 999))


def child_values(position: Position, depth: int) -> dict[Any, float]:
    """The naive twin: each action's value by plain minimax."""
    game, player = position.game, position.to_move
    return {
        action: minimax(game, game.result(position.state, action), player, depth - 1, Tally())
        for action in position.moves
    }


@given(trees, st.sampled_from(ALGORITHMS), st.integers(1, 5))
@examples(300)
def test_lines_are_the_best_actions_with_their_exact_values(game: RandomTree, algorithm: str, lines: int) -> None:
    position = Position(game)
    result = decide(position, algorithm=algorithm, lines=lines, world="interpreted")
    if position.is_terminal:
        assert (result.action, result.kind, result.depth) == (None, "exact", 0)
        return
    values = child_values(position, DEEPEST)
    assert [line.value for line in result.lines] == sorted(values.values(), reverse=True)[: len(result.lines)]
    assert all(values[line.action] == line.value for line in result.lines)
    assert result.value == max(values.values())
    assert result.kind == "exact"
    assert result.action == result.lines[0].action


@given(trees, st.sampled_from(ALGORITHMS), st.integers(1, 3))
@examples(200)
def test_a_depth_limit_gives_depth_limited_minimax(game: RandomTree, algorithm: str, depth: int) -> None:
    position = Position(game)
    if position.is_terminal:
        return
    result = decide(position, algorithm=algorithm, depth=depth, world="interpreted")
    assert result.value == max(child_values(position, depth).values())
    assert result.kind == ("exact" if depth >= game.parameters["depth"] else "estimate") or result.value in (-100, 100)


@given(trees, st.sampled_from(ALGORITHMS))
@examples(200)
def test_the_expected_line_keeps_the_value_to_the_end(game: RandomTree, algorithm: str) -> None:
    result = best(game, algorithm=algorithm, world="interpreted")
    position = Position(game)
    for action in result.line:
        position.push(action)
    assert position.is_terminal
    assert game.utility(position.state, 0) == result.value


@given(random_trees(general(3), players=3, height=4))
@examples(150)
def test_each_line_of_maxn_keeps_its_own_values_to_the_end(root: Node) -> None:
    for line in best(NestedTree(root), algorithm="maxn", lines=3, world="interpreted").lines:
        node = root
        for action in line.actions:
            node = node.children[action]
        assert (node.children, node.worth) == ((), line.values)
        assert line.values[root.mover] == line.value


@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "maxn"])
def test_hopeless_actions_are_actions_all_the_same(algorithm: str, lines: int) -> None:
    class Hopeless(Nim):
        def utility(self, state: Any, player: int) -> float:
            return -inf if player == 0 else inf

        evaluate = utility

    for depth in (1, 3):
        result = best(Hopeless(stones=3), algorithm=algorithm, depth=depth, lines=lines, world="interpreted")
        assert (result.action, result.value, len(result.lines)) == (1, -inf, lines)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("game", "value"), [(Nim(stones=9), 1), (Nim(stones=8), -1), (Heaps("1-2-3"), -1), (TicTacToe(2, 3, 2), 1)]
)
def test_known_values_in_every_world(game: Game, value: float, algorithm: str, world: str) -> None:
    result = best(game, algorithm=algorithm, world=world)
    assert (result.value, result.kind, result.world) == (value, "exact", world)


@pytest.mark.native
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("game", [ConnectFour(), ConnectFour(margin=1), TicTacToe(4, 4, 3), RandomTree(depth=9)])
def test_the_worlds_search_the_same_nodes(game: Game, algorithm: str) -> None:
    there = best(game, algorithm=algorithm, depth=4, world="native")
    here = best(game, algorithm=algorithm, depth=4, world="interpreted")
    assert (here.action, here.value, here.nodes, here.line) == (there.action, there.value, there.nodes, there.line)


def test_no_end_is_evaluated() -> None:
    assert best(NestedTree(nested([0, [[0]]])), depth=2, world="interpreted").value == 0


def test_limits_of_nodes_are_kept_and_repeatable() -> None:
    results = [best(ConnectFour(), nodes=700, world="interpreted") for _ in range(2)]
    assert results[0].nodes == results[1].nodes <= 701
    assert results[0].action == results[1].action
    assert results[0].kind == "estimate"


def test_not_even_one_ply_still_gives_a_legal_action() -> None:
    result = best(ConnectFour(), nodes=1, world="interpreted")
    assert (result.action, result.kind, result.depth) == (0, "estimate", 0)


def test_seconds_end_a_search() -> None:
    result = best(ConnectFour(), seconds=0.2, world="interpreted")
    assert result.kind == "estimate"
    assert result.seconds < 5


def test_a_sure_win_is_exact_before_the_tree_is_done() -> None:
    result = decide(Position.from_text(ConnectFour(), moves="112233"), world="interpreted")
    assert (result.action, result.value, result.kind, result.depth) == (3, 1, "exact", 1)


@pytest.mark.native
def test_big_searches_go_native_by_themselves() -> None:
    assert best(TicTacToe()).world == "interpreted"
    assert best(ConnectFour(), depth=7).world == "native"


class Words(Game):
    """A state that can't be native: a word; whoever writes its fifth letter wins."""

    def initial(self) -> Any:
        return ""

    def to_move(self, state: Any) -> int:
        return len(state) % 2

    def actions(self, state: Any) -> Any:
        return "abcdef"

    def result(self, state: Any, action: Any) -> Any:
        return state + action

    def is_terminal(self, state: Any) -> bool:
        return len(state) == 5

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1

    def key(self, state: Any) -> Any:
        return hash(state)


def test_a_game_of_words_stays_interpreted_and_says_why() -> None:
    result = best(Words(), algorithm="minimax")
    assert (result.value, result.world) == (1, "interpreted")
    assert "its state is a str" in result.note or "NUMBA_DISABLE_JIT" in result.note


class Slow(Words):
    """Words that take a millisecond to read; `read` counts them."""

    read: ClassVar[list[str]] = []

    def is_terminal(self, state: Any) -> bool:
        time.sleep(0.001)
        self.read.append(state)
        return super().is_terminal(state)


def test_seconds_are_spent_once() -> None:
    started = time.monotonic()
    result = best(Slow(), algorithm="minimax", seconds=0.5)
    assert 0.4 < result.seconds < 0.9
    assert time.monotonic() - started < 0.9


def test_seconds_count_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.search.decide.TRIAL", 200)
    started = time.monotonic()
    assert best(Slow(), algorithm="minimax", seconds=0.5).seconds < 0.9
    assert time.monotonic() - started < 0.9
    result = best(Slow(), algorithm="minimax", depth=3)
    assert result.nodes == 6 + 6**2 + 6**3
    assert result.seconds > 0.001 * (200 + result.nodes)


def test_nodes_are_spent_once() -> None:
    Slow.read.clear()
    results = [best(Slow(), algorithm="minimax", nodes=50) for _ in range(2)]
    assert results[0].nodes == results[1].nodes
    assert len(Slow.read) < 2 * 100


class Endless(Game):
    class State(NamedTuple):
        turn: int

    def initial(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> int:
        return state.turn

    def actions(self, state: Any) -> Any:
        yield 0

    def result(self, state: Any, action: Any) -> Any:
        return self.State(1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return False

    def utility(self, state: Any, player: int) -> float:
        return 0


class Climb(Endless):
    """The same with a count of the moves, and with a `win` at the first if one likes."""

    class State(NamedTuple):
        height: int
        turn: int

    utility_bounds = (-1, 1)

    def __init__(self, win: bool = False) -> None:
        self.win = win

    def initial(self) -> Any:
        return self.State(0, 0)

    def actions(self, state: Any) -> Any:
        yield 1
        if self.win and state.height == 0:
            yield -1

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.height + action, 1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return state.height < 0

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1


def test_an_endless_game_is_no_exact_value() -> None:
    assert best(Endless(), nodes=2000, world="interpreted").kind == "estimate"
    with pytest.raises(Unsuitable, match=r"10,000 moves were not enough after [\d,]+ nodes: give a position nearer"):
        solve(Climb())


def test_a_game_that_comes_back_unsaid_is_not_solved() -> None:
    with pytest.raises(Unsuitable, match=r"Endless comes back to state 'turn=0', .*: set repeats = True"):
        solve(Endless())


def test_solve_gives_no_action_an_estimate() -> None:
    game = Climb(win=True)
    assert solve(game).value == 1
    with pytest.raises(Unsuitable, match="10,000 moves were not enough"):
        solve(game, actions=True)


@pytest.mark.parametrize("world", WORLDS)
def test_solve_in_a_world(world: str) -> None:
    assert (solve(Nim(stones=9), world=world).value, solve(Nim(stones=9), world=world).world) == (1, world)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"depth": 0}, "depth must be more than 0"),
        ({"nodes": -1}, "nodes must be more than 0"),
        ({"seconds": 0}, "seconds must be more than 0"),
        ({"seconds": float("nan")}, "seconds must be more than 0"),
        ({"depth": 10**6}, "depth must be at most"),
        ({"lines": 0}, "lines must be at least 1"),
        ({"world": "mars"}, "there is no world 'mars'"),
        ({"algorithm": "magic"}, "there is no algorithm 'magic'"),
    ],
)
def test_bad_limits_are_one_sentence(limits: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        best(Nim(), **limits)


def test_every_depth_is_told() -> None:
    heard: list[tuple[int, float]] = []
    best(Nim(stones=9), listen=lambda result: heard.append((result.depth, result.value)))
    assert [depth for depth, _ in heard] == list(range(1, len(heard) + 1))
    assert heard[-1][1] == 1


@pytest.mark.parametrize(("stones", "value"), [(100, -1), (101, 1)])
def test_solve_gives_every_action_its_value(stones: int, value: float) -> None:
    solution = solve(Nim(stones=stones), actions=True)
    assert solution.value == value
    assert {line.action: line.value for line in solution.actions} == {
        take: 1 if (stones - take) % 4 == 0 else -1 for take in (1, 2, 3)
    }


def test_solve_out_of_limits_says_so() -> None:
    with pytest.raises(Unsuitable, match="limits were reached after"):
        solve(ConnectFour(), nodes=1000)


class Half(Nim):
    """Nim won by 1 and lost by 0, so that the default evaluation, 0, lies at a bound."""

    utility_sum = 1
    utility_bounds = (0, 1)

    def utility(self, state: Any, player: int) -> float:
        return 1 if state.turn != player else 0


class Boastful(Nim):
    """An evaluation that takes every state with more than three stones for a win of the player to move."""

    def evaluate(self, state: Any, player: int) -> float:
        value = 1 if state.stones > 3 else 0
        return value if state.turn == player else -value


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "alphabeta-table", "expectiminimax"])
def test_an_evaluation_at_a_bound_is_never_proof(algorithm: str, world: str) -> None:
    for game, loss in ((Half(), 0), (Boastful(), -1)):
        for stones in (5, 8, 9):
            position, value = Position(game, Nim.State(stones, 0)), 1 if stones % 4 else loss
            for depth in range(1, stones + 1):
                result = decide(position, algorithm=algorithm, depth=depth, world=world)
                assert result.kind == "estimate" or result.value == value
            result = decide(position, algorithm=algorithm, world=world)
            assert (result.value, result.kind) == (value, "exact")


def test_infinite_bounds_never_count_as_proved() -> None:
    class Unbounded(RandomTree):
        utility_bounds = (-inf, inf)

    assert best(RandomTree(depth=4), depth=2, world="interpreted").kind == "estimate"


class Wide(Nim):
    """Its ends are worth more than it says."""

    def utility(self, state: Any, player: int) -> float:
        return 3 * super().utility(state, player)


@pytest.mark.parametrize("world", WORLDS)
def test_the_engine_tells_a_utility_outside_the_bounds_that_it_rests_on(world: str) -> None:
    search: Any
    for search in (best, solve):
        with pytest.raises(OutOfBounds, match="utilities lie outside utility_bounds"):
            search(Wide(9), world=world)


def test_a_sample_is_never_proof_and_is_drawn_apart_for_each_action() -> None:
    found = best(TicTacToe(), algorithm="sampled", depth=9, lines=9)
    assert {line.kind for line in found.lines} == {"estimate"}
    flat = Tree.of([[1, 2, 3, 4]] * 4)
    worths = best(flat, algorithm="sampled", depth=2, lines=4, options=Options(width=1))
    assert len({line.value for line in worths.lines}) > 1


def test_a_sample_that_is_seen_to_its_ends_is_not_searched_deeper() -> None:
    found = best(TicTacToe(), algorithm="sampled", options=Options(width=2), world="interpreted")
    assert (found.kind, found.depth) == ("estimate", 10)


@pytest.mark.native
def test_rules_that_are_slow_interpreted_leave_time_for_native_code() -> None:
    found = best(Facing(TicTacToe(5, 3, players=3), greedy), seconds=1)
    assert found.world == "native"


def test_switches_choose_an_algorithm_only_where_it_serves() -> None:
    assert best(DiceRace(), options=Options(probe=2)).algorithm == "star2"
    assert Engine(DiceRace(), Options(probe=2)).algorithm == "star2"
    assert best(Nim(9), tree=TreeOptions(), nodes=100).algorithm == "uct"
    assert Engine(Nim(9), tree=TreeOptions()).algorithm == "uct"
    assert best(Nim(9), options=Options(algorithm="mtdf")).algorithm == "mtdf"
