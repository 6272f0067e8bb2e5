"""Games by name and from files: what can be written, what it gives, and one sentence for everything else."""

from __future__ import annotations

import math
import os
import pickle
import random
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from zermelo import registry
from zermelo.engine.options import Options
from zermelo.errors import BadInput, GameError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.games.nim import Nim
from zermelo.games.tree import Tree
from zermelo.probe import probe
from zermelo.registry import describe, load, names, spec
from zermelo.switches import parse_switches

VARIANTS = [
    *registry.BUILT_IN,
    "kalah:pits=3,seeds=5,empty_capture=true,margin=0",
    "awari:pits=4,seeds=2,grand_slam=forbidden,margin=0",
    "nim:stones=0",
    "nim:stones=30,most=4,last=lose",
    "heaps:heaps=2-0-9,last=lose",
    "tic-tac-toe:width=5,height=4,line=4",
    "tic-tac-toe:width=2,height=1,line=2",
    "connect-four:width=5,height=4,line=3,margin=1",
    "connect-four:width=10,height=5,margin=1",
    "othello:size=4",
    "othello:size=6,margin=0",
    "random-tree:order=best,depth=4",
    "random-tree:order=worst,low=5,high=6",
    "p-game:branching=3,depth=3,seed=-4,probability=0.5",
    "2048:width=2,height=3,target=32",
    "dice-race:length=5,sides=4",
    "pig:target=12,sides=3",
]

COUNTDOWN = dedent("""
    from typing import NamedTuple
    from zermelo.game import Game

    class Countdown(Game):
        class State(NamedTuple):
            left: int

        def __init__(self, start: int = 5, step: float = 1.0, fair: bool = True, label: str = "x"):
            self.start = start

        def initial(self):
            return self.State(self.start)

        def to_move(self, state):
            return state.left % 2

        def actions(self, state):
            yield 1

        def result(self, state, action):
            return self.State(state.left - action)

        def is_terminal(self, state):
            return state.left == 0

        def utility(self, state, player):
            return 0
""").lstrip()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PATIENCE", 0.25)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str, name: str = "mygame.py") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


