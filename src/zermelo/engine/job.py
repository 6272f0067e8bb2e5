"""Work in a thread of its own, with room for deep recursion, that the caller waits for and can stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from zermelo import native
from zermelo.native.stack import with_stack

T = TypeVar("T")


class Job(Generic[T]):
    """A function that runs in its own thread, from `start` on; `stop` is what makes it end early."""

    def __init__(self, work: Callable[[], T], stop: Callable[[], None]) -> None:
        self._work, self.stop = work, stop
        self._value: T
        self._error: BaseException | None = None
        self._begun = False
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, if it has not begun."""
        if not self._begun:
            self._begun = True
            with_stack(self._run)

    def _run(self) -> None:
        self._thread = threading.current_thread()
        try:
            self._value = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        return self._done.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it came. The work itself does not wait for itself."""
        if threading.current_thread() is self._thread:
            return False
        return self._done.wait(seconds)

    def result(self, seconds: float | None = None) -> T:
        """What the function returned, or the error it raised; told to stop after some seconds, and by Ctrl-C."""
        self.start()
        until = float("inf") if seconds is None else time.monotonic() + seconds
        try:
            while not self.wait(min(native.TICK, max(until - time.monotonic(), 0.0))):
                if time.monotonic() >= until:
                    self.stop()
                    self.wait()
        except BaseException:
            self.stop()
            self.wait()
            raise
        if self._error is not None:
            raise self._error
        return self._value
