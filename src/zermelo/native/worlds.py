"""Running a kernel in a world: interpreted, or native in a thread that can be watched and stopped.

A kernel is a plain function `kernel(game, …, tally)` that checks `tally.limit`; lowering the limit from
another thread stops it at the next node.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import fields
from typing import Any, TypeVar

from zermelo.errors import GameError, LimitReached, NotNative, ZermeloError
from zermelo.fields import why_not_plain
from zermelo.game import Game
from zermelo.native.stack import deep_recursion, with_stack

F = TypeVar("F", bound=Callable[..., Any])
TICK = 0.05
"""Seconds between looks at a running kernel."""

on_compile: Callable[[Game], AbstractContextManager[Any]] = nullcontext
"""What wraps a compilation that may take seconds; a face replaces it to show that something is going on."""


_halt: ContextVar[threading.Event | None] = ContextVar("halt", default=None)


@contextmanager
def halting(event: threading.Event) -> Iterator[None]:
    """Let every `run` in this thread end, with `LimitReached`, once an event is set."""
    before = _halt.set(event)
    try:
        yield
    finally:
        _halt.reset(before)


def natively(other: Callable[..., Any]) -> Callable[[F], F]:
    """Let native code call `other` wherever interpreted code calls the function so marked."""

    def mark(function: F) -> F:
        vars(function)["__native__"] = other
        return function

    return mark


def limit_now(tally: Any) -> Any:
    """`tally.limit` at this moment: what a kernel that loops must ask; one that calls itself may read the field."""
    return tally.limit


def is_enabled() -> bool:
    """Whether native code may be used at all: NUMBA_DISABLE_JIT=1 turns it off."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def why_interpreted(game: Game) -> str:
    """Empty if the game's state can be native, else the sentence that says why it stays interpreted."""
    if not is_enabled():
        return f"{game.title} runs interpreted because NUMBA_DISABLE_JIT is set"
    reason = why_not_plain(game.initial())
    cure = "make it a NamedTuple of ints, bools, floats, Bits and tuples of them to run native"
    return f"{game.title} runs interpreted because {reason}; {cure}" if reason else ""


def call(kernel: Callable[..., Any], game: Game, *args: Any) -> Any:
    """The kernel's result, native, in this thread; raises `NotNative` if the game can't be compiled."""
    return prepare(kernel, game, *args)(game, *args)


def prepare(kernel: Callable[..., Any], game: Game, *args: Any) -> Any:
    """The compiled kernel for arguments of these kinds, from memory, from disk, or made now."""
    reason = why_interpreted(game)
    if reason:
        raise NotNative(reason.replace(" runs interpreted because ", " can't be native: ", 1))
    from zermelo.native.compile import compiled

    return compiled(kernel, game, args, on_compile)


def prepare_run(kernel: Callable[..., Any], game: Game, *args: Any, tally: Any) -> None:
    """Compile what `run` would call natively with these arguments; `halting` stops that as well."""
    halt = _halt.get()
    if halt is None:
        ready(kernel, game, args, tally_record(tally))
        return
    failure: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            ready(kernel, game, args, tally_record(tally))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    if not halt.is_set():
        threading.Thread(target=work, daemon=True).start()
    while not done.wait(TICK):
        if halt.is_set():
            raise LimitReached
    if failure:
        raise failure[0]


def run(
    kernel: Callable[..., Any], game: Game, *args: Any, tally: Any, native: bool, seconds: float | None = None
) -> Any:
    """The kernel's result with `tally` as its last argument; Ctrl-C, `seconds` and `halting` stop it by the limit."""
    halt = _halt.get()
    if halt is not None and halt.is_set():
        raise LimitReached
    return (_run_native if native else _run_interpreted)(kernel, game, args, tally, seconds)


def _run_interpreted(kernel: Any, game: Game, args: Any, tally: Any, seconds: float | None) -> Any:
    def stop() -> None:
        tally.limit = 0

    timer = threading.Timer(seconds, stop) if seconds is not None else None
    if timer is not None:
        timer.daemon = True
        timer.start()
    done, halt = threading.Event(), _halt.get()
    if halt is not None:
        threading.Thread(target=_watch, args=(halt, done, stop), daemon=True).start()
    try:
        with deep_recursion():
            return kernel(game, *args, tally)
    finally:
        done.set()
        if timer is not None:
            timer.cancel()


def _watch(halt: threading.Event, done: threading.Event, stop: Callable[[], None]) -> None:
    """Stop a work once an event is set, unless it is done before."""
    while not done.wait(TICK):
        if halt.is_set():
            stop()
            return


def _run_native(kernel: Any, game: Game, args: Any, tally: Any, seconds: float | None) -> Any:
    record = tally_record(tally)
    made = ready(kernel, game, args, record)
    outcome: list[Any] = []
    done = threading.Event()

    def work() -> None:
        try:
            outcome.append(made(game, *args, record))
        except BaseException as error:
            outcome.append(error)
        finally:
            done.set()

    with_stack(work)
    until = time.monotonic() + seconds if seconds is not None else float("inf")
    halt = _halt.get()
    try:
        while not done.wait(min(TICK, max(until - time.monotonic(), 0.001))):
            if time.monotonic() >= until or (halt is not None and halt.is_set()):
                record["limit"] = 0
            tally.nodes = int(record["nodes"])
    except BaseException:
        record["limit"] = 0
        _outlast(done)
        raise
    finally:
        for field in fields(tally):
            setattr(tally, field.name, int(record[field.name]))
    if isinstance(outcome[0], BaseException):
        raise told(game, outcome[0])
    return outcome[0]


def _outlast(done: threading.Event) -> None:
    """Wait until a work has ended, whatever interrupts: it writes to memory that would be freed under it.

    A thread is not asked: once its `join` was interrupted it may be called dead while it runs.
    """
    while not done.is_set():
        with suppress(KeyboardInterrupt):
            done.wait()


def told(game: Game, error: BaseException) -> BaseException:
    """An error from native code, as a sentence for the game's author unless it is one already."""
    if isinstance(error, LimitReached) or (isinstance(error, ZermeloError) and str(error)):
        return error
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return GameError(f"a rule of {game.title} raised {what} in native play: run zermelo check on it to see where")


def ready(kernel: Any, game: Game, args: Any, record: Any) -> Any:
    """The compiled kernel for these very arguments; `NotNative` if a state among them holds too large a number."""
    if not all(_fits(item) for item in args if isinstance(item, tuple)):
        raise NotNative(f"a number in a state of {game.title} does not fit into 64 bits: keep it smaller, or use Bits")
    return prepare(kernel, game, *args, record)


def _fits(value: Any) -> bool:
    """Whether native code can hold a value of a state."""
    if isinstance(value, tuple):
        return all(_fits(item) for item in value)
    return type(value) is not int or -(1 << 63) <= value < 1 << 63


def tally_record(tally: Any) -> Any:
    """A NumPy record with the fields of a tally: what native code takes for it."""
    import numpy

    names = [field.name for field in fields(tally)]
    array = numpy.zeros(1, numpy.dtype([(name, "i8") for name in names]))
    for name in names:
        array[0][name] = getattr(tally, name)
    return array[0]
