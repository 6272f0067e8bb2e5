"""Room for deep recursion: searches go down thousands of plies, and compiling nests deeply."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

STACK = 1 << 29
"""Bytes of stack for a thread that compiles or searches."""


def with_stack(work: Callable[[], None]) -> threading.Thread:
    """Start a thread with a large stack."""
    before = threading.stack_size(STACK)
    try:
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
    finally:
        threading.stack_size(before)
    return worker


@contextlib.contextmanager
def deep_recursion(frames: int = 50_000) -> Iterator[None]:
    """Allow Python to recurse as deep as a search may go."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
