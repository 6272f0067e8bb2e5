"""Self-play, its file, its processes, other weights and the match: what is kept, what is the same, what is refused."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import exp, inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo.bits import Bits, scatter
from zermelo.crew import work_through
from zermelo.errors import BadInput, GameError
from zermelo.game import CHANCE, Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.learn.fit import Settings, fit
from zermelo.learn.match import play_match
from zermelo.learn.player import Course, Pace, Player, points, random_opening, settle_world
from zermelo.learn.quick import DEEP, Quick
from zermelo.learn.recipe import Recipe, check_tunable, check_weights_matter, feature_names, reweighted
from zermelo.learn.rows import extract
from zermelo.learn.selfplay import Plan, Record, Seen, SelfPlay, gather
from zermelo.learn.store import Sample, Store
from zermelo.learn.weights import read_weights, write_weights
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.luck import random_step
from zermelo.solver.exact import solve
from zermelo.statistics import Standing

QUICK = Pace(depth=1, world="interpreted")
PLAN = Plan(QUICK, opening=3)
SMALL = Othello(size=4)
SETTINGS = {"nodes": None, "depth": 1}


def silent(*_: Any) -> None:
    """Nobody listens."""


class Verdict(Game):
    """Two numbers are drawn, somebody nods, and a coin decides whose chances depend on the numbers alone."""

    utility_bounds = (-9, 9)
    weights = (1.0, 1.0)

    class State(NamedTuple):
        first: int
        second: int
        phase: int
        winner: int

    def initial(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return (state.first + state.second) % 2 if state.phase == 1 else CHANCE

    def actions(self, state: State) -> Iterator[int]:
        yield 0

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        if state.phase == 0:
            for number in range(25):
                yield number, 0.04
        else:
            chance = 1 / (1 + exp(0.8 * state.second - 1.5 * state.first))
            yield 0, chance
            yield 1, 1 - chance

    def result(self, state: State, action: int) -> State:
        if state.phase == 0:
            return self.State(action % 5 - 2, action // 5 - 2, 1, 0)
        return state._replace(phase=state.phase + 1, winner=action)

    def is_terminal(self, state: State) -> bool:
        return state.phase == 3

    def utility(self, state: State, player: int) -> float:
        return 9 if player == state.winner else -9

    def features(self, state: State) -> tuple[float, ...]:
        return state.first, state.second


class Grab(Game):
    """Take one of the coins, or, noisily, a pot that may be worth less than nothing."""

    weights = (1.0,)

    class State(NamedTuple):
        coins: int
        pot: int
        lead: int
        turn: int

    def initial(self) -> State:
        return self.State(3, 2, 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        if state.coins:
            yield 0
        if state.pot:
            yield 1

    def result(self, state: State, action: int) -> State:
        taken = state.pot if action else 1
        coins, pot = (state.coins, 0) if action else (state.coins - 1, state.pot)
        return self.State(coins, pot, state.lead + (taken if state.turn == 0 else -taken), 1 - state.turn)

    def is_terminal(self, state: State) -> bool:
        return state.coins == 0 and state.pot == 0

    def utility(self, state: State, player: int) -> float:
        return state.lead if player == 0 else -state.lead

    def features(self, state: State) -> tuple[float, ...]:
        return (float(state.lead),)

    def noisy(self, state: State) -> Iterator[int]:
        if state.pot:
            yield 1


class Shifted(Othello):
    """Derives something from its weights when it is made."""

    def __init__(self, size: int = 4) -> None:
        super().__init__(size)
        self.doubled = tuple(2 * weight for weight in self.weights)


def test_from_games_to_true_weights(tmp_path: Path) -> None:
    recipe = Recipe(Verdict())
    with Store.begin(tmp_path / "games", recipe.game, SETTINGS) as store:
        gather(recipe, Plan(QUICK, opening=0), store, 400, 1, silent)
        rows = extract(recipe, store, 1, silent)
    found = fit(rows, (1.0, 1.0), Settings(pull=0.0))
    weights, errors = (np.array(each) * found.scale for each in (found.weights, found.errors))
    assert (np.abs(weights - [1.5, -0.8]) < 3 * errors).all(), (weights, errors)
    assert errors.max() < 0.35
    assert set(rows.values) <= set(range(-4, 5)), "the search's values are those of player 0, whoever was to move"
    assert (rows.values == rows.features.sum(axis=1)).all()


def test_games_are_the_same_whoever_plays_them() -> None:
    play = SelfPlay(Recipe(SMALL), PLAN)
    alone = list(work_through(play, range(8), 1))
    working = work_through(play, iter(range(10**9)), 2)
    together = list(islice(working, 6))
    working.close()
    assert all(record == alone[record.number] for record in together)
    assert [play(3)] == alone[3:4], "and whatever was played before"
    assert len({record.seen for record in alone}) > 3
    assert SelfPlay(Recipe(SMALL), Plan(QUICK, opening=3, seed=1))(3) != alone[3]


@pytest.mark.native
def test_games_are_the_same_in_both_worlds() -> None:
    recipe = Recipe(Othello())
    pace, note = settle_world(recipe.game, Pace(depth=1))
    assert (pace.world, note) == ("native", "")
    fast, slow = (Plan(replace(pace, world=world), opening=40) for world in ("native", "interpreted"))
    assert SelfPlay(recipe, fast)(0) == SelfPlay(recipe, slow)(0)


def test_what_is_kept_of_a_game() -> None:
    record = SelfPlay(Recipe(SMALL), PLAN)(0)
    assert record.seen
    for seen in record.seen:
        state = SMALL.parse_state(seen.state)
        assert not SMALL.is_terminal(state)
        assert 2 <= seen.ply < record.plies
        assert 16 - SMALL.moves_left(state) <= 4 + seen.ply
        value = Player(SMALL, QUICK).think(Position(SMALL, state)).value
        assert seen.value == (value if state.turn == 0 else -value)


def test_a_proved_value_ends_a_game() -> None:
    deep = Pace(depth=20, world="interpreted")
    record = SelfPlay(Recipe(SMALL), Plan(deep, opening=9, luck=0.0))(0)
    word, state = scatter(Bits(0)) >> 2, SMALL.initial()
    for _ in range(9):
        word = scatter(word)
        state = random_step(SMALL, state, scatter(word + 1))
    value = solve(Position(SMALL, state), world="interpreted").value
    assert record == Record(0, value if state.turn == 0 else -value, 9, ())


def test_a_long_game_is_a_draw() -> None:
    record = SelfPlay(Recipe(SMALL), Plan(QUICK, opening=0, longest=4))(0)
    assert (record.plies, record.utility) == (4, 0)


def test_nodes_alone_never_make_a_move_endlessly_deep() -> None:
    quick = Quick(Nim(stones=90, most=2), 1, natively=False)
    quick.play(1, 0, 0.0, None, 10**6)
    assert quick._work.root_depth == DEEP
    assert quick._work.nodes < 10**5, "there was time for more"


def test_quiet_is_what_nobody_gains_by_noise_in() -> None:
    game = Grab()
    player = Player(game, Pace(depth=2, world="interpreted"))
    for pot, quiet in ((0, True), (2, False), (-2, True), (1, False)):
        for turn in (0, 1):
            position = Position(game, game.State(5, pot, 3, turn))
            player.think(position)
            assert player.is_quiet(position) == quiet, (pot, turn)


def test_openings_are_varied_and_never_over() -> None:
    dice = random.Random(1)
    found = [random_opening(TicTacToe(), 9, dice) for _ in range(20)]
    assert all(not course.is_terminal for course in found)
    assert len({course.states for course in found}) > 14
    assert {len(random_opening(SMALL, 4, dice).history) for _ in range(20)} == {3, 4}
    assert random_opening(SMALL, 0, dice).history == ()


def test_a_course_is_a_position() -> None:
    dice = random.Random(2)
    course, plain = Course(SMALL), Position(SMALL)
    while not plain.is_terminal:
        assert (course.moves, course.is_terminal, course.to_move) == (plain.moves, False, plain.to_move)
        action = dice.choice(plain.moves)
        course.push(action)
        plain.push(action)
    assert (course.moves, course.is_terminal) == ([], True)


class Circle(Grab):
    """Nothing happens but turns, until a state has come back twice."""

    repetition = 3

    def initial(self) -> Grab.State:
        return self.State(1, 0, 0, 0)

    def result(self, state: Grab.State, action: int) -> Grab.State:
        return state._replace(turn=1 - state.turn, lead=state.lead + 1)

    def recurrence(self, state: Grab.State) -> int:
        return state.turn


def test_a_course_counts_what_comes_back() -> None:
    course, plain = Course(Circle()), Position(Circle())
    for ply in range(5):
        assert course.is_repeated == plain.is_repeated == course.is_terminal == (ply == 4)
        if ply < 4:
            course.push(0)
            plain.push(0)
    assert (course.moves, course.utilities) == ([], (0, 0))


def test_points_are_of_an_even_share() -> None:
    assert [points(SMALL, worth) for worth in (3, 0, -1)] == [1, 0.5, 0]


def test_rows_are_the_features(tmp_path: Path) -> None:
    recipe = Recipe(SMALL)
    with Store.begin(tmp_path / "games", SMALL, SETTINGS) as store:
        gather(recipe, PLAN, store, 8, 1, silent)
        samples = list(store.samples())
        rows = extract(recipe, store, 1, silent)
    naive = [SMALL.features(SMALL.parse_state(sample.state)) for sample in samples]
    assert (rows.features.toarray() == np.array(naive, float)).all()
    assert rows.games.tolist() == [sample.game for sample in samples]
    assert rows.points.tolist() == [points(SMALL, sample.utility) for sample in samples]
    assert rows.values.tolist() == [sample.value for sample in samples]


# The file.


RECORDS = (Record(0, 1.0, 9, (Seen(2, "a", 0.5), Seen(3, "b", -0.5))), Record(2, -1.0, 8, ()))


def test_a_file_keeps_games_and_knows_which_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with Store.begin(path, SMALL, SETTINGS) as store:
        for record in RECORDS:
            store.add(record)
        with pytest.raises(BadInput, match="in use by another run"):
            Store.resume(path, SMALL)
    with Store.resume(path, SMALL) as again:
        assert again.settings == SETTINGS
        assert again.counts() == (2, 2)
        assert again.missing(4) == [1, 3]
        assert list(again.samples()) == [Sample(0, 1.0, "a", 0.5), Sample(0, 1.0, "b", -0.5)]
        with pytest.raises(BadInput, match="UNIQUE"):
            again.add(RECORDS[0])
        assert again.counts() == (2, 2)


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with pytest.raises(BadInput, match=r"there is no file .* to resume"):
        Store.resume(path, SMALL)
    with pytest.raises(BadInput, match="unable to open"):
        Store.begin(tmp_path / "nowhere" / "games", SMALL, SETTINGS)
    path.write_bytes(os.urandom(5000))
    with pytest.raises(BadInput, match="is there already"):
        Store.begin(path, SMALL, SETTINGS)
    with pytest.raises(BadInput, match="is no file of games"):
        Store.resume(path, SMALL)
    path.write_bytes(b"")
    with pytest.raises(BadInput, match="is no file of games"):
        Store.resume(path, SMALL)
    path.unlink()
    Store.begin(path, SMALL, SETTINGS).close()
    with pytest.raises(BadInput, match="has games of othello:size=4, not of othello"):
        Store.resume(path, Othello())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE about SET value = 'ff' WHERE name = 'rules'")
    connection.close()
    with pytest.raises(BadInput, match="with other rules"):
        Store.resume(path, SMALL)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(BadInput, match="format 7"):
        Store.resume(path, SMALL)


def test_no_positions_no_fit(tmp_path: Path) -> None:
    with (
        Store.begin(tmp_path / "games", SMALL, SETTINGS) as store,
        pytest.raises(BadInput, match="no quiet positions in 0 games"),
    ):
        extract(Recipe(SMALL), store, 1, silent)


COMMAND = ("tune", "othello:size=4", "games", "--depth", "1", "--opening", "3", "--world", "interpreted")


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_kill_9_loses_no_game_that_was_over(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "zermelo", *COMMAND, "--games", "100000", "--processes", "2"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        log = tmp_path / "games-wal"
        deadline = time.monotonic() + 60
        while not (log.exists() and log.stat().st_size > 200_000):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
    assert len(workers) >= 2
    while any(map(is_running, workers)):
        assert time.monotonic() < deadline, "processes go on though nobody wants their games"
        time.sleep(0.02)
    with Store.resume(tmp_path / "games", SMALL) as store:
        played = store.counts()[0]
        assert played >= 10
        missing = store.missing(played + 2)
        assert len(missing) == 2, "but for those under way, all are there"
        samples = [sample for sample in store.samples() if sample.game == 5]
    assert [sample.state for sample in samples] == [seen.state for seen in SelfPlay(Recipe(SMALL), PLAN)(5).seen]


# Processes.


def test_errors_come_back_from_other_processes() -> None:
    with pytest.raises(GameError, match="unknown game 'nothing'"):
        list(work_through(load, ["nothing"], 2))
    with pytest.raises(GameError, match="ended from outside"):
        list(work_through(os._exit, [1], 2))
    with pytest.raises(BadInput, match="1 to 1,024 processes, not 0"):
        list(work_through(load, ["nim"], 0))
    assert list(work_through(load, [], 3)) == []


# Weights.


def test_a_game_with_other_weights_is_another_game() -> None:
    other = reweighted(SMALL, (2.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    state = random_opening(SMALL, 6, random.Random(3)).state
    assert other.parameters == SMALL.parameters
    assert other.title == SMALL.title
    assert other.evaluate(state, 0) == 2 * SMALL.features(state)[0]
    assert SMALL.weights == Othello.weights
    doubled = reweighted(Shifted(), (1.0,) * 6)
    assert doubled.doubled == (2.0,) * 6  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match="has 6 weights: give as many finite numbers, not 2"):
        reweighted(SMALL, (1.0, 2.0))
    with pytest.raises(BadInput, match="finite"):
        reweighted(SMALL, (inf,) * 6)


@pytest.mark.native
def test_other_weights_have_kernels_of_their_own() -> None:
    from zermelo.native.digest import digest

    marks = {digest(game) for game in (SMALL, reweighted(SMALL, (1.0,) * 6), reweighted(SMALL, (1.0,) * 5 + (2.0,)))}
    assert len(marks) == 3
    assert digest(reweighted(SMALL, (1.0,) * 6)) in marks


def test_weights_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, SMALL, (1.0, 2.0, 3.0, 4.0, 5.0, 6.5), scale=0.25)
    assert read_weights(path, SMALL) == (1.0, 2.0, 3.0, 4.0, 5.0, 6.5)
    for text, sentence in (
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[1, 2]", "is no file of weights"),
        ('{"game": "othello:size=4", "weights": {"mobility": "much"}}', "is no file of weights"),
        ('{"game": "othello:size=4", "weights": {"mobility": 1}}', "other features"),
        (path.read_text().replace("size=4", "size=6"), "has weights for othello:size=6, not for othello:size=4"),
        (path.read_text().replace("6.5", "NaN"), "is no file of weights"),
        (path.read_text().replace("6.5", "9" * 400), "is no file of weights"),
    ):
        path.write_text(text)
        with pytest.raises(BadInput, match=sentence):
            read_weights(path, SMALL)
    with pytest.raises(BadInput, match="No such file"):
        read_weights(tmp_path / "none", SMALL)
    with pytest.raises(BadInput, match="can't be written"):
        write_weights(tmp_path, SMALL, (0.0,) * 6)


class Deaf(Verdict):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.5


class Uneven(Verdict):
    weights = (1.0,)


class Crowd(Verdict):
    players = 3


def test_what_can_be_tuned() -> None:
    check_tunable(SMALL)
    check_tunable(Verdict())
    assert feature_names(Verdict()) == ("feature 1", "feature 2")
    for game, sentence in (
        (ConnectFour(), "ConnectFour has no features: give it features"),
        (Uneven(), "Uneven.features gives 2 numbers for 1 weights"),
        (Crowd(), "tuning is for two players"),
    ):
        with pytest.raises(BadInput, match=sentence):
            check_tunable(game)
    with pytest.raises(BadInput, match=r"Deaf\.evaluate does not depend on its weights"):
        check_weights_matter(Deaf(), [Deaf.State(1, 2, 1, 0)])
    check_weights_matter(Deaf(), [Deaf.State(0, 0, 1, 0)])


def test_plans_that_make_no_sense() -> None:
    for make, sentence in (
        (lambda: Pace(), "give nodes, a depth, or both"),
        (lambda: Pace(nodes=0), "nodes"),
        (lambda: Plan(QUICK, opening=-1), "opening"),
        (lambda: Plan(QUICK, luck=2), "luck is a probability from 0 to 1, not 2"),
        (lambda: Plan(QUICK, longest=0), "longest"),
    ):
        with pytest.raises(BadInput, match=sentence):
            make()


def test_a_world_is_settled_before_the_first_game() -> None:
    assert settle_world(SMALL, QUICK) == (QUICK, "")


# The match.


def test_equals_share_every_pair() -> None:
    score = play_match(Recipe(SMALL, SMALL.weights), Recipe(SMALL), PLAN, 9, 1, silent)
    assert score.games == 10
    assert score.wins == score.losses
    assert (score.score, score.elo) == (0.5, 0)


def test_who_wants_the_right_thing_wins() -> None:
    wrong = Recipe(SMALL, tuple(-weight for weight in SMALL.weights))
    heard: list[Standing] = []
    score = play_match(Recipe(SMALL), wrong, Plan(QUICK, opening=4), 20, 1, heard.append)
    assert heard[-1] == score
    assert len(heard) == 10
    assert score.wins + score.draws + score.losses == 20
    assert score.elo_low > 0
    assert heard[1] == play_match(Recipe(SMALL), wrong, Plan(QUICK, opening=4), 4, 1, silent)
