"""Boards as text: what they look like, that they fit, and that nothing is told by colour alone."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.board import Board, Fields, Grid, Node, Piles
from zermelo.draw.text import can_draw, lines, rich_text, spans, to_ascii


def picture(text: str) -> list[str]:
    return [line.rstrip() for line in dedent(text).strip("\n").splitlines()]


def small(cells: str) -> Grid:
    return Grid(3, 3, tuple(cells.replace(".", " ")), rows=("3", "2", "1"), columns=("a", "b", "c"))


def test_a_small_grid_has_boxes_labels_and_the_last_move_in_brackets() -> None:
    assert lines(small("X.O.O...X"), small("X.O.....X")) == picture(
        """
          ┌───┬───┬───┐
        3 │ X │   │ O │
          ├───┼───┼───┤
        2 │   │[O]│   │
          ├───┼───┼───┤
        1 │   │   │ X │
          └───┴───┴───┘
            a   b   c
        """
    )


def test_the_same_grid_in_ascii() -> None:
    assert lines(small("X.O.O...X"), boxes=False)[:3] == ["  +---+---+---+", "3 | X |   | O |", "  +---+---+---+"]


def four(owners: str, *, piece: str = "●", marked: tuple[int, ...] = ()) -> Grid:
    numbers = tuple({"x": 0, "o": 1}.get(sign, -1) for sign in owners)
    cells = tuple(piece if owner >= 0 else "" for owner in numbers)
    return Grid(7, len(owners) // 7, cells, numbers, (), tuple("1234567"), marked)


def test_discs_of_two_players_differ_without_colour() -> None:
    board = four("." * 14 + "...o..." + "..xxoxx", marked=(23, 24))
    assert lines(board) == picture(
        """
        ┌───────────────┐
        │ · · · · · · · │
        │ · · · · · · · │
        │ · · · ○ · · · │
        │ · ·[● ●]○ ● ● │
        └───────────────┘
          1 2 3 4 5 6 7
        """
    )
    assert lines(board, boxes=False)[4] == "| . .[X X]O X X |"


def test_discs_are_coloured_where_there_are_colours() -> None:
    text = rich_text(four("." * 28 + "..xo..."))
    assert text.plain.count("●") == 2
    assert "○" not in text.plain
    assert {"bold red", "bold cyan"} <= {str(span.style) for span in text.spans}


def test_dropped_marks_are_discs_in_colour_only() -> None:
    board = Grid(7, 1, ("X", "O", "", "", "", "", ""), (0, 1, -1, -1, -1, -1, -1), columns=tuple("1234567"))
    assert "│ ● ● · · · · · │" in rich_text(board).plain
    assert "│ X O · · · · · │" in rich_text(board, colours=False).plain
    assert "| X O . . . . . |" in rich_text(board, boxes=False).plain


@pytest.mark.parametrize(("piece", "shown"), [("♞", "♘ ♞"), ("K", "K k"), ("✿", "✿1 ✿2")])
def test_a_piece_that_both_players_have_is_told_apart(piece: str, shown: str) -> None:
    assert shown in lines(four("xo" + "." * 33, piece=piece))[1]


def test_pieces_that_differ_already_stay_as_they_are() -> None:
    board = Grid(5, 1, ("●", "○", "X", "O", ""), (1, 0, 0, 1, -1))
    assert lines(board)[1] == "│ ● ○ X O · │"


def test_a_capture_is_marked_when_no_cell_was_filled() -> None:
    before = Grid(5, 1, ("♞", "", "♟", "", ""), (0, -1, 1, -1, -1))
    after = Grid(5, 1, ("", "", "♞", "", ""), (-1, -1, 0, -1, -1))
    assert lines(after, before)[1] == "│ · ·[♘]· · │"


def test_flips_are_not_marked_the_new_disc_is() -> None:
    before, after = four("..xo..." + "." * 28), four("..xxx.." + "." * 28)
    assert lines(after, before)[1] == "│ · · ● ●[●]· · │"


def test_a_go_board_fits_eighty_columns() -> None:
    labels = tuple(str(number) for number in range(1, 20))
    drawn = lines(Grid(19, 19, ("",) * 361, rows=labels[::-1], columns=labels))
    assert len(drawn) == 23
    assert max(map(len, drawn)) == 44
    assert drawn[-2:] == [
        "                       1 1 1 1 1 1 1 1 1 1",
        "     1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9",
    ]


def test_a_board_too_wide_for_gaps_does_without() -> None:
    assert max(map(len, lines(Grid(60, 5, ("X",) * 300)))) == 62


def test_heaps_show_counts_stones_by_fives_and_what_was_taken() -> None:
    assert lines(Piles(("heap",), (18,)), Piles(("heap",), (21,))) == ["heap  18  ●●●●● ●●●●● ●●●●● ●●●○○ ○"]
    assert lines(Piles(("a", "bb"), (0, 12)), boxes=False) == ["a    0", "bb  12  ooooo ooooo oo"]


def test_a_huge_heap_is_cut_short() -> None:
    (line,) = lines(Piles(("heap",), (10**12,)))
    assert len(line) <= 80
    assert line.startswith("heap  1,000,000,000,000  ●●●●● ●●●●●")
    assert line.endswith("…")


def test_a_node_is_drawn_with_its_branches() -> None:
    node = Node("A", (("a1", "B"), ("a10", "C")))
    assert lines(node) == ["A", "├─ a1  → B", "└─ a10 → C"]
    assert lines(node, boxes=False) == ["A", "|- a1  -> B", "`- a10 -> C"]


def test_fields_are_a_table_and_long_values_run_on() -> None:
    assert lines(Fields(("stones", "turn"), ("21", "0"))) == ["stones  21", "turn    0"]
    drawn = lines(Fields(("cells", "turn"), ("x" * 100, "0")), columns=40)
    assert drawn == ["cells  " + "x" * 33, " " * 7 + "x" * 33, " " * 7 + "x" * 33, " " * 7 + "x", "turn   0"]


@given(st.lists(st.text("ab'", max_size=30), max_size=12).map(",".join), st.integers(13, 60))
def test_long_values_are_broken_behind_commas(value: str, columns: int) -> None:
    parts = [line[3:] for line in lines(Fields(("x",), (value,)), columns=columns)]
    room = columns - 3
    assert "".join(parts) == value
    assert all(len(part) <= room for part in parts)
    assert all(part.endswith(",") or len(part) == room for part in parts[:-1])


def test_a_grid_that_does_not_fit_itself_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="a Grid 3 wide and 3 high needs 9 cells, not 8"):
        lines(Grid(3, 3, ("",) * 8))
    with pytest.raises(ValueError, match="needs 3 rows, not 1"):
        lines(Grid(3, 3, ("",) * 9, rows=("1",)))


def test_walls_between_cells_are_the_only_lines() -> None:
    grid = Grid(3, 2, ("X", "", "", "", "", "O"), edges=((0, 3), (1, 4), (5, 4)))
    boxes = ["┌───────────┐", "│ X         │", "┝━━━━━━━┓   │", "│       ┃ O │", "└───────┸───┘"]
    assert lines(grid) == boxes
    plain = ["+---+---+---+", "| X         |", "+=======#   +", "|       # O |", "+---+---+---+"]
    assert lines(grid, boxes=False) == plain


@pytest.mark.parametrize("pair", [(0, 2), (2, 3), (0, 4), (1, 1), (3, 6), (7, 8)])
def test_a_wall_lies_between_neighbours(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"no edge between the cells {pair[0]} and {pair[1]}"):
        lines(Grid(3, 2, ("",) * 6, edges=(pair,)))


def test_encodings() -> None:
    assert can_draw("utf-8")
    assert not any(can_draw(encoding) for encoding in ("ascii", "cp1252", "latin-1", None, "no-such-encoding"))
    assert to_ascii("O plays 3 · I see a win … ● é") == "O plays 3 - I see a win ... X ?"


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    width, height = draw(st.integers(1, 19)), draw(st.integers(1, 19))
    area = width * height
    cells = draw(st.lists(st.sampled_from(["", " ", "X", "O", "●", "♞", "K", "é"]), min_size=area, max_size=area))
    owners = draw(st.lists(st.integers(-1, 2), min_size=area, max_size=area))
    rows = tuple(map(str, range(height, 0, -1))) if draw(st.booleans()) else ()
    columns = tuple(map(str, range(1, width + 1))) if draw(st.booleans()) else ()
    marked = tuple(draw(st.sets(st.integers(0, area - 1), max_size=4)))
    return Grid(width, height, tuple(cells), tuple(owners), rows, columns, marked)


piles = st.lists(st.integers(0, 400), max_size=6).map(
    lambda counts: Piles(tuple("abcdef"[: len(counts)]), tuple(counts))
)


@given(grids() | piles, st.booleans(), st.booleans())
def test_every_board_fits_and_is_the_same_in_rich_text(board: Board, boxes: bool, colours: bool) -> None:
    drawn = spans(board, boxes=boxes, colours=colours)
    texts = ["".join(span.text for span in line) for line in drawn]
    assert all(len(text) <= 80 for text in texts)
    assert all(text.isascii() for text in texts) or boxes
    assert rich_text(board, boxes=boxes, colours=colours).plain.split("\n") == (texts or [""])
    if isinstance(board, Grid):
        assert len({len(text) for text in texts[: len(texts) - 2 * bool(board.columns)]}) == 1