def refusal(text: str) -> str:
    with pytest.raises(ZermeloError) as caught:
        load(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# Every game keeps the contract.


def most_plies(game: Game) -> int:
    """How long a random game is played: to the end, unless states can come back for ever."""
    return 100 if game.repeats else 1_000_000


@pytest.mark.parametrize("text", VARIANTS)
def test_random_play_keeps_the_contract(text: str) -> None:
    game = load(text)
    low, high = game.utility_bounds
    slow = game.has_chance or len(list(game.symmetries(game.initial()))) > 100
    wide = len(game.legal(game.initial())) >= 20
    for seed in range(2 if slow else 4 if wide else 15):
        dice = random.Random(seed)
        state = game.initial()
        for _ in range(most_plies(game)):
            if game.is_terminal(state):
                break
            assert game.to_move(state) in range(CHANCE, game.players)
            assert all(low <= worth <= high for worth in game.evaluations(state))
            if game.facts.total is not None:
                assert math.fsum(game.evaluations(state)) == pytest.approx(game.utility_sum)
            assert game.parse_state(game.format_state(state)) == state
            assert game.canonical_key(state) in {game.key(state), *map(game.key, game.symmetries(state))}
            assert type(game.board(state)).__name__ in ("Grid", "Layers", "Piles", "Pits", "Points", "Node", "Fields")
            actions = game.legal(state)
            assert game.to_move(state) == CHANCE or actions == list(game.actions(state))
            texts = [game.format_action(state, action) for action in actions]
            assert [game.parse_action(state, each) for each in texts] == actions
            state = game.result(state, dice.choice(actions))
        assert game.parse_state(game.format_state(state)) == state
        if not game.is_terminal(state):
            continue
        assert all(low <= worth <= high for worth in game.utilities(state))
        assert game.facts.total in (None, sum(game.utilities(state)))


@pytest.mark.parametrize("text", VARIANTS)
def test_symmetric_states_have_symmetric_futures(text: str) -> None:
    game = load(text)
    dice = random.Random(0)
    state = game.initial()
    for _ in range(most_plies(game)):
        if game.is_terminal(state):
            break
        twins = list(game.symmetries(state))
        if len(twins) > 100:  # one of them, now and then: each has as many to be told from
            twins = [dice.choice(twins)] if len(game.legal(state)) % 16 == 0 else []
        for twin in twins:
            futures, mirrored = (
                sorted(game.canonical_key(game.result(each, action)) for action in game.legal(each))
                for each in (state, twin)
            )
            assert futures == mirrored
        state = game.result(state, dice.choice(game.legal(state)))


# Names and parameters.


def test_names() -> None:
    assert names() == sorted(names())
    assert set(registry.BUILT_IN) <= set(names())


def test_importing_the_registry_imports_no_game() -> None:
    code = "import sys, zermelo.registry; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert "zermelo.registry" in done.stdout.split()
    assert not [name for name in done.stdout.split() if name.startswith(("zermelo.games", "numba", "numpy"))]


def test_parameters() -> None:
    assert load("nim").parameters == {"stones": 21, "most": 3, "last": "win", "players": 2}
    assert load(" nim: stones = 30 , most=4 ").parameters == {"stones": 30, "most": 4, "last": "win", "players": 2}
    assert load("p-game:probability=1").parameters["probability"] == 1.0
    assert load("Tic_Tac_Toe").title == "TicTacToe"


@pytest.mark.parametrize("text", VARIANTS)
def test_the_spec_of_a_game_gives_it_again(text: str) -> None:
    game = load(text)
    again = load(spec(game))
    assert type(again) is type(game)
    assert again.parameters == game.parameters


def test_specs_leave_defaults_out() -> None:
    assert spec(Nim(stones=21, most=4)) == "nim:most=4"
    assert spec(Tree()) == "tree"


def test_what_has_no_spec() -> None:
    with pytest.raises(BadInput, match="parameter root is no number or text"):
        spec(Tree.of([1, 2]))

    class Local(Nim):
        pass

    with pytest.raises(BadInput, match="Local has no name to load it by"):
        spec(Local())


def test_a_comma_has_no_spec(folder: Path) -> None:
    (folder / "a,b.json").write_text("[1, 2]")
    with pytest.raises(BadInput, match="its parameter file is 'a,b"):
        spec(Tree(file="a,b.json"))


OPTIONAL = COUNTDOWN.replace(
    'start: int = 5, step: float = 1.0, fair: bool = True, label: str = "x"', "PARAMETERS"
).replace("self.start = start", "self.start = 5")


def test_yes_and_no_have_many_words(folder: Path) -> None:
    write(folder, COUNTDOWN.replace("self.start = start", "self.start, self.fair = start, fair"))
    for word in ("yes", "True", "on", "1"):
        assert load(f"mygame.py:fair={word}").fair is True
        assert parse_switches(Options, "the engine", [f"killers={word}"]).killers is True
    for word in ("no", "FALSE", "off", "0"):
        assert load(f"mygame.py:fair={word}").fair is False
        assert parse_switches(Options, "the engine", [f"killers={word}"]).killers is False
    assert "needs yes or no for fair, not '2'" in refusal("mygame.py:fair=2")


def test_a_parameter_may_be_none(folder: Path) -> None:
    file = write(folder, OPTIONAL.replace("PARAMETERS", "x: int | None = 3, word: str | None = 'a', y: float = None"))
    kind = type(load(file))
    game = kind(x=None, word=None)
    assert load(spec(game)).parameters == game.parameters == {"x": None, "word": None, "y": None}
    assert spec(game).endswith(":x=None,word=None")
    assert load(f"{file}:x=7,word=b,y=None").parameters == {"x": 7, "word": "b", "y": None}
    assert refusal(f"{file}:x=many") == f"{file} needs a whole number or None for x, not 'many'"
    with pytest.raises(BadInput, match="its parameter word is 'None'"):
        spec(kind(word="None"))


def test_a_parameter_that_can_not_be_none(folder: Path) -> None:
    file = write(folder, OPTIONAL.replace("PARAMETERS", "x: int = 3"))
    assert refusal(f"{file}:x=None") == f"{file} needs a whole number for x, not 'None'"
    with pytest.raises(BadInput, match="its parameter x is None"):
        spec(type(load(file))(x=None))


def test_descriptions() -> None:
    entry = describe("nim")
    assert entry.name == "nim"
    assert entry.summary.startswith("Take one to three stones")
    assert (entry.players, entry.chance) == (2, False)
    assert entry.known == Nim.known
    assert entry.parameters == ("stones=21", "most=3", "last=win", "players=2")
    for name in names():
        assert describe(name).summary


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("conect-four", "unknown game 'conect-four': did you mean connect-four? `zermelo games` lists them"),
        ("xyzzy", "unknown game 'xyzzy': `zermelo games` lists them"),
        ("", "unknown game ''"),
        ("nim:stone=3", "nim has no parameter 'stone': it has stones=21, most=3, last=win, players=2"),
        ("nim:stones=abc", "nim needs a whole number for stones, not 'abc'"),
        ("nim:stones=2.5", "nim needs a whole number for stones, not '2.5'"),
        ("nim:stones=" + "9" * 5000, "nim needs a whole number for stones"),
        ("nim:stones=", "nim needs a whole number for stones, not ''"),
        ("nim:stones", "nim: stones has no value: write stones=21"),
        ("nim:stones=1,stones=2", "nim: stones is given twice"),
        ("nim:stones=-1", "Nim needs stones from 0"),
        ("nim:last=draw", "last=win or last=lose"),
        ("p-game:probability=nan", "p-game needs a number for probability, not 'nan'"),
        ("tree:root=3", "tree has no parameter 'root'"),
        ("tree:file=nowhere.json", "there is no file 'nowhere.json'"),
        ("nowhere.py", "there is no file 'nowhere.py'"),
        (".py", "unknown game '.py'"),
        ("x" * 300, "unknown game 'xxx"),
        ("x" * 300 + ".py", "there is no file 'xxx"),
        ("a\0", r"unknown game 'a\x00'"),
        ("a\0.py", r"there is no file 'a\x00.py'"),
        ("\ud800", r"unknown game '\ud800'"),
        ("nim:stones=" + "9" * 400, "Nim needs stones from 0"),
    ],
)
def test_refused_texts(text: str, complaint: str) -> None:
    assert complaint in refusal(text)


