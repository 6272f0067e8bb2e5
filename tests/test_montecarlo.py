"""Monte-Carlo search: its tree is a naive twin's, in both worlds; what it proves is true; it keeps to its limits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import inf, sqrt
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dice import Dice, ThreeWay
from trees import ChanceTree, Node, examples, minimax_naive, trees, zero_sum
from uct_twin import Twin, TwinSearch
from zermelo import Bits, Position, best, load, native
from zermelo.errors import BadInput, GameError
from zermelo.game import Game
from zermelo.games.nim import Nim
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.nodes import MOST_MOVES, NODE, ROOT, TOTAL, USED, VISITS, Growth
from zermelo.montecarlo.options import COMMON, TreeOptions
from zermelo.montecarlo.tree import take
from zermelo.native.memory import swap_word
from zermelo.search.sampled import sampled
from zermelo.search.suitability import usual_algorithm
from zermelo.search.tally import Tally

WORLDS = [False, pytest.param(True, marks=pytest.mark.native)]


def grown(game: Game, simulations: int, natively: bool = False, moves: str = "", **options: Any) -> Grove:
    """A tree after some simulations."""
    grove = Grove(game, TreeOptions(**options), natively=natively)
    position = Position.from_text(game, "", moves)
    grove.prepare(position.state)
    grove.stand_at(position)
    grove.simulate(simulations)
    return grove


def visits(grove: Grove, node: int = ROOT) -> Any:
    """The visits and totals of all nodes below one, as nested lists."""
    first, count = grove.children(node)
    below = [visits(grove, child) for child in range(first, first + count)]
    return grove.word(NODE * node + VISITS), grove.number(NODE * node + TOTAL) if node != ROOT else 0.0, below


def twin_visits(node: Twin, is_root: bool = True) -> Any:
    return node.visits, 0.0 if is_root else node.total, [twin_visits(child, False) for child in node.children]


@pytest.mark.parametrize("natively", WORLDS)
@pytest.mark.parametrize("spec", ["tic-tac-toe", "dice", "three"])
def test_the_tree_is_that_of_a_naive_twin(spec: str, natively: bool) -> None:
    game: Game = {"dice": Dice(), "three": ThreeWay()}.get(spec) or load(spec)
    for seed, expand, exploration in ((0, 1, 1.0), (7, 3, 0.5)):
        twin = TwinSearch(game, seed, exploration, expand, proofs=spec != "three")
        twin.simulate(400)
        grove = grown(game, 400, natively, seed=seed, expand=expand, exploration=exploration)
        assert visits(grove) == twin_visits(twin.root)
        assert grove.simulations == twin.made
        assert grove.nodes == twin.nodes - 1


@given(trees(zero_sum(), dice=True, height=4), st.integers(0, 3))
@examples(60)
def test_what_is_proved_is_true(root: Node, seed: int) -> None:
    game = ChanceTree(root)
    grove = Grove(game, TreeOptions(seed=seed), natively=False)
    grove.stand_at(Position(game))
    grove.simulate(400)
    value = minimax_naive(root)
    low, high = grove.bounds(ROOT, 0)
    assert low <= value <= high
    if root.children and grove.is_proved and root.mover == 0:
        line = grove.lines()[0]
        assert (line.value, line.kind) == (value, "exact")


@given(trees(zero_sum(), height=5).filter(lambda root: bool(root.children)), st.integers(0, 3))
@examples(60)
def test_the_line_of_a_proved_value_keeps_it_to_the_end(root: Node, seed: int) -> None:
    game = ChanceTree(root)
    grove = Grove(game, TreeOptions(seed=seed), natively=False)
    grove.stand_at(Position(game))
    grove.simulate(2000)
    value, last = minimax_naive(root), root
    assert grove.is_proved
    for action in grove.lines()[0].actions:
        last = game.result(last, action)
        assert minimax_naive(last) == value
    assert not last.children


@pytest.mark.parametrize("natively", WORLDS)
def test_a_small_game_is_proved(natively: bool) -> None:
    grove = grown(load("tic-tac-toe"), 20_000, natively, moves="b2 a1 b3 b1")
    assert grove.is_proved
    assert grove.lines()[0].kind == "exact"
    assert grove.lines()[0].value == best(Position.from_text(load("tic-tac-toe"), "", "b2 a1 b3 b1")).value
    assert grove.simulations < 20_000


class Boastful(Dice):
    """A game whose utilities go beyond what it declares."""

    utility_bounds = (-2, 2)


class Hopeful(Dice):
    """A game whose evaluation goes beyond what it declares."""

    def evaluate(self, state: Dice.State, player: int) -> float:
        return 31.0 - 62.0 * player


class Twentieths(Dice):
    """A die of twenty sides, whose probabilities add up to a little more than 1; the first wins in any case."""

    utility_bounds = (-1, 1)

    def outcomes(self, state: Dice.State) -> Iterator[tuple[int, float]]:
        for side in range(20):
            yield side, 1 / 20

    def utility(self, state: Dice.State, player: int) -> float:
        return 1 if player == 0 else -1


class Endless(Game):
    """A walk that ends when nobody steps back in 60 moves, which random play does not see."""

    repeats = True
    utility_bounds = (-1, 1)

    class State(NamedTuple):
        run: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        for step in range(4):
            yield step

    def result(self, state: State, action: int) -> State:
        return self.State(state.run + 1 if action == 0 else 0, 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.run >= 60

    def utility(self, state: State, player: int) -> float:
        return 1 if state.turn != player else -1

    def evaluate(self, state: State, player: int) -> float:
        return 0.25 if player == 0 else -0.25


@pytest.mark.parametrize("natively", WORLDS)
def test_a_roll_out_that_does_not_end_is_broken_off_and_evaluated(natively: bool) -> None:
    grove = grown(Endless(), 12, natively)
    assert grove.simulations == 12
    assert {line.value for line in grove.lines()} == {0.25}
    assert {(line.odds.win, line.odds.draw) for line in grove.lines() if line.odds} == {(None, None)}


@pytest.mark.parametrize("natively", WORLDS)
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"device": "cuda", "leaves": 4096, "each": 4096}])
def test_simulations_stop_within_a_roll_out(natively: bool, options: dict[str, Any], monkeypatch: Any) -> None:
    monkeypatch.setattr("zermelo.montecarlo.options.MOST_MOVES", 1 << 40)
    if options.get("device") and not natively:
        pytest.skip("leaves are played out native alone")
    grove = Grove(Endless(), TreeOptions(**options), natively=natively)
    position = Position(grove.game)
    grove.prepare(position.state)
    grove.stand_at(position)
    if options.get("device"):
        grove.works[0].plies = MOST_MOVES
    timer = threading.Timer(0.2, grove.stop)
    timer.start()
    grove.simulate(1 << 24)
    timer.join()
    assert grove.simulations < 1 << 24
    assert grove.word(NODE * ROOT + VISITS) == sum(int(work.simulations) for work in grove.works)
    first, count = grove.children(ROOT)
    assert sum(grove.word(NODE * (first + child) + VISITS) for child in range(count)) == grove.word(
        NODE * ROOT + VISITS
    )


def test_rounding_at_chance_nodes_is_no_utility_outside_the_bounds() -> None:
    grove = grown(Twentieths(2), 3000, moves="3")
    assert grove.is_proved
    assert grove.bounds(ROOT, 0) == (1.0, 1.0)


@pytest.mark.native
def test_the_mean_of_a_leaf_is_no_utility_outside_the_bounds() -> None:
    class Tenth(Dice):
        utility_bounds = (-0.1, 0.1)

        def utility(self, state: Dice.State, player: int) -> float:
            return 0.1 if player == 0 else -0.1

    assert grown(Tenth(4), 90, True, device="cuda", leaves=10, each=3).simulations == 90


@pytest.mark.parametrize("natively", WORLDS)
def test_a_utility_outside_the_bounds_is_told_where_proofs_rest_on_them(natively: bool) -> None:
    with pytest.raises(GameError, match="outside utility_bounds"):
        grown(Boastful(), 2000, natively)
    assert grown(Boastful(), 200, natively, proofs=False).simulations == 200
    with pytest.raises(GameError, match="evaluate gives a value outside utility_bounds"):
        grown(Hopeful(), 200, natively, rollout=2)


class Missing(Dice):
    """A game whose author forgot what to do later on."""

    def actions(self, state: Dice.State) -> Iterator[int]:
        for keep in range(2 if state.turn < 2 else 0):
            yield keep


@pytest.mark.parametrize("natively", WORLDS)
def test_a_state_without_actions_is_told(natively: bool) -> None:
    with pytest.raises(GameError, match=r"Missing"):
        grown(Missing(), 2000, natively, rollout=0)


@pytest.mark.parametrize("natively", WORLDS)
def test_going_on_after_a_pause_changes_nothing(natively: bool) -> None:
    game = Dice()
    once = grown(game, 300, natively, seed=3)
    twice = grown(game, 100, natively, seed=3)
    twice.simulate(200)
    assert visits(once) == visits(twice)
    assert once.means() == twice.means()


def test_another_seed_is_another_tree() -> None:
    assert visits(grown(Dice(), 100, seed=1)) != visits(grown(Dice(), 100, seed=2))


@pytest.mark.parametrize("natively", WORLDS)
@pytest.mark.parametrize("rave", [0.0, 200.0])
def test_the_tree_is_taken_along_to_the_next_position(natively: bool, rave: float) -> None:
    game = load("tic-tac-toe")
    grove = grown(game, 500, natively, rave=rave, proofs=False)
    position, node = Position(game), ROOT
    for action in grove.lines()[0].actions[:2]:
        node = grove.children(node)[0] + position.moves.index(action)
        position.push(action)
    before = visits(grove, node)
    assert before[0] > 10
    grove.stand_at(position)
    assert visits(grove)[2] == before[2]
    assert grove.simulations == 0
    grove.simulate(100)
    assert sum(child[0] for child in visits(grove)[2]) == sum(child[0] for child in before[2]) + 100
    assert all(line.odds is not None and 0 <= line.odds.share <= 1 for line in grove.lines())


@pytest.mark.parametrize("natively", WORLDS)
def test_the_tree_is_kept_where_one_stays_and_other_games_are_played(natively: bool) -> None:
    position = Position.from_text(load("tic-tac-toe"), "", "")
    grove = grown(position.game, 90, natively, algorithm="flat")
    values = [line.value for line in sorted(grove.lines(), key=lambda line: line.action)]
    grove.stand_at(position)
    assert grove.simulations == 0
    assert {line.odds.visits for line in grove.lines() if line.odds} == {10}
    grove.simulate(90)
    assert {line.odds.visits for line in grove.lines() if line.odds} == {20}
    assert [line.value for line in sorted(grove.lines(), key=lambda line: line.action)] != values


def test_what_is_proved_needs_no_more_simulations() -> None:
    position = Position.from_text(load("tic-tac-toe"), "", "b2 a1 b3 b1")
    grove = grown(position.game, 20_000, moves="b2 a1 b3 b1")
    before = grove.lines()[0]
    grove.stand_at(position)
    grove.simulate(100)
    assert grove.simulations == 0
    assert (grove.lines()[0].action, grove.lines()[0].value, grove.lines()[0].kind) == (
        before.action,
        before.value,
        "exact",
    )


def test_the_error_is_that_of_the_new_simulations() -> None:
    game = load("connect-four:width=4,height=4")
    position = Position(game)
    grove = grown(game, 3000)
    fresh = [line.odds.error for line in grove.lines() if line.odds and line.odds.visits > 100]
    assert all(error is not None and error > 0 for error in fresh)
    position.push(1)
    grove.stand_at(position)
    assert {line.odds.error for line in grove.lines() if line.odds} == {None}
    grove.simulate(20)
    made = [line.odds.error for line in grove.lines() if line.odds and line.odds.error is not None]
    assert made
    assert max(made) > 0.05


@pytest.mark.native
@pytest.mark.parametrize("options", [{}, {"threads": 3}, {"device": "cuda", "leaves": 4, "each": 10}])
def test_the_error_is_that_of_a_textbook(options: dict[str, Any]) -> None:
    """With values of 1, 0 and -1, what was won and drawn says what their mean and its error are."""
    grove = grown(load("tic-tac-toe"), 1200, True, proofs=False, **options)
    for line in grove.lines():
        assert line.odds is not None
        won, drawn = line.odds.win, line.odds.draw
        assert won is not None
        assert drawn is not None
        mean = won - (1 - won - drawn)
        games = line.odds.visits * options.get("each", 1)
        assert line.value == pytest.approx(mean)
        assert line.odds.error == pytest.approx(sqrt((1 - drawn - mean**2) / games))


def test_a_position_elsewhere_begins_anew() -> None:
    game = load("tic-tac-toe")
    grove = grown(game, 200, moves="b2")
    grove.stand_at(Position.from_text(game, "", "a1"))
    assert grove.nodes == 1
    grove = grown(game, 200, reuse=False)
    grove.stand_at(Position.from_text(game, "", "b2"))
    assert grove.nodes == 1


@pytest.mark.parametrize("natively", WORLDS)
def test_the_memory_is_bounded_and_simulations_go_on_without(natively: bool) -> None:
    grove = grown(load("tic-tac-toe"), 800, natively, memory=0.02, proofs=False)
    assert grove.is_full
    assert grove.nodes <= grove.room < 400
    assert grove.simulations == 800
    assert "memory" in grove.note
    assert sum(line.odds.visits for line in grove.lines() if line.odds) == 800


def test_a_memory_that_does_not_hold_the_actions_is_refused() -> None:
    with pytest.raises(BadInput, match=r"a tree of 0\.01 MiB does not hold the 400 actions of this position"):
        grown(load("random-tree:branching=400,depth=3"), 10, memory=0.01)


def test_more_memory_than_there_is_is_refused() -> None:
    with pytest.raises(BadInput, match=r"a tree of 1e\+08 MiB does not fit"):
        Grove(Dice(), TreeOptions(memory=1e8), natively=True)


@pytest.mark.native
def test_more_leaves_than_there_is_memory_for_are_refused() -> None:
    with pytest.raises(BadInput, match="a round of 1,048,576 leaves with 1,048,576 games each does not fit"):
        grown(Dice(), 10, True, device="cuda", leaves=2**20, each=2**20)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.data())
@examples(60)
def test_no_node_is_given_to_two_threads(counts: list[int], data: st.DataObject) -> None:
    """Between a thread's look at what is used and its step, others may take theirs."""
    memory: dict[int, Any] = {USED: 2}
    given: list[int] = []

    def taken(count: int, depth: int = 0) -> None:
        def between(table: Any, index: int, expected: Any, word: Any) -> Any:
            if depth < 3 and counts and data.draw(st.booleans()):
                taken(counts.pop(), depth + 1)
            return swap_word(table, index, expected, word)

        patch.setattr("zermelo.montecarlo.tree.swap_word", between)
        first = take(count, Growth(memory=memory, threads=3, room=100))
        given.extend(range(first, first + count) if first else ())

    with pytest.MonkeyPatch.context() as patch:
        while counts:
            taken(counts.pop())
    assert len(given) == len(set(given))
    assert not given or (min(given) >= 2 and max(given) < 100)
    assert memory[USED] == 2 + len(given)


