"""Games with one fault each, for `zermelo check` to find. All are variants of Race, which has none."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import IntEnum
from itertools import count
from typing import Any, NamedTuple

from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Game


class Race(Game):
    """Count up by one or two; whoever says the goal wins."""

    utility_bounds = (-1, 1)

    class State(NamedTuple):
        count: int
        turn: int

    def __init__(self, goal: int = 7) -> None:
        self.goal = goal

    def initial(self) -> Any:
        return self.State(0, 0)

    def to_move(self, state: Any) -> int:
        return state.turn

    def actions(self, state: Any) -> Any:
        for step in range(1, min(2, self.goal - state.count) + 1):
            yield step

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action, 1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return state.count >= self.goal

    def utility(self, state: Any, player: int) -> float:
        return -1 if state.turn == player else 1


# The six methods.


class Stuck(Race):
    def actions(self, state: Any) -> Any:
        return [] if state.count == 3 else [1]


class Twice(Race):
    def actions(self, state: Any) -> Any:
        return [1, 2, 1] if state.count < 6 else [1]


class Nothing(Race):
    def actions(self, state: Any) -> Any:
        return None


class Unhashable(Race):
    def actions(self, state: Any) -> Any:
        return [[1]]

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action[0], 1 - state.turn)


class Fickle(Race):
    def actions(self, state: Any) -> Any:
        return random.sample([1, 2], 2)


class Hanging(Race):
    def actions(self, state: Any) -> Any:
        while state.count == 4:
            pass
        return [1]


class Yielding(Race):
    def actions(self, state: Any) -> Any:
        yield from count()


class ThirdPlayer(Race):
    def to_move(self, state: Any) -> int:
        return 2 if state.count == 5 else state.turn


class TruthfulTurn(Race):
    def to_move(self, state: Any) -> int:
        return bool(state.turn)


class Raising(Race):
    def utility(self, state: Any, player: int) -> float:
        return 1 / (state.count - self.goal)


class EverybodyWins(Race):
    def utility(self, state: Any, player: int) -> float:
        return 1


class TooGood(Race):
    def utility(self, state: Any, player: int) -> float:
        return 3 * super().utility(state, player)


class NoNumber(Race):
    def utility(self, state: Any, player: int) -> float:
        return float("nan")


class HalfTrue(Race):
    def is_terminal(self, state: Any) -> bool:
        return max(0, state.count - self.goal + 1)


class Floating(Race):
    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action * 2 / 2, 1 - state.turn)


class Absent(Race):
    def result(self, state: Any, action: Any) -> Any:
        return None if state.count == 2 else super().result(state, action)


class Huge(Race):
    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action + 2**70 * (state.count == 5), 1 - state.turn)


class Circling(Race):
    def result(self, state: Any, action: Any) -> Any:
        return self.State((state.count + action) % 5, 1 - state.turn)


class Endless(Race):
    def actions(self, state: Any) -> Any:
        return [1]

    def is_terminal(self, state: Any) -> bool:
        return False


class Restless(Race):
    def initial(self) -> Any:
        return self.State(random.randrange(10**9), 0)


class Scribbling(Race):
    """A list as state, which result changes in place."""

    def initial(self) -> Any:
        return [0, 0]

    def to_move(self, state: Any) -> int:
        return state[1]

    def actions(self, state: Any) -> Any:
        return [1, 2]

    def result(self, state: Any, action: Any) -> Any:
        state[0] += action
        state[1] = 1 - state[1]
        return state

    def is_terminal(self, state: Any) -> bool:
        return state[0] >= self.goal

    def utility(self, state: Any, player: int) -> float:
        return -1 if state[1] == player else 1

    def key(self, state: Any) -> Any:
        return hash(tuple(state))


class ThreeNames(Race):
    player_names = ("Ann", "Bob", "Cy")


class ListedTeams(Race):
    def team(self, player: int) -> Any:
        return [player]


class NamedTeams(Race):
    def team(self, player: int) -> Any:
        return ("north", "south")[player]


class NoTeams(Race):
    def team(self, player: int) -> int:
        return (0, 1)[player + 1]


class FickleTeams(Race):
    def team(self, player: int) -> int:
        return player + 2 * random.randrange(10**6)


# Chance.


class Dice(Race):
    """A die says how far to count; sound as it stands."""

    odds: tuple[float, ...] = (0.5, 0.5)

    def to_move(self, state: Any) -> int:
        return CHANCE if state.turn == 1 and state.count < self.goal else 0

    def outcomes(self, state: Any) -> Iterator[tuple[int, float]]:
        for step in range(2):
            yield step + 1, self.odds[step]


class LoadedDice(Dice):
    odds = (0.5, 0.4)


class ImpossibleDice(Dice):
    odds = (1.0, 0.0)


class NegativeDice(Dice):
    odds = (1.5, -0.5)


class UnknownDice(Dice):
    odds = (float("nan"), 0.5)


class WordyDice(Dice):
    odds = ("half", "half")  # type: ignore[assignment]


class EmptyDice(Dice):
    def outcomes(self, state: Any) -> Any:
        return []


class TwiceDice(Dice):
    def outcomes(self, state: Any) -> Any:
        return [(1, 0.5), (1, 0.5)]


class RichDice(Dice):
    def utility(self, state: Any, player: int) -> float:
        return 5 * super().utility(state, player)


class DiceAtTheEnd(Dice):
    def to_move(self, state: Any) -> int:
        return CHANCE if state.turn == 1 else 0


class NoDice(Race):
    def to_move(self, state: Any) -> int:
        return CHANCE if state.turn == 1 else 0


# Optional knowledge.


class Certain(Race):
    def evaluate(self, state: Any, player: int) -> float:
        return 1 if state.turn == player else -1


class Boastful(Race):
    def evaluate(self, state: Any, player: int) -> float:
        return 5 if state.turn == player else -5


class Optimistic(Race):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.5


class FalseBounds(Race):
    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return (0, 1) if state.turn == player else (-1, 0)


class Careless(Race):
    plausible_is_safe = True

    def plausible(self, state: Any) -> Any:
        yield 1


class Illegal(Race):
    def plausible(self, state: Any) -> Any:
        yield 3


class Noise(Race):
    def noisy(self, state: Any) -> Any:
        yield 3


class WildKinds(Race):
    """Kinds of actions that no table holds."""

    margin = 0.5

    def gain(self, state: Any, action: int) -> float:
        return 0.0

    def motif(self, state: Any, action: int) -> int:
        return 510 + action


class UnsureLosses(Race):
    margin = 0.5

    def gain(self, state: Any, action: int) -> float:
        return 0.0

    def loses(self, state: Any, action: int, most: float) -> Any:
        return most


class TightBounds(Race):
    """Too tight by one, and only in one state."""

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return (0, 1) if state.count == 4 and state.turn == player else (-1, 1)


class TurnedBounds(Race):
    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return 1, -1


class DropsTheWin(Race):
    """Leaves out the only good action, in one state."""

    plausible_is_safe = True

    def plausible(self, state: Any) -> Any:
        yield 1
        if state.count < 5:
            yield 2


class NothingSafe(Race):
    plausible_is_safe = True

    def plausible(self, state: Any) -> Any:
        if state.count != 5:
            yield from self.actions(state)


class HelpfulPass(Race):
    """Three before the goal one had better not move."""

    def passed(self, state: Any) -> Any:
        yield self.State(state.count, 1 - state.turn)


class TwoPasses(HelpfulPass):
    def passed(self, state: Any) -> Any:
        yield self.State(state.count, 1 - state.turn)
        yield self.State(state.count, 1 - state.turn)


class OwnPass(Race):
    def passed(self, state: Any) -> Any:
        yield state


class OddPass(Race):
    def passed(self, state: Any) -> Any:
        yield state.count


class DoubtfulPromise(Race):
    def promise(self, state: Any, player: int) -> float:
        return float("nan")


class PromiseAtTheEnd(Race):
    def promise(self, state: Any, player: int) -> float:
        return 1 / (self.goal - state.count)


class SmallSwing(Race):
    swing = 0.125

    def evaluate(self, state: Any, player: int) -> float:
        return state.count / 8 if player == 0 else -state.count / 8


class NegativeSwing(Race):
    swing = -1


class NeverRepeated(Race):
    repetition = 3


class OnceIsNothing(Race):
    repeats, repetition = True, 1


class NegativeMovesLeft(Race):
    def moves_left(self, state: Any) -> int:
        return 4 - state.count


class Featured(Race):
    """Two features; sound as it stands."""

    feature_names: tuple[str, ...] = ("count", "turn")
    weights: tuple[float, ...] = (0.125, 0.0)

    def features(self, state: Any) -> Any:
        return state.count, state.turn


class OneWord(Race):
    win_words = ("mate",)


class WordsForMargins(Race):
    utility_bounds, win_words = (-2, 2), ("mate", "mated")


class OneName(Featured):
    feature_names = ("count",)


class ThreeWeights(Featured):
    weights = (0.125, 0.0, 1.0)


class WeightsInWords(Featured):
    weights = ("much", "little")  # type: ignore[assignment]


class ListedFeatures(Featured):
    def features(self, state: Any) -> Any:
        return [state.count, state.turn]


class FalseTwin(Race):
    def symmetries(self, state: Any) -> Any:
        if 0 < state.count < 6:
            yield self.State(6 - state.count, state.turn)


class WrongTurnTwin(Race):
    def symmetries(self, state: Any) -> Any:
        yield self.State(state.count, 1 - state.turn)


class OneWayTwin(Race):
    def key(self, state: Any) -> Any:
        return state.count * 2 + state.turn

    def symmetries(self, state: Any) -> Any:
        if state.count == 1:
            yield self.State(4, state.turn)


class TurnlessKey(Race):
    def key(self, state: Any) -> Any:
        return state.count


class WordyKey(Race):
    def key(self, state: Any) -> Any:
        return f"{state.count}/{state.turn}"


class WideKey(Race):
    def key(self, state: Any) -> Any:
        return state.count + (state.turn << 64)


class WideTwinKey(WideKey):
    def symmetries(self, state: Any) -> Any:
        return ()


class CoarseKey(Race):
    """Ignores whether the count is 1 or 2 and so on, which decides the game."""

    def key(self, state: Any) -> Any:
        return state.count // 2 * 2 + state.turn


class Nearsighted(Race):
    """Its key forgets half of the counts too, but the game is too long for its values to be found."""

    weights = (0.001,)

    def __init__(self, goal: int = 400) -> None:
        self.goal = goal

    def features(self, state: Any) -> Any:
        return (float(state.count),)

    def key(self, state: Any) -> Any:
        return state.count // 2 * 2 + state.turn


# Texts and pictures.


class Forgetful(Race):
    def format_state(self, state: Any) -> str:
        return str(state.count)

    def parse_state(self, text: str) -> Any:
        return self.State(int(text), 0)


class Stern(Race):
    def parse_state(self, text: str) -> Any:
        raise BadInput("no state is good enough")


class Mumbling(Race):
    def format_action(self, state: Any, action: Any) -> str:
        return "some"


class Spacious(Race):
    def format_action(self, state: Any, action: Any) -> str:
        return f"add {action}"


class Misreading(Race):
    def parse_action(self, state: Any, text: str) -> Any:
        return 1


class Commas(Race):
    def format_action(self, state: Any, action: Any) -> str:
        return f"{action},{action}"


class Splitting(Race):
    """Takes a long list of moves apart in a way of its own."""

    def __init__(self, goal: int = 100) -> None:
        super().__init__(goal)

    def split_moves(self, text: str) -> list[str]:
        return text.split(",")


class Unordered(Race):
    def actions(self, state: Any) -> Any:
        return {1, 2}


class Objects(Race):
    """Actions of a class of the author's own, and no format_action."""

    class Step:
        def __init__(self, size: int) -> None:
            self.size = size

        def __eq__(self, other: object) -> bool:
            return repr(self) == repr(other)

        def __hash__(self) -> int:
            return self.size

        def __repr__(self) -> str:
            return f"{self.size},steps"

    def actions(self, state: Any) -> Any:
        return [self.Step(1), self.Step(2)]

    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, action.size)


