"""The manual is true: its Python runs, its commands print what the page says, and so do the examples.

How a page is read: a `python` block is run, the blocks of one page one after the other in one namespace; a `text`
block right behind it is what it prints. A block whose first line is `# name.py` is that file, `# name.py, added` the
end of it, and one that begins with `# not run` is only shown. In a `console` block each line with `$` is a command,
run in a folder with the page's files, and the lines below are what it prints; an exit code other than 0 must be shown
by `$ echo $?`. `…` stands for anything on a line, and alone on a line for any number of lines. Commands that set up,
build or measure are only shown.

`python tests/test_docs.py` writes what is printed now into the pages where it differs, with `…` for times.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEEDS_NATIVE = {"write_a_game.py"}
"""Examples that ask for the native world."""

SHOWN_ONLY = (
    "make ",
    "pip ",
    "git ",
    "python3 ",
    "zermelo bench ",
    "zermelo lab pacman",
    "zermelo tune othello ",
    "zermelo play connect-four\n",
)
"""Commands that set up, build, measure or wait for somebody to type."""

QUIET = re.compile(r"compiling \w+ \(first time only\)\n")
"""Said once for each version of a game, so it depends on what ran before."""


FILE = re.compile(r"# (\w+\.py)(, added)?\n")
"""The first line of a block that is a file."""


class Block(NamedTuple):
    """A fenced block of a page, with the number of its first line."""

    language: str
    text: str
    line: int


class Command(NamedTuple):
    """A command of a console block, and what the page says it prints."""

    words: str
    output: str
    line: int


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """All fenced blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start, language = -1, ""
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start < 0:
            start, language = number, line[3:].strip()
        else:
            yield Block(language, "".join(f"{each}\n" for each in lines[start + 1 : number]), start + 2)
            start = -1
    assert start < 0, f"{name_of(page)} line {start + 1}: this block has no end"


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            found.append(Command(line[2:], "", number))
        else:
            assert found, f"line {number}: a console block begins with a command"
            found[-1] = found[-1]._replace(output=f"{found[-1].output}{line}\n")
    return found


def is_file(block: Block) -> bool:
    """Whether a block is a file, or the end of one."""
    return block.language == "python" and FILE.match(block.text) is not None


def write_file(block: Block, folder: Path) -> None:
    """Write the file that a block is."""
    found = FILE.match(block.text)
    assert found is not None
    with (folder / found[1]).open("a" if found[2] else "w", encoding="utf-8") as file:
        file.write(block.text)


def run(words: str, folder: Path) -> tuple[int, str]:
    """A command's exit code and all it prints."""
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    environment = {**os.environ, "PATH": programs, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    return done.returncode, QUIET.sub("", done.stdout)


def matches(shown: str, printed: str) -> bool:
    """Whether a command printed what a page shows; empty lines don't count."""
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    reached = {0}
    for line in filter(str.strip, shown.splitlines()):
        if line.strip() == "…":
            reached = set(range(min(reached, default=len(lines) + 1), len(lines) + 1))
            continue
        form = re.compile(".*".join(map(re.escape, re.split(" *…", line.rstrip()))))
        reached = {at + 1 for at in reached if at < len(lines) and form.fullmatch(lines[at])}
    return len(lines) in reached


def walk(page: Path, folder: Path) -> Iterator[tuple[Command, str, int]]:
    """Write the files and run the commands of a page; each command with what it printed and its exit code."""
    code = 0
    for block in blocks(page):
        if is_file(block):
            write_file(block, folder)
        for command in commands(block) if block.language == "console" else ():
            if command.words == "echo $?":
                yield command, f"{code}\n", 0
            elif not f"{command.words}\n".startswith(SHOWN_ONLY):
                code, printed = run(command.words, folder)
                yield command, printed, code


def converse(page: Path, folder: Path) -> Iterator[tuple[Block, str]]:
    """Write the files and run the Python of a page in that folder; each block of output with what was printed."""
    namespace: dict[str, Any] = {"__name__": "page"}
    printed = ""
    for block in blocks(page):
        if is_file(block):
            write_file(block, folder)
        elif block.language == "python" and not block.text.startswith("# not run"):
            output = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            with contextlib.chdir(folder), contextlib.redirect_stdout(output):
                exec(code, namespace)
            printed = output.getvalue()
            continue
        elif block.language == "text" and printed:
            yield block, printed
        printed = ""


PYTHON_PAGES = [page for page in PAGES if any(block.language == "python" for block in blocks(page))]
CONSOLE_PAGES = [page for page in PAGES if any(block.language == "console" for block in blocks(page))]


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=name_of)
def test_python_blocks_run_and_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for block, printed in converse(page, tmp_path):
        assert matches(block.text, printed), f"{name_of(page)} line {block.line}: it prints\n{printed}"
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.mark.native
@pytest.mark.parametrize("page", CONSOLE_PAGES, ids=name_of)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    failed = ""
    for command, printed, code in walk(page, tmp_path):
        where = f"{name_of(page)} line {command.line}: $ {command.words}"
        assert matches(command.output, printed), f"{where}\nprints\n{printed}"
        assert not failed or command.words == "echo $?", failed
        failed = f"{where}\nends with exit code {code}, which is not shown" if code else ""
    assert not failed, failed


