"""Choosing an action by proof: a forced win by threats, or the value of the game by proof numbers.

Both answer only what they have proved; where they have proved nothing they say so.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.errors import GameError, LimitReached, NotNative, OutOfBounds, TooDeep, Unsolved, Unsuitable
from zermelo.search.proofs import ENDLESS, Files, first_numbers, prove
from zermelo.search.result import Limits, Line, Result
from zermelo.search.suitability import has_keys
from zermelo.search.tally import DEEPEST, NO_LIMIT
from zermelo.search.threats import EVER, NONE, Effort, forced_win, made_shelf, threats

if TYPE_CHECKING:
    from zermelo.position import Position

TRIAL = 300
"""Nodes searched interpreted before native code is made."""
THREATS = 16.0
"""MiB of the table of threats."""
QUOTA = 3000
"""The most nodes that one search for threats may cost within a search for proofs."""
SYMMETRIC = 14
"""Up to which ply symmetric states are taken for one."""
LINE_NODES = 100_000
"""Nodes that each move of the expected line may cost on top of the search."""


def prove_best(position: Position, algorithm: str, limits: Limits, world: str, table: float) -> Result:
    """The action that is proved best, with its value; `Unsolved` where limits are reached before, or no win is found.

    `table` is the size of the table of proof numbers in MiB.
    """
    if not has_keys(position):
        raise Unsuitable(
            f"{algorithm} keeps states in a table, where those of {position.game.title} can't be told apart: give it a "
            "key"
        )
    kind = _Threats if algorithm == "threats" else _Proof
    note = native.why_interpreted(position.game) if world == "auto" else ""
    if world == "auto" and not note and not position.is_terminal:
        try:
            return kind(position, limits, table, natively=False, most=TRIAL).result()
        except LimitReached:
            if limits.nodes is not None and limits.nodes <= TRIAL:
                raise _shortage(position, algorithm, limits.nodes) from None
    work = kind(position, limits, table, natively=world != "interpreted" and not note)
    try:
        return work.result(note)
    except NotNative as error:
        if world == "native":
            raise
        work = kind(position, limits, table, natively=False)
        return work.result(f"{position.game.title} runs interpreted: {error}")
    except LimitReached:
        raise _shortage(position, algorithm, work.tally.nodes) from None


class _Proving:
    """What both have in common: one search of one position in one world."""

    algorithm = ""

    def __init__(
        self, position: Position, limits: Limits, table: float, *, natively: bool, most: int = NO_LIMIT
    ) -> None:
        self.position, self.game, self.native = position, position.game, natively
        self.limits, self.table = limits, table
        self.tally = Effort(limit=min(limits.nodes or NO_LIMIT, most))
        self.until = float("inf")

    def result(self, note: str = "") -> Result:
        """The answer; `LimitReached` if limits come first."""
        position = self.position
        world = "native" if self.native else "interpreted"
        if position.is_terminal:
            values = tuple(float(value) for value in position.utilities)
            worth = values[max(position.to_move, 0)]
            return Result(None, worth, "exact", (), 0, 0, 0.0, self.algorithm, world, values)
        self.prepare()
        started = time.monotonic()
        if self.limits.seconds is not None:
            self.until = started + self.limits.seconds
        value, plies = self.search()
        nodes, seconds = self.tally.nodes, time.monotonic() - started
        line = self.line(value)
        action = line[0] if line else None
        told = (Line(action, value, "exact", line, plies=plies),) if line else ()
        how = len(line), nodes, seconds, self.algorithm, world
        return Result(action, value, "exact", line, *how, lines=told, note=note, plies=plies)

    def prepare(self) -> None:
        """Compile what will be called, so that no clock runs meanwhile."""
        raise NotImplementedError

    def search(self) -> tuple[float, int | None]:
        """The value to the player to move, and in how many plies he wins, where that is known."""
        raise NotImplementedError

    def choice(self, state: Any, value: float, own: bool, ply: int) -> Any:
        """The action expected in a state on the line; None where nobody knows."""
        raise NotImplementedError

    def run(self, kernel: Any, *args: Any) -> Any:
        left = self.until - time.monotonic()
        if left <= 0:
            raise LimitReached
        seconds = left if left < float("inf") else None
        return native.run(kernel, self.game, *args, tally=self.tally, native=self.native, seconds=seconds)

    def line(self, value: float) -> tuple[Any, ...]:
        """The play expected: the first action of each player that keeps the value, as far as that is found easily."""
        game, state, found = self.game, self.position.state, list[Any]()
        player, self.until = self.position.to_move, float("inf")
        try:
            while not game.is_terminal(state) and len(found) < DEEPEST:
                self.tally = Effort(limit=LINE_NODES if found else NO_LIMIT)
                choice = self.choice(state, value, game.to_move(state) == player, len(found))
                if choice is None:
                    break
                found.append(choice)
                state = game.result(state, choice)
        except LimitReached:
            pass
        return tuple(found)


class _Threats(_Proving):
    """The shortest win by threats."""

    algorithm = "threats"

    def prepare(self) -> None:
        self.shelf, self.memory = made_shelf(self.native, THREATS)
        if self.native:
            state = self.position.state
            native.prepare_run(forced_win, self.game, state, *self._deepening(), tally=self.tally)
            native.prepare_run(threats, self.game, state, 0, 1, self.shelf, tally=self.tally)

    def _deepening(self) -> tuple[Any, ...]:
        return self.position.to_move, 1, self.limits.depth or EVER, NO_LIMIT, self.shelf

    def search(self) -> tuple[float, int | None]:
        self.plies = plies = int(self.run(forced_win, self.position.state, *self._deepening()))
        if plies <= NONE:
            name, within = self.game.player_name(self.position.to_move), self.limits.depth
            how = f" within {within} plies" if within and self.tally.cut else ""
            raise Unsolved(f"threats alone win nothing for {name} here{how}: search all actions, by pvs or pns")
        return float(self.game.utility_bounds[1]), plies

    def choice(self, state: Any, value: float, own: bool, ply: int) -> Any:
        """The threat that wins soonest, the reply that holds out longest."""
        left = self.plies - ply - 1
        for action in self.game.forcing(state) if own else self.game.sufficient(state):
            child = self.game.result(state, action)
            if self.game.is_terminal(child) or (self._takes(child, left) and (own or not self._takes(child, left - 1))):
                return action
        return None

    def _takes(self, state: Any, plies: int) -> bool:
        """Whether threats win in so many plies."""
        self.tally.quota = NO_LIMIT
        return plies > 0 and int(self.run(threats, state, self.position.to_move, plies, self.shelf)) > NONE


class _Proof(_Proving):
    """A win, a draw or a loss, by proof numbers."""

    algorithm = "pns"

    def prepare(self) -> None:
        self.files = Files(self.game, self.native, self.table, THREATS, QUOTA, SYMMETRIC)
        if self.native:
            native.prepare_run(prove, self.game, *self._asked(self.position.state, 0.0), tally=self.tally)

    def _asked(self, state: Any, goal: float) -> tuple[Any, ...]:
        return state, self.position.to_move, goal, ENDLESS, ENDLESS, 0, 0, self.files.board

    def search(self) -> tuple[float, int | None]:
        lowest, highest = (float(bound) for bound in self.game.utility_bounds)
        middle = (lowest + highest) / 2
        for goal in (highest, middle):
            if self.is_kept(self.position.state, goal):
                return goal, None
            self.prepare()
        return lowest, None

    def choice(self, state: Any, value: float, own: bool, ply: int) -> Any:
        """One's own action that is known to keep the value, else one that is proved to; any reply of the other's."""
        game, player = self.game, self.position.to_move
        actions = list(game.sufficient(state))
        if not own or value <= game.utility_bounds[0]:
            return actions[0]
        children = [game.result(state, action) for action in actions]
        for action, child in zip(actions, children, strict=True):
            if self.run(first_numbers, child, player, value, ply + 1, self.files.board)[0] == 0:
                return action
        for action, child in zip(actions, children, strict=True):
            if not game.is_terminal(child) and self.is_kept(child, value):
                return action
        return None

    def is_kept(self, state: Any, value: float) -> bool:
        """Whether the player to move at the root is sure of a value in a state that is no end."""
        if value <= self.game.utility_bounds[0]:
            return True
        try:
            return bool(self.run(prove, *self._asked(state, value))[0] == 0)
        except OutOfBounds:
            raise GameError(
                f"{self.game.title} has ends that are neither a win, a draw nor a loss by its utility_bounds, which is "
                "all that pns tells apart: use pvs"
            ) from None
        except TooDeep:
            raise Unsuitable(f"there is no room for the actions of {self.game.title} so deep: use pvs") from None


def _shortage(position: Position, algorithm: str, nodes: int) -> Unsolved:
    return Unsolved(
        f"{algorithm} has proved nothing of {position.game.title} here when limits were reached after {nodes:,} nodes: "
        "give more, or a position nearer to the end"
    )
