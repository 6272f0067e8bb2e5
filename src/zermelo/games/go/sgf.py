"""Games of Go as files: SGF, the Smart Game Format (FF[4]), read and written.

A file is a collection of trees, and a tree a tuple of nodes, each with the number of its parent: nothing here recurses,
however deep the variations go.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from zermelo.errors import BadInput
from zermelo.games.go import Go
from zermelo.games.go.vertices import write_vertex

LETTERS = "abcdefghijklmnopqrs"
VALUE = r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]"
TOKEN = re.compile(rf"\s*(?:([();])|([A-Za-z]+)|{VALUE})", re.DOTALL)
ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
CHARSET = re.compile(rb"CA\[([\x20-\x5c\x5e-\x7e]{1,40})\]")
SETUP = ("AB", "AW", "AE", "PL")


class Node(NamedTuple):
    """One node of a tree: the number of the node before it (-1: none), and its properties, each with its values."""

    parent: int
    properties: Mapping[str, tuple[str, ...]]


Tree = tuple[Node, ...]


class Play(NamedTuple):
    """The main line of a tree: the game, where it begins, and the moves from there on."""

    game: Go
    start: Go.State
    actions: tuple[int, ...]


def decode(data: bytes) -> str:
    """The text of a file: by its CA property, else UTF-8 or Latin-1; `BadInput` where that can't be."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded(data, "utf-16")
    found = CHARSET.search(data[:10_000])
    if found:
        return _decoded(data, found[1].decode("ascii").strip())
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig" if name.upper() in ("UTF-8", "UTF8") else name)
    except LookupError:
        raise BadInput(
            f"the SGF file is written in {name!r}, which is no encoding known here: save it as UTF-8"
        ) from None
    except ValueError:
        raise BadInput(f"the SGF file says it is written in {name}, and is not: correct its CA property") from None


def parse(text: str) -> list[Tree]:
    """The trees of a collection; what stands before the first bracket is passed over. `BadInput` where it is no SGF."""
    place, end = text.find("("), len(text.rstrip())
    if place < 0:
        raise BadInput("this is no SGF: it has no tree, which begins with (;")
    trees: list[Tree] = []
    tree = _Tree()
    while place < end:
        token = TOKEN.match(text, place)
        if token is None:
            raise _wrong(text, place, "this is neither a node, a property nor a bracket")
        problem = tree.take(*token.groups())
        if problem:
            raise _wrong(text, token.end() - 1, problem)
        place = token.end()
        if not tree.opened:
            trees.append(
                tuple(Node(parent, {name: tuple(each) for name, each in own.items()}) for parent, own in tree.nodes)
            )
            tree = _Tree()
            place = text.find("(", place)
            place = end if place < 0 else place
    if tree.opened:
        raise _wrong(text, end, f"{len(tree.opened)} ( have no )")
    return trees


