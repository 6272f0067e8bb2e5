"""Work shared out to processes: each has its own interpreter, so that rules which run interpreted scale as well.

A process that is no longer wanted, or whose parent is gone, ends with the piece that it is at.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from operator import length_hint
from typing import Any, TypeVar

from zermelo.errors import BadInput, GameError, ZermeloError
from zermelo.guard import told
from zermelo.registry import blame_for

J = TypeVar("J")
R = TypeVar("R")

MOST_PROCESSES = 1024


def work_through(task: Callable[[J], R], jobs: Iterable[J], processes: int) -> Iterator[R]:
    """What the task makes of each job, as it is done; with one process in their order, in this process.

    With more, the task and the jobs are pickled. Who stops listening ends the work.
    """
    if not 1 <= processes <= MOST_PROCESSES:
        raise BadInput(f"there can be 1 to {MOST_PROCESSES:,} processes, not {processes}")
    if processes == 1:
        yield from map(task, jobs)
        return
    waiting = iter(jobs)
    with _crew(task, min(processes, length_hint(jobs, processes))) as connections:
        busy = {connection for connection in connections if _give(connection, waiting)}
        while busy:
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                done = _received(connection)
                if not _give(connection, waiting):
                    busy.discard(connection)
                yield done


@contextmanager
def _crew(task: Any, processes: int) -> Iterator[list[Connection]]:
    """The connections to processes that have been given the task; the processes end with it."""
    context, connections, workers = get_context("spawn"), [], []
    try:
        with _no_interrupts():
            for _ in range(processes):
                near, far = context.Pipe()
                worker = context.Process(target=serve, args=(far,), daemon=True)
                worker.start()
                far.close()
                workers.append(worker)
                connections.append(near)
        for connection in connections:
            connection.send(task)
        yield connections
    finally:
        for connection in connections:
            connection.close()
        for worker in workers:
            worker.terminate()
            worker.join()


def _give(connection: Connection, waiting: Iterator[Any]) -> bool:
    """Hand the next job to a process; False if there is none."""
    for job in waiting:
        with suppress(BrokenPipeError):  # its death is told where its answer is awaited
            connection.send((job,))
        return True
    return False


def _received(connection: Connection) -> Any:
    """What a process has found, or the error that it met."""
    try:
        found, sentence = connection.recv()
    except (EOFError, ConnectionError):
        raise GameError(
            "a process that was at work has been ended from outside, or has crashed: begin again, what is done is kept"
        ) from None
    if sentence:
        raise GameError(sentence)
    return found


def serve(connection: Connection) -> None:
    """What a process of the crew does: the task first, then job after job, until nobody is there to give them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, ConnectionError):
        task = _attempt(connection.recv)
        while True:
            (job,) = connection.recv()
            connection.send(task if task[1] else _attempt(partial(task[0], job)))


def _attempt(work: Callable[[], Any]) -> tuple[Any, str]:
    """What some work gives, and no sentence; or nothing, and the sentence for its error."""
    try:
        return work(), ""
    except (EOFError, ConnectionError):
        raise
    except ZermeloError as error:
        return None, str(error)
    except Exception as error:
        return None, blame_for(error) or told(error)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started meanwhile don't heed Ctrl-C, which is for this one alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def usable_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
