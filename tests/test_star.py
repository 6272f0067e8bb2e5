"""Star1, Star2 and Star2.5 equal expectiminimax, in every window, with and without a table, in both worlds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import DEPTHS, ChanceTree, Node, chance, examples, leaf, minimax_naive, trees, windows, zero_sum
from zermelo import native
from zermelo.bits import Bits, scatter
from zermelo.cli.main import main
from zermelo.engine.decide import best, decide
from zermelo.engine.options import Options
from zermelo.errors import BadInput, BadOdds, GameError, LimitReached, OutOfBounds, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.games.backgammon import Backgammon
from zermelo.games.tree import Tree
from zermelo.position import Position
from zermelo.search.chance import starred
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.ranges import Memory
from zermelo.search.star import ALL, star1, star2
from zermelo.search.suitability import suits, usual_algorithm
from zermelo.search.tally import DEEPEST, Tally

CLOSE = 1e-11
LIAR, GAMBLER = 10**7, 10**7 + 1
WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]


class Bounded(ChanceTree):
    """A tree whose utilities are known to lie within ±4."""

    utility_bounds = (-4, 4)


class Scattered(Game):
    """Players and chance in any order, by the hash of a state; many ways lead to each state, and some are dead ends.

    Numbers from 64 n to 64 n + 63 are a game for themselves; where n is odd it is soon over. In that of `LIAR` a value
    is far outside the bounds, in that of `GAMBLER` probabilities add up to less than 1.
    """

    utility_bounds = (-8, 8)

    class State(NamedTuple):
        number: int
        ply: int

    def __init__(self, height: int = 9, width: int = 12) -> None:
        self.height, self.width = height, width

    def noise(self, state: State, salt: int) -> int:
        return int(scatter(Bits(state.number * 64 + state.ply) + salt * 1000003) >> 33)

    def initial(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return self.noise(state, 1) % 3 - 1

    def is_terminal(self, state: State) -> bool:
        often = 3 if state.number // 64 % 2 else 16
        return state.ply >= self.height or (state.ply > 0 and self.noise(state, 2) % often == 0)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(1 + self.noise(state, 3) % 4):
            yield action

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        odds = self.noise(state, 4) % 3
        if odds == 0 or state.number // 64 == GAMBLER:
            yield 0, 0.25
            yield 1, 0.5 if state.number // 64 == GAMBLER and state.ply > 0 else 0.75
        elif odds == 1:
            yield 0, 0.5
            yield 1, 0
            yield 2, 0.5
        else:
            for action in range(3):
                yield action, 1 / 3

    def result(self, state: State, action: int) -> State:
        base = state.number // 64 * 64
        return self.State(base + (self.noise(state, 5) + action * 5) % self.width, state.ply + 1)

    def worth(self, state: State) -> float:
        return 20.0 if state.number == 64 * LIAR + 3 else self.noise(state, 6) % 15 - 7.0

    def utility(self, state: State, player: int) -> float:
        return self.worth(state) if player == 0 else -self.worth(state)

    def evaluate(self, state: State, player: int) -> float:
        return self.worth(state) if player == 0 else -self.worth(state)


class Sure(Scattered):
    """The same, where some states have bounds of their own, and some actions are known to be enough."""

    def bounds(self, state: Scattered.State, player: int) -> tuple[float, float]:
        low = self.noise(state, 7) % 6 - 3
        return (low, low + 3) if player == 0 else (-low - 3, -low)


class Forever(Scattered):
    """A chance game whose states come back."""

    repeats = True


def run_all(game: Game, state: Any, player: int, window: tuple[float, float], depth: int) -> dict[str, float]:
    """What each of the searches says, interpreted."""
    found = {"star1": star1(game, state, player, *window, depth, Tally())}
    for probe in (1, 2):
        found[f"star2, {probe}"] = star2(game, state, player, *window, depth, probe, ALL, Tally())
    for probe, table in ((0, 0.0), (1, 0.0), (1, 0.0002), (2, 0.01), (1, 0.01)):
        desk = Memory(game, False, table, probe).desk
        for time in range(2):
            name = f"starred, {probe}, {table} MiB, {time}"
            found[name] = starred(game, state, player, *window, depth, ALL, 1, desk, Tally())
    return found


def is_right(found: float, value: float, window: tuple[float, float]) -> bool:
    """The fail-soft theorem, but for rounding."""
    alpha, beta = window
    if found <= alpha:
        return value <= found + CLOSE
    return value >= found - CLOSE if found >= beta else abs(value - found) <= CLOSE


# Values.


@examples(100)
@given(trees(zero_sum(), dice=True), DEPTHS, windows())
def test_every_window_has_a_right_bound(root: Node, depth: int, window: tuple[float, float]) -> None:
    for player in (0, 1):
        value = minimax_naive(root, player, depth)
        for name, found in run_all(Bounded(root), root, player, window, depth).items():
            assert is_right(found, value, window), name


@examples(40)
@given(st.integers(0, 10**6), st.integers(1, 7), windows())
def test_states_reached_by_many_ways_keep_their_values(seed: int, depth: int, window: tuple[float, float]) -> None:
    game = Scattered()
    state = game.State(64 * seed, 0)
    for player in (0, 1):
        value = expectiminimax(game, state, player, depth, Tally())
        for name, found in run_all(game, state, player, window, depth).items():
            assert is_right(found, value, window), name


def test_a_table_from_other_depths_changes_nothing() -> None:
    game = Scattered()
    desk = Memory(game, False, 0.1, 1).desk
    for seed in range(1, 240, 2):
        state = game.State(64 * seed, 0)
        for depth in (9, 5, 4, 3, 2):
            value = expectiminimax(game, state, 0, depth, Tally())
            found = starred(game, state, 0, -inf, inf, depth, ALL, 1, desk, Tally())
            assert found == pytest.approx(value, abs=CLOSE), (seed, depth)


@examples(50)
@given(trees(st.integers(-4, 4).map(lambda value: (value,)), players=1, dice=True), DEPTHS)
def test_one_player_is_the_same_code(root: Node, depth: int) -> None:
    value = minimax_naive(root, 0, depth)
    for name, found in run_all(Bounded(root), root, 0, (-inf, inf), depth).items():
        assert found == pytest.approx(value, abs=CLOSE), name


@examples(60)
@given(trees(zero_sum(), dice=True), windows(), st.integers(1, 2), st.booleans())
def test_a_probe_is_a_bound_on_one_side(root: Node, window: tuple[float, float], most: int, with_table: bool) -> None:
    game, (alpha, beta) = Bounded(root), window
    if not root.children or root.mover == CHANCE:
        return
    for player in (0, 1):
        value = minimax_naive(root, player)
        desk = Memory(game, False, 0.01 if with_table else 0.0, 1).desk
        for found in (
            star2(game, root, player, alpha, beta, DEEPEST, 1, most, Tally()),
            starred(game, root, player, alpha, beta, DEEPEST, most, 1, desk, Tally()),
        ):
            if root.mover == player and found > alpha:
                assert value >= found - CLOSE
            if root.mover != player and found < beta:
                assert value <= found + CLOSE


def clamped(game: Sure, state: Scattered.State, depth: int) -> float:
    """Expectiminimax to the first player, with each value cut to its bounds."""
    if game.is_terminal(state) or depth == 0:
        return game.worth(state)
    mover = game.to_move(state)
    if mover == CHANCE:
        value = sum(
            odds * clamped(game, game.result(state, action), depth - 1) for action, odds in game.outcomes(state)
        )
    else:
        values = [clamped(game, game.result(state, action), depth - 1) for action in game.actions(state)]
        value = max(values) if mover == 0 else min(values)
    low, high = game.bounds(state, 0)
    return min(max(value, low), high)


@examples(80)
@given(st.integers(0, 10**6), st.integers(1, 6), windows())
def test_the_games_own_bounds_cut_every_value(seed: int, depth: int, window: tuple[float, float]) -> None:
    game = Sure()
    state = game.State(64 * seed, 0)
    value = clamped(game, state, depth)
    for probe, table in ((0, 0.0), (1, 0.0), (1, 0.01)):
        desk = Memory(game, False, table, probe).desk
        for _ in range(2):
            found = starred(game, state, 0, *window, depth, ALL, 1, desk, Tally())
            assert game.is_terminal(state) or is_right(found, value, window)


# Nodes.


@examples(80)
@given(trees(zero_sum(), dice=True), DEPTHS, windows())
def test_star1_never_visits_more_nodes(root: Node, depth: int, window: tuple[float, float]) -> None:
    plain, pruned = Tally(), Tally()
    expectiminimax(Bounded(root), root, 0, depth, plain)
    star1(Bounded(root), root, 0, *window, depth, pruned)
    assert pruned.nodes <= plain.nodes


def test_in_good_order_probing_saves_most() -> None:
    """0 is sure. Elsewhere Min's first of six replies to each of four throws is -3: after three throws of four even 4
    in the last would not do. Star1 looks at all six replies to two throws, at one to the third; Star2 always at one."""
    replies = Node(1, (leaf(-3), *(leaf(-1),) * 5), (0, 0))
    throw = chance((0.25,) * 4, *(replies,) * 4)
    root = Node(0, (leaf(0), throw, throw, throw), (0, 0))
    game, plain, cut, probed = Bounded(root), Tally(), Tally(), Tally()
    assert expectiminimax(game, root, 0, DEEPEST, plain) == 0
    assert star1(game, root, 0, -inf, inf, DEEPEST, cut) == 0
    assert star2(game, root, 0, -inf, inf, DEEPEST, 1, ALL, probed) == 0
    assert (plain.nodes, cut.nodes, probed.nodes) == (2 + 3 * 29, 2 + 3 * 17, 2 + 3 * 7)
    found = best(game, algorithm="star2", world="interpreted", depth=3)
    assert (found.value, found.action) == (0, 0)


def test_a_worked_star1_cut() -> None:
    """4 is sure. Half of the coin is worth -4, so the other half would have to be 12, and no value is: 2 nodes less."""
    root = Node(0, (leaf(4), chance((0.5, 0.5), leaf(-4), Node(0, (leaf(4), leaf(3)), (0, 0)))), (0, 0))
    tally = Tally()
    assert star1(Bounded(root), root, 0, -inf, inf, DEEPEST, tally) == 4
    assert tally.nodes == 4


# The two worlds, and what is sure.


@pytest.mark.native
def test_native_and_interpreted_agree_on_values_and_nodes() -> None:
    game = Scattered()
    for seed in range(12):
        state = game.State(64 * seed, 0)
        for probe, table, window in ((1, 0.01, (-inf, inf)), (0, 0.0, (-2.0, 1.5)), (2, 0.0002, (0.0, inf))):
            told = []
            for natively in (False, True):
                memory, tally = Memory(game, natively, table, probe), Tally()
                args = 0, *window, 7, ALL, 1, memory.desk
                told.append((native.run(starred, game, state, *args, tally=tally, native=natively), tally))
            assert told[0] == told[1]


@pytest.mark.native
def test_many_games_have_right_bounds_around_their_values() -> None:
    game = Scattered()
    for seed in range(250):
        state, player = game.State(64 * seed, 0), seed // 2 % 2
        value = native.run(expectiminimax, game, state, player, 7, tally=Tally(), native=True)
        for probe, table in ((1, 0.0), (1, 0.01), (2, 0.01)):
            desk = (memory := Memory(game, True, table, probe)).desk
            for window in ((value - 1, value), (value, value + 1), (value - 0.7, value + 0.4), (-inf, inf)):
                args = state, player, *window, 7, ALL, 1, desk
                found = native.run(starred, game, *args, tally=Tally(), native=True)
                assert is_right(found, value, window), (seed, probe, table, window, memory.used())


@pytest.mark.native
@pytest.mark.parametrize(("kernel", "more"), [(star1, ()), (star2, (1, ALL))])
def test_the_textbooks_kernels_are_the_same_natively(kernel: Any, more: tuple[int, ...]) -> None:
    game = Scattered()
    for seed in range(6):
        told = []
        for natively in (False, True):
            tally = Tally()
            args = game.State(64 * seed, 0), 1, -inf, inf, 6, *more
            told.append((native.run(kernel, game, *args, tally=tally, native=natively), tally))
        assert told[0] == told[1]


@examples(12)
@given(st.integers(0, 10**6), st.sampled_from(["star1", "star2"]))
def test_deepening_is_exact_only_where_the_value_is(seed: int, algorithm: str) -> None:
    game = Scattered()
    position = Position(game, game.State(64 * seed, 0))
    if position.is_terminal:
        return
    player = max(position.to_move, 0)
    value = expectiminimax(game, position.state, player, DEEPEST, Tally())
    heard: list[Any] = []
    result = decide(position, algorithm=algorithm, world="interpreted", listen=heard.append)
    assert (result.kind, result.value) == ("exact", pytest.approx(value, abs=CLOSE))
    for each in heard:
        plain = expectiminimax(game, position.state, player, each.depth, Tally())
        assert each.value == pytest.approx(value if each.kind == "exact" else plain, abs=CLOSE)
    assert decide(position, algorithm=algorithm, world="interpreted", depth=DEEPEST).value == pytest.approx(value)


def test_lines_are_those_of_expectiminimax() -> None:
    game = Scattered()
    for seed in range(20):
        position = Position(game, game.State(64 * seed, 0))
        if position.is_terminal or position.is_chance:
            continue
        plain = decide(position, algorithm="expectiminimax", depth=4, lines=3, world="interpreted")
        found = decide(position, algorithm="star2", depth=4, lines=3, world="interpreted")
        values = [line.value for line in plain.lines]
        assert [line.value for line in found.lines] == pytest.approx(values, abs=CLOSE)


def test_a_limit_on_nodes_ends_it() -> None:
    desk = Memory(Scattered(), False, 0.01, 1).desk
    with pytest.raises(LimitReached):
        starred(Scattered(), Scattered().initial(), 0, -inf, inf, 9, ALL, 1, desk, Tally(limit=20))


# What is told.


@pytest.mark.parametrize("world", WORLDS)
def test_a_value_outside_the_bounds_is_told_with_its_state(world: str) -> None:
    position = Position(Scattered(), Scattered.State(64 * LIAR, 0))
    where = rf"Scattered gives state 'number={64 * LIAR + 3} ply=\d' the value -?20 to player \d, outside its "
    message = where + r"utility_bounds \(-8, 8\), which star2 relies on: widen them, or use expectiminimax"
    with pytest.raises(GameError, match=message):
        decide(position, algorithm="star2", depth=6, world=world)


def test_the_textbooks_kernels_tell_it_too() -> None:
    root = chance((0.5, 0.5), leaf(3), leaf(5))
    for kernel, more in ((star1, ()), (star2, (1, ALL))):
        with pytest.raises(OutOfBounds, match="outside utility_bounds"):
            kernel(Bounded(root), root, 0, -inf, inf, 5, *more, Tally())  # type: ignore[operator]
    nothing = Node(0, (leaf(float("nan")),), (0, 0))
    with pytest.raises(OutOfBounds):
        star1(Bounded(nothing), nothing, 0, -inf, inf, 5, Tally())


@pytest.mark.parametrize("world", WORLDS)
def test_probabilities_that_are_none_are_told(world: str) -> None:
    message = (
        r"Scattered.outcomes gives probabilities in state 'number=\d+ ply=\d' that add up to 0.75: let them add up"
    )
    with pytest.raises(GameError, match=message):
        decide(Position(Scattered(), Scattered.State(64 * GAMBLER, 0)), algorithm="star2", depth=6, world=world)
    odds = Node(CHANCE, (leaf(1), leaf(2)), (0, 0), (1.5, -0.5))
    with pytest.raises(BadOdds):
        starred(Bounded(odds), odds, 0, -inf, inf, 5, ALL, 1, Memory(Bounded(odds), False, 0, 1).desk, Tally())


def test_a_game_that_may_go_on_for_ever_needs_a_limit() -> None:
    with pytest.raises(Unsuitable, match="Forever may go on for ever: give a depth, seconds or nodes"):
        best(Forever(), algorithm="star2")
    assert best(Forever(), depth=3, world="interpreted").depth == 3


def test_it_is_the_usual_search_where_bounds_are_finite() -> None:
    unbounded = ChanceTree(chance((0.5, 0.5), leaf(1), leaf(2)))
    assert usual_algorithm(Position(Scattered())) == "star2"
    assert usual_algorithm(Position(unbounded)) == "expectiminimax"
    assert suits("star2", unbounded) == (
        "star2 needs finite utility_bounds, those of ChanceTree are -inf and inf: declare them, or use expectiminimax"
    )
    with pytest.raises(Unsuitable, match="star1 needs finite utility_bounds"):
        best(unbounded, algorithm="star1")


def test_a_tree_where_all_ends_are_equal_needs_no_search() -> None:
    tree = Tree.of([{"chance": [{"p": 0.5, "node": 2}, {"p": 0.5, "node": 2}]}, 2])
    assert tree.facts.total == 0
    found = best(Tree.of({"players": 1, "root": {"chance": [{"p": 0.5, "node": 2}, {"p": 0.5, "node": 2}]}}))
    assert (found.value, found.kind, found.algorithm) == (2, "exact", "star2")


def test_the_table_may_be_as_small_as_one_bucket_or_absent() -> None:
    assert Memory(Scattered(), False, 0.0001, 1).desk.mask == 0
    assert Memory(Scattered(), False, 0, 1).desk.mask == -1
    options = {"algorithm": "star2", "depth": 5, "world": "interpreted"}
    position = Position(Scattered(), Scattered.State(64, 0))
    values = [
        decide(position, options=replace(Options(), table=table, probe=probe), **options).value  # type: ignore[arg-type]
        for table in (0, 0.01, 64)
        for probe in (0, 1, 3)
    ]
    assert values == pytest.approx([values[0]] * 9)
    with pytest.raises(BadInput, match="probe must be 0 or more, not -1"):
        Options.parse(["probe=-1"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "killers=no"], "killers is a switch of other algorithms: star2 has probe alone"),
        (["--algorithm", "star1", "--set", "probe=2"], "probe is a switch of other algorithms: star1 has no switches"),
        (["--set", "probe=-1"], "probe must be 0 or more, not -1"),
        (["--threads", "2"], "--threads is for the engine's algorithms, not for star2"),
        (["--algorithm", "pvs", "--set", "probe=2"], "pvs has no rule for chance"),
        (["--set", "probe=2", "--table", "1", "--lines", "2", "--depth", "3"], ""),
    ],
)
def test_what_the_command_line_takes(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "coin.json"
    file.write_text('[4, {"chance": [{"p": 0.5, "node": 10}, {"p": 0.5, "node": [0, -4]}]}]')
    monkeypatch.setattr("sys.argv", ["zermelo", "best", f"tree:file={file}", *words])
    with pytest.raises(SystemExit) as end:
        main()
    shown = capsys.readouterr()
    assert (end.value.code or 0) == (2 if message else 0)
    assert message in " ".join(shown.err.split())
    assert ("value 4 (exact)" in shown.out) == (not message)
    monkeypatch.setattr("sys.argv", ["zermelo", "best", "nim", "--set", "probe=2"])
    with pytest.raises(SystemExit):
        main()
    assert "probe is a switch of star2, not of pvs" in capsys.readouterr().err


class Coin(Game):
    """One throw of one of some coins, of which the first is fair and the others are no coins at all."""

    players = 1
    utility_bounds = (-1, 1)
    coins = ((0.5, 0.5), (0.5, 0.4), (1.5, -0.5), (nan, 1.0), (0.0, 0.0))

    class State(NamedTuple):
        coin: int
        side: int

    def initial(self) -> State:
        return self.State(0, -1)

    def to_move(self, state: State) -> int:
        return CHANCE if state.side < 0 else 0

    def actions(self, state: State) -> Iterator[int]:
        yield 0

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for side in range(2):
            yield side, self.coins[state.coin][side]

    def result(self, state: State, action: int) -> State:
        return self.State(state.coin, action)

    def is_terminal(self, state: State) -> bool:
        return state.side >= 0

    def utility(self, state: State, player: int) -> float:
        return state.side


def test_no_algorithm_takes_odds_that_are_none() -> None:
    game = Coin()
    for algorithm in ("expectiminimax", "maxn", "paranoid", "star1", "star2", "sampled", "uct"):
        for coin in range(1, len(game.coins)):
            with pytest.raises(GameError, match="probabilities"):
                best(Position(game, game.State(coin, -1)), algorithm=algorithm, world="interpreted", nodes=50)
        fair = best(game, algorithm=algorithm, world="interpreted", nodes=50)
        assert fair.value == pytest.approx(0.5, abs=0.3)


@pytest.mark.native
@pytest.mark.parametrize("algorithm", ["expectiminimax", "uct"])
def test_nor_does_it_natively(algorithm: str) -> None:
    game = Coin()
    for coin in range(1, len(game.coins)):
        with pytest.raises(GameError, match="probabilities"):
            best(Position(game, game.State(coin, -1)), algorithm=algorithm, world="native", nodes=50)


@pytest.mark.native
def test_a_table_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(BadInput, match=r"a table of .* MiB does not fit into the .* MiB of memory: ask for less"):
        best(Coin(), algorithm="star2", options=Options(table=1e15), world="native")


@pytest.mark.parametrize("nodes", [500, 2_000, 8_000])
@pytest.mark.parametrize("roll", ["3-1", "6-1", "6-5"])
def test_the_whole_play_of_a_turn_is_told(roll: str, nodes: int) -> None:
    position = Position(Backgammon())
    position.push_text(roll)
    assert len(best(position, nodes=nodes, world="interpreted").line) >= 2
