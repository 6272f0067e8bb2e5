"""A search that runs in a thread of its own, so that it can be stopped at any moment and still has an answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo import native
from zermelo.engine.job import Job

if TYPE_CHECKING:
    from zermelo.search.result import Result

Listener = Callable[["Result"], None]


class Thought:
    """What all searches have in common; each says how it thinks and how it is halted. `finish` is told the answer.

    `retell` is what turns what was found into the answer, where that is another.
    """

    def __init__(self, finish: Listener | None = None) -> None:
        self.finish = finish
        self.retell: Callable[[Result], Result] = lambda found: found
        self._stopped = False
        self._lock = threading.Lock()
        self._job = Job(self._answer, self.stop)

    def think(self) -> Result:
        """Search, in the thread that is there for it."""
        raise NotImplementedError

    def halt(self) -> None:
        """End what is going on as soon as may be; called with the lock, from any thread."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin to search; `result` does as well."""
        self._job.start()

    def stop(self) -> None:
        """End the search as soon as may be; its answer is the best so far."""
        with self._lock:
            self._stopped = True
            self.halt()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def is_done(self) -> bool:
        """Whether the search is over."""
        return self._job.is_done

    @property
    def is_native(self) -> bool:
        """Whether the search runs, or ran last, in native code."""
        return False

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it came."""
        return self._job.wait(seconds)

    def result(self) -> Result:
        """The answer, once it is there. Ctrl-C ends the search."""
        return self._job.result()

    def compiled(self, prepare: Callable[[], None], is_late: Callable[[], bool]) -> bool:
        """Compile what is to run natively; False if the search is stopped, or late, before that is done."""
        compiling = Job(prepare, lambda: None)
        compiling.start()
        while not compiling.wait(native.TICK):
            if self._stopped or is_late():
                return False
        compiling.result()
        return True

    def _answer(self) -> Result:
        found = self.retell(self.think())
        if self.finish is not None:
            self.finish(found)
        return found
