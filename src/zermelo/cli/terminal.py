"""Play any game in the terminal, or through a pipe: people, computers and chance take turns until the end."""

from __future__ import annotations

import random
import re
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from zermelo.cli.common import hide_progress, load_policy
from zermelo.cli.show import about_game, complain, outcome_words, seconds, thought_words, verdict
from zermelo.draw.text import can_draw, player_style, rich_text, to_ascii
from zermelo.engine.levels import FULL, LEVELS, USUAL, parse_level, slips
from zermelo.errors import BadInput, GameError, ZermeloError
from zermelo.game import Game, overrides
from zermelo.position import Position
from zermelo.recast import Facing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

HUMAN, COMPUTER = "human", "computer"
HELP = {
    "moves": "list the legal moves",
    "hint": "what the computer would play for you, at full strength",
    "undo": "take back your last turn, or what you have played of this one",
    "switch": "change sides with the computer",
    "level N": f"set how strong the computer plays, from {min(LEVELS)} to {FULL}",
    "board": "draw the board again",
    "state": "the position as text, to copy",
    "new": "start again from the first position",
    "help": "this list",
    "quit": "leave; prints how to go on later",
}
ALIASES = {"?": "help", "exit": "quit", "q": "quit"}
LINE_SHOWN = 8
"""How many moves of the expected line a hint shows."""


class Thought(Protocol):
    """What a search has to say: the action, its value seen by the player to move, and what that value is."""

    @property
    def action(self) -> Any: ...
    @property
    def value(self) -> float: ...
    @property
    def values(self) -> Sequence[float]: ...
    @property
    def kind(self) -> str: ...
    @property
    def line(self) -> Sequence[Any]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def depth(self) -> int: ...
    @property
    def plies(self) -> int | None: ...


class Mind(Protocol):
    """The computer's mind: it thinks at a level, and on the other's time if it likes."""

    def think(self, position: Position, level: int) -> Thought: ...
    def wait(self, position: Position) -> None: ...
    def settle(self, position: Position) -> None: ...
    def summary(self) -> str: ...


class Opponent(Protocol):
    """Who plays the computer's part in place of the mind: an external program, for one."""

    name: str

    def begin(self, position: Position, seed: int) -> None: ...
    def choose(self, position: Position) -> Played: ...


class Played(Protocol):
    """What an opponent plays, None if he gives up, and what he says to that."""

    @property
    def action(self) -> Any: ...
    @property
    def comment(self) -> str: ...


class Quit(Exception):
    """The person wants to leave."""


