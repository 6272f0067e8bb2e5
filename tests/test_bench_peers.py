"""Comparisons: each side is timed and held against its target, values that differ are told, absent peers are named."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import chess
import pytest

from zermelo.bench.contest import MISSING, Contest, Sizes, announce, compare, judged
from zermelo.bench.leaves import NO_STOCKFISH, STOCKFISH, Stockfish, clock_of, leaves, rust_side
from zermelo.bench.libraries import _column_value
from zermelo.bench.peers import peers
from zermelo.bench.positions import connect_four, played
from zermelo.bench.rows import Comparison, Row, at_least, at_most, row
from zermelo.bench.solvers import BITBULLY, FILES, HARD, METHODS, Bitbully, Searched, _bitbully
from zermelo.bench.timing import Run, contend
from zermelo.bench.variants import DISCS_WON, CentredConnectFour, DiscOthello, PlainConnectFour
from zermelo.bench.works import deciding, solving
from zermelo.engine.decide import decide
from zermelo.engine.options import Options
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import PASS, Othello
from zermelo.position import Position
from zermelo.search.decide import decide as textbook
from zermelo.solver.exact import solve

PEERS = ("pyspiel", "open_spiel", "easyAI", "aima3", "bitbully", "rust_chess", "rust_reversi")
TINY = Sizes(
    rounds=1,
    long_rounds=1,
    depth=3,
    deep=4,
    native_games=10,
    peer_games=10,
    python_games=2,
    easy=3,
    hard=1,
    othello_depths=(3,),
    othello=1,
    empties=6,
    endings=2,
    endgames="ffo_1_19",
    endgame_count=1,
    perft=3,
)


# Targets and rows.


def test_targets_are_met_from_their_side() -> None:
    assert at_least(2).is_met(2.0)
    assert not at_least(2).is_met(1.9)
    assert at_most(1.2).is_met(1.2)
    assert not at_most(1.2).is_met(1.3)
    assert (str(at_least(1000)), str(at_most(0.65))) == ("≥ 1000", "≤ 0.65")
    assert row("time", 0.7, "×", at_most(0.65)) == Row("time", 0.7, "×", "≤ 0.65", False)
    assert row("time", 0.7, "×") == Row("time", 0.7, "×")


def test_runs_are_judged_by_time_by_nodes_and_by_positions() -> None:
    ours, theirs = Run(2.0, (1.0, -1.0), 600), Run(4.0, (1.0, -1.0), 400)
    by_time = judged(announce("solving", "peer", "pytest", "s"), ours, theirs, at_most(1))
    assert (by_time.zermelo_measured, by_time.peer_measured, by_time.ratio) == (2.0, 4.0, 0.5)
    assert (by_time.target, by_time.met) == ("≤ 1", True)
    by_nodes = judged(announce("solving", "peer", "pytest", "nodes/s"), ours, theirs, at_least(4))
    assert (by_nodes.zermelo_measured, by_nodes.peer_measured, by_nodes.met) == (300, 100, False)
    by_positions = judged(announce("solving", "peer", "pytest", "positions/s"), ours, theirs)
    assert (by_positions.ratio, by_positions.target, by_positions.met) == (2.0, "", None)


@pytest.mark.parametrize(
    ("ours", "theirs", "right"),
    [((1.0, 2.0), (1.0, 3.0), ()), ((1.0, 2.0), (1.0, 2.0), (1.0, 3.0)), ((1.0, 2.0), (1.0, 3.0), (1.0, 3.0))],
)
def test_wrong_values_are_told_and_give_no_figures(
    ours: tuple[float, ...], theirs: tuple[float, ...], right: tuple[float, ...]
) -> None:
    found = judged(announce("solving", "peer", "pytest", "s"), Run(1.0, ours), Run(1.0, theirs), at_most(1), right)
    assert found.note == "values differ in 1 of 2 positions of solving"
    assert found.ratio is found.met is None


def test_a_contest_takes_the_quickest_way_of_the_peer_and_the_best_round_of_each() -> None:
    turns: list[str] = []

    def side(name: str, *seconds: float) -> Callable[[], Run]:
        left = iter(seconds)

        def run() -> Run:
            turns.append(name)
            return Run(next(left), ())

        return run

    ours, theirs = contend(3, side("ours", 5, 4, 6), side("slow", 9), side("quick", 3, 2, 8))
    assert turns == ["slow", "quick", "ours", "quick", "ours", "quick", "ours"]
    assert (ours.seconds, theirs.seconds) == (4, 2)


# Contests by rate.


def test_a_contest_tells_both_sides() -> None:
    def slow() -> int:
        return sum(range(1000))

    contest = Contest("counting", "pytest", "pytest", lambda: (5, slow), lambda: 5 if slow() else 0)
    found = compare(contest, 1)
    assert (found.peer_nodes, found.zermelo_nodes, found.met) == (5, 5, None)
    assert found.version == pytest.__version__
    assert compare(contest._replace(target=at_least(1e-9)), 1).met is True
    assert compare(contest._replace(target=at_least(1e9)), 1).met is False
    assert compare(contest._replace(unit="games/s"), 1).peer_nodes is None


def test_a_broken_peer_is_told_with_its_own_words() -> None:
    def broken() -> tuple[int, Any]:
        raise ImportError("cannot import name 'gcd'")

    found = compare(Contest("counting", "broken", "broken", broken, lambda: 1), 1)
    assert found.note == "can't be imported: cannot import name 'gcd'"


# All of them.


@pytest.mark.native
def test_comparisons_are_well_formed() -> None:
    rows = peers(TINY)
    assert len({(each.work, each.peer, each.part, each.unit) for each in rows}) == len(rows)
    for each in rows:
        if each.note:
            assert each.peer_measured is each.zermelo_measured is each.ratio is each.met is None
            assert each.note in (MISSING, NO_STOCKFISH) or each.note.startswith("can't be imported"), each.note
        else:
            _check_measured(each)


def _check_measured(found: Comparison) -> None:
    assert found.version
    assert found.peer_measured is not None
    assert found.zermelo_measured is not None
    assert found.ratio == found.zermelo_measured / found.peer_measured > 0
    assert bool(found.target) == (found.met is not None)
    if found.unit == "nodes/s":
        assert found.peer_nodes
        assert found.zermelo_nodes
        if found.peer not in ("easyAI", BITBULLY):
            assert found.peer_nodes == found.zermelo_nodes


@pytest.mark.native
def test_missing_peers_are_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module, find_spec = importlib.import_module, importlib.util.find_spec

    def fails(name: str, package: str | None = None) -> ModuleType:
        top = name.partition(".")[0]
        if top in PEERS:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)
        return import_module(name, package)

    monkeypatch.setattr(importlib, "import_module", fails)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in PEERS else find_spec(name))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    said: list[str] = []
    *absent, edax = peers(TINY, said.append)
    assert {each.note for each in absent} == {MISSING, NO_STOCKFISH}
    assert {each.peer.partition(",")[0] for each in absent} == {
        STOCKFISH,
        "rust-chess",
        "OpenSpiel",
        "easyAI",
        "aima3",
        BITBULLY,
        "rust-reversi",
    }
    assert (edax.peer, edax.note, edax.target) == ("Edax", "", "≤ 3")
    assert said[-1] == "othello endgames"


# bitbully, which runs in a process of its own: here another program stands in for it.

STAND_IN = """
from zermelo.games.connect_four import ConnectFour
from zermelo.position import Position
from zermelo.solver.exact import solve

