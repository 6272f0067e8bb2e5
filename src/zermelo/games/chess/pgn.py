"""Games as text: PGN with tags, comments, annotations and variations, read and written.

The moves of a game form a tree, kept flat: a node knows the node before it, and the first node after another is how the
game went on. Nothing here recurses, so variations may be nested as deep as they like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import BadInput, IllegalAction
from zermelo.games.chess import fen, san

if TYPE_CHECKING:
    from zermelo.games.chess import Chess

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven tags that every game has, with what stands for what nobody knows."""
RESULTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "*": ()}
"""How games end, with the points of both players; an unfinished one has none."""
WIDTH = 79
"""How long a line of moves may be."""
STANDARD = {"", "standard", "chess", "normal", "from position"}
"""What games by these rules are called in the tag Variant."""
SIGNS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The numbers of the annotations that have signs of their own."""
START = -1
"""The parent of the first move."""

TOKEN = re.compile(
    r"""\s+ | %(?P<escape>[^\n]*) | \[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | \{(?P<comment>[^}]*)\} | ;(?P<rest>[^\n]*) | \$(?P<nag>\d{1,3})(?!\d) | (?P<open>\() | (?P<close>\))
    | (?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?![\w/-])
    | (?P<number>\d+(?![\w-])\.*|\d+\.+|\.+)
    | (?P<move>(?:[A-Za-z][A-Za-z0-9:=/-]*|0-0(?:-0)?)(?:\([NBRQ]\))?[+\#]*) | (?P<sign>[!?]{1,2})""",
    re.VERBOSE,
)
GAME_START = re.compile(r"^\[Event ", re.MULTILINE)
ESCAPED = re.compile(r"\\(.)")


class Node(NamedTuple):
    """A move of a game, after the node `parent`, or at the start. `before` is a comment in front of it, `comment` one
    behind, `nags` are the numbers of its annotations."""

    parent: int
    action: int
    comment: str = ""
    nags: tuple[int, ...] = ()
    before: str = ""


@dataclass(frozen=True)
class Record:
    """A game: its tags, the state it starts from, its moves, what was said before the first, and how it ended."""

    headers: dict[str, str]
    start: Chess.State
    nodes: tuple[Node, ...] = ()
    comment: str = ""
    result: str = "*"

    @property
    def actions(self) -> tuple[int, ...]:
        """The moves that were played, without variations."""
        found, last = [], START
        for index, node in enumerate(self.nodes):
            if node.parent == last:
                found.append(node.action)
                last = index
        return tuple(found)

    @property
    def points(self) -> tuple[float, ...]:
        """1 for the player who won, ½ each for a draw; nothing where the game is not finished."""
        return RESULTS[self.result]

    @classmethod
    def of(cls, game: Chess, actions: Sequence[int], result: str = "*", **headers: str) -> Record:
        """A game from the usual start, of these moves."""
        nodes = tuple(Node(index - 1, action) for index, action in enumerate(actions))
        return cls(headers, game.initial(), nodes, result=result)


def decode(data: bytes) -> str:
    """The text of a file, which is UTF-8 by today's habit and Latin-1 by the standard's."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# Reading.


def read(game: Chess, text: str | bytes, refused: list[BadInput] | None = None) -> Iterator[Record]:
    """The games in a text, one after the other. One that can't be read raises `BadInput` with its line; where a list
    for such errors is given it is put there, and the next game is read."""
    whole = decode(text) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    reader = _Reader(game, whole)
    while True:
        try:
            record = reader.next_game()
        except BadInput as error:
            if refused is None:
                raise
            refused.append(error)
            reader.skip()
            continue
        if record is None:
            return
        yield record


def read_file(game: Chess, path: str | Path, refused: list[BadInput] | None = None) -> Iterator[Record]:
    """The games in a file, as `read` reads them; errors name the file."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}") from None
    try:
        yield from read(game, content, refused)
    except BadInput as error:
        raise type(error)(f"{path} {error}") from None


@dataclass
class _Draft:
    """A game while it is read."""

    headers: dict[str, str] = field(default_factory=dict)
    start: Chess.State | None = None
    nodes: list[Node] = field(default_factory=list)
    states: list[Chess.State] = field(default_factory=list)
    comment: str = ""
    last: int = START
    """The node that the next move follows."""
    waiting: str = ""
    """A comment that belongs to the next move."""
    lines: list[int] = field(default_factory=list)
    """The last nodes of the lines that the current variation is in."""
    fresh: bool = False
    """Whether a variation has just been opened."""