@pytest.mark.parametrize(
    "example",
    [pytest.param(path, marks=pytest.mark.native if path.name in NEEDS_NATIVE else ()) for path in EXAMPLES],
    ids=lambda path: path.name,
)
def test_examples_print_what_their_docstring_says(example: Path, tmp_path: Path) -> None:
    docstring = example.read_text(encoding="utf-8").split('"""')[1]
    shown = docstring.partition("It prints:\n\n")[2]
    code, printed = run(f"{sys.executable} {example}", tmp_path)
    assert code == 0, printed
    assert matches("".join(f"{line[4:]}\n" for line in shown.rstrip().splitlines()), printed), printed


def test_every_page_is_in_the_manual() -> None:
    listed = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for page in (ROOT / "docs").rglob("*.md"):
        assert page.stem == "index" or page.stem in listed, f"{name_of(page)} is in no table of contents"


def test_figures_in_prose_are_those_of_the_code() -> None:
    from zermelo.check import check_game
    from zermelo.check.values import NATIVE_NODES, NODES
    from zermelo.engine.levels import FULL, LEVELS
    from zermelo.engine.simulating import USUAL_SECONDS
    from zermelo.probe import PATIENCE
    from zermelo.search.memory import array_table
    from zermelo.search.strategies import MOST_PAIRS
    from zermelo.search.tally import DEEPEST, ENGINE_TRIAL, TRIAL
    from zermelo.search.values import TABLE_ENTRIES

    assert (TRIAL, ENGINE_TRIAL, DEEPEST, MOST_PAIRS) == (5_000, 2_000, 10_000, 10_000_000)
    assert (PATIENCE, USUAL_SECONDS, LEVELS[FULL].seconds) == (10, 5, 5)
    assert TABLE_ENTRIES == 2**21
    assert array_table(1).itemsize == 24
    assert inspect.signature(check_game).parameters["plies"].default == 20_000
    assert (NODES, NATIVE_NODES) == (1_000, 50_000)


@pytest.mark.native
def test_the_cache_is_as_large_as_the_page_says() -> None:
    from zermelo.native.cache import MOST_BYTES

    assert MOST_BYTES == 512 * 2**20


@pytest.mark.parametrize("page", sorted({*PAGES, *ROOT.glob("[A-Z]*.md")}), ids=name_of)
def test_links_between_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name_of(page)} links to {target}, which is not there"


def update(page: Path) -> None:
    """Write what a page's commands and Python print now into the page, where it differs."""
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        for command, printed, _ in walk(page, Path(folder)):
            if not matches(command.output, printed):
                changes.append((command.line, len(command.output.splitlines()), without_times(printed)))
        for block, printed in converse(page, Path(folder)):
            if not matches(block.text, printed):
                changes.append((block.line - 1, len(block.text.splitlines()), printed))
        sys.path.remove(folder)
    lines = page.read_text(encoding="utf-8").splitlines()
    for line, count, printed in sorted(changes, reverse=True):
        lines[line : line + count] = [each.rstrip() for each in printed.splitlines()]
    page.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def without_times(printed: str) -> str:
    """What was printed, with `…` for times and speeds."""
    assert "Traceback" not in printed, printed
    time, rate = r"[\d.,]+ (?:ms|s)\b", r"[\d.,]+(?: billion| million| thousand)?/s"
    printed = re.sub(rf"(in {time}) \({rate}\)", "in … (…)", printed)
    printed = re.sub(rf"{time}, {rate}", "…", printed)
    columns = rf"({time})( +{rate})( +[\d.]+%)"
    printed = re.sub(columns, lambda found: "".join("…".rjust(len(text)) for text in found.groups()), printed)
    printed = re.sub(rf" · {time}", " · …", printed)
    printed = re.sub(rf"(searched|once|times) in {time}", r"\1 in …", printed)
    printed = re.sub(rf"( nodes)  {time}", r"\1  …", printed)
    printed = re.sub(rf"{rate} plies interpreted(, {rate} native)?", "…", printed)
    return re.sub(r'"seconds": [\d.e-]+', '"seconds": …', printed)


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        update(path)
