"""New Python processes, to measure what happens only once in each."""

from __future__ import annotations

import os
import subprocess
import sys


def output(code: str, *arguments: str, cache: str = "") -> str:
    """What some code prints in a process of its own, with a folder for compiled code if one is named."""
    environment = {**os.environ, "ZERMELO_CACHE": cache} if cache else None
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
