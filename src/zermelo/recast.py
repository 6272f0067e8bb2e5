"""A game seen as another: teams as single players, and opponents with a policy as chance.

Both are games like any other, in both worlds, so that every algorithm serves them. States, actions and texts are
those of the game behind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf, nan
from numbers import Integral, Real
from typing import Any

from zermelo.bits import Bits
from zermelo.board import Board
from zermelo.errors import BadInput, BadPolicy, GameError
from zermelo.fields import kind_of
from zermelo.game import CHANCE, Facts, Game, joined

Policy = Callable[[Game, Any, Any], float]
"""How likely an action is in a state, as a weight: 0 or more, in proportion to those of the other actions."""


class Recast(Game):
    """A game that hands everything on to `game`, the one behind it. What players there are, subclasses say.

    `players` are numbered anew; `seats[player]` is who that is in the game behind.
    """

    handed_on: tuple[str, ...] = (
        *("evaluate", "promise", "features", "moves_left", "count_actions", "board"),
        *("tied", "recurrence", "is_closing", "reply", "prior"),
        *("format_action", "parse_action", "parse_play", "format_state", "parse_state", "split_moves"),
        *("protocol_action", "protocol_state"),
    )

    def __init__(self, game: Game, seats: Sequence[int]) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.players = len(self.seats)
        self.utility_bounds = game.utility_bounds
        self.perfect_information, self.repeats = game.perfect_information, game.repeats
        self.repetition, self.no_return, self.compact = game.repetition, game.no_return, game.compact
        self.weights, self.feature_names = game.weights, game.feature_names
        self.player_names = tuple(game.player_name(seat) for seat in self.seats)
        self.known, self.state_count, self.win_words = game.known, game.state_count, game.win_words
        self.usual_algorithm = game.usual_algorithm
        self.tree_switches = game.tree_switches  # type: ignore[misc]
        self.keys = game.keys  # type: ignore[misc]

    @property
    def facts(self) -> Facts:
        total = self.utility_sum if self.players > 1 else None
        return self.game.facts._replace(players=self.players, total=total)

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def round_length(self) -> int:
        return self.game.round_length

    def initial(self) -> Any:
        return self.game.initial()

    def to_move(self, state: Any) -> int:
        return self.game.to_move(state)

    def actions(self, state: Any) -> Iterable[Any]:
        for action in self.game.actions(state):
            yield action

    def result(self, state: Any, action: Any) -> Any:
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: Any, player: int) -> float:
        return self.game.utility(state, self.seats[player])

    def evaluate(self, state: Any, player: int) -> float:
        return self.game.evaluate(state, self.seats[player])

    def promise(self, state: Any, player: int) -> float:
        return self.game.promise(state, self.seats[player])

    def features(self, state: Any) -> tuple[float, ...]:
        return self.game.features(state)

    def moves_left(self, state: Any) -> int:
        return self.game.moves_left(state)

    def count_actions(self, state: Any) -> int:
        return self.game.count_actions(state)

    def tied(self, state: Any, player: int) -> float:
        return self.game.tied(state, self.seats[player])

    def recurrence(self, state: Any) -> Any:
        return self.game.recurrence(state)

    def is_closing(self, state: Any) -> bool:
        return self.game.is_closing(state)

    def reply(self, state: Any, word: Bits) -> Any:
        return self.game.reply(state, word)

    def prior(self, state: Any, action: Any) -> float:
        return self.game.prior(state, action)

    def format_action(self, state: Any, action: Any) -> str:
        return self.game.format_action(state, action)

    def protocol_action(self, state: Any, action: Any) -> str:
        return self.game.protocol_action(state, action)

    def protocol_state(self, state: Any) -> str:
        return self.game.protocol_state(state)

    def parse_action(self, state: Any, text: str) -> Any:
        return self.game.parse_action(state, text)

    def parse_play(self, state: Any, text: str) -> list[Any]:
        return self.game.parse_play(state, text)

    def format_state(self, state: Any) -> str:
        return self.game.format_state(state)

    def parse_state(self, text: str) -> Any:
        return self.game.parse_state(text)

    def split_moves(self, text: str) -> list[str]:
        return self.game.split_moves(text)

    def board(self, state: Any) -> Board:
        return self.game.board(state)


class Teams(Recast):
    """A game whose players are the teams of `game`, in the order of their first members.

    A team moves when one of its members does, and its payoff is theirs, which they share. With two teams and
    constant sum it is a game of two opponents; with one team, a puzzle.
    """

    handed_on: tuple[str, ...] = (
        *Recast.handed_on,
        *("outcomes", "noisy", "plausible", "forcing", "bounds", "passed", "skipped"),
        *("key", "symmetries", "canonical_key"),
        *("gain", "loses", "motif", "threatened", "reversible"),
    )

    def __init__(self, game: Game) -> None:
        teams = teams_of(game)
        first = [teams.index(team) for team in dict.fromkeys(teams)]
        super().__init__(game, first)
        self.sides = tuple(first.index(teams.index(team)) for team in teams)
        self.utility_sum, self.swing, self.plausible_is_safe = game.utility_sum, game.swing, game.plausible_is_safe
        self.margin, self.reductions = game.margin, game.reductions
        self.player_names = tuple(
            joined([game.player_name(player) for player, own in enumerate(self.sides) if own == side])
            for side in range(self.players)
        )

    def to_move(self, state: Any) -> int:
        mover = self.game.to_move(state)
        return mover if mover == CHANCE else self.sides[mover]

    def to_players(self, values: tuple[float, ...]) -> tuple[float, ...]:
        """The values of teams as values of their members; nothing of nothing."""
        return tuple(values[side] for side in self.sides) if values else ()

    def outcomes(self, state: Any) -> Iterable[tuple[Any, float]]:
        for action, probability in self.game.outcomes(state):
            yield action, probability

    def noisy(self, state: Any) -> Iterable[Any]:
        for action in self.game.noisy(state):
            yield action

    def plausible(self, state: Any) -> Iterable[Any]:
        for action in self.game.plausible(state):
            yield action

    def gain(self, state: Any, action: Any) -> float:
        return self.game.gain(state, action)

    def loses(self, state: Any, action: Any, most: float) -> bool:
        return self.game.loses(state, action, most)

    def motif(self, state: Any, action: Any) -> int:
        return self.game.motif(state, action)

    def threatened(self, state: Any) -> bool:
        return self.game.threatened(state)

    def reversible(self, state: Any) -> int:
        return self.game.reversible(state)

    def forcing(self, state: Any) -> Iterable[Any]:
        for action in self.game.forcing(state):
            yield action

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return self.game.bounds(state, self.seats[player])

    def passed(self, state: Any) -> Iterable[Any]:
        """What the game behind says, but where a pass would only hand the turn to a member of the same team."""
        for other in self.game.passed(state):
            if self.to_move(other) != self.to_move(state):
                yield other

    def skipped(self, state: Any) -> Any:
        return self.game.skipped(state)

    def key(self, state: Any) -> Any:
        return self.game.key(state)

    def symmetries(self, state: Any) -> Iterable[Any]:
        for twin in self.game.symmetries(state):
            yield twin

    def canonical_key(self, state: Any) -> Any:
        return self.game.canonical_key(state)


class Facing(Recast):
    """A game in which some players of `game` don't choose: they move as chance does, by a policy.

    Those are `players`, all but the first one unless they are named; the others are numbered anew. The policy gives
    a weight to each action of theirs; without one, all actions are as likely. What the game claims of its values
    (`bounds`, `symmetries`, …) rests on everybody choosing well, so none of that is used.
    """

    def __init__(self, game: Game, policy: Policy | None = None, players: Sequence[int] | None = None) -> None:
        driven = set(range(1, game.players) if players is None else players)
        choosers = [player for player in range(game.players) if player not in driven]
        if not driven <= set(range(game.players)) or not choosers:
            raise BadInput(f"{game.title} has {game.players} players: give the numbers of some, not of all, from 0 on")
        super().__init__(_minded(game, policy or uniform), choosers)
        self.turns = tuple(choosers.index(player) if player in choosers else CHANCE for player in range(game.players))
        teams = teams_of(game)
        covered = set(teams) == {teams[player] for player in choosers}
        self.utility_sum = game.utility_sum if covered else None

    @property
    def facts(self) -> Facts:
        return super().facts._replace(chance=self.game.facts.chance or CHANCE in self.turns)

    def team(self, player: int) -> int:
        return self.game.team(self.seats[player])

    def to_move(self, state: Any) -> int:
        mover = self.game.to_move(state)
        return mover if mover == CHANCE else self.turns[mover]

    def outcomes(self, state: Any) -> Iterator[tuple[Any, float]]:
        if self.game.to_move(state) == CHANCE:
            for action, probability in self.game.outcomes(state):
                yield action, probability
        else:
            total = self.weigh_all(state)
            for action in self.game.actions(state):
                share = self.game.weigh(state, action) / total  # type: ignore[attr-defined]
                if share > 0:
                    yield action, share

    def weigh_all(self, state: Any) -> float:
        """The sum of the weights of all actions; `BadPolicy` where there can be no probabilities."""
        total = 0.0
        for action in self.game.actions(state):
            weight = float(self.game.weigh(state, action))  # type: ignore[attr-defined]
            if not 0 <= weight < inf:
                raise BadPolicy
            total += weight
        if total == 0:
            raise BadPolicy(f"the policy gives no action a weight above 0 in {self.describe(state)}: give one to some")
        if total == inf:
            raise BadPolicy(f"the policy's weights add up to infinity in {self.describe(state)}: give smaller ones")
        return total


def uniform(game: Game, state: Any, action: Any) -> float:  # noqa: ARG001
    """The policy of taking any action, each as likely."""
    return 1.0


def greedy(game: Game, state: Any, action: Any) -> float:
    """The policy of taking what looks best to the mover one action ahead: an end by its utility, else by `evaluate`.

    Equally good actions are equally likely.
    """
    mover = game.to_move(state)
    best = -inf
    for other in game.actions(state):
        best = max(best, _looks(game, game.result(state, other), mover))
    return 1.0 if _looks(game, game.result(state, action), mover) >= best else 0.0


POLICIES: dict[str, Policy] = {"random": uniform, "greedy": greedy}
"""The policies that have a name."""


def _looks(game: Game, state: Any, player: int) -> float:
    return float(game.utility(state, player) if game.is_terminal(state) else game.evaluate(state, player))


def _minded(game: Game, policy: Policy) -> Any:
    """A copy of the game with one more method, `weigh`, which is the policy; interpreted, its weights are checked."""
    name = getattr(policy, "__name__", repr(policy))
    try:
        inspect.signature(policy).bind(game, None, None)
    except (TypeError, ValueError):
        raise BadInput(f"{name} is no policy: it must be a function of the game, a state and an action") from None

    def weigh(self: Game, state: Any, action: Any) -> float:
        weight = policy(self, state, action)
        found = nan
        with suppress(OverflowError):
            found = float(weight) if isinstance(weight, Real) else nan
        if 0 <= found < inf:
            return found
        what = f"the policy {name} gives {weight!r} for {action!r} in {self.describe(state)}"
        raise BadPolicy(f"{what}: give a finite number from 0 up")

    vars(weigh)["__native__"] = policy
    kind: Any = type(game.title, (type(game),), {"weigh": weigh, "__doc__": type(game).__doc__})
    minded = object.__new__(kind)
    vars(minded).update(game.__getstate__())
    return minded


def has_teams(game: Game) -> bool:
    """Whether some players share a payoff."""
    return len(set(teams_of(game))) < game.players


def teams_of(game: Game) -> list[int]:
    """The team of each player; `GameError` where it is no whole number."""
    teams = [game.team(player) for player in range(game.players)]
    for player, team in enumerate(teams):
        if not isinstance(team, Integral):
            what = f"{game.title}.team gives player {player} {team!r}, {kind_of(team)}"
            raise GameError(f"{what}: give a whole number, the same to all players of a team")
    return teams
