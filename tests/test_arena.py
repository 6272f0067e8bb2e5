"""Matches: players by name, openings, games that somebody loses by his own doing, records, and going on later."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from engines import fake_player as fake
from engines import installed, is_alive
from zermelo.arena.bout import play_out
from zermelo.arena.external import ExternalPlayer
from zermelo.arena.match import Table, play_match
from zermelo.arena.openings import Openings
from zermelo.arena.players import Choice, EnginePlayer, Player, at_level
from zermelo.arena.recipes import parse_player
from zermelo.arena.records import Record, RecordFile, Terms, pairs_of
from zermelo.cli.main import app
from zermelo.errors import BadInput, GameError, IllegalAction
from zermelo.game import Game
from zermelo.games.awari import Awari
from zermelo.games.chess import Chess
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.pig import Pig
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.native import compile as compiling
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.result import Limits
from zermelo.solver.exact import solve

QUICK = Limits(seconds=0.2)


def bench(*words: str, verb: str = "match") -> int:
    """Run `zermelo bench match` in this process; its exit code."""
    return app(["bench", verb, *words], standalone_mode=False) or 0


class Scripted(Player):
    """Plays what it is told, one after the other; a number besides is how it sees that."""

    name = "script"

    def __init__(self, game: Game, *moves: str | tuple[str, float]) -> None:
        self.game, self.moves = game, list(moves)

    def choose(self, position: Position) -> Choice:
        move = self.moves.pop(0)
        text, value = move if isinstance(move, tuple) else (move, None)
        return Choice(self.game.parse_action(position.state, text), value)


# Players by name.


@pytest.mark.parametrize(
    ("text", "kind", "body", "settings", "limits"),
    [
        ("zermelo", "engine", "", {}, Limits(seconds=1)),
        ("zermelo:algorithm=uct,seconds=2", "engine", "uct", {}, Limits(seconds=2)),
        ("uct:simulations=50,rave=300", "engine", "uct", {"rave": "300"}, Limits(nodes=50)),
        ("alphabeta:depth=4", "engine", "alphabeta", {}, Limits(depth=4)),
        ("zermelo: depth = 3 , killers=no", "engine", "", {"killers": "no"}, Limits(depth=3)),
        ("random", "policy", "random", {}, Limits(seconds=1)),
        ("mine.py:policy", "policy", "mine.py:policy", {}, Limits(seconds=1)),
        ("level:3", "level", "3", {}, Limits(seconds=1)),
        ("uci:stockfish", "uci", "stockfish", {}, Limits(seconds=1)),
        ("uci:/x/sf -a:Elo=9,Skill Level=3", "uci", "/x/sf -a", {"Elo": "9", "Skill Level": "3"}, Limits(seconds=1)),
        ("uci:sf:depth=5,nodes=9", "uci", "sf", {}, Limits(depth=5, nodes=9)),
        ("gtp:gnugo --mode gtp --level 10", "gtp", "gnugo --mode gtp --level 10", {}, Limits(seconds=1)),
        ("gtp:zermelo gtp 'go:size=9'", "gtp", "zermelo gtp 'go:size=9'", {}, Limits(seconds=1)),
        ("gtp:x \"go:size=9\":seconds=2,time=no", "gtp", 'x "go:size=9"', {"time": "no"}, Limits(seconds=2)),
    ],
)  # fmt: skip
def test_players_are_read(text: str, kind: str, body: str, settings: dict[str, str], limits: Limits) -> None:
    recipe = parse_player(text, Limits(seconds=1))
    assert (recipe.kind, recipe.body, dict(recipe.settings), recipe.limits) == (kind, body, settings, limits)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no player ''"),
        ("deep blue", "there is no player 'deep blue': give zermelo"),
        ("zermelo:depth", "a setting 'depth' without a value"),
        ("zermelo:depth=3,depth=4", "gives depth twice"),
        ("zermelo:depth=0", "depth must be a whole number from 1"),
        ("zermelo:nodes=1.5", "nodes must be a whole number"),
        ("zermelo:seconds=nan", "seconds must be a number above 0"),
        ("zermelo:resign=-1", "resign must be a number above 0"),
        ("zermelo:algorithm=guess", "there is no algorithm 'guess'"),
        ("uct:algorithm=flat", "names two algorithms"),
        ("zermelo:wings=2", "the engine has no switch 'wings'"),
        ("uct:killers=no", "Monte-Carlo search has no switch 'killers'"),
        ("alphabeta:depth=4,killers=no", "alphabeta has no switches: leave out 'killers=no'"),
        ("zermelo:world=outer", "world is auto, interpreted, native"),
        ("level:9", "a level is a number from 1"),
        ("uci:", "names no program: write uci:COMMAND, such as uci:stockfish"),
    ],
)
def test_what_names_no_player_is_told(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_player(text, QUICK).make(TicTacToe())


def test_players_refuse_games_they_can_not_play() -> None:
    with pytest.raises(BadInput, match="alpha-beta has no rule for chance"):
        parse_player("alphabeta:depth=2", QUICK).make(Pig(target=5))
    with pytest.raises(BadInput, match="games of two players, TicTacToe has 3"):
        parse_player(fake("uci", "good"), QUICK).make(TicTacToe(players=3))


def test_a_new_game_finds_the_engine_with_nothing_in_memory() -> None:
    game = TicTacToe()
    player = parse_player("zermelo:depth=4,world=interpreted", QUICK).make(game)
    assert isinstance(player, EnginePlayer)
    counts = []
    for _ in range(2):
        player.begin(Position(game), 1)
        counts.append(player.choose(Position(game)).nodes)
    assert counts[0] == counts[1] > 0


def test_levels_slip_by_the_seed_alone() -> None:
    game = TicTacToe()
    assert parse_player("level:1", QUICK).make(game).name == "level:1"
    player = EnginePlayer(game, replace(at_level(1, game), world="interpreted"), "beginner")

    def moves(seed: int) -> list[Any]:
        player.begin(Position(game), seed)
        return [player.choose(Position(game)).action for _ in range(6)]

    assert moves(3) == moves(3)
    assert len({tuple(moves(seed)) for seed in range(4)}) > 1


# Openings.


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Othello(), Pig(target=9)])
def test_random_openings_differ_go_on_and_are_the_same_by_the_seed(game: Game) -> None:
    found = [Openings(game, "3", 1)[number] for number in range(4)]
    again = Openings(game, "3", 1)
    assert [again[number].history for number in (3, 2, 1, 0)] == [position.history for position in reversed(found)]
    assert not any(position.is_terminal or position.is_chance for position in found)
    assert len({position.history for position in found}) == 4
    assert [position.history for position in found] != [Openings(game, "3", 2)[number].history for number in range(4)]


def test_openings_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# good ones\nb2 a1\n\nc3   # a corner\nX../.O./...\n", encoding="utf-8")
    openings = Openings(TicTacToe(), str(file), 0)
    assert openings.count == 3
    assert [len(openings[number].history) for number in range(4)] == [2, 1, 0, 2]
    assert str(openings[2]) == "X../.O./..."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no openings in"),
        ("b2\nb2 b2", r"line 2 is no opening; as moves: 'b2' is not legal .*; as a state: "),
        ("a1 a2 b1 b2 c1", "line 1: the game is over there"),
    ],
)
def test_what_is_no_opening_is_told(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=words):
        Openings(TicTacToe(), str(file), 0)


def test_the_openings_of_chess_that_come_along_are_twenty_in_which_nobody_is_lost() -> None:
    openings = Openings(Chess(), str(Path(__file__).parent.parent / "examples" / "openings" / "chess.txt"), 0)
    assert openings.count == len({str(openings[number]) for number in range(20)}) == 20
    assert all(abs(openings[number].game.evaluate(openings[number].state, 0)) < 2 for number in range(20))


def test_level_openings_are_those_that_a_search_finds_level_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--plies", "2", "--within", "0", "--count", "5", "--nodes", "100000")
    bench("tic-tac-toe", *words, verb="openings")
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("# zermelo ")
    found = [Position.from_text(TicTacToe(), moves=line.partition("#")[0].strip()) for line in lines]
    assert [len(position.history) for position in found] == [2] * 5
    assert [solve(position).value for position in found] == [0] * 5
    assert all(line.endswith("  # 0") for line in lines)
    assert len({TicTacToe().canonical_key(position.state) for position in found}) == 5
    bench("tic-tac-toe", *words, "--json", verb="openings")
    again = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert again == [{"moves": list(position.texts), "value": 0} for position in found]
    bench("tic-tac-toe", *words, "--seed", "1", verb="openings")
    assert capsys.readouterr().out.splitlines()[1:] != lines


def test_lines_of_an_answer_do_not_run_into_the_moving_sign() -> None:
    ours, theirs = pty.openpty()
    words = ["openings", "tic-tac-toe", "--plies", "2", "--within", "0", "--count", "3", "--nodes", "100000"]
    command = [sys.executable, "-m", "zermelo", "bench", *words]
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the other side is closed
        while more := os.read(ours, 4096):
            said += more
    os.close(ours)
    assert running.wait() == 0
    assert "searching …" in said.decode()
    assert len(re.findall(rb"\x1b\[2K\w\d \w\d  # 0\r\n", said)) == 3


def test_where_there_are_no_more_level_openings_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="100 times in a row the game was over after 1 random moves, known already, or"):
        bench("tic-tac-toe", "--plies", "1", "--within", "0", verb="openings")
    assert len(capsys.readouterr().out.splitlines()) == 1 + 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--within=-1",), "--within must be 0 or more, not -1"),
        (("--within=nan",), "--within must be 0 or more, not nan"),
        (("--within=0", "--count=0"), "--count is a number from 1 to 10,000"),
        (("--within=0", "--plies=201"), "--plies is a number from 1 to 200"),
        (("--within=0", "--nodes=0"), "--nodes is a number from 1"),
    ],
)
def test_level_openings_that_can_not_be_are_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        bench("tic-tac-toe", *words, verb="openings")


def test_openings_that_can_not_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"can't be read: No such file"):
        Openings(TicTacToe(), str(tmp_path / "none"), 0)
    with pytest.raises(BadInput, match="at most 200 random moves"):
        Openings(TicTacToe(), "201", 0)
    with pytest.raises(BadInput, match="Nim is over after 20 random moves"):
        _ = Openings(Nim(stones=5), "20", 0)[0]


# One game.


@pytest.mark.parametrize(
    ("mode", "ending", "words"),
    [
        ("illegal", "illegal", "answered 'b2', which is not legal in"),
        ("none", "illegal", r"answered '\(none\)'"),
        ("empty", "illegal", "answered ''"),
        ("die", "failure", "has ended with exit code 3: 'out of coffee'"),
        ("hang", "time", r"did not answer go within 0\.4 s"),
        ("garbage", "time", "did not answer go"),
        ("unready", "time", r"did not answer isready within 0\.3 s"),
        ("late", "time", r"took 0\.\d\d s for a move, and 0\.2 s are allowed|did not answer go"),
    ],
)
def test_an_external_program_that_fails_loses_the_game(mode: str, ending: str, words: str) -> None:
    game = TicTacToe()
    other = Scripted(game, "b2", "c3")
    player = parse_player(fake("uci", mode), QUICK, 0.2).make(game)
    try:
        course = play_out(Position(game), [other, player], margin=0.2)
    finally:
        player.close()
    assert (course.ending, course.loser, course.score) == (ending, 1, 1.0)
    assert re.search(words, course.reason), course.reason
    assert len(course.position.history) == 1


@pytest.mark.parametrize(
    ("mode", "ending"),
    [("illegal", "illegal"), ("empty", "illegal"), ("die", "failure"), ("refuse", "failure"), ("resign", "resigned")],
)
def test_a_gtp_program_that_fails_loses_the_game(mode: str, ending: str) -> None:
    game = TicTacToe()
    player = parse_player(fake("gtp", mode), QUICK, 0.2).make(game)
    try:
        course = play_out(Position(game), [player, Scripted(game)])
    finally:
        player.close()
    assert (course.ending, course.loser, course.score) == (ending, 0, 0.0)


def test_programs_of_both_kinds_play_each_other_and_are_started_anew() -> None:
    game = TicTacToe()
    players = [parse_player(fake(kind, "good"), Limits(seconds=5)).make(game) for kind in ("uci", "gtp")]
    try:
        for number in range(2):
            course = play_out(Position(game), players)
            assert (course.ending, course.score) == ("rules", 1.0)
            assert str(course.position) == "X../OXO/XOX"
            first = players[0]
            assert isinstance(first, ExternalPlayer)
            if number == 0:
                os.kill(first.client.program._process.pid, signal.SIGKILL)
                assert play_out(Position(game), players).ending == "failure"
    finally:
        for player in players:
            player.close()


def test_moves_of_chess_are_told_as_uci_writes_them() -> None:
    game = Chess()
    player = parse_player(fake("uci", "good"), QUICK).make(game)
    try:
        assert isinstance(player, ExternalPlayer)
        position = Position.from_text(game, moves="e4 e5 Nf3 Nc6 Bc4 Bc5")
        assert player.texts(position) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"]
        position.push(player.action_of(position, "e1g1"))
        assert game.format_action(position.states[-2], position.history[-1]) == "O-O"
        assert player.texts(position)[-2:] == ["f8c5", "e1g1"]
        position.pop()
        position.pop()
        assert player.texts(position) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
        ending = Position(game, game.parse_state("8/P6k/8/8/8/8/7p/K7 b - - 0 1"))
        assert player.texts(ending) == []
        assert game.format_action(ending.state, player.action_of(ending, "h2h1n")) == "h1=N"
        with pytest.raises(IllegalAction, match="Fake good answered 'h2h1', which is not legal in"):
            player.action_of(ending, "h2h1")
        course = play_out(position, [Scripted(game), player])
        assert (course.ending, course.loser) == ("illegal", 1)
    finally:
        player.close()


@pytest.mark.parametrize("command", ["stockfish:nodes=500", "gnuchess --uci:depth=1", "sunfish-uci:nodes=100"])
def test_real_chess_engines_play_whole_games(command: str) -> None:
    program = command.partition(":")[0]
    installed(program.split()[0])
    game = Chess()
    players = [parse_player(text, QUICK).make(game) for text in (f"uci:{command}", "random")]
    try:
        course = play_out(Position.from_text(game, moves="f3 e5 g4"), players[::-1], "7", longest=40)
        assert course.ending in ("rules", "length")
        course = play_out(Position.from_text(game, state="6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), players, "7")
        assert (course.ending, course.score) == ("rules", 1.0)
    finally:
        for player in players:
            player.close()


def test_a_gtp_program_follows_when_moves_are_taken_back() -> None:
    game = TicTacToe()
    player = parse_player(fake("gtp", "good"), Limits(seconds=5)).make(game)
    try:
        position = Position.from_text(game, moves="a1 a2 a3")
        player.begin(position, 0)
        assert game.format_action(position.state, player.choose(position).action) == "b1"
        position.pop()
        position.push_text("b1")
        assert game.format_action(position.state, player.choose(position).action) == "c1"
        with pytest.raises(BadInput, match="GTP knows moves alone"):
            player.begin(Position(game, game.parse_state("X../.O./...")), 0)
    finally:
        player.close()


def test_a_game_ends_by_its_rules_by_length_and_by_giving_up() -> None:
    game = TicTacToe()
    course = play_out(Position(game), [Scripted(game, "a1", "a2", "a3"), Scripted(game, "b1", "b2")])
    assert (course.ending, course.score, course.loser) == ("rules", 1.0, None)
    assert [len(times) for times in course.seconds] == [3, 2]
    course = play_out(Position(game), [Scripted(game, "a1", "a2"), Scripted(game, "b1", "b2")], longest=4)
    assert (course.ending, course.score) == ("length", 0.5)
    gloomy = Scripted(game, ("b1", -0.9), ("b2", -0.1), ("c1", -0.8), ("c2", -0.8))
    gloomy.resign = 0.8
    course = play_out(Position(game), [Scripted(game, "a1", "a2", "b3", "c3", "a3"), gloomy])
    assert course.ending == "rules"
    gloomy.moves = [("b1", -0.9), ("b2", -0.8), ("c1", -2)]
    course = play_out(Position(game), [Scripted(game, "a1", "a2", "b3", "c3"), gloomy])
    assert (course.ending, course.loser, len(course.position.history)) == ("resigned", 1, 5)


def test_a_player_that_is_late_loses_whatever_he_answers() -> None:
    class Slow(Scripted):
        seconds = 0.01

        def choose(self, position: Position) -> Choice:
            time.sleep(0.05)
            return super().choose(position)

    game = TicTacToe()
    course = play_out(Position(game), [Slow(game, "a1"), Scripted(game)], margin=0.01)
    assert (course.ending, course.loser) == ("time", 0)


def test_both_games_of_a_pair_have_the_same_dice() -> None:
    table = Table(Terms("pig:target=12", "random", "random", openings="0", seed=4))
    games = [table.play(number) for number in range(6)]
    rolls = []
    for record in games:
        assert record.replay(table.game).is_terminal
        rolls.append(record.moves[1])
    assert rolls[0::2] == rolls[1::2]
    assert len(set(rolls)) > 1


# Matches and their records.


def terms(second: str = "random", **rest: Any) -> Terms:
    return Terms("tic-tac-toe", "greedy", second, openings="2", **rest)


def test_each_opening_is_played_with_both_colours_and_games_can_be_replayed() -> None:
    table = Table(terms())
    records = list(play_match(table, range(6)))
    assert [record.game for record in records] == list(range(6))
    assert [record.seat for record in records] == [0, 1] * 3
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first.moves[:2] == second.moves[:2]
        assert first.players == second.players[::-1] == ("greedy", "random")
    for record in records:
        position = record.replay(load("tic-tac-toe"))
        assert position.is_terminal
        assert len(position.history) - record.opening == sum(map(len, record.seconds))
        won = position.utilities[record.seat]
        assert record.score == (won + 1) / 2
    assert Record.read(json.loads(json.dumps(asdict(records[0])))) == records[0]
    assert pairs_of(records) == [[a.score, b.score] for a, b in zip(records[::2], records[1::2], strict=True)]


def _played(records: list[Record]) -> dict[int, tuple[Any, ...]]:
    return {record.game: (record.moves, record.score, record.players) for record in records}


def test_processes_play_the_same_games_and_leave_nothing_behind() -> None:
    table = Table(terms(fake("uci", "good"), seconds=5))
    alone = list(play_match(table, range(4)))
    together = list(play_match(table, range(4), concurrency=2))
    assert _played(together) == _played(alone)
    assert all(record.ending == "rules" for record in alone)


def test_an_error_in_a_process_is_told(tmp_path: Path) -> None:
    file = tmp_path / "policy.py"
    file.write_text("def policy(game, state, action):\n    return -1\n", encoding="utf-8")
    table = Table(terms(f"{file}:policy"))
    with pytest.raises(GameError, match="the policy policy gives -1 for"):
        list(play_match(table, range(4), concurrency=2))


def test_a_match_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    words = (
        "tic-tac-toe",
        "--first",
        "greedy",
        "--second",
        "random",
        "--openings",
        "2",
        "--json",
        "--record",
        str(file),
    )
    assert bench(*words, "--games", "4") == 0
    first = json.loads(capsys.readouterr().out)
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    file.write_bytes(b"".join(lines[:4]) + lines[4][:30])
    assert bench(*words, "--games", "4", "--resume") == 0
    again = json.loads(capsys.readouterr().out)
    assert {name: first[name] for name in ("wins", "draws", "losses", "elo")} == {
        name: again[name] for name in ("wins", "draws", "losses", "elo")
    }
    bench(*words, "--games", "7", "--resume")
    assert json.loads(capsys.readouterr().out)["games"] == 7
    assert len(file.read_bytes().splitlines()) == 8
    with pytest.raises(BadInput, match="is there already: give --resume"):
        bench(*words, "--games", "4")
    with pytest.raises(BadInput, match="holds a match with seed 0, not 1: give it the same"):
        bench(*words, "--seed", "1", "--resume")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\n", "line 1 holds no game of a match"),
        ('{"a": 1}\n', "holds no match: give another file"),
        ("[]\n", "holds no match"),
        ("HEAD{}\n", "line 2 holds no game"),
        ("HEAD[1]\n", "line 2 holds no game"),
        ('HEAD{"game": "x"}\n', "line 2 holds no game"),
    ],
)
def test_a_file_of_something_else_is_told(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "games.jsonl"
    RecordFile(str(file), terms(), resume=False).close()
    file.write_text(text.replace("HEAD", file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(BadInput, match=words):
        RecordFile(str(file), terms(), resume=True)


# The command.


def test_the_command_tells_who_lost_how(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tic-tac-toe", "--first", "random", "--second", fake("uci", "die"), "--games", "3", "--openings", "0")
    assert bench(*words) == 0
    said = capsys.readouterr().out
    assert "wins 3, draws 0, losses 0: score 100.0%" in said
    assert "Elo +∞ (95 %: " in said
    assert "games ended: 3 by a failure" in said
    assert "second: Fake die, 3 moves, mean " in said
    assert "; lost 3 by a failure" in said
    assert "game 1: the second player lost by a failure: Fake die has ended with exit code 3: 'out of coffee'" in said


def test_who_gives_up_is_counted_and_has_done_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tic-tac-toe", "--first", "random", "--second", fake("gtp", "resign"), "--games", "3", "--openings", "0")
    assert bench(*words) == 0
    said = capsys.readouterr().out
    assert "games ended: 3 by resignation" in said
    assert "; lost 3 by resignation" in said
    assert "game 1" not in said


def test_the_command_stops_when_the_test_has_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("nim:stones=8", "--first", "greedy", "--second", "random", "--openings", "1", "--sprt=-400,0", "--json")
    bench(*words, "--games", "400")
    found = json.loads(capsys.readouterr().out)
    assert found["sprt"]["decision"] in ("elo0", "elo1")
    assert abs(found["sprt"]["ratio"]) >= found["sprt"]["bound"]
    assert found["games"] < 400


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "0"), "--games is a number from 1"),
        (("--concurrency", "0"), "--concurrency is a number from 1"),
        (("--longest", "0"), "--longest is a number from 1"),
        (("--seconds", "0"), "--seconds must be more than 0"),
        (("--margin", "-1"), "--margin must be 0 seconds or more"),
        (("--sprt", "5,5"), "--sprt is two differences in Elo"),
        (("--sprt", "x"), "--sprt is two differences in Elo"),
        (("--resume",), "name it by --record"),
        (("--record", "/no/such/folder/x"), "games can't be kept in"),
        (("--second", "uci:no-such-program"), "there is no program 'no-such-program'"),
        (("--second", "nobody"), "there is no player 'nobody'"),
        (("--openings", "no-such-file"), "can't be read"),
    ],
)
def test_bad_input_is_told_in_one_sentence(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        bench("tic-tac-toe", "--first", "random", "--second", "random", *words)


def test_games_without_two_sides_are_refused() -> None:
    with pytest.raises(BadInput, match="a match needs a game of two players and a constant sum, and TicTacToe is none"):
        bench("tic-tac-toe:players=3")
    with pytest.raises(BadInput, match="a match needs a game of two players and a constant sum, and TicTacToe is none"):
        bench("tic-tac-toe:players=3", "--within", "1", verb="openings")


def test_ctrl_c_keeps_what_is_finished_and_ends_all_programs(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    slow = fake("uci", "good") + ":Hash=2"
    words = ["tic-tac-toe", "--first", "random", "--second", slow, "--games", "100000", "--concurrency", "2"]
    command = [sys.executable, "-m", "zermelo", "bench", "match", *words, "--record", str(file)]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (file.exists() and file.read_bytes().count(b"\n") > 3):
        time.sleep(0.05)
    children = _family(running.pid)
    assert len(children) >= 4
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "random against uci:" in out
    assert "Traceback" not in err
    assert re.search(r"zermelo: \d+ of 100000 games are done: zermelo bench match .* --resume goes on", err)
    assert file.read_bytes().count(b"\n") > 3
    deadline = time.monotonic() + 5
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, children))


def _family(pid: int) -> list[int]:
    """All processes that a process has started, and those that these have."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, new = [], [pid]
    while new:
        new = [child for child, parent in parents.items() if parent in new]
        found += new
    return found


