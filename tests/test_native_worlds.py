"""Running kernels: side by side in threads, with room to recurse, stopped by time, and only with what fits."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import Any

import pytest

from zermelo import native
from zermelo.engine.decide import decide
from zermelo.errors import LimitReached, NotNative
from zermelo.games.nim import Nim
from zermelo.native import worlds
from zermelo.native.stack import deep_recursion, with_stack
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.alphabeta import alphabeta, alphabeta_hard, negamax_alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.maxn import maxn
from zermelo.search.memory import array_table, remembering_alphabeta
from zermelo.search.minimax import minimax
from zermelo.search.negamax import negamax
from zermelo.search.perft import count_leaves, perft
from zermelo.search.tally import Tally

LONG = {
    perft: ("connect-four", (20,)),
    minimax: ("connect-four", (0, 42)),
    negamax: ("connect-four", (42,)),
    alphabeta: ("connect-four", (0, -inf, inf, 42)),
    alphabeta_hard: ("connect-four", (0, -inf, inf, 42)),
    negamax_alphabeta: ("connect-four", (-inf, inf, 42)),
    expectiminimax: ("connect-four", (0, 42)),
    maxn: ("connect-four", (42,)),
    remembering_alphabeta: ("connect-four", (0, -inf, inf, 42, array_table(1 << 10))),
}
"""Every kernel with a game and arguments that keep it busy for seconds at least."""


@pytest.mark.native
def test_a_state_beyond_64_bits_is_searched_and_counted_interpreted() -> None:
    for stones, world in ((2**63 - 1, "native"), (2**63, "interpreted"), (10**30, "interpreted")):
        position = Position(Nim(), Nim.State(stones, 0))
        found, count = decide(position, depth=9, algorithm="minimax"), count_leaves(position, 9)
        assert (found.nodes, found.world) == ((3**10 - 3) // 2, world)
        assert (count.leaves, count.world) == (3**9, world)
        assert ("does not fit into 64 bits" in found.note) == ("does not fit" in count.note) == (world == "interpreted")
    with pytest.raises(NotNative, match="a number in a state of Nim does not fit into 64 bits: keep it smaller"):
        decide(Position(Nim(), Nim.State(-(10**30), 0)), depth=1, world="native")


@pytest.mark.native
@pytest.mark.parametrize("kernel", LONG, ids=lambda kernel: kernel.__name__)
def test_time_stops_every_native_kernel(kernel: Any) -> None:
    name, args = LONG[kernel]
    game, tally = load(name), Tally()
    native.prepare_run(kernel, game, game.initial(), *args, tally=tally)
    started = time.monotonic()
    with pytest.raises(LimitReached):
        native.run(kernel, game, game.initial(), *args, tally=tally, native=True, seconds=0.1)
    assert time.monotonic() - started < 2
    assert tally.nodes > 0


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


def ending(_game: Any, _state: Any, tally: Any) -> int:
    """A kernel that says when it has ended."""
    tally.leaves = 7
    return 0


@pytest.mark.native
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to oneself there")
def test_ctrl_c_waits_until_native_code_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    tally, game = Tally(), Nim()
    native.prepare_run(ending, game, game.initial(), tally=tally)
    monkeypatch.setattr(worlds, "with_stack", lambda work: with_stack(lambda: (time.sleep(0.5), work())[1]))
    interrupt = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        native.run(ending, game, game.initial(), tally=tally, native=True)
    assert tally.leaves == 7


def test_compiling_is_halted(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, halt = threading.Event(), threading.Event(), threading.Event()

    def compile_for_ever(*_: Any) -> None:
        begun.set()
        go_on.wait(60)
        raise NotNative("it was never halted")

    monkeypatch.setattr(worlds, "ready", compile_for_ever)
    threading.Thread(target=lambda: (begun.wait(60), halt.set())).start()
    with native.halting(halt):
        with pytest.raises(LimitReached):
            native.prepare_run(minimax, Nim(), Nim().initial(), 0, 3, tally=Tally())
        begun.clear()
        with pytest.raises(LimitReached):
            native.prepare_run(minimax, Nim(), Nim().initial(), 0, 3, tally=Tally())
    assert not begun.is_set()
    go_on.set()