@pytest.mark.native
@pytest.mark.parametrize("threads", [2, 7, 64])
def test_threads_make_as_many_simulations_as_asked_for(threads: int) -> None:
    grove = grown(Dice(), 100, True, threads=threads, proofs=False)
    assert grove.simulations == 100
    grove.simulate(3)
    assert grove.simulations == 103


@pytest.mark.native
def test_threads_grow_one_tree_and_lose_nothing() -> None:
    grove = grown(Dice(), 6000, True, threads=3, proofs=False)
    assert grove.simulations == 6000

    def check(node: int) -> None:
        first, count = grove.children(node)
        below = sum(grove.word(NODE * child + VISITS) for child in range(first, first + count))
        assert count == 0 or grove.word(NODE * node + VISITS) >= below
        for child in range(first, first + count):
            check(child)

    check(ROOT)
    assert grove.word(NODE * ROOT + VISITS) == 6000
    one = grown(Dice(), 6000, True, proofs=False)
    assert grove.means()[0] == pytest.approx(one.means()[0], abs=0.5)


@pytest.mark.parametrize("shift", [8, 10**9])
def test_scaling_and_shifting_utilities_changes_nothing(shift: int) -> None:
    class Scaled(Dice):
        utility_bounds = (-60 + shift, 60 + shift)
        utility_sum = 2 * shift

        def utility(self, state: Dice.State, player: int) -> float:
            return 2 * super().utility(state, player) + shift

    plain, scaled = (grown(game, 300, seed=1, proofs=False, moves="3") for game in (Dice(), Scaled()))
    assert [line.odds.visits for line in plain.lines() if line.odds] == [
        line.odds.visits for line in scaled.lines() if line.odds
    ]


