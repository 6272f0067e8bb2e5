"""Running code that is not ours: a bound on its time, and the line that is to blame when it raises."""

from __future__ import annotations

import ctypes
import operator
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from itertools import compress, starmap
from queue import Empty, SimpleQueue
from typing import Any

from zermelo.errors import GameError

AGAIN = 0.05
"""Seconds until a body that caught its interruption is interrupted once more."""


def deadline(seconds: float, message: str | Callable[[], str]) -> AbstractContextManager[None]:
    """Let the body take so many seconds; then interrupt it and raise `GameError(message)`.

    Only Python code can be interrupted: a call into C ends first. Deadlines nest, and any thread may use
    them. A body that swallows the interruption and ends still raises; Ctrl-C in a body stays Ctrl-C.
    """
    return _Deadline(seconds, message)


def line_in(error: BaseException, file: str | None) -> int | None:
    """The line of `file` where the error was raised or passed through last; None if it never was there."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def told(error: BaseException) -> str:
    """The kind and words of an error, on one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


class _Expired(BaseException):
    """Raised inside a body whose time is up, past every `except Exception`; turned into a GameError."""


class _Deadline:
    __slots__ = ("__weakref__", "active", "expires", "fired", "message", "seconds", "thread")

    def __init__(self, seconds: float, message: str | Callable[[], str]) -> None:
        self.seconds = seconds
        self.message = message
        self.active = self.fired = False
        self.thread = 0
        self.expires = 0.0

    def __enter__(self) -> None:
        self.thread = threading.get_ident()
        self.expires = time.monotonic() + self.seconds
        watcher = _living_watcher()
        self.active = True
        watcher.arrivals.put(weakref.ref(self))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with _lock:
            self.active = False
        if self.fired and (kind is None or issubclass(kind, Exception | _Expired)):
            raise GameError(self.message if isinstance(self.message, str) else self.message()) from None

    def interrupt(self) -> None:
        """Raise `_Expired` in the body's thread, unless that is on its way in or out of a deadline.

        To look where the thread is and to interrupt it are one call of C code, so that it can't move in between.
        """
        frames = starmap(sys._current_frames, [()])
        codes = map(operator.attrgetter("f_code"), map(operator.itemgetter(self.thread), frames))
        inside = map(operator.not_, map(_EDGES.__contains__, codes))
        attempt: Iterator[int] = starmap(_raise_in_thread, compress([(self.thread, _Expired)], inside))
        with _lock:
            if self.active:
                self.fired = next(attempt, 0) == 1 or self.fired
        self.expires = time.monotonic() + AGAIN


class _Watcher(threading.Thread):
    """One thread that watches over all deadlines. It holds them weakly: one that was left is forgotten."""

    def __init__(self) -> None:
        super().__init__(name="zermelo-deadlines", daemon=True)
        self.arrivals: SimpleQueue[Any] = SimpleQueue()

    def run(self) -> None:
        watched: list[Any] = []
        until: float | None = None
        while True:
            with suppress(Empty):
                watched.append(self.arrivals.get(timeout=until))
            watched, until = _look_after(watched)


def _look_after(watched: list[Any]) -> tuple[list[Any], float | None]:
    """Interrupt bodies whose time is up; what is still to be watched, and the seconds to the next of it."""
    now = time.monotonic()
    kept, until = [], None
    for reference in watched:
        one = reference()
        if one is None or not one.active:
            continue
        if one.expires <= now:
            one.interrupt()
        kept.append(reference)
        left = max(one.expires - now, 0.0)
        until = left if until is None else min(until, left)
    return kept, until


_lock = threading.Lock()
_EDGES = frozenset(
    edge.__code__
    for edge in (
        *(_Deadline.__enter__, _Deadline.__exit__),
        # A thread that is being started bears its parent's number for a moment: interrupted then, it would die
        # before it could tell its parent that it had begun, and the parent would wait for ever.
        *(threading.Thread.start, threading.Event.wait, threading.Condition.wait),
        *(threading.Condition.__enter__, threading.Condition.__exit__),
        *(threading.Condition._is_owned, threading.Condition._release_save),  # type: ignore[attr-defined]
    )
)
"""Where a thread is never interrupted."""
_raise_in_thread: Any = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.py_object)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
_watcher: _Watcher | None = None


def _living_watcher() -> _Watcher:
    """The watcher; a new one at the first deadline, and in a forked process."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = _Watcher()
        _watcher.start()
    return _watcher
