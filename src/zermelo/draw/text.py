"""A board as text: plain lines for pipes and files, coloured text for terminals.

What two players own never differs by colour alone where there is no colour, and everything can be
drawn with ASCII characters only (`boxes=False`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from zermelo.board import Board, Fields, Grid, Layers, Node, Piles, Pits, Points
from zermelo.draw import edges

if TYPE_CHECKING:
    from rich.text import Text

PLAYER_STYLES = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue")
"""How the players are coloured, in rich's words; the first two also differ to the colour-blind."""

ROOMY = 4
"""Grids up to this wide and high have a box for each cell; larger ones are drawn close."""

TALL = 5
"""How many checkers on a point are drawn; of more, the number."""


class Span(NamedTuple):
    """A piece of a line, with its style in rich's words."""

    text: str
    style: str = ""


class Pen(NamedTuple):
    """The characters that boards are drawn with; `top`, `middle` and `bottom` are left, line, joint, right.

    `walls` are the pieces of a maze's walls, by which sides they go on to: 1 north, 2 east, 4 south, 8 west, added up.
    """

    top: str
    middle: str
    bottom: str
    side: str
    empty: str
    stone: str
    taken: str
    more: str
    branch: str
    last: str
    arrow: str
    walls: str


BOXES = Pen("┌─┬┐", "├─┼┤", "└─┴┘", "│", "·", "●", "○", "…", "├─ ", "└─ ", " → ", "▫╵╶╰╷│╭├╴╯─┴╮┤┬┼")
ASCII = Pen("+-++", "+-++", "+-++", "|", ".", "o", ".", "...", "|- ", "`- ", " -> ", "#" * 16)

