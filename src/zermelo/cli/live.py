"""Play with single keys: the board is drawn in place, the others answer at once, the computer can take over.

For games that say what keys mean (`keys`). Where there is no terminal, play is by lines (`cli.terminal`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.cli.keyboard import Keyboard
from zermelo.cli.show import outcome_words
from zermelo.cli.terminal import COMPUTER, HUMAN, Session
from zermelo.draw.text import rich_text, to_ascii
from zermelo.engine.decide import decide
from zermelo.engine.levels import FULL, LEVELS, slips
from zermelo.errors import BadInput, GameError
from zermelo.native import worlds
from zermelo.position import Position

if TYPE_CHECKING:
    from rich.text import Text

    from zermelo.game import Game

ALIASES = dict(zip("kjhlwsad", ("up", "down", "left", "right") * 2, strict=True))
"""Letters that stand for arrows, if the game doesn't use them itself."""
COMMANDS = {
    "c": "computer",
    "r": "run",
    "?": "hint",
    "u": "undo",
    "p": "pause",
    "+": "faster",
    "-": "slower",
    "n": "new",
    "q": "quit",
}
"""What other keys do: the computer plays for you, or stops; the last move is repeated; and what the words say."""
PACES = (2.0, 1.0, 0.5, 0.25, 0.15, 0.08, 0.04, 0.0)
"""Seconds that a move of the computer stays to be seen, by speed."""
USUAL_PACE = 4
NODES = {1: 100, 2: 400, 3: 2_000, 4: 10_000, 5: 40_000, 6: 150_000, 7: 400_000, 8: 1_000_000}
"""How many nodes the computer may search for a move, by level: it answers at once, and the same each time."""
INTERPRETED_NODES = 2_000
"""The most of them where the game runs interpreted."""
LOOK = 0.25
"""Seconds between looks at the size of the window while nothing happens."""


