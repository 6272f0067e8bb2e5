"""External programs from outside: real ones where they are installed, and small ones that misbehave on purpose."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from engines import ENGINES, fake, installed, is_alive
from zermelo.errors import BadInput, OutOfTime, ProgramFailed
from zermelo.protocols import process
from zermelo.protocols.gtp_client import GtpClient, Refused
from zermelo.protocols.process import Program, split_command
from zermelo.protocols.uci_client import UciAnswer, UciClient, UciOption, parse_info, parse_option


def soon(program: Program, seconds: float = 5.0) -> str:
    return program.receive(time.monotonic() + seconds, "said nothing")


# The process.


def test_what_is_sent_comes_back_line_by_line() -> None:
    with Program("cat") as program:
        program.send("one")
        program.send("")
        program.send("zwei·")
        assert [soon(program) for _ in range(3)] == ["one", "", "zwei·"]
        assert program.wait(time.monotonic()) is None


def test_a_closed_program_is_gone_with_all_it_has_started_and_says_so() -> None:
    client = UciClient(fake("uci", "stubborn"))
    program = client.program
    program.send("uci")
    pid = program._process.pid
    children = [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and _group(int(entry.name)) == pid and int(entry.name) != pid
    ]
    assert len(children) == 1
    assert is_alive(children[0])
    client.close()
    assert not is_alive(pid)
    deadline = time.monotonic() + 5
    while is_alive(children[0]) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(children[0])
    client.close()
    with pytest.raises(ProgramFailed, match="has been closed"):
        program.send("uci")


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def test_a_program_that_ends_is_told_with_its_last_complaint() -> None:
    with Program([sys.executable, "-c", "import sys; sys.exit('first\\nno memory left')"], "Deep Sleep") as program:
        with pytest.raises(ProgramFailed, match="Deep Sleep has ended with exit code 1: 'no memory left'"):
            soon(program)
        with pytest.raises(ProgramFailed, match="no memory left"):
            program.send("anything")


def test_a_last_line_without_an_end_is_heard() -> None:
    with Program([sys.executable, "-c", "print('almost', end='')"]) as program:
        assert soon(program) == "almost"


def test_a_program_that_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SENDING", 0.1)
    with Program("sleep 600") as program, pytest.raises(OutOfTime, match="sleep has not read what it was told"):
        program.send("x" * 1_000_000)


def test_two_lines_in_one_are_refused() -> None:
    with Program("cat") as program, pytest.raises(BadInput, match="more than one line"):
        program.send("setoption name Hash value 1\nquit")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program --now", "there is no program 'no-such-program': install it, or give its path"),
        ("", "a command is needed"),
        ("'half", "no closing quotation"),
        (str(ENGINES), "there is no program"),
    ],
)
def test_what_is_no_program_is_told(command: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Program(command)


def test_a_command_is_split_like_a_shell_does() -> None:
    assert split_command("a 'b c' \"d:e\"") == ["a", "b c", "d:e"]


# UCI.


def test_a_good_engine_is_greeted_set_and_asked() -> None:
    with UciClient(fake("uci", "slow"), {"hash": "32", "Style": "risky", "ponder": "yes", "clear hash": ""}) as client:
        assert client.name == "Fake slow"
        assert client.author == "nobody"
        assert client.options["style"].choices == ("Solid", "Fail High", "Risky")
        assert client.options["style"].default == "Fail High"
        client.new_game()
        client.set_position("", ["a1", "b1"])
        answer = client.go({"movetime": 10}, 5.0)
        assert (answer.move, answer.ponder, answer.score, answer.depth) == ("c1", "c3", 0.35, 8)
        assert (answer.nodes, answer.line) == (2345, ("c1", "a2"))
        with pytest.raises(BadInput, match="go takes movetime"):
            client.go({"forever": 1}, 5.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hash": "0"}, "Hash is a whole number from 1 to 64, not '0'"),
        ({"hash": "big"}, "Hash is a whole number"),
        ({"Style": "wild"}, "Style is Solid, Fail High, Risky, not 'wild'"),
        ({"Ponder": "maybe"}, "Ponder is true or false"),
        ({"Clear Hash": "now"}, "Clear Hash is a button"),
        ({"Hsh": "1"}, "Fake good has no option 'Hsh': did you mean Hash?"),
        ({"Contempt": "1"}, "it has Hash, Skill Level"),
    ],
)
def test_options_are_checked(options: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        UciClient(fake("uci", "good"), options)


def test_an_engine_that_does_not_greet_is_given_up() -> None:
    with pytest.raises(OutOfTime, match=r"did not answer uci within 0\.2 s$"):
        UciClient(fake("uci", "mute"), patience=0.2)
    with pytest.raises(OutOfTime, match="the last it said was 'uci'"):
        UciClient("cat", patience=0.1)


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("die", ProgramFailed, "Fake die has ended with exit code 3: 'out of coffee'"),
        ("killed", ProgramFailed, "Fake killed was ended by signal 9"),
        ("hang", OutOfTime, r"Fake hang did not answer go within 0\.3 s; the last it said was 'readyok'"),
        ("garbage", OutOfTime, "Fake garbage did not answer go"),
        ("flood", ProgramFailed, "Fake flood (did not answer go|said more than anybody can read)"),
        ("line", ProgramFailed, "Fake line said a line of more than 65,536 characters, and was ended"),
    ],
)
def test_an_engine_that_fails_is_told_in_one_sentence_and_is_gone(
    mode: str, kind: type[ProgramFailed], words: str
) -> None:
    with UciClient(fake("uci", mode)) as client:
        client.set_position("", [])
        with pytest.raises(kind, match=words):
            client.go({"movetime": 10}, 0.2, 0.1)
        assert not is_alive(client.program._process.pid)
        with pytest.raises(kind, match=words):
            client.sync()


def test_unread_words_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_UNREAD", 100_000)
    with Program("yes") as program:
        program._reader.join(10)
        with pytest.raises(ProgramFailed, match="yes said more than anybody can read, and was ended"):
            soon(program)


def test_an_engine_that_thinks_too_long_is_stopped_before_it_is_ended() -> None:
    with UciClient(fake("uci", "stops")) as client:
        client.set_position("", [])
        answer = client.go({"depth": 99}, 0.1, 5.0)
        assert answer.move == "a1"
        assert answer.seconds >= 0.1


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("name Threads type spin default 1 min 1 max 512", UciOption("Threads", "spin", "1", 1, 512)),
        ("name Book File type string default a b.bin", UciOption("Book File", "string", "a b.bin")),
        ("name Log type string default", UciOption("Log", "string", "")),
        ("name Go type button", UciOption("Go", "button")),
        ("name Mode type combo var A b var C", UciOption("Mode", "combo", choices=("A b", "C"))),
        ("name X type spin default z min y max 3", UciOption("X", "spin", "z", None, 3)),
        ("name X type mystery", None),
        ("name", None),
    ],
)
def test_options_are_read(text: str, option: UciOption | None) -> None:
    assert parse_option(text) == option


def test_what_an_engine_says_on_its_way_is_read() -> None:
    known = parse_info("info depth 5 score mate 3 nodes 10 pv e2e4 e7e5", UciAnswer())
    assert (known.depth, known.mate, known.score, known.nodes) == (5, 3, 997.0, 10)
    assert known.line == ("e2e4", "e7e5")
    assert parse_info("info score mate -2", known).score == -998.0
    assert parse_info("info score cp -12 lowerbound", known).score == -0.12
    for nonsense in ("info", "info score", "info score cp", "info depth depth", "info nodes 1e9", "info string pv a"):
        assert parse_info(nonsense, known) == known


# GTP.


def test_a_good_program_plays_and_counts() -> None:
    with GtpClient(fake("gtp", "good")) as client:
        assert client.name == "Fake good"
        assert client.knows("undo")
        assert not client.knows("analyze")
        client.begin(9, 7.5)
        client.set_time(2)
        client.play(0, "a1")
        assert client.genmove(1, 5.0) == "b1"
        client.undo()
        assert client.final_score() == "B+1"
        with pytest.raises(Refused, match="Fake good refused 'play b a1': illegal move"):
            client.play(0, "a1")
        client.play(0, "c3")


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("hang", OutOfTime, r"Fake hang did not answer genmove within 0\.2 s"),
        ("die", ProgramFailed, "Fake die has ended with exit code 1"),
        ("garbage", OutOfTime, "the last it said was 'what"),
        ("refuse", Refused, "refused 'genmove b': I would rather not"),
    ],
)
def test_a_program_that_fails_is_told(mode: str, kind: type[ProgramFailed], words: str) -> None:
    with GtpClient(fake("gtp", mode)) as client, pytest.raises(kind, match=words):
        client.genmove(0, 0.2)


def test_a_program_of_another_kind_is_told() -> None:
    with pytest.raises(BadInput, match="refused 'name': unknown command: it seems not to speak GTP"):
        GtpClient(fake("gtp", "mute"))
    with pytest.raises(OutOfTime, match="did not answer name"):
        GtpClient(fake("uci", "good"), patience=0.2)


# Programs that nobody here wrote.


@pytest.mark.parametrize("command", ["stockfish", "gnuchess --uci", "sunfish-uci"])
def test_real_chess_engines_answer(command: str) -> None:
    installed(command.split()[0])
    with UciClient(command) as client:
        client.new_game()
        client.set_position("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", [])
        answer = client.go({"depth": 3}, 20.0, 5.0)
        assert answer.move == "a1a8"
        client.set_position("", ["e2e4", "e7e5"])
        answer = client.go({"movetime": 50}, 20.0, 5.0)
        assert len(answer.move) == 4
        assert answer.score is not None


def test_the_real_gnu_go_answers() -> None:
    installed("gnugo")
    with GtpClient("gnugo --mode gtp --level 1") as client:
        client.begin(5, 0.5)
        client.set_time(1)
        client.play(0, "c3")
        assert client.genmove(1, 20.0)
        assert client.final_score().startswith("B+")
        with pytest.raises(Refused, match="GNU Go refused 'play b c3': illegal move"):
            client.play(0, "c3")
