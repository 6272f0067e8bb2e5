"""Play with single keys, at a real pseudo-terminal: moves, commands, the end, and a terminal left as it was."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from trees import examples
from zermelo.cli import live
from zermelo.cli.keyboard import Keyboard, names_of
from zermelo.cli.live import LiveSession
from zermelo.cli.terminal import COMPUTER, HUMAN
from zermelo.game import Game
from zermelo.games.nim import Nim
from zermelo.games.pacman import Pacman
from zermelo.games.pursuit import Pursuit
from zermelo.native import worlds

termios = pytest.importorskip("termios", reason="there is no pseudo-terminal here")

ARROWS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
SEEDS = st.integers(0, 2**32)


class Nobody:
    """A mind that is not asked: with single keys the computer's moves are found another way."""

    def settle(self, position: Any) -> None:
        """Nothing was thought about."""

    def summary(self) -> str:
        return ""


@contextlib.contextmanager
def terminal(typed: str) -> Iterator[Any]:
    """A terminal where something has been typed."""
    master, slave = os.openpty()
    with os.fdopen(slave, "r") as source:
        settings = termios.tcgetattr(source)
        settings[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(source, termios.TCSANOW, settings)
        before = termios.tcgetattr(source)
        os.write(master, typed.encode())
        yield source
        assert termios.tcgetattr(source) == before, "the terminal is as it was"
    os.close(master)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(live, "INTERPRETED_NODES", 60)
    monkeypatch.setattr(live, "PACES", (0.0,) * 8)


def play(
    game: Game, typed: str, players: tuple[str, ...] = (HUMAN,), size: tuple[int, int] = (80, 24), **options: Any
) -> tuple[LiveSession, str]:
    """A session in which this is typed; what it wrote."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=size[0], height=size[1], color_system=None, legacy_windows=False
    )
    with terminal(typed) as source:
        how = {"spec": "game", "seed": 1, **options}
        session = LiveSession(game, players, how.pop("level", 8), Nobody(), console, source, **how)
        assert session.run() == 0
    return session, out.getvalue()


def moves(session: LiveSession) -> list[str]:
    """What was played at the turns of the first player."""
    pairs = zip(session.position.states, session.position.history, strict=False)
    return [session.game.format_action(state, action) for state, action in pairs if session.game.to_move(state) == 0]


def test_keys_have_names() -> None:
    sent = "\x1b[A\x1bOB\x1b[C\x1b[D \r\tx\x1b[15~\x1b[1;5Dé?"
    assert names_of(sent) == (["up", "down", "right", "left", "space", "enter", "tab", "x", "é", "?"], "")
    assert names_of("\x1b") == (["escape"], "")
    assert names_of("x\x1b[1;5") == (["x"], "\x1b[1;5")
    assert names_of("\x1b[1\x03\x1b[\x1b[C") == (["interrupt", "right"], ""), "what is broken off is dropped"


class Pieces(Keyboard):
    """A keyboard whose characters come in pieces; an empty one is a wait in vain."""

    def __init__(self, *pieces: str) -> None:
        super().__init__(io.StringIO())
        self.pieces = list(pieces)

    def _characters(self, seconds: float) -> str:
        return self.pieces.pop(0)

    def names(self) -> list[str]:
        """All keys there are."""
        found = []
        while self.pieces or self._waiting:
            found.append(self.read(0))
        return [name for name in found if name]


@examples(100)
@given(
    st.lists(st.sampled_from([*ARROWS.values(), "\x1bOA", "\x1b[15~", "\x1b[1;5C", "\x1b[[A", "C", " ", "é"])), SEEDS
)
def test_keys_that_come_in_pieces_are_the_same_keys(keys: list[str], seed: int) -> None:
    luck, text = random.Random(seed), "".join(keys)
    cuts = sorted({0, len(text), *(luck.randrange(len(text) + 1) for _ in range(6))})
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    assert Pieces(*pieces, "").names() == names_of(text)[0]


def test_the_escape_key_is_one_where_nothing_follows() -> None:
    assert Pieces("\x1b", "", "C").names() == ["escape", "C"]
    assert Pieces("\x1b", "[", "", "", "C").names() == ["right"]


def test_a_key_that_is_not_there_is_waited_for_and_no_longer() -> None:
    with terminal("") as source, Keyboard(source) as keyboard:
        started = time.monotonic()
        assert keyboard.read(0.02) == ""
        assert time.monotonic() - started < 5


def test_arrows_letters_and_the_ghosts_that_answer() -> None:
    game = Pacman("open", ghosts=1)
    session, text = play(game, ARROWS["left"] + "h" + "a" + ARROWS["right"] + "q")
    first = session.position.states[0]
    assert first.step == 4, "after leaving, the position is the one to go on from"
    assert "step 4 of 300" in text
    assert "\x1b[?1049h" in text
    assert text.count("\x1b[?1049l") == text.count("\x1b[?25h") == 1
    assert re.search(
        r'To resume: zermelo play game --terminal --level 8 --seed 1 --state "food=.*eaten=False"$', text.strip()
    )


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    texts = [play(Pacman("open"), "hllkq", seed=seed)[1] for seed in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]


def test_what_is_not_possible_is_said_and_changes_nothing() -> None:
    text = play(Pacman("starve"), ARROWS["up"] + "zq")[1]
    assert "north is not possible here" in text
    assert "z means nothing here" in text
    assert "step 0 of 300" in text


def test_to_the_end_and_again() -> None:
    session, text = play(Pacman("starve", ghosts_play="minimax"), "h" * 6 + "l" * 12 + "q")
    assert "Game over: score 502" in text.split("\x1b[?1049l")[1]
    assert "To resume" not in text
    session, text = play(Pacman("starve"), "h" * 6 + "l" * 12 + "hnhu" + "q")
    assert session.position.states[0] == Pacman("starve").initial(), "new, one step, undone"
    assert "there is no move of yours" not in text


def test_the_computer_takes_over_and_gives_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK", 0.01)
    pressed: list[str] = []
    read = Keyboard.read

    def later(keyboard: Keyboard, seconds: float) -> str:
        name = read(keyboard, seconds)
        pressed.append(name)
        return name or ("q" if len(pressed) > 60 else "")

    monkeypatch.setattr(Keyboard, "read", later)
    text = play(Pacman("starve"), "c")[1]
    assert "the computer plays for you" in text
    assert "Game over: score 502" in text


def test_running_on_goes_as_far_as_the_way_does(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    read = Keyboard.read

    def patient(keyboard: Keyboard, _: float) -> str:
        reads.append(1)
        return read(keyboard, 0.0) or ("q" if len(reads) > 20 else "")

    monkeypatch.setattr(Keyboard, "read", patient)
    session, _ = play(Pacman("starve"), "hr")
    assert session.position.states[0].step == 6


def test_hints_pauses_and_speed() -> None:
    text = play(Pacman("starve"), "?p+++-pq")[1]
    assert re.search(r"hint: (east|west)", text)
    assert "paused; p: go on" in text
    assert "speed 8 of 8" in text
    assert "speed 7 of 8" in text


def test_against_the_computer_and_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    session, text = play(Pursuit("fork"), "lq", (HUMAN, COMPUTER))
    assert session.position.states[0].step == 2, "the hunter has answered"
    assert "game  runner: you, hunter: computer · level 8" in text
    out = io.StringIO()

    def watch(*_: Any) -> str:
        return "q" if "Game over" in out.getvalue() else ""

    monkeypatch.setattr(Keyboard, "read", watch)
    game = Pacman("tiny", ghosts_play="minimax")
    console = Console(file=out, force_terminal=True, width=80, height=24, color_system=None)
    with terminal("") as source:
        assert LiveSession(game, (COMPUTER,) * 3, 8, Nobody(), console, source, spec="game", seed=1).run() == 0
    assert "watching · level 8" in out.getvalue()


def test_ghosts_with_a_policy_answer_and_the_computer_reckons_with_it() -> None:
    game = Pacman("trap", ghosts_play="minimax")
    session, text = play(game, "?lq", (HUMAN, COMPUTER, COMPUTER), against="greedy")
    assert re.search(r"hint: (east|west)", text)
    assert session.position.states[0].step == 1
    assert session.position.states[0].turn == 0, "both ghosts have answered"
    assert "--against greedy" in text


def test_a_small_window_and_plain_letters() -> None:
    assert "make the window larger" in play(Pacman("small"), "hq", size=(40, 10))[1]
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(file=out, force_terminal=True, width=80, height=24, color_system=None)
    with terminal("hq") as source:
        LiveSession(Pacman("starve"), (HUMAN,), 8, Nobody(), console, source, spec="pacman", seed=1).run()
    out.flush()
    assert b"#############################" in out.buffer.getvalue()  # type: ignore[attr-defined]


def test_compiling_is_said_in_the_screen() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, height=24, color_system=None)
    before = worlds.on_compile
    with terminal("") as source:
        session = LiveSession(Pacman("starve"), (HUMAN,), 8, Nobody(), console, source, spec="pacman", seed=1)
        with session._screen(), worlds.on_compile(session.game):
            assert "compiling Pacman (first time only)" in out.getvalue()
    assert worlds.on_compile is before


def test_a_game_without_keys_and_a_pipe_are_played_by_lines() -> None:
    assert not Nim().keys
    command = [sys.executable, "-m", "zermelo", "play", "pacman:layout=starve"]
    done = subprocess.run(command, input="west\nquit\n", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "Pac-Man plays west" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("last", ["q", "\x03"])
def test_the_whole_program_at_a_terminal(last: str) -> None:
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    command = [sys.executable, "-m", "zermelo", "play", "pacman:layout=starve", "--seed", "1"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    program = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, preexec_fn=_control
    )
    text = ""
    sent = [ARROWS["left"], last]
    until = time.monotonic() + 60
    while program.poll() is None and time.monotonic() < until:
        text += written(master)
        if f"step {2 - len(sent)} of" in text and sent:
            os.write(master, sent.pop(0).encode())
    text += written(master)
    assert program.wait(10) == 0
    assert "To resume: " in text
    assert "Traceback" not in text
    assert termios.tcgetattr(slave) == before
    os.close(slave)
    os.close(master)


def written(master: int) -> str:
    """What has been written to a terminal meanwhile."""
    ready = select.select([master], [], [], 0.05)[0]
    return os.read(master, 65536).decode("utf-8", "ignore") if ready else ""


def _control() -> None:
    """Make the pseudo-terminal the one that Ctrl-C comes from."""
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
