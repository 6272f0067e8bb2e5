"""The disk cache hits in the next process, and never serves stale code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.engine.decide import best
from zermelo.games.dice_race import DiceRace

pytestmark = pytest.mark.native

FILES = {
    "constants.py": "TOP = 100\n",
    "helpers.py": "def helper(n):\n    return n * 2\n",
    "base.py": """\
from typing import NamedTuple
from zermelo.game import Game
class State(NamedTuple):
    n: int
class Base(Game):
    def initial(self): return State(5)
    def to_move(self, state): return 0
    def actions(self, state): yield 1
    def result(self, state, action): return State(state.n - action)
    def is_terminal(self, state): return state.n == 0
    def utility(self, state, player): return 0
    def inherited(self, n): return n + 1000
""",
    "mine.py": """\
import constants
from base import Base
from constants import TOP
from helpers import helper
LOCAL = 10
class Mine(Base):
    factor = 10000
    def __init__(self, size=1): self.size = size
    def own(self, n): return n + LOCAL
    def answer(self, n):
        return self.own(n) + helper(n) + self.inherited(n) + TOP + constants.TOP + self.factor + self.size
""",
    "kernel.py": "def kernel(game, state, n):\n    return game.answer(n)\n",
    "main.py": """\
import os
from zermelo import native
from zermelo.native import worlds
from contextlib import contextmanager
@contextmanager
def told(game):
    print("compiling", end=" ")
    yield
worlds.on_compile = told
from kernel import kernel
from mine import Mine
game = Mine()
print(native.call(kernel, game, game.initial(), 1))
""",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, library: Path | None = None, script: str = "main.py") -> str:
    """What a new process prints, with the project's own cache."""
    path = str(library or Path(zermelo.__file__).parent.parent)
    env = {**os.environ, "ZERMELO_CACHE": str(project / "cache"), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, script], cwd=project, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_next_process_does_not_compile(project: Path) -> None:
    first = run(project)
    assert first == "compiling 11215"
    assert run(project) == "11215"


def test_a_function_that_calls_itself_with_numbers_of_another_kind_is_kept(project: Path) -> None:
    (project / "kernel.py").write_text(
        "def climb(n, done):\n"
        "    if n == 0:\n"
        "        return 1.0 * done\n"
        "    return climb(n - 1, done + 1.0)\n"
        "def kernel(game, state, n):\n"
        "    return game.answer(n) + climb(5, 0)\n"
    )
    assert [run(project) for _ in range(2)] == ["compiling 11220.0", "11220.0"]


@pytest.mark.parametrize(
    ("file", "old", "new", "answer"),
    [
        ("mine.py", "self.own(n) +", "2 * self.own(n) +", 11226),
        ("mine.py", "n + LOCAL", "n - LOCAL", 11195),
        ("mine.py", "LOCAL = 10", "LOCAL = 20", 11225),
        ("mine.py", "factor = 10000", "factor = 20000", 21215),
        ("mine.py", "size=1", "size=2", 11216),
        ("helpers.py", "n * 2", "n * 3", 11216),
        ("base.py", "n + 1000", "n + 2000", 12215),
        ("constants.py", "TOP = 100", "TOP = 200", 11415),
        ("kernel.py", "game.answer(n)", "game.answer(n) + 1", 11216),
    ],
    ids=[
        "rule",
        "helper method",
        "constant",
        "class attribute",
        "parameter",
        "function",
        "base class",
        "module",
        "kernel",
    ],
)
def test_an_edit_takes_effect_at_the_next_run(project: Path, file: str, old: str, new: str, answer: int) -> None:
    run(project)
    text = (project / file).read_text()
    assert old in text
    stamp = (project / file).stat().st_mtime_ns
    (project / file).write_text(text.replace(old, new))
    os.utime(project / file, ns=(stamp, stamp))
    assert run(project) == f"compiling {answer}"
    (project / file).write_text(text)
    assert run(project) == "11215"


HIDDEN = {
    "deep/__init__.py": "",
    "deep/tables.py": "WORTH = 1\n",
    "colorsys.py": "def shade(n):\n    return n * 10\n",
    "mine.py": """\
from typing import NamedTuple
import colorsys
import deep.tables
import numpy
from zermelo.game import Game
TABLE = numpy.zeros(5000, numpy.int64)
TABLE[2500] = 100
class State(NamedTuple):
    n: int
    more: int = 1000
    def _inner(self): return 10000
class Consts:
    _HIDDEN = 100000
    @staticmethod
    def _helper(n): return n * 1000000
class Mine(Game):
    def __init__(self):
        self._private = 10000000
        self.__own = 100000000
    def initial(self): return State(1)
    def to_move(self, state): return 0
    def actions(self, state): yield 1
    def result(self, state, action): return state._replace(n=0)
    def is_terminal(self, state): return state.n == 0
    def utility(self, state, player): return 0
    def answer(self, n):
        return (
            deep.tables.WORTH + colorsys.shade(n) + TABLE[2499 + n] + State(n).more + self.of(State(n))
            + Consts._HIDDEN + Consts._helper(n) + self._private + self.__own
        )
    def of(self, state): return state._inner()
""",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        ("deep/tables.py", "= 1", "= 2", 0),
        ("colorsys.py", "* 10", "* 20", 1),
        ("mine.py", "= 100\n", "= 200\n", 2),
        ("mine.py", "= 1000\n", "= 2000\n", 3),
        ("mine.py", "return 10000\n", "return 20000\n", 4),
        ("mine.py", "= 100000\n", "= 200000\n", 5),
        ("mine.py", "* 1000000\n", "* 2000000\n", 6),
        ("mine.py", "= 10000000\n", "= 20000000\n", 7),
        ("mine.py", "= 100000000\n", "= 200000000\n", 8),
    ],
    ids=["package", "name of a library", "array", "default", "method of a state", *("private",) * 4],
)
def test_an_edit_where_it_is_hard_to_see_takes_effect(project: Path, file: str, old: str, new: str, place: int) -> None:
    (project / "deep").mkdir()
    for name, text in HIDDEN.items():
        (project / name).write_text(text)
    assert run(project) == "compiling 111111111"
    text = (project / file).read_text()
    assert text.count(old) == 1
    (project / file).write_text(text.replace(old, new))
    assert run(project) == f"compiling {111111111 + 10**place}"


