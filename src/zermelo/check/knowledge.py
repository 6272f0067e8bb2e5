"""The optional methods: what each says must go together with the rules, as far as one state shows it."""

from __future__ import annotations

from math import isclose, isfinite
from typing import Any

from zermelo.check.contract import CLOSE, check_number, is_number
from zermelo.check.keys import check_size
from zermelo.check.shapes import misfit
from zermelo.check.witness import Broken, Witness, short
from zermelo.engine.work import MOTIFS
from zermelo.game import CHANCE, overrides

MOST_COMPARED = 30
"""Actions of one state whose effect on the evaluation is looked at."""
MOST_SYMMETRIC = 10
"""About how many symmetric states of one state are looked at; each has as many in turn."""


Estimate = tuple[Any, int, float]
"""A state, a player, and what `evaluate` says the state is worth to the player."""


class Knowledge:
    """Checks what a game knows beyond its rules. `estimates` are those that lie at a bound of the utility: whether
    they are right only a search can tell."""

    def __init__(self, witness: Witness, initial: Any) -> None:
        self.witness, self.game, self.initial = witness, witness.game, initial
        self.estimates: list[Estimate] = []

    def check(self, state: Any, moves: list[Any]) -> None:
        """Everything about one state that is not terminal; a method that fails leaves the others to be checked."""
        for check in (
            *(self.check_features, self.check_estimate, self.check_swing, self.check_promise, self.check_bounds),
            *(self.check_choices, self.check_passed, self.check_skipped, self.check_moves_left, self.check_symmetries),
            *(self.check_count, self.check_gain, self.check_threatened, self.check_reversible, self.check_tied),
        ):
            try:
                check(state, moves)
            except Broken:
                continue

    def check_end(self, state: Any) -> None:
        """What is asked of an end too."""
        for check in (self.check_promise, self.check_symmetric_end):
            try:
                check(state, [])
            except Broken:
                continue

    def check_features(self, state: Any, moves: list[Any]) -> None:
        """Features are finite numbers, as many as there are weights, and names where these are given."""
        game, names = self.game, self.game.feature_names
        if not (overrides(game, "features") or game.weights or names):
            return
        numbers = self.witness.ask_twice("features", state)
        if not isinstance(numbers, tuple) or not all(
            isinstance(each, int | float) and isfinite(each) for each in numbers
        ):
            self.witness.refuse(
                "features", "number", f"gives {short(numbers)}", "give a tuple of finite numbers", state
            )
        if len(numbers) != len(game.weights) and (game.weights or not overrides(game, "evaluate")):
            what = f"gives {len(numbers)} numbers for {len(game.weights)} weights"
            self.witness.refuse("features", "count", what, "give one number for each of the weights", state)
        if names and len(names) != len(numbers):
            what = f"has {len(names)} names, but features gives {len(numbers)} numbers"
            self.witness.note("feature_names", "count", what, "give a name for each, or none", state)

    def check_estimate(self, state: Any, moves: list[Any]) -> None:
        """Estimates are finite numbers inside the bounds, and what one player wins the other loses."""
        if self.witness.blames("features") or self.witness.blames("weights"):
            return
        worths = [self.witness.ask_twice("evaluate", state, player) for player in range(self.game.players)]
        low, high = self.game.utility_bounds
        for player, worth in enumerate(worths):
            check_number(self.witness, "evaluate", worth, player, state)
            if not low <= worth <= high:
                what = f"gives player {player} {worth!r}, outside utility_bounds {self.game.utility_bounds!r},"
                self.witness.note("evaluate", "bounds", what, "keep estimates strictly inside the bounds", state)
            elif worth in (low, high):
                self.estimates.append((state, player, worth))
        if self.game.players == 2 and self.game.facts.zero_sum and not isclose(sum(worths), 0, abs_tol=CLOSE):
            what = f"gives player 0 {worths[0]!r} and player 1 {worths[1]!r}"
            cure = "in a zero-sum game one is the other with its sign turned, so subtract what the opponent has"
            self.witness.note("evaluate", "sum", what, cure, state)

    def check_swing(self, state: Any, moves: list[Any]) -> None:
        """No action changes the evaluation by more than the swing, as long as the game goes on."""
        game, swing = self.game, self.game.swing
        if self.witness.blames("swing") or self.witness.blames("evaluate") or not isfinite(swing):
            return
        for action in moves[:MOST_COMPARED]:
            child = self.witness.ask("result", state, action)
            if self.witness.ask("is_terminal", child):
                continue
            for player in range(game.players):
                before, after = (self.witness.ask("evaluate", each, player) for each in (state, child))
                if abs(after - before) > swing + CLOSE * (1 + abs(swing)):
                    change = f"takes what evaluate gives player {player} from {before:g} to {after:g}"
                    cure = f"set it to the most that one action can change that, here {abs(after - before):g}"
                    self.witness.refuse("swing", "small", f"is {swing:g}, but {action!r} {change}", cure, state)

    def check_promise(self, state: Any, moves: list[Any]) -> None:
        """How good a state looks is a finite number."""
        if overrides(self.game, "promise"):
            for player in range(self.game.players):
                check_number(self.witness, "promise", self.witness.ask_twice("promise", state, player), player, state)

    def check_bounds(self, state: Any, moves: list[Any]) -> None:
        """The bounds of a state are a pair of numbers, the lower one first."""
        if not overrides(self.game, "bounds"):
            return
        for player in range(self.game.players):
            pair = self.witness.ask_twice("bounds", state, player)
            if not is_range(pair):
                cure = "give the lowest and the highest possible value"
                self.witness.refuse("bounds", "kind", f"gives player {player} {pair!r}", cure, state)

    def check_choices(self, state: Any, moves: list[Any]) -> None:
        """Plausible, noisy and forcing actions are some of the legal ones, each once."""
        if self.witness.ask("to_move", state) == CHANCE:
            return
        for method in ("plausible", "noisy", "forcing"):
            if not overrides(self.game, method):
                continue
            chosen = self.witness.ask_twice(method, state)
            for action in chosen:
                if action not in moves:
                    what = f"gives {action!r}, which actions does not give,"
                    self.witness.refuse(method, "illegal", what, "give legal actions only", state)
                if chosen.count(action) > 1:
                    self.witness.note(method, "duplicate", f"gives {action!r} twice", "give each action once", state)
            if method == "plausible" and self.game.plausible_is_safe and not chosen:
                what = "gives nothing, though plausible_is_safe is true,"
                self.witness.note(method, "nothing", what, "give at least one action", state)

    def check_passed(self, state: Any, moves: list[Any]) -> None:
        """A pass gives one state at most, in which somebody else is to move."""
        if not overrides(self.game, "passed") or self.witness.ask("to_move", state) == CHANCE:
            return
        found = self.witness.ask_twice("passed", state)
        if len(found) > 1:
            what = f"gives {len(found)} states"
            self.witness.refuse("passed", "count", what, "give one, or none where passing may be better", state)
        for other in found:
            self.check_turn("passed", state, other)

    def check_skipped(self, state: Any, moves: list[Any]) -> None:
        """A skipped turn gives one state, in which somebody else is to move."""
        if overrides(self.game, "skipped") and self.witness.ask("to_move", state) != CHANCE:
            self.check_turn("skipped", state, self.witness.ask_twice("skipped", state))

    def check_turn(self, method: str, state: Any, other: Any) -> None:
        """A state in which the turn of another has gone to somebody else."""
        odd = misfit(other, self.initial)
        if odd:
            self.witness.refuse(method, "kind", f"gives {odd},", "give a state of the game", state)
        if self.witness.ask("to_move", other) in (self.witness.ask("to_move", state), CHANCE):
            what = f"gives {self.witness.described(other)}, in which no other player is to move,"
            self.witness.refuse(method, "mover", what, "give the state with the other player to move", state)

    def check_moves_left(self, state: Any, moves: list[Any]) -> None:
        """How many moves are left is a whole number, 0 where nobody can tell."""
        number = self.witness.ask_twice("moves_left", state)
        if type(number) is not int or number < 0:
            cure = "give a whole number from 0 up, 0 where nobody can tell"
            self.witness.refuse("moves_left", "kind", f"gives {number!r}", cure, state)

    def check_count(self, state: Any, moves: list[Any]) -> None:
        """Actions are counted as they are given."""
        if self.witness.ask("to_move", state) == CHANCE or not overrides(self.game, "count_actions"):
            return
        number = self.witness.ask_twice("count_actions", state)
        if number != len(moves):
            what = f"gives {number!r}, but there are {len(moves)} actions"
            self.witness.refuse("count_actions", "count", what, "count all that actions gives", state)

    def check_gain(self, state: Any, moves: list[Any]) -> None:
        """What an action gains is a finite number, and the action an int that the engine's tables can hold."""
        if not self.game.has_gain or self.witness.ask("to_move", state) == CHANCE:
            return
        for action in moves[:MOST_COMPARED]:
            if type(action) is not int or not 0 <= action < 1 << 16:
                what = f"is given, but {action!r} is an action"
                self.witness.refuse("gain", "kind", what, "let actions be whole numbers from 0 to 65,535", state)
            worth = self.witness.ask("gain", state, action)
            if not is_number(worth) or not isfinite(worth):
                what = f"gives {worth!r} for {action!r}"
                self.witness.refuse("gain", "number", what, "give a finite number, 0 for a quiet action", state)
            self.check_kind_of_action(state, action)

    def check_kind_of_action(self, state: Any, action: int) -> None:
        """The kind of an action is a number that the engine's tables can hold; whether it loses is yes or no."""
        motif = self.witness.ask_twice("motif", state, action)
        if type(motif) is not int or not 0 <= motif < MOTIFS - 1:
            what = f"gives {motif!r} for {action!r}"
            self.witness.refuse("motif", "kind", what, f"give a whole number from 0 to {MOTIFS - 2}", state)
        answer = self.witness.ask_twice("loses", state, action, float(self.game.margin))
        if type(answer) is not bool:
            self.witness.refuse("loses", "kind", f"gives {answer!r} for {action!r}", "give True or False", state)

    def check_threatened(self, state: Any, moves: list[Any]) -> None:
        """Whether the mover is attacked is yes or no."""
        if self.game.has_threatened and self.witness.ask("to_move", state) != CHANCE:
            answer = self.witness.ask_twice("threatened", state)
            if type(answer) is not bool:
                self.witness.refuse("threatened", "kind", f"gives {answer!r}", "give True or False", state)

    def check_reversible(self, state: Any, moves: list[Any]) -> None:
        """How far back the same state may lie is a whole number."""
        if overrides(self.game, "reversible"):
            number = self.witness.ask_twice("reversible", state)
            if type(number) is not int or number < 0:
                cure = "give a whole number from 0 up: how many of the last actions could be undone"
                self.witness.refuse("reversible", "kind", f"gives {number!r}", cure, state)

    def check_tied(self, state: Any, moves: list[Any]) -> None:
        """What a state that came back is worth lies inside the bounds, and adds up as ends do."""
        if not overrides(self.game, "tied"):
            return
        worths = [self.witness.ask_twice("tied", state, player) for player in range(self.game.players)]
        low, high = self.game.utility_bounds
        for player, worth in enumerate(worths):
            check_number(self.witness, "tied", worth, player, state)
            if not low <= worth <= high:
                what = f"gives player {player} {worth!r}, outside utility_bounds {self.game.utility_bounds!r},"
                self.witness.refuse("tied", "bounds", what, "keep it inside the bounds", state)
        total = self.game.facts.total
        if total is not None and not isclose(sum(worths), total, abs_tol=CLOSE):
            what = f"gives {worths!r}, which add up to {sum(worths):g}, not to utility_sum {total:g},"
            self.witness.note("tied", "sum", what, "let it add up to what utilities add up to", state)

    def check_symmetries(self, state: Any, moves: list[Any]) -> None:
        """States that are said to be the same have the same mover, as many actions, and one key for all."""
        if not overrides(self.game, "symmetries"):
            return
        twins = self.witness.ask_twice("symmetries", state)
        check_size(self.witness, self.witness.ask("key", state), state)
        key = self.witness.ask_twice("canonical_key", state)
        mover = self.witness.ask("to_move", state)
        for twin in some(twins):
            found = misfit(twin, self.initial)
            if found:
                self.witness.refuse("symmetries", "kind", f"gives {found},", "give states of the game", state)
            like = f"gives {self.witness.described(twin)}, in which"
            if self.witness.ask("is_terminal", twin):
                self.differs(state, f"{like} the game is over,")
            if self.witness.ask("to_move", twin) != mover:
                self.differs(state, f"{like} another player is to move,")
            if len(self.witness.run("actions", twin, self.game.legal, twin)) != len(moves):
                self.differs(state, f"{like} there are more or fewer actions,")
            if self.witness.ask("canonical_key", twin) != key:
                what = f"{like} symmetries leads to other states than"
                cure = "give the same states from each of them, all turned and mirrored ones"
                self.witness.refuse("symmetries", "closed", what, cure, state)

    def differs(self, state: Any, what: str) -> None:
        cure = "give only states that are worth the same, such as turned and mirrored boards"
        self.witness.refuse("symmetries", "differ", what, cure, state)

    def check_symmetric_end(self, state: Any, moves: list[Any]) -> None:
        """What an end is worth, its turned and mirrored states are worth too."""
        if not overrides(self.game, "symmetries"):
            return
        worths = self.witness.run("utility", state, self.game.utilities, state)
        for twin in some(self.witness.ask("symmetries", state)):
            ended = self.witness.ask("is_terminal", twin)
            if not ended or self.witness.run("utility", twin, self.game.utilities, twin) != worths:
                self.differs(state, f"gives {self.witness.described(twin)}, which is not an end of the same worth,")


def some(twins: list[Any]) -> list[Any]:
    """All symmetric states, or where there are many, some of them, spread over all."""
    return twins[:: 1 + len(twins) // MOST_SYMMETRIC]


def is_range(pair: Any) -> bool:
    """Whether a value is a pair of numbers, the lower one first."""
    return isinstance(pair, tuple) and len(pair) == 2 and all(map(is_number, pair)) and pair[0] <= pair[1]
