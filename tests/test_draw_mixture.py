"""The value as a mixture changes: as text, and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matrices import matrices
from trees import examples
from zermelo.draw.mixture import HIGH, WIDE, Mixture, lines
from zermelo.draw.mixture_svg import corners, svg
from zermelo.errors import Unsuitable
from zermelo.matrix import Matrix, matching_pennies, morra, solve_matrix
from zermelo.matrix.picture import MOST_LINES, has_picture, mixture

F = Fraction


def picture(matrix: Matrix, exact: bool = True) -> Mixture:
    return mixture(solve_matrix(matrix, exact))


TWO = Matrix.of([[0, 4, 1], [4, 0, 1]], ["top", "bottom"], ["left", "right", "middle"], "flat")

DRAWN = """\
   flat: the value to the row player by the share of top
4 ┤⠁ ⠄                                                   ⠄ ├ right
  │    ⠂ ⡀                                           ⠄ ⠁   │
  │        ⠂ ⡀                                   ⡀ ⠂       │
  │            ⠄                             ⡀ ⠂           │
  │              ⠁ ⠄                       ⠄               │
  │                  ⠁ ⡀               ⠄ ⠁                 │
  │                      ⠂ ⡀       ⡀ ⠁                     │
  │                          ⠄ ⡀ ⠂                         │
  │                          ⠂ ⠁ ⠄                         │
  │                      ⠄ ⠁       ⠁ ⡀                     │
  │                  ⡀ ⠁               ⠂ ⡀                 │
1 ┤⡀ ⡀ ⡀ ⡀ ⡀ ⡀ ⡀ ●⣀⣂⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣂●⡀ ⡀ ⡀ ⡀ ⡀ ⡀ ⡀ ├ middle
  │          ⢀⡠⠒⠉⡂                          ⢐⠉⠒⢄⡀          │
  │       ⡠⠔⠊⠁   ⡂                          ⢐   ⠈⠑⠢⢄       │
  │   ⢀⠤⠒⠉       ⡂                          ⢐       ⠉⠒⠤⡀   │
0 ┤⡠⠔⠊⠁          ⡂                          ⢐          ⠈⠑⠢⢄├ left
  └──────────────┴──────────────────────────┴──────────────┘
                1/4                        3/4
   only bottom                                     only top
