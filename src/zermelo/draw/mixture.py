"""The value of a game as a mixture of two choices changes: a line for each answer, and the envelope of the best ones.

The picture is plain data; `lines` draws it as text, `zermelo.draw.mixture_svg` as SVG.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.draw.text import to_ascii

WIDE, HIGH = 56, 16
"""The room for the lines, in characters."""

ACROSS, DOWN = 2, 4
"""The dots of a braille character."""

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot in a braille character, row by row."""

SPARSE = 4
"""Every so many dots of a line are set where it is not the envelope."""

LONGEST = 24
"""The most characters of a name at the edge."""


class Answer(NamedTuple):
    """A pure answer to the mixture: what it makes of the value at the left end and at the right one."""

    name: str
    left: float
    right: float

    def at(self, share: float) -> float:
        """The value where the right end has this share."""
        return self.left + share * (self.right - self.left)


class Mixture(NamedTuple):
    """Lines over the share of the choice `right`, from 0 to 1; the rest is the choice `left`.

    With `floor` the mixing player wants the value high, so that the lowest line counts, else the highest line. `best`
    are the first and the last share that are optimal, `marks` the same as text, and `value` is what they make sure of.
    """

    title: str
    left: str
    right: str
    answers: tuple[Answer, ...]
    floor: bool
    best: tuple[float, float]
    marks: tuple[str, str]
    value: float
    value_mark: str

    def envelope(self, share: float) -> float:
        """What the best answer to this share makes of the value."""
        return (min if self.floor else max)(answer.at(share) for answer in self.answers)

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest end of a line; never the same."""
        ends = [end for answer in self.answers for end in (answer.left, answer.right)]
        low, high = min(ends), max(ends)
        return (low, high) if high > low else (low - 1, high + 1)


def lines(picture: Mixture, *, boxes: bool = True) -> list[str]:
    """The picture as lines of text: the envelope solid, all else dotted, the optimum a ball."""
    canvas = _Canvas(picture)
    drawn = canvas.braille() if boxes else canvas.stars()
    low, high = picture.span
    labels = {HIGH - 1: _short(low), 0: _short(high)} | {canvas.cell_row(picture.value): picture.value_mark}
    width = max(map(len, labels.values()))
    names = _names(picture, canvas)
    body = [
        f"{labels.get(row, ''):>{width}} {'┤' if row in labels else '│'}{text}{'├' if row in names else '│'} "
        f"{names.get(row, '')}".rstrip()
        for row, text in enumerate(drawn)
    ]
    found = [f"{' ' * width} {line}" for line in _axis(picture, canvas)]
    title = f"{' ' * width}  {picture.title}"
    return [line if boxes else to_ascii(_plain(line)) for line in (title, *body, *found)]


class _Canvas:
    """Dots of the picture: those of the envelope, those of other lines, and the drop from the optimum."""

    def __init__(self, picture: Mixture) -> None:
        self.picture = picture
        self.low, self.high = picture.span
        self.width, self.height = WIDE * ACROSS, HIGH * DOWN
        self.solid, self.dotted = set[tuple[int, int]](), set[tuple[int, int]]()
        before = None
        for x in range(self.width):
            share = x / (self.width - 1)
            y = self.dot_row(picture.envelope(share))
            step = range(min(y, before), max(y, before) + 1) if before is not None else [y]
            self.solid |= {(x, each) for each in step if each != before or len(step) == 1}
            before = y
            if x % SPARSE == 0:
                self.dotted |= {(x, self.dot_row(answer.at(share))) for answer in picture.answers}
        for share in set(picture.best):
            top = self.dot_row(picture.value)
            self.dotted |= {(self.dot_column(share), y) for y in range(top, self.height, 2)}

    def dot_row(self, value: float) -> int:
        return round((self.high - value) / (self.high - self.low) * (self.height - 1))

    def dot_column(self, share: float) -> int:
        return round(share * (self.width - 1))

    def cell_row(self, value: float) -> int:
        return self.dot_row(value) // DOWN

    def cell_column(self, share: float) -> int:
        return self.dot_column(share) // ACROSS

    def braille(self) -> list[str]:
        cells = [[0] * WIDE for _ in range(HIGH)]
        for x, y in self.solid | self.dotted:
            cells[y // DOWN][x // ACROSS] |= DOTS[y % DOWN][x % ACROSS]
        return self._marked([[chr(0x2800 + cell) if cell else " " for cell in row] for row in cells])

    def stars(self) -> list[str]:
        """The same in ASCII: the envelope of `*`, all else of dots."""
        cells = [[" "] * WIDE for _ in range(HIGH)]
        for dots, sign in ((self.dotted, "."), (self.solid, "*")):
            for x, y in dots:
                cells[y // DOWN][x // ACROSS] = sign
        return self._marked(cells)

    def _marked(self, cells: list[list[str]]) -> list[str]:
        for share in self.picture.best:
            cells[self.cell_row(self.picture.value)][self.cell_column(share)] = "●"
        return ["".join(row) for row in cells]


def _names(picture: Mixture, canvas: _Canvas) -> dict[int, str]:
    """The answers' names at the right edge, by row; those that meet share a row."""
    found: dict[int, list[str]] = {}
    for answer in sorted(picture.answers, key=lambda answer: -answer.right):
        found.setdefault(canvas.cell_row(answer.right), []).append(answer.name)
    return {row: cut(", ".join(names)) for row, names in found.items()}


def _axis(picture: Mixture, canvas: _Canvas) -> list[str]:
    """The lower edge, the optimal shares below it, and the names of the two choices at its ends."""
    edge, below = ["─"] * WIDE, ""
    for share, mark in dict(zip(picture.best, picture.marks, strict=True)).items():
        place = canvas.cell_column(share)
        edge[place] = "┴"
        start = max(min(place - len(mark) // 2, WIDE - len(mark)), 0)
        below = f"{below + ' ' * bool(below):<{start}}{mark}"
    left, right = cut(f"only {picture.left}"), cut(f"only {picture.right}")
    gap = " " * max(WIDE - len(left) - len(right), 2)
    return [f"└{''.join(edge)}┘", f" {below}", f" {left}{gap}{right}"]


def cut(name: str, most: int = LONGEST) -> str:
    """A name that is never too long for its place."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _short(value: float) -> str:
    return f"{value:.4g}"


def _plain(line: str) -> str:
    """Edges of ASCII characters."""
    return line.translate(str.maketrans("│┤├└┘─┴", "|++++-+"))