# Files.


def test_a_file_with_one_game(folder: Path) -> None:
    file = write(folder, COUNTDOWN)
    game = load(file)
    assert game.title == "Countdown"
    assert load("mygame.py:Countdown").parameters == game.parameters
    assert load("./mygame.py:start=7").parameters["start"] == 7
    written = load(f"{folder}/mygame.py:Countdown:start=7,step=2,fair=no,label=a:b")
    assert written.parameters == {"start": 7, "step": 2.0, "fair": False, "label": "a:b"}
    assert load(spec(written)).parameters == written.parameters
    assert isinstance(written.parameters["step"], float)


def test_the_same_file_gives_the_same_class_which_can_be_pickled(folder: Path) -> None:
    write(folder, COUNTDOWN)
    first, again = load("mygame.py"), load(f"{folder}/mygame.py")
    assert type(first) is type(again)
    state = first.initial()
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(type(first))) is type(first)


def test_an_edited_file_gives_a_new_class(folder: Path) -> None:
    file = write(folder, COUNTDOWN)
    before = load(file)
    stamp = os.stat(file)
    write(folder, COUNTDOWN.replace("int = 5", "int = 6"))
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert before.parameters["start"] == 5
    assert load(file).parameters["start"] == 6
    assert not (folder / "__pycache__").exists()


def test_files_of_one_name_in_two_folders_are_two_games(folder: Path) -> None:
    for name, start in (("one", 3), ("two", 4)):
        (folder / name).mkdir()
        write(folder / name, COUNTDOWN.replace("int = 5", f"int = {start}"))
    assert [load(f"{name}/mygame.py").parameters["start"] for name in ("one", "two", "one")] == [3, 4, 3]


def test_a_file_may_import_its_neighbours(folder: Path) -> None:
    write(folder, "START = 9\n", "neighbour_of_mygame.py")
    path = list(sys.path)
    game = load(write(folder, "from neighbour_of_mygame import START\n" + COUNTDOWN.replace("int = 5", "int = START")))
    assert game.parameters["start"] == 9
    assert sys.path == path


NEIGHBOURLY = COUNTDOWN.replace("int = 5", "int = helper.start()").replace(
    "return state.left % 2", "import helper as late\n        return (state.left + late.start()) % 2"
)


def test_games_in_two_folders_have_neighbours_of_their_own(folder: Path) -> None:
    for name, start in (("one", 3), ("two", 4)):
        (folder / name).mkdir()
        write(folder / name, "import helper\n" + NEIGHBOURLY)
        write(folder / name, "from deeper import START\ndef start():\n    return START\n", "helper.py")
        write(folder / name, f"START = {start}\n", "deeper.py")
    games = [load(f"{name}/mygame.py") for name in ("one", "two", "one")]
    assert [game.parameters["start"] for game in games] == [3, 4, 3]
    assert [game.to_move(game.initial()) for game in games] == [0, 0, 0]
    assert type(games[0]) is type(games[2])
    assert "helper" not in sys.modules


