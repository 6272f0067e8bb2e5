"""Value iteration: its bounds are those of all strategies tried out in fractions, in both worlds, and it says what it
does not know."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import FAIR, examples
from zermelo import best, native, solve
from zermelo.errors import BadInput, GameError, Unsolved, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.games.pig import HOLD, ROLL, Pig
from zermelo.position import Position
from zermelo.search import iteration
from zermelo.search.graph import Graph
from zermelo.search.iteration import PRECISION, iterate
from zermelo.search.result import Limits

PRECISE = 1e-8


class Spot(NamedTuple):
    """A node: who moves, where its actions or outcomes lead (nowhere: an end), their odds, and its worth."""

    mover: int
    next: tuple[int, ...]
    odds: tuple[float, ...] = ()
    worth: float = 0.0


class Maze(Game):
    """A game that is nothing but its graph, cycles and chance included; play begins at the first node."""

    repeats = True
    utility_bounds: tuple[float, float] = (-4, 4)

    def __init__(self, *spots: Spot) -> None:
        self.spots = spots

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.spots[state].mover

    def is_terminal(self, state: int) -> bool:
        return not self.spots[state].next

    def actions(self, state: int) -> Iterator[int]:
        assert self.spots[state].mover != CHANCE
        yield from range(len(self.spots[state].next))

    def outcomes(self, state: int) -> Iterator[tuple[int, float]]:
        yield from enumerate(self.spots[state].odds)

    def result(self, state: int, action: int) -> int:
        return self.spots[state].next[action]

    def utility(self, state: int, player: int) -> float:
        return self.spots[state].worth if player == 0 else -self.spots[state].worth


class Certain(Maze):
    """The same without chance."""

    outcomes = Game.outcomes


@st.composite
def mazes(draw: st.DrawFn, nodes: int = 6) -> tuple[Spot, ...]:
    """Any graph of a few nodes with chance."""
    count = draw(st.integers(2, nodes))
    spots = []
    for _ in range(count):
        mover = draw(st.sampled_from([CHANCE, 0, 1]))
        targets = tuple(draw(st.lists(st.integers(0, count - 1), max_size=2)))
        odds = draw(st.sampled_from(FAIR[len(targets)])) if mover == CHANCE and targets else ()
        spots.append(Spot(max(mover, 0) if not targets else mover, targets, odds, draw(st.integers(-4, 4))))
    return (*spots, Spot(0, (), (), draw(st.integers(-4, 4))))


# The naive twin: every pair of strategies, each a Markov chain whose value is found in fractions.


def naive_value(spots: tuple[Spot, ...], endless: int) -> Fraction:
    """What the first node is worth to player 0 if play that never ends is worth `endless`: by all strategies."""
    choices = [[(node, way) for way in range(len(spots[node].next))] for node in range(len(spots))]
    own = [pairs for pairs, spot in zip(choices, spots, strict=True) if spot.mover == 0 and pairs]
    other = [pairs for pairs, spot in zip(choices, spots, strict=True) if spot.mover == 1 and pairs]
    return max(
        min(chain_value(spots, dict(mine) | dict(theirs), endless) for theirs in product(*other))
        for mine in product(*own)
    )


def chain_value(spots: tuple[Spot, ...], choice: dict[int, int], endless: int) -> Fraction:
    """The value of the first node where every player's choice is fixed."""
    ways = []
    for node, spot in enumerate(spots):
        odds = spot.odds if spot.mover == CHANCE else [float(way == choice.get(node)) for way in range(len(spot.next))]
        ways.append([(to, Fraction(chance)) for to, chance in zip(spot.next, odds, strict=True) if chance])
    ending = {node for node, spot in enumerate(spots) if not spot.next}
    while more := {node for node, way in enumerate(ways) if node not in ending and any(to in ending for to, _ in way)}:
        ending |= more
    unknown = sorted(node for node in ending if spots[node].next)
    known = {node: Fraction(spot.worth) if not spot.next else Fraction(endless) for node, spot in enumerate(spots)}
    if 0 not in unknown:
        return known[0]
    rows = []
    for node in unknown:
        row = [Fraction(node == column) - sum(p for to, p in ways[node] if to == column) for column in unknown]
        rows.append([*row, sum((p * known[to] for to, p in ways[node] if to not in unknown), Fraction(0))])
    return solved(rows)[unknown.index(0)]


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations (Gauss and Jordan)."""
    for column in range(len(rows)):
        pivot = next(row for row in range(column, len(rows)) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [number / rows[column][column] for number in rows[column]]
        for row, numbers in enumerate(rows):
            if row != column:
                rows[row] = [a - numbers[column] * b for a, b in zip(numbers, rows[column], strict=True)]
    return [row[-1] for row in rows]


def settled(game: Game, *, natively: bool = False) -> Graph:
    """The graph of a game with its bounds as near as they come."""
    graph = Graph(game, game.initial(), natively=natively)
    assert graph.find(10**6)
    graph.sort()
    graph.settle(PRECISE / 10)
    return graph


@examples(150)
@given(mazes())
def test_the_bounds_are_those_of_all_strategies(spots: tuple[Spot, ...]) -> None:
    graph = settled(Maze(*spots))
    low, high = graph.low[graph.first], graph.high[graph.first]
    assert low == pytest.approx(float(naive_value(spots, -4)), abs=PRECISE)
    assert high == pytest.approx(float(naive_value(spots, 4)), abs=PRECISE)


@examples(100)
@given(mazes())
def test_an_answer_is_exact_or_says_what_is_known(spots: tuple[Spot, ...]) -> None:
    position = Position(Maze(*spots))
    if position.is_terminal:
        return
    found = iterate(position, Limits(), 9)
    low, high = float(naive_value(spots, -4)), float(naive_value(spots, 4))
    if position.to_move == 1:
        low, high = -high, -low
    assert found.value == pytest.approx(low, abs=PRECISE)
    assert (found.kind == "exact") == (high - low < PRECISE)
    assert bool(found.note) == (found.kind == "lower")
    if found.lines:
        assert found.value == pytest.approx(found.lines[0].value, abs=PRECISE)
        assert sorted(line.action for line in found.lines) == list(range(len(spots[0].next)))
        assert [line.value for line in found.lines] == sorted((line.value for line in found.lines), reverse=True)


@examples(100)
@given(mazes())
def test_the_choices_make_sure_of_the_bounds(spots: tuple[Spot, ...]) -> None:
    """Against every reply, and with all endless play taken for the worst: so they never go round in circles."""
    graph = settled(Maze(*spots))
    places = {0: graph.first}
    for node in (waiting := [0]):
        for to, place in zip(spots[node].next, graph.links(places[node]), strict=True):
            if to not in places:
                places[to] = place
                waiting.append(to)
    for player, endless in ((0, -4), (1, 4)):
        fixed = []
        for number, spot in enumerate(spots):
            way = int(graph.choice[places[number]]) if number in places else 0
            fixed.append(spot._replace(next=spot.next[way : way + 1]) if spot.mover == player else spot)
        bound = (graph.low if player == 0 else graph.high)[graph.first]
        assert float(naive_value(tuple(fixed), endless)) == pytest.approx(bound, abs=PRECISE)


# Pig.


def pig_naive(target: int, sides: int) -> float:
    """The first player's chance by the equations of the game: p(i, j, k) for own and other's score and the turn's."""
    states = [(i, j, k) for i in range(target) for j in range(target) for k in range(target - i)]
    chance = dict.fromkeys(states, 0.5)

    def at(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else chance[i, j, k]

    for _ in range(200):
        for i, j, k in states:
            roll = (1 - at(j, i, 0) + sum(at(i, j, k + pips) for pips in range(2, sides + 1))) / sides
            chance[i, j, k] = max(roll, 1 - at(j, i + k, 0)) if k else roll
    return chance[0, 0, 0]


@pytest.mark.parametrize(("target", "sides"), [(2, 6), (7, 6), (10, 6), (9, 3), (6, 2)])
def test_pig_with_a_small_target(target: int, sides: int) -> None:
    found = solve(Pig(target, sides), actions=True)
    assert found.value == pytest.approx(pig_naive(target, sides), abs=PRECISE)
    assert found.algorithm == "value-iteration"
    assert 0 < found.precision <= PRECISION


def test_pig_to_two_by_hand() -> None:
    assert best(Pig(2)).value == pytest.approx(6 / 7, abs=PRECISE)


@pytest.mark.native
def test_pig_to_a_hundred() -> None:
    game = Pig()
    found = best(game, world="native")
    assert (round(found.value, 4), found.kind, found.world) == (0.5306, "exact", "native")
    assert found.nodes == 2_039_004
    for text in ("95:90 1+3", "88:93 2+0", "80:97 1+14 rolling"):
        state = game.parse_state(text)
        graphs = [Graph(game, state, natively=natively) for natively in (True, False)]
        for graph in graphs:
            assert graph.find(10**6)
            graph.sort()
            graph.settle(PRECISE)
        one, other = graphs
        assert (one.count.nodes, one.count.links) == (other.count.nodes, other.count.links)
        assert (one.components, one.sweeps) == (other.components, other.sweeps)
        assert (list(one.starts), list(one.targets)) == (other.starts, other.targets)
        assert list(one.low) == pytest.approx(other.low, abs=1e-14)
        assert list(one.high) == pytest.approx(other.high, abs=1e-14)


@pytest.mark.native
def test_a_fault_is_told_natively_with_its_state() -> None:
    class Loaded(Pig):
        def outcomes(self, state: Any) -> Iterator[tuple[int, float]]:
            for pips in range(1, self.sides + 1):
                yield pips, 1 / self.sides if state.total != 5 else 0.25

    with pytest.raises(
        GameError, match=r"Loaded.outcomes gives the probabilities .* in state '0:0 1\+5 rolling': none"
    ):
        best(Loaded(8), world="native")


# What it says.


def test_endless_play_leaves_an_interval() -> None:
    game = Certain(Spot(0, (1, 2)), Spot(1, (0,)), Spot(0, (), (), 1))
    with pytest.raises(
        Unsolved, match=r"Certain is not solved from here: play .* for ever, and the value is from 1 to 4"
    ):
        solve(game)
    found = best(game, algorithm="value-iteration")
    assert (found.action, found.value, found.kind) == (1, 1, "lower")


def test_a_game_without_chance_whose_bounds_close_is_solved() -> None:
    found = solve(Certain(Spot(0, (1, 2)), Spot(1, (0, 3)), Spot(0, (), (), 4), Spot(0, (), (), -1)), actions=True)
    assert (found.value, found.line, found.algorithm) == (4, (1,), "value-iteration")


def test_limits_are_obeyed_and_a_search_by_depth_takes_over() -> None:
    game = Pig(30)
    with pytest.raises(Unsolved, match=r"has found [\d,]+ states of Pig when limits were reached: give more"):
        best(game, algorithm="value-iteration", nodes=100, world="interpreted")
    found = best(game, nodes=100, world="interpreted")
    assert (found.algorithm, found.kind) == ("star2", "estimate")
    assert "so this is a search to a depth" in found.note
    assert best(game, depth=3, world="interpreted").algorithm == "star2"
    with pytest.raises(BadInput, match="leave the depth out"):
        best(game, depth=3, algorithm="value-iteration")


def test_too_many_states_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.search.graph.MOST_OBJECTS", 20_000)

    class Walk(Maze):
        def is_terminal(self, state: int) -> bool:
            return False

        def to_move(self, state: int) -> int:
            return CHANCE

        def outcomes(self, state: int) -> Iterator[tuple[int, float]]:
            yield from ((-1, 0.5), (1, 0.5))

        def result(self, state: int, action: int) -> int:
            return state + action

    with pytest.raises(Unsolved, match="states of Walk, and there is no room for more: if play ends at all"):
        solve(Walk(), world="interpreted")


def test_what_was_played_since_needs_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(Pig(10))
    first = best(position)
    monkeypatch.setattr(Graph, "find", None)
    for action in (ROLL, 6, HOLD, ROLL, 3):
        position.push(action)
    found = best(position)
    monkeypatch.undo()
    assert found.nodes == first.nodes
    assert found.value == pytest.approx(best(Position(Pig(10), position.state)).value, abs=PRECISE)


def test_when_it_is_stopped_it_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.search.graph.settle", stop)
    with pytest.raises(KeyboardInterrupt, match="found 2,304 states of Pig, whose value is between 0 and 1 as far as"):
        best(Pig(10), world="interpreted")


@pytest.mark.parametrize(
    ("spot", "complaint"),
    [
        (Spot(CHANCE, (1, 1), (0.5, 0.4)), r"probabilities \[0.5, 0.4\] in state 'state=0': none may be negative"),
        (Spot(CHANCE, (1, 1), (1.5, -0.5)), r"Maze.outcomes gives the probabilities \[1.5, -0.5\]"),
        (Spot(CHANCE, (1, 1), (0.5, float("nan"))), r"probabilities \[0.5, nan\]"),
        (Spot(0, (2,)), r"Maze.utility gives player 0 9 in state 'state=2', outside utility_bounds \(-4, 4\): widen"),
    ],
)
def test_faults_are_told(spot: Spot, complaint: str) -> None:
    with pytest.raises(GameError, match=complaint):
        best(Maze(spot, Spot(0, (), (), 1), Spot(0, (), (), 9)))


def test_unbounded_utilities_leave_everything_open_where_states_come_back() -> None:
    class Open(Maze):
        utility_bounds = (-inf, inf)

    assert solve(Open(Spot(0, (1,)), Spot(0, (), (), 7)), actions=True).value == 7
    with pytest.raises(Unsolved, match="the value is from 1 to inf"):
        solve(Open(Spot(0, (0, 1)), Spot(0, (), (), 1)))


def test_games_with_chance_are_solved_with_equal_states_as_one() -> None:
    """A long walk that every tree search would take for ever on: up or down by a coin, forty times."""

    class Walk(Maze):
        repeats = False
        utility_bounds = (-40, 40)

        class State(NamedTuple):
            at: int
            left: int

        def initial(self) -> Any:
            return self.State(0, 40)

        def to_move(self, state: Any) -> int:
            return CHANCE if state.left else 0

        def is_terminal(self, state: Any) -> bool:
            return state.left == 0

        def outcomes(self, state: Any) -> Iterator[tuple[int, float]]:
            yield from ((-1, 0.5), (1, 0.5))

        def result(self, state: Any, action: int) -> Any:
            return self.State(state.at + action, state.left - 1)

        def utility(self, state: Any, player: int) -> float:
            return abs(state.at) if player == 0 else -abs(state.at)

    found = solve(Walk(), world="interpreted")
    assert found.nodes <= 1000
    assert found.value == pytest.approx(5.014828, abs=1e-6)


def test_the_graphs_of_games_that_are_gone_are_gone() -> None:
    gc.collect()
    before = len(iteration._solved)
    game = Pig(5)
    best(game)
    assert len(iteration._solved) == before + 1
    del game
    gc.collect()
    assert len(iteration._solved) == before
    assert native.why_interpreted(Pig()) in ("", "Pig runs interpreted because NUMBA_DISABLE_JIT is set")


def test_what_does_not_matter_may_stay_open() -> None:
    """A coin is thrown until it wins; who goes where the other may dawdle for ever need not."""
    spots = (
        Spot(0, (1, 2)),
        Spot(CHANCE, (3, 0), (0.5, 0.5)),
        Spot(1, (2, 4)),
        Spot(0, (), (), 1),
        Spot(0, (), (), 0),
    )
    found = best(Maze(*spots))
    assert (found.kind, found.action) == ("exact", 0)
    assert found.value == pytest.approx(1, abs=PRECISE)


def test_nothing_is_known_of_averages_without_bounds() -> None:
    class Open(Maze):
        utility_bounds = (-inf, inf)

    game = Open(Spot(CHANCE, (0, 1), (0.5, 0.5)), Spot(0, (), (), 3))
    with pytest.raises(Unsolved, match="needs finite utility_bounds, those of Open are -inf and inf where states come"):
        best(game, algorithm="value-iteration")
    with pytest.raises(Unsolved, match="declare them, or search with a depth"):
        solve(game)
    found = best(game, depth=40)
    assert (found.algorithm, found.kind) == ("expectiminimax", "estimate")


def test_a_finished_game_is_over_whether_states_come_back_or_not() -> None:
    ended = Position.from_text(Pig(5), moves="roll 5")
    assert (best(ended).value, best(ended).kind, solve(ended).value) == (1, "exact", 1)


def test_an_outcome_that_can_t_happen_leads_out_of_the_graph() -> None:
    game = Maze(Spot(CHANCE, (1, 2), (0.0, 1.0)), Spot(0, (2,)), Spot(0, (), (), 3))
    position = Position(game)
    assert best(position).value == 3
    position.push(0)
    assert best(position).value == 3


def test_a_position_near_the_end_of_a_game_of_countless_states() -> None:
    class Vast(Maze):
        state_count = 1e19

    assert solve(Vast(Spot(CHANCE, (0, 1), (0.5, 0.5)), Spot(0, (), (), 3))).value == pytest.approx(3, abs=PRECISE)


class Listed(Maze):
    """The same with states that no table keeps."""

    def initial(self) -> Any:
        return [0]

    def to_move(self, state: Any) -> int:
        return super().to_move(state[0])

    def is_terminal(self, state: Any) -> bool:
        return super().is_terminal(state[0])

    def actions(self, state: Any) -> Iterator[int]:
        yield from super().actions(state[0])

    def outcomes(self, state: Any) -> Iterator[tuple[int, float]]:
        yield from super().outcomes(state[0])

    def result(self, state: Any, action: int) -> Any:
        return [super().result(state[0], action)]

    def utility(self, state: Any, player: int) -> float:
        return super().utility(state[0], player)


def test_states_that_no_table_can_keep() -> None:
    spots = Spot(0, (1, 2)), Spot(CHANCE, (0, 2), (0.5, 0.5)), Spot(0, (), (), 1)
    found = best(Listed(*spots), nodes=500)
    assert (found.algorithm, found.value, found.kind) == ("star2", 1, "estimate")
    with pytest.raises(Unsuitable, match="make them of tuples, which a table can keep, or search it with a depth"):
        solve(Listed(*spots))
    with pytest.raises(Unsuitable, match="those of Listed can't be kept in: make them of tuples"):
        best(Listed(*spots), algorithm="value-iteration")


# Where a state that comes back ends the game.


class Circling(Game):
    """A graph of numbered states: who moves, what follows, what an end or a return is worth to player 0."""

    repeats, repetition, utility_bounds = True, 2, (-4, 4)

    def __init__(self, movers: tuple[int, ...], links: tuple[tuple[int, ...], ...], worths: tuple[int, ...]) -> None:
        self.movers, self.links, self.worths = movers, links, worths

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def is_terminal(self, state: int) -> bool:
        return not self.links[state]

    def actions(self, state: int) -> Iterator[int]:
        yield from self.links[state]

    def result(self, state: int, action: int) -> int:
        return action

    def utility(self, state: int, player: int) -> float:
        return self.worths[state] if player == 0 else -self.worths[state]

    def tied(self, state: int, player: int) -> float:
        return self.utility(state, player)


class Slow(Circling):
    """The third time that a state occurs ends the game."""

    repetition = 3


def first_return(game: Circling, path: tuple[int, ...]) -> int:
    """The value to player 0 after a path if enough returns end the game, by plain minimax over all paths."""
    state = path[-1]
    if game.is_terminal(state) or path.count(state) >= game.repetition:
        return game.worths[state]
    values = [first_return(game, (*path, child)) for child in game.links[state]]
    return max(values) if game.movers[state] == 0 else min(values)


def circling(data: st.DataObject, kind: type[Circling], size: int, most: int) -> Circling:
    """A graph with so many states, which lead to so many others at most."""
    numbers, tie = st.integers(0, size - 1), data.draw(st.integers(-2, 2))
    movers = tuple(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    links = tuple(
        tuple(data.draw(st.lists(numbers, max_size=most, min_size=0 if node else 1, unique=True)))
        for node in range(size)
    )
    worths = tuple(data.draw(st.integers(-4, 4)) if not links[node] else tie for node in range(size))
    return kind(movers, links, worths)


@given(st.data())
@examples(150)
def test_returns_end_the_game_by_all_paths(data: st.DataObject) -> None:
    """All actions have the values that plain minimax finds, and the expected line keeps them."""
    game = circling(data, Circling, data.draw(st.integers(2, 6)), 3)
    found = iterate(Position(game), Limits(), 9, "interpreted")
    sign = 1 if game.movers[0] == 0 else -1
    assert (found.kind, found.value) == ("exact", sign * first_return(game, (0,)))
    for line in found.lines:
        ways = [(0, *line.actions[:end]) for end in range(1, len(line.actions) + 1)]
        assert all(first_return(game, way) == sign * line.value for way in ways)


@given(st.data(), st.sampled_from([(Circling, 6, 3), (Slow, 4, 2)]), st.integers(1, 8))
@examples(200)
def test_what_came_before_counts(data: st.DataObject, shape: tuple[type[Circling], int, int], plies: int) -> None:
    """After some moves the value is that of plain minimax over all paths that begin with them."""
    game = circling(data, *shape)
    position = Position(game)
    for _ in range(plies):
        if position.is_terminal:
            position.pop()
            break
        position.push(data.draw(st.sampled_from(position.moves)))
    if position.is_terminal:
        position.pop()
    iterate(Position(game), Limits(), 1, "interpreted")  # a graph that is kept, and must not answer
    found = iterate(position, Limits(), 9, "interpreted")
    sign, path = (1 if game.movers[position.state] == 0 else -1), position.states
    assert (found.kind, found.value) == ("exact", sign * first_return(game, path))
    for line in found.lines:
        ways = [(*path, *line.actions[:end]) for end in range(1, len(line.actions) + 1)]
        assert all(first_return(game, way) == sign * line.value for way in ways)


def test_best_and_solve_count_what_came_before() -> None:
    class Round(Circling):
        def is_closing(self, state: int) -> bool:
            return True

    position = Position(Round((0, 1, 0, 0), ((3, 1), (2,), (0,), ()), (0, 0, 0, 1)))
    assert solve(position).value == best(position).value == 1
    for action in (1, 2):
        position.push(action)
        found = best(position)
        assert (found.value, found.algorithm) == (0, "value-iteration")
        assert solve(position).value == best(position, algorithm="pvs").value == 0


def test_a_circle_has_one_worth() -> None:
    game = Circling((0, 1), ((1,), (0,)), (1, 2))
    with pytest.raises(Unsuitable, match=r"needs Circling\.tied to be the same in all states that can follow on one"):
        best(game, algorithm="value-iteration")