class _Reader:
    """Reads games from a text, from `place` on."""

    def __init__(self, game: Chess, text: str) -> None:
        self.game, self.text, self.place, self.begun = game, text, 0, 0

    def next_game(self) -> Record | None:
        """The next game; None at the end of the text."""
        draft, match, self.begun = _Draft(), TOKEN.match, self.place
        text, length = self.text, len(self.text)
        while self.place < length:
            token = match(text, self.place)
            name = token.lastgroup if token is not None else None
            if token is None or (name == "escape" and self.place and text[self.place - 1] != "\n"):
                raise self._unreadable()
            if name == "value" and (draft.start is not None or (token["tag"] == "Event" and "Event" in draft.headers)):
                return self._finished(draft, "*")
            if name == "result" and not draft.lines:
                self.place = token.end()
                return self._finished(draft, token["result"].replace("½", "1/2"))
            if name is not None:
                self._take(draft, name, token)
            self.place = token.end()
        return self._finished(draft, "*") if draft.headers or draft.start is not None else None

    def skip(self) -> None:
        """Go to where the next game begins, after one that can't be read."""
        found = GAME_START.search(self.text, max(self.place, self.begun + 1))
        self.place = found.start() if found else len(self.text)

    def _finished(self, draft: _Draft, result: str) -> Record:
        if draft.lines:
            raise self._wrong("a variation is opened with ( and never closed")
        if draft.start is None:
            self._begin(draft)
        assert draft.start is not None
        return Record(draft.headers, draft.start, tuple(draft.nodes), draft.comment, result)

    def _take(self, draft: _Draft, name: str, token: re.Match[str]) -> None:
        """One token of a game that is no result."""
        if name == "value":
            self._tag(draft, token["tag"], ESCAPED.sub(r"\1", token["value"]))
        elif name == "move":
            self._move(draft, token["move"])
        elif name in ("comment", "rest"):
            self._comment(draft, " ".join(token[name].split()))
        elif name in ("nag", "sign"):
            self._annotate(draft, int(token["nag"]) if name == "nag" else SIGNS[token["sign"]])
        elif name == "open":
            if draft.last == START or draft.fresh:
                raise self._wrong("a variation stands before any move that it could replace")
            draft.lines.append(draft.last)
            draft.last, draft.fresh = draft.nodes[draft.last].parent, True
        elif name == "close":
            if not draft.lines or draft.fresh:
                raise self._wrong("a variation is closed that " + ("has no moves" if draft.fresh else "was not opened"))
            draft.last = draft.lines.pop()
        elif name == "result" and draft.fresh:
            raise self._wrong("a variation has no moves")

    def _tag(self, draft: _Draft, name: str, value: str) -> None:
        if name in draft.headers:
            raise self._wrong(f"the tag {name[:40]} is given twice")
        draft.headers[name] = value

    def _begin(self, draft: _Draft) -> None:
        """The tags are read: from here on there are moves."""
        headers = draft.headers
        if headers.get("Variant", "").lower() not in STANDARD:
            raise self._wrong(f"the game is {headers['Variant'][:40]!r}, which is not chess by the usual rules")
        try:
            draft.start = fen.read(self.game, headers["FEN"]) if "FEN" in headers else _initial(self.game)
        except BadInput as error:
            raise self._wrong(str(error)) from None

    def _move(self, draft: _Draft, word: str) -> None:
        if draft.start is None:
            self._begin(draft)
        assert draft.start is not None
        before = draft.start if draft.last == START else draft.states[draft.last]
        try:
            action, after = _step(self.game, before, word)
        except IllegalAction as error:
            raise IllegalAction(f"line {self._line}: {error}") from None
        draft.nodes.append(Node(draft.last, action, before=draft.waiting))
        draft.states.append(after)
        draft.last, draft.waiting, draft.fresh = len(draft.nodes) - 1, "", False

    def _comment(self, draft: _Draft, words: str) -> None:
        """A comment is on the move before it; at the beginning of a game or variation, on the game or the next move."""
        if draft.fresh:
            draft.waiting = _both(draft.waiting, words)
        elif draft.last == START:
            draft.comment = _both(draft.comment, words)
        else:
            node = draft.nodes[draft.last]
            draft.nodes[draft.last] = node._replace(comment=_both(node.comment, words))

    def _annotate(self, draft: _Draft, number: int) -> None:
        if draft.last == START or draft.fresh:
            raise self._wrong("an annotation stands before any move")
        node = draft.nodes[draft.last]
        draft.nodes[draft.last] = node._replace(nags=(*node.nags, number))

    @property
    def _line(self) -> int:
        return self.text.count("\n", 0, self.place) + 1

    def _wrong(self, why: str) -> BadInput:
        return BadInput(f"line {self._line}: {why}")

    def _unreadable(self) -> BadInput:
        """What is said where the text goes on with nothing that a game may have."""
        sign, word = self.text[self.place], self.text[self.place : self.place + 20].split("\n")[0]
        if sign == "{":
            return self._wrong("a comment is opened with { and never closed")
        if sign == "[":
            return self._wrong(f'{word!r} is no tag: write [Name "value"]')
        return self._wrong(f"{word!r} is nothing that a PGN game may have here")


