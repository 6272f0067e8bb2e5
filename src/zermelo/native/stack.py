"""Room for deep recursion: searches go down thousands of plies, and compiling nests deeply."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

STACK = 1 << 29
"""Bytes of stack for a thread that compiles or searches."""

FRAMES = 50_000
"""How deep Python may recurse meanwhile."""

_starting = threading.Lock()


def with_stack(work: Callable[[], None]) -> threading.Thread:
    """Start a thread with a large stack; the size holds for the whole process, so one starts at a time."""
    with _starting:
        before = threading.stack_size(STACK)
        try:
            worker = threading.Thread(target=work, daemon=True)
            worker.start()
        finally:
            threading.stack_size(before)
    return worker


def deep_recursion() -> AbstractContextManager[None]:
    """Allow Python to recurse as deep as a search may go."""
    return _room


class _Room:
    """The recursion limit, which all threads share: the first who needs it raises it, the last one resets it."""

    def __init__(self) -> None:
        self.lock, self.users, self.before = threading.Lock(), 0, 0

    def __enter__(self) -> None:
        with self.lock:
            if self.users == 0:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, FRAMES))
            self.users += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0:
                sys.setrecursionlimit(self.before)


_room = _Room()
