"""Running code that is not ours: a bound on its time, and the line that is to blame when it raises."""

from __future__ import annotations

import ctypes
import gc
import operator
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import compress, starmap
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from zermelo.errors import GameError

T = TypeVar("T")

AGAIN = 0.05
"""Seconds until a function that caught its interruption is interrupted once more."""

GARBAGE = 10.0
"""Seconds of collecting garbage that are forgiven; more is a function that does nothing else."""


def within(seconds: float, message: str | Callable[[], str], function: Callable[..., T], *arguments: Any) -> T:
    """What `function` gives if it takes at most so many seconds; then it is interrupted: `GameError(message)`.

    Python's collections of garbage, which may strike any call, don't count. Only Python code can be interrupted:
    a call into C ends first. Such calls nest, and any thread may make them. A function that swallows the
    interruption and ends still raises; Ctrl-C in it stays Ctrl-C.
    """
    watch = _Watch(seconds)
    try:
        try:
            _living_watcher().arrivals.put(weakref.ref(watch))
            found = function(*arguments)
        finally:
            watch.active = False
            for _ in (1, 2):  # an interruption that is still on its way arrives while this loops
                pass
    except (Exception, _Expired):
        if not watch.fired:
            raise
        raise _too_slow(message) from None
    if watch.fired:
        raise _too_slow(message)
    return found


def _too_slow(message: str | Callable[[], str]) -> GameError:
    return GameError(message if isinstance(message, str) else message())


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
    """Raised inside a function whose time is up, past every `except Exception`; turned into a GameError."""


class _Watch:
    """When a call in a thread must have ended; `active` until it has, `fired` once it was interrupted."""

    __slots__ = ("__weakref__", "_expires", "_pauses", "active", "fired", "thread")

    def __init__(self, seconds: float) -> None:
        self.active, self.fired = True, False
        self.thread = threading.get_ident()
        self._pauses = _pauses.seconds
        self._expires = time.monotonic() + seconds

    @property
    def expires(self) -> float:
        """When time is up: later by what collections of garbage have taken since the call began."""
        return self._expires + min(_pauses.seconds_until_now() - self._pauses, GARBAGE)

    def interrupt(self) -> None:
        """Raise `_Expired` in the thread of the call, if the call has not ended and the thread can bear it.

        To look, to write down and to interrupt are one call of C code, so that the thread can't move in between.
        From Python 3.13 on it moves a little further before it is struck.
        """
        steps = [(setattr, self, "fired", True), (_raise_in_thread, self.thread, _Expired)]
        frames = starmap(sys._current_frames, [()] * len(steps))
        codes = map(operator.attrgetter("f_code"), map(operator.itemgetter(self.thread), frames))
        free = map(operator.not_, map(_STARTING.__contains__, codes))
        ready = map(operator.and_, free, map(operator.attrgetter("active"), [self] * len(steps)))
        deque(starmap(operator.call, compress(steps, ready)), maxlen=0)
        self._pauses = _pauses.seconds
        self._expires = time.monotonic() + AGAIN


class _Pauses:
    """How long Python has collected garbage: a full collection in a large process takes half a second and more."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began: float | None = None
        gc.callbacks.append(self._note)

    def seconds_until_now(self) -> float:
        began = self._began
        return self.seconds if began is None else self.seconds + time.monotonic() - began

    def _note(self, phase: str, _: Any) -> None:
        if phase == "start":
            self._began = time.monotonic()
        elif self._began is not None:
            self.seconds += time.monotonic() - self._began
            self._began = None


class _Watcher(threading.Thread):
    """One thread that watches over all calls with a bound. It holds them weakly: one that has ended is forgotten."""

    def __init__(self) -> None:
        super().__init__(name="zermelo-guard", daemon=True)
        self.arrivals: SimpleQueue[Any] = SimpleQueue()

    def run(self) -> None:
        watched: list[Any] = []
        until: float | None = None
        while True:
            with suppress(Empty):
                watched.append(self.arrivals.get(timeout=until))
            watched, until = _look_after(watched)


def _look_after(watched: list[Any]) -> tuple[list[Any], float | None]:
    """Interrupt calls whose time is up; what is still to be watched, and the seconds to the next of it."""
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


_STARTING = frozenset(
    function.__code__
    for function in (
        *(threading.Thread.start, threading.Event.wait, threading.Condition.wait),
        *(threading.Condition.__enter__, threading.Condition.__exit__),
        *(threading.Condition._is_owned, threading.Condition._release_save),  # type: ignore[attr-defined]
    )
)
"""Where a thread is never interrupted. A thread that is being started bears its parent's number for a moment:
interrupted then, it would die before it could tell its parent that it had begun, and the parent would wait for ever."""
_raise_in_thread: Any = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.py_object)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
_pauses = _Pauses()
_watcher: _Watcher | None = None


def _living_watcher() -> _Watcher:
    """The watcher; a new one at the first call, and in a forked process."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = _Watcher()
        _watcher.start()
    return _watcher
