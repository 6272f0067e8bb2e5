"""Text and pictures: what a game writes it must read back, and every face must be able to show it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from zermelo.board import Board, Grid, Layers
from zermelo.check.play import Played
from zermelo.check.witness import Broken, Witness, short
from zermelo.errors import BadInput
from zermelo.fields import kind_of, why_not_plain
from zermelo.game import overrides
from zermelo.guard import within

MOST_WRITTEN = 1_000
"""Actions of one state that are written, and those that may be written again to read one."""

MOST_PARSED = 12
"""Actions of one state that are read back; fewer where there are many."""

MOST_LINES = 20
"""Games whose moves are written in a line and read back."""


class Texts:
    """Checks the texts of states and actions, and the boards."""

    def __init__(self, witness: Witness, initial: Any) -> None:
        self.witness, self.game, self.initial = witness, witness.game, initial
        self.splits = overrides(self.game, "split_moves")
        self.written = overrides(self.game, "format_state") or overrides(self.game, "parse_state")

    def check(self, state: Any, moves: list[Any]) -> None:
        """The texts and the board of one state, terminal or not; one that fails leaves the others to be checked."""
        for check in (self.check_state, self.check_actions, self.check_board):
            try:
                check(state, moves)
            except Broken:
                continue

    def check_state(self, state: Any, moves: list[Any]) -> None:
        """The text of a state is one line, and gives the state back."""
        witness = self.witness
        text = witness.ask_twice("format_state", state)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            witness.refuse("format_state", "kind", f"gives {text!r}", "give a text of one line", state)
        if not self.written and why_not_plain(state):
            self.check_default(text, state)
            return
        back = self.read("parse_state", state, text)
        if not witness.same(back, state):
            what = f"reads {text!r} as {back!r}, but it was written for {state!r}"
            cure = "let format_state write all that matters, and parse_state read it"
            witness.note("parse_state", "differs", what, cure, state, placed=True)
            return
        if witness.ask("key", back) != witness.ask("key", state):
            what = "gives another key to the same state read back from its text"
            witness.note("key", "unequal", what, "let the key depend on what equal states share", state)

    def check_default(self, text: str, state: Any) -> None:
        """A state that is not plain may be beyond the default texts; a game can do without them."""
        readable = False
        with suppress(Exception):
            readable = self.witness.same(within(self.witness.patience, "", self.game.parse_state, text), state)
        if not readable:
            cure = "write format_state and parse_state, for a state to be given as text"
            what = f"can't read {kind_of(state)} such as this one"
            self.witness.note("parse_state", "missing", what, cure, state, "warning")

    def check_actions(self, state: Any, moves: list[Any]) -> None:
        """The texts of a state's actions have no gaps, are all different, and give the actions back."""
        witness, known = self.witness, dict[str, Any]()
        for action in moves[:MOST_WRITTEN]:
            text = witness.ask("format_action", state, action)
            if not isinstance(text, str) or not text or re.search(r"\s", text):
                cure = "give a text without spaces"
                witness.refuse("format_action", "kind", f"writes {action!r} as {text!r}", cure, state)
            self.check_word(state, action, text)
            if text in known and known[text] != action:
                what = f"writes both {known[text]!r} and {action!r} as {text!r}"
                witness.refuse("format_action", "ambiguous", what, "write different actions differently", state)
            if self.game.compact and len(text) != 1:
                cure = "write actions as one character each, or leave compact out"
                what = f"writes {action!r} as {text!r}, though compact is set,"
                witness.note("format_action", "compact", what, cure, state)
            known[text] = action
        read = max(1, min(MOST_PARSED, MOST_WRITTEN // max(len(moves), 1)))
        for text, action in list(known.items())[:read]:
            back = self.read("parse_action", state, state, text)
            if not witness.same(back, action):
                what = f"reads {text!r} as {back!r}, not as {action!r}"
                witness.refuse("parse_action", "differs", what, "let it read what format_action writes", state)

    def check_word(self, state: Any, action: Any, text: str) -> None:
        """A text stands for one move in a list of moves."""
        if self.splits or not set(text) & set(",()") or self.witness.ask("split_moves", text) == [text]:
            return
        cure = "give a text without spaces, and without commas but in brackets"
        what = f"writes {short(action, most=60)} as {short(text, most=60)}, which is not one move in a list of moves,"
        cure = cure if overrides(self.game, "format_action") else f"write format_action(state, action), to {cure}"
        self.witness.refuse("format_action", "word", what, cure, state)

    def read(self, method: str, state: Any, *arguments: Any) -> Any:
        """What a text, the last of the arguments, is read as; it was written for `state`."""

        def parse() -> Any:
            try:
                return getattr(self.game, method)(*arguments)
            except BadInput as error:
                what = f"refuses {arguments[-1]!r}, the game's own text ({error}),"
                cure = f"let it read what {method.replace('parse', 'format')} writes"
                self.witness.refuse(method, "refuses", what, cure, state)

        return self.witness.run(method, state, parse)

    def check_board(self, state: Any, moves: list[Any]) -> None:
        """The picture is one of those that faces can draw, and complete."""
        picture = self.witness.ask_twice("board", state)
        if not isinstance(picture, Board):
            cure = "give a Grid, Layers, Piles, Pits, Points, a Node or Fields of zermelo.board"
            self.witness.refuse("board", "kind", f"gives {kind_of(picture)}", cure, state)
        for grid in picture.grids if isinstance(picture, Layers) else (picture,):
            self.check_grid(grid, state)

    def check_grid(self, picture: Any, state: Any) -> None:
        """A grid has as many cells as it says."""
        if isinstance(picture, Grid):
            cells = picture.width * picture.height
            wrong = next((name for name in ("cells", "owners") if len(getattr(picture, name)) not in (cells, 0)), "")
            if wrong or len(picture.cells) != cells:
                what = f"gives a Grid whose {wrong or 'cells'} are {len(getattr(picture, wrong or 'cells'))} in number"
                cure = f"give one for each of the {picture.width} × {picture.height} cells"
                self.witness.note("board", "size", what, cure, state)

    def check_lines(self, games: list[Played]) -> None:
        """Moves written one after another are read as the same moves, if each alone is."""
        if self.witness.blames("format_action"):
            return
        for played in games[:MOST_LINES]:
            texts, state = [], self.initial
            for action in played.moves[:100]:
                texts.append(self.witness.ask("format_action", state, action))
                state = self.witness.ask("result", state, action)
            self.check_line(texts)

    def check_line(self, texts: list[str]) -> None:
        for gap in (" ", "") if self.game.compact and all(len(text) == 1 for text in texts) else (" ",):
            found = self.witness.ask("split_moves", gap.join(texts))
            if found != texts:
                what = f"reads {short(gap.join(texts), most=60)} as {short(found, most=60)}"
                self.witness.refuse(
                    "split_moves", "differs", what, "let it give what format_action writes, move by move"
                )