TWINS = {"●": "●○", "■": "■□", "▲": "▲△", "◆": "◆◇", "★": "★☆"} | {
    black: white + black for white, black in zip("♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True)
}
"""What to draw in place of a piece that both players have, for the first and for the second player."""

PLAIN = str.maketrans(
    dict(zip("●○■□▲△◆◇★☆♔♕♖♗♘♙♚♛♜♝♞♟·–—×≥≤", "XOXOXOXOXOKQRBNPkqrbnp.--x><", strict=True))
    | dict(zip("ᗢᗧᗤᗣϖ◉✗☺☠⌂", "CCCGgoXRHE", strict=True))
    | {"…": "...", "→": "->", "½": "1/2"}
)


def can_draw(encoding: str | None) -> bool:
    """Whether text in this encoding can hold boxes and stones."""
    try:
        "".join((*BOXES, *TWINS, "—…")).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def to_ascii(text: str) -> str:
    """The text with ASCII characters only; what has no likeness becomes `?`."""
    return text.replace(" · ", " - ").translate(PLAIN).encode("ascii", "replace").decode()


def player_style(player: int) -> str:
    """The colour of a player, in rich's words; chance and nobody have none."""
    return PLAYER_STYLES[player % len(PLAYER_STYLES)] if player >= 0 else ""


def lines(board: Board, before: Board | None = None, *, boxes: bool = True, columns: int = 80) -> list[str]:
    """The board as plain lines; what differs from the board `before` is marked."""
    drawn = spans(board, before, boxes=boxes, columns=columns)
    return ["".join(span.text for span in line).rstrip() for line in drawn]


def rich_text(
    board: Board, before: Board | None = None, *, boxes: bool = True, colours: bool = True, columns: int = 80
) -> Text:
    """The board as rich text, its lines joined by newlines, for a console that shows colours or not."""
    from rich.text import Text

    drawn = spans(board, before, boxes=boxes, colours=colours, columns=columns)
    return Text("\n").join(Text.assemble(*((span.text, span.style) for span in line)) for line in drawn)


def spans(
    board: Board, before: Board | None = None, *, boxes: bool = True, colours: bool = False, columns: int = 80
) -> list[list[Span]]:
    """The board as lines of styled spans, at most `columns` wide where that can be done.

    A board whose parts don't fit together raises a `ValueError` that says so.
    """
    pen = BOXES if boxes else ASCII
    match board:
        case Grid():
            _check(board)
            pieces = _pieces(board, boxes, colours)
            marked = _marked(board, before)
            if board.walls:
                drawn = _maze(board, pieces, pen)
            elif board.edges is not None or max(board.width, board.height) <= ROOMY:
                drawn = _roomy_grid(board, pieces, marked, boxes)
            else:
                drawn = _close_grid(board, pieces, marked, pen, columns)
            drawn += [[Span(board.caption)]] if board.caption else []
        case Layers():
            drawn = _layers(board, before, boxes, colours, columns)
        case Piles():
            drawn = _piles(board, before, pen, columns)
        case Points():
            drawn = _points(board, before, pen)
        case Pits():
            drawn = _pits(board, before, pen)
        case Node():
            drawn = _node(board, pen)
        case Fields():
            drawn = _fields(board, before, columns)
    return drawn if boxes else [[Span(to_ascii(span.text), span.style) for span in line] for line in drawn]


# Grids.


def _check(grid: Grid) -> None:
    area = grid.width * grid.height
    for name, count, needed in (
        ("cells", len(grid.cells), area),
        ("owners", len(grid.owners) or area, area),
        ("rows", len(grid.rows) or grid.height, grid.height),
        ("columns", len(grid.columns) or grid.width, grid.width),
        ("colours", len(grid.colours) or area, area),
    ):
        if count != needed or not needed:
            raise ValueError(f"a Grid {grid.width} wide and {grid.height} high needs {needed} {name}, not {count}")


def _pieces(grid: Grid, boxes: bool, colours: bool) -> list[Span]:
    """The piece in each cell, "" in an empty one; without colours, two players never share a piece.

    Where cells have columns but no rows, pieces are dropped in: X and O are coloured discs there.
    """
    cells = [cell.strip() for cell in grid.cells]
    owners = grid.owners or tuple({"X": 0, "O": 1}.get(cell, -1) for cell in cells)
    names = cells if colours else _told_apart(cells, owners)
    if colours and boxes and grid.columns and not grid.rows and set(cells) <= {"", "X", "O"}:
        names = ["●" if cell else "" for cell in cells]
    texts = names if boxes else [to_ascii(name) for name in names]
    styles = [f"bold {colour}" if colour else "" for colour in grid.colours] or [
        player_style(owner) for owner in owners
    ]
    return [Span(text, style) for text, style in zip(texts, styles, strict=True)]


def _told_apart(cells: list[str], owners: tuple[int, ...]) -> list[str]:
    """The pieces, with those that several players own replaced by others: ● ○, ♘ ♞, K k, or a number behind."""
    pairs = {(cell, owner) for cell, owner in zip(cells, owners, strict=True) if cell and owner >= 0}
    present = {cell for cell, _ in pairs}
    shared = {cell for cell in present if sum(cell == other for other, _ in pairs) > 1}
    two = all(owner < 2 for _, owner in pairs)
    letters = two and any(cell.isalpha() and cell.isupper() for cell in shared)

    def name(cell: str, owner: int) -> str:
        twins = TWINS.get(cell)
        if not cell or owner < 0:
            return cell
        if two and twins and not present & (set(twins) - {cell}):
            return twins[owner]
        if letters and cell.isalpha():
            return cell.lower() if owner else cell
        return f"{cell}{owner + 1}" if cell in shared else cell

    return [name(cell, owner) for cell, owner in zip(cells, owners, strict=True)]


def _marked(grid: Grid, before: Board | None) -> set[int]:
    """The cells to point at: those the game marks, else those filled since `before`, else those changed."""
    if grid.marked or not isinstance(before, Grid) or len(before.cells) != len(grid.cells):
        return set(grid.marked)
    now, then = _contents(grid), _contents(before)
    filled = {index for index, (cell, _) in enumerate(now) if cell and not then[index][0]}
    return filled or {index for index, content in enumerate(now) if content[0] and content != then[index]}


def _contents(grid: Grid) -> list[tuple[str, int]]:
    owners = grid.owners or (-1,) * len(grid.cells)
    return [(cell.strip(), owner) for cell, owner in zip(grid.cells, owners, strict=True)]


def _roomy_grid(grid: Grid, pieces: list[Span], marked: set[int], boxes: bool) -> list[list[Span]]:
    """A box for each cell, or only the walls between cells where there may be any; marked cells are in brackets."""
    wide = max([1, *(_width(piece.text) for piece in pieces)])
    labels = _row_labels(grid)
    indent = " " * _width(labels[0])
    pens = (edges.ASCII, edges.BOXES) if grid.edges is None else (edges.OPEN_ASCII, edges.OPEN_BOXES)
    between = edges.Lines(grid.width, grid.height, grid.edges or (), pens[boxes])

    def drawn_lines(lines: Sequence[edges.Line]) -> list[Span]:
        return [Span(line.text, "bold yellow" if line.wall else "dim") for line in lines]

    drawn = []
    for row in range(grid.height):
        line = [Span(labels[row], "dim")]
        for column in range(grid.width):
            index = row * grid.width + column
            left, right = (Span("[", "bold"), Span("]", "bold")) if index in marked else (Span(" "), Span(" "))
            piece = Span(_centred(pieces[index].text, wide), pieces[index].style)
            line += [*drawn_lines([between.before(row, column)]), left, piece, right]
        drawn += [[Span(indent), *drawn_lines(between.above(row, wide + 2))]]
        drawn += [[*line, *drawn_lines([between.before(row, grid.width)])]]
    drawn += [[Span(indent), *drawn_lines(between.above(grid.height, wide + 2))]]
    return drawn + _column_labels(grid, indent + "  ", wide, "   ")


def _close_grid(grid: Grid, pieces: list[Span], marked: set[int], pen: Pen, columns: int) -> list[list[Span]]:
    """A dot for each empty cell, cells one space apart (or none where the board is too wide for that)."""
    wide = max([1, *(_width(piece.text) for piece in pieces)])
    labels = _row_labels(grid)
    indent = " " * _width(labels[0])
    tight = len(indent) + 3 + grid.width * (wide + 1) > columns
    inside = grid.width * wide if tight else grid.width * (wide + 1) + 1

    def rule(edge: str) -> list[Span]:
        return [Span(indent + edge[0] + edge[1] * inside + edge[3], "dim")]

    drawn = [rule(pen.top)]
    for row in range(grid.height):
        line = [Span(labels[row], "dim"), Span(pen.side, "dim")]
        for column in range(grid.width + 1):
            index = row * grid.width + column
            here = column < grid.width and index in marked
            behind = column > 0 and index - 1 in marked
            if not tight:
                line.append(Span(" ") if here == behind else Span("[" if here else "]", "bold"))
            if column < grid.width:
                piece = pieces[index] if pieces[index].text else Span(pen.empty, "dim")
                style = f"{piece.style} reverse" if tight and here else piece.style
                line.append(Span(_centred(piece.text, wide), style))
        drawn.append([*line, Span(pen.side, "dim")])
    drawn.append(rule(pen.bottom))
    return drawn + _column_labels(grid, indent + (" " if tight else "  "), wide, "" if tight else " ")


def _maze(grid: Grid, pieces: list[Span], pen: Pen) -> list[list[Span]]:
    """Walls as lines along the ways, cells two columns apart; the inside of thick walls stays empty."""
    walls = set(grid.walls)

    def solid(row: int, column: int) -> bool:
        inside = 0 <= row < grid.height and 0 <= column < grid.width
        return not inside or row * grid.width + column in walls

    def linked(row: int, column: int, down: int, across: int) -> bool:
        """Whether the wall goes on to a neighbour along a way: not where there is wall on both sides."""
        if not solid(row + down, column + across) or not 0 <= row + down < grid.height:
            return False
        sides = [
            solid(row + side * across + step * down, column + side * down + step * across)
            for side in (-1, 1)
            for step in (0, 1)
        ]
        return 0 <= column + across < grid.width and not all(sides)

    def drawn(row: int, column: int) -> list[Span]:
        piece = pieces[row * grid.width + column]
        if row * grid.width + column not in walls:
            return [Span(_centred(piece.text, 1), piece.style), Span(" ")]
        ways = sum(linked(row, column, *way) << number for number, way in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))))
        buried = all(solid(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1))
        sign = " " if buried else pen.walls[ways]
        return [Span(sign + (pen.walls[10] if ways & 2 else " "), "blue")]

    return [[span for column in range(grid.width) for span in drawn(row, column)] for row in range(grid.height)]