class BoardCore:
    def setBoard(self, columns):
        self.position = Position(ConnectFour(margin=1))
        for column in columns:
            self.position.push(column)
        return True

class BitBullyCore:
    def resetTranspositionTable(self):
        pass
    def resetNodeCounter(self):
        self.nodes = 0
    def getNodeCounter(self):
        return self.nodes
    def nullWindow(self, board):
        self.nodes += 10
        return int(solve(board.position, world="interpreted").value)
    def mtdf(self, board, guess):
        return self.nullWindow(board) + guess
"""


def test_bitbully_is_asked_for_values_nodes_and_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / BITBULLY).mkdir()
    (tmp_path / BITBULLY / "__init__.py").touch()
    (tmp_path / BITBULLY / "bitbully_core.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    problems = connect_four("end_easy", 3)
    with Bitbully() as program:
        for method in METHODS:
            run = program.solve(method, [problem.position for problem in problems])
            assert run.values == tuple(problem.value for problem in problems)
            assert run.nodes == 30
            assert run.seconds > 0
    assert program.process.poll() is not None


def test_a_bitbully_that_can_t_run_is_told_with_its_last_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bitbully.py").write_text("raise ImportError('wrong processor')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.syspath_prepend(tmp_path)
    (found,) = _bitbully(TINY, lambda _: None)
    assert found.note == "can't be imported: ImportError: wrong processor"
    assert found.ratio is None


def test_the_files_that_are_solved_ship_with_the_package() -> None:
    for name in (*FILES, HARD):
        assert connect_four(name, 1)


# Leaf counts of chess: another program stands in for Stockfish, python-chess's rules for rust-chess's.

COUNTER = """#!{python}
import sys
for line in sys.stdin:
    if line.strip() == "uci":
        print("id name Standin 7", "uciok", sep="\\n", flush=True)
    elif line.strip() == "isready":
        print("readyok", flush=True)
    elif line.startswith("go perft") and {answers}:
        print("a2a3: 1", "", f"Nodes searched: {{20 ** int(line.split()[2])}}", sep="\\n", flush=True)
    else:
        break
