"""Positions with what is known of them: EPD, as in `… w - - bm Qg6; id "WAC.001";`.

After the four fields of the position come operations: a name, its operands, and a semicolon. Lines that have the two
counts of a FEN before their operations, and operations that begin with a semicolon (`;D1 20`), are read as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zermelo.errors import BadInput
from zermelo.games.chess import fen, san

if TYPE_CHECKING:
    from zermelo.games.chess import Chess

MOST_OPERANDS = 1_000
FIELDS = re.compile(r"\s*(\S+\s+\S+\s+\S+\s+[^\s;]+)(?:\s+([0-9]+)\s+([0-9]+)(?=\s|;|$))?\s*;?")
OPERATION = re.compile(r'\s*([A-Za-z]\w{0,14})((?:\s++|"[^"]*+"|[^;"\s]++)*)(?:;|$)')
OPERAND = re.compile(r'"([^"]*)"|([^"\s]+)')
PLAIN = re.compile(r'[^;"\s]+')
COMMENTS = re.compile(r"id|c[0-9]")
"""The operations whose operands are texts, written in quotes."""
LINES = ("pv", "line")
"""The operations whose moves follow one another; those of others are all of the position."""


@dataclass(frozen=True)
class Entry:
    """A position, and its operations by name: the operands of each, as texts without quotes."""

    state: Chess.State
    operations: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the position is called; empty where it has no id."""
        return " ".join(self.operations.get("id", ()))

    def actions(self, game: Chess, name: str) -> tuple[int, ...]:
        """The actions that an operation such as bm, am or pv writes; `IllegalAction` if one of them is not legal."""
        found, state = [], self.state
        for word in self.operations.get(name, ()):
            found.append(san.read(game, state, word))
            if name in LINES:
                state = game.result(state, found[-1])
        return tuple(found)


def read(game: Chess, line: str) -> Entry:
    """The position on a line with its operations; `BadInput` if it can't be read."""
    fields = FIELDS.match(line)
    if fields is None:
        raise BadInput(f"{line[:60]!r} is no line of EPD: that is four fields of a FEN, then operations such as bm e4;")
    operations = _operations(line, fields.end())
    clock = _count(line, operations.get("hmvc"), fields[2] or "0")
    number = _count(line, operations.get("fmvn"), fields[3] or "1")
    state = fen.read(game, f"{fields[1]} {clock} {number}")
    return Entry(state, operations)


def write(entry: Entry) -> str:
    """A position with its operations on one line; `read` gives it back."""
    *position, clock, number = fen.write(entry.state).split()
    counts = {"hmvc": (clock,), "fmvn": (number,)} if (clock, number) != ("0", "1") else {}
    operations = {**{name: words for name, words in entry.operations.items() if name not in ("hmvc", "fmvn")}, **counts}
    return " ".join([*position, *(_operation(name, operands) for name, operands in operations.items())])


def _operation(name: str, operands: tuple[str, ...]) -> str:
    """An operation with its semicolon; texts are quoted, and lose the quotes within them, which EPD can't write."""
    words = []
    for operand in operands:
        plain = PLAIN.fullmatch(operand) and not COMMENTS.fullmatch(name)
        words.append(operand if plain else '"' + operand.replace('"', "'") + '"')
    return " ".join([name, *words]) + ";"


def _operations(line: str, place: int) -> dict[str, tuple[str, ...]]:
    """All operations of a line, from a place on."""
    found: dict[str, tuple[str, ...]] = {}
    line = line.rstrip()
    while place < len(line):
        operation = OPERATION.match(line, place)
        if operation is None:
            raise BadInput(f"{line[place : place + 40]!r} is no operation of EPD: that is a name, operands, and a ;")
        name = operation[1]
        if name in found:
            raise BadInput(f"the operation {name} is given twice in {line[:60]!r}")
        operands = tuple(match[1] if match[2] is None else match[2] for match in OPERAND.finditer(operation[2]))
        if len(operands) > MOST_OPERANDS:
            raise BadInput(f"the operation {name} has {len(operands)} operands: {MOST_OPERANDS} at most are read")
        found[name] = operands
        place = operation.end()
    return found


def _count(line: str, operands: tuple[str, ...] | None, usual: str) -> str:
    """A count that an operation gives, else the one of the fields."""
    if operands is None:
        return usual
    if len(operands) != 1 or not operands[0].isascii() or not operands[0].isdigit():
        raise BadInput(f"a count in {line[:60]!r} is no number: write hmvc 0; and fmvn 1;")
    return operands[0]