@pytest.mark.parametrize("spec", ["connect-four:width=4,height=4", "three"])
@pytest.mark.parametrize(
    "options", [{"rave": 300.0}, {"bias": 2.0}, {"urgency": 0.5}, {"plausible": True}, {"rollout": 3}]
)
def test_every_switch_finds_the_winning_move(spec: str, options: dict[str, Any]) -> None:
    if spec == "three":
        game, moves, wins = ThreeWay(), "3 3 3", {3}
    else:
        game, moves, wins = load(spec), "121314", {0}
    grove = grown(game, 600, moves=moves, **options)
    assert grove.lines()[0].action in wins


def test_flat_tries_all_actions_alike() -> None:
    grove = grown(load("tic-tac-toe"), 900, algorithm="flat")
    assert {line.odds.visits for line in grove.lines() if line.odds} == {100}
    assert grove.depth == 1


def test_every_player_has_one_value() -> None:
    found = best(ThreeWay(), algorithm="uct", nodes=300, world="interpreted", lines=3)
    for line in found.lines:
        assert line.values[0] == line.value
        assert sum(line.values) == pytest.approx(3)
    assert found.values == found.lines[0].values

    class Generous(Dice):
        utility_sum = None

        def utility(self, state: Dice.State, player: int) -> float:
            return state.points * (player + 1)

    position = Position.from_text(Generous(), "", "3")
    found = best(position, algorithm="uct", nodes=300, world="interpreted")
    assert found.values == pytest.approx((found.value, 2 * found.value))
    assert best(Dice(), algorithm="uct", nodes=300, world="interpreted").values == ()


