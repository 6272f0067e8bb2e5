"""The contract: what a person writes to have a game, and what each optional method tells the system.

Six methods are required (`initial`, `to_move`, `actions`, `result`, `is_terminal`, `utility`); all
others are knowledge with a default. Rules are pure: they read `self` and the state, and change neither.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from itertools import accumulate, islice
from typing import Any, ClassVar, NamedTuple

from zermelo.bits import Bits
from zermelo.board import Board, Fields
from zermelo.errors import GameError, IllegalAction
from zermelo.fields import field_texts, format_fields, format_word, hash_fields, parse_fields
from zermelo.tuples import weighted

CHANCE = -1
"""What `to_move` returns where dice, cards or the weather move; `outcomes` then says how."""

MOST_ACTIONS = 65_536
"""The most actions one state may have; a generator that yields more is taken to loop for ever."""

REQUIRED = ("initial", "to_move", "actions", "result", "is_terminal", "utility")


class Facts(NamedTuple):
    """What a game is, as data; algorithms refuse by it, in a sentence.

    `total` is the constant sum of all utilities (0: zero-sum), None where the sum varies.
    """

    players: int
    chance: bool
    total: float | None
    perfect_information: bool
    lowest: float
    highest: float
    repeats: bool

    @property
    def zero_sum(self) -> bool:
        return self.total == 0


class _GameType(type):
    """Remembers the arguments a game was made with, and seals it: rules must not change under a search."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        missing = [name for name in REQUIRED if getattr(cls, name, None) is getattr(Game, name)]
        if missing:
            raise GameError(f"{cls.__name__} has no {joined(missing)}: every game needs {joined(list(REQUIRED))}")
        game = super().__call__(*args, **kwargs)
        arguments: dict[str, Any] = {}
        if "__init__" in {name for base in cls.__mro__[:-1] for name in vars(base)}:
            bound = inspect.signature(game.__init__).bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = dict(bound.arguments)
        vars(game)["_arguments"] = arguments
        return game