class _Tree:
    """A tree that is being read. `opened` are the nodes at which variations began that are still open."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, dict[str, list[str]]]] = []
        self.opened: list[int] = []
        self.at, self.name, self.fresh = -1, "", False

    def take(self, sign: str | None, name: str | None, value: str | None) -> str:
        """Take in a sign, the name of a property, or a value; what is wrong with it, if anything is."""
        if value is None and self.name and not self.nodes[self.at][1][self.name]:
            return "a property has no value"
        if sign is not None:
            problem = self._sign(sign)
            self.name, self.fresh = "", sign == "("
            return problem
        if self.fresh or not self.nodes:
            return "a node begins with ;"
        if name is not None:
            self.name = "".join(letter for letter in name if letter.isupper())
            self.nodes[self.at][1].setdefault(self.name, [])
            return "" if self.name else "the name of a property has capitals"
        if not self.name:
            return "a value has no property"
        self.nodes[self.at][1][self.name].append(ESCAPE.sub(_unescaped, value or ""))
        return ""

    def _sign(self, sign: str) -> str:
        if self.fresh and sign != ";":
            return "a tree begins with a node, (;"
        if sign == ";":
            self.nodes.append((self.at, {}))
            self.at = len(self.nodes) - 1
        elif sign == "(":
            self.opened.append(self.at)
        else:
            self.at = self.opened.pop()
        return ""


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] in ("\n", "\r", "\r\n", "\n\r") else found[1]


def _wrong(text: str, place: int, problem: str) -> BadInput:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return BadInput(f"the SGF is wrong at line {line}, character {column}: {problem}")


def write(trees: Iterable[Tree]) -> str:
    """A collection as text; `parse` gives the same trees again."""
    return "\n".join("".join(_written(tree)) for tree in trees) + "\n"


def _written(tree: Tree) -> Iterator[str]:
    children: list[list[int]] = [[] for _ in tree]
    for place, node in enumerate(tree[1:], 1):
        children[node.parent].append(place)
    yield "("
    todo: list[int | str] = [")", 0]
    while todo:
        number = todo.pop()
        if isinstance(number, str):
            yield number
            continue
        yield ";" + "".join(_property(name, values) for name, values in tree[number].properties.items())
        after = children[number]
        if len(after) == 1:
            todo.append(after[0])
        for child in reversed(after if len(after) > 1 else []):
            todo += [")", child, "("]


def _property(name: str, values: tuple[str, ...]) -> str:
    escaped = (value.replace("\\", "\\\\").replace("]", "\\]") for value in values)
    return name + "".join(f"[{value}]" for value in escaped)


# Games.


def main_line(tree: Tree) -> Play:
    """The game of a tree along its first variations; `BadInput` where it is no game of Go that the rules allow.

    Stones that are set up in the middle begin the game anew from there. A player who moves twice in a row was passed
    to by the other.
    """
    game = _game(tree[0])
    reader = _Line(game)
    first: dict[int, int] = {}
    for place, node in enumerate(tree[1:], 1):
        first.setdefault(node.parent, place)
    number: int | None = 0
    while number is not None:
        reader.take(tree[number])
        number = first.get(number)
    return Play(game, reader.start, tuple(reader.actions))


def _game(root: Node) -> Go:
    """The game by the root's properties: GM, SZ and KM."""
    if _value(root, "GM", "1").strip() != "1":
        raise BadInput(f"the SGF is of another game, GM {_value(root, 'GM', '')[:20]!r}: Go is GM[1]")
    size = _value(root, "SZ", "19").strip()
    wide, _, high = size.partition(":")
    if not re.fullmatch(r"[0-9]{1,2}", wide) or high not in ("", wide) or not 2 <= int(wide) <= 19:
        raise BadInput(f"the SGF has a board of SZ {size[:20]!r}: it must be a square of 2 to 19")
    komi = _value(root, "KM", "0").strip() or "0"
    if not re.fullmatch(r"[+-]?[0-9]{0,4}(\.[0-9]{0,4})?", komi) or not any(sign.isdigit() for sign in komi):
        raise BadInput(f"the SGF has a komi of {komi[:20]!r}, which is no number")
    return Go(int(wide), komi=float(komi))


def _value(node: Node, name: str, usual: str) -> str:
    return (node.properties.get(name) or (usual,))[0]


