"""Single keys from a terminal, without Enter: their names, as games and commands know them."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from types import TracebackType
from typing import Any, TextIO

ESCAPE = "\x1b"
ARROWS = ("up", "down", "right", "left")
SEQUENCES = {
    **{f"{ESCAPE}{lead}{sign}": name for lead in "[O" for sign, name in zip("ABCD", ARROWS, strict=True)},
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x03": "interrupt",
    ESCAPE: "escape",
}
"""What terminals send, and what it is called; any other character is its own name."""
BEGUN = re.compile(rf"{ESCAPE}[\[O][ -?\[]*")
"""A sequence but for the letter or ~ at its end; those without a name are passed over."""
ARROWS_OF_WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left"}
PATIENCE = 0.1
"""Seconds after which what may begin a sequence is the escape key."""


class Keyboard:
    """A terminal that gives each key at once, and is as it was again on leaving; `read` gives names of keys."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._waiting: deque[str] = deque()
        self._sent = ""
        """The beginning of a sequence, of which the rest is still to come."""
        self._before: Any = None

    def __enter__(self) -> Keyboard:
        if sys.platform != "win32":
            import termios
            import tty

            handle = self._source.fileno()
            self._before = termios.tcgetattr(handle)
            tty.setcbreak(handle, termios.TCSANOW)
            settings = termios.tcgetattr(handle)
            settings[6][termios.VSUSP] = b"\0"
            termios.tcsetattr(handle, termios.TCSANOW, settings)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32":
            import termios

            termios.tcsetattr(self._source.fileno(), termios.TCSANOW, self._before)

    def read(self, seconds: float) -> str:
        """The name of the next key, or "" if none is pressed so long; `EOFError` where there will be none."""
        if not self._waiting:
            self._sent += self._characters(seconds)
            while self._sent.endswith(ESCAPE) and (more := self._characters(PATIENCE)):
                self._sent += more
            names, self._sent = names_of(self._sent)
            self._waiting.extend(names)
        name = self._waiting.popleft() if self._waiting else ""
        if name == "interrupt":
            raise KeyboardInterrupt
        return name

    def _characters(self, seconds: float) -> str:
        """What has been typed; waits so long for the first of it."""
        if sys.platform == "win32":
            return _windows_characters(seconds)
        import select

        handle = self._source.fileno()
        if not select.select([handle], [], [], seconds)[0]:
            return ""
        try:
            found = os.read(handle, 1024)
        except OSError:
            found = b""
        if not found:
            raise EOFError
        return found.decode("utf-8", "ignore")


def names_of(text: str) -> tuple[list[str], str]:
    """The names of the keys that a terminal sent, and the beginning of a sequence if it has not sent the rest."""
    found = []
    while text:
        begun = BEGUN.match(text)
        if begun and begun.end() == len(text):
            break
        length = 3 if text[:3] in SEQUENCES else 1
        if begun and length == 1:
            length = begun.end() + (text[begun.end()] >= " ")
        else:
            found.append(SEQUENCES.get(text[:length], text[:length]))
        text = text[length:]
    return found, text


def _windows_characters(seconds: float) -> str:
    """What has been typed in a window of Windows, its arrows as other terminals send them."""
    import msvcrt

    keys: Any = msvcrt
    until = time.monotonic() + seconds
    while not keys.kbhit():
        if time.monotonic() >= until:
            return ""
        time.sleep(0.01)
    sign = keys.getwch()
    if sign not in "\0\xe0":
        return str(sign)
    name = ARROWS_OF_WINDOWS.get(keys.getwch(), "")
    return next((sent for sent, known in SEQUENCES.items() if known == name), "")