class Game(metaclass=_GameType):
    """Base of every game. See `docs/contract.md` for the whole contract with examples."""

    players: int = 2
    """How many players there are, numbered from 0."""
    utility_sum: float | None = 0
    """What the players' utilities add up to at every end; None if that varies (a general-sum game)."""
    utility_bounds: tuple[float, float] = (float("-inf"), float("inf"))
    """No utility is below the first or above the second; tight bounds let searches stop at a sure win."""
    perfect_information: bool = True
    """Whether every player always knows the whole state."""
    repeats: bool = False
    """Whether a state can come back later in the same game."""
    plausible_is_safe: bool = False
    """Whether the actions that `plausible` leaves out can never be better than those it gives."""
    repetition: int = 0
    """A state that occurs so many times in one game ends it as a draw (3 in chess); 0: coming back ends nothing."""
    no_return: bool = False
    """Whether an action that brings back an earlier state of the game is illegal (superko in Go)."""
    usual_algorithm: str = ""
    """The algorithm that serves the game best, if it knows better than what is chosen for games of its kind."""
    tree_switches: ClassVar[Mapping[str, float]] = {}
    """Switches of Monte-Carlo search that suit the game better than the common ones (`{"rave": 300}`)."""
    swing: float = float("inf")
    """The most that one action can change the evaluation, if anybody knows: makes futility cutoffs safe."""
    reductions: bool = False
    """Whether the engine looks at later actions less deep, if nobody tells it otherwise: of many actions the best is
    nearly always among the first."""
    margin: float = 0.0
    """About how much one quiet action changes the evaluation: what a selective search gives up on; see `gain`."""
    feature_names: tuple[str, ...] = ()
    """What to call each of `features` in explanations."""
    compact: bool = False
    """Whether a list of moves may be written with no spaces, one character an action (`44433`)."""
    weights: tuple[float, ...] = ()
    """The worth of each of `features`, for the default `evaluate`."""
    player_names: tuple[str, ...] = ()
    """What to call the players (`("X", "O")`); by default they are numbered from 1."""
    win_words: tuple[str, ...] = ()
    """What to call a sure win and a sure loss (`("mate", "mated")`), told in moves, if all wins are worth the same."""
    keys: ClassVar[Mapping[str, str]] = {}
    """Actions by the key that stands for each (`{"left": "west"}`), for games that are played with single keys: an
    arrow (up, down, left, right), space, enter, tab, or a character."""
    state_count: float = 0
    """About how many states there are, 0 if nobody knows: whether it makes sense to find them all."""
    known: str = ""
    """What is known of the game (its size, its value), for `zermelo games`."""
    handed_on: tuple[str, ...] = ()
    """The methods that only ask the game behind this one, its attribute `game`; see `zermelo.recast`."""

    # The six qualities of the textbook.

    def initial(self) -> Any:
        """The state before the first move."""
        raise NotImplementedError

    def to_move(self, state: Any) -> int:
        """The player whose turn it is, or `CHANCE`; at the end, a player all the same."""
        raise NotImplementedError

    def actions(self, state: Any) -> Iterable[Any]:
        """The legal actions, in a fixed order; at least one unless the state is terminal."""
        raise NotImplementedError

    def result(self, state: Any, action: Any) -> Any:
        """The state after `action`; the state given is left as it is."""
        raise NotImplementedError

    def is_terminal(self, state: Any) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    def utility(self, state: Any, player: int) -> float:
        """What a terminal state is worth to `player`."""
        raise NotImplementedError

    # Optional knowledge.

    def outcomes(self, state: Any) -> Iterable[tuple[Any, float]]:
        """At a `CHANCE` turn: each action that may happen with its probability."""
        where = self.describe(state)
        raise GameError(f"{self.title} says that chance moves in {where}, but has no method outcomes: write it")

    def evaluate(self, state: Any, player: int) -> float:
        """An estimate of `utility` for a state that is not terminal, where a search stops.

        It lies strictly inside the utility bounds: a search takes a value at a bound as proved.
        """
        score = weighted(self.features(state), self.weights)
        return score if player == 0 else -score

    def promise(self, state: Any, player: int) -> float:
        """How good a state looks to `player` at a glance: searches look at the more promising first.

        Unlike `evaluate` it is also asked of ends.
        """
        if self.is_terminal(state):
            return self.utility(state, player)
        return self.evaluate(state, player)

    def features(self, state: Any) -> tuple[float, ...]:
        """Numbers that matter in a state, seen by player 0; times `weights` they are the evaluation."""
        return ()

    def noisy(self, state: Any) -> Iterable[Any]:
        """The actions that make the evaluation unreliable (captures, flips)."""
        return ()

    def gain(self, state: Any, action: Any) -> float:
        """What an action wins at once, in units of `evaluate`, once the exchange it starts has been played out.

        0 is for a quiet action, less for one that loses. Where a game has this, the engine searches selectively; its
        actions are ints.
        """
        return 0.0

    def loses(self, state: Any, action: Any, most: float) -> bool:
        """Whether a quiet action loses more than `most` at once, since what it moves can be taken then."""
        return False

    def motif(self, state: Any, action: Any) -> int:
        """Of which kind an action is, a number from 0 to 510 (which piece goes where).

        The engine's selective search learns which kind is a good answer to which.
        """
        return 0

    def threatened(self, state: Any) -> bool:
        """Whether the player to move is under an attack that he must answer (a check), so that no estimate holds."""
        return False

    def plausible(self, state: Any) -> Iterable[Any]:
        """The promising actions, best first; may leave some out (see `plausible_is_safe`)."""
        return self.actions(state)

    def forcing(self, state: Any) -> Iterable[Any]:
        """The actions that leave the opponent few good replies, most forcing first: those that win at once, threats.

        A forced-win search, which is also part of the engine's, looks at no others of the mover's; what it proves does
        not rest on them.
        """
        return ()

    def reply(self, state: Any, word: Bits) -> Any:
        """The action of a player who has no time to think, by a random word: roll-outs play so."""
        raise GameError(f"{self.title} has no method reply: write it, to say how roll-outs are played")

    def prior(self, state: Any, action: Any) -> float:
        """What an action seems worth to the player to move before anything is known of it, in units of utility."""
        raise GameError(f"{self.title} has no method prior: write it, to say what actions seem worth at first")

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        """A range that surely holds the value of the state to `player`."""
        return self.utility_bounds

    def passed(self, state: Any) -> Iterable[Any]:
        """The state with the other player to move, where having to move is surely no burden; else nothing."""
        return ()

    def skipped(self, state: Any) -> Any:
        """The state as it is but for the turn, which goes to the next player; best-reply search needs it."""
        raise GameError(f"{self.title} has no method skipped: write it, to say how a turn is skipped")

    def reversible(self, state: Any) -> int:
        """How many of the last actions could be undone: no state before them can come back."""
        return 1 << 30

    def count_actions(self, state: Any) -> int:
        """How many actions there are; a game may know without looking at each."""
        return sum(1 for _ in self.actions(state))

    def moves_left(self, state: Any) -> int:
        """About how many moves are still to be played, or 0 where nobody can tell: for clocks and plans."""
        return 0

    def key(self, state: Any) -> Any:
        """The identity of a state in tables: equal keys mean the same value."""
        return hash_fields(state)

    def recurrence(self, state: Any) -> Any:
        """What a state has in common with itself come back, for `repetition` and `no_return`: its key, if nothing in
        it counts moves. Clocks are left out."""
        return self.key(state)

    def tied(self, state: Any, player: int) -> float:
        """What the game is worth to `player` if it ends because this state has come back.

        It is the same for all states that can come back to one another.
        """
        return self.even_share

    def is_closing(self, state: Any) -> bool:
        """Whether so few states can follow that they can all be found at once: where a state that comes back ends the
        game, value iteration then tells the value sooner than a search."""
        return False

    def symmetries(self, state: Any) -> Iterable[Any]:
        """Other states of the same value (turned and mirrored boards)."""
        return ()

    def canonical_key(self, state: Any) -> Any:
        """One key for a state and all its symmetries; derived, not for games to write."""
        return self._fitting(state, self.key(state))

    def team(self, player: int) -> int:
        """The team of a player: its members share one payoff."""
        return player

    # Text and pictures; never compiled, so any Python goes.

    def format_action(self, state: Any, action: Any) -> str:
        """An action as text, with no spaces, different for each action of a state."""
        return format_word(action)

    def parse_action(self, state: Any, text: str) -> Any:
        """The legal action that `text` writes, or `IllegalAction`."""
        options = {self.format_action(state, action): action for action in self.legal(state)}
        if text in options:
            return options[text]
        folded = {name.casefold(): action for name, action in options.items()}
        if len(folded) == len(options) and text.casefold() in folded:
            return folded[text.casefold()]
        raise IllegalAction(f"{text!r} is not legal in {self.describe(state)}; legal are {listed(list(options))}")

    def parse_play(self, state: Any, text: str) -> list[Any]:
        """The actions, all of the player to move, that `text` writes: one, or more where a turn has several."""
        return [self.parse_action(state, text)]

    def protocol_action(self, state: Any, action: Any) -> str:
        """An action as external programs write it (`e2e4` in UCI, `d4` or `pass` in GTP), different for each."""
        return self.format_action(state, action)

    def protocol_state(self, state: Any) -> str:
        """A state as external programs write it (a FEN in UCI)."""
        return self.format_state(state)

    def format_state(self, state: Any) -> str:
        """A state as text on one line."""
        return format_fields(state)

    def parse_state(self, text: str) -> Any:
        """The state that `text` writes, or `BadInput`."""
        return parse_fields(text, self.initial())

    def board(self, state: Any) -> Board:
        """The state as a picture, for every face to draw."""
        pairs = field_texts(state)
        return Fields(tuple(name for name, _ in pairs), tuple(text for _, text in pairs))

    # Derived.

    def legal(self, state: Any) -> list[Any]:
        """All that may happen next: nothing at the end, the outcomes at a chance turn, else the actions."""
        if self.is_terminal(state):
            return []
        if self.to_move(state) == CHANCE:
            rule, found = "outcomes", [action for action, _ in islice(self.outcomes(state), MOST_ACTIONS + 1)]
        else:
            rule, found = "actions", list(islice(self.actions(state), MOST_ACTIONS + 1))
        if len(found) > MOST_ACTIONS:
            raise GameError(
                f"{self.title}.{rule} gives more than {MOST_ACTIONS:,} actions in {self.describe(state)}: "
                "it seems to loop for ever"
            )
        if not found:
            raise GameError(
                f"{self.title}.{rule} gives nothing in {self.describe(state)}, where is_terminal is false: "
                "give an action there, or let is_terminal be true"
            )
        return found

    def utilities(self, state: Any) -> tuple[float, ...]:
        """The utility of a terminal state to each player."""
        return tuple(float(self.utility(state, player)) for player in range(self.players))

    def sufficient(self, state: Any) -> Iterable[Any]:
        """Actions among which there surely is a best one: those that `plausible` gives where that is safe, else all."""
        if self.plausible_is_safe:
            for action in self.plausible(state):
                yield action
        else:
            for action in self.actions(state):
                yield action

    def evaluations(self, state: Any) -> tuple[float, ...]:
        """The evaluation of a state by each player."""
        return tuple(float(self.evaluate(state, player)) for player in range(self.players))

    @property
    def facts(self) -> Facts:
        """What this game is, from what it declares and what it overrides."""
        lowest, highest = self.utility_bounds
        total = self.utility_sum if self.players > 1 else None
        chance = overrides(self, "outcomes")
        return Facts(self.players, chance, total, self.perfect_information, lowest, highest, self.repeats)

    @property
    def has_chance(self) -> bool:
        """Whether chance ever moves; native code leaves out what is for chance where it doesn't."""
        return self.facts.chance

    @property
    def has_bounds(self) -> bool:
        """Whether the game narrows the value of a state before it is searched."""
        return overrides(self, "bounds")

    @property
    def has_plausible(self) -> bool:
        """Whether the game says which actions are promising."""
        return overrides(self, "plausible")

    @property
    def has_forcing(self) -> bool:
        """Whether the game says which actions are threats."""
        return overrides(self, "forcing")

    @property
    def has_reply(self) -> bool:
        """Whether the game says how roll-outs are played."""
        return overrides(self, "reply")

    @property
    def has_prior(self) -> bool:
        """Whether the game says what actions seem worth at first."""
        return overrides(self, "prior")

    @property
    def has_noisy(self) -> bool:
        """Whether the game says which actions make its evaluation unreliable."""
        return overrides(self, "noisy")

    @property
    def has_gain(self) -> bool:
        """Whether the game says what an action wins at once."""
        return overrides(self, "gain")

    @property
    def has_loses(self) -> bool:
        """Whether the game says which quiet actions lose at once."""
        return overrides(self, "loses")

    @property
    def has_motif(self) -> bool:
        """Whether the game says of which kind an action is."""
        return overrides(self, "motif")

    @property
    def has_threatened(self) -> bool:
        """Whether the game says where the player to move must answer an attack."""
        return overrides(self, "threatened")

    @property
    def has_passed(self) -> bool:
        """Whether the game says where passing would be safe."""
        return overrides(self, "passed")

    @property
    def has_skipped(self) -> bool:
        """Whether the game says how a turn is skipped."""
        return overrides(self, "skipped")

    @property
    def has_symmetries(self) -> bool:
        """Whether the game knows states of the same value."""
        return overrides(self, "symmetries")

    @property
    def is_zero_sum(self) -> bool:
        """Whether what one player gains the other loses."""
        return self.facts.zero_sum

    @property
    def has_constant_sum(self) -> bool:
        """Whether the utilities of two or more players always add up to the same."""
        return self.facts.total is not None

    @property
    def even_share(self) -> float:
        """What each player gets if what there is to win is shared out evenly."""
        return (self.utility_sum or 0.0) / self.players

    @property
    def remembers(self) -> bool:
        """Whether it matters which states were there before."""
        return self.repetition > 0 or self.no_return

    @property
    def round_length(self) -> int:
        """How many take turns, whoever they play for."""
        return self.players

    @property
    def ends_by_repetition(self) -> bool:
        """Whether a state that comes back is a draw."""
        return self.repetition > 0

    @property
    def title(self) -> str:
        """The class's name, for messages."""
        return type(self).__name__

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments the game was made with, defaults included."""
        return dict(vars(self)["_arguments"])

    def player_name(self, player: int) -> str:
        """What to call a player in text."""
        if player == CHANCE:
            return "chance"
        return self.player_names[player] if player < len(self.player_names) else f"player {player + 1}"

    def describe(self, state: Any) -> str:
        """A state for a message: its text, or its repr where the text can't be made; never raises."""
        try:
            return f"state {self.format_state(state)!r}"
        except Exception:
            return f"state {state!r}"

    def split_moves(self, text: str) -> list[str]:
        """The single moves in a text: words, or single characters where the game is `compact`.

        Words end at spaces and commas, but not inside brackets.
        """
        words = _split(text)
        return list(words[0]) if self.compact and len(words) == 1 else words

    def _fitting(self, state: Any, key: Any) -> Any:
        """The key if it has at most 64 bits, which is what tables keep."""
        if type(key) is not Bits and isinstance(key, int) and not -(1 << 63) <= key < 1 << 64:
            raise GameError(
                f"{self.title}.key gives {key}, which does not fit into 64 bits, in {self.describe(state)}: "
                "fold it, or leave key to the default"
            )
        return key

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "symmetries" in vars(cls) and "canonical_key" not in vars(cls):
            cls.canonical_key = _least_key  # type: ignore[method-assign]

    def __setattr__(self, name: str, value: Any) -> None:
        if "_arguments" in vars(self):
            raise GameError(
                f"{self.title}.{name} can't change once the game is made: what changes in play belongs in the state"
            )
        super().__setattr__(name, value)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy or another process needs: all but what was compiled for this object."""
        return {name: value for name, value in vars(self).items() if name != "_rules"}

    def __repr__(self) -> str:
        return f"{self.title}({', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"


def overrides(game: Game, method: str) -> bool:
    """Whether the game has its own version of an optional method; what it hands on, the game behind it must have."""
    if method in game.handed_on:
        return overrides(vars(game)["game"], method)
    return getattr(type(game), method) is not getattr(Game, method)


def listed(texts: list[str], most: int = 30) -> str:
    """Some texts as a list for a message, cut short where there are many."""
    return " ".join(texts[:most]) + (f" … ({len(texts)} in all)" if len(texts) > most else "")


def joined(names: list[str]) -> str:
    """Names as words of a sentence: one, two and three."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _split(text: str) -> list[str]:
    """The words of a text; a bracket without its partner is a character like any other."""
    opened, changes = [], [0] * (len(text) + 1)
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif sign == ")" and opened:
            changes[opened.pop()] += 1
            changes[place] -= 1
    signs = []
    for sign, depth in zip(text, accumulate(changes), strict=False):
        gap = sign == "," or sign.isspace()
        signs.append(sign if not gap else " " if depth == 0 else sign.strip())
    return "".join(signs).split()


def _least_key(self: Game, state: Any) -> Any:
    key = self.key(state)
    for twin in self.symmetries(state):
        other = self.key(twin)
        if other < key:
            key = other
    return self._fitting(state, key)


def _fitting_natively(self: Game, state: Any, key: Any) -> Any:  # noqa: ARG001
    """Native numbers have 64 bits anyway."""
    return key


vars(Game._fitting)["__native__"] = _fitting_natively
