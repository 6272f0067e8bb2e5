"""External programs for tests: small ones that misbehave on purpose, and whether a process is still there."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from zermelo.protocols import process

ENGINES = Path(__file__).parent / "data" / "engines"


def fake(protocol: str, mode: str) -> list[str]:
    """The command of a program that speaks `uci` or `gtp` for tic-tac-toe, and does wrong what the mode says."""
    return [sys.executable, "-S", str(ENGINES / f"{protocol}.py"), mode]


def fake_player(protocol: str, mode: str) -> str:
    """The same as a player is written."""
    return f"{protocol}:{' '.join(fake(protocol, mode))}"


def is_alive(pid: int) -> bool:
    """Whether a process is there, and not merely waited for."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def installed(program: str) -> str:
    """Where a program is; the test is skipped where it is not there."""
    found = shutil.which(program, path=os.pathsep.join((os.environ["PATH"], *process.GAMES)))
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found