def test_states_alike_in_name_and_fields_are_told_apart(project: Path) -> None:
    for name, worth in (("one", 10), ("two", 20)):
        own = f"    n: int\n    def worth(self): return {worth}\n"
        game = FILES["base.py"].replace("    n: int\n", own).replace("return n + 1000", "return State(n).worth()")
        (project / f"{name}.py").write_text(game)
    (project / "main.py").write_text("""\
from zermelo import native
import one, two
def kernel(game, n): return game.inherited(n)
print(native.call(kernel, one.Base(), 1), native.call(kernel, two.Base(), 1))
""")
    assert run(project) == "10 20"
    assert run(project) == "10 20"


def test_a_game_may_be_searched_while_its_file_is_being_imported(project: Path) -> None:
    asking = "print('here', native.call(kernel, Mine(), Mine().initial(), 1))\n"
    game = FILES["mine.py"] + "from zermelo import native\nfrom kernel import kernel\n" + asking
    (project / "mine.py").write_text(game)
    (project / "main.py").write_text("import mine\n")
    assert run(project) == "here 11215"
    assert run(project) == "here 11215"


def test_finding_compiled_code_runs_no_file(project: Path) -> None:
    assert run(project) == "compiling 11215"
    (project / "other.py").write_text((project / "mine.py").read_text())
    (project / "mine.py").write_text("print('mine was run')\n")
    main = project / "main.py"
    main.write_text(main.read_text().replace("from mine import", "from other import"))
    assert run(project) == "11215"


def test_only_files_of_the_cache_are_ever_deleted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.native import cache

    monkeypatch.setattr(cache, "MOST_BYTES", 10)
    for name in ("notes.txt", "old.kernel", ".new-file", "new.kernel"):
        (project / name).write_text("12345678")
        os.utime(project / name, (1000, 2000 if name == "new.kernel" else 1000))
    cache._prune(project)
    left = {path.name for path in project.iterdir()}
    assert {"notes.txt", "new.kernel"} <= left
    assert not {"old.kernel", ".new-file"} & left


def test_without_a_home_the_cache_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.native import cache

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("ZERMELO_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache.Path, "home", homeless)
    assert cache.folder().name.startswith("zermelo")


def test_an_edit_of_the_library_takes_effect(project: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(Path(zermelo.__file__).parent, library / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "count.py").write_text(
        "from zermelo.games.nim import Nim\nfrom zermelo.position import Position\n"
        "from zermelo.search.perft import count_leaves\nprint(count_leaves(Position(Nim()), 4, 'native').leaves)\n"
    )
    assert run(project, library, "count.py") == "81"
    path = library / "zermelo" / "search" / "perft.py"
    path.write_text(
        path.read_text().replace("return game.count_actions(state)", "return 2 * game.count_actions(state)")
    )
    assert run(project, library, "count.py") == "162"
    path = library / "zermelo" / "native" / "twins.py"
    before = len(list((project / "cache").iterdir()))
    path.write_text(path.read_text() + "\n")
    assert run(project, library, "count.py") == "162"
    assert len(list((project / "cache").iterdir())) == before + 1


def test_a_spoiled_cache_file_is_made_again(project: Path) -> None:
    run(project)
    (path,) = (project / "cache").iterdir()
    whole = path.read_bytes()
    for spoiled in (
        b"",
        whole[:100],
        whole[:-1],
        whole[:200] + bytes([whole[200] ^ 1]) + whole[201:],
        b"nonsense" * 50,
    ):
        path.write_bytes(spoiled)
        assert run(project).endswith("11215")
        assert path.read_bytes().startswith(b"zermelo kernel")


def test_without_a_place_for_the_cache_all_still_works(project: Path) -> None:
    (project / "cache").write_text("a file, not a folder")
    assert run(project) == "compiling 11215"


def test_the_search_with_chance_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It calls itself with numbers that are written down."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    best(DiceRace(length=3, sides=4), algorithm="star2", world="native")
    assert [path.name.partition("-")[0] for path in tmp_path.glob("*.kernel")] == ["starred"]