class LiveSession(Session):
    """One sitting with single keys. `auto` says that the computer plays for the people, `running` that the last move
    is repeated; `message` is shown below the board."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.auto = self.running = self.paused = False
        self.speed = USUAL_PACE
        self.message = ""
        self.last = ""
        self._drawn: Any = None
        """The size of the window, and all that was drawn in it last."""

    def _play(self) -> None:
        """Play in a screen of its own until somebody quits; the terminal is then as it was."""
        self._introduce()
        with Keyboard(self.source) as self.keyboard, self._screen():
            while True:
                self._turn()

    def _turn(self) -> None:
        if self.position.is_terminal:
            self.auto = self.running = False
            self.message = f"Game over: {outcome_words(self.game, self.position.utilities)}. n: again, u: undo, q: quit"
            self._await(None)
        elif self.position.is_chance:
            self._roll()
        elif self.paused:
            self._await(None)
        elif self.players[self.position.to_move] == COMPUTER or self.auto:
            self._move_computer()
        else:
            self._await(PACES[self.speed] if self.running else None)

    # What the computer does.

    def _move_computer(self) -> None:
        watched = self.auto or HUMAN not in self.players
        player = self.position.to_move
        if watched and player == 0:
            self._await(PACES[self.speed])
            if self.paused or not (self.auto or self.players[player] == COMPUTER):
                return
        if (self.against or self.opponent) and self.players[player] == COMPUTER:
            self.position.push(self._asked(self.opponent)[0] if self.opponent else self._pick("policy"))
            return
        level = FULL if self.auto and self.players[player] == HUMAN else self.level
        luck, moves = self._luck("slip"), self.position.moves
        slip = len(moves) > 1 and slips(level, luck)
        self.position.push(luck.choice(moves) if slip else self._think(level))

    def _think(self, level: int) -> Any:
        """The action that the computer finds with the nodes of a level; natively from the first one on."""
        if len(self.position.moves) == 1:
            return self.position.moves[0]
        interpreted = bool(native.why_interpreted(self.rules))
        nodes = min(NODES[level], INTERPRETED_NODES) if interpreted else NODES[level]
        world = "interpreted" if interpreted else "native"
        return decide(self.position.recast(self.rules), nodes=nodes, seconds=LEVELS[level].seconds, world=world).action

    @contextmanager
    def _compiling(self, game: Game) -> Iterator[None]:
        """Shown while the rules are compiled."""
        said, self.message = self.message, f"compiling {game.title} (first time only) …"
        self._draw()
        yield
        self.message = said

    # What a person does.

    def _await(self, seconds: float | None) -> None:
        """Draw, and wait for a key, at most so long if a time is given; obey it."""
        self._draw()
        name = self.keyboard.read(LOOK if seconds is None else seconds)
        if name:
            self.message = ""
            try:
                self._press(name)
            except BadInput as error:
                self.message = str(error)
        elif seconds is not None and self.running and not self.auto:
            self._run_on()

    def _press(self, name: str) -> None:
        """Do what a key means: to the game, or to this session."""
        keys = self.game.keys
        meant = name if name in keys else ALIASES.get(name, name)
        if meant in keys:
            self._move_by(keys[meant])
        elif name.lower() in COMMANDS:
            getattr(self, f"_do_{COMMANDS[name.lower()]}")("")
        else:
            self.message = f"{name} means nothing here"

    def _move_by(self, text: str) -> None:
        if self.position.is_terminal or self.players[self.position.to_move] == COMPUTER:
            return
        self.auto = self.paused = False
        if text not in self._legal_texts():
            self.running = False
            raise BadInput(f"{text} is not possible here")
        self.last = text
        self.position.push(self.game.parse_action(self.position.state, text))

    def _run_on(self) -> None:
        """Repeat the last move while that is possible."""
        if self.last in self._legal_texts():
            self._move_by(self.last)
        else:
            self.running = False

    def _do_computer(self, _: str) -> None:
        self.auto, self.running, self.paused = not self.auto, False, False
        self.message = "the computer plays for you; c: play yourself" if self.auto else ""

    def _do_run(self, _: str) -> None:
        self.running, self.auto, self.paused = not self.running, False, False

    def _do_pause(self, _: str) -> None:
        self.paused = not self.paused
        self.message = "paused; p: go on" if self.paused else ""

    def _do_faster(self, _: str) -> None:
        self.speed = min(self.speed + 1, len(PACES) - 1)
        self.message = f"speed {self.speed + 1} of {len(PACES)}"

    def _do_slower(self, _: str) -> None:
        self.speed = max(self.speed - 1, 0)
        self.message = f"speed {self.speed + 1} of {len(PACES)}"

    def _do_hint(self, _: str) -> None:
        if not self.position.is_terminal:
            self.message = "thinking …"
            self._draw()
            self.message = f"hint: {self._text_of(self._think(FULL))}"

    def _do_undo(self, argument: str) -> None:
        super()._do_undo(argument)
        self.auto = self.running = False

    def _do_new(self, argument: str) -> None:
        super()._do_new(argument)
        self.auto = self.running = self.paused = False
        self.last, self.message = "", ""

    # What is shown.

    def _say(self, *parts: Any, **how: Any) -> None:
        """Lines are for before and after the screen; while it is there, the message is."""
        if self._drawn is None:
            super()._say(*parts, **how)

    def _draw(self) -> None:
        """Draw the whole screen in place, in one write; nothing where nothing has changed."""
        from rich.control import Control

        lines = self._lines()
        size = self.console.size
        frame = size, [line.markup for line in lines]
        if frame == self._drawn:
            return
        whole = self._drawn is None or self._drawn == () or self._drawn[0] != size
        self._drawn = frame
        with self.console.capture() as captured:
            self.console.control(Control.clear(), Control.home()) if whole else self.console.control(Control.home())
            for number, line in enumerate(lines):
                self.console.print(line, end="\x1b[K" + "\n" * (number + 1 < len(lines)), no_wrap=True, overflow="crop")
        self.console.file.write(captured.get() + "\x1b[J")
        self.console.file.flush()

    def _lines(self) -> list[Text]:
        """The title with who plays or how, the board, the message and the keys, cut to the window."""
        from rich.text import Text

        width, height = self.console.size
        colours = self.console.color_system is not None and not self.console.no_color
        try:
            drawn = rich_text(
                self.game.board(self.position.state), boxes=self.boxes, colours=colours, columns=width - 2
            )
        except ValueError as error:
            raise GameError(f"{self.game.title}.board can't be drawn: {error}") from error
        board = list(drawn.split("\n"))
        for line in board:
            line.pad_left(2)
        keys = [f"{key} {does}" for key, does in COMMANDS.items()]
        help_lines = [
            Text("  arrows, hjkl or wasd · " + " · ".join(keys[:4]), "dim"),
            Text("  " + " · ".join(keys[4:]), "dim"),
        ]
        end = [Text(""), Text(f"  {self.message}", "bold"), *help_lines]
        top = [Text.assemble(("  " + self.spec, "bold"), "  ", self._mode() or self._who_plays()), Text("")]
        room = height - len(top) - len(end)
        if len(board) > room or max(line.cell_len for line in board) > width:
            end[1] = Text("  make the window larger to see all of the board", "bold red")
        lines = [*top, *board[: max(room, 0)], *end][:height]
        return lines if self.boxes else [Text(to_ascii(line.plain), line.style) for line in lines]

    def _mode(self) -> str:
        if HUMAN not in self.players:
            return f"watching · level {self.level}"
        states = {"auto": "the computer plays for you", "running": "running", "paused": "paused"}
        return next((words for name, words in states.items() if getattr(self, name)), "")

    def _thinking(self, player: int) -> AbstractContextManager[object]:
        return nullcontext()

    @contextmanager
    def _screen(self) -> Iterator[None]:
        """A screen of its own, without a cursor; on leaving, all is as it was, whatever happened."""
        before, worlds.on_compile = worlds.on_compile, self._compiling
        self._drawn = ()
        self.console.set_alt_screen(True)
        self.console.show_cursor(False)
        try:
            yield
        finally:
            with suppress(OSError):
                self.console.show_cursor(True)
                self.console.set_alt_screen(False)
            self._drawn = None
            worlds.on_compile = before

    def _farewell(self) -> None:
        """The last board, and how the game ended, or the command that goes on from it."""
        self._show_board()
        if self.position.is_terminal:
            self._say((f"Game over: {outcome_words(self.game, self.position.utilities)}.", "bold"))
            return
        self.position = Position(self.game, self.position.state)
        self._say("To resume: ", (self.resume_command(), "bold"))
