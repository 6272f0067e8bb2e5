"""The options that a UCI program offers: their names, kinds and ranges, and what a limit of strength means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from zermelo.engine.options import USUAL_TABLE
from zermelo.errors import BadInput
from zermelo.switches import MOST_THREADS

EMPTY = "<empty>"
"""How UCI writes a text with nothing in it."""
LEAST_ELO, MOST_ELO = 500, 2200
"""The range of strengths that can be asked for."""
SURE_ELO, FEWEST_NODES = 1350, 100
"""From which strength on no moves are thrown away, and how many nodes are searched there and below it."""
DOUBLING = 85
"""By how much a search of twice as many nodes is stronger."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of all options. Hash is in MiB, Move Overhead in milliseconds."""

    hash: int = int(USUAL_TABLE)
    threads: int = 1
    ponder: bool = False
    multipv: int = 1
    own_book: bool = True
    book: str = ""
    overhead: int = 30
    limit_strength: bool = False
    elo: int = 1500
    analyse: bool = False

    def changed(self, option: Option, text: str) -> Settings:
        """The settings with another value for an option; `BadInput` if it is none."""
        value: Any = option.parse(text)
        return replace(self, **{option.field: value})


class Option(NamedTuple):
    """An option by its UCI name, and the setting it is for; a spin has a range."""

    name: str
    field: str
    kind: str
    least: int = 0
    most: int = 0

    def declare(self, settings: Settings) -> str:
        """The line that offers it."""
        words = f"option name {self.name} type {self.kind}"
        if self.kind == "button":
            return words
        value = getattr(settings, self.field)
        shown = str(value).lower() if self.kind == "check" else str(value) if value != "" else EMPTY
        return f"{words} default {shown}" + (f" min {self.least} max {self.most}" if self.kind == "spin" else "")

    def parse(self, text: str) -> int | bool | str:
        """The value that a text writes; `BadInput` if it is none for this option."""
        if self.kind == "string":
            return "" if text == EMPTY else text
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise BadInput(f"{self.name} is true or false, not {text[:40]!r}")
            return text.lower() == "true"
        is_number = text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12
        if not is_number or not self.least <= int(text) <= self.most:
            raise BadInput(f"{self.name} is a number from {self.least} to {self.most}, not {text[:40]!r}")
        return int(text)


CLEAR = "Clear Hash"
OPTIONS = (
    Option("Hash", "hash", "spin", 1, 65_536),
    Option("Threads", "threads", "spin", 1, MOST_THREADS),
    Option(CLEAR, "", "button"),
    Option("Ponder", "ponder", "check"),
    Option("MultiPV", "multipv", "spin", 1, 256),
    Option("OwnBook", "own_book", "check"),
    Option("Book", "book", "string"),
    Option("Move Overhead", "overhead", "spin", 0, 10_000),
    Option("UCI_LimitStrength", "limit_strength", "check"),
    Option("UCI_Elo", "elo", "spin", LEAST_ELO, MOST_ELO),
    Option("UCI_AnalyseMode", "analyse", "check"),
)


def find_option(name: str) -> Option:
    """The option of that name, however it is capitalised; `BadInput` if there is none."""
    for option in OPTIONS:
        if option.name.lower() == name.lower():
            return option
    raise BadInput(f"there is no option {name[:40]!r}")


class Strength(NamedTuple):
    """How a strength is played: which part of the moves is any legal one, and how many nodes the others are given."""

    mistakes: float
    nodes: int


def strength_of(elo: int) -> Strength:
    """What to do to play chess about as well as Stockfish with the same UCI_Elo.

    `FEWEST_NODES` and `DOUBLING` are fitted to the matches in `docs/chess.md`, from 1350 to 2000. What lies beyond is
    extrapolated: above by the same rule, below by mistakes.
    """
    nodes = int(FEWEST_NODES * 2 ** (max(elo - SURE_ELO, 0) / DOUBLING))
    return Strength(max(SURE_ELO - elo, 0) / 1000, nodes)