"""


def _counter(path: Path, answers: bool) -> str:
    path.write_text(COUNTER.format(python=sys.executable, answers=answers))
    path.chmod(0o755)
    return str(path)


def test_stockfish_is_asked_for_its_leaves_and_its_time(tmp_path: Path) -> None:
    with Stockfish(_counter(tmp_path / "counter", answers=True)) as program:
        assert program.version == "7"
        runs = [program.count(depth) for depth in (1, 2)]
    assert [run.values for run in runs] == [(20,), (400,)]
    assert all(0 <= run.seconds < 10 for run in runs)
    assert program.process.poll() is not None


@pytest.mark.native
def test_a_stockfish_that_ends_or_counts_otherwise_gives_no_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = _counter(tmp_path / "counter", answers=False)
    monkeypatch.setattr(shutil, "which", lambda _: path)
    row, _ = leaves(TINY, lambda _: None)
    assert row.note == f"can't be run: {path} has ended at 'go perft 3'"
    _counter(tmp_path / "counter", answers=True)
    row, _ = leaves(TINY, lambda _: None)
    assert row.note == "values differ in 1 of 1 positions of leaves of chess to depth 3, counted"
    assert row.ratio is row.met is None


def test_the_clock_of_a_process_is_its_own() -> None:
    clock = clock_of(os.getpid())
    start, end = clock(), time.process_time() + 0.01
    while time.process_time() < end:
        pass
    assert clock() > start


class FakeRustChess:
    """Its interface, with python-chess behind it."""

    RepetitionDetectionMode = SimpleNamespace(NONE=None)

    class Board:
        def __init__(self, mode: Any, board: chess.Board | None = None) -> None:
            self.board = board or chess.Board()

        def generate_legal_moves(self) -> list[chess.Move]:
            return list(self.board.legal_moves)

        def get_generator_num_remaining(self) -> int:
            return self.board.legal_moves.count()

        def make_move_new(self, move: chess.Move, checked: bool) -> FakeRustChess.Board:
            assert not checked
            board = self.board.copy(stack=False)
            board.push(move)
            return FakeRustChess.Board(None, board)


def test_rust_chess_is_walked_through() -> None:
    assert [rust_side(FakeRustChess, depth).values for depth in (1, 2, 3)] == [(20,), (400,), (8902,)]


# rust-reversi: a board that it is given is the same board.


class FakeRust:
    """Its interface, with Zermelo's own minimax behind it."""

    Turn = SimpleNamespace(BLACK="X", WHITE="O")

    class PieceEvaluator:
        pass

    class Board:
        def set_board_str(self, squares: str, mover: str) -> None:
            game = DiscOthello()
            self.position = Position.from_text(game, f"{squares} {mover}")

    class AlphaBetaSearch:
        def __init__(self, evaluator: Any, depth: int, won: int) -> None:
            assert isinstance(evaluator, FakeRust.PieceEvaluator)
            assert won == DISCS_WON
            self.depth = depth

        def get_search_score(self, board: FakeRust.Board) -> float:
            return textbook(board.position, depth=self.depth + 1, algorithm="minimax", world="interpreted").value


def test_rust_reversi_is_given_the_same_boards_and_depth() -> None:
    positions = [played(DiscOthello(), left, left) for left in (40, 25, 11)]
    run = Searched(positions, 2, ("PieceEvaluator",), 1).side(FakeRust, "PieceEvaluator")
    expected = [textbook(position, depth=2, algorithm="minimax", world="interpreted").value for position in positions]
    assert run.values == tuple(expected)
    halves = Searched(positions, 2, ("PieceEvaluator",), 2).side(FakeRust, "PieceEvaluator")
    assert halves.values == tuple(value / 2 for value in expected)


# The games that both sides can search.


