"""Any program that speaks GTP, version 2: a board it keeps, moves it is told, and moves it makes."""

from __future__ import annotations

import time
from collections.abc import Sequence

from zermelo.errors import BadInput, ProgramFailed
from zermelo.protocols.process import PATIENCE, READY, Client

COLOURS = ("b", "w")
"""The colours of the players, in the order in which they move."""


class Refused(ProgramFailed):
    """A program did not do what it was told, and said so; it is still there."""


class GtpClient(Client):
    """A program that has answered. A failure of it is a `ProgramFailed`, and ends it."""

    def __init__(self, command: str | Sequence[str], *, patience: float = PATIENCE) -> None:
        super().__init__(command, patience)
        self._known: frozenset[str] = frozenset()
        try:
            name = self.ask("name")
            self.program.name = name.strip()[:60] or self.program.name
            self._known = frozenset(self.ask("list_commands").split())
            self.patience = READY
        except Refused as error:
            self.close()
            raise BadInput(f"{error}: it seems not to speak GTP") from None
        except BaseException:
            self.close()
            raise

    def knows(self, command: str) -> bool:
        """Whether the program has told that it has this command."""
        return command in self._known

    def ask(self, command: str, seconds: float | None = None) -> str:
        """The answer to a command, within so many seconds, else the program is ended; `Refused` if it refuses."""
        seconds = self.patience if seconds is None else seconds
        until, late = time.monotonic() + seconds, f"did not answer {command.split()[0]} within {seconds:g} s"
        self.program.forget()
        self.program.send(command)
        while (line := self.program.receive(until, late))[:1] not in ("=", "?"):
            pass
        refused, words = line[0] == "?", [line[1:].lstrip("0123456789").strip()]
        while line.strip():
            line = self.program.receive(until, late)
            words.append(line.strip())
        text = "\n".join(words).strip()
        if refused:
            raise Refused(f"{self.name} refused {command!r}: {text[:80] or 'it did not say why'}")
        return text

    def begin(self, size: int | None = None, komi: float | None = None) -> None:
        """An empty board, of a size and with komi where they are given."""
        if size is not None:
            self.ask(f"boardsize {size}")
        self.ask("clear_board")
        if komi is not None:
            self.ask(f"komi {komi:g}")

    def set_time(self, seconds: float) -> None:
        """So many seconds for each move; a program that does not know of time is told nothing."""
        if self.knows("time_settings"):
            self.ask(f"time_settings 0 {max(int(seconds), 1)} 1")

    def play(self, player: int, vertex: str) -> None:
        """A player puts a stone, or passes."""
        self.ask(f"play {COLOURS[player]} {vertex}")

    def genmove(self, player: int, seconds: float) -> str:
        """What the program plays for a player, within so many seconds: a vertex, pass or resign."""
        answer = self.ask(f"genmove {COLOURS[player]}", seconds).split()
        return answer[0].lower() if answer else ""

    def undo(self) -> None:
        """Take the last move back."""
        self.ask("undo")

    def final_score(self, seconds: float | None = None) -> str:
        """How the program counts the board: B+3.5, W+0.5 or 0."""
        return self.ask("final_score", seconds)
