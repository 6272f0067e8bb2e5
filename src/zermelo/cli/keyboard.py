"""Single keys from a terminal, without Enter: their names, as games and commands know them."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from types import TracebackType
from typing import Any, TextIO

ARROWS = ("up", "down", "right", "left")
SEQUENCES = {
    **{f"\x1b{lead}{sign}": name for lead in "[O" for sign, name in zip("ABCD", ARROWS, strict=True)},
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x03": "interrupt",
    "\x1b": "escape",
}
"""What terminals send, and what it is called; any other character is its own name."""
ARROWS_OF_WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


class Keyboard:
    """A terminal that gives each key at once, and is as it was again on leaving; `read` gives names of keys."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._waiting: deque[str] = deque()
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
            self._waiting.extend(names_of(self._characters(seconds)))
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


def names_of(text: str) -> list[str]:
    """The names of the keys that a terminal sent."""
    found = []
    while text:
        length = 3 if text[:3] in SEQUENCES else 1
        if text[0] == "\x1b" and length == 1 and text[1:2] in ("[", "O"):
            length = 2 + next((at for at, sign in enumerate(text[2:], 1) if sign.isalpha() or sign == "~"), 0)
        else:
            found.append(SEQUENCES.get(text[:length], text[:length]))
        text = text[length:]
    return found


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
