"""External programs as players: any UCI engine, any program that speaks GTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from zermelo.arena.players import Choice, Player
from zermelo.errors import BadInput, IllegalAction
from zermelo.position import Position
from zermelo.protocols.gtp_client import GtpClient, Refused
from zermelo.protocols.process import READY, Client
from zermelo.protocols.uci_client import UciClient
from zermelo.search.result import Limits

if TYPE_CHECKING:
    from zermelo.game import Game

C = TypeVar("C", bound=Client)

LONGEST_MOVE = 60.0
"""Seconds that a program has for a move where it is given a depth or nodes and no seconds."""
MARGIN = 1.0
"""Seconds that a move may take beyond those allowed: half of them until a program is told to stop, then the rest."""


class ExternalPlayer(Player, Generic[C]):
    """What both kinds have in common: a program that is started anew where it was lost."""

    def __init__(self, game: Game, command: str | Sequence[str], limits: Limits, margin: float = MARGIN) -> None:
        if game.players != 2:
            raise BadInput(f"external programs play games of two players, {game.title} has {game.players}")
        self.game, self.command, self.limits, self.margin = game, command, limits, margin
        self.seconds = limits.seconds
        self._written: tuple[Position, list[str]] = Position(game), []
        """The last position asked about, and its moves as text."""
        self._client: C | None = None

    def start(self) -> C:
        """The program, ready to be told of a game."""
        raise NotImplementedError

    @property
    def client(self) -> C:
        """The program, started anew if it was lost."""
        if self._client is None or self._client.program.failure is not None:
            self._client = self.start()
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    @property
    def patience(self) -> float:
        """Seconds after which a program is told to stop; half the margin later it is ended."""
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


class UciPlayer(ExternalPlayer[UciClient]):
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
        self.name = self.client.name

    def begin(self, position: Position, seed: int) -> None:
        self.client.patience = READY
        self.client.new_game()

    def choose(self, position: Position) -> Choice:
        client, first = self.client, position.states[0]
        client.patience = self.patience
        start = "" if first == self.game.initial() else self.game.protocol_state(first)
        client.set_position(start, self.texts(position))
        answer = client.go(self._limits(), self.patience, self.margin / 2)
        return Choice(self.action_of(position, answer.move), answer.score, answer.depth, answer.nodes)

    def _limits(self) -> dict[str, int]:
        limits = self.limits
        milliseconds = None if limits.seconds is None else max(round(limits.seconds * 1000), 1)
        pairs = {"movetime": milliseconds, "depth": limits.depth, "nodes": limits.nodes}
        return {word: number for word, number in pairs.items() if number is not None}

    def start(self) -> UciClient:
        return UciClient(self.command, self.options)


class GtpPlayer(ExternalPlayer[GtpClient]):
    """A program that speaks GTP, told what it does not know yet of the game before each move.

    The game's `size` and `komi`, where it has them, are those of the program's board; player 0 is black.
    """

    def __init__(
        self, game: Game, command: str | Sequence[str], limits: Limits, margin: float = MARGIN, timed: bool = True
    ) -> None:
        super().__init__(game, command, limits, margin)
        self.timed = timed
        self._told: list[str] | None = None
        """What the program's board holds, None where that is not known."""
        self.name = self.client.name

    def begin(self, position: Position, seed: int) -> None:
        if position.states[0] != self.game.initial():
            raise BadInput(
                f"{self.name} can't be told of {self.game.describe(position.states[0])}: GTP knows moves alone"
            )
        self._told = None
        self.client.patience = READY
        self._tell(position)

    def choose(self, position: Position) -> Choice:
        self.client.patience = self.patience
        moves = self._tell(position)
        self._told = None
        text = self._unless_refused(self.client.genmove, position.to_move, self.patience + self.margin / 2)
        if text == "resign":
            return Choice(None, comment="resigns")
        action = self.action_of(position, text)
        self._told = [*moves, self.game.protocol_action(position.state, action)]
        return Choice(action)

    def _tell(self, position: Position) -> list[str]:
        """Bring the program's board to where the game is; all moves as texts."""
        client, moves, known = self.client, self.texts(position), self._told
        if known is None or moves[: len(known)] != known:
            known = []
            size, komi = getattr(self.game, "size", None), getattr(self.game, "komi", None)
            self._unless_refused(client.begin, size, komi)
            if self.timed and self.seconds is not None:
                self._unless_refused(client.set_time, self.seconds)
        movers = [self.game.to_move(state) for state in position.states]
        for player, text in list(zip(movers, moves, strict=False))[len(known) :]:
            self._unless_refused(client.play, player, text)
        self._told = moves
        return moves

    def _unless_refused(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """What a call gives; a program that refuses what it must do is of no use any more."""
        try:
            return call(*arguments)
        except Refused as error:
            self.client.program.fail(str(error))

    def start(self) -> GtpClient:
        self._told = None
        return GtpClient(self.command)
