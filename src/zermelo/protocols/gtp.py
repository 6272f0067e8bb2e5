"""The Go Text Protocol, version 2: a server that a board program, or another engine, plays against."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from zermelo import __version__
from zermelo.engine.engine import Engine
from zermelo.errors import BadInput, IllegalAction, ZermeloError
from zermelo.games.go import Go
from zermelo.games.go.ending import dead_stones, settled
from zermelo.games.go.vertices import read_vertex, write_rows, write_vertex
from zermelo.position import Position
from zermelo.protocols.gtp_clock import GtpClock, Turn
from zermelo.protocols.sgf import load_position, write_position

if TYPE_CHECKING:
    from zermelo.montecarlo.options import TreeOptions
    from zermelo.search.result import Line, Result

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
LINE = re.compile(r"(?:([0-9]{1,9})(?:\s+|$))?(?:(\S+)\s*(.*))?")
SHOWN = 10
"""How many moves an analysis tells of."""
LONGEST = 2000
"""The longest line of a command that is looked at."""


class Refused(BadInput):
    """A command that can't be done: the words of the protocol for it."""


class Server:
    """A game of Go, moved by commands. `waiting` says whether another command has come, which ends an analysis.

    Without a clock each move takes `seconds`, or so many `simulations`. It resigns where it expects to win less often
    than `resign` says. Nothing is compiled before the first move is asked for.
    """

    def __init__(
        self,
        game: Go,
        *,
        seconds: float = 2.0,
        simulations: int | None = None,
        resign: float = 0.0,
        tree: TreeOptions | None = None,
        world: str = "auto",
        waiting: Callable[[], bool] = lambda: True,
    ) -> None:
        self.seconds, self.simulations, self.resign = seconds, simulations, resign
        self.tree, self.world, self.waiting = tree, world, waiting
        self.is_over = False
        self.clocks = [GtpClock(), GtpClock()]
        self.position = Position(game)
        self._engine: Engine | None = None
        self._undo: list[tuple[Position, int]] = []

    def _begin(self, position: Position) -> None:
        """Go on from a position, in which nothing can be taken back."""
        if position.game is not self.position.game:
            self._engine = None
        self.position = position
        self._undo = []

    @property
    def game(self) -> Go:
        """The game with its size and komi."""
        return self.position.game  # type: ignore[return-value]

    # Lines.

    def answer(self, line: str) -> Iterator[str]:
        """The answer to a line, in pieces that are to be sent at once; nothing for a comment or an empty line."""
        cleaned = "".join(sign for sign in line[:LONGEST].replace("\t", " ") if sign >= " " and sign != "\x7f")
        number, name, rest = LINE.fullmatch(cleaned.partition("#")[0].strip()).groups()  # type: ignore[union-attr]
        if name is None:
            return
        try:
            command = self._commands().get(name)
            if command is None:
                raise Refused("unknown command")
            pieces = command(rest.split())
        except (ZermeloError, UnicodeError) as error:
            yield f"?{number or ''} {_one_line(str(error))}\n\n"
            return
        if isinstance(pieces, str):
            yield f"={number or ''} {pieces}".rstrip() + "\n\n"
        else:
            yield f"={number or ''}\n"
            yield from pieces
            yield "\n"

    def _commands(self) -> dict[str, Callable[[list[str]], str | Iterator[str]]]:
        names = (each for each in dir(self) if each.startswith("do_"))
        return {each[3:].replace("lz_", "lz-").replace("kata_", "kata-"): getattr(self, each) for each in names}

    # About the program.

    def do_protocol_version(self, _: list[str]) -> str:
        return "2"

    def do_name(self, _: list[str]) -> str:
        return "Zermelo"

    def do_version(self, _: list[str]) -> str:
        return __version__

    def do_known_command(self, words: list[str]) -> str:
        return str(bool(words) and words[0] in self._commands()).lower()

    def do_list_commands(self, _: list[str]) -> str:
        return "\n".join(sorted(self._commands()))

    def do_quit(self, _: list[str]) -> str:
        self.is_over = True
        return ""

    # The board.

    def do_boardsize(self, words: list[str]) -> str:
        size = _whole(words, 0)
        if not 2 <= size <= 19:
            raise Refused("unacceptable size")
        if size != self.game.size:
            self._begin(Position(self._game(size, self.game.parameters["komi"])))
        else:
            self._begin(Position(self.game))
        return ""

    def do_clear_board(self, _: list[str]) -> str:
        self._begin(Position(self.game))
        return ""

    def do_komi(self, words: list[str]) -> str:
        """The moves are played again with it, so that it holds for a game that has begun too."""
        komi = _number(words, 0)
        if abs(komi) > self.game.area:
            raise Refused(f"komi must be from -{self.game.area} to {self.game.area}")
        if komi != self.game.komi:
            game, old, undo = self._game(self.game.size, komi), self.position, self._undo
            position = Position(game, old.states[0]._replace(komi=komi))
            for action in old.history:
                position.push(action)
            self._begin(position)
            self._undo = [(position, length) for place, length in undo if place is old]
        return ""

    def _game(self, size: int, komi: float | None) -> Go:
        given = self.game.parameters
        komi = komi if komi is None or abs(komi) <= size * size else None
        return Go(size, komi=komi, suicide=given["suicide"], margin=given["margin"])

    def do_play(self, words: list[str]) -> str:
        colour = _colour(words)
        if len(words) < 2:
            raise Refused("syntax error: write a colour and a point")
        try:
            self._place(colour, read_vertex(words[1], self.game.size))
        except IllegalAction:
            raise Refused(f"illegal move: {words[1][:10]} is not legal here") from None
        except BadInput as error:
            raise Refused(f"illegal move: {error}") from None
        return ""

    def _place(self, colour: int, action: int) -> None:
        """Let a player move, whoever's turn it is; `IllegalAction` changes nothing."""
        before = self.position, len(self.position.history)
        try:
            self._turn_to(colour)
            self.position.push(action)
        except IllegalAction:
            self._restore(*before)
            raise
        self._undo.append(before)

    def _turn_to(self, colour: int) -> None:
        """Make it a player's turn: the other passes, or where that would end the game, the board is given anew."""
        state = self.position.state
        if state.turn != colour and state.passes == 0:
            self.position.push(self.game.pass_move)
        elif state.turn != colour:
            turned = state._replace(own=state.other, other=state.own, turn=colour, ko=-1, passes=0)
            self.position = Position(self.game, turned)
        elif self.position.is_terminal:
            self.position = Position(self.game, state._replace(passes=0))

    def _restore(self, position: Position, length: int) -> None:
        self.position = position
        while len(position.history) > length:
            position.pop()

    def do_undo(self, _: list[str]) -> str:
        if not self._undo:
            raise Refused("cannot undo")
        self._restore(*self._undo.pop())
        return ""

    def do_showboard(self, _: list[str]) -> str:
        size = self.game.size
        letters = "   " + " ".join(write_vertex(column, size)[0] for column in range(size))
        rows = write_rows(*self.game.stones(self.position.state), size)
        lines = [f"{size - number:2} {' '.join(row)} {size - number}" for number, row in enumerate(rows)]
        turn = self.game.player_name(self.position.state.turn)
        return "\n".join(["", letters, *lines, letters, f"{turn} to move, komi {self.game.komi:g}"])

    def do_loadsgf(self, words: list[str]) -> str:
        """The position before a move of the first game in a file, or at its end; who is to move is told."""
        if not words:
            raise Refused("syntax error: write the name of a file")
        moves = max(_whole(words, 1) - 1, 0) if len(words) > 1 else None
        self._begin(load_position(words[0], moves))
        return self.game.player_name(self.position.state.turn).lower()

    def do_printsgf(self, _: list[str]) -> str:
        return write_position(self.position).strip()

    def do_fixed_handicap(self, words: list[str]) -> str:
        points = handicap_points(self.game.size)
        count = _whole(words, 0)
        if not 2 <= count <= len(points):
            raise Refused("invalid number of stones")
        return self._handicap(points[:count])

    def do_place_free_handicap(self, words: list[str]) -> str:
        points, count = handicap_points(self.game.size), _whole(words, 0)
        if count < 2 or not points:
            raise Refused("invalid number of stones")
        return self._handicap(points[:count])

    def do_set_free_handicap(self, words: list[str]) -> str:
        points = [read_vertex(word, self.game.size) for word in words]
        if len(points) < 2 or len(set(points)) < len(points) or self.game.pass_move in points:
            raise Refused("bad vertex list")
        self._handicap(points)
        return ""

    def _handicap(self, points: list[int]) -> str:
        """Black's stones on an empty board; White is to move."""
        if self.position.history or any(self.game.stones(self.position.state)):
            raise Refused("board not empty")
        self._begin(Position(self.game, self.game.placed(points, (), 1)))
        return " ".join(write_vertex(point, self.game.size) for point in points)

    # Time.

    def do_time_settings(self, words: list[str]) -> str:
        main, period, stones = (_number(words, place) for place in range(3))
        self.clocks = [GtpClock(main, period, int(stones)) for _ in range(2)]
        return ""

    def do_time_left(self, words: list[str]) -> str:
        self.clocks[_colour(words)].set_left(_number(words, 1), int(_number(words, 2)) if len(words) > 2 else 0)
        return ""

    # Thinking.

    def do_genmove(self, words: list[str]) -> str:
        colour = _colour(words)
        before = self.position, len(self.position.history)
        began, clock = time.monotonic(), self.clocks[colour]
        share = clock.share(self.position)
        found = self._think(colour, **self._limits(colour, share))
        if clock.is_running:
            clock.spend(time.monotonic() - began, share)
        self._restore(*before)
        if found.value < (2 * self.resign - 1) * self.game.unit:
            return "resign"
        self._place(colour, found.action)
        return write_vertex(found.action, self.game.size)

    def do_reg_genmove(self, words: list[str]) -> str:
        before = self.position, len(self.position.history)
        colour = _colour(words)
        found = self._think(colour, **self._limits(colour, self.clocks[colour].share(self.position)))
        self._restore(*before)
        return write_vertex(found.action, self.game.size)

    def _think(self, colour: int, **limits: Any) -> Result:
        """The engine's answer with a player to move; it is his turn then."""
        self._turn_to(colour)
        engine = self._ready()
        engine.set_position(self.position)
        return engine.go(**limits).result()

    def _limits(self, colour: int, share: float) -> dict[str, Any]:
        """What a move may take: its share where the player's clock runs, else what was set at the start."""
        if self.clocks[colour].is_running:
            return {"clock": Turn.of(share)}
        return {"nodes": self.simulations} if self.simulations else {"seconds": self.seconds}

    def _ready(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(self.game, tree=self.tree, world=self.world)
        return self._engine

    def do_lz_analyze(self, words: list[str]) -> Iterator[str]:
        """Lines of moves with visits, win rates in ten thousandths and expected play, until another command comes."""
        return self._analyze(words, lambda rate: str(round(10_000 * rate)))

    def do_kata_analyze(self, words: list[str]) -> Iterator[str]:
        """The same with win rates from 0 to 1."""
        return self._analyze(words, lambda rate: f"{rate:.4f}")

    def _analyze(self, words: list[str], rate: Callable[[float], str]) -> Iterator[str]:
        colour = COLOURS[words.pop(0).lower()] if words and words[0].lower() in COLOURS else self.position.state.turn
        words = words[1:] if words and words[0] == "interval" else words
        interval = max(min(_number(words, 0) if words else 100.0, 6000.0), 1.0) / 100
        return self._analysis(colour, interval, rate)

    def _analysis(self, colour: int, interval: float, rate: Callable[[float], str]) -> Iterator[str]:
        before = self.position, len(self.position.history)
        while True:
            found = self._think(colour, seconds=interval, lines=SHOWN)
            yield " ".join(self._told(order, line, rate) for order, line in enumerate(found.lines)) + "\n"
            if self.waiting() or found.kind == "exact":
                break
        self._restore(*before)

    def _told(self, order: int, line: Line, rate: Callable[[float], str]) -> str:
        visits = line.odds.visits if line.odds is not None else 0
        chance = rate((line.value / self.game.unit + 1) / 2)
        moves = " ".join(self.position.line(list(line.actions)))
        return f"info move {moves.split()[0]} visits {visits} winrate {chance} order {order} pv {moves}"

    # The end.

    def do_final_score(self, _: list[str]) -> str:
        lead = self.game.score(settled(self.game, self.position.state))
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def do_final_status_list(self, words: list[str]) -> str:
        kind = words[0] if words else ""
        state = self.position.state
        if kind in ("black_territory", "white_territory"):
            after = settled(self.game, state)
            area = self.game.areas(after)[kind.startswith("white")]
            own = self.game.stones(after)[kind.startswith("white")]
            found = {point for point in self.game.points if self.game.holds(area, point)} - own
        elif kind in ("alive", "dead", "seki"):
            black, white = self.game.stones(state)
            dead = dead_stones(self.game, state)
            found = {"alive": (black | white) - dead, "dead": dead, "seki": set()}[kind]
        else:
            raise Refused("syntax error: write alive, dead, seki, black_territory or white_territory")
        return " ".join(write_vertex(point, self.game.size) for point in sorted(found))


def handicap_points(size: int) -> list[int]:
    """Where handicap stones stand, in the order of the protocol; none on small boards."""
    if size < 7:
        return []
    low, middle = 3 if size > 12 else 2, size // 2
    high = size - 1 - low
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)] if size % 2 and size > 7 else []
    return [row * (size + 1) + column for row, column in corners + sides]


def serve(server: Server, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until they end or the server is told to quit. They are read while it thinks, so that it sees them
    come."""
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in lines:
            waiting.put(line)
        waiting.put(None)

    server.waiting = lambda: not waiting.empty()
    threading.Thread(target=read, daemon=True).start()
    while not server.is_over and (line := waiting.get()) is not None:
        for piece in server.answer(line):
            out.write(piece)
            out.flush()


def _colour(words: list[str]) -> int:
    if not words or words[0].lower() not in COLOURS:
        raise Refused("syntax error: write the colour, black or white")
    return COLOURS[words[0].lower()]


def _number(words: list[str], place: int) -> float:
    """A number among the words of a command; anything else is a syntax error."""
    text = words[place] if place < len(words) else ""
    if not re.fullmatch(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?", text):
        raise Refused(f"syntax error: {text[:20]!r} is no number")
    return float(text)


def _whole(words: list[str], place: int) -> int:
    value = _number(words, place)
    if value != int(value):
        raise Refused(f"syntax error: {value:g} is no whole number")
    return int(value)


def _one_line(text: str) -> str:
    return " ".join(text.split())
