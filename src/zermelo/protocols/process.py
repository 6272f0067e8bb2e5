"""An external program that is talked to by lines over pipes, with deadlines that are kept from outside.

Nothing here waits without a bound: one thread reads whatever the program says, and whoever asks gives a deadline. A
program that fails is ended with all processes it has started, and what happened is told in one sentence.
"""

from __future__ import annotations

import os
import select
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Self

from zermelo.errors import BadInput, OutOfTime, ProgramFailed

LONGEST_LINE = 1 << 16
"""Bytes of the longest line that is read."""
MOST_UNREAD = 1 << 22
"""Characters that may wait to be read."""
SHOWN = 80
"""Characters of what a program said that a message quotes."""
PATIENCE = 15.0
"""Seconds that a program has to greet."""
READY = 120.0
"""Seconds that a program that has greeted has for whatever is no thinking: it may have tables to read, or compile."""
GRACE = 1.0
"""Seconds that a program has to leave by itself."""
SENDING = 5.0
"""Seconds within which a program must take what it is told."""
GAMES = ("/usr/games", "/usr/local/games")
"""Where systems put games, which is not on everybody's path."""


class Program:
    """A child process in a process group of its own. `name` is what messages call it.

    After any failure the process is gone, and whatever is asked of it then fails with the same words.
    """

    def __init__(self, command: str | Sequence[str], name: str = "") -> None:
        words = split_command(command) if isinstance(command, str) else list(command)
        self.name = name or Path(words[0]).name
        self.failure: ProgramFailed | None = None
        self._process = _start(words)
        self._lines: deque[str] = deque()
        self._unread = 0
        self._news = threading.Condition()
        self._silent = False
        """Whether nothing more will come."""
        self._flood, self._ending = "", False
        self._last, self._complaint = "", ""
        self._wake, self._waker = os.pipe()
        self._reader = threading.Thread(target=self._read, name=f"reader of {self.name}", daemon=True)
        self._reader.start()

    # Talking.

    def send(self, line: str) -> None:
        """Tell the program one line."""
        if "\n" in line or "\r" in line:
            raise BadInput(f"{self.name} can't be told {line!r}: it is more than one line")
        self._refuse_dead()
        assert self._process.stdin is not None
        pipe, data, until = self._process.stdin.fileno(), f"{line}\n".encode(), time.monotonic() + SENDING
        while data:
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                if time.monotonic() > until:
                    self.fail(f"{self.name} has not read what it was told for {SENDING:g} s", OutOfTime)
                poll = select.poll()
                poll.register(pipe, select.POLLOUT)
                poll.poll(100)
            except OSError:
                self._report_end()

    def receive(self, until: float, doing: str) -> str:
        """The next line that the program says, before the monotonic clock is at `until`; else it is ended.

        `doing` is what it should have done, as the rest of a sentence: "did not answer uci within 5 s".
        """
        line = self.wait(until)
        if line is None:
            said = f"; the last it said was {_quoted(self._last)}" if self._last else ""
            self.fail(f"{self.name} {doing}{said}", OutOfTime)
        return line

    def wait(self, until: float) -> str | None:
        """The next line, or None where there is none before the monotonic clock is at `until`."""
        self._refuse_dead()
        with self._news:
            self._news.wait_for(lambda: self._lines or self._silent, max(until - time.monotonic(), 0.0))
            if self._lines:
                line = self._lines.popleft()
                self._unread -= len(line) + 1
                self._last = line.strip() or self._last
                return line
            silent = self._silent
        if silent:
            self._report_end()
        return None

    def forget(self) -> None:
        """Drop whatever has been said and not been read."""
        with self._news:
            self._lines.clear()
            self._unread = 0

    # Ending.

    def fail(self, message: str, kind: type[ProgramFailed] = ProgramFailed) -> NoReturn:
        """End the program and raise what it is to blame for."""
        self._end(0.0)
        self.failure = kind(message)
        raise self.failure

    def close(self, farewell: str = "") -> None:
        """End the program: politely where a farewell is given, and by force where that does not help."""
        if self._process.returncode is not None:
            return
        if farewell and self.failure is None:
            with suppress(ProgramFailed):
                self.send(farewell)
        self._end(GRACE if farewell else 0.0)
        self.failure = self.failure or ProgramFailed(f"{self.name} has been closed")

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_dead(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _report_end(self) -> NoReturn:
        """Say how a program ended that speaks no more."""
        self._end(GRACE)
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"has ended with exit code {code}"
        words = f": {self._complaint}" if self._complaint else ""
        self.fail(self._flood or f"{self.name} {how}{words}")

    def _end(self, grace: float) -> None:
        """Wait so long for the program to leave, then end it and all of its group; nothing of it is left."""
        if self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        until = time.monotonic() + grace
        while not self._has_left() and time.monotonic() < until:
            time.sleep(0.01)
        with self._news:
            self._ending = True
            self._kill()  # before it is waited for: until then nobody else can have its number
        self._process.wait()
        os.write(self._waker, b"!")
        self._reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        os.close(self._wake)
        os.close(self._waker)

    def _has_left(self) -> bool:
        """Whether the program has ended; it stays there to be waited for."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    # Reading, in a thread of its own.

    def _read(self) -> None:
        """Take all that the program says, until it can say no more or is ended."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        rest = {self._process.stdout.fileno(): b"", self._process.stderr.fileno(): b""}
        output = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            for pipe in (self._wake, *rest):
                selector.register(pipe, selectors.EVENT_READ)
            while output in selector.get_map():
                ready = [key.fd for key, _ in selector.select()]
                if self._wake in ready:
                    break
                for pipe in ready:
                    chunk = os.read(pipe, LONGEST_LINE)
                    *lines, rest[pipe] = (rest[pipe] + chunk).split(b"\n")
                    if not chunk:
                        selector.unregister(pipe)
                    (self._hear if pipe == output else self._overhear)(
                        lines if chunk or not rest[pipe] else [rest[pipe]]
                    )
                    if len(rest[pipe]) > LONGEST_LINE:
                        rest[pipe] = b""
                        self._drown(pipe == output, f"a line of more than {LONGEST_LINE:,} characters")
        with self._news:
            self._silent = True
            self._news.notify_all()

    def _hear(self, lines: Sequence[bytes]) -> None:
        """Keep lines for whoever asks for them; far too many of them end the program."""
        texts = [line.decode(errors="replace").strip("\r") for line in lines]
        with self._news:
            if self._flood:
                return
            self._lines.extend(texts)
            self._unread += sum(len(text) + 1 for text in texts)
            self._news.notify_all()
            flooded = self._unread > MOST_UNREAD
        self._drown(flooded, "more than anybody can read")

    def _overhear(self, lines: Sequence[bytes]) -> None:
        """Keep the last complaint, which may tell why the program ended."""
        texts = [text for line in lines if (text := line.decode(errors="replace").strip())]
        self._complaint = _quoted(texts[-1]) if texts else self._complaint

    def _drown(self, flooded: bool, what: str) -> None:
        if flooded and not self._flood:
            self._flood = f"{self.name} said {what}, and was ended"
            with self._news:
                self._lines.clear()
                if not self._ending:
                    self._kill()


class Client:
    """Somebody who speaks a protocol with a program. Once it has greeted, `patience` is for what needs no thinking."""

    def __init__(self, command: str | Sequence[str], patience: float) -> None:
        self.program, self.patience = Program(command), patience

    @property
    def name(self) -> str:
        """What the program calls itself, or what its file is called."""
        return self.program.name

    def close(self) -> None:
        """Ask the program to leave, and see to it."""
        self.program.close("quit")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def split_command(command: str) -> list[str]:
    """The words of a command, as a shell would split them."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"{command!r} is no command: {str(error).lower()}") from None
    if not words:
        raise BadInput("a command is needed to start a program, such as uci:stockfish")
    return words


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """The process, with pipes on all sides; it never sees the keyboard's Ctrl-C."""
    folders = (os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent), *GAMES)
    found = shutil.which(words[0], path=os.pathsep.join(folders))
    if found is None:
        raise BadInput(f"there is no program {words[0]!r}: install it, or give its path")
    try:
        process = subprocess.Popen(
            [found, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"{words[0]!r} can't be started: {getattr(error, 'strerror', None) or error}") from None
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    return process


def _quoted(text: str) -> str:
    """The beginning of what was said, in quotes."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + " …")
