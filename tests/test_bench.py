"""The bench: its signature is golden, its playouts agree with a naive twin, its rows are well-formed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo import native
from zermelo.bench.compilation import compilation
from zermelo.bench.peers import peers
from zermelo.bench.signature import TASKS, signature
from zermelo.bench.speed import Sizes, speed
from zermelo.bench.threads import threads
from zermelo.bench.timing import race
from zermelo.bench.works import counting, playing, searching
from zermelo.bits import Bits, scatter
from zermelo.errors import GameError, LimitReached, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.montecarlo.playouts import playouts, random_action, random_outcome
from zermelo.registry import load
from zermelo.search.tally import Tally

GOLDEN_SIGNATURE = Path(__file__).parent / "data" / "signature.json"
"""Made by `zermelo bench signature --json > tests/data/signature.json`."""

WORD = 2**64 - 1
WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]
GAMES = ["tic-tac-toe", "connect-four", "nim:stones=9", "heaps:heaps=2-3", "random-tree:depth=4", "p-game:depth=5"]


# The signature.


@pytest.mark.parametrize("world", WORLDS)
def test_signature_is_golden(world: str) -> None:
    golden = json.loads(GOLDEN_SIGNATURE.read_text())
    assert json.loads(json.dumps(asdict(signature(world)))) == golden


def test_signature_is_the_sum_of_its_parts() -> None:
    golden = json.loads(GOLDEN_SIGNATURE.read_text())
    assert golden["signature"] == sum(part["nodes"] for part in golden["parts"])
    assert [part["name"] for part in golden["parts"]] == [str(task) for task in TASKS]
    assert len({str(task) for task in TASKS}) == len(TASKS)


def test_signature_has_the_known_counts() -> None:
    nodes = {part["name"]: part["nodes"] for part in json.loads(GOLDEN_SIGNATURE.read_text())["parts"]}
    assert nodes["alphabeta tic-tac-toe"] == 18_297
    assert nodes["alphabeta random-tree:branching=3,depth=8,order=worst"] == sum(3**ply for ply in range(9))
    assert nodes["perft tic-tac-toe depth 5"] == 9 * 8 * 7 * 6 * 5
    assert nodes["perft connect-four depth 5"] == 7**5
    assert nodes["pvs tic-tac-toe"] == nodes["best tic-tac-toe"]


# Playouts.


def naive_playouts(game: Game, state: Any, player: int, games: int, seed: int) -> tuple[float, int]:
    """The sum of utilities and the number of moves, in plain integers and lists."""

    def mix(word: int) -> int:
        word = word * 0x9E3779B97F4A7C15 & WORD
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
        return word ^ word >> 31

    start, total, moves = mix(seed & WORD), 0.0, 0
    for _ in range(games):
        now = state
        while not game.is_terminal(now):
            moves += 1
            word = mix((start + moves) & WORD)
            actions = list(game.actions(now))
            now = game.result(now, actions[(word >> 33) * len(actions) >> 31])
        total += game.utility(now, player)
    return total, moves


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("spec", GAMES)
def test_playouts_equal_their_naive_twin(spec: str, world: str) -> None:
    game = load(spec)
    for player, seed in ((0, 0), (0, 1), (1, 2**62), (1, -1)):
        tally = Tally()
        args = (game.initial(), player, 20, seed)
        total = native.run(playouts, game, *args, tally=tally, native=world == "native")
        assert (total, tally.nodes) == naive_playouts(game, *args)
        assert tally.leaves == 20


class Dice(Game):
    """Throw a loaded die until it shows 0 or the players have had ten turns; 2 more points win for the first."""

    class State(NamedTuple):
        points: int
        turn: int
        thrown: bool

    def initial(self) -> State:
        return self.State(0, 0, False)

    def to_move(self, state: State) -> int:
        return state.turn % 2 if state.thrown else CHANCE

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for pips, probability in enumerate((0.0, 0.5, 0.25, 0.25)):
            yield pips, probability

    def actions(self, state: State) -> Iterator[int]:
        for keep in range(2):
            yield keep

    def result(self, state: State, action: int) -> State:
        if not state.thrown:
            return self.State(state.points + action, state.turn, True)
        return self.State(state.points * action, state.turn + 1, False)

    def is_terminal(self, state: State) -> bool:
        return state.turn == 10

    def utility(self, state: State, player: int) -> float:
        return state.points if player == 0 else -state.points


@pytest.mark.native
def test_playouts_with_chance_are_the_same_in_both_worlds() -> None:
    game = Dice()
    sums = []
    for world in (False, True):
        tally = Tally()
        args = (game.initial(), 0, 300, 7)
        sums.append((native.run(playouts, game, *args, tally=tally, native=world), tally.nodes))
    assert sums[0] == sums[1]
    assert sums[0][1] == 300 * 20


def test_playouts_with_chance_have_the_expected_mean() -> None:
    game, games = Dice(), 2000
    mean = playouts(game, game.initial(), 0, games, 1, Tally()) / games
    points = 0.0
    for _ in range(10):
        points = (points + 1.75) / 2
    assert mean == pytest.approx(points, abs=0.15)


def test_actions_are_picked_evenly_and_outcomes_by_their_probability() -> None:
    nim, dice = load("nim:stones=9"), Dice()
    words = [scatter(Bits(number)) for number in range(1, 4001)]
    picked = Counter(random_action(nim, nim.initial(), word) for word in words)
    thrown = Counter(random_outcome(dice, dice.initial(), word) for word in words)
    assert {action: round(count / 4000, 1) for action, count in picked.items()} == {1: 0.3, 2: 0.3, 3: 0.3}
    assert sorted(thrown) == [1, 2, 3]
    assert thrown[1] / 4000 == pytest.approx(0.5, abs=0.03)
    assert random_outcome(dice, dice.initial(), Bits(WORD)) == 3


def test_seeds_near_each_other_give_other_playouts() -> None:
    game = load("connect-four")
    sums = {playouts(game, game.initial(), 0, 20, seed, tally := Tally()) + tally.nodes / 1000 for seed in range(20)}
    assert len(sums) == 20


class Stuck(Dice):
    """A game whose author forgot that somebody must have something to do."""

    def to_move(self, state: Dice.State) -> int:
        return 0

    def actions(self, state: Dice.State) -> Iterator[int]:
        for action in range(0):
            yield action


class Becalmed(Dice):
    """A game whose chance has nothing to choose from."""

    def outcomes(self, state: Dice.State) -> Iterator[tuple[int, float]]:
        for action in range(1):
            yield action, 0.0


@pytest.mark.parametrize("world", WORLDS)
def test_a_game_that_gets_stuck_is_told(world: str) -> None:
    for game in (Stuck(), Becalmed()):
        with pytest.raises(GameError):
            native.run(playouts, game, game.initial(), 0, 1, 1, tally=Tally(), native=world == "native")


@pytest.mark.parametrize("world", WORLDS)
def test_playouts_obey_the_limit(world: str) -> None:
    game, tally = load("nim"), Tally(limit=50)
    with pytest.raises(LimitReached):
        native.run(playouts, game, game.initial(), 0, 10**6, 1, tally=tally, native=world == "native")
    assert tally.nodes == 51


# Measurements; how long they take is not tested.


def test_a_race_gives_everyone_a_turn_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.bench.timing.SHORTEST", 1e-9)
    turns: list[int] = []

    def runner(number: int) -> int:
        turns.append(number)
        return number

    rates = race(3, lambda: runner(1), lambda: runner(2))
    assert turns == [1, 2, 1, 2, 1, 2]
    assert all(rate > 0 for rate in rates)


@pytest.mark.native
def test_works_tell_how_much_they_do() -> None:
    assert searching(load("tic-tac-toe"), 9)() == 18_297
    assert counting(load("connect-four"), 6)() == counting(load("connect-four"), 6, natively=False)() == 7**6
    assert playing(load("tic-tac-toe"), 30)() == 30


@pytest.mark.native
def test_the_hand_written_perft_counts_the_same() -> None:
    from zermelo.native.flat import perft_connect_four

    assert [perft_connect_four(depth) for depth in range(9)] == [
        counting(load("connect-four"), depth)() for depth in range(9)
    ]


@pytest.mark.native
def test_speed_rows_are_well_formed() -> None:
    said: list[str] = []
    rows = speed(Sizes(rounds=1, native_depth=4, interpreted_depth=3, search_depth=3, games=10, starts=1), said.append)
    assert len({row.name for row in rows}) == len(rows) == 11
    assert len(said) == 8
    for row in rows:
        assert row.measured > 0
        assert bool(row.target) == (row.met is not None)
        assert row.unit in ("leaves/s", "nodes/s", "games/s", "×", "s")
    assert [row.target for row in rows if row.target] == ["≥ 0.8", "≥ 100", "≤ 1.5", "≤ 1"]


def test_nothing_is_measured_without_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for measure in (speed, peers, threads, compilation):
        with pytest.raises(Unsuitable, match="NUMBA_DISABLE_JIT"):
            measure()
