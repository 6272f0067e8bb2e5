"""Games of checkers in PDN, Portable Draughts Notation: headers, moves, comments, results.

Read is what people have written: wrong move numbers, - for x and x for -, games without a result. Kept are a game's
headers, its moves and the comments among them. Variations, which hold moves that were not played, are passed over, and
so are marks such as ! and $1. In checkers 1-0 is won by Black, who moves first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from textwrap import wrap

from zermelo.errors import BadInput
from zermelo.game import listed
from zermelo.games.checkers import Checkers
from zermelo.games.checkers.notation import stops_in

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNKNOWN = "*"
WIDTH = 80
TOKEN = re.compile(
    r"\s+|[0-9]+\.+|[!?]+|\$[0-9]+"
    r"|(?P<result>(?:1/2-1/2|1-0|0-1)(?![-/0-9])|\*)"
    r"|(?P<move>[0-9]{1,2}(?:[-xX:×][0-9]{1,2})+)\*?"
    r"|(?P<comment>\{[^}]*\}|;[^\n]*)"
    r"|(?P<bracket>[()])"
    r'|\[\s*(?P<name>\w+)\s*"(?P<header>(?:[^"\\\n]|\\.)*)"\s*\]'
    r"|(?P<nonsense>\S{1,40})"
)
"""What a text consists of; a move may have a * behind it, which calls it the only good one."""
ESCAPED = re.compile(r'\\(["\\])')
GAME = Checkers()
START = GAME.initial()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it was played: from `start` by `moves`, actions of checkers, to a result.

    `comments` are pairs: how many moves were made before, and the text. The moves are legal, but go on where a position
    has come back and where many moves were quiet: such draws are claimed by players.
    """

    headers: dict[str, str] = field(default_factory=dict)
    start: Checkers.State = START
    moves: tuple[int, ...] = ()
    result: str = UNKNOWN
    comments: tuple[tuple[int, str], ...] = ()


def read_pdn(text: str | bytes) -> list[GameRecord]:
    """The games of a text in their order, or `BadInput` with the line that can't be read.

    Headers for the start and the result are not kept as headers.
    """
    text = decoded(text) if isinstance(text, bytes) else text
    games, scribe = [], Scribe()
    for match in TOKEN.finditer(text.removeprefix("\ufeff")):
        kind = match.lastgroup
        if kind is None:
            continue
        try:
            if (kind == "header" and scribe.moves) or (kind == "result" and not scribe.depth):
                games.append(scribe.finished(match["result"]))
                scribe = Scribe()
            if kind != "result":
                scribe.take(kind, match)
        except BadInput as error:
            raise BadInput(f"line {match.string.count(chr(10), 0, match.start()) + 1}: {error}") from None
    if scribe.depth:
        raise BadInput("the text ends inside a variation: a ) is missing")
    return [*games, scribe.finished(None)] if scribe.has_begun else games


def write_pdn(games: Iterable[GameRecord]) -> str:
    """The text of games, from which `read_pdn` makes the same."""
    return "\n".join("\n".join([*_headers(game), "", *_movetext(game), ""]) for game in games)


def decoded(data: bytes) -> str:
    """Text from a file, which must be UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"line {line}: the text is not in UTF-8, save it as that (byte {error.start})") from None


class Scribe:
    """Takes down one game, token by token."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.start = self.state = START
        self.moves: list[int] = []
        self.comments: list[tuple[int, str]] = []
        self.said = UNKNOWN
        self.depth = 0

    def take(self, kind: str, match: re.Match[str]) -> None:
        """One token; inside a variation only its brackets matter."""
        token = match[kind]
        if kind == "nonsense":
            cure = {"{": "a comment ends with }", "[": 'a header is written [Name "text"]'}.get(token[0], "")
            raise BadInput(f"{token!r} is no move, comment, header or result" + (f": {cure}" if cure else ""))
        if kind == "bracket":
            self.depth += 1 if token == "(" else -1
            if self.depth < 0:
                raise BadInput("there is a ) without its (")
        elif kind == "header":
            self.take_header(match["name"], ESCAPED.sub(r"\1", token) if "\\" in token else token)
        elif self.depth == 0 and kind == "move":
            self.take_move(token)
        elif self.depth == 0:
            self.take_comment(token)

    def take_header(self, name: str, value: str) -> None:
        if self.depth:
            raise BadInput(f"the header {name} is inside a variation: a ) is missing before it")
        if name == "FEN":
            self.start = self.state = GAME.parse_state(value)
        elif name == "Result":
            self.said = value if value in RESULTS else UNKNOWN
        elif name != "SetUp":
            self.headers[name] = value

    def take_move(self, word: str) -> None:
        action, self.state, complaint = _move(self.state, word)
        if complaint:
            raise BadInput(complaint)
        self.moves.append(action)

    def take_comment(self, token: str) -> None:
        text = " ".join(token[1 : -1 if token[0] == "{" else None].split())
        if text:
            self.comments.append((len(self.moves), text))

    @property
    def has_begun(self) -> bool:
        return bool(self.headers or self.moves or self.comments or self.said != UNKNOWN or self.start != START)

    def finished(self, result: str | None) -> GameRecord:
        """The game; where it ends with no result or *, its header says the result."""
        result = self.said if result in (None, UNKNOWN) else result
        return GameRecord(self.headers, self.start, tuple(self.moves), result, tuple(self.comments))


@lru_cache(maxsize=1 << 15)
def _move(state: Checkers.State, word: str) -> tuple[int, Checkers.State, str]:
    """The action that a word means in a state, where it leads, and a complaint if there is none.

    Kept, since games share their openings.
    """
    action = GAME.menu(state).get(stops_in(word), -1)
    if action >= 0:
        return action, GAME.result(state, action), ""
    legal = [GAME.format_action(state, action) for action in GAME.actions(state)]
    cure = f"legal are {listed(legal)}" if legal else "the game is over"
    return action, state, f"{word} is not legal in {GAME.format_state(state)!r}; {cure}"


def _headers(game: GameRecord) -> list[str]:
    """A line for each header, with those that tell the start and the result."""
    setup = {} if game.start == START else {"SetUp": "1", "FEN": GAME.format_state(game.start)}
    lines = []
    for name, value in {**game.headers, **setup, "Result": game.result}.items():
        if re.fullmatch(r"\w+", name) is None or "\n" in value:
            raise BadInput(f"the header {name!r} can't be written: a name is one word, a text one line")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{name} "{escaped}"]')
    return lines


def _movetext(game: GameRecord) -> list[str]:
    """The moves with their numbers, the comments and the result, in lines of at most `WIDTH` characters."""
    lines: list[str] = []
    words: list[str] = []
    state, half = game.start, game.start.turn
    for made in range(len(game.moves) + 1):
        for text in [" ".join(text.split()) for number, text in game.comments if number == made]:
            if "}" in text:
                lines += [*_wrapped(words), f";{text}"]
                words = []
            else:
                words.append(f"{{{text}}}")
        if made < len(game.moves):
            if half % 2 == 0 or made == 0:
                words.append(f"{half // 2 + 1}{'.' if half % 2 == 0 else '...'}")
            words.append(GAME.format_action(state, game.moves[made]))
            state, half = GAME.result(state, game.moves[made]), half + 1
    return [*lines, *_wrapped([*words, game.result])]


def _wrapped(words: list[str]) -> list[str]:
    return wrap(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