def test_evaluations_are_no_wins() -> None:
    grove = grown(load("connect-four"), 50, rollout=0)
    assert {(line.odds.win, line.odds.draw) for line in grove.lines() if line.odds} == {(None, None)}


@pytest.mark.parametrize("natively", WORLDS)
def test_best_by_simulations(natively: bool) -> None:
    world = "native" if natively else "interpreted"
    found = best(Dice(), algorithm="uct", nodes=500, world=world)
    assert (found.action, found.kind, found.nodes) == (None, "estimate", 500)
    last = Position.from_text(Dice(), "", "1 1 " * 9 + "2")
    chosen = best(last, algorithm="uct", nodes=500, world=world, lines=2)
    assert [(line.action, line.value, line.kind) for line in chosen.lines] == [(0, 0.0, "exact"), (1, -11.0, "exact")]
    three = best(ThreeWay(), algorithm="uct", nodes=300, world=world)
    assert sum(three.values) == pytest.approx(3)


LEAVES = {"device": "cuda", "leaves": 64, "each": 16, "memory": 64.0}


@pytest.mark.native
def test_many_leaves_at_once_find_the_middle_of_connect_four() -> None:
    game = load("connect-four")
    found = best(game, tree=TreeOptions(**LEAVES), algorithm="uct", nodes=60_000, world="native", lines=7)
    assert found.nodes == 60_000
    assert found.action == 3
    assert "the CPU plays" in found.note or not found.note
    first = grown(game, 1024, True, **LEAVES)
    shares = [line.odds.share for line in first.lines() if line.odds]
    assert len(shares) == 7
    assert max(shares) < 0.5