class Wordy(Race):
    compact = True

    def format_action(self, state: Any, action: Any) -> str:
        return "+" * action


class NoBoard(Race):
    def board(self, state: Any) -> Any:
        return "a picture"


class TornBoard(Race):
    def board(self, state: Any) -> Grid:
        return Grid(3, 3, ("X",))


# Sound.


class Knowing(Featured):
    """All that can be claimed of Race, and all of it true: who is to move three, six, … before the goal loses."""

    plausible_is_safe = True
    weights = (2.0**-13, 0.0)
    swing = 2.0**-12

    def worth(self, state: Any, player: int) -> int:
        return 1 if ((self.goal - state.count) % 3 > 0) == (player == state.turn) else -1

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return self.worth(state, player), self.worth(state, player)

    def plausible(self, state: Any) -> Any:
        yield (self.goal - state.count) % 3 or 1

    def passed(self, state: Any) -> Any:
        if self.worth(state, state.turn) == 1:
            yield self.State(state.count, 1 - state.turn)

    def promise(self, state: Any, player: int) -> float:
        return self.worth(state, player)

    def moves_left(self, state: Any) -> int:
        return self.goal - state.count


class Silent(Race):
    """Finds nothing plausible, which is allowed where that is not called safe."""

    def plausible(self, state: Any) -> Any:
        return ()


