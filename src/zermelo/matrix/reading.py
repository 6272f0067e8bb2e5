"""Matrices in CSV: payoffs to the row player, with names of rows and columns or without.

A line that begins with `#` is a comment; the first one is the title. The values are separated by commas, semicolons or
tabs. The first line holds names if none of its values is a number, and so does the first column; an empty corner says
that both do, whatever they look like.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from zermelo.errors import BadInput
from zermelo.matrix.numerals import fraction_text, payoff_text
from zermelo.matrix.payoffs import NOT_FINITE, NUMBER, Matrix, brief, printable, refuse_large, to_fraction

QUOTED = re.compile(r'"(?:[^"]|"")*"')
"""What stands in quotation marks."""

NUMERIC = NUMBER, NOT_FINITE, re.compile(r"[+-]?\d*,\d+")
"""What is no name unless it is said to be: numbers, what some write for none, and decimals with a comma."""

MOST_BYTES = 16 * 2**20
"""The longest file that is read."""


class _Line(NamedTuple):
    """The values of a line, and its number in the file."""

    number: int
    values: list[str]


def read_matrix(path: str) -> Matrix:
    """The matrix in a CSV file, or for `-` in the standard input; `BadInput` names the line that is wrong."""
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise BadInput(f"{name} is too large: more than {MOST_BYTES // 2**20} MiB")
        text = content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        is_text = not isinstance(error, UnicodeDecodeError)
        why = getattr(error, "strerror", None) or ("no file has such a name" if is_text else "it is not UTF-8 text")
        raise BadInput(f"{name} can't be read: {why}") from None
    return parse_matrix(text, name, "standard input" if path == "-" else Path(path).stem)


def parse_matrix(text: str, name: str, title: str = "matrix") -> Matrix:
    """The matrix in a text; `name` is what complaints call it, `title` its title if the text has none."""
    if "\0" in text:
        raise BadInput(f"{name} can't be read: it is not text")
    titles = [printable(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")]
    lines = _lines(text, name)
    if not lines:
        raise BadInput(f"{name} is empty: a matrix needs a row and a column")
    corner, width = lines[0].values[0], len(lines[0].values)
    for line in lines:
        if len(line.values) != width:
            raise BadInput(
                f"{name} line {line.number} has {_count(line.values)} where line {lines[0].number} has {width}: "
                "give each the same"
            )
    columns = _has_names(lines[0].values, not corner and width > 1)
    body = lines[1:] if columns else lines
    if not body:
        raise BadInput(f"{name} has no payoffs: below line {lines[0].number}, which holds names, there is no number")
    rows = width > 1 and _has_names([line.values[0] for line in body], not corner)
    refuse_large(name, len(body), width - rows)
    payoffs = [[to_fraction(value, f"{name} line {line.number}") for value in line.values[rows:]] for line in body]
    names = [line.values[0] for line in body] if rows else [], lines[0].values[rows:] if columns else []
    return replace(Matrix.of(payoffs, *names, title=name), title=next(filter(None, titles), printable(title)))


def write_matrix(matrix: Matrix) -> str:
    """The matrix in CSV, with its title and names; `parse_matrix` reads it back."""
    lines = [["", *map(_quoted, matrix.columns)]]
    lines += [[_quoted(name), *map(payoff_text, row)] for name, row in zip(matrix.rows, matrix.payoffs, strict=True)]
    return f"# {matrix.title}\n" + "".join(f"{','.join(line)}\n" for line in lines)


def parse_mix(text: str, names: Sequence[str]) -> tuple[Fraction, ...]:
    """A mixed strategy: a probability for each of the names in order, or for some by name; `BadInput` where it is none.

    So `1/2 1/2 0` or `rock=1/2,paper=1/2`.
    """
    words = [word.strip() for word in (text.split(",") if "," in text else text.split())]
    if any("=" in word for word in words):
        pairs = [word.rpartition("=") for word in words]
        shares = {name.strip(): to_fraction(share, f"the mix {brief(text)}") for name, _, share in pairs}
        for name in shares:
            if name not in names:
                raise BadInput(f"the mix {brief(text)} has {brief(name)}: there are {', '.join(names[:20])}")
        mix = tuple(shares.get(name, Fraction(0)) for name in names)
    else:
        mix = tuple(to_fraction(word, f"the mix {brief(text)}") for word in words)
    if len(mix) != len(names):
        raise BadInput(f"the mix {brief(text)} has {_count(words)} for {len(names)} choices: give each its probability")
    if min(mix) < 0 or sum(mix) != 1:
        least, total = fraction_text(min(mix)), fraction_text(Fraction(sum(mix)))
        what = f"{least} in it" if min(mix) < 0 else f"a sum of {total}"
        raise BadInput(f"the mix {brief(text)} has {what}: probabilities are from 0 to 1, and add up to 1")
    return mix


def _lines(text: str, name: str) -> list[_Line]:
    """The lines that hold values, all of them trimmed."""
    kept = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    bare = QUOTED.sub("", kept[0][1]) if kept else ""
    separator = next((mark for mark in "\t;," if mark in bare), ",")
    found = []
    for number, line in kept:
        try:
            (values,) = csv.reader([line], delimiter=separator, strict=True)
        except (csv.Error, ValueError) as error:
            raise BadInput(f"{name} line {number} is no CSV: {error}") from None
        found.append(_Line(number, [value.strip() for value in values]))
    return found


def _has_names(values: list[str], said: bool) -> bool:
    """Whether values are names: said to be, or none of them empty, a number, or like one, such as 1,5 and nan."""
    return said or all(value and not any(kind.fullmatch(value) for kind in NUMERIC) for value in values)


def _quoted(name: str) -> str:
    """A name that no separator, quotation mark or comment in it breaks."""
    marks = set(name) & set(',;"') or name.startswith("#")
    return '"' + name.replace('"', '""') + '"' if marks else name


def _count(values: list[str]) -> str:
    return "1 value" if len(values) == 1 else f"{len(values)} values"
