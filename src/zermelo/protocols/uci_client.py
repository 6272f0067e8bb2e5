"""Any UCI engine, seen from outside: its options, the position it is to think about, and what it answers."""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf

from zermelo.errors import BadInput
from zermelo.protocols.process import PATIENCE, READY, Client

MATE = 1000.0
"""What a mate is worth in pawns, less the moves until then: more than any estimate."""
GO_WORDS = ("movetime", "depth", "nodes", "wtime", "btime", "winc", "binc", "movestogo", "mate")
"""The limits that `go` takes, each with a whole number: milliseconds, plies, moves."""
FLAGS = {"true": "true", "yes": "true", "on": "true", "1": "true"} | dict.fromkeys(("false", "no", "off", "0"), "false")


@dataclass(frozen=True, slots=True)
class UciOption:
    """A setting that an engine has told of: `kind` is check, spin, combo, button or string."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def checked(self, text: str) -> str:
        """The value as the engine wants it, or `BadInput`."""
        if self.kind == "check":
            return self._one_of(FLAGS, text, "true or false")
        if self.kind == "combo":
            return self._one_of({choice.lower(): choice for choice in self.choices}, text, ", ".join(self.choices))
        if self.kind == "spin":
            least, most = -inf if self.least is None else self.least, inf if self.most is None else self.most
            if not re.fullmatch(r"[+-]?\d+", text) or not least <= int(text) <= most:
                raise BadInput(f"{self.name} is a whole number from {least} to {most}, not {text!r}")
        if self.kind == "button" and text:
            raise BadInput(f"{self.name} is a button: give it no value")
        return text

    def _one_of(self, values: Mapping[str, str], text: str, words: str) -> str:
        if text.lower() not in values:
            raise BadInput(f"{self.name} is {words}, not {text!r}")
        return values[text.lower()]


@dataclass(frozen=True, slots=True)
class UciAnswer:
    """What an engine chose: a move as text, `score` in pawns seen by the mover (None if it told none), the line it
    expects, and the seconds it took by our clock."""

    move: str = ""
    ponder: str = ""
    score: float | None = None
    mate: int | None = None
    depth: int = 0
    nodes: int = 0
    line: tuple[str, ...] = field(default=())
    seconds: float = 0.0


class UciClient(Client):
    """An engine that has greeted. A failure of it is a `ProgramFailed`, and ends it."""

    def __init__(
        self, command: str | Sequence[str], options: Mapping[str, str] | None = None, *, patience: float = PATIENCE
    ) -> None:
        super().__init__(command, patience)
        self.options: dict[str, UciOption] = {}
        self.author = ""
        try:
            self._greet()
            self.patience = READY
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self.sync()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        until = time.monotonic() + self.patience
        self.program.send("uci")
        while (line := self._receive(until, "uci")) != "uciok":
            first, _, rest = line.partition(" ")
            if first == "id" and rest.startswith("name "):
                self.program.name = rest[5:].strip()[:60] or self.program.name
            elif first == "id" and rest.startswith("author "):
                self.author = rest[7:].strip()
            elif first == "option" and (option := parse_option(rest)) is not None:
                self.options[option.name.lower()] = option

    def set_option(self, name: str, value: str = "") -> None:
        """Set an option that the engine has, to a value that it takes; else `BadInput`."""
        option = self.options.get(name.strip().lower())
        if option is None:
            near = difflib.get_close_matches(name.lower(), self.options, 1)
            hint = (
                f"did you mean {self.options[near[0]].name}?"
                if near
                else "it has " + ", ".join(each.name for each in self.options.values())
            )
            raise BadInput(f"{self.name} has no option {name!r}: {hint if self.options else 'it has none'}")
        text = option.checked(value.strip())
        self.program.send(f"setoption name {option.name}" + (f" value {text}" if option.kind != "button" else ""))

    def new_game(self) -> None:
        """Say that what comes next is another game."""
        self.program.send("ucinewgame")
        self.sync()

    def sync(self) -> None:
        """Wait until the engine has done all it was told."""
        self.program.send("isready")
        until = time.monotonic() + self.patience
        while self._receive(until, "isready") != "readyok":
            pass

    def set_position(self, start: str = "", moves: Sequence[str] = ()) -> None:
        """What to think about: a FEN, or the usual start where that is empty, and the moves since."""
        played = " moves " + " ".join(moves) if moves else ""
        self.program.send(f"position {f'fen {start}' if start else 'startpos'}{played}")
        self.sync()

    def go(self, limits: Mapping[str, int], seconds: float, grace: float = 1.0) -> UciAnswer:
        """Let the engine choose. After so many seconds it is told to stop, and after the grace it is ended."""
        if unknown := [word for word in limits if word not in GO_WORDS]:
            raise BadInput(f"go takes {', '.join(GO_WORDS)}, not {unknown[0]!r}")
        self.program.forget()
        began = time.monotonic()
        self.program.send(" ".join(["go", *(f"{word} {number}" for word, number in limits.items())]))
        answer, until, stopped = UciAnswer(), began + seconds, False
        while True:
            line = self.program.wait(until) if not stopped else self._receive(until, f"go within {seconds + grace:g} s")
            if line is None:
                self.program.send("stop")
                until, stopped = began + seconds + grace, True
            elif line.split()[:1] == ["bestmove"]:
                words = [*line.split()[1:], "", "", ""]
                ponder = words[2] if words[1] == "ponder" else ""
                return replace(answer, move=words[0], ponder=ponder, seconds=time.monotonic() - began)
            elif line.startswith("info "):
                answer = parse_info(line, answer)

    def _receive(self, until: float, question: str) -> str:
        within = "" if "within" in question else f" within {self.patience:g} s"
        return self.program.receive(until, f"did not answer {question}{within}").strip()


def parse_option(text: str) -> UciOption | None:
    """The option that the rest of an `option` line tells of; None where it makes no sense."""
    found = re.fullmatch(r"\s*name\s+(.+?)\s+type\s+(check|spin|combo|button|string)\b(.*)", text)
    if found is None:
        return None
    fields: dict[str, list[str]] = {}
    for key, value in re.findall(r"\b(default|min|max|var)\b(.*?)(?=\s(?:default|min|max|var)\b|$)", found[3]):
        fields.setdefault(key, []).append(value.strip())
    default, least, most = (fields.get(key, [""])[0] for key in ("default", "min", "max"))
    choices = tuple(fields.get("var", ()))
    return UciOption(found[1], found[2], default, _whole(least), _whole(most), choices)


def parse_info(line: str, before: UciAnswer) -> UciAnswer:
    """What an `info` line adds to what is known; nonsense adds nothing.

    Of several lines only the best counts, and a score that is only known not to be better counts for nothing.
    """
    words = line.split()
    if "string" in words:
        words = words[: words.index("string")]
    values = dict(pairwise(words))
    if values.get("multipv", "1") != "1":
        return before
    found = replace(before, depth=_whole(values.get("depth")) or before.depth)
    found = replace(found, nodes=_whole(values.get("nodes")) or before.nodes)
    score, mate = _whole(values.get("cp")), _whole(values.get("mate"))
    told = "score" in values and "upperbound" not in words
    if told and mate is not None:
        found = replace(found, mate=mate, score=MATE - mate if mate > 0 else -MATE - mate)
    elif told and score is not None:
        found = replace(found, mate=None, score=score / 100)
    return replace(found, line=tuple(words[words.index("pv") + 1 :])) if "pv" in words else found


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"[+-]?\d{1,18}", text) else None