"""


def test_the_golden_picture() -> None:
    assert "".join(f"{line}\n" for line in lines(picture(TWO))) == DRAWN


def test_the_same_in_ascii() -> None:
    drawn = lines(picture(TWO, exact=False), boxes=False)
    assert all(line.isascii() for line in drawn)
    assert drawn[12] == "1 +. . . . . . . X**************************X. . . . . . . + middle"
    assert drawn[-1] == "   only bottom                                     only top"
    assert drawn[-2].split() == ["0.25", "0.75"]


def test_the_column_player_mixes_where_there_are_two_columns() -> None:
    found = picture(TWO.turned)
    assert (found.floor, found.best, found.value) == (False, (0.25, 0.75), -1)
    assert (found.left, found.right) == ("bottom", "top")


@examples(30)
@given(matrices().filter(lambda matrix: 2 in matrix.shape))
def test_the_envelope_is_best_at_the_marks_and_nowhere_better(matrix: Matrix) -> None:
    for exact in (True, False):
        found = picture(matrix, exact)
        sign = 1 if found.floor else -1
        heights = [sign * found.envelope(share / 120) for share in range(121)]
        assert max(heights) <= sign * found.value + 1e-9
        for share in (*found.best, sum(found.best) / 2):
            assert found.envelope(share) == pytest.approx(found.value, abs=1e-9)
        for share in (found.best[0] - 0.01, found.best[1] + 0.01):
            assert not 0 <= share <= 1 or sign * found.envelope(share) < sign * found.value - 1e-9
        assert all(len(line) <= WIDE + 60 for line in lines(found))
        assert len(lines(found)) == HIGH + 4


@examples(30)
@given(matrices().filter(lambda matrix: 2 in matrix.shape))
def test_the_corners_are_where_the_envelope_bends(matrix: Matrix) -> None:
    found = picture(matrix)
    bends = corners(found)
    assert bends == sorted(set(bends))
    assert (bends[0], bends[-1]) == (0, 1)
    for share in (place / 60 for place in range(61)):
        left = max(bend for bend in bends if bend <= share)
        right = min(bend for bend in bends if bend >= share)
        part = (share - left) / (right - left) if right > left else 0
        between = found.envelope(left) + part * (found.envelope(right) - found.envelope(left))
        assert between == pytest.approx(found.envelope(share), abs=1e-9)


def test_the_svg_is_xml_with_every_name() -> None:
    names = ["a<b", "c&d", 'e"f']
    root = ElementTree.fromstring(svg(picture(Matrix.of([[0, 4, 1], [4, 0, 1]], ["up", "down"], names, "<title>"))))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {*names, "only up", "only down", "1/4", "3/4", "1", "4"} <= set(texts)
    assert texts[0] == "<title>: the value to the row player by the share of up"
    kinds = [part.get("class") for part in root.iter()]
    assert (kinds.count("answer"), kinds.count("dot"), kinds.count("best"), kinds.count("envelope")) == (3, 2, 1, 1)


def test_names_at_the_edge_never_overlap() -> None:
    for count in (3, 12, 60):
        matrix = Matrix.of([[1] * count, [(j * 7) % count for j in range(count)]])
        root = ElementTree.fromstring(svg(picture(matrix)))
        rows = [
            float(text.get("y", ""))
            for text in root.iter("{http://www.w3.org/2000/svg}text")
            if (text.text or "")[0] == "c"
        ]
        assert rows
        assert all(later - sooner >= 15.9 for sooner, later in pairwise(rows))


def test_marks_that_are_close_stand_beside_each_other() -> None:
    def marks(payoffs: list[list[float]]) -> list[tuple[str, str | None, str | None]]:
        root = ElementTree.fromstring(svg(picture(Matrix.of(payoffs))))
        texts = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "mark"]
        return [(text.text or "", text.get("x"), text.get("text-anchor")) for text in texts]

    close, far = marks([[3, 0, -2], [-4, 0, 3]]), marks([[0, 4, 1], [4, 0, 1]])
    assert [(text, anchor) for text, _, anchor in close] == [("4/7", "end"), ("3/5", "start"), ("0", "end")]
    assert float(close[0][1] or 0) < float(close[1][1] or 0)
    assert [(text, anchor) for text, _, anchor in far] == [("1/4", "middle"), ("3/4", "middle"), ("1", "end")]


def test_long_fractions_are_short_marks() -> None:
    found = picture(Matrix.of([[3.14159, 0.1234567, -2], [-4, 0.777, 3.33333]]))
    assert (found.marks, found.value_mark) == (("0.5878", "0.5878"), "0.1982")
    assert lines(found)[-3].startswith("       └")


@examples(40)
@given(matrices(st.floats(-1e15, 1e15).map(lambda number: F(repr(number)))).filter(lambda matrix: 2 in matrix.shape))
def test_every_mark_finds_room(matrix: Matrix) -> None:
    for exact in (True, False):
        found = picture(matrix, exact)
        assert all(len(mark) <= 11 for mark in (*found.marks, found.value_mark))
        for anchored in ElementTree.fromstring(svg(found)).iter("{http://www.w3.org/2000/svg}text"):
            if anchored.get("text-anchor") == "end":
                assert float(anchored.get("x", "")) >= 9 * min(len(anchored.text or ""), 11)


def test_a_game_without_two_choices_has_no_picture() -> None:
    assert has_picture(matching_pennies())
    assert not has_picture(morra())
    assert not has_picture(Matrix.of([[0] * (MOST_LINES + 1)] * 2))
    with pytest.raises(Unsuitable, match="two rows or two columns, and up to 200 of the other: this is 4 × 4"):
        picture(morra())


def test_one_point_and_a_plain_are_drawn_too() -> None:
    found = picture(Matrix.of([[3], [3]]))
    assert (found.best, found.span) == ((0, 1), (2, 4))
    assert len(lines(found)) == HIGH + 4
    assert ElementTree.fromstring(svg(found)).tag.endswith("svg")