def _row_labels(grid: Grid) -> list[str]:
    """A label and a space for each row, all of one width; nothing where the rows have no labels."""
    if not grid.rows:
        return [""] * grid.height
    wide = max(_width(label) for label in grid.rows)
    return [" " * (wide - _width(label)) + label + " " for label in grid.rows]


def _column_labels(grid: Grid, indent: str, wide: int, gap: str) -> list[list[Span]]:
    """The columns' labels below the board, each in its column; longer ones run downwards."""
    if not grid.columns:
        return []
    longest = max(_width(label) for label in grid.columns)
    if longest <= max(wide, wide + len(gap) - 1):
        wider = longest > wide
        texts = [_centred(label, wide + 2 * wider) for label in grid.columns]
        lead = indent[: len(indent) - wider]
        return [[Span(lead + gap[2 * wider :].join(texts), "dim")]]
    tall = [label.rjust(longest) for label in grid.columns]
    return [
        [Span(indent + gap.join(_centred(label[place], wide) for label in tall), "dim")] for place in range(longest)
    ]


# The other kinds.


def _layers(board: Layers, before: Board | None, boxes: bool, colours: bool, columns: int) -> list[list[Span]]:
    """The layers side by side, as many as fit, each below its title; the rows are labelled once."""
    if not len(board.grids) == len(board.titles) > 0:
        raise ValueError(f"Layers needs a title for each grid, not {len(board.titles)} for {len(board.grids)}")
    old = before.grids if isinstance(before, Layers) and len(before.grids) == len(board.grids) else board.grids
    blocks, lead = [], _width(_row_labels(board.grids[0])[0])
    for grid, was, title in zip(board.grids, old, board.titles, strict=True):
        drawn = spans(grid._replace(rows=()), was, boxes=boxes, colours=colours, columns=columns)
        wide = max(_width("".join(span.text for span in line)) for line in drawn)
        blocks.append([[Span(_centred(title, wide), "bold")], *drawn, []])
    wide = max(_width("".join(span.text for span in line)) for block in blocks for line in block)
    fit = max((columns - lead + 1) // (wide + 1), 1)
    labels = _layer_labels(board.grids[0], len(blocks[0]), lead)
    found = []
    for start in range(0, len(blocks), fit):
        for label, *row in zip(labels, *blocks[start : start + fit], strict=True):
            found.append([Span(label, "dim"), *(span for line in row for span in _padded(line, wide + 1))])
    return found[:-1]


def _layer_labels(grid: Grid, count: int, lead: int) -> list[str]:
    """The labels of the rows of a layer, beside the lines that it is drawn with."""
    labels, step = [" " * lead] * count, 2 if max(grid.width, grid.height) <= ROOMY else 1
    for row, label in enumerate(_row_labels(grid)):
        labels[2 + step * row] = label
    return labels


def _padded(line: list[Span], wide: int) -> list[Span]:
    return [*line, Span(" " * (wide - sum(_width(span.text) for span in line)))]


def _piles(piles: Piles, before: Board | None, pen: Pen, columns: int) -> list[list[Span]]:
    """A row for each heap: its label, its count, its stones by fives, and those taken since `before`."""
    old = before.counts if isinstance(before, Piles) and before.labels == piles.labels else piles.counts
    name = max([0, *(_width(label) for label in piles.labels)])
    digits = max([1, *(len(f"{count:,}") for count in piles.counts)])
    room = max(10, columns - name - digits - 4 - len(pen.more))
    most = room - room // 6
    drawn = []
    for label, count, was in zip(piles.labels, piles.counts, old, strict=True):
        line = [Span(label + " " * (name - _width(label)) + "  "), Span(f"{count:>{digits},}", "bold"), Span("  ")]
        full = max(count, was) > most
        stones = _by_fives(pen.stone * min(count, most), 0)
        taken = "" if full else _by_fives(pen.taken * max(0, was - count), count)
        drawn.append([*line, Span(stones, "yellow"), Span(taken, "dim"), Span(pen.more if full else "", "dim")])
    return drawn


def _by_fives(stones: str, already: int) -> str:
    """The stones with a gap before each fifth, where `already` others stand in front."""
    return "".join(
        (" " if (already + place) % 5 == 0 and already + place else "") + stone for place, stone in enumerate(stones)
    )


def _points(board: Points, before: Board | None, pen: Pen) -> list[list[Span]]:
    """Two rows of points, the first player's home at the lower right; those changed since `before` are in brackets."""
    if not len(board.first) == len(board.second) == 26:
        counts = f"{len(board.first)} and {len(board.second)}"
        raise ValueError(f"Points needs 26 numbers for each player, off, points 1 to 24 and bar, not {counts}")
    old = before if isinstance(before, Points) else board
    changed = {point for point in range(1, 25) if _column(board, point) != _column(old, point)}
    upper, lower = range(13, 25), range(12, 0, -1)
    drawn = [_point_labels(board, upper, changed), _point_rule(pen.top)]
    drawn += [_point_row(board, upper, 1, row, pen) for row in range(TALL)]
    drawn += [_point_row(board, (), 0, TALL, pen)]
    drawn += [_point_row(board, lower, 0, row, pen) for row in reversed(range(TALL))]
    drawn += [_point_rule(pen.bottom), _point_labels(board, lower, changed)]
    for line, player, side in ((2, 1, board.second), (-3, 0, board.first)):
        pips = sum(place * count for place, count in enumerate(side))
        off = f" · {side[0]} off" if side[0] else ""
        drawn[line] += [Span("  "), Span("XO"[player], player_style(player)), Span(f"  {pips} pips{off}", "dim")]
    drawn[2 + TALL] += [Span(f"  {board.note}", "bold")]
    return drawn


def _column(board: Points, point: int) -> tuple[int, int]:
    """How many checkers each player has on a point, as the first player counts."""
    return board.first[point], board.second[25 - point]


def _point_labels(board: Points, points: Sequence[int], changed: set[int]) -> list[Span]:
    labels = [Span(" ")]
    for place, point in enumerate(points):
        label = str(point if board.turn == 0 else 25 - point)
        text = f"[{label}]" if point in changed else f"{label} "
        labels += [Span(" " * 5 if place == 6 else ""), Span(f"{text:>4}", "bold" if point in changed else "dim")]
    return labels


def _point_rule(edge: str) -> list[Span]:
    half = edge[1] * 24
    return [Span(f"{edge[0]}{half}{edge[2]}{edge[1] * 3}{edge[2]}{half}{edge[3]}", "dim")]


def _point_row(board: Points, points: Sequence[int], player: int, row: int, pen: Pen) -> list[Span]:
    """A row of checkers, the first ones in row 0; the bar shows those of the player whose home is in that half."""
    stacks = [max((count, owner) for owner, count in enumerate(_column(board, point))) for point in points]
    signs = [_checker(count, owner, row, pen.empty) for count, owner in stacks] or [Span(" ")] * 12
    hit = _checker((board.first, board.second)[player][25], player, row, " ")
    bar = Span(f"{hit.text:^3}", hit.style)
    side = Span(pen.side, "dim")
    cells = [Span(f"{sign.text:>3} ", sign.style) for sign in signs]
    return [side, *cells[:6], side, bar if points else Span("BAR", "dim"), side, *cells[6:], side]


def _checker(count: int, player: int, row: int, empty: str) -> Span:
    """What a stack shows in a row: a checker, in the last row the number of more than fit, or nothing."""
    if count == 0 and row == 0:
        return Span(empty, "dim")
    text = "" if row >= count else "XO"[player] if row < TALL - 1 or count <= TALL else str(count)
    return Span(text or " ", player_style(player) if text else "")


def _pits(board: Pits, before: Board | None, pen: Pen) -> list[list[Span]]:
    """Two rows of pits between the stores, the first player's below; those changed since `before` are in brackets."""
    if not len(board.first) == len(board.second) == len(board.labels) + 1 == len(board.other_labels) + 1:
        counts = f"{len(board.first)} and {len(board.second)}"
        raise ValueError(
            f"Pits needs a number and a label for each pit, and one for the store; it has {counts} numbers"
        )
    old = before if isinstance(before, Pits) and len(before.first) == len(board.first) else board
    wide = max(len(str(count)) for count in (*board.first, *board.second))
    count = len(board.labels)
    cells = [
        [_pit(side[place], side[place] != then[place], player, wide) for place in range(count + 1)]
        for player, side, then in ((0, board.first, old.first), (1, board.second, old.second))
    ]
    side, blank = Span(pen.side, "dim"), [Span(" " * (wide + 2))]
    lower, upper = cells[0][:-1], cells[1][-2::-1]

    def row(left: list[Span], pits: list[list[Span]], right: list[Span]) -> list[Span]:
        return [part for cell in (left, *pits, right) for part in (side, *cell)] + [side]

    def rule(edge: str, cells: int) -> Span:
        return Span(edge[0] + edge[2].join([edge[1] * (wide + 2)] * cells) + edge[3], "dim")

    def labels(names: Sequence[str]) -> list[Span]:
        return [Span(" " * (wide + 5) + " ".join(f"{_centred(name, wide)}  " for name in names), "dim")]

    return [
        labels(board.other_labels[::-1]),
        [rule(pen.top, count + 2)],
        row(blank, upper, blank),
        [side, *cells[1][-1], rule(pen.middle, count), *cells[0][-1], side],
        row(blank, lower, blank),
        [rule(pen.bottom, count + 2)],
        labels(board.labels),
    ]


def _pit(count: int, changed: bool, player: int, wide: int) -> list[Span]:
    """A number of seeds, in brackets if it has changed."""
    edges = "[]" if changed else "  "
    return [Span(edges[0], "bold"), Span(f"{count:>{wide}}", player_style(player)), Span(edges[1], "bold")]


def _node(node: Node, pen: Pen) -> list[list[Span]]:
    """The node's name, and its children as branches below it."""
    drawn = [[Span(node.name, "bold")]]
    wide = max([0, *(_width(label) for label, _ in node.children)])
    for number, (label, child) in enumerate(node.children, 1):
        branch = pen.last if number == len(node.children) else pen.branch
        padded = label + " " * (wide - _width(label))
        drawn.append([Span(branch, "dim"), Span(padded, "cyan"), Span(pen.arrow, "dim"), Span(child)])
    return drawn


def _fields(fields: Fields, before: Board | None, columns: int) -> list[list[Span]]:
    """A row for each field: its name and its value, over several lines if long, bold if new since `before`."""
    old = before.values if isinstance(before, Fields) and before.names == fields.names else fields.values
    wide = max([0, *(_width(name) for name in fields.names)])
    room = max(10, columns - wide - 2)
    drawn = []
    for name, value, was in zip(fields.names, fields.values, old, strict=True):
        parts = _broken(value, room)
        heads = [name, *[""] * (len(parts) - 1)]
        for head, part in zip(heads, parts, strict=True):
            drawn.append([Span(head + " " * (wide - _width(head) + 2), "dim"), Span(part, "bold" * (value != was))])
    return drawn


def _broken(value: str, room: int) -> list[str]:
    """A value on lines of at most `room` characters, ended behind commas and spaces where there are any."""
    lines = [""]
    for piece in re.findall(rf"[^, ]{{0,{room - 1}}}[, ]|[^, ]{{1,{room}}}", value):
        if len(lines[-1]) + len(piece) > room:
            lines.append("")
        lines[-1] += piece
    return lines


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def _centred(text: str, wide: int) -> str:
    room = max(0, wide - _width(text))
    return " " * ((room + 1) // 2) + text + " " * (room // 2)
