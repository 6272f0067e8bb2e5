"""The disk cache hits in the next process, and never serves stale code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

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


def test_an_edit_of_the_library_takes_effect(project: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(Path(zermelo.__file__).parent, library / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "count.py").write_text(
        "from zermelo.games.nim import Nim\nfrom zermelo.position import Position\n"
        "from zermelo.search.perft import count_leaves\nprint(count_leaves(Position(Nim()), 4, 'native').leaves)\n"
    )
    assert run(project, library, "count.py") == "81"
    path = library / "zermelo" / "search" / "perft.py"
    path.write_text(path.read_text().replace("        return 1\n", "        return 2\n"))
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
