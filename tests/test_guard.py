"""Deadlines: code that runs too long is interrupted, all other code is left alone."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from zermelo.errors import GameError
from zermelo.guard import deadline, line_in, told


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


def test_a_body_in_time_is_left_alone() -> None:
    with deadline(5, "too slow"):
        done = sum(range(1000))
    assert done == 499_500


def test_a_loop_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(GameError, match=r"^too slow$") as caught, deadline(0.1, "too slow"):
        forever()
    assert 0.1 <= time.monotonic() - start < 2
    assert caught.value.__suppress_context__


def test_the_message_may_be_made_when_it_is_needed() -> None:
    made = []

    def message() -> str:
        made.append(1)
        return "made late"

    with deadline(5, message):
        pass
    assert not made
    with pytest.raises(GameError, match="made late"), deadline(0.02, message):
        forever()
    assert made == [1]


def test_other_errors_pass() -> None:
    with pytest.raises(ValueError, match="mine"), deadline(5, "too slow"):
        raise ValueError("mine")
    with pytest.raises(KeyboardInterrupt), deadline(5, "too slow"):
        raise KeyboardInterrupt


def test_keyboard_interrupt_passes_after_the_time_too() -> None:
    def stubborn() -> None:
        try:
            forever()
        except BaseException:
            raise KeyboardInterrupt from None

    with pytest.raises(KeyboardInterrupt), deadline(0.02, "too slow"):
        stubborn()


def test_except_exception_does_not_stop_the_interruption() -> None:
    def careless() -> None:
        while True:
            try:
                forever()
            except Exception:
                continue

    with pytest.raises(GameError, match="too slow"), deadline(0.05, "too slow"):
        careless()


def test_a_body_that_swallows_the_interruption_is_interrupted_again() -> None:
    times = 0

    def stubborn() -> None:
        nonlocal times
        while times < 3:
            try:
                forever()
            except BaseException:
                times += 1

    with pytest.raises(GameError, match="too slow"), deadline(0.02, "too slow"):
        stubborn()
    assert times == 3


def test_an_error_made_of_the_interruption_is_told_as_slowness() -> None:
    def disguise() -> None:
        try:
            forever()
        except BaseException as error:
            raise RuntimeError("something went wrong") from error

    with pytest.raises(GameError, match="too slow"), deadline(0.02, "too slow"):
        disguise()


def test_generators_and_finally_clauses_are_unwound() -> None:
    closed = []

    def endless() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.append(True)

    with pytest.raises(GameError), deadline(0.05, "too slow"):
        for _ in endless():
            pass
    assert closed == [True]


def test_the_inner_of_two_deadlines() -> None:
    with deadline(5, "outer"):
        with pytest.raises(GameError, match="inner"), deadline(0.05, "inner"):
            forever()
        done = True
    assert done


def test_the_outer_of_two_deadlines() -> None:
    with pytest.raises(GameError, match="outer"), deadline(0.05, "outer"), deadline(5, "inner"):
        forever()


def test_no_time_at_all() -> None:
    with pytest.raises(GameError, match="too slow"), deadline(0, "too slow"):
        forever()


def test_only_the_thread_of_the_body_is_interrupted() -> None:
    results: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            with deadline(0.05 if number % 2 else 5, f"slow {number}"):
                spin(0.3)
            results[number] = "done"
        except GameError as error:
            results[number] = str(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: "done", 1: "slow 1", 2: "done", 3: "slow 3"}


def test_many_deadlines_cost_little_and_leave_nothing_behind() -> None:
    before = threading.active_count()
    start = time.monotonic()
    for _ in range(2000):
        with deadline(100, "too slow"):
            pass
    assert time.monotonic() - start < 2
    assert threading.active_count() <= before + 1


@pytest.mark.usefixtures("quick_switches")
def test_nothing_escapes_when_bodies_end_as_their_time_does() -> None:
    """Deadlines that expire just when their bodies end either raise their own error or none, never later."""
    dice = random.Random(1)
    outcomes: set[str] = set()
    for _ in range(1500):
        outcome = ""
        try:
            with deadline(0.0004, "outer"):
                try:
                    with deadline(dice.uniform(0.0001, 0.0006), "inner"):
                        spin(dice.uniform(0.0001, 0.0006))
                        if dice.random() < 0.2:
                            raise ValueError("mine")
                except GameError as error:
                    outcome = str(error)
        except (GameError, ValueError) as error:
            outcome += f" {error}"
        outcomes.add(outcome)
    assert outcomes <= {"", "inner", " outer", "inner outer", " mine"}
    spin(0.2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_deadlines_too() -> None:
    with deadline(5, "before"):
        pass
    child = os.fork()
    if child == 0:
        try:
            with deadline(0.05, "too slow"):
                forever()
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
