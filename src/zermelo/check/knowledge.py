"""The optional methods: what each says must go together with the rules, as far as one state shows it."""

from __future__ import annotations

from math import isclose
from typing import Any

from zermelo.check.contract import CLOSE, check_number, is_number
from zermelo.check.keys import check_size
from zermelo.check.shapes import misfit
from zermelo.check.witness import Broken, Witness
from zermelo.game import CHANCE, overrides


class Knowledge:
    """Checks what a game knows beyond its rules. `claims` are states where an estimate lies at a bound, each with
    the player and the estimate: whether they are right only a search can tell."""

    def __init__(self, witness: Witness, initial: Any) -> None:
        self.witness, self.game, self.initial = witness, witness.game, initial
        self.claims: list[tuple[Any, int, float]] = []

    def check(self, state: Any, moves: list[Any]) -> None:
        """Everything about one state that is not terminal; a method that fails leaves the others to be checked."""
        for check in (self.check_estimate, self.check_bounds, self.check_choices, self.check_symmetries):
            try:
                check(state, moves)
            except Broken:
                continue

    def check_estimate(self, state: Any, moves: list[Any]) -> None:
        """Estimates are finite numbers inside the bounds, and what one player wins the other loses."""
        worths = [self.witness.ask_twice("evaluate", state, player) for player in range(self.game.players)]
        low, high = self.game.utility_bounds
        for player, worth in enumerate(worths):
            check_number(self.witness, "evaluate", worth, player, state)
            if not low <= worth <= high:
                what = f"gives player {player} {worth!r}, outside utility_bounds {self.game.utility_bounds!r},"
                self.witness.note("evaluate", "bounds", what, "keep estimates strictly inside the bounds", state)
            elif worth in (low, high):
                self.claims.append((state, player, worth))
        if self.game.players == 2 and self.game.facts.zero_sum and not isclose(sum(worths), 0, abs_tol=CLOSE):
            what = f"gives player 0 {worths[0]!r} and player 1 {worths[1]!r}"
            cure = "in a zero-sum game one is the other with its sign turned, so subtract what the opponent has"
            self.witness.note("evaluate", "sum", what, cure, state)

    def check_bounds(self, state: Any, moves: list[Any]) -> None:
        """The bounds of a state are a pair of numbers, the lower one first."""
        if not overrides(self.game, "bounds"):
            return
        for player in range(self.game.players):
            pair = self.witness.ask_twice("bounds", state, player)
            if not isinstance(pair, tuple) or len(pair) != 2 or not all(map(is_number, pair)) or pair[0] > pair[1]:
                cure = "give the lowest and the highest possible value"
                self.witness.refuse("bounds", "kind", f"gives player {player} {pair!r}", cure, state)

    def check_choices(self, state: Any, moves: list[Any]) -> None:
        """Plausible and noisy actions are some of the legal ones, each once."""
        if self.witness.ask("to_move", state) == CHANCE:
            return
        for method in ("plausible", "noisy"):
            if not overrides(self.game, method):
                continue
            chosen = self.witness.ask_twice(method, state)
            for action in chosen:
                if action not in moves:
                    what = f"gives {action!r}, which actions does not give,"
                    self.witness.refuse(method, "illegal", what, "give legal actions only", state)
                if chosen.count(action) > 1:
                    self.witness.note(method, "duplicate", f"gives {action!r} twice", "give each action once", state)
            if method == "plausible" and not chosen:
                self.witness.note(method, "nothing", "gives nothing", "give at least one action", state)

    def check_symmetries(self, state: Any, moves: list[Any]) -> None:
        """States that are said to be the same have the same mover, as many actions, and one key for all."""
        if not overrides(self.game, "symmetries"):
            return
        twins = self.witness.ask_twice("symmetries", state)
        check_size(self.witness, self.witness.ask("key", state), state)
        key = self.witness.ask_twice("canonical_key", state)
        mover = self.witness.ask("to_move", state)
        for twin in twins:
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


def check_symmetric_ends(witness: Witness, state: Any) -> None:
    """What an end is worth, its turned and mirrored states are worth too."""
    game = witness.game
    if not overrides(game, "symmetries"):
        return
    worths = witness.run("utility", state, game.utilities, state)
    for twin in witness.ask("symmetries", state):
        ended = witness.ask("is_terminal", twin)
        if not ended or witness.run("utility", twin, game.utilities, twin) != worths:
            what = f"gives {witness.described(twin)}, which is not an end of the same worth,"
            cure = "give only states that are worth the same, such as turned and mirrored boards"
            witness.refuse("symmetries", "differ", what, cure, state)