@pytest.mark.native
def test_many_leaves_count_games_and_keep_to_their_number() -> None:
    game = load("connect-four")
    for games in (7, 90, 1500):
        assert grown(game, games, True, **LEAVES).simulations == games
    leaves, plain = (grown(game, 40_000, True, moves="4443", **options) for options in (LEAVES, {}))
    action = plain.lines()[0].action
    odds = [next(line.odds for line in grove.lines() if line.action == action) for grove in (leaves, plain)]
    assert odds[0].win == pytest.approx(odds[1].win, abs=0.15)
    again = grown(game, 10_000, True, moves="4443", **LEAVES)
    again.simulate(30_000)
    assert visits(grown(game, 10_000, True, **LEAVES)) == visits(grown(game, 10_000, True, **LEAVES))


@pytest.mark.native
def test_many_leaves_are_played_as_the_switches_say() -> None:
    """The roll-outs are those of `plausible` and `rollout`; evaluations are no wins."""
    game, moves = load("connect-four"), "121314"
    plausible, plain = (grown(game, 4096, True, moves="4443", plausible=p, **LEAVES) for p in (True, False))
    assert plausible.means() != plain.means()
    guessed = grown(game, 1024, True, moves=moves, rollout=0, **LEAVES)
    assert {line.odds.win for line in guessed.lines() if line.odds} == {None}
    last = Position.from_text(Dice(), "", "1 1 " * 9 + "2")
    found = best(last, tree=TreeOptions(**LEAVES), algorithm="uct", nodes=4096, world="native", lines=2)
    assert [(line.action, line.value, line.kind) for line in found.lines] == [(0, 0.0, "exact"), (1, -11.0, "exact")]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"exploration": -1.0}, {"bias": float("nan")}, {"rave": -3.0}, {"expand": 0}, {"threads": 0}),
        *({"memory": 0.0}, {"rollout": -1}, {"device": "tpu"}, {"urgency": float("nan")}, {"algorithm": "minimax"}),
        *({"leaves": 0}, {"each": 0}, {"device": "cuda", "rave": 3.0}, {"device": "cuda", "threads": 2}),
        *({"algorithm": "flat", name: value} for name, value in (("urgency", 0.0), ("rave", 3.0), ("proofs", False))),
    ],
)
def test_switches_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as told:
        TreeOptions(**wrong)
    assert "\n" not in str(told.value)


