"""Points and boards of Go as text: `D4`, by the letters from A to T but for I, and rows of X, O and . from the top."""

from __future__ import annotations

from zermelo.errors import BadInput

LETTERS = "ABCDEFGHJKLMNOPQRST"
PASS = "pass"


def write_vertex(point: int, size: int) -> str:
    """A point as text, columns from the left, rows from the bottom; what lies beyond the board is a pass."""
    row, column = divmod(point, size + 1)
    return f"{LETTERS[column]}{row + 1}" if row < size else PASS


def read_vertex(text: str, size: int) -> int:
    """The point, or the pass, that a text writes, in capitals or not; `BadInput` if it is none of this board."""
    word = text.strip().upper()
    if word == PASS.upper():
        return size * (size + 1)
    column = LETTERS.find(word[:1]) if word else -1
    row = int(word[1:]) - 1 if word[1:].isascii() and word[1:].isdigit() and len(word) <= 3 else -1
    if not (0 <= column < size and 0 <= row < size):
        raise BadInput(
            f"{text!r} is no point of a board of {size} × {size}: write A1 to {LETTERS[size - 1]}{size}, or pass"
        )
    return row * (size + 1) + column


def write_rows(black: set[int], white: set[int], size: int) -> list[str]:
    """A board as rows from the top: X is Black, O is White."""
    marks = {**dict.fromkeys(black, "X"), **dict.fromkeys(white, "O")}
    lines = range(size - 1, -1, -1)
    return ["".join(marks.get(row * (size + 1) + column, ".") for column in range(size)) for row in lines]


def read_rows(text: str, size: int) -> tuple[set[int], set[int]]:
    """The black and the white stones of a board written as rows from the top, with / between them."""
    rows = text.upper().split("/")
    if [len(row) for row in rows] != [size] * size or not set("".join(rows)) <= set("XO."):
        example = "/".join(["." * size] * size) if size < 6 else f"{'.' * size}/{'.' * size}/…"
        raise BadInput(f"{text!r} is not {size} rows of {size} X, O or . such as {example!r}")
    black, white = set(), set()
    for row, line in enumerate(reversed(rows)):
        black |= {row * (size + 1) + column for column, mark in enumerate(line) if mark == "X"}
        white |= {row * (size + 1) + column for column, mark in enumerate(line) if mark == "O"}
    return black, white
