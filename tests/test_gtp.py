"""GTP: scripted dialogues, nonsense, clocks, and a whole game against another program."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engines import installed
from zermelo.cli.main import app
from zermelo.games.go import Go
from zermelo.montecarlo.options import TreeOptions
from zermelo.position import Position
from zermelo.protocols.gtp import Server, handicap_points, serve
from zermelo.protocols.gtp_clock import GtpClock


def server(size: int = 5, **settings: object) -> Server:
    settings = {"simulations": 2, "world": "interpreted", **settings}
    return Server(Go(size), **settings)  # type: ignore[arg-type]


def ask(gtp: Server, line: str) -> str:
    return "".join(gtp.answer(line))


def said(gtp: Server, line: str) -> str:
    """The answer to a command that can be done."""
    answer = ask(gtp, line)
    assert answer.startswith("=")
    assert answer.endswith("\n\n")
    return answer[1:].strip()


def test_what_the_program_is() -> None:
    gtp = server()
    assert ask(gtp, "protocol_version") == "= 2\n\n"
    assert ask(gtp, "17 name # a comment") == "=17 Zermelo\n\n"
    assert said(gtp, "known_command genmove") == "true"
    assert said(gtp, "known_command fly") == "false"
    commands = said(gtp, "list_commands").split("\n")
    must = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert {*must.split(), "undo", "time_settings", "final_score", "lz-analyze", "kata-analyze"} <= set(commands)
    assert all(said(gtp, f"known_command {name}") == "true" for name in commands)


def test_comments_empty_lines_and_control_characters() -> None:
    gtp = server()
    assert ask(gtp, "") == ask(gtp, "   ") == ask(gtp, "# play b a1") == ask(gtp, "\x00\x07\n") == ""
    assert ask(gtp, "5\tname\r\n") == "=5 Zermelo\n\n"
    assert ask(gtp, "na\x08me") == "= Zermelo\n\n"
    assert ask(gtp, "7") == ""
    assert ask(gtp, "3 fly") == "?3 unknown command\n\n"


def test_stones_are_played_by_either_colour_and_taken_back() -> None:
    gtp = server(3)
    for line in ("play b b2", "play white A1", "play W c3", "play w pass", "play w c1"):
        said(gtp, line)
    assert str(gtp.position).startswith("..O/.X./O.O")
    assert ask(gtp, "play b b2").startswith("? illegal move: b2 is not legal here")
    assert ask(gtp, "play b q7").startswith("? illegal move")
    assert ask(gtp, "play b").startswith("? syntax error")
    assert ask(gtp, "play green a1").startswith("? syntax error")
    for board in ("..O/.X./O..", "..O/.X./O..", ".../.X./O..", ".../.X./...", ".../.../..."):
        said(gtp, "undo")
        assert str(gtp.position).startswith(board)
    assert ask(gtp, "undo") == "? cannot undo\n\n"


def test_superko_is_kept() -> None:
    gtp = server()
    for line in ("w b1", "w d1", "w c2", "b a2", "b b2", "w a1", "b c1"):
        said(gtp, f"play {line}")
    assert "B1" not in said(gtp, "printsgf")
    assert ask(gtp, "play w b1").startswith("? illegal move")


def test_board_size_and_komi() -> None:
    gtp = server()
    assert ask(gtp, "boardsize 25") == "? unacceptable size\n\n"
    assert ask(gtp, "boardsize x").startswith("? syntax error")
    said(gtp, "boardsize 3")
    said(gtp, "play b b2")
    said(gtp, "komi 2.5")
    assert said(gtp, "showboard").splitlines()[-1] == "White to move, komi 2.5"
    assert said(gtp, "final_score") == "B+6.5"
    said(gtp, "undo")
    said(gtp, "clear_board")
    assert said(gtp, "final_score") == "W+2.5"
    assert ask(gtp, "komi 99").startswith("? komi must be")


def test_moves_are_generated_and_played() -> None:
    gtp = server()
    move = said(gtp, "genmove b")
    assert gtp.game.format_action(None, gtp.position.history[0]) == move
    said(gtp, "reg_genmove w")
    assert len(gtp.position.history) == 1
    said(gtp, "genmove b")
    assert gtp.position.state.turn == 1
    assert len(gtp.position.history) == 3


def test_the_game_goes_on_after_two_passes() -> None:
    gtp = server()
    for line in ("play b c3", "play w pass", "play b pass", "play w pass", "play b d4", "genmove w"):
        said(gtp, line)
    for _ in range(6):
        said(gtp, "undo")
    assert ask(gtp, "undo").startswith("?")


def test_it_resigns_if_it_may_and_has_no_hope() -> None:
    gtp = server(resign=0.4, simulations=12)
    gtp.position = Position(gtp.game, gtp.game.parse_state(".X.XX/XXXXX/XXXXX/XX.XX/X.XXX O"))
    assert said(gtp, "genmove w") == "resign"
    assert gtp.position.history == ()


def test_analysis_tells_moves_until_another_command_comes() -> None:
    rounds = iter([False, True])
    gtp = server(waiting=lambda: next(rounds))
    answer = ask(gtp, "lz-analyze b interval 1")
    lines = answer.splitlines()
    assert lines[0] == "="
    assert len(lines) == 4
    words = lines[1].split()
    assert words[:2] == ["info", "move"]
    assert words[3] == "visits"
    assert 0 <= int(words[words.index("winrate") + 1]) <= 10_000
    assert gtp.position.history == ()
    gtp.waiting = lambda: True
    chance = ask(gtp, "kata-analyze 1").split()
    assert 0 <= float(chance[chance.index("winrate") + 1]) <= 1


def test_handicap() -> None:
    gtp = server(9)
    assert said(gtp, "fixed_handicap 4") == "C3 G7 C7 G3"
    assert gtp.position.state.turn == 1
    assert ask(gtp, "fixed_handicap 2") == "? board not empty\n\n"
    said(gtp, "clear_board")
    assert said(gtp, "set_free_handicap A1 B2 C3") == ""
    said(gtp, "clear_board")
    assert ask(gtp, "set_free_handicap A1 A1") == "? bad vertex list\n\n"
    assert ask(gtp, "fixed_handicap 30") == "? invalid number of stones\n\n"
    assert len(said(gtp, "place_free_handicap 30").split()) == 8
    assert len(handicap_points(19)) == 8
    assert handicap_points(5) == []


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[7]KM[1.5];B[aa];W[bb];B[cc])")
    gtp = server()
    assert said(gtp, f"loadsgf {path}") == "white"
    assert said(gtp, "printsgf") == "(;FF[4]GM[1]CA[UTF-8]SZ[7]KM[1.5];B[aa];W[bb];B[cc])"
    assert said(gtp, f"loadsgf {path} 2") == "white"
    assert len(gtp.position.history) == 1
    assert "can't be read" in ask(gtp, "loadsgf /nowhere/at/all.sgf")
    assert ask(gtp, "loadsgf").startswith("? syntax error")


def test_what_is_dead_is_told_and_not_counted() -> None:
    gtp = server()
    gtp.position = Position(gtp.game, gtp.game.parse_state(".X.XX/XXXXX/OOOOO/OO.OX/.O.O. X passes=2"))
    assert said(gtp, "final_status_list dead") == "E2"
    assert said(gtp, "final_score") == "W+5"
    assert "E1" in said(gtp, "final_status_list white_territory").split()
    assert "E2" not in said(gtp, "final_status_list alive").split()
    assert said(gtp, "final_status_list seki") == ""
    assert ask(gtp, "final_status_list happy").startswith("? syntax error")


def test_time() -> None:
    gtp = server()
    said(gtp, "time_settings 300 30 5")
    assert gtp.clocks[0].is_running
    assert 5 < gtp.clocks[0].share(gtp.position) < 40
    said(gtp, "time_left b 20 5")
    assert 3 < gtp.clocks[0].share(gtp.position) < 4
    said(gtp, "time_settings 0 10 0")
    assert not gtp.clocks[0].is_running
    said(gtp, "time_settings 0 0 0")
    assert not gtp.clocks[0].is_running
    assert ask(gtp, "time_settings 1").startswith("? syntax error")
    clock = GtpClock(10.0, 30.0, 5)
    clock.spend(11.0, 11.0)
    assert (clock.left, clock.stones_left) == (30.0, 5)
    for _ in range(5):
        clock.spend(1.0, 1.0)
    assert (clock.left, clock.stones_left) == (30.0, 5)
    said(gtp, "time_settings 1 0 0")
    said(gtp, "genmove b")
    left = gtp.clocks[0].left
    assert left < 1
    said(gtp, "reg_genmove b")
    assert gtp.clocks[0].left == left, "only what is played is on the clock"


@pytest.mark.parametrize("lag", [0.0, 0.05, 0.3])
def test_a_clock_makes_up_for_delays(lag: float) -> None:
    """Ninety moves on a 9×9 board, each later than asked for: main time alone, and periods."""
    luck, position, counted, timed = random.Random(1), Position(Go()), GtpClock(60.0), GtpClock(10.0, 20.0, 10)
    for _ in range(90):
        for clock in (counted, timed):
            share = clock.share(position)
            taken = share + lag * luck.random()
            assert taken < clock.left + (clock.period if clock.stones_left == 0 else 0)
            clock.spend(taken, share)
        for _ in range(2):
            if not position.is_terminal:
                position.push(
                    luck.choice([move for move in position.moves if move != position.game.pass_move] or position.moves)
                )


def test_nonsense_is_survived() -> None:
    luck = random.Random(3)
    gtp = server(2, simulations=1)
    words = (
        "play",
        "genmove",
        "b",
        "w",
        "a1",
        "b2",
        "pass",
        "undo",
        "komi",
        "1.5",
        "boardsize",
        "2",
        "3",
        "clear_board",
    )
    words += (
        "time_left",
        "time_settings",
        "1e9",
        "-5",
        "999999999999",
        "\x00",
        "é",
        "#",
        "lz-analyze",
        "printsgf",
        "²",
    )
    words += ("showboard", "final_score", "fixed_handicap", "set_free_handicap", "loadsgf", "\t", "final_status_list")
    for _ in range(250):
        line = " ".join(luck.choice(words) for _ in range(luck.randint(0, 4)))
        answer = ask(gtp, line)
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2])
    for _ in range(1000):
        ask(
            gtp,
            "".join(chr(luck.choice((luck.randrange(128), luck.randrange(0x2000)))) for _ in range(luck.randrange(30))),
        )
    assert not gtp.is_over
    assert ask(gtp, "quit") == "=\n\n"
    assert gtp.is_over


def test_lines_are_served_until_they_end_or_quit_comes() -> None:
    out = io.StringIO()
    serve(server(), ["name\n", "1 quit\n", "2 name\n"], out)
    assert out.getvalue() == "= Zermelo\n\n=1\n\n"
    out = io.StringIO()
    serve(server(), ["3 name\n"], out)
    assert out.getvalue() == "=3 Zermelo\n\n"


def test_the_program_speaks_it() -> None:
    told = CliRunner().invoke(app, ["gtp", "go:size=5"], input="1 protocol_version\n2 showboard\n3 quit\n")
    assert told.exit_code == 0
    assert told.stdout.startswith("=1 2\n\n=2 \n   A B C D E\n")
    assert told.stdout.endswith("=3\n\n")


@pytest.mark.parametrize(
    "words", [["nim"], ["go", "--seconds", "0"], ["go", "--resign", "2"], ["go", "--simulations", "0"]]
)
def test_what_it_is_not_for_is_refused(words: list[str]) -> None:
    told = CliRunner().invoke(app, ["gtp", *words])
    assert type(told.exception).__name__ == "BadInput"


def test_a_whole_game_against_gnugo() -> None:
    command = [
        installed("gnugo"),
        "--mode",
        "gtp",
        "--level",
        "1",
        "--chinese-rules",
        "--capture-all-dead",
        "--seed",
        "1",
    ]
    gtp = server(5, simulations=1, tree=TreeOptions(prior=0.0, rave=0.0))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:

        def tell(line: str) -> str:
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdin.write(line + "\n")
            other.stdin.flush()
            answer = other.stdout.readline()
            other.stdout.readline()
            assert answer.startswith("="), (line, answer)
            return answer[1:].strip()

        for line in ("boardsize 5", "clear_board", "komi 0"):
            tell(line)
            said(gtp, line)
        passes = moves = 0
        while passes < 2 and moves < 60:
            if moves % 2 == 0:
                move = said(gtp, "genmove b")
                tell(f"play b {move}")
            else:
                move = tell("genmove w")
                if move.lower() == "resign":
                    break
                said(gtp, f"play w {move}")
            passes = passes + 1 if move.lower() == "pass" else 0
            moves += 1
        assert passes == 2 or moves >= 10
        tell("quit")