def test_switches_can_be_written_as_texts() -> None:
    options = TreeOptions.parse(["rave=300", "proofs=no", "rollout=none", "urgency=inf"], seed=7)
    assert options == TreeOptions(rave=300.0, proofs=False, urgency=inf, seed=7)
    with pytest.raises(BadInput, match="Monte-Carlo search has no switch 'killers'"):
        TreeOptions.parse(["killers=no"])
    with pytest.raises(BadInput, match="choose it with --algorithm"):
        TreeOptions.parse(["algorithm=flat"])


# Minimax of a randomly selected subtree.


@given(trees(zero_sum(), height=5), st.integers(0, 9))
@examples(60)
def test_a_sample_of_all_is_minimax(root: Node, seed: int) -> None:
    game = ChanceTree(root)
    tally = Tally()
    assert sampled(game, root, 0, 99, 3, seed, tally) == minimax_naive(root)
    assert tally.horizon == 0


def test_a_sample_has_the_size_asked_for_and_all_sets_are_as_likely() -> None:
    game = load("random-tree:branching=4,depth=3")
    seen: dict[float, int] = {}
    for seed in range(400):
        tally = Tally()
        value = sampled(game, game.initial(), 0, 3, 2, seed, tally)
        assert tally.nodes == 1 + 2 + 4 + 8
        assert tally.horizon > 0
        seen[value] = seen.get(value, 0) + 1
    assert len(seen) > 4
    counts = dict.fromkeys(range(4), 0)
    root = Node(0, tuple(Node(1, (), (2.0**index, 0)) for index in range(4)), (0, 0))
    for seed in range(600):
        top = sampled(ChanceTree(root), root, 0, 9, 1, seed, Tally())
        counts[[1.0, 2.0, 4.0, 8.0].index(top)] += 1
    assert all(count == pytest.approx(150, abs=45) for count in counts.values())


