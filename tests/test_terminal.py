"""Terminal play, in real sessions: through pipes, at a pretended terminal, with chance and three players."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from zermelo.board import Grid
from zermelo.cli import answer, show
from zermelo.cli.terminal import Session
from zermelo.engine import levels
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.pacman import Pacman
from zermelo.position import Position
from zermelo.registry import Entry, describe
from zermelo.search.result import Limits, Result

HUMAN, COMPUTER = "human", "computer"


class Dice(Game):
    """Three players throw a three-sided die in turn, keep it or give it to the next, twice around."""

    players = 3
    utility_sum = None
    player_names = ("Ann", "Bob", "Cid")

    class State(NamedTuple):
        sums: tuple[int, ...]
        turn: int
        roll: int

    def initial(self) -> State:
        return self.State((0, 0, 0), 0, 0)

    def is_terminal(self, state: State) -> bool:
        return state.turn == 6

    def to_move(self, state: State) -> int:
        return CHANCE if state.roll == 0 else state.turn % 3

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for side in (1, 2, 3):
            yield side, 1 / 3

    def actions(self, state: State) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, state: State, action: int) -> State:
        if state.roll == 0:
            return state._replace(roll=action)
        lucky = (state.turn + action) % 3
        sums = tuple(total + state.roll * (player == lucky) for player, total in enumerate(state.sums))
        return self.State(sums, state.turn + 1, 0)

    def utility(self, state: State, player: int) -> float:
        return state.sums[player]

    def format_action(self, state: State, action: int) -> str:
        return str(action) if state.roll == 0 else ("keep", "give")[action]


class Words(Nim):
    """Nim whose moves are named like commands, one of them."""

    def format_action(self, state: Nim.State, action: int) -> str:
        return {1: "undo", 2: "two", 3: "three"}[action]


class Answer(NamedTuple):
    action: Any
    value: float
    kind: str
    line: tuple[Any, ...]
    seconds: float
    values: tuple[float, ...] = ()
    plies: int | None = None
    depth: int = 0


def think(position: Position, level: int) -> Answer:
    """A whole search by max^n with chance: every player takes what is best for him, to the end."""
    game = position.game
    assert level in levels.LEVELS
    started = time.perf_counter()

    @cache
    def solve(state: Any) -> tuple[tuple[float, ...], tuple[Any, ...]]:
        if game.is_terminal(state):
            return game.utilities(state), ()
        mover = game.to_move(state)
        if mover == CHANCE:
            parts = [(chance, solve(game.result(state, action))[0]) for action, chance in game.outcomes(state)]
            return tuple(sum(chance * one[player] for chance, one in parts) for player in range(game.players)), ()
        found = [(action, *solve(game.result(state, action))) for action in game.actions(state)]
        action, values, line = max(found, key=lambda option: option[1][mover])
        return values, (action, *line)

    values, line = solve(position.state)
    return Answer(line[0], values[position.to_move], "exact", line, time.perf_counter() - started)


class Thinker:
    """The mind that `think` is, which never ponders."""

    def think(self, position: Position, level: int) -> Answer:
        return think(position, level)

    def wait(self, position: Position) -> None:
        """Nothing is thought meanwhile."""

    settle = wait

    def summary(self) -> str:
        return ""


class Keyboard(io.StringIO):
    """Typed lines that look like a terminal; `interrupt` among them is Ctrl-C."""

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1 if size is None else size)
        if line.strip() == "interrupt":
            raise KeyboardInterrupt
        return line


def play(
    game: Game,
    typed: str,
    players: tuple[str, ...] = (HUMAN, COMPUTER),
    *,
    level: int = levels.FULL,
    terminal: bool = False,
    **options: Any,
) -> tuple[int, str]:
    """A whole session: its exit code and all it wrote."""
    out = io.StringIO()
    source = (Keyboard if terminal else io.StringIO)(typed)
    options = {"spec": "nim:stones=21", "seed": 1, "mind": Thinker()} | options
    code = Session(game, players, level, console=Console(file=out, width=80), source=source, **options).run()
    return code, out.getvalue()


def told(text: str) -> list[str]:
    """What was said, without times."""
    return [re.sub(r" · [0-9.]+ m?s$", "", line) for line in text.splitlines()]


# Through a pipe.


def test_a_whole_game_through_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = play(Nim(stones=5), "1\n2\n", level=8)
    assert code == 0
    assert told(text) == [
        "Nim  Take one to three stones from the heap; whoever takes the last one wins (or",
        "loses: last=lose).",
        "player 1: you, player 2: computer · level 8 (full strength)",
        "",
        "  heap  5  ●●●●●",
        "",
        "player 1 plays 1",
        "player 2 plays 1 · I see a loss",
        "",
        "  heap  3  ●●●○",
        "",
        "player 1 plays 2",
        "player 2 plays 1 · I see a win",
        "",
        "  heap  0  ○",
        "",
        "Game over: player 2 wins.",
        "Moves: 1 1 2 1",
    ]
    assert capsys.readouterr().err == ""


def test_the_end_of_input_says_where_it_stands_and_how_to_go_on() -> None:
    code, text = play(Nim(), "1\n", players=(HUMAN, HUMAN), level=levels.USUAL)
    assert code == 0
    assert told(text)[-2:] == [
        "Position: stones=20 turn=1",
        'To resume: zermelo play nim:stones=21 --terminal --players human,human --moves "1"',
    ]


def test_resuming_goes_on_from_there() -> None:
    _, text = play(Nim(), "1\n2\n", level=levels.USUAL)
    command = text.splitlines()[-1]
    moves = re.search(r'zermelo play nim:stones=21 --terminal --moves "([1-3 ]+)"$', command)
    assert moves is not None
    assert len(moves[1].split()) == 4
    position = Position.from_text(Nim(), moves=moves[1])
    _, later = play(Nim(), "", level=levels.USUAL, position=position)
    assert later.splitlines()[-1] == command


def test_an_illegal_move_in_a_pipe_is_one_sentence_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = play(Nim(), "1\n9\n2\n")
    assert code == 2
    error = capsys.readouterr().err
    assert re.fullmatch(r"zermelo: '9' is not legal in state 'stones=\d+ turn=0'; legal are 1 2 3\n", error)
    assert '--moves "1 ' in text.splitlines()[-1]


@pytest.mark.parametrize("typed", ["level 9\n", "level\n", "undo\n", "1\nswitch\n"])
def test_a_bad_command_in_a_pipe_is_code_2(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = (HUMAN, HUMAN) if "switch" in typed else (HUMAN, COMPUTER)
    assert play(Nim(), typed, players)[0] == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_real_pipe_in_a_real_process_with_ascii_only() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_terminal import Nim, Session, Thinker\n"
        "sys.exit(Session(Nim(6), ('human', 'computer'), 5, Thinker(), spec='nim').run())"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", program],
        input="2\nhint\n7\n",
        capture_output=True,
        text=True,
        env={"PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "heap  6  ooooo o" in done.stdout
    assert "\x1b" not in done.stdout
    assert (done.stdout + done.stderr).isascii()
    assert done.stderr.startswith("zermelo: '7' is not legal in state ")


# At a terminal.


def test_bad_input_is_asked_again_and_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = play(Nim(), "9\nudno\nlevel 9\nundo\n\n1\nquit\n", terminal=True)
    assert code == 0
    assert text.count("is not a legal move here: type moves to see them, or help.") == 2
    assert "player 1> A level is a number from 1 (beginner) to 8, not '9'.\n" in text
    assert "There is no move of yours to take back." in text
    assert text.count("  heap  21") == 1
    assert re.search(r'--moves "1 \d"$', text)
    assert capsys.readouterr().err == ""


def test_a_long_complaint_breaks_between_words() -> None:
    _, text = play(Othello(), "a1\nquit\n", terminal=True)
    told = text[text.index("'a1' is not legal") :].splitlines()
    assert max(map(len, told[:3])) <= 80
    assert " ".join(told[:3]).endswith("legal are d3 c4 f5 e6.")


def test_moves_hint_state_board_and_help() -> None:
    _, text = play(Nim(stones=7), "moves\nHint\nstate\nboard\n?\nquit\n", terminal=True)
    assert "3 legal moves: 1 2 3\n" in text
    assert "hint: 3 · leads to a win · expecting 3 1 3\n" in text
    assert "player 1> stones=7 turn=0\n" in text
    assert text.count("  heap  7  ●●●●● ●●") == 2
    assert "level N" in text


def test_undo_goes_back_to_the_persons_turn_also_after_the_end() -> None:
    session, text = sit(Nim(stones=5), "1\n2\nundo\nundo\nquit\n")
    assert "Game over: player 2 wins." in text
    assert session.position.history == ()
    session, _ = sit(Nim(stones=5), "1\n2\nundo\nquit\n")
    assert session.position.history == (1, 1)


class Pairs(Nim):
    """Nim in which each player takes twice in a row."""

    def to_move(self, state: Nim.State) -> int:
        return state.turn // 2

    def result(self, state: Nim.State, action: int) -> Nim.State:
        return self.State(state.stones - action, (state.turn + 1) % 4)

    def utility(self, state: Nim.State, player: int) -> float:
        return 1 if player == (state.turn - 1) % 4 // 2 else -1


@pytest.mark.parametrize(
    ("typed", "left"),
    [("1 undo", 0), ("1 1 undo", 0), ("1 1 1 undo", 4), ("1 1 1 1 undo", 4), ("1 1 1 undo undo", 0)],
)
def test_undo_takes_back_a_whole_turn_or_what_there_is_of_it(typed: str, left: int) -> None:
    session, _ = sit(Pairs(stones=30), "\n".join([*typed.split(), "quit"]))
    assert len(session.position.history) == left


def test_undo_of_one_who_plays_alone_takes_back_one_move() -> None:
    session, _ = sit(Pacman("starve"), "west\nwest\nwest\nundo\nquit\n", (HUMAN,))
    assert len(session.position.history) == 2


def test_switch_lets_the_computer_move_if_it_is_its_turn() -> None:
    session, text = sit(Nim(), "switch\nquit\n")
    assert session.players == [COMPUTER, HUMAN]
    assert "player 1 plays 1 · I see a win" in text
    assert session.position.history == (1,)
    assert text.splitlines()[-1].endswith('--players computer,human --level 8 --moves "1"')


def test_new_starts_again_and_level_sets_the_strength() -> None:
    session, text = sit(Nim(), "level 6\n1\nnew\nquit\n")
    assert (session.level, session.position.history) == (6, ())
    assert "level 6: strong" in text
    assert text.count("  heap  21") == 2


@pytest.mark.parametrize("typed", ["1\ninterrupt\n", "1\n", "1\nexit\n"])
def test_every_way_out_prints_how_to_resume(typed: str) -> None:
    code, text = play(Nim(), typed, terminal=True)
    assert code == 0
    assert re.fullmatch(
        r'To resume: zermelo play nim:stones=21 --terminal --level 8 --moves "1 \d"', text.splitlines()[-1]
    )


def test_ctrl_c_while_the_computer_thinks_loses_nothing() -> None:
    class Interrupted(Thinker):
        def think(self, position: Position, level: int) -> Answer:
            raise KeyboardInterrupt

    code, text = play(Nim(), "2\n", terminal=True, mind=Interrupted())
    assert code == 0
    assert text.endswith('--moves "2"\n')


def test_after_the_end_only_commands_go() -> None:
    _, text = play(Nim(stones=1), "1\n1\nhint\nmoves\nnew\nquit\n", terminal=True)
    assert "Game over: player 1 wins.\nMoves: 1\nType new, undo or quit.\n> '1' is no move, the game is over" in text
    assert "there is nothing to hint at" in text
    assert "A new game." in text


def test_a_search_that_refuses_spoils_a_hint_but_not_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    class Refusing(Thinker):
        def think(self, position: Position, level: int) -> Answer:
            raise Unsuitable("minimax can't serve this game")

    _, text = play(Nim(), "hint\nquit\n", terminal=True, mind=Refusing())
    assert "Minimax can't serve this game." in text
    code, text = play(Nim(), "1\n", terminal=True, mind=Refusing())
    assert (code, text.splitlines()[-1][-11:]) == (2, '--moves "1"')
    assert capsys.readouterr().err == "zermelo: minimax can't serve this game\n"


def test_a_bug_in_a_game_still_says_how_to_resume() -> None:
    class Broken(Nim):
        def result(self, state: Nim.State, action: int) -> Nim.State:
            if state.stones < 20:
                raise ZeroDivisionError
            return super().result(state, action)

    out = io.StringIO()
    session = Session(
        Broken(),
        (HUMAN, HUMAN),
        levels.USUAL,
        Thinker(),
        Console(file=out),
        Keyboard("1\n1\n1\n"),
        spec="mine.py",
        seed=1,
    )
    with pytest.raises(ZeroDivisionError):
        session.run()
    assert out.getvalue().endswith('mine.py --terminal --players human,human --moves "1 1"\n')


def test_a_move_named_like_a_command_is_the_move_and_a_slash_is_the_command() -> None:
    session, _ = sit(Words(), "undo\nquit\n", players=(HUMAN, HUMAN))
    assert session.position.history == (1,)
    session, _ = sit(Words(), "undo\n/undo\nquit\n", players=(HUMAN, HUMAN))
    assert session.position.history == ()


def test_a_board_that_can_not_be_drawn_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    class Crooked(Nim):
        def board(self, state: Nim.State) -> Any:
            return Grid(3, 3, ("",))

    assert play(Crooked(), "1\n")[0] == 2
    assert "Crooked.board can't be drawn: a Grid 3 wide and 3 high needs 9 cells, not 1" in capsys.readouterr().err


def sit(game: Game, typed: str, players: tuple[str, ...] = (HUMAN, COMPUTER)) -> tuple[Session, str]:
    """A session at a pretended terminal, to look into, and what it wrote."""
    out = io.StringIO()
    session = Session(
        game, players, levels.FULL, Thinker(), Console(file=out, width=80), Keyboard(typed), spec="nim", seed=1
    )
    assert session.run() == 0
    return session, out.getvalue()


# Chance, more players, watching.


def test_three_players_and_chance_through_a_pipe() -> None:
    code, text = play(Dice(), "keep\nkeep\n", (HUMAN, COMPUTER, COMPUTER), spec="dice.py")
    assert code == 0
    assert text.count("chance: rolls ") == 6
    assert "Bob plays keep · value " in text
    assert re.search(r"Game over: Ann gets \d, Bob gets \d, Cid gets \d\.", text)


def test_the_same_seed_is_the_same_luck_and_an_undone_roll_comes_again() -> None:
    def rolls(typed: str, seed: int) -> list[str]:
        return re.findall(r"rolls (\d)", play(Dice(), typed, (HUMAN,) * 3, seed=seed, terminal=True)[1])

    assert rolls("keep\nkeep\nkeep\n", 5) == rolls("keep\nkeep\nkeep\n", 5)
    assert len({tuple(rolls("keep\nkeep\nkeep\n", seed)) for seed in range(10)}) > 1
    _, second, *again = rolls("keep\nundo\ngive\n", 5)
    assert again == [second]
    assert len({tuple(rolls("keep\nkeep\nkeep\nnew\n", seed)[4:]) for seed in range(10)}) > 1


def test_a_game_with_chance_resumes_with_its_luck() -> None:
    _, whole = play(Dice(), "keep\n" * 5, (HUMAN,) * 3, seed=7)
    _, part = play(Dice(), "keep\n" * 2, (HUMAN,) * 3, seed=7)
    match = re.search(r'--seed (\d+) --moves "(.*)"$', part)
    assert match is not None
    position = Position.from_text(Dice(), moves=match[2])
    _, rest = play(Dice(), "keep\n" * 3, (HUMAN,) * 3, seed=int(match[1]), position=position)
    assert rest.splitlines()[-1] == whole.splitlines()[-1]


def test_switch_rotates_three_seats() -> None:
    session, _ = sit(Dice(), "switch\nquit\n", (HUMAN, COMPUTER, COMPUTER))
    assert session.players == [COMPUTER, HUMAN, COMPUTER]


def test_two_computers_play_each_other_to_the_end() -> None:
    code, text = play(Nim(), "", (COMPUTER, COMPUTER))
    assert code == 0
    assert "Game over: player 1 wins." in text
    assert text.count("  heap ") == text.count(" plays ") + 1


def test_a_start_from_a_state_resumes_from_it() -> None:
    start = Position.from_text(Nim(), state="stones=9 turn=1")
    _, text = play(Nim(), "new\n1\n", (HUMAN, HUMAN), level=levels.USUAL, position=start)
    assert text.endswith('--players human,human --state "stones=9 turn=1" --moves "1"\n')


def test_wrong_players_or_level_are_a_sentence() -> None:
    with pytest.raises(BadInput, match="Nim needs 2 players, each human or computer, not human"):
        play(Nim(), "", (HUMAN,))
    with pytest.raises(BadInput, match="a level is a number from 1"):
        play(Nim(), "", level=9)


# Against a policy.


def test_the_computer_plays_by_a_policy_and_does_not_think(tmp_path: Path) -> None:
    (tmp_path / "habit.py").write_text(
        "def twos(game, state, action):\n    return float(action == min(2, state.stones))\n"
    )
    policy = f"{tmp_path / 'habit.py'}:twos"
    _, text = play(Nim(), "3\nhint\n1\nswitch\n", against=policy, level=levels.USUAL)
    assert f"player 1: you, player 2: computer · policy {policy}\n" in text
    assert re.findall(r"player (\d) plays (\d)", text) == [("1", "3"), ("2", "2"), ("1", "1"), ("2", "2"), ("1", "2")]
    assert "hint: 1 · value 1 (exact)" in text
    resume = f'--players computer,human --seed 1 --against {policy} --moves "3 2 1 2 2"'
    assert text.splitlines()[-1] == f"To resume: zermelo play nim:stones=21 --terminal {resume}"


def test_a_policy_draws_and_the_same_seed_draws_the_same() -> None:
    def replies(seed: int) -> list[str]:
        return re.findall(r"player 2 plays (\d)", play(Nim(), "1\n1\n1\n", against="random", seed=seed)[1])

    assert replies(1) == replies(1)
    assert len({tuple(replies(seed)) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    ("against", "players", "complaint"),
    [
        ("nobody", (HUMAN, COMPUTER), "there is no policy 'nobody': use random, greedy, or FILE.py:function"),
        ("random", (HUMAN, HUMAN), "--against is for people against computers, and every player of Nim is human here"),
        ("random", (COMPUTER, COMPUTER), "every player of Nim is computer here: leave it out, or give --players"),
    ],
)
def test_a_policy_that_can_not_be_played_is_a_sentence(against: str, players: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(BadInput, match=re.escape(complaint)):
        play(Nim(), "", players, against=against)


# Levels.


def test_level_1_makes_mistakes_and_the_top_level_none() -> None:
    def losses(level: int) -> int:
        """How often a computer that could always win loses to one that plays without a mistake."""
        lost = 0
        for seed in range(20):
            session = Session(
                Nim(stones=11), (COMPUTER, HUMAN), level, Thinker(), Console(file=io.StringIO()), spec="nim", seed=seed
            )
            while not session.position.is_terminal:
                if session.position.to_move == 0:
                    session._move_computer()
                else:
                    session.position.push(think(session.position, 5).action)
            lost += session.position.utilities[0] < 0
        return lost

    assert losses(levels.FULL) == 0
    assert losses(1) >= 5


def test_levels_grow() -> None:
    table = [levels.LEVELS[number] for number in sorted(levels.LEVELS)]
    assert [level.mistakes for level in table] == sorted((level.mistakes for level in table), reverse=True)
    assert table[-1].mistakes == 0
    depths = [level.depth for level in table]
    assert depths[-1] is None
    assert depths[:-1] == sorted(depth for depth in depths if depth is not None)
    assert levels.LEVELS[1].limits_for("pvs") == Limits(depth=1, seconds=1.0)
    assert levels.LEVELS[1].limits_for("uct") == Limits(nodes=20, seconds=1.0)


# Words.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (12345678, "12,345,678"),
        (0.25, "0.25"),
        (1 / 3, "0.3333"),
        (-2.5, "-2.5"),
        (0.99999, "1"),
        (1234.56789, "1,234.568"),
        (1e-7, "1e-07"),
        (float("inf"), "infinity"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert show.number(value) == text


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "0.0 ms"),
        (0.00026, "0.3 ms"),
        (0.015, "15 ms"),
        (0.9999, "1.0 s"),
        (1.5, "1.5 s"),
        (125, "2 min 5 s"),
        (3725, "1 h 2 min"),
    ],
)
def test_seconds(time: float, text: str) -> None:
    assert show.seconds(time) == text


class Margin(Nim):
    utility_bounds = (-64, 64)


class Shares(Nim):
    utility_sum = 10
    utility_bounds = (0, 10)


class Lucky(Dice):
    players = 2
    utility_sum = 0
    utility_bounds = (-1, 1)


@pytest.mark.parametrize(
    ("game", "value", "kind", "words"),
    [
        (Nim(), 1.0, "exact", "a win"),
        (Nim(), -1.0, "exact", "a loss"),
        (Nim(), 0.0, "exact", "a draw"),
        (Nim(), 0.0, "lower", "at least a draw"),
        (Nim(), 1.0, "lower", "a win"),
        (Nim(), -0.5, "lower", "value at least -0.5"),
        (Nim(), -0.5, "upper", "a loss"),
        (Nim(), 0.25, "estimate", "value 0.25 (estimate)"),
        (Margin(), 6.0, "exact", "a win by 6"),
        (Margin(), -1.0, "exact", "a loss by 1"),
        (Shares(), 5.0, "exact", "a draw"),
        (Lucky(), 0.25, "exact", "value 0.25 (exact)"),
        (Lucky(), 1.0, "exact", "a win"),
        (Dice(), 4.0, "exact", "value 4 (exact)"),
        (Lucky(), 0.1 * 3 - 0.3, "exact", "value 0 (exact)"),
        (Lucky(), -5.6e-17, "estimate", "value 0 (estimate)"),
        (Lucky(), 1e-9, "exact", "value 1e-09 (exact)"),
        (Margin(), 1e-11, "estimate", "value 0 (estimate)"),
        (Dice(), 5.6e-17, "exact", "value 0 (exact)"),
    ],
)
def test_values_in_words(game: Game, value: float, kind: str, words: str) -> None:
    assert show.value_words(game, value, kind) == words


class Mating(Margin):
    """All wins are worth 6, and told as people say them."""

    win_words = ("mate", "mated")


@pytest.mark.parametrize(
    ("game", "value", "plies", "words"),
    [
        (Margin(), 6.0, 1, "a win by 6 in 1 ply"),
        (Margin(), 6.0, 7, "a win by 6 in at most 7 plies"),
        (Mating(), 6.0, 1, "mate in 1"),
        (Mating(), 6.0, 5, "mate in 3"),
        (Mating(), 6.0, 7, "mate in at most 4"),
        (Mating(), -6.0, 2, "mated in 1"),
        (Mating(), -6.0, 4, "mated in 2"),
        (Mating(), 6.0, None, "a win"),
        (Mating(), -6.0, None, "a loss"),
        (Mating(), 0.0, None, "a draw"),
    ],
)
def test_how_far_off_an_end_is(game: Game, value: float, plies: int | None, words: str) -> None:
    assert show.value_words(game, value, "exact", plies, depth=5) == words


@pytest.mark.parametrize(
    ("game", "value", "plies", "text"),
    [
        (Nim(), 1.0, 7, "win 7"),
        (Nim(), -1.0, 4, "loss 4"),
        (Mating(), 6.0, 7, "mate 4"),
        (Mating(), -6.0, 4, "mated 2"),
    ],
)
def test_ends_in_the_table_of_depths(
    game: Game, value: float, plies: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Result(1, value, "exact", (1,), 9, answer.LONG, 1.0, "pvs", "native", plies=plies)
    answer.shower(Position(game))(found)
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["9", *text.split()]


def test_values_of_each_player_are_free_of_rounding_noise() -> None:
    assert show.values_words(Dice(), (5.6e-17, -0.5, -1e-15)) == "Ann: 0, Bob: -0.5, Cid: 0"


@pytest.mark.parametrize(
    ("value", "text"), [(0.25, "+0.25"), (-1.5, "-1.5"), (12, "+12"), (0, "0"), (0.004, "0"), (-2e-17, "0")]
)
def test_values_in_the_table_of_depths(value: float, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_row = answer.shower(Position(Nim()))
    show_row(Result(1, value, "estimate", (1,), 4, answer.LONG, 1.0, "pvs", "native"))
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["4", text]


class Three(Dice):
    utility_sum = 0


class Teams(Three):
    def team(self, player: int) -> int:
        return min(player, 1)


@pytest.mark.parametrize(
    ("game", "utilities", "words"),
    [
        (Nim(), (1, -1), "player 1 wins"),
        (Nim(), (0, 0), "draw"),
        (Margin(), (-6, 6), "player 2 wins by 6"),
        (Margin(), (64, -64), "player 1 wins by 64"),
        (Mating(), (-6, 6), "player 2 wins"),
        (Shares(), (7, 3), "player 1 wins (player 1: 7, player 2: 3)"),
        (Dice(), (3, 5, 2), "Ann gets 3, Bob gets 5, Cid gets 2"),
        (Dice(), (0, 1, 0), "Bob wins"),
        (Dice(), (4, 4, 4), "draw, each gets 4"),
        (Three(), (-3, 4, -1), "Bob wins (Ann: -3, Bob: 4, Cid: -1)"),
        (Three(), (2, 2, -4), "Ann and Bob win together (Ann: 2, Bob: 2, Cid: -4)"),
        (Teams(), (-1, 1, 1), "Bob and Cid win"),
        (Nim(), (), "unknown"),
    ],
)
def test_ends_in_words(game: Game, utilities: tuple[float, ...], words: str) -> None:
    assert show.outcome_words(game, utilities) == words


def test_the_table_of_games_fits_and_tells() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(
        show.games_table([describe("nim"), Entry("dice", "Three players roll.", 3, True, "", ())])
    )
    assert all(len(line) <= 80 for line in out.getvalue().splitlines())
    assert re.search(r"nim +2 +Take one", out.getvalue())
    assert re.search(r"dice +3 +yes +Three players", out.getvalue())
    assert "settings: stones=21 most=3 last=win" in out.getvalue()


def test_a_complaint_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    show.complain("there is no game chess5")
    assert capsys.readouterr().err == "zermelo: there is no game chess5\n"
