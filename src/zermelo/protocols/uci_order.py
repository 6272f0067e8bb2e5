"""What UCI's `go` asks for."""

from __future__ import annotations

from typing import NamedTuple

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
"""What `go` takes with a number."""
LARGEST = 10**12
"""Numbers beyond this are taken for it."""


class Order(NamedTuple):
    """What `go` asks for: numbers by their names, and the words that stand alone."""

    numbers: dict[str, int]
    infinite: bool
    ponder: bool
    only: tuple[str, ...]

    @classmethod
    def parse(cls, words: list[str]) -> Order:
        """The order that words write; what makes no sense is left out."""
        numbers: dict[str, int] = {}
        flags, only = set(), []
        rest = iter(words)
        for word in rest:
            if word in NUMBERS:
                numbers[word] = _number(next(rest, ""))
            elif word in ("infinite", "ponder", "searchmoves"):
                flags.add(word)
            elif "searchmoves" in flags:
                only.append(word)
        return cls(numbers, "infinite" in flags, "ponder" in flags, tuple(only))

    def is_endless(self, own: str) -> bool:
        """Whether a search for a player, w or b, ends only by `stop`."""
        return self.infinite or not {"depth", "nodes", "mate", "movetime", f"{own}time"} & self.numbers.keys()


def _number(word: str) -> int:
    """The number that a word writes, cut to what fits; 0 if it writes none."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return 0
    number = int(digits) if len(digits) < 20 else LARGEST
    return min(number, LARGEST) * (-1 if word.startswith("-") else 1)