@pytest.mark.native
def test_a_sample_is_the_same_in_both_worlds() -> None:
    for game, seed in ((load("tic-tac-toe"), 3), (Dice(4), 4)):
        args = (game.initial(), 0, 9, 2, seed)
        tallies = Tally(), Tally()
        values = [
            native.run(sampled, game, *args, tally=tally, native=bool(index)) for index, tally in enumerate(tallies)
        ]
        assert values[0] == values[1]
        assert tallies[0] == tallies[1]


class Hurried(Nim):
    """Nim with a habit, to take one stone, and a first estimate that prefers to take three."""

    tree_switches: ClassVar[dict[str, float]] = {"exploration": 0.5, "expand": 2}

    def reply(self, state: Any, word: Bits) -> int:
        return 1

    def prior(self, state: Any, action: int) -> float:
        return 0.9 if action == 3 else -0.9


def test_roll_outs_are_played_by_replies() -> None:
    """One stone each: who moves with five stones on the table takes the last one, always."""
    grove = grown(Hurried(stones=5), 1, False, expand=9, prior=0.0, proofs=False)
    assert {line.value for line in grove.lines()} == {1.0}
    values = {grown(Hurried(stones=9), 40, False, reply=reply, proofs=False).means() for reply in (True, False)}
    assert len(values) == 2


def test_first_estimates_count_as_visits() -> None:
    first = grown(Hurried(stones=21), 1, False).lines()
    assert [line.action for line in first] == [3]
    assert {line.action for line in grown(Hurried(stones=21), 3, False, prior=0.0).lines()} == {1, 2, 3}


def test_a_game_sets_switches_that_nobody_else_sets() -> None:
    game = Hurried()
    assert TreeOptions().switches(game) == {**COMMON, "exploration": 0.5, "expand": 2}
    assert TreeOptions(exploration=3.0).switches(game)["exploration"] == 3.0
    assert TreeOptions(algorithm="flat").switches(game)["expand"] > 1000
    assert TreeOptions().switches(Nim())["prior"] == 0
    with pytest.raises(BadInput, match="prior is for games with a method of that name"):
        TreeOptions(prior=5.0).switches(Nim())

    class Wrong(Nim):
        tree_switches: ClassVar[dict[str, float]] = {"speed": 3}

    with pytest.raises(GameError, match="tree_switches has 'speed', which a game can't set"):
        TreeOptions().switches(Wrong())


def test_a_game_says_what_serves_it_best() -> None:
    class Simulated(Nim):
        usual_algorithm = "uct"

    assert usual_algorithm(Position(Simulated())) == "uct"
    assert usual_algorithm(Position(Simulated()), to_a_depth=True) == "pvs"
    assert usual_algorithm(Position(Nim())) == "pvs"
