"""External programs as players: any UCI engine, any program that speaks GTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.arena.players import Choice, Player
from zermelo.errors import BadInput, IllegalAction
from zermelo.position import Position
from zermelo.protocols.gtp_client import GtpClient, Refused
from zermelo.protocols.uci_client import UciClient
from zermelo.search.result import Limits

if TYPE_CHECKING:
    from zermelo.game import Game

LONGEST_MOVE = 60.0
"""Seconds that a program has for a move where it is given a depth or nodes and no seconds."""
MARGIN = 1.0
"""Seconds that a move may take beyond those allowed: half of them until a program is told to stop, then the rest."""


class ExternalPlayer(Player):
    """What both kinds have in common: a program that is started anew where it was lost."""

    def __init__(self, game: Game, command: str | Sequence[str], limits: Limits, margin: float = MARGIN) -> None:
        if game.players != 2:
            raise BadInput(f"external programs play games of two players, {game.title} has {game.players}")
        self.game, self.command, self.limits, self.margin = game, command, limits, margin
        self.seconds = limits.seconds
        self._written: tuple[Position, list[str]] = Position(game), []
        """The last position asked about, and its moves as text."""

    @property
    def patience(self) -> float:
        """Seconds that a move may take before the program is asked for it once more, or ended."""
        return LONGEST_MOVE if self.seconds is None else self.seconds + self.margin / 2

    def action_of(self, position: Position, text: str) -> Any:
        """The legal action that a program has written."""
        for action in position.moves:
            if self.game.protocol_action(position.state, action).casefold() == text.casefold():
                return action
        raise IllegalAction(f"{self.name} answered {text[:40]!r}, which is not legal in {position}")

    def texts(self, position: Position) -> list[str]:
        """All that was played, as programs write it."""
        before, texts = self._written
        known = len(texts)
        if position.states[: known + 1] != before.states or position.history[:known] != before.history:
            known = 0
        new = list(zip(position.states, position.history, strict=False))[known:]
        texts = texts[:known] + [self.game.protocol_action(state, action) for state, action in new]
        self._written = position.copy(), texts
        return texts


class UciPlayer(ExternalPlayer):
    """A UCI engine, told the whole game before each move."""

    def __init__(
        self,
        game: Game,
        command: str | Sequence[str],
        limits: Limits,
        options: Mapping[str, str] | None = None,
        margin: float = MARGIN,
    ) -> None:
        super().__init__(game, command, limits, margin)
        self.options = dict(options or {})
        self._client: UciClient | None = UciClient(command, self.options)
        self.name = self._client.name

    def begin(self, position: Position, seed: int) -> None:
        self._living().new_game()

    def choose(self, position: Position) -> Choice:
        client, first = self._living(), position.states[0]
        start = "" if first == self.game.initial() else self.game.protocol_state(first)
        client.set_position(start, self.texts(position))
        answer = client.go(self._limits(), self.patience, self.margin / 2)
        return Choice(self.action_of(position, answer.move), answer.score, answer.depth, answer.nodes)

    def _limits(self) -> dict[str, int]:
        limits = self.limits
        milliseconds = None if limits.seconds is None else max(round(limits.seconds * 1000), 1)
        pairs = {"movetime": milliseconds, "depth": limits.depth, "nodes": limits.nodes}
        return {word: number for word, number in pairs.items() if number is not None}

    def _living(self) -> UciClient:
        if self._client is None or self._client.program.failure is not None:
            self._client = UciClient(self.command, self.options)
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()


class GtpPlayer(ExternalPlayer):
    """A program that speaks GTP, told what it does not know yet of the game before each move.

    The game's `size` and `komi`, where it has them, are those of the program's board; player 0 is black.
    """

    def __init__(
        self, game: Game, command: str | Sequence[str], limits: Limits, margin: float = MARGIN, timed: bool = True
    ) -> None:
        super().__init__(game, command, limits, margin)
        self.timed = timed
        self._client: GtpClient | None = GtpClient(command)
        self.name = self._client.name
        self._told: list[str] | None = None
        """What the program's board holds, None where that is not known."""

    def begin(self, position: Position, seed: int) -> None:
        if position.states[0] != self.game.initial():
            raise BadInput(
                f"{self.name} can't be told of {self.game.describe(position.states[0])}: GTP knows moves alone"
            )
        self._told = None
        self._living()

    def choose(self, position: Position) -> Choice:
        client, moves = self._living(), self.texts(position)
        try:
            self._tell(client, position, moves)
            text = client.genmove(position.to_move, self.patience + self.margin / 2)
        except Refused as error:
            client.program.fail(str(error))
        if text == "resign":
            return Choice(None, comment="resigns")
        action = self.action_of(position, text)
        self._told = [*moves, self.game.protocol_action(position.state, action)]
        return Choice(action)

    def _tell(self, client: GtpClient, position: Position, moves: list[str]) -> None:
        """Bring the program's board to where the game is."""
        known = self._told
        if known is None or moves[: len(known)] != known:
            known = []
            client.begin(getattr(self.game, "size", None), getattr(self.game, "komi", None))
            if self.timed and self.seconds is not None:
                client.set_time(self.seconds)
        movers = [self.game.to_move(state) for state in position.states]
        self._told = None
        for player, text in list(zip(movers, moves, strict=False))[len(known) :]:
            client.play(player, text)

    def _living(self) -> GtpClient:
        if self._client is None or self._client.program.failure is not None:
            self._client, self._told = GtpClient(self.command), None
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