@pytest.mark.native
def test_nothing_is_compiled_once_a_game_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Awari()
    player = parse_player("zermelo:seconds=5", QUICK).make(game)
    player.begin(Position(game), 1)
    late: list[Any] = []
    usual = compiling._compile
    monkeypatch.setattr(compiling, "_compile", lambda *args: (late.append(args[1]), usual(*args))[1])
    few = Position(game, game.parse_state("0-0-1-0-2-1/0-1-0-1-1-0 20:21 South"))
    assert game.is_closing(few.state)
    assert player.choose(few).action is not None
    assert late == []


@pytest.mark.native
def test_the_engine_plays_natively_and_wins() -> None:
    table = Table(Terms("tic-tac-toe", "zermelo:depth=9", "random", openings="1"))
    records = list(play_match(table, range(4)))
    assert sum(record.score for record in records) >= 3


# Play.


def play(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    """Run `zermelo play` in this process, with what a person types; its exit code."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return app(["play", "tic-tac-toe", *words], standalone_mode=False) or 0


def test_people_play_against_external_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, "b2\nc3\na2\n", "--opponent", fake("uci", "good")) == 0
    said = capsys.readouterr().out
    assert "X: you, O: computer · Fake good" in said
    assert "O plays a1 · " in said
    assert "Game over: O wins" in said


def test_a_program_that_fails_ends_the_sitting_with_a_sentence_and_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, "b2\n", "--opponent", fake("uci", "die"), "--seconds", "1") == 2
    said = capsys.readouterr()
    assert said.err == "zermelo: Fake die has ended with exit code 3: 'out of coffee'\n"
    assert '--seconds 1 --moves "b2"' in said.out
    assert play(monkeypatch, "b2\n", "--opponent", fake("gtp", "resign")) == 0
    assert "Fake resign gives up." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ponder", "all"), "--ponder is for the computer's own play"),
        (("--against", "random"), "--against is for the computer's own play"),
        (("--players", "human,human"), "nobody is the computer here"),
        (("--seconds", "0"), "--seconds must be more than 0"),
    ],
)
def test_options_that_an_opponent_has_no_use_for_are_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        app(["play", "tic-tac-toe", "--opponent", "random", *words], standalone_mode=False)