class _Line:
    """The main line as it is read: where it begins, the moves, and where it is now."""

    def __init__(self, game: Go) -> None:
        self.game, self.start, self.now = game, game.initial(), game.initial()
        self.actions: list[int] = []
        self.seen = {game.recurrence(self.now)}

    def take(self, node: Node) -> None:
        """Set up the stones of a node, and take its moves."""
        if any(name in node.properties for name in SETUP):
            self.set_up(node)
        for name, values in node.properties.items():
            if name in ("B", "W"):
                for value in values:
                    self.move("BW".index(name), value)

    def set_up(self, node: Node) -> None:
        stones = list(self.game.stones(self.now))
        for name in SETUP[:3]:
            points = {point for value in node.properties.get(name, ()) for point in _points(value, self.game.size)}
            for colour, own in enumerate(stones):
                own |= points if name == ("AB", "AW")[colour] else set()
                own -= points if name != ("AB", "AW")[colour] else set()
        who = _value(node, "PL", "").strip().upper()[:1]
        if who not in ("", "B", "W"):
            raise BadInput(f"the SGF has PL {_value(node, 'PL', '')[:20]!r}: it is B or W who is to play")
        handicap = not self.actions and bool(stones[0]) and not stones[1]
        turn = "BW".index(who) if who else int(handicap) if not self.actions else self.now.turn
        self.start = self.now = self.game.placed(stones[0], stones[1], turn)
        self.actions, self.seen = [], {self.game.recurrence(self.now)}

    def move(self, colour: int, value: str) -> None:
        game = self.game
        if not self.actions and colour != self.now.turn:
            self.start = self.now = self.now._replace(own=self.now.other, other=self.now.own, turn=colour, ko=-1)
        if colour != self.now.turn:
            self.push(game.pass_move)
        points = _points(value, game.size) if value.strip() not in ("", "tt") else (game.pass_move,)
        if len(points) > 1:
            raise BadInput(f"the SGF has a move {value[:20]!r}: a move names one point")
        self.push(points[0])

    def push(self, action: int) -> None:
        """Take a move that the rules allow."""
        game, number = self.game, len(self.actions) + 1
        told = f"move {number} of the SGF ({write_vertex(action, game.size)})"
        if game.is_terminal(self.now):
            raise BadInput(f"{told} comes after two passes, which end the game")
        occupied = action != game.pass_move and not game.holds(game.free(self.now.own, self.now.other), action)
        if occupied or (action != game.pass_move and not game.is_legal(self.now, action)):
            raise BadInput(f"{told} is not legal: {'there is a stone' if occupied else 'it is a ko, or suicide'}")
        child = game.result(self.now, action)
        mark = game.recurrence(child)
        if action != game.pass_move and mark in self.seen:
            raise BadInput(f"{told} is not legal: it brings back an earlier board")
        self.seen.add(mark)
        self.now = child
        self.actions.append(action)


def _points(value: str, size: int) -> tuple[int, ...]:
    """The points of a value: one (`dd`), or a rectangle of them (`aa:cc`)."""
    corners = [part.strip().lower() for part in value.split(":")]
    if not 1 <= len(corners) <= 2 or any(len(part) != 2 or not set(part) <= set(LETTERS[:size]) for part in corners):
        raise BadInput(f"the SGF has a point {value[:20]!r}, which is not on a board of {size} × {size}")
    columns, rows = (sorted(LETTERS.index(part[axis]) for part in corners) for axis in (0, 1))
    return tuple(
        (size - 1 - row) * (size + 1) + column
        for row in range(rows[0], rows[-1] + 1)
        for column in range(columns[0], columns[-1] + 1)
    )


def tree_of(game: Go, start: Go.State, actions: Sequence[int], **properties: str) -> Tree:
    """A game as a tree of one line; `properties`, such as PB="Ann" and RE="B+3", are the root's."""
    root: dict[str, tuple[str, ...]] = {
        "FF": ("4",),
        "GM": ("1",),
        "CA": ("UTF-8",),
        "SZ": (str(game.size),),
        "KM": (f"{game.komi:g}",),
    }
    root |= {name: (value,) for name, value in properties.items()}
    for name, stones in zip(("AB", "AW"), game.stones(start), strict=True):
        if stones:
            root[name] = tuple(_written_point(point, game.size) for point in sorted(stones))
    if start.turn or "AB" in root:
        root["PL"] = ("BW"[start.turn],)
    nodes = [Node(-1, root)]
    for number, action in enumerate(actions):
        point = "" if action == game.pass_move else _written_point(action, game.size)
        nodes.append(Node(number, {"BW"[(start.turn + number) % 2]: (point,)}))
    return tuple(nodes)


def _written_point(point: int, size: int) -> str:
    row, column = divmod(point, size + 1)
    return LETTERS[column] + LETTERS[size - 1 - row]
