"""The UCI server: by itself, through a pipe, with python-chess as the client, and with nonsense."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from zermelo.engine.engine import Engine
from zermelo.errors import BadInput
from zermelo.games.chess import Chess, pgn, polyglot
from zermelo.games.connect_four import ConnectFour
from zermelo.position import Position
from zermelo.protocols.uci import Server, score_words
from zermelo.protocols.uci_options import (
    DOUBLING,
    FEWEST_NODES,
    LEAST_ELO,
    MOST_ELO,
    OPTIONS,
    SURE_ELO,
    strength_of,
)
from zermelo.search.result import Line

MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
STUCK = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


class Talk:
    """A server in this process, interpreted, and what it has said."""

    def __init__(self, game: Chess | ConnectFour | None = None) -> None:
        self.said: list[str] = []
        self._changed = threading.Condition()
        self.server = Server(game or Chess(), self._hear, world="interpreted")

    def _hear(self, line: str) -> None:
        with self._changed:
            self.said.append(line)
            self._changed.notify_all()

    def __call__(self, *lines: str) -> list[str]:
        """What is said while these lines are answered."""
        before = len(self.said)
        for line in lines:
            assert self.server.handle(line)
        return self.said[before:]

    def until(self, start: str, since: int = 0) -> str:
        """The next line that begins so."""

        def found() -> str | None:
            return next((line for line in self.said[since:] if line.startswith(start)), None)

        with self._changed:
            self._changed.wait_for(lambda: found() is not None, timeout=60)
        line = found()
        assert line is not None, self.said
        return line

    def ask(self, *lines: str) -> str:
        """The move that is answered to these lines."""
        since = len(self.said)
        self(*lines)
        return self.until("bestmove", since)


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.server.end_search()


# What is said.


def test_it_introduces_itself_before_it_makes_an_engine(talk: Talk) -> None:
    lines = talk("uci")
    assert lines[0].startswith("id name Zermelo")
    assert lines[-1] == "uciok"
    assert "option name Hash type spin default 64 min 1 max 65536" in lines
    assert "option name Book type string default <empty>" in lines
    assert "option name Clear Hash type button" in lines
    assert len([line for line in lines if line.startswith("option")]) == len(OPTIONS)
    assert talk.server._engine is None
    assert talk("isready") == ["readyok"]


def test_an_engine_is_prepared_once(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[Engine] = []
    monkeypatch.setattr(Engine, "prepare", lambda engine: prepared.append(engine))
    talk("isready", "ucinewgame", "position startpos moves e2e4", "isready")
    assert prepared == [talk.server.engine]
    talk("setoption name Hash value 16", "isready", "isready")
    assert prepared[1:] == [talk.server.engine]


def test_lines_are_written_as_if_their_moves_were_made(talk: Talk) -> None:
    dice, game = random.Random(2), Chess()
    start = Position(game, game.parse_state("r3k2r/P1p5/8/3pP3/8/8/1p6/R3K2R w KQkq d6 0 2"))
    for _ in range(50):
        position = start.copy()
        texts: list[str] = []
        while len(texts) < 8 and not position.is_terminal:
            action = dice.choice(position.moves)
            texts.append(game.protocol_action(position.state, action))
            position.push(action)
        assert talk.server._line(start, position.history) == texts


def test_moves_are_played_and_told(talk: Talk) -> None:
    assert talk("position startpos moves e2e4 e7e5 g1f3", "isready") == ["readyok"]
    assert str(talk.server.position).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")
    talk("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1")
    assert str(talk.server.position) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_illegal_positions_leave_the_one_before(talk: Talk) -> None:
    talk("position startpos moves e2e4")
    before = str(talk.server.position)
    for line in (
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e4e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position",
        "position moves e2e4",
        "position nonsense",
    ):
        (said,) = talk(line)
        assert said.startswith("info string ")
        assert said.endswith("the position before stays") or "the one before stays" in said
        assert str(talk.server.position) == before


def test_a_shared_beginning_is_kept_and_the_rest_taken_back(talk: Talk) -> None:
    dice, game = random.Random(0), Chess()
    for _ in range(30):
        length, way = dice.randrange(9), dice.choice(["a2a4 a7a5 b2b3 b7b6", "a2a4 h7h5 b2b3 b7b6", ""])
        moves = way.split()[:length]
        start = dice.choice(["startpos", "fen " + str(Position(game))])
        talk(f"position {start} moves {' '.join(moves)}")
        assert talk.server.position.states == Position.from_text(game, moves=" ".join(moves)).states


def test_mate_and_the_words_for_it(talk: Talk) -> None:
    assert talk.ask(f"position fen {MATE_IN_TWO}", "go depth 4").startswith("bestmove")
    assert any(" score mate 2 " in line for line in talk.said)
    assert talk.ask("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go mate 1") == "bestmove a1a8"
    lines = talk.said[-2:]
    assert lines[0].startswith("info depth 1 multipv 1 score mate 1 nodes")
    assert lines[0].endswith("pv a1a8")


def test_scores() -> None:
    game = Chess()
    assert score_words(game, Line(0, 0.256, "estimate", ())) == "cp 26"
    assert score_words(game, Line(0, -1.5, "lower", ())) == "cp -150 lowerbound"
    assert score_words(game, Line(0, 3.0, "upper", ())) == "cp 300 upperbound"
    assert score_words(game, Line(0, 100, "exact", (), plies=5)) == "mate 3"
    assert score_words(game, Line(0, -100, "exact", (), plies=4)) == "mate -2"
    assert score_words(game, Line(0, 0, "exact", ())) == "cp 0"


def test_where_there_is_no_move(talk: Talk) -> None:
    assert talk.ask(f"position fen {STUCK}", "go depth 2") == "bestmove (none)"
    assert talk.said[-2] == "info depth 0 score cp 0"
    assert talk.ask("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go movetime 10") == "bestmove (none)"
    assert talk.said[-2] == "info depth 0 score mate 0"


def test_a_drawn_game_goes_on_until_somebody_claims_it(talk: Talk) -> None:
    """What ends a game for us, repetitions and bare kings, need not end it for the program that has the board."""
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    assert talk("position startpos moves " + 3 * shuffle + "e2e4 e7e5") == []
    assert str(talk.server.position).split()[-1] == "8"
    for position in (
        "startpos moves " + 2 * shuffle,
        "fen 7k/8/8/8/8/8/R7/K7 w - - 100 90",
        "fen 7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1b1 h8g8",
        "fen 7k/8/8/8/8/8/R7/K7 w - - 99 90 moves a2b2 h8g8 b2b3",
    ):
        assert talk(f"position {position}") == []
        move = talk.ask("go depth 1").split()[1]
        talk.server.parse(talk.server.position.state, move)


# How long it thinks.


def test_infinite_waits_for_stop(talk: Talk) -> None:
    """Also where all is known at once, and where there is no move at all."""
    for position in ("startpos", "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", f"fen {STUCK}"):
        since = len(talk.said)
        talk(f"position {position}", "go infinite")
        time.sleep(0.2)
        assert talk("isready")[-1:] == ["readyok"]
        assert not any(line.startswith("bestmove") for line in talk.said[since:])
        talk("stop")
        assert talk.said[-1].startswith("bestmove")
        assert talk("stop") == []


def test_ponderhit_starts_the_clock(talk: Talk) -> None:
    talk("position startpos moves e2e4", "go ponder wtime 60000 btime 300 movestogo 1")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk("ponderhit")
    talk.until("bestmove")
    talk("position startpos", "go ponder depth 1")
    since = len(talk.said)
    talk("ponderhit")
    talk.until("bestmove", since)
    since = len(talk.said)
    talk("go ponder", "ponderhit")  # no limit: it thinks on
    time.sleep(0.1)
    assert not any(line.startswith("bestmove") for line in talk.said[since:])
    assert talk("stop")[-1].startswith("bestmove")


@pytest.mark.parametrize(
    "limits",
    [
        *("depth 1", "nodes 30", "movetime 20", "wtime 100 btime 100", "wtime 50 winc 10 movestogo 2", "wtime -5"),
        *("depth 0", "depth x", "nodes -3", "movetime", "depth 99999999999999999999999 movetime 20"),
        *("depth 1 searchmoves a2a3", "wtime 1 btime 1 movestogo 0", "mate 1 nodes 50"),
    ],
)
def test_go_in_all_its_forms(talk: Talk, limits: str) -> None:
    assert talk.ask("position startpos", f"go {limits}").split()[0] == "bestmove"


def test_only_the_other_s_clock_is_no_limit(talk: Talk) -> None:
    talk("position startpos", "go btime 1")
    time.sleep(0.1)
    assert talk("stop")[-1].startswith("bestmove")


def test_searchmoves_looks_at_nothing_else(talk: Talk) -> None:
    talk("position startpos", "setoption name MultiPV value 5")
    assert talk.ask("go depth 2 searchmoves a2a3 h2h4 e9e9 e2e5").split()[1] in ("a2a3", "h2h4")
    first = {line.split(" pv ")[1].split()[0] for line in talk.said if " pv " in line}
    assert first == {"a2a3", "h2h4"}
    assert sum(line.startswith("info string 'e") for line in talk.said) == 2
    assert {line.split("multipv ")[1][0] for line in talk.said if "multipv" in line} == {"1", "2"}


def test_a_new_go_answers_the_old_one_first(talk: Talk) -> None:
    talk("position startpos", "go infinite", "go infinite", "stop", "ucinewgame")
    assert sum(line.startswith("bestmove") for line in talk.said) == 2


# Options.


def test_options_are_set_or_refused(talk: Talk) -> None:
    assert talk("setoption name hash value 16", "setoption name Move Overhead value 100") == []
    assert (talk.server.settings.hash, talk.server.settings.overhead) == (16, 100)
    assert talk("setoption name UCI_LimitStrength value true", "setoption name Clear Hash") == []
    assert talk.server.settings.limit_strength
    for line, why in (
        ("setoption name Hash value 0", "Hash is a number from 1 to 65536, not '0'"),
        ("setoption name Hash value", "not ''"),
        ("setoption name Hash value ٣", "Hash is a number"),
        ("setoption name Ponder value yes", "Ponder is true or false"),
        ("setoption name Colour value red", "there is no option 'Colour'"),
        ("setoption", "there is no option ''"),
    ):
        (said,) = talk(line)
        assert why in said
    assert talk.server.settings.hash == 16


def test_a_table_that_does_not_fit_is_refused(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(mib: float) -> None:
        raise BadInput(f"a table of {mib:g} MiB does not fit")

    monkeypatch.setattr("zermelo.protocols.uci.Table", refuse)
    assert talk("setoption name Hash value 32", "setoption name Hash value 128") == [
        "info string a table of 128 MiB does not fit"
    ]
    assert talk.server.settings.hash == 32


def test_strength_grows_with_elo() -> None:
    strengths = [strength_of(elo) for elo in range(LEAST_ELO, MOST_ELO + 1)]
    assert all(one.nodes <= other.nodes and one.mistakes >= other.mistakes for one, other in pairwise(strengths))
    assert all(strength_of(elo) != strength_of(elo + 10) for elo in range(LEAST_ELO, MOST_ELO))


def test_the_ends_of_the_scale() -> None:
    weakest, sure, strongest = (strength_of(elo) for elo in (LEAST_ELO, SURE_ELO, MOST_ELO))
    assert (weakest.nodes, sure.nodes) == (FEWEST_NODES, FEWEST_NODES)
    assert 0.5 < weakest.mistakes < 1
    assert (sure.mistakes, strongest.mistakes) == (0, 0)
    assert strength_of(SURE_ELO + DOUBLING).nodes == 2 * FEWEST_NODES
    assert strongest.nodes > 100 * FEWEST_NODES


def test_the_scale_is_declared(talk: Talk) -> None:
    assert f"option name UCI_Elo type spin default 1500 min {LEAST_ELO} max {MOST_ELO}" in talk("uci")
    for elo in (LEAST_ELO - 1, MOST_ELO + 1):
        (said,) = talk(f"setoption name UCI_Elo value {elo}")
        assert f"from {LEAST_ELO} to {MOST_ELO}" in said
    assert talk(*(f"setoption name UCI_Elo value {elo}" for elo in (LEAST_ELO, MOST_ELO))) == []


def test_a_weak_player_searches_little(talk: Talk) -> None:
    talk("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1350", "position startpos")
    talk.ask("go movetime 60000")
    nodes = [int(line.split(" nodes ")[1].split()[0]) for line in talk.said if " nodes " in line]
    assert 0 < max(nodes) < 2 * FEWEST_NODES


def test_a_book_is_asked_unless_it_is_analysis(talk: Talk, tmp_path: Path) -> None:
    game = Chess()
    draft = polyglot.Draft(game)
    draft.add(next(pgn.read(game, "1. h4 h5 1-0")), 2)
    draft.save(tmp_path / "odd.bin")
    assert (
        talk.ask(f"setoption name Book value {tmp_path / 'odd.bin'}", "position startpos", "go depth 1")
        == "bestmove h2h4"
    )
    assert talk.said[-2] == "info string from the book"
    for line in ("setoption name OwnBook value false", "setoption name Book value <empty>"):
        assert talk.ask(line, "go depth 1") != "bestmove h2h4"
    talk("setoption name OwnBook value true")
    assert talk.ask(f"setoption name Book value {tmp_path / 'none.bin'}", "go depth 1").startswith("bestmove")
    assert any("is no file" in line for line in talk.said)


def test_another_game_by_its_own_moves() -> None:
    talk = Talk(ConnectFour())
    assert talk.ask("position startpos moves 4 4 1 4 1 4 1", "go depth 3").split()[1] == "4"


# The engine behind it.


def test_a_search_of_some_actions_gives_the_best_of_these() -> None:
    game = ConnectFour()
    position = Position.from_text(game, moves="4433")
    engine = Engine(game, world="interpreted")
    engine.set_position(position)
    best = engine.go(depth=3, lines=7).result()
    worth = {line.action: line.value for line in best.lines}
    for only in ([best.action], [action for action in worth if action != best.action], list(worth)):
        found = engine.go(depth=3, only=only, lines=7).result()
        assert found.value == max(worth[action] for action in only)
        assert {line.action for line in found.lines} == set(only)


@pytest.mark.native
def test_a_prepared_engine_is_native_at_once() -> None:
    engine = Engine(Chess())
    engine.prepare()
    assert engine.go(depth=1).result().world == "native"


def test_a_search_without_an_end_can_be_hurried() -> None:
    engine = Engine(ConnectFour(), world="interpreted")
    thinking = engine.go()
    engine.hurry(seconds=0.05)
    assert thinking.wait(60)
    engine.hurry(seconds=1)  # there is nothing to hurry


# Nonsense.


WORDS = [
    *("uci", "isready", "position", "startpos", "fen", "moves", "go", "depth", "1", "nodes", "movetime", "wtime"),
    *("btime", "winc", "movestogo", "infinite", "ponder", "ponderhit", "stop", "setoption", "name", "value", "Hash"),
    *("MultiPV", "true", "99999999999", "-1", "ucinewgame", "debug", "on", "off", "e2e4", "e7e5", "(none)", "0000"),
    *("searchmoves", "mate", "4k3/8/8/8/8/8/4P3/4K3", "w", "KQkq", "-", "0", "\x00", "é", "\t", "{}", "%s", "\\", ""),
]


ROUNDS = 10_000 if os.environ.get("NUMBA_DISABLE_JIT") else 100_000


class Ending(Chess):
    """Chess from where there are few moves."""

    def initial(self) -> Chess.State:
        return self.parse_state("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


class Instant:
    """An engine that answers at once with the first legal action."""

    book = None

    def __init__(self) -> None:
        self.position: Position | None = None

    def set_position(self, position: Position) -> None:
        self.position = position

    def go(self, **_: object) -> None:
        return None

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def test_any_lines_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """100,000 lines of words in any order: each `go` has its answer, each `isready` its own, nothing else happens."""
    monkeypatch.setattr(Server, "engine", property(lambda _: Instant()))
    monkeypatch.setattr(threading, "Thread", AtOnce)
    said: list[str] = []
    server, dice, went, asked = Server(Ending(), said.append), random.Random(0), 0, 0
    for _ in range(ROUNDS):
        words = dice.choices(WORDS, k=int(1 + 6 * dice.random()))
        line = " ".join(words)
        commands = [word for word in line.split() if word in COMMANDS]
        went += commands[:1] == ["go"]
        asked += commands[:1] == ["isready"]
        assert server.handle(line)
    server.end_search()
    assert sum(line.startswith("bestmove") for line in said) == went > ROUNDS // 100
    assert said.count("readyok") == asked > ROUNDS // 100
    assert all("\n" not in line for line in said)


COMMANDS = {"uci", "isready", "debug", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit"}


class AtOnce:
    """A thread that has run when it is started."""

    def __init__(self, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> None:
        self._run = lambda: target(*args)

    def start(self) -> None:
        self._run()

    def join(self) -> None:
        """It is over."""


# Through a pipe.


def program() -> list[str]:
    return [sys.executable, "-m", "zermelo", "uci"]


def test_through_a_pipe() -> None:
    """Whatever the bytes; at the end of the input it ends by itself, and the last search is answered."""
    lines = b"uci\n\xff\xfe\x00 nonsense\nposition startpos moves e2e5\n" + b"x" * 100_000 + b"\ngo infinite\n"
    done = subprocess.run(program(), input=lines, capture_output=True, timeout=120, check=False)
    said = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert said.index("uciok") < len(said) - 1
    assert said[-1].startswith("bestmove ")
    assert done.stderr == b""


@pytest.mark.native
def test_python_chess_plays_whole_games_with_it() -> None:
    """Every limit that client knows, pondering, analysis of several lines, and options."""
    chess = pytest.importorskip("chess")
    engines = pytest.importorskip("chess.engine")
    dice = random.Random(5)
    limits = [
        *(engines.Limit(nodes=300), engines.Limit(time=0.02), engines.Limit(depth=2)),
        engines.Limit(white_clock=3, black_clock=3, white_inc=0.02, black_inc=0.02),
    ]
    with engines.SimpleEngine.popen_uci(program(), timeout=300) as engine:
        engine.ping()
        for number in range(2):
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 120:
                if board.turn == bool(number):
                    board.push(dice.choice(sorted(board.legal_moves, key=str)))
                else:
                    board.push(engine.play(board, dice.choice(limits), ponder=bool(number), game=number).move)
            assert board.is_checkmate() or board.ply() == 120
        found = engine.analyse(chess.Board(), engines.Limit(depth=3), multipv=3)
        assert [each["multipv"] for each in found] == [1, 2, 3]
        only = engine.play(chess.Board(), engines.Limit(depth=3), root_moves=[chess.Move.from_uci("a2a3")])
        assert only.move.uci() == "a2a3"
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 800, "Hash": 16})
        assert engine.play(chess.Board(), engines.Limit(time=1)).move