class Session:
    """One sitting at the terminal. All that happens is in `position`; nothing else needs saving.

    `players` says "human" or "computer" for each player; `spec` is the game as the command line names it;
    the same `seed` gives the same luck; `position` is where to start, with its history; `kept` are further words of the
    command that plays on. With `against`, a policy, the computer's players move by that, with `opponent` as he says.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        level: int,
        mind: Mind,
        console: Console | None = None,
        source: TextIO | None = None,
        *,
        spec: str,
        seed: int | None = None,
        position: Position | None = None,
        kept: Sequence[str] = (),
        against: str = "",
        opponent: Opponent | None = None,
    ) -> None:
        if console is None:
            from rich.console import Console

            console = Console()
        if len(players) != game.players or set(players) - {HUMAN, COMPUTER}:
            given = ",".join(players) or "none"
            raise BadInput(f"{game.title} needs {game.players} players, each {HUMAN} or {COMPUTER}, not {given}")
        if against and len(set(players)) == 1:
            who = f"every player of {game.title} is {players[0]} here"
            raise BadInput(f"--against is for people against computers, and {who}: leave it out, or give --players")
        self.game = game
        self.against, self.policy = against, load_policy(against) if against else None
        self._seat(players)
        self.level = parse_level(str(level))
        self.mind, self.opponent = mind, opponent
        self.console = console
        self.source = source or sys.stdin
        self.spec, self.kept = spec, kept
        self.seed = random.randrange(10**6) if seed is None else seed
        self.position = position or Position(game)
        self.interactive = self.source.isatty()
        self.boxes = can_draw(console.encoding)
        self.shown: Position | None = None
        """The position whose board was drawn last."""
        self.over = False
        """Whether the end of this game was announced."""

    def _seat(self, players: Sequence[str]) -> None:
        """Say who plays. `rules` is then the game to think about: those who move by a policy are chance in it."""
        self.players = list(players)
        computers = [player for player, kind in enumerate(players) if kind == COMPUTER]
        self.rules = Facing(self.game, self.policy, computers) if self.policy else self.game

    # The course of play.

    def run(self) -> int:
        """Play until the end, `quit`, end of input or Ctrl-C; the exit code: 2 after bad input from a pipe, else 0."""
        failure = ""
        try:
            self._play()
        except Quit:
            pass
        except (KeyboardInterrupt, EOFError):
            hide_progress()
            if self.interactive:
                self._say()
        except ZermeloError as error:
            failure = str(error)
        except Exception:
            with suppress(Exception):
                self._farewell()
            raise
        self.mind.settle(self.position)
        if not self.over:
            self._farewell()
        if failure:
            complain(failure)
        return 2 if failure else 0

    def _play(self) -> None:
        """Turn after turn, until something ends the session."""
        self._welcome()
        self._introduce()
        while True:
            self._turn()

    def _introduce(self) -> None:
        """Tell the opponent that a game begins."""
        if self.opponent is not None:
            self.opponent.begin(self.position.copy(), self.seed)

    def _turn(self) -> None:
        """Whatever comes next: an end, a roll, a computer's move, or something typed."""
        if self.position.is_terminal:
            self._announce_end()
            if HUMAN not in self.players:
                raise Quit
            self._ask()
        elif self.position.is_chance:
            self._roll()
        elif self.players[self.position.to_move] == COMPUTER:
            self._move_computer()
        else:
            self._show_board(again=False)
            if COMPUTER in self.players:
                self.mind.wait(self.position.recast(self.rules))
            self._ask()

    def _roll(self) -> None:
        """Let chance move. The same seed and ply give the same luck, so an undone roll comes again."""
        action = self._pick("roll")
        self._say((f"chance: rolls {self._text_of(action)}", "magenta"))
        self.position.push(action)

    def _pick(self, purpose: str) -> Any:
        """What comes by chance, or by a policy."""
        outcomes = list(self.rules.outcomes(self.position.state))
        weights = [float(chance) for _, chance in outcomes]
        if not outcomes or min(weights) < 0 or not sum(weights) > 0:
            where = self.game.describe(self.position.state)
            raise GameError(f"{self.game.title}.outcomes gives no probabilities above 0 in {where}")
        return self._luck(purpose).choices([action for action, _ in outcomes], weights)[0]

    def _move_computer(self) -> None:
        player = self.position.to_move
        luck = self._luck("slip")
        if HUMAN not in self.players and not self.position.history:
            self._show_board()
        moves = self.position.moves
        if self.opponent is not None:
            action, comment = self._asked(self.opponent)
        elif self.against:
            action, comment = self._pick("policy"), ""
        elif len(moves) > 1 and slips(self.level, luck):
            action, comment = luck.choice(moves), "a guess"
        else:
            with self._thinking(player):
                thought = self.mind.think(self.position.copy(), self.level)
            action = thought.action
            seen = verdict(self.game, thought.value, thought.kind, thought.plies, thought.depth)
            words = f"I see {seen}" if seen else thought_words(self.game, thought.value, thought.values, thought.kind)
            pondered = f" · {self.mind.summary()}" if self.mind.summary() else ""
            comment = f"{words} · {seconds(thought.seconds)}{pondered}"
        self._report_move(player, self._text_of(action), comment)
        self.position.push(action)
        if HUMAN not in self.players and not self.position.is_terminal:
            self._show_board()

    def _asked(self, opponent: Opponent) -> tuple[Any, str]:
        """What the opponent plays, and how long that took; if he gives up, there is nothing more to play."""
        began = time.monotonic()
        with self._thinking(self.position.to_move):
            choice = opponent.choose(self.position.copy())
        if choice.action is None:
            self._say((f"{opponent.name} gives up.", "bold"))
            raise Quit
        words = f"{choice.comment} · " if choice.comment else ""
        return choice.action, words + seconds(time.monotonic() - began)

    def _luck(self, purpose: str) -> random.Random:
        return random.Random(f"{self.seed}/{purpose}/{len(self.position.history)}")

    # What a person types.

    def _ask(self) -> None:
        """Take one line: a move or a command. A bad one changes nothing; from a pipe, it ends the session."""
        try:
            self._obey(self._read().strip())
        except ZermeloError as error:
            if not self.interactive:
                raise
            self._say((f"{str(error)[:1].upper()}{str(error)[1:]}.", "yellow"), wrap=True)

    def _read(self) -> str:
        prompt = "> " if self.position.is_terminal else f"{self.game.player_name(self.position.to_move)}> "
        if self.interactive and self.source is sys.stdin:
            with suppress(ImportError):
                import readline  # noqa: F401  (its presence lets `input` edit the line and recall earlier ones)
            return input(prompt if self.boxes else to_ascii(prompt))
        if self.interactive:
            self._say(prompt, end="")
        try:
            line = self.source.readline()
        except UnicodeDecodeError as error:
            raise BadInput(f"the input is not {error.encoding} text") from error
        if not line:
            raise EOFError
        return line

    def _obey(self, text: str) -> None:
        """Do what was typed. A legal move that is named like a command is the move; `/name` is the command."""
        if not text:
            return
        name, _, argument = text.removeprefix("/").partition(" ")
        name = ALIASES.get(name.casefold(), name.casefold())
        known = name in {entry.split()[0] for entry in HELP}
        if known and (text.startswith("/") or text not in self._legal_texts()):
            getattr(self, f"_do_{name}")(argument.strip())
        else:
            self._move_human(text)

    def _move_human(self, text: str) -> None:
        if self.position.is_terminal:
            raise BadInput(f"{text!r} is no move, the game is over: type new, undo or quit")
        player = self.position.to_move
        try:
            actions = self.game.parse_play(self.position.state, text)
        except BadInput as error:
            if self.interactive and not overrides(self.game, "parse_action"):
                raise BadInput(f"{text!r} is not a legal move here: type moves to see them, or help") from error
            raise
        if not self.interactive:
            self._report_move(player, " ".join(self.position.line(actions)), "")
        for action in actions:
            self.position.push(action)

    def _do_moves(self, _: str) -> None:
        texts = self._legal_texts()
        if not texts:
            raise BadInput("the game is over, there are no moves")
        count = "1 legal move" if len(texts) == 1 else f"{len(texts)} legal moves"
        self._say(f"{count}: ", (" ".join(texts), "bold"), wrap=True)

    def _do_hint(self, _: str) -> None:
        if self.position.is_terminal:
            raise BadInput("the game is over, there is nothing to hint at")
        with self._thinking(self.position.to_move):
            thought = self.mind.think(self.position.recast(self.rules), FULL)
        seen = verdict(self.rules, thought.value, thought.kind, thought.plies, thought.depth)
        words = f"leads to {seen}" if seen else thought_words(self.rules, thought.value, thought.values, thought.kind)
        line = self.position.line(list(thought.line[:LINE_SHOWN]))
        expected = f" · expecting {' '.join(line)}{' …' if len(thought.line) > LINE_SHOWN else ''}" if line[1:] else ""
        self._say("hint: ", (self._text_of(thought.action), "bold"), (f" · {words}{expected}", "dim"))

    def _do_undo(self, _: str) -> None:
        twin = self.position.copy()
        while twin.history:
            twin.pop()
            if not twin.is_chance and self.players[twin.to_move] == HUMAN and not self._in_a_turn(twin):
                self.position, self.over = twin, False
                return
        raise BadInput("there is no move of yours to take back")

    def _in_a_turn(self, position: Position) -> bool:
        """Whether the player to move took the last action too; one who plays alone has a turn for each action."""
        before = position.states[-2:-1]
        return self.game.players > 1 and any(self.game.to_move(state) == position.to_move for state in before)

    def _do_switch(self, _: str) -> None:
        if len(set(self.players)) == 1:
            raise BadInput(f"every player is {self.players[0]}, there are no sides to switch")
        self._seat(self.players[-1:] + self.players[:-1])
        self._say(self._who_plays())

    def _do_level(self, argument: str) -> None:
        if self.opponent is not None:
            raise BadInput(f"{self.opponent.name} plays here, whom levels do not concern")
        self.level = parse_level(argument)
        self._say(f"level {self.level}: {LEVELS[self.level].words}")

    def _do_board(self, _: str) -> None:
        self._show_board()

    def _do_state(self, _: str) -> None:
        self._say(str(self.position))

    def _do_new(self, _: str) -> None:
        self.position = Position(self.game, self.position.states[0])
        self.shown, self.over = None, False
        self.seed += 1
        self._say("A new game.")
        self._introduce()

    def _do_help(self, _: str) -> None:
        self._say(about_game(self.game), wrap=True)
        self._say("Type a move", self._example(), ", or one of these:")
        for name, meaning in HELP.items():
            self._say(f"  {name:<8} ", (meaning, "dim"))

    def _do_quit(self, _: str) -> None:
        raise Quit

    # What is said.

    def _welcome(self) -> None:
        self._say((self.game.title, "bold"), (f"  {about_game(self.game)}", "dim"), wrap=True)
        self._say(self._who_plays())
        if self.interactive and HUMAN in self.players:
            self._say("Type a move", self._example(), ", or ", ("help", "bold"), ".")

    def _who_plays(self) -> Text:
        """Who sits where: "X: you, O: computer · level 3 (steady)"."""
        from rich.text import Text

        roles = {HUMAN: "you" if self.players.count(HUMAN) == 1 else HUMAN, COMPUTER: COMPUTER}
        seats = [
            Text.assemble((self.game.player_name(player), player_style(player)), f": {roles[kind]}")
            for player, kind in enumerate(self.players)
        ]
        how = f"policy {self.against}" if self.against else f"level {self.level} ({LEVELS[self.level].words})"
        how = how if self.opponent is None else self.opponent.name
        return Text.assemble(Text(", ").join(seats), (f" · {how}" if COMPUTER in self.players else "", "dim"))

    def _example(self) -> str:
        """A legal move in brackets, where a person could type one now."""
        texts = [] if self.position.is_chance else self._legal_texts()
        return f" (such as {texts[len(texts) // 2]})" if texts else ""

    def _show_board(self, *, again: bool = True) -> None:
        """Draw the board, marking what happened since the player to move moved last."""
        if not again and self.shown is not None and self.shown.history == self.position.history:
            return
        self.shown = self.position.copy()
        board, before = self.game.board(self.position.state), self.game.board(self._seen_before())
        colours = self.console.color_system is not None and not self.console.no_color
        columns = self.console.width - 2
        try:
            drawn = rich_text(board, before, boxes=self.boxes, colours=colours, columns=columns)
        except ValueError as error:
            raise GameError(f"{self.game.title}.board can't be drawn: {error}") from error
        self._say()
        for line in drawn.split("\n"):
            line.pad_left(2)
            line.rstrip()
            self._say(line)
        self._say()

    def _seen_before(self) -> Any:
        """The state right after the player to move took an action last; at the end, one action ago."""
        *states, now = self.position.states
        if not states or self.position.is_terminal:
            return states[-1] if states else now
        mover = self.game.to_move(now)
        own = [index for index, state in enumerate(states) if self.game.to_move(state) == mover]
        after = own[-1] + 1 if own else 0
        return states[after] if after < len(states) else states[-1]

    def _report_move(self, player: int, move: str, comment: str) -> None:
        name = (self.game.player_name(player), player_style(player))
        self._say(name, " plays ", (move, "bold"), (f" · {comment}" if comment else "", "dim"))

    def _announce_end(self) -> None:
        if self.over:
            return
        self.over = True
        self.mind.settle(self.position)
        self._show_board()
        self._say((f"Game over: {outcome_words(self.game, self.position.utilities)}.", "bold"))
        self._say((f"Moves: {self._moves_text()}", "dim"))
        if self.mind.summary():
            self._say((f"Pondering: {self.mind.summary()}", "dim"))
        if self.interactive and HUMAN in self.players:
            self._say("Type ", ("new", "bold"), ", ", ("undo", "bold"), " or ", ("quit", "bold"), ".")

    def _farewell(self) -> None:
        """The position, and the command that goes on from it."""
        if self.mind.summary():
            self._say((f"Pondering: {self.mind.summary()}", "dim"))
        self._say(f"Position: {self.position}")
        self._say("To resume: ", (self.resume_command(), "bold"))

    def resume_command(self) -> str:
        """The command line that plays on from here, with what differs from the usual."""
        words = ["zermelo", "play", shlex.quote(self.spec), "--terminal"]
        if self.players != [HUMAN, *[COMPUTER] * (self.game.players - 1)]:
            words += ["--players", ",".join(self.players)]
        if self.level != USUAL:
            words += ["--level", str(self.level)]
        if self.rules.facts.chance:
            words += ["--seed", str(self.seed)]
        words += map(shlex.quote, [*self.kept, *(["--against", self.against] if self.against else [])])
        first = self.position.states[0]
        if first != self.game.initial():
            words += ["--state", _quoted(self.game.format_state(first))]
        if self.position.history:
            words += ["--moves", _quoted(self._moves_text())]
        return " ".join(words)

    # Small things.

    def _moves_text(self) -> str:
        """The whole history in the game's notation, chance included."""
        texts = self.position.texts
        return ("" if self.game.compact and all(len(text) == 1 for text in texts) else " ").join(texts)

    def _legal_texts(self) -> list[str]:
        return [self._text_of(action) for action in self.position.moves]

    def _text_of(self, action: Any) -> str:
        return self.game.format_action(self.position.state, action)

    def _thinking(self, player: int) -> AbstractContextManager[object]:
        """A sign of life while the computer thinks, on a terminal only."""
        if not (self.interactive and self.console.is_terminal):
            return nullcontext()
        name = self.game.player_name(player)
        return self.console.status(f"{name} thinks", spinner="dots" if self.boxes else "line")

    def _say(self, *parts: str | Text | tuple[str, str], end: str = "\n", wrap: bool = False) -> None:
        """One line of output, each part with its style; lists and prose wrap, what may be copied doesn't."""
        from rich.text import Text

        text = Text.assemble(*parts)
        if not self.boxes:
            text = Text.assemble(*((to_ascii(piece.plain), piece.style) for piece in _pieces(text)))
        for line in text.wrap(self.console, self.console.width) if wrap else [text]:
            if wrap:
                line.rstrip()
            self.console.print(line, end=end, soft_wrap=True, highlight=False)


def _pieces(text: Text) -> Sequence[Text]:
    """The text cut wherever a style begins or ends."""
    cuts = sorted({offset for span in text.spans for offset in (span.start, span.end)} - {0, len(text)})
    return [piece for piece in text.divide(cuts) if piece.plain]


def _quoted(text: str) -> str:
    """The text in double quotes, or as the shell needs it where it holds signs that quotes don't tame."""
    return shlex.quote(text) if re.search(r'["$`\\!]', text) else f'"{text}"'
