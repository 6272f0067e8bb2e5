"""Bounds on time: code that runs too long is interrupted, all other code is left alone."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from zermelo.errors import GameError
from zermelo.guard import line_in, told, within


def forever() -> None:
    while True:
        pass


def spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads take turns as often as they can, so that every order of events comes about."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_function_in_time_is_left_alone() -> None:
    assert within(5, "too slow", lambda: sum(range(1000))) == 499_500
    assert within(5, "too slow", divmod, 7, 2) == (3, 1)


def test_a_loop_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(GameError, match=r"^too slow$") as caught:
        within(0.1, "too slow", forever)
    assert 0.1 <= time.monotonic() - start < 2
    assert caught.value.__suppress_context__


def test_the_message_may_be_made_when_it_is_needed() -> None:
    made = []

    def message() -> str:
        made.append(1)
        return "made late"

    within(5, message, int)
    assert not made
    with pytest.raises(GameError, match="made late"):
        within(0.02, message, forever)
    assert made == [1]


def test_other_errors_pass() -> None:
    def fail(error: BaseException) -> None:
        raise error

    with pytest.raises(ValueError, match="mine"):
        within(5, "too slow", fail, ValueError("mine"))
    with pytest.raises(KeyboardInterrupt):
        within(5, "too slow", fail, KeyboardInterrupt())


def test_keyboard_interrupt_passes_after_the_time_too() -> None:
    def stubborn() -> None:
        try:
            forever()
        except BaseException:
            raise KeyboardInterrupt from None

    with pytest.raises(KeyboardInterrupt):
        within(0.02, "too slow", stubborn)


def test_except_exception_does_not_stop_the_interruption() -> None:
    def careless() -> None:
        while True:
            try:
                forever()
            except Exception:
                continue

    with pytest.raises(GameError, match="too slow"):
        within(0.05, "too slow", careless)


def test_a_function_that_swallows_the_interruption_is_interrupted_again() -> None:
    times = 0

    def stubborn() -> None:
        nonlocal times
        while times < 3:
            try:
                forever()
            except BaseException:
                times += 1

    with pytest.raises(GameError, match="too slow"):
        within(0.02, "too slow", stubborn)
    assert times == 3


def test_an_error_made_of_the_interruption_is_told_as_slowness() -> None:
    def disguise() -> None:
        try:
            forever()
        except BaseException as error:
            raise RuntimeError("something went wrong") from error

    with pytest.raises(GameError, match="too slow"):
        within(0.02, "too slow", disguise)


def test_generators_and_finally_clauses_are_unwound() -> None:
    closed = []

    def endless() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.append(True)

    with pytest.raises(GameError):
        within(0.05, "too slow", lambda: all(endless()))
    assert closed == [True]


def test_the_inner_of_two_bounds() -> None:
    def outer() -> bool:
        with pytest.raises(GameError, match="inner"):
            within(0.05, "inner", forever)
        return True

    assert within(5, "outer", outer)


def test_the_outer_of_two_bounds() -> None:
    with pytest.raises(GameError, match="outer"):
        within(0.05, "outer", within, 5, "inner", forever)


def test_no_time_at_all() -> None:
    with pytest.raises(GameError, match="too slow"):
        within(0, "too slow", forever)


def test_collecting_garbage_is_forgiven() -> None:
    """A full collection that takes longer than the call may: a million lists in rings, and slow to look through."""
    rings = [[None] for _ in range(1_000_000)]
    for ring in rings:
        ring[0] = ring  # type: ignore[call-overload]
    started = time.monotonic()
    gc.collect()
    pause = time.monotonic() - started
    assert within(pause / 4, "too slow", gc.collect) >= 0
    assert within(pause / 4, "too slow", lambda: [gc.collect(), spin(pause / 20)]) != []
    with pytest.raises(GameError, match="too slow"):
        within(pause / 4, "too slow", lambda: [gc.collect(), forever()])


def test_only_the_thread_of_the_function_is_interrupted() -> None:
    results: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            within(0.05 if number % 2 else 5, f"slow {number}", spin, 0.3)
            results[number] = "done"
        except GameError as error:
            results[number] = str(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: "done", 1: "slow 1", 2: "done", 3: "slow 3"}


def test_many_bounds_cost_little_and_leave_nothing_behind() -> None:
    before = threading.active_count()
    start = time.monotonic()
    for _ in range(2000):
        within(100, "too slow", int)
    assert time.monotonic() - start < 2
    assert threading.active_count() <= before + 1


@pytest.mark.usefixtures("quick_switches")
def test_nothing_escapes_when_functions_end_as_their_time_does() -> None:
    """Bounds that are reached just when their functions end either raise their own error or none, never later."""
    dice = random.Random(1)

    def work() -> str:
        spin(dice.uniform(0.0001, 0.0006))
        if dice.random() < 0.2:
            raise ValueError("mine")
        return ""

    def inner() -> str:
        try:
            return within(dice.uniform(0.0001, 0.0006), "inner", work)
        except GameError as error:
            return str(error)

    outcomes: set[str] = set()
    for _ in range(1500):
        try:
            outcomes.add(within(0.0004, "outer", inner))
        except (GameError, ValueError) as error:
            outcomes.add(str(error))
    assert outcomes <= {"", "inner", "outer", "mine"}
    spin(0.2)


def test_a_profiler_may_look_on() -> None:
    """Python 3.11 loops for ever under a profiler where an interruption was taken back in place of arriving."""
    code = (
        "import cProfile\nfrom zermelo.guard import within\n"
        "def work():\n    try:\n        return within(0.05, 'slow', lambda: [0 for _ in iter(int, 1)])\n"
        "    except Exception as error:\n        return within(5, 'slow', str, error)\n"
        "print(cProfile.Profile().runcall(work))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "slow\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_bounds_too() -> None:
    within(5, "before", int)
    child = os.fork()
    if child == 0:
        try:
            within(0.05, "too slow", forever)
        except GameError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_the_line_of_an_error() -> None:
    def fail() -> None:
        raise ValueError("first\n  second")

    with pytest.raises(ValueError, match="first") as caught:
        fail()
    assert line_in(caught.value, __file__) == fail.__code__.co_firstlineno + 1
    assert line_in(caught.value, "elsewhere.py") is None


def test_an_error_is_told_on_one_line() -> None:
    assert told(ValueError("first\n  second")) == "ValueError: first second"
    assert told(KeyError()) == "KeyError"