@lru_cache(maxsize=8)
def _initial(game: Chess) -> Chess.State:
    """The usual start, always the same object, so that it is soon found again below."""
    return game.initial()


@lru_cache(maxsize=1 << 13)
def _step(game: Chess, state: Chess.State, word: str) -> tuple[int, Chess.State]:
    """The action that a word writes, and the state after it; games begin alike, so some are kept."""
    action = san.read(game, state, word)
    return action, game.result(state, action)


def _both(first: str, second: str) -> str:
    return f"{first} {second}".strip()


# Writing.


def write(game: Chess, record: Record) -> str:
    """A game as PGN, in lines of less than 80 characters; `read` gives it back."""
    headers = ROSTER | {name: value for name, value in record.headers.items() if name not in ("SetUp", "FEN")}
    headers["Result"] = record.result
    if record.start != game.initial():
        headers |= {"SetUp": "1", "FEN": fen.write(record.start)}
    tags = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items()]
    return "\n".join([*tags, "", *_wrapped(_words(game, record)), "", ""])


def _escaped(value: str) -> str:
    return " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')


def _words(game: Chess, record: Record) -> Iterator[str]:
    """What stands between spaces: numbers, moves, comments, brackets, and the result."""
    children = _children(record.nodes)
    states = _states(game, record)
    yield from _commented(record.comment)
    numbered, todo = False, [(START, False)]
    """What is to be written: all that follows a node, or with True the node alone; brackets have no nodes."""
    opening, closing = (len(record.nodes), True), (len(record.nodes) + 1, True)
    while todo:
        index, alone = item = todo.pop()
        if item in (opening, closing):
            yield "(" if item == opening else ")"
            numbered = False
            continue
        followers = [index] if alone else children[index]
        if not followers:
            continue
        main = followers[0]
        node, state = record.nodes[main], states[record.nodes[main].parent]
        yield from _commented(node.before)
        yield from _numbered(state, numbered and not node.before)
        yield san.write(game, state, node.action)
        yield from (f"${number}" for number in node.nags)
        yield from _commented(node.comment)
        numbered = not node.comment
        todo.append((main, False))
        for other in reversed(followers[1:]):
            todo += [closing, (other, True), opening]
    yield record.result


def _children(nodes: tuple[Node, ...]) -> list[list[int]]:
    """The nodes that follow each, those of the start last, where -1 finds them."""
    children: list[list[int]] = [[] for _ in range(len(nodes) + 1)]
    for index, node in enumerate(nodes):
        children[node.parent].append(index)
    return children


def _states(game: Chess, record: Record) -> list[Chess.State]:
    """The state after each node, that of the start last, where -1 finds it."""
    states: list[Chess.State] = [record.start] * (len(record.nodes) + 1)
    for index, node in enumerate(record.nodes):
        states[index] = game.result(states[node.parent], node.action)
    return states


def _numbered(state: Chess.State, known: bool) -> Iterator[str]:
    """The number of a move; Black's has one only where it does not follow White's."""
    if state.ply % 2 == 0:
        yield f"{state.ply // 2 + 1}."
    elif not known:
        yield f"{state.ply // 2 + 1}..."


def _commented(comment: str) -> Iterator[str]:
    """A comment in braces; one that has a closing brace in it, to the end of its line."""
    if "}" in comment:
        yield f";{comment}\n"
    elif comment:
        first, *rest = f"{{{comment}}}".split(" ")
        yield first
        yield from rest


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    """Words in lines; one that has a line's end behind it is the last of its line."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line += " " * bool(line) + word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    yield line
