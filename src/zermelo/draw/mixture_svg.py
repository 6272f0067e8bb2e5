"""The value of a game as a mixture of two choices changes, as an SVG that stands alone."""

from __future__ import annotations

from xml.sax.saxutils import escape

from zermelo.draw.mixture import Answer, Mixture, cut

WIDTH, HEIGHT = 762, 440
LEFT, RIGHT, TOP, BOTTOM = 112, 170, 56, 76
"""The margins around the lines; the left one has room for -1.234e-100."""

SIGN = 9
"""How wide a character of a mark is at most."""

APART = 16
"""How far two names at the edge are apart at least."""

MOST_NAMES = 20
"""How many names find room at the edge; where there are more answers, only those of the envelope are named."""

STYLE = """\
  text { font: 13px system-ui, sans-serif; fill: #222; }
  .title { font-size: 16px; font-weight: 600; }
  .edge { stroke: #999; fill: none; }
  .answer { stroke: #8a94a6; stroke-width: 1.5; }
  .envelope { stroke: #0b5cad; stroke-width: 4; fill: none; stroke-linejoin: round; }
  .reach { fill: #0b5cad; opacity: 0.09; }
  .drop { stroke: #c0392b; stroke-dasharray: 4 4; }
  .best { stroke: #c0392b; stroke-width: 7; stroke-linecap: round; }
  .dot { fill: #c0392b; stroke: white; stroke-width: 2; }
  .mark { fill: #c0392b; font-weight: 600; }"""


def svg(picture: Mixture) -> str:
    """The picture as an SVG document: thin lines for the answers, the envelope thick, the optimum marked."""
    place = _Place(picture)
    parts = [*_frame(picture, place), *_answers(picture, place), *_envelope(picture, place), *_optimum(picture, place)]
    about = (
        f"{picture.title}: at best {picture.value_mark}, with a share of {' to '.join(dict.fromkeys(picture.marks))}"
    )
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title about">',
            f'<title id="title">{escape(picture.title)}</title>',
            f'<desc id="about">{escape(about)}</desc>',
            f"<style>\n{STYLE}\n</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )


class _Place:
    """Where shares and values lie in the picture."""

    def __init__(self, picture: Mixture) -> None:
        self.low, self.high = picture.span

    def x(self, share: float) -> float:
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 2)

    def y(self, value: float) -> float:
        return round(TOP + (self.high - value) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM), 2)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{name} text-anchor="{anchor}">{escape(text)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _frame(picture: Mixture, place: _Place) -> list[str]:
    left, right, top, bottom = place.x(0), place.x(1), place.y(place.high), place.y(place.low)
    parts = [
        _text(left, 28, cut(picture.title, 72), "title"),
        f'<rect class="edge" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>',
        _text(left, bottom + 42, f"only {cut(picture.left)}"),
        _text(right, bottom + 42, f"only {cut(picture.right)}", anchor="end"),
    ]
    ends = [value for value in (place.low, place.high) if abs(place.y(value) - place.y(picture.value)) > APART]
    return parts + [_text(left - 10, place.y(value) + 4, f"{value:.4g}", anchor="end") for value in ends]


def _answers(picture: Mixture, place: _Place) -> list[str]:
    """A thin line for each answer, its name at the right edge; names that would overlap are moved apart."""
    ordered = sorted(picture.answers, key=lambda answer: (-answer.right, -answer.left))
    parts = [_line("answer", place.x(0), place.y(each.left), place.x(1), place.y(each.right)) for each in ordered]
    named = ordered if len(ordered) <= MOST_NAMES else _touching(picture, ordered)[:MOST_NAMES]
    rows = _apart([place.y(answer.right) + 4 for answer in named])
    return parts + [_text(place.x(1) + 10, row, cut(each.name)) for each, row in zip(named, rows, strict=True)]


def _touching(picture: Mixture, answers: list[Answer]) -> list[Answer]:
    """The answers whose lines are part of the envelope."""
    near = (picture.span[1] - picture.span[0]) * 1e-9
    heights = {share: picture.envelope(share) for share in corners(picture)}
    return [each for each in answers if any(abs(each.at(share) - high) <= near for share, high in heights.items())]


def _apart(rows: list[float]) -> list[float]:
    """Heights from top to bottom, moved down where they are too close, and all up again if they leave the picture."""
    found: list[float] = []
    for row in rows:
        found.append(max(row, found[-1] + APART) if found else row)
    over = max(found[-1] - (HEIGHT - BOTTOM + 4), 0)
    return [round(row - over, 2) for row in found]


def _envelope(picture: Mixture, place: _Place) -> list[str]:
    points = [f"{place.x(share)},{place.y(picture.envelope(share))}" for share in corners(picture)]
    base = place.y(place.low if picture.floor else place.high)
    reach = " ".join([f"{place.x(0)},{base}", *points, f"{place.x(1)},{base}"])
    return [f'<polygon class="reach" points="{reach}"/>', f'<polyline class="envelope" points="{" ".join(points)}"/>']


def _optimum(picture: Mixture, place: _Place) -> list[str]:
    (first, last), y, bottom = picture.best, place.y(picture.value), place.y(place.low)
    parts = [_line("drop", place.x(0), y, place.x(last), y)]
    parts += [_line("drop", place.x(share), y, place.x(share), bottom) for share in dict.fromkeys(picture.best)]
    if last > first:
        parts.append(_line("best", place.x(first), y, place.x(last), y))
    parts += [f'<circle class="dot" cx="{place.x(share)}" cy="{y}" r="7"/>' for share in dict.fromkeys(picture.best)]
    parts += _marks(picture, place, bottom + 22)
    return [*parts, _text(place.x(0) - 10, y + 4, picture.value_mark, "mark", "end")]


def _marks(picture: Mixture, place: _Place, y: float) -> list[str]:
    """The optimal shares below the edge, each in the middle of its place, or beside it where two are close together."""
    first, last = map(place.x, picture.best)
    if first == last:
        return [_text(first, y, picture.marks[0], "mark", "middle")]
    if last - first > SIGN * (1 + max(map(len, picture.marks))):
        return [_text(x, y, mark, "mark", "middle") for x, mark in zip((first, last), picture.marks, strict=True)]
    ends = (first - SIGN / 2, "end"), (last + SIGN / 2, "start")
    return [_text(x, y, mark, "mark", end) for (x, end), mark in zip(ends, picture.marks, strict=True)]


def corners(picture: Mixture) -> list[float]:
    """The shares at which the envelope bends, with both ends."""
    sign = 1 if picture.floor else -1
    current = min(picture.answers, key=lambda each: (sign * each.left, sign * each.right))
    found = [0.0]
    while True:
        crossings = [(_crossing(current, each), sign * _slope(each), each) for each in picture.answers]
        later = [each for each in crossings if found[-1] < each[0] < 1 and each[1] < sign * _slope(current)]
        if not later:
            return [*found, 1.0]
        share, _, current = min(later, key=lambda each: each[:2])
        found.append(share)


def _slope(answer: Answer) -> float:
    return answer.right - answer.left


def _crossing(one: Answer, other: Answer) -> float:
    """The share at which two lines meet; beyond 1 where they don't."""
    turn = _slope(one) - _slope(other)
    return (other.left - one.left) / turn if turn else 2.0
