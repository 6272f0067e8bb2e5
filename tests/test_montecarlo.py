"""Monte-Carlo search: its tree is a naive twin's, in both worlds; what it proves is true; it keeps to its limits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dice import Dice, ThreeWay
from trees import ChanceTree, Node, examples, minimax_naive, trees, zero_sum
from uct_twin import Twin, TwinSearch
from zermelo import Position, best, load, native
from zermelo.errors import BadInput, GameError
from zermelo.game import Game
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.nodes import NODE, ROOT, TOTAL, VISITS
from zermelo.montecarlo.options import TreeOptions
from zermelo.search.sampled import sampled
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


@pytest.mark.parametrize("natively", WORLDS)
def test_a_utility_outside_the_bounds_is_told_where_proofs_rest_on_them(natively: bool) -> None:
    with pytest.raises(GameError, match="outside utility_bounds"):
        grown(Boastful(), 2000, natively)
    assert grown(Boastful(), 200, natively, proofs=False).simulations == 200


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


def test_scaling_and_shifting_utilities_changes_nothing() -> None:
    class Scaled(Dice):
        utility_bounds = (-60 + 8, 60 + 8)
        utility_sum = 16

        def utility(self, state: Dice.State, player: int) -> float:
            return 2 * super().utility(state, player) + 8

    plain, scaled = (grown(game, 300, seed=1, proofs=False) for game in (Dice(), Scaled()))
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


@pytest.mark.native
def test_many_leaves_at_once() -> None:
    found = best(
        Position.from_text(Dice(), "", "3"),
        tree=TreeOptions(device="cuda", leaves=8, each=16),
        nodes=4096,
        world="native",
    )
    assert found.nodes == 4096
    assert found.action == 1
    assert "the CPU plays" in found.note or not found.note


@pytest.mark.parametrize(
    "wrong",
    [
        *({"exploration": -1.0}, {"bias": float("nan")}, {"rave": -3.0}, {"expand": 0}, {"threads": 0}),
        *({"memory": 0.0}, {"rollout": -1}, {"device": "tpu"}, {"urgency": float("nan")}, {"algorithm": "minimax"}),
        *({"leaves": 0}, {"each": 0}),
    ],
)
def test_switches_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as told:
        TreeOptions(**wrong)
    assert "\n" not in str(told.value)


def test_switches_can_be_written_as_texts() -> None:
    options = TreeOptions.parse(["rave=300", "proofs=no", "rollout=none", "urgency=inf"], seed=7)
    assert options == TreeOptions(rave=300.0, proofs=False, seed=7)
    with pytest.raises(BadInput, match="Monte-Carlo search has no switch 'killers'"):
        TreeOptions.parse(["killers=no"])


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
