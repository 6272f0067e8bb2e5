"""Running kernels: side by side in threads, with room to recurse, stopped by time, and only with what fits."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from zermelo.native.stack import deep_recursion, with_stack


def test_threads_share_the_recursion_limit_and_the_last_one_resets_it() -> None:
    before = sys.getrecursionlimit()
    inside, leave = threading.Event(), threading.Event()

    def deep() -> int:
        with deep_recursion():
            inside.set()
            leave.wait(10)
            return sys.getrecursionlimit()

    with ThreadPoolExecutor(1) as threads:
        with deep_recursion():
            other = threads.submit(deep)
            inside.wait(10)
        leave.set()
        assert other.result() > before
    assert sys.getrecursionlimit() == before


def test_threads_that_start_together_leave_the_stack_size_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before, start, together = threading.stack_size(), threading.Thread.start, threading.Barrier(4)

    def slow(thread: threading.Thread) -> None:
        time.sleep(0.02)
        start(thread)

    def begin(delay: float) -> threading.Thread:
        together.wait(10)
        time.sleep(delay)
        return with_stack(lambda: None)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(together.wait, [10] * 4))
        monkeypatch.setattr(threading.Thread, "start", slow)
        for worker in threads.map(begin, (0, 0.002, 0.004, 0.006)):
            worker.join()
    assert threading.stack_size() == before