def test_discs_are_all_that_disc_othello_counts_and_nobody_passes() -> None:
    game, usual, passed = DiscOthello(), Othello(margin=0), 0
    for seed in range(40):
        position = played(game, 6, seed)
        state, other = position.state, usual.initial()
        for action in position.history:
            if usual.legal(other) == [PASS]:
                other, passed = usual.result(other, PASS), passed + 1
            other = usual.result(other, action)
        if usual.legal(other) == [PASS]:
            other, passed = usual.result(other, PASS), passed + 1
        assert state == other
        assert PASS not in position.moves
        lead = state.own.count() - state.other.count()
        assert game.evaluate(state, state.turn) == lead == -game.evaluate(state, 1 - state.turn)
        if seed < 8:
            value = solve(position, world="interpreted").value
            assert value == DISCS_WON * solve(Position(usual, state), world="interpreted").value
    assert passed > 0


def test_columns_are_worth_the_same_to_both_sides() -> None:
    game = CentredConnectFour()
    for seed in range(20):
        position = played(game, 10, seed)
        peer = _column_value(SimpleNamespace(history=lambda moves=position.history: list(moves)))
        assert game.evaluate(position.state, 0) == peer == -game.evaluate(position.state, 1)
        assert -1 < peer < 1


def test_nothing_is_known_of_plain_connect_four() -> None:
    game = PlainConnectFour()
    assert not game.has_bounds
    assert not game.has_plausible
    assert game.evaluate(game.initial(), 0) == 0
    work = Options().work(game)
    assert work.killers_first == work.history_first == work.counter_first == 1
    assert Options().work(ConnectFour()).killers_first == 0


def test_the_engine_and_plain_minimax_find_the_same_value_of_such_games() -> None:
    for game, depth in ((CentredConnectFour(), 4), (DiscOthello(), 3)):
        for seed in range(3):
            position = played(game, 30, seed)
            found = decide(position, depth=depth, options=Options(extension=False), world="interpreted")
            plain = textbook(position, depth=depth, algorithm="minimax", world="interpreted")
            assert found.value == pytest.approx(plain.value)


@pytest.mark.native
def test_deciding_gives_the_engine_s_values_actions_and_nodes() -> None:
    game = ConnectFour()
    positions = [played(game, 30, seed) for seed in range(2)]
    run = deciding(positions, 4)()
    found = [decide(position, depth=4, world="native") for position in positions]
    assert run.values == tuple(each.value for each in found)
    assert run.actions == tuple(each.action for each in found)
    assert run.nodes == sum(each.nodes for each in found)
    assert run.seconds > 0


@pytest.mark.native
def test_solving_gives_values_actions_and_the_nodes_of_all() -> None:
    game, problems = ConnectFour(), connect_four("end_easy", 5)
    positions = [Position(game, problem.position.state) for problem in problems]
    whole = solving(positions)()
    assert whole.values == tuple((problem.value > 0) - (problem.value < 0) for problem in problems)
    assert all(action in position.moves for action, position in zip(whole.actions, positions, strict=True))
    first = solving(positions[:1])()
    assert whole.nodes is not None
    assert first.nodes is not None
    assert 0 < first.nodes < whole.nodes


# What is shown.


def test_the_tables_of_peers_fit_a_screen_and_name_who_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.bench import peers as module
    from zermelo.cli.bench import peers as command

    there = Comparison("alpha-beta", "easyAI", "nodes/s", "", "2.0.12", 30_734.0, 39.1e6, 1272.2, "≥ 50", True)
    searched = replace(there, peer_nodes=20_866, zermelo_nodes=18_297)
    absent = Comparison("alpha-beta", "aima3", "nodes/s", note=MISSING)
    solved = Comparison("solving", BITBULLY, "s", "middle_medium", "0.0.79", 1.98, 2.86, 1.44, "≤ 1.2", False, 9, 8)
    rows = [searched, absent, replace(absent, work="playouts"), replace(there, work="playouts", unit="games/s")]
    rows += [solved, replace(solved, unit="nodes/s", peer_measured=1.1e8, zermelo_measured=2.22e8)]
    monkeypatch.setattr(module, "peers", lambda **_: rows)
    command(json=False)
    shown = capsys.readouterr()
    assert shown.err == "zermelo: aima3: not installed: pip install 'zermelo[bench]'\n"
    assert "alpha-beta, 18,297 nodes: nodes/s" in shown.out
    assert "easyAI, 2.0.12 (20,866 nodes)" in shown.out
    assert "39.1 million   ×1,272    ≥ 50 met" in shown.out
    assert "playouts: games/s" in shown.out
    assert "solving, bitbully, 0.0.79: s\n" in shown.out
    assert "middle_medium   1.98      2.86        ×1.44   ≤ 1.2 missed" in shown.out
    assert "solving, bitbully, 0.0.79: nodes/s\n" in shown.out
    assert "110 million   222 million" in shown.out
    assert max(len(line.rstrip()) for line in shown.out.splitlines()) <= 80
