"""`Position`: a game with a state and the way it got there. Only legal actions are ever taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.errors import IllegalAction
from zermelo.game import CHANCE, Game, listed, overrides


def is_drawn(game: Game, states: Sequence[Any]) -> bool:
    """Whether the last of the states of a game has occurred as often as makes it a draw."""
    if not game.repetition:
        return False
    last = recurring(game, states[-1])
    return [recurring(game, state) for state in recent(game, states)].count(last) >= game.repetition


def recent(game: Game, states: Sequence[Any]) -> Sequence[Any]:
    """The last of some states, and those before it that it may be a return of."""
    return states[-1 - min(game.reversible(states[-1]), len(states) - 1) :]


def recurring(game: Game, state: Any) -> Any:
    """What a state is known by when it comes back: what the game says, else all of it."""
    return game.recurrence(state) if overrides(game, "recurrence") else state


def without_returns(game: Game, states: Sequence[Any], actions: list[Any]) -> list[Any]:
    """The actions that bring back none of the states so far, if the game forbids that; one that leaves things as they
    are, as a pass does, brings nothing back."""
    if not game.no_return:
        return actions
    now, seen = recurring(game, states[-1]), {recurring(game, state) for state in recent(game, states)}
    after = [recurring(game, game.result(states[-1], action)) for action in actions]
    return [action for action, mark in zip(actions, after, strict=True) if mark == now or mark not in seen]


class Position:
    """A game in progress.

    >>> from zermelo.games.nim import Nim
    >>> position = Position(Nim(stones=5))
    >>> position.push(2)
    >>> position.moves, position.to_move, str(position)
    ([1, 2, 3], 1, 'stones=3 turn=1')
    """

    def __init__(self, game: Game, state: Any = None) -> None:
        self.game = game
        self._states = [game.initial() if state is None else state]
        self._actions: list[Any] = []
        self._marks: list[Any] = []
        """What the first states are known by when they come back, of as many as it was asked for."""

    @classmethod
    def from_text(cls, game: Game, state: str = "", moves: str = "") -> Position:
        """The position after `moves` from the state written in `state` (empty: the initial state)."""
        position = cls(game, game.parse_state(state) if state else None)
        position.push_text(moves)
        return position

    @property
    def state(self) -> Any:
        """The current state."""
        return self._states[-1]

    @property
    def states(self) -> tuple[Any, ...]:
        """All states from the first to the current one."""
        return tuple(self._states)

    @property
    def history(self) -> tuple[Any, ...]:
        """The actions taken, first to last."""
        return tuple(self._actions)

    @property
    def texts(self) -> tuple[str, ...]:
        """The actions taken, first to last, as text."""
        pairs = zip(self._states, self._actions, strict=False)
        return tuple(self.game.format_action(state, action) for state, action in pairs)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or because a state has come back often enough."""
        return bool(self.game.is_terminal(self.state)) or self.is_repeated

    @property
    def is_repeated(self) -> bool:
        """Whether the game is a draw because its state has occurred as often as `repetition` says."""
        if not self.game.repetition:
            return False
        self._marks += [recurring(self.game, state) for state in self._states[len(self._marks) :]]
        return self._marks.count(self._marks[-1]) >= self.game.repetition

    @property
    def to_move(self) -> int:
        """The player whose turn it is, or `CHANCE`."""
        return self.game.to_move(self.state)

    @property
    def moves(self) -> list[Any]:
        """The legal actions; at a chance turn, what may happen; at the end, none."""
        return [] if self.is_repeated else without_returns(self.game, self._states, self.game.legal(self.state))

    @property
    def utilities(self) -> tuple[float, ...]:
        """What the end is worth to each player; only for terminal positions."""
        if self.is_repeated and not self.game.is_terminal(self.state):
            return tuple(float(self.game.tied(self.state, player)) for player in range(self.game.players))
        return self.game.utilities(self.state)

    def push(self, action: Any) -> None:
        """Take a legal action; an illegal one raises `IllegalAction` and changes nothing."""
        moves = self.moves
        if not any(action == move and type(action) is type(move) for move in moves):
            texts = [self.game.format_action(self.state, move) for move in moves]
            cure = f"legal are {listed(texts)}" if texts else "the game is over"
            raise IllegalAction(f"{action!r} is not legal in {self.game.describe(self.state)}; {cure}")
        self._states.append(self.game.result(self.state, action))
        self._actions.append(action)

    def push_text(self, moves: str) -> None:
        """Take the actions written in `moves`, in the game's own notation; all of them or none."""
        before = len(self._actions)
        try:
            for number, word in enumerate(self.game.split_moves(moves), 1):
                if self.is_terminal:
                    raise IllegalAction(f"move {number} ({word!r}) comes after the end of the game")
                for action in self.game.parse_play(self.state, word):
                    self.push(action)
        except BaseException:
            del self._states[before + 1 :], self._actions[before:], self._marks[before + 1 :]
            raise

    def pop(self) -> Any:
        """Take the last action back and return it."""
        if not self._actions:
            raise IllegalAction("there is no move to take back")
        self._states.pop()
        del self._marks[len(self._states) :]
        return self._actions.pop()

    def copy(self) -> Position:
        """An independent position with the same history."""
        return self.recast(self.game)

    def recast(self, game: Game) -> Position:
        """The same course of play in another game of the same states and actions."""
        twin = Position(game, self._states[0])
        twin._states, twin._actions = list(self._states), list(self._actions)
        twin._marks = list(self._marks) if game is self.game else []
        return twin

    def line(self, actions: list[Any]) -> list[str]:
        """Actions that follow one another from here, as text."""
        texts, state = [], self.state
        for action in actions:
            texts.append(self.game.format_action(state, action))
            state = self.game.result(state, action)
        return texts

    @property
    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return not self.is_terminal and self.to_move == CHANCE

    def __str__(self) -> str:
        return self.game.format_state(self.state)

    def __repr__(self) -> str:
        return f"<Position of {self.game!r}: {self}>"