class Size(IntEnum):
    ONE = 1
    TWO = 2


class Enumerated(Race):
    """The members of an enum as actions."""

    def actions(self, state: Any) -> Any:
        return [Size.ONE, Size.TWO]


# Sound interpreted, but not native: numbers beyond 64 bits.


class Wrapping(Race):
    """Intermediate numbers of more than 64 bits make another game of it."""

    def result(self, state: Any, action: Any) -> Any:
        mixed = (state.count + action) * self.large * self.large // self.large // self.large
        return self.State(mixed, 1 - state.turn)

    large = 2**40


class LateWrapping(Wrapping):
    """The same, but only where few of the states are."""

    def __init__(self, goal: int = 1_100) -> None:
        super().__init__(goal)

    def result(self, state: Any, action: Any) -> Any:
        if state.count < 1_000:
            return self.State(state.count + action, 1 - state.turn)
        return super().result(state, action)


class WrappingWorth(Race):
    def evaluate(self, state: Any, player: int) -> float:
        lead = state.count * 2**61 / 2.0**66
        return lead if player == 0 else -lead


class WrappingBounds(Wrapping):
    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action, 1 - state.turn)

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return -1, (state.count + 1) * self.large * self.large


class WrappingChoice(Wrapping):
    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action, 1 - state.turn)

    def plausible(self, state: Any) -> Any:
        yield 1
        if (state.count + 1) * self.large * self.large > 0 and state.count < self.goal - 1:
            yield 2


class NativeZero(Race):
    """A product that is 0 in 64 bits, and nothing is divided by 0."""

    large = 2**32

    def result(self, state: Any, action: Any) -> Any:
        product = (state.count + action) * self.large * self.large
        return self.State(state.count + action + 1 // product, 1 - state.turn)


class NativeLoop(Race):
    """Numbers that stay below a bound in 64 bits, so that native code takes seconds to come to an end."""

    def is_terminal(self, state: Any) -> bool:
        number, steps = state.count + 1, 0
        while number * 1.0 < 1e19 and steps < self.most_steps:
            number = number * 3 ^ steps
            steps += 1
        return state.count >= self.goal + (steps > 1_000_000)

    most_steps = 1_000_000_000