def test_an_edit_of_a_neighbour_is_seen(folder: Path) -> None:
    file = write(folder, "import helper\n" + NEIGHBOURLY)
    other = write(folder, "from helper import start\nimport helper\n" + NEIGHBOURLY, "other.py")
    write(folder, "from deeper import START\ndef start():\n    return START\n", "helper.py")
    for start in (3, 4, 3):
        write(folder, f"START = {start}\n", "deeper.py")
        assert load(file).parameters["start"] == load(other).parameters["start"] == start


def test_neighbours_may_import_each_other(folder: Path) -> None:
    write(folder, "import mygame\ndef start():\n    return mygame.FIRST\n", "helper.py")
    assert load(write(folder, "FIRST = 6\nimport helper\n" + NEIGHBOURLY)).parameters["start"] == 6


def test_a_neighbour_at_fault_is_named(folder: Path) -> None:
    file = write(folder, "import helper\n" + COUNTDOWN)
    write(folder, "x = 1\nboom\n", "helper.py")
    assert refusal(file) == "helper.py line 2 raised NameError: name 'boom' is not defined while it was loaded"
    write(folder, "x = (\n", "helper.py")
    assert refusal(file) == "helper.py line 1: syntax error: '(' was never closed"


def test_a_neighbour_does_not_hide_the_standard_library(folder: Path) -> None:
    write(folder, "pi = 3\n", "math.py")
    assert load(
        write(folder, "from math import pi\n" + COUNTDOWN.replace("step: float = 1.0", "step: float = pi"))
    ).parameters["step"] == pytest.approx(math.pi)


@pytest.mark.native
def test_native_code_follows_the_neighbour(folder: Path) -> None:
    from zermelo import native

    steps = COUNTDOWN.replace("left - action", "left - helper.step(action)")
    for name, step in (("one", 1), ("two", 5), ("one", 5)):
        (folder / name).mkdir(exist_ok=True)
        write(folder / name, "import helper\n" + steps)
        write(folder / name, f"def step(action):\n    return action * {step}\n", "helper.py")
        game = load(f"{name}/mygame.py")
        assert native.call(_after, game, game.initial()) == 5 - step


def _after(game: Game, state: Any) -> Any:
    return game.result(state, 1).left


def test_a_game_without_parameters_or_annotations(folder: Path) -> None:
    lines = [line for line in COUNTDOWN.splitlines() if "__init__" not in line and "self.start = " not in line]
    write(folder, "\n".join(lines).replace("self.start", "3"))
    assert load("mygame.py").parameters == {}
    assert "has no parameter 'start': it has none" in refusal("mygame.py:start=3")
    parameters = 'start: int = 5, step: float = 1.0, fair: bool = True, label: str = "x"'
    write(folder, COUNTDOWN.replace(parameters, "start, step=2, table=()"))
    assert refusal("mygame.py") == "mygame.py needs start: write mygame.py:start=…"
    assert load("mygame.py:start=4,step=3").parameters == {"start": 4, "step": 3, "table": ()}
    assert "it has start=…, step=2" in refusal("mygame.py:table=3")


def test_which_game_in_a_file(folder: Path) -> None:
    write(folder, COUNTDOWN + "\n\nclass Other(Countdown):\n    pass\n\nAlias = Other\n")
    assert refusal("mygame.py") == (
        "mygame.py defines several games, Countdown, Other: say which, as in mygame.py:Countdown"
    )
    assert load("mygame.py:Other").title == "Other"
    assert refusal("mygame.py:Third") == "mygame.py has no game Third: it defines Countdown, Other"
    write(folder, "from zermelo.games.nim import Nim\n" + COUNTDOWN)
    assert load("mygame.py").title == "Countdown"
    write(folder, "from zermelo.games.nim import Nim\n")
    assert refusal("mygame.py") == "mygame.py defines no game: write a class derived from zermelo's Game in it"


def test_a_base_class_is_no_game_of_its_own(folder: Path) -> None:
    base = COUNTDOWN.replace("class Countdown(Game)", "class Base(Game):\n    pass\n\nclass Countdown(Base)")
    assert load(write(folder, base)).title == "Countdown"


