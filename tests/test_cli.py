"""The program as its users meet it: real commands in real processes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from zermelo.bench.positions import lines
from zermelo.cli import common

GOOD = """\
from typing import NamedTuple
from zermelo import Game

class State(NamedTuple):
    stones: int
    turn: int

class MyGame(Game):
    def __init__(self, stones: int = 21):
        self.stones = stones
    def initial(self):
        return State(self.stones, 0)
    def to_move(self, state):
        return state.turn
    def actions(self, state):
        for n in (1, 2, 3):
            if n <= state.stones:
                yield n
    def result(self, state, action):
        return State(state.stones - action, 1 - state.turn)
    def is_terminal(self, state):
        return state.stones == 0
    def utility(self, state, player):
        return 1 if state.turn != player else -1
"""


def zermelo(*words: str, text: str | None = None, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *words],
        input=text, capture_output=True, text=True, check=False, timeout=120, cwd=folder,
    )  # fmt: skip


def answer(*words: str, folder: Path | None = None) -> Any:
    done = zermelo(*words, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a failed command: exit code 2, no traceback, nothing else."""
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("compiling ")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("zermelo: ")
    return lines[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mygame.py").write_text(GOOD)
    return tmp_path


def test_best_of_nim_takes_one() -> None:
    found = answer("best", "nim:stones=21,most=3")
    assert (found["action"], found["value"], found["kind"]) == ("1", 1, "exact")
    assert {"action", "value", "kind", "line", "depth", "nodes", "seconds"} <= set(found)


def test_best_of_pig_says_how_precise_it_is() -> None:
    found = answer("best", "pig:target=10", "--world", "interpreted")
    assert (found["action"], found["kind"], found["algorithm"]) == ("roll", "exact", "value-iteration")
    assert round(found["value"], 4) == 0.7094
    assert 0 < found["precision"] < 1e-9
    assert found["sweeps"] > 1


def test_best_of_tic_tac_toe_is_an_exact_draw() -> None:
    found = answer("best", "tic-tac-toe")
    assert (found["value"], found["kind"]) == (0, "exact")


def test_long_lines_are_cut_for_people_and_whole_in_json() -> None:
    for words in (("best", "nim:stones=50,most=1", "--depth", "50"), ("solve", "nim:stones=50,most=1")):
        place = -2 if words[0] == "best" else 1
        shown, moves = zermelo(*words).stdout.splitlines()[place], answer(*words)["line"]
        assert shown.endswith(f" {' '.join(moves[:40])} … ({len(moves) - 40} more)")


def test_solve_takes_a_world() -> None:
    assert answer("solve", "nim:stones=9", "--world", "interpreted")["world"] == "interpreted"
    assert "there is no world 'mars'" in sentence(zermelo("solve", "nim", "--world", "mars"))


@pytest.mark.native
def test_perft_prints_the_count_alone() -> None:
    done = zermelo("perft", "connect-four", "7")
    assert (done.stdout, done.returncode) == ("823536\n", 0)


def test_perft_divided_adds_up() -> None:
    found = answer("perft", "connect-four", "4", "--divide")
    assert found["leaves"] == sum(found["divide"].values()) == 2401
    assert list(found["divide"]) == list("1234567")


def test_moves_and_states_lead_to_the_same_position() -> None:
    by_moves = answer("best", "connect-four", "--moves", "112233", "--depth", "3")
    state = by_moves["state"]
    by_state = answer("best", "connect-four", "--state", state, "--depth", "3")
    assert by_moves["action"] == by_state["action"] == "4"
    assert by_state["value"] == 1


def test_lines_are_best_first() -> None:
    found = answer("best", "nim:stones=6", "--lines", "3")
    assert [line["value"] for line in found["lines"]] == [1, -1, -1]
    assert found["lines"][0]["action"] == "2"


def test_everybody_is_told_where_there_are_more_than_two() -> None:
    found = answer("best", "nim:stones=7,players=3")
    assert (found["algorithm"], found["value"], found["values"]) == ("maxn", 2, [2, -1, -1])
    text = zermelo("best", "nim:stones=7,players=3").stdout.splitlines()
    assert text[0] == "2  (player 1: value 2 (exact))"
    assert text[2] == "each     player 1: 2, player 2: -1, player 3: -1"
    text = zermelo("best", "nim:stones=7,players=3", "--lines", "2").stdout.splitlines()
    assert text[1].startswith("1        player 1: -1, player 2: 2, player 3: -1 (exact)")
    held = zermelo("best", "nim:stones=7,players=3", "--algorithm", "paranoid").stdout
    assert held.startswith("1  (player 1: value at least -1)")


def test_against_a_policy(folder: Path) -> None:
    found = answer("best", "tic-tac-toe", "--moves", "b2 a1 c1 a3", "--against", "random")
    assert (found["against"], found["algorithm"], found["kind"]) == ("random", "star2", "exact")
    (folder / "mine.py").write_text("def first(game, state, action):\n    return action == 1\n")
    done = zermelo("best", "nim:stones=6", "--against", "mine.py:first", folder=folder)
    assert done.stdout.startswith("2  (player 1: value 1 (exact) on average against first play)")
    for words, complaint in (
        (("nim", "--against", "best"), "there is no policy 'best': use random, greedy, or FILE.py:function"),
        (("nim", "--against", "gone.py:first"), "there is no file 'gone.py'"),
        (("nim", "--against", "random", "--opponent", "0.1"), "only parts equal actions: give one of them"),
    ):
        assert complaint in sentence(zermelo("best", *words, folder=folder))


def test_solve_gives_every_action() -> None:
    found = answer("solve", "nim:stones=7")
    assert found["actions"] == {"3": 1, "1": -1, "2": -1}


def test_solve_reads_positions_and_compares(tmp_path: Path) -> None:
    endings = lines("connect_four/end_easy.txt")[:6]
    (tmp_path / "some.txt").write_text("# six positions\n" + "\n".join(endings) + "\n")
    done = zermelo("solve", "connect-four:margin=1", "--positions", str(tmp_path / "some.txt"), "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [row["value"] for row in found] == [int(line.split()[1]) for line in endings]
    assert all(row["agrees"] for row in found)
    (tmp_path / "wrong.txt").write_text(endings[0].split()[0] + " 17\n")
    done = zermelo("solve", "connect-four:margin=1", "--positions", str(tmp_path / "wrong.txt"))
    assert done.returncode == 1
    assert "1 answer differs" in done.stderr


def test_known_values_are_compared_to_their_digits(tmp_path: Path) -> None:
    right = "0.6667", "2/3", "0.7", "+4/6", ".66666666667"
    wrong = "0.6668", "0.66671", "1", "1.0", "1e0", "33/50"
    start = "x=0 o=0 turn=0 thrown=False"
    (tmp_path / "race.txt").write_text("".join(f"{start}; {known}\n" for known in right + wrong))
    done = zermelo("solve", "dice-race", "--positions", "race.txt", folder=tmp_path)
    *rows, _ = done.stdout.splitlines()
    assert [row.partition("  expected ")[2] for row in rows] == [*("" for _ in right), *wrong]
    assert (done.returncode, done.stderr) == (1, "zermelo: 6 answers differ from what race.txt says\n")
    for known in ("1/0", "inf", "two"):
        (tmp_path / "race.txt").write_text(f"{start}; {known}\n")
        done = zermelo("solve", "dice-race", "--positions", "race.txt", folder=tmp_path)
        assert f"race.txt line 1: {known!r} is neither a value nor values of actions" in sentence(done)


def test_a_game_in_a_file(folder: Path) -> None:
    assert answer("best", "mygame.py", folder=folder)["action"] == "1"
    assert answer("best", "mygame.py:MyGame:stones=22", folder=folder)["action"] == "2"
    assert answer("check", "mygame.py", "--plies", "500", folder=folder)["passed"]


@pytest.mark.native
def test_an_edited_rule_changes_the_next_answer(folder: Path) -> None:
    words = ("best", "mygame.py", "--world", "native", "--algorithm", "alphabeta")
    found = answer(*words, folder=folder)
    assert (found["action"], found["value"]) == ("1", 1)
    (folder / "mygame.py").write_text(GOOD.replace("(1, 2, 3)", "(1, 2)"))
    assert answer(*words, folder=folder)["value"] == -1
    (folder / "mygame.py").write_text(GOOD.replace("turn != player", "turn == player"))
    assert answer(*words, folder=folder)["value"] == -1
    (folder / "mygame.py").write_text(GOOD)
    assert answer(*words, folder=folder)["value"] == 1


def test_new_writes_a_game_that_passes(tmp_path: Path) -> None:
    assert zermelo("new", "my-race", folder=tmp_path).returncode == 0
    assert answer("check", "my_race.py", "--plies", "500", folder=tmp_path)["passed"]
    done = subprocess.run(
        [sys.executable, "test_my_race.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "already" in sentence(zermelo("new", "my-race", folder=tmp_path))


def test_play_through_a_pipe() -> None:
    done = zermelo("play", "nim:stones=4", "--terminal", "--level", "5", text="moves\nhint\n1\n")
    assert done.returncode == 0, done.stderr
    assert "zermelo play nim:stones=4" in done.stdout or "wins" in done.stdout
    assert "\x1b[" not in done.stdout


def test_two_computers_play_to_the_end() -> None:
    done = zermelo("play", "tic-tac-toe", "--players", "computer,computer", "--level", "8", text="")
    assert done.returncode == 0, done.stderr
    assert "draw" in done.stdout


def test_games_are_listed() -> None:
    found = {game["name"]: game for game in json.loads(zermelo("games", "--json").stdout)}
    assert {"nim", "heaps", "tic-tac-toe", "connect-four", "tree", "random-tree", "p-game"} <= set(found)
    assert found["nim"]["players"] == 2
    assert "connect-four" in zermelo("games").stdout


def test_an_evaluation_shows_what_adds_to_it() -> None:
    """Stages of one thing are one row, and what adds nothing is counted; JSON has all."""
    state = "8/5pk1/4p1p1/3pP2p/r2P3P/4KPP1/1R6/8 w - - 0 40"
    rows = zermelo("evaluate", "chess", "--state", state).stdout.splitlines()
    found = answer("evaluate", "chess", "--state", state)
    given = [float(row.split()[-1]) for row in rows[1:-2]]
    names = {feature["name"].partition(",")[0] for feature in found["features"]}
    assert found["value"] == pytest.approx(sum(feature["share"] for feature in found["features"]))
    assert found["value"] == pytest.approx(sum(given), abs=0.001 * len(given))
    assert all(given)
    assert given == sorted(given, key=lambda share: -abs(share))
    assert rows[-2] == f"({len(names) - len(given)} more add nothing)"
    assert max(map(len, rows)) <= 80
    assert zermelo("evaluate", "othello").stdout == "(no feature adds anything)\nX: 0\n"


VERBS = (
    *("best", "solve", "evaluate", "perft", "playouts", "matrix", "check", "new", "play", "games"),
    *("uci", "gtp", "tune"),
    *("bench-signature", "bench-ordering", "bench-chance", "bench-threads", "bench-compile", "bench-speed"),
    *("bench-playouts", "bench-peers", "bench-match", "bench-epd", "bench-counts", "bench-facts"),
    *("book-build", "book-add", "book-show", "book-info"),
    "lab-pacman",
)


@pytest.mark.parametrize("verb", [[], *(verb.split("-") for verb in VERBS)])
def test_help_has_examples(verb: list[str]) -> None:
    done = zermelo(*verb, "--help")
    assert done.returncode == 0
    if verb:
        assert "Example" in done.stdout
        assert re.search(rf"^ {{3}}.*zermelo {' '.join(verb)}", done.stdout, re.MULTILINE), "set off from the text"


def test_a_sign_within_another_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), force_terminal=True)
    monkeypatch.setattr(common, "errors_console", lambda: console)
    with common.progress("thinking") as outer:
        with common.progress("compiling") as inner:
            assert (inner is outer, outer.status) == (True, "compiling")
        assert outer.status == "thinking"
    with common.progress("solving") as later:
        assert later.status == "solving"


BAD = {
    ("best", "conect-four"): "did you mean connect-four",
    ("best", "nim:stone=3"): "has no parameter 'stone'",
    ("best", "nim:stones=many"): "needs a whole number for stones",
    ("best", "nim:stones=-3"): "Nim needs",
    ("best", "nim", "--moves", "9"): "'9' is not legal",
    ("best", "connect-four", "--moves", "11111111"): "is not legal",
    ("best", "nim", "--state", "rubbish"): "is no field of the state",
    ("best", "tic-tac-toe", "--state", "XXX/XXX/..."): "X starts",
    ("best", "nim", "--depth", "0"): "depth must be more than 0",
    ("best", "nim", "--algorithm", "magic"): "there is no algorithm 'magic'",
    ("best", "nim", "--world", "mars"): "there is no world 'mars'",
    ("solve", "nim", "--positions", "nowhere.txt"): "can't be read",
    ("best", "nowhere.py"): "no file",
    ("best", "syntax.py"): "syntax.py line 2: syntax error",
    ("best", "raises.py"): "raises.py line 2 raised ZeroDivisionError",
    (
        "best",
        "breaks.py",
    ): "MyGame.actions raised ZeroDivisionError: integer division or modulo by zero (line 16) in state",
    ("best", "late.py"): "ZeroDivisionError",
    ("best", "late.py", "--world", "interpreted"): "late.py line 14 raised ZeroDivisionError",
    ("best", "texts.py"): "texts.py line 26 raised IndexError: string index out of range: mend the game there",
    ("best", "loops.py"): "more than 65,536 actions",
    ("best", "hangs.py"): "did not end within 10 s",
    ("best", "empty.py"): "defines no game",
    ("best", "half.py"): "has no",
    ("best", "tree:file=cycle.json"): "leads back to itself: A → B → A",
    ("best", "tree:file=broken.json"): "broken.json line 1: this is not JSON",
    ("best", "tree:file=nowhere.json"): "there is no file",
    ("play", "nim", "--level", "9", "--terminal"): "a level is a number from 1",
    ("play", "nim", "--players", "robot"): "needs 2 players",
    ("new", "class"): "class",
}


@pytest.mark.parametrize("words", BAD, ids=lambda words: " ".join(words))
def test_bad_input_is_one_sentence_and_exit_code_2(words: tuple[str, ...], folder: Path) -> None:
    files = {
        "syntax.py": "x = 1\ndef f(:\n",
        "raises.py": "x = 1\ny = x / 0\n",
        "breaks.py": GOOD.replace("        for n in (1, 2, 3):", "        for n in (1, 2, 3 // (state.stones - 21)):"),
        "loops.py": GOOD.replace("            if n <= state.stones:\n", "            while True:\n"),
        "hangs.py": GOOD.replace("if n <= state.stones:\n", "while n:\n                n = 1\n            else:\n"),
        "late.py": GOOD.replace("return state.turn\n", "return state.turn + 0 * (1 // (state.stones - 2))\n", 1),
        "texts.py": GOOD + "    def format_action(self, state, action):\n        return 'abc'[action]\n",
        "empty.py": "x = 1\n",
        "half.py": "from zermelo import Game\nclass Half(Game):\n    def initial(self):\n        return 0\n",
        "cycle.json": '{"name": "A", "children": [{"name": "B", "children": [{"ref": "A"}]}]}',
        "broken.json": "[1, 2",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    assert BAD[words] in sentence(zermelo(*words, folder=folder, text=""))


@pytest.mark.parametrize(
    "words", [("perft", "nim", "-1"), ("perft", "nim", "x"), ("best",), ("fly",), ("best", "nim", "--fly")]
)
def test_wrong_usage_is_exit_code_2(words: tuple[str, ...]) -> None:
    done = zermelo(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.native
def test_a_rule_that_can_t_be_native_is_told_and_the_game_still_works(folder: Path) -> None:
    text = GOOD.replace("if n <= state.stones:", "if {1, 2, 3} and n <= state.stones:")
    (folder / "sets.py").write_text(text.replace("stones: int = 21", "stones: int = 40"))
    done = zermelo("best", "sets.py", "--algorithm", "minimax", "--depth", "9", folder=folder)
    assert done.returncode == 0
    assert "sets.py line 17: MyGame.actions can't be native with a set: use Bits" in done.stderr
    assert "interpreted" in done.stdout
    refused = zermelo("best", "sets.py", "--world", "native", "--verbose", folder=folder)
    assert refused.returncode == 2


@pytest.mark.native
def test_the_compiler_s_own_words_only_with_verbose(folder: Path) -> None:
    two_kinds = "turn = state.turn\n        if turn > 5:\n            turn = (1, 2)\n        return turn\n"
    (folder / "odd.py").write_text(GOOD.replace("return state.turn\n", two_kinds, 1))
    words = ("best", "odd.py", "--world", "native", "--algorithm", "alphabeta")
    plain = zermelo(*words, folder=folder)
    assert "odd.py line 17: MyGame.to_move can't be native: turn is int on one way" in sentence(plain)
    wordy = zermelo(*words, "--verbose", folder=folder)
    assert wordy.returncode == 2
    assert len(wordy.stderr.splitlines()) > 5


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child there")
def test_ctrl_c_gives_the_best_so_far() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "best", "connect-four", "--seconds", "100", "--world", "interpreted"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as running:  # fmt: skip
        time.sleep(4)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert "Traceback" not in err
    assert "this is the best so far" in err
    assert "searched" in out


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child there")
def test_ctrl_c_says_stopped_where_there_is_nothing_to_show() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "perft", "connect-four", "30", "--world", "interpreted"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        time.sleep(4)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert (running.returncode, out, err) == (130, "", "zermelo: stopped\n")


def test_resuming_keeps_pondering_and_the_book(tmp_path: Path) -> None:
    done = zermelo("play", "nim", "--ponder", "all", "--book", "my book", text="quit\n", folder=tmp_path)
    assert done.stdout.splitlines()[-1] == "To resume: zermelo play nim --terminal --ponder all --book 'my book'"


@pytest.mark.parametrize(("option", "kind"), [("--depth", "a whole number"), ("--seconds", "a number")])
def test_words_for_numbers_are_told_in_our_words(option: str, kind: str) -> None:
    done = zermelo("best", "nim", option, "x")
    assert done.returncode == 2
    assert done.stderr.startswith(f"zermelo: invalid value for '{option}': not {kind}: see ")


def test_a_reader_who_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.close()
        assert program.stderr is not None
        assert program.stderr.read() == b""
    assert program.returncode == 0


def test_a_position_that_is_not_solved_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("a1 b2; 0\na1 b2 c3 a3 c1; -1\n")
    words = "solve", "tic-tac-toe", "--positions", "some.txt", "--nodes", "50"
    done = zermelo(*words, folder=tmp_path)
    assert done.returncode == 2
    first, second, last = done.stdout.splitlines()
    assert first.startswith("a1 b2  TicTacToe is not solved from here: limits were reached after 50 nodes")
    assert second.startswith("a1 b2 c3 a3 c1  ")
    assert "  value -1  " in second
    assert last.startswith("1 position solved")
    assert done.stderr == (
        "zermelo: 1 of 2 positions not solved: limits were reached after 50 nodes: give more, or a position nearer to "
        "the end\n"
    )
    rows = [json.loads(row) for row in zermelo(*words, "--json", folder=tmp_path).stdout.splitlines()]
    assert [row.get("value") for row in rows] == [None, -1]
    assert "not solved" in rows[0]["error"]
    (tmp_path / "rolls.txt").write_text("roll\nroll 3\n")
    done = zermelo("solve", "pig", "--positions", "rolls.txt", "--nodes", "50", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("zermelo: 2 of 2 positions not solved, the first: value iteration has found")


def test_a_table_file_without_a_folder_is_told_before_the_search(tmp_path: Path) -> None:
    done = zermelo("best", "nim", "--table-file", "no/such/folder", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("1  (player 1: a win")
    assert done.stderr == (
        "zermelo: the table can't be written to no/such/folder: there is no such folder to write to; it is not kept\n"
    )


@pytest.mark.parametrize(
    "words", [("games",), ("play", "nim"), ("best", "tic-tac-toe", "--moves", "b2 a1 c3 a3 a2 c2 ☺")]
)
def test_a_terminal_that_knows_few_characters_is_no_error(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = zermelo(*words, text="quit\n")
    assert "Traceback" not in done.stderr
    assert done.stdout or done.stderr
