"""What a game claims of the values of its states, held against exact values near the ends of games.

Searches prune by these claims, so one that is false makes them wrong without a word.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from zermelo.check.contract import CLOSE
from zermelo.check.knowledge import Estimate, Knowledge, is_range
from zermelo.check.play import Played, identify
from zermelo.check.report import many
from zermelo.check.values import Values
from zermelo.check.witness import ANY, Broken, Witness, short
from zermelo.game import CHANCE, joined, overrides
from zermelo.search.suitability import why_no_value

SWEPT = ("bounds", "plausible")
"""Claims that cost so little to test that they are tested in every state of a small tree."""

WALKS = 50
"""Random games from whose ends one walks back, and games that put off their end as many."""

LONGEST = 500
"""Plies after which a game that puts off its end is taken to do so for ever."""


class Claims:
    """Tests the claims of a game. `solved` counts positions whose value was found, `tested` for each claim those of
    them in which it said something and could be tested."""

    def __init__(self, witness: Witness, knowledge: Knowledge, values: Values, seed: int) -> None:
        self.witness, self.game, self.knowledge, self.values = witness, witness.game, knowledge, values
        self.chance = random.Random(seed)
        tests = {
            "bounds": self.test_bounds,
            "plausible": self.test_plausible,
            "passed": self.test_passed,
            "symmetries": self.test_symmetries,
        }
        self.tests = {method: test for method, test in tests.items() if self.is_made(method)}
        self.tested = dict.fromkeys(self.tests, 0)
        self.swept = [method for method in SWEPT if method in self.tests]
        if self.game.has_chance or any(witness.blames(method) for method in SWEPT):
            self.swept = []
        self.solved, self.all_swept = 0, False

    def is_made(self, method: str) -> bool:
        """Whether the game makes a claim, and in a form that can be tested."""
        safe = method != "plausible" or self.game.plausible_is_safe
        return safe and overrides(self.game, method) and not self.witness.blames(method)

    def test(self, games: list[Played], natively: bool) -> None:
        """Test all claims in positions that lie near the ends of games."""
        if natively and self.values.exist and (self.tests or self.knowledge.estimates):
            self.values.compile(self.knowledge.initial)
        self.test_extreme_estimates(self.knowledge.estimates)
        if not self.tests or not self.values.exist:
            return
        seen: set[Any] = set()
        for line in self.lines(games):
            self.walk_back(line, seen)
            if self.swept and not self.all_swept:
                self.sweep(line)

    def lines(self, games: list[Played]) -> Iterator[list[Any]]:
        """The last states of random games, each time followed by a game that puts off its end: it comes to states
        where little is left to be played, which random play seldom sees if a game may end early."""
        endless = False
        for played in games[:WALKS]:
            yield played.last
            if not endless and played.last:
                line = self.play()
                endless = len(line) > LONGEST
                yield [] if endless else line

    def play(self) -> list[Any]:
        """The states of a random game that goes on as long as there is an action after which it does."""
        state: Any = self.knowledge.initial
        line: list[Any] = []
        while state is not None and len(line) <= LONGEST and time.monotonic() < self.values.until:
            line.append(state)
            state = self.witness.run(ANY, state, self.next_state, state)
        return line

    def next_state(self, state: Any) -> Any:
        """A state that may follow and is no end; None if there is none."""
        moves = self.game.legal(state)
        self.chance.shuffle(moves)
        children = (self.game.result(state, action) for action in moves)
        return next((child for child in children if not self.game.is_terminal(child)), None)

    def walk_back(self, line: list[Any], seen: set[Any]) -> None:
        """The last state of a game, the one before it, and so on, until one costs too much."""
        for state in reversed(line):
            if identify(state) in seen:
                continue
            seen.add(identify(state))
            value = self.values.value(state, 0)
            if value is None:
                return
            self.test_all(state, value)

    def test_all(self, state: Any, value: float) -> None:
        """Every claim in one position of known value to player 0."""
        self.solved += 1
        for method, test in self.tests.items():
            try:
                self.tested[method] += test(state, value)
            except Broken:
                continue

    def sweep(self, line: list[Any]) -> None:
        """Bounds and plausible actions of all that may follow on a state of a game, as early a one as can be."""
        count = 0
        for state in reversed(line):
            found = self.values.false_claims(state)
            if found is None:
                break
            count, doubtful = found
            for other in doubtful:
                value = self.values.value(other, 0)
                if value is not None:
                    self.test_all(other, value)
                return
            self.all_swept = identify(state) == identify(self.knowledge.initial)
        self.solved += count
        for method in self.swept:
            self.tested[method] += count

    def test_extreme_estimates(self, estimates: list[Estimate]) -> None:
        """A search takes an estimate at a bound as proved; it may stand there only where a small search proves it."""
        for state, player, estimate in estimates:
            if self.values.are_spent:
                return
            value = self.values.value(state, player)
            if value is not None and self.values.equal(value, estimate):
                continue
            worth = f"while the state is worth {value:g}," if value is not None else "which a search takes as proved,"
            what = f"gives player {player} {estimate!r}, a bound of the utility, {worth}"
            self.witness.note("evaluate", "extreme", what, "keep estimates strictly inside the bounds", state)

    def test_bounds(self, state: Any, value: float) -> bool:
        """The bounds of a state hold its value, to each player."""
        for player in range(self.game.players):
            worth = self.values.to_player(player, value)
            pair = self.witness.ask("bounds", state, player)
            if not is_range(pair):
                self.knowledge.check_bounds(state, [])
            low, high = pair
            if not low - CLOSE <= worth <= high + CLOSE:
                what = f"gives player {player} ({low:g}, {high:g}), but the value is {worth:g}"
                self.witness.note("bounds", "false", what, "give only bounds that surely hold", state)
        return True

    def test_plausible(self, state: Any, value: float) -> bool:
        """If plausible actions are safe, the best of them is as good as the best of all."""
        mover = self.witness.ask("to_move", state)
        if mover == CHANCE:
            return False
        moves = self.witness.ask("actions", state)
        self.knowledge.check_choices(state, moves)
        chosen, own = self.witness.ask("plausible", state), self.values.to_player(mover, value)
        unknown = False
        for action in chosen:
            enough = self.is_worth(state, action, mover, own)
            if enough:
                return True
            unknown |= enough is None
        if unknown:
            return False
        others = (action for action in moves if action not in chosen)
        better = next((repr(action) for action in others if self.is_worth(state, action, mover, own)), "another")
        what = f"gives {short(chosen, most=100)} and leaves out {better}, which is worth {own:g} and more than those,"
        cure = "let it keep a best action, or set plausible_is_safe = False"
        self.witness.note("plausible", "unsafe", what, cure, state)
        return True

    def test_passed(self, state: Any, value: float) -> bool:
        """Where a state has a pass, passing is not better than the best action."""
        mover = self.witness.ask("to_move", state)
        if mover == CHANCE:
            return False
        self.knowledge.check_passed(state, [])
        own = self.values.to_player(mover, value)
        for other in self.witness.ask("passed", state):
            worth = self.values.value(other, mover)
            if worth is not None and worth > own + CLOSE:
                passing = f"gives {self.witness.described(other)}, which is worth {worth:g} to the player who passes,"
                what = f"{passing} though to move is worth only {own:g},"
                self.witness.note("passed", "helps", what, "give nothing where it may be a burden to move", state)
            return worth is not None
        return False

    def test_symmetries(self, state: Any, value: float) -> bool:
        """Turned and mirrored states are worth the same; each time another of them is looked at."""
        twins = self.witness.ask("symmetries", state)
        for twin in twins[self.solved % max(len(twins), 1) :][:1]:
            worth = self.values.value(twin, 0)
            if worth is not None and not self.values.equal(worth, value):
                worths = f"which is worth {worth:g} to player 0 in place of {value:g},"
                what = f"gives {self.witness.described(twin)}, {worths}"
                self.witness.note("symmetries", "value", what, "give only states that are worth the same", state)
            return worth is not None
        return False

    def is_worth(self, state: Any, action: Any, mover: int, least: float) -> bool | None:
        """Whether an action is worth as much to the player who takes it; None where that costs too much to say."""
        return self.values.is_worth(self.witness.ask("result", state, action), mover, least)

    def told(self) -> str:
        """Which claims hold in how many positions, which don't, and which could not be tested, in one line."""
        if not self.tests:
            return ""
        if not self.values.exist:
            why, _, _ = why_no_value(self.game).partition(":")
            return f"{joined(list(self.tests))} untested: an exact value {why}"
        if not self.solved:
            why = f"no position near the end of a game was solved with {self.values.nodes:,} nodes"
            return f"{joined(list(self.tests))} untested: {why}"
        said: dict[tuple[str, str], list[str]] = {}
        for method, count in self.tested.items():
            if self.witness.blames(method):
                how = "fail", f"in some of {many(count or self.solved, 'solved position')}"
            elif count:
                how = "hold", f"in {many(count, 'solved position')}"
            else:
                how = "remain", "untested"
            said.setdefault(how, []).append(method)
        return ", ".join(
            f"{joined(methods)} {verb + 's' * (len(methods) == 1)} {rest}" for (verb, rest), methods in said.items()
        )
