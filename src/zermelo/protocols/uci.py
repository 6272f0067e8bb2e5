"""A UCI server: the language in which chess programs with a board talk to those that think.

Every line is answered in the thread that reads; a search runs in its own, and another waits for its answer. Nothing is
compiled before `isready` or `go`. What makes no sense is told in an `info string`, and changes nothing.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from zermelo import __version__
from zermelo.engine.clock import Clock
from zermelo.engine.engine import Deepened, Engine, Event, Thinking
from zermelo.engine.options import Options
from zermelo.engine.polyglot import open_book
from zermelo.engine.table import Table
from zermelo.errors import BadInput, IllegalAction, ZermeloError
from zermelo.games.chess import Chess, san
from zermelo.position import Position
from zermelo.protocols.uci_options import CLEAR, OPTIONS, Settings, find_option, strength_of
from zermelo.protocols.uci_order import LARGEST, Order

if TYPE_CHECKING:
    from zermelo.engine.book import BookLike
    from zermelo.game import Game
    from zermelo.search.result import Line, Result

NONE = "(none)"
"""The move where there is none."""
DEEPEST = 1000
"""The most plies that `go depth` searches."""
CENTIPAWNS = 100
"""Evaluations are in pawns, scores in hundredths."""
SHORTEST = 0.001
"""Seconds that a move has at least."""


class Search:
    """A search that is going on, or over; `held` is an answer that must wait for `stop` or `ponderhit`."""

    def __init__(self, position: Position, order: Order) -> None:
        self.position, self.order, self.own = position, order, "wb"[position.to_move % 2]
        self.is_endless = order.is_endless(self.own)
        self.held = self.is_endless or order.ponder
        self.answer, self.told = "", -1
        self.thinking: Thinking | None = None
        self.watcher: threading.Thread | None = None


class Server:
    """One conversation. `write` is given lines to send, from any thread; `handle` is given those that come."""

    def __init__(self, game: Game, write: Callable[[str], None], world: str = "auto") -> None:
        self.game, self.world = game, world
        self.settings = Settings()
        self.position = Position(game)
        self.luck = random.Random()
        self._write, self._lock = write, threading.Lock()
        self._start, self._moves = "startpos", ()  # type: str, tuple[str, ...]
        self._engine: Engine | None = None
        self._made_for: tuple[Any, ...] = ()
        self._prepared: Engine | None = None
        self._search: Search | None = None
        self._debug = False

    # The conversation.

    def run(self, lines: Iterable[str]) -> None:
        """Answer line after line, until `quit` or the end."""
        try:
            for line in lines:
                if not self.handle(line):
                    break
        finally:
            self.end_search()

    def handle(self, line: str) -> bool:
        """Answer a line; False if it ends the conversation. Words before a command that nobody knows are left out."""
        words = line.split()
        while words and words[0] not in COMMANDS:
            words.pop(0)
        if not words:
            if line.strip() and self._debug:
                self.say(f"{line.strip()[:80]!r} has no command")
            return True
        if words[0] == "quit":
            return False
        try:
            COMMANDS[words[0]](self, words[1:])
        except ZermeloError as error:
            self.say(str(error))
        except MemoryError:
            self.say("there is not enough memory: set a smaller Hash")
        return True

    def send(self, line: str) -> None:
        """Send a line."""
        with self._lock:
            self._write(line)

    def say(self, sentence: str) -> None:
        """Send a sentence for people."""
        self.send("info string " + " ".join(sentence.split()))

    # Commands.

    def introduce(self, words: list[str]) -> None:
        """`uci`: who this is, and its options."""
        self.send(f"id name Zermelo {__version__}")
        self.send("id author the Zermelo developers")
        for option in OPTIONS:
            self.send(option.declare(Settings()))
        self.send("uciok")

    def get_ready(self, words: list[str]) -> None:
        """`isready`: compile once for each engine, unless a search is going on."""
        if self._search is None or self._search.answer:
            try:
                self._prepare()
            except (ZermeloError, MemoryError) as error:
                self.say(str(error) or "there is not enough memory: set a smaller Hash")
        self.send("readyok")

    def _prepare(self) -> None:
        """Compile what the engine needs, if it is one that has not been prepared."""
        engine = self.engine
        if engine is not self._prepared:
            engine.prepare()
            self._prepared = engine

    def set_debug(self, words: list[str]) -> None:
        """`debug on` or `debug off`."""
        self._debug = words[:1] != ["off"]

    def set_option(self, words: list[str]) -> None:
        """`setoption name … value …`, for the next search; a table that there is no memory for is refused."""
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        option = find_option(name.removesuffix(" value"))
        if option.name == CLEAR:
            self.begin_game([])
            return
        settings = self.settings.changed(option, value.strip())
        if settings.hash > self.settings.hash:
            Table(float(settings.hash))
        self.settings = settings

    def begin_game(self, words: list[str]) -> None:
        """`ucinewgame`: forget what was learnt."""
        self.end_search()
        if self._engine is not None:
            self._engine.forget()

    def set_position(self, words: list[str]) -> None:
        """`position startpos` or `position fen …`, with `moves …`: all of it is taken, or nothing."""
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], tuple(words[at + 1 :])
        if start[:1] not in (["startpos"], ["fen"]):
            raise BadInput("a position is startpos, or fen and a FEN; the one before stays")
        text = " ".join(start)
        try:
            position, known = self._shared(text, moves)
            position = self._followed(position, moves[known:])
        except BadInput as error:
            raise BadInput(f"{error}; the position before stays") from None
        self.position, self._start, self._moves = position, text, moves

    def go(self, words: list[str]) -> None:
        """`go` with its limits: the answer comes when it is there, for `infinite` and `ponder` not before `stop`."""
        self.end_search()
        search = Search(self.searchable(), Order.parse(words))
        self._search = search
        search.watcher = threading.Thread(target=self._answer, args=(search,), daemon=True)
        try:
            search.thinking = self._begin(search)
        except (ZermeloError, MemoryError) as error:
            self.say(str(error) or "there is not enough memory: set a smaller Hash")
        search.watcher.start()

    def stop(self, words: list[str]) -> None:
        """`stop`: the best so far is the answer."""
        self.end_search()

    def ponder_hit(self, words: list[str]) -> None:
        """`ponderhit`: the move that was expected has come, and the clock runs."""
        search = self._search
        if search is None or not search.order.ponder or search.is_endless or self._engine is None:
            return
        self._engine.hurry(**self._time(search))
        self._release(search)

    # The position.

    def _shared(self, start: str, moves: tuple[str, ...]) -> tuple[Position, int]:
        """A position on the way to that after these moves, and how many of them it has behind it: as many as were the
        same the last time."""
        if start == self._start and len(self.position.history) == len(self._moves):
            known = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(moves, self._moves, strict=False)))
            position = self.position.copy()
            for _ in self._moves[known:]:
                position.pop()
            return position, known
        text = start.removeprefix("fen").strip()
        return Position(self.game, self.game.parse_state(text) if start.startswith("fen") else None), 0

    def _followed(self, position: Position, moves: Iterable[str]) -> Position:
        """The position after moves. A game that is drawn by a rule that somebody has to claim may go on: then what was
        before is forgotten."""
        for word in moves:
            action = self.parse(position.state, word)
            if position.is_terminal:
                if action not in list(self.game.actions(position.state)):
                    raise IllegalAction(f"{word[:40]!r} comes after the end of the game")
                position = Position(self.game, self.game.result(position.state, action))
            else:
                position.push(action)
        return position

    def searchable(self) -> Position:
        """The position, or one without its past if only that has drawn it."""
        position = self.position.copy()
        if not position.is_terminal or not list(self.game.actions(position.state)):
            return position
        state = position.state
        return Position(self.game, state._replace(clock=0) if isinstance(self.game, Chess) else state)

    def parse(self, state: Any, word: str) -> Any:
        """The action that a word of the protocol writes."""
        return san.read(self.game, state, word) if isinstance(self.game, Chess) else self.game.parse_action(state, word)

    def format(self, state: Any, action: Any) -> str:
        """An action as the protocol writes it."""
        if isinstance(self.game, Chess):
            return san.write_coordinates(state, action)
        return self.game.format_action(state, action)

    # Searching.

    @property
    def engine(self) -> Engine:
        """The engine, made when it is first needed, and anew where options say so."""
        settings = self.settings
        wanted = settings.hash, settings.threads, settings.book
        if self._engine is None or wanted != self._made_for:
            options = Options(table=float(settings.hash), threads=settings.threads)
            self._engine = Engine(self.game, options, book=self._book(), luck=self.luck, world=self.world)
            self._engine.listen(self._tell)
            self._made_for = wanted
        return self._engine

    def _book(self) -> BookLike | None:
        """The book that the options name; one that can't be used is told, and done without."""
        try:
            return open_book(self.settings.book, self.game) if self.settings.book else None
        except BadInput as error:
            self.say(f"{error}; the search goes on without it")
            return None

    def _begin(self, search: Search) -> Thinking | None:
        """Start to think; None where there is nothing to think about."""
        position, numbers, settings = search.position, search.order.numbers, self.settings
        if position.is_terminal:
            return None
        limits: dict[str, Any] = {} if search.held else self._time(search)
        limits |= {"depth": min(max(numbers["depth"], 1), DEEPEST)} if "depth" in numbers else {}
        limits |= {"nodes": max(numbers["nodes"], 1)} if "nodes" in numbers else {}
        if settings.limit_strength and not settings.analyse:
            strength = strength_of(settings.elo)
            if self.luck.random() < strength.mistakes:
                return None
            limits["nodes"] = min(limits.get("nodes", LARGEST), strength.nodes)
        engine = self.engine
        engine.set_position(position)
        book = settings.own_book and not settings.analyse and not search.held
        return engine.go(lines=settings.multipv, only=self._only(search), book=book, **limits)

    def _only(self, search: Search) -> tuple[Any, ...]:
        """The actions that `searchmoves` names; all where it names none that is legal."""
        found = []
        for word in search.order.only:
            try:
                found.append(self.parse(search.position.state, word))
            except IllegalAction as error:
                self.say(str(error))
        return tuple(dict.fromkeys(found))

    def _time(self, search: Search) -> dict[str, Any]:
        """How long the next move may take, as the engine is told."""
        numbers, own, spared = search.order.numbers, search.own, self.settings.overhead
        found: dict[str, Any] = {}
        if "movetime" in numbers:
            found["seconds"] = max((numbers["movetime"] - spared) / 1000, SHORTEST)
        if f"{own}time" in numbers:
            left = max(numbers[f"{own}time"] / 1000, SHORTEST)
            gained = max(numbers.get(f"{own}inc", 0), 0) / 1000
            moves = numbers.get("movestogo", 0)
            found["clock"] = Clock(left, gained, moves if moves > 0 else None, spared / 1000)
        return found

    def end_search(self) -> None:
        """Stop what is going on, and give its answer, if it was not given."""
        search = self._search
        if search is None:
            return
        self._release(search)
        if search.thinking is not None:
            search.thinking.stop()
        if search.watcher is not None:
            search.watcher.join()
        self._search = None

    # What is told.

    def _tell(self, event: Event) -> None:
        """A depth is searched: tell what was found, and stop where a mate was asked for and is there."""
        search = self._search
        if search is None or not isinstance(event, Deepened) or event.pondering:
            return
        self._tell_lines(search, event.result)
        if "mate" not in search.order.numbers or self._engine is None:
            return
        moves, plies = max(search.order.numbers["mate"], 1), event.result.plies
        found = plies is not None and event.result.value > 0 and plies < 2 * moves
        if found or event.result.depth >= 4 * moves + 8:
            self._engine.stop()

    def _tell_lines(self, search: Search, result: Result) -> None:
        """What is found so far, once for each count of nodes."""
        if result.nodes == search.told:
            return
        search.told = result.nodes
        figures = f"nodes {result.nodes} nps {int(result.speed)} hashfull {int(1000 * result.table)}"
        for number, line in enumerate(result.lines, 1):
            score, moves = score_words(self.game, line), " ".join(self._line(search.position, line.actions))
            head = f"info depth {result.depth} multipv {number} score {score}"
            self.send(f"{head} {figures} time {int(1000 * result.seconds)} pv {moves}")

    def _line(self, position: Position, actions: Iterable[Any]) -> list[str]:
        """Actions that follow one another, as the protocol writes them."""
        texts, state = [], position.state
        for action in actions:
            texts.append(self.format(state, action))
            state = self._after(state, action)
        return texts

    def _after(self, state: Any, action: Any) -> Any:
        """A state in which the next action of a line can be written: for chess it need only have the right mover."""
        if isinstance(self.game, Chess):
            return state._replace(ply=state.ply + 1)
        return self.game.result(state, action)

    def _answer(self, search: Search) -> None:
        """Wait for a search, and give its answer, or keep it until it may be given."""
        answer = self._chosen(search)
        with self._lock:
            search.answer = answer
            if not search.held:
                self._write(answer)

    def _release(self, search: Search) -> None:
        """An answer that was kept may be given."""
        with self._lock:
            if search.held and search.answer:
                self._write(search.answer)
            search.held = False

    def _chosen(self, search: Search) -> str:
        """The answer of a search; any move where there was none."""
        result = None
        try:
            result = search.thinking.result() if search.thinking is not None else None
        except ZermeloError as error:
            self.say(str(error))
        except MemoryError:
            self.say("there is not enough memory: set a smaller Hash")
        if result is None or result.action is None:
            return self._any_move(search.position)
        if result.algorithm == "book":
            self.say("from the book")
        else:
            self._tell_lines(search, result)
        move, *reply = self._line(search.position, result.line[:2] or (result.action,))
        return f"bestmove {move}" + "".join(f" ponder {word}" for word in reply)

    def _any_move(self, position: Position) -> str:
        """The answer where nothing was searched: any legal move; none at the end, with what that is worth."""
        moves = list(self.game.actions(position.state))
        if moves:
            return f"bestmove {self.format(position.state, self.luck.choice(moves))}"
        lost = self.game.utility(position.state, position.to_move) < self.game.even_share
        self.send(f"info depth 0 score {'mate 0' if lost else 'cp 0'}")
        return f"bestmove {NONE}"


COMMANDS: dict[str, Callable[[Server, list[str]], None]] = {
    "uci": Server.introduce,
    "isready": Server.get_ready,
    "debug": Server.set_debug,
    "setoption": Server.set_option,
    "ucinewgame": Server.begin_game,
    "position": Server.set_position,
    "go": Server.go,
    "stop": Server.stop,
    "ponderhit": Server.ponder_hit,
    "quit": Server.stop,
}


def score_words(game: Game, line: Line) -> str:
    """A value as UCI has it: hundredths of a pawn, or the moves to a sure mate, and whether it is only a bound."""
    if line.plies is not None:
        moves = (line.plies + 1) // 2
        return f"mate {moves if line.value > game.even_share else -moves}"
    bound = {"lower": " lowerbound", "upper": " upperbound"}.get(line.kind, "")
    return f"cp {round(CENTIPAWNS * line.value)}{bound}"