def test_a_forgotten_extension(folder: Path) -> None:
    write(folder, COUNTDOWN)
    assert "unknown game 'mygame': did you mean mygame.py?" in refusal("mygame")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("x = 1\n\nclass A(:\n    pass\n", "mygame.py line 3: syntax error: invalid syntax"),
        ("def f():\nreturn 1\n", "mygame.py line 2: syntax error: expected an indented block"),
        ("x = '\0'", "cannot contain null bytes"),
        ("# coding: nonsense\n", "mygame.py: syntax error: unknown encoding"),
        ("x = " + "(" * 500 + ")" * 500, "mygame.py"),
        ("import os\n\nprint_ = x\n", "mygame.py line 3 raised NameError: name 'x' is not defined while it was loaded"),
        ("def f():\n    raise ValueError('a\\nb')\n\nf()\n", "mygame.py line 2 raised ValueError: a b while"),
        ("import nowhere_at_all\n", "mygame.py line 1 raised ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("import sys\nsys.exit('bye')\n", "mygame.py line 2 raised SystemExit: bye while it was loaded"),
        ("while True:\n    pass\n", "mygame.py did not load within 0.25 s: does it loop for ever?"),
        ("", "mygame.py defines no game"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_broken_files(folder: Path, content: str, complaint: str) -> None:
    modules = set(sys.modules)
    assert complaint in refusal(write(folder, content))
    assert not [name for name in set(sys.modules) - modules if name.startswith(registry.PREFIX) and content]


def test_a_broken_edit_leaves_the_loaded_game_alone(folder: Path) -> None:
    file = write(folder, COUNTDOWN)
    before = load(file)
    write(folder, COUNTDOWN + "\nboom\n")
    assert "raised NameError: name 'boom' is not defined" in refusal(file)
    assert pickle.loads(pickle.dumps(before.initial())) == before.initial()
    write(folder, COUNTDOWN)
    assert type(load(file)) is type(before)


def test_a_folder_is_no_file(folder: Path) -> None:
    (folder / "mygame.py").mkdir()
    assert refusal("mygame.py") == "there is no file 'mygame.py'"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "self.start = start",
            "self.start = start // 0",
            "mygame.py line 9 raised ZeroDivisionError: integer division or modulo by zero while Countdown was made",
        ),
        ("self.start = start", "while True: pass", "mygame.py: Countdown was not made within 0.25 s"),
        ("return self.State(self.start)", "return 1 / 0", "mygame.py: Countdown.initial raised ZeroDivisionError"),
        (
            "yield 1",
            "yield 1 / 0",
            "mygame.py: Countdown.actions raised ZeroDivisionError: division by zero (line 18) in state 'left=5'",
        ),
        (
            "yield 1",
            "while True: pass",
            "mygame.py: Countdown.actions did not end within 0.25 s (line 18) in state 'left=5'",
        ),
        ("yield 1", "while True: yield 1", "Countdown.actions gives more than 65,536 actions in state 'left=5'"),
        ("yield 1", "yield from ()", "Countdown.actions gives nothing in state 'left=5'"),
        ("yield 1", "return None", "mygame.py: Countdown.actions raised TypeError: 'NoneType' object is not iterable"),
        ("left % 2", "left % 3", "mygame.py: Countdown.to_move gives 2 in state 'left=5': give a player from 0 to 1"),
        ("left % 2", "lost", "mygame.py: Countdown.to_move raised AttributeError: 'State' object has no"),
        ("left % 2", "left * 0 - 1", "Countdown says that chance moves in state 'left=5', but has no method outcomes"),
        ("left == 0", "left / 0", "Countdown.is_terminal raised ZeroDivisionError: division by zero (line 24)"),
        ("left - action", "left - nothing", "mygame.py: Countdown.result raised NameError: name 'nothing' is not"),
        (
            "return self.State(state.left - action)",
            "self.State(state.left - action)",
            "Countdown.result gives None for action 1 in state 'left=5': return the next state, a State like",
        ),
        (
            "return self.State(state.left - action)",
            "return state.left - action",
            "Countdown.result gives an int for action 1 in state 'left=5': return the next state, a State like",
        ),
        ("return 0", "return None", "mygame.py: Countdown.utility gives None in state 'left=0': give a number"),
        ("return 0", "return float('nan')", "mygame.py: Countdown.utility gives nan in state 'left=0': give a number"),
        ("return 0", "return 1 / state.left", "mygame.py: Countdown.utility raised ZeroDivisionError"),
        ("def utility", "def utilities", "Countdown has no utility"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_broken_rules(folder: Path, old: str, new: str, complaint: str) -> None:
    broken = COUNTDOWN.replace(old, new)
    assert broken != COUNTDOWN
    assert complaint in refusal(write(folder, broken))


def test_a_state_that_can_not_be_written(folder: Path) -> None:
    text = COUNTDOWN.replace("yield 1", "raise ValueError")
    assert refusal(write(folder, text + "\n    def format_state(self, state):\n        return 1 / 0\n")) == (
        "mygame.py: Countdown.actions raised ValueError (line 18) in state State(left=5)"
    )


LISTED = COUNTDOWN.replace("self.State(self.start)", "[self.start]").replace("state.left", "state[0]")


@pytest.mark.parametrize(
    "body", ["state[0] -= action\n        return state", "state[0] -= action\n        return [state[0]]"]
)
def test_a_result_that_changes_its_state(folder: Path, body: str) -> None:
    text = LISTED.replace("return self.State(state[0] - action)", body)
    assert refusal(write(folder, text)) == (
        "mygame.py: Countdown.result changes the state it is given in state 'state=[5]': work on a copy of it"
    )
    load(write(folder, LISTED.replace("self.State(state[0] - action)", "[state[0] - action]")))


def test_states_that_know_no_equality_or_no_copy_pass(folder: Path) -> None:
    text = LISTED.replace("[self.start]", "Box(self.start)").replace(
        "self.State(state[0] - action)", "Box(state[0] - 1)"
    )
    for method in ("pass", "def __deepcopy__(self, memo): raise TypeError", "def __eq__(self, other): raise TypeError"):
        box = f"class Box(list):\n    __eq__ = object.__eq__\n    def __init__(self, n): self.append(n)\n    {method}\n"
        load(write(folder, box + text))


CHANCY = COUNTDOWN.replace("state.left % 2", "-1") + "\n    def outcomes(self, state):\n        return OUTCOMES\n"


@pytest.mark.parametrize(
    ("outcomes", "complaint"),
    [
        ("[(1, 0.5), (2, 0.6)]", "gives probabilities that add up to 1.1 in state 'left=5': let them add up to 1"),
        ("[1, 2]", "gives 1 in state 'left=5': give pairs of an action and its probability"),
        ("[(1, 'a')]", "gives (1, 'a') in state 'left=5': give pairs of an action and its probability"),
        ("[(1, 1, 1)]", "gives (1, 1, 1) in state 'left=5': give pairs"),
        ("[]", "Countdown.outcomes gives nothing in state 'left=5'"),
        ("[(1, 1.5), (2, -0.5)]", "gives 1 the probability 1.5 in state 'left=5': give probabilities from 0 to 1"),
        ("[(1, float('nan'))]", "gives 1 the probability nan in state 'left=5': give probabilities from 0 to 1"),
        ("None", "raised TypeError: 'NoneType' object is not iterable"),
    ],
)
def test_broken_outcomes(folder: Path, outcomes: str, complaint: str) -> None:
    assert complaint in refusal(write(folder, CHANCY.replace("OUTCOMES", outcomes)))


def test_thirds_add_up_to_one(folder: Path) -> None:
    load(write(folder, CHANCY.replace("OUTCOMES", "[(1, 1 / 3)] * 3")))


def test_slow_and_endless_games_pass(folder: Path) -> None:
    load(write(folder, COUNTDOWN.replace("left == 0", "left < -(10**9)")))


def test_probing_says_nothing_of_a_sound_game() -> None:
    for text in VARIANTS:
        probe(load(text))


# Plug-ins.


class Plug(Nim):
    """A plug-in for the tests."""


def install(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint("plugged", value, registry.GROUP)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (entry,) if group == registry.GROUP else ())


def test_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, f"{__name__}:Plug")
    assert "plugged" in names()
    game = load("plugged:stones=5")
    assert type(game) is Plug
    assert spec(game) == "plugged:stones=5"
    assert describe("plugged").summary == "A plug-in for the tests."


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("nowhere_at_all:Game", "can't be loaded: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        (f"{__name__}:Plugged", "can't be loaded: AttributeError"),
        (f"{__name__}:write", "is not a class derived from Game"),
        ("zermelo.game:Game", "is not a class derived from Game"),
    ],
)
def test_broken_plug_ins(monkeypatch: pytest.MonkeyPatch, value: str, complaint: str) -> None:
    install(monkeypatch, value)
    with pytest.raises(GameError) as caught:
        load("plugged")
    assert str(caught.value).startswith(f"the plug-in game plugged ({value})")
    assert complaint in str(caught.value)


def test_games_are_games() -> None:
    for name in names():
        assert isinstance(load(name), Game)
