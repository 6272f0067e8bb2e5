"""Choosing an action by the textbook: its algorithms at the root, deepened until exact or out of limits.

With pruning only the chosen action's value is known in full at the root; the others are bounds and are not
shown as values. Ask for more `lines` to have the values of the best few.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from math import inf, nextafter
from typing import Any

from zermelo import native
from zermelo.errors import BadInput, LimitReached, NotNative, Unsolved, Unsuitable
from zermelo.game import CHANCE
from zermelo.position import Position
from zermelo.recast import has_teams
from zermelo.search.iteration import iterate
from zermelo.search.proving import prove_best
from zermelo.search.result import Kind, Limits, Line, Result
from zermelo.search.sides import decide_by_teams
from zermelo.search.suitability import (
    ITERATION,
    PROOFS,
    SAMPLED,
    STARS,
    default_algorithm,
    suits,
    usual_algorithm,
    why_forgetful,
    why_no_value,
)
from zermelo.search.tally import DEEPEST, ENGINE_TRIAL, MOST_LINES, NO_LIMIT, TRIAL, Tally
from zermelo.search.values import Searcher, Tools

LINE_NODES = 2_000_000
"""Nodes that finding the expected line may cost on top of the search, or a quarter of the search if that is more."""

LINE_SHARE = 0.1
"""What finding the expected lines may take on top of the seconds asked for, as a part of them."""

TRIAL_SHARE = 0.25
"""Which part of the seconds may go by interpreted before native code is made."""

ITERATION_SHARE = 0.8
"""Which part of the seconds value iteration may take where a search by depth would do as well."""

Listener = Callable[[Result], None]


def decide(
    position: Position,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    algorithm: str | None = None,
    lines: int = 1,
    world: str = "auto",
    listen: Listener | None = None,
    tools: Tools | None = None,
) -> Result:
    """The best action in a position, its value, and how sure that is.

    With `depth` the search goes exactly so deep; else it deepens until the value is exact or another limit
    is reached. The same limits on depth and nodes give the same answer and the same nodes. `tools` are what some
    algorithms take besides; star1 and star2 deepen in any case, for the table's sake.
    """
    chosen = algorithm or default_algorithm(position.game)
    if refusal := suits(chosen, position.game):
        raise Unsuitable(refusal)
    limits, note, spent = checked(Limits(depth, nodes, seconds), lines, world), "", 0.0
    if has_teams(position.game):
        how = {"depth": depth, "nodes": nodes, "seconds": seconds, "lines": lines, "world": world}
        return decide_by_teams(decide, position, listen, **how, algorithm=algorithm and chosen, tools=tools)
    if chosen in PROOFS:
        return prove_best(position, chosen, limits, world, (tools or Tools()).table)
    if chosen == ITERATION:
        started = time.monotonic()
        found, limits = _iterate(position, limits, lines, world, algorithm)
        if isinstance(found, Result):
            return found
        chosen, note, spent = usual_algorithm(position, to_a_depth=True), found, time.monotonic() - started
    if position.game.repeats and position.game.has_chance and limits == Limits() and not position.is_terminal:
        raise Unsuitable(f"{position.game.title} may go on for ever: give a depth, seconds or nodes")
    root = _Root(position, chosen, limits, lines, listen, tools or Tools())
    result = _search_anywhere(root) if world == "auto" else root.search_in(world)
    forgets = "" if position.is_terminal else why_forgetful(chosen, position.game)
    notes = filter(None, (note, result.note, forgets))
    return replace(result, note="; ".join(notes), seconds=result.seconds + spent)


def _iterate(
    position: Position, limits: Limits, lines: int, world: str, algorithm: str | None
) -> tuple[Result | str, Limits]:
    """The result by value iteration; or, where nobody asked for that and it takes too long, why not, and what is left
    of the limits for a search by depth."""
    if limits.depth is not None and algorithm is not None:
        raise BadInput(f"{ITERATION} looks as far as the game goes: leave the depth out")
    if position.is_terminal or limits.depth is not None:
        return "", limits
    started, seconds = time.monotonic(), limits.seconds
    share = replace(limits, seconds=seconds and seconds * (1.0 if algorithm else ITERATION_SHARE))
    try:
        return iterate(position, share, lines, world), limits
    except Unsolved as error:
        if algorithm is not None:
            raise
        left = seconds and max(seconds - (time.monotonic() - started), seconds * (1 - ITERATION_SHARE))
        why, _, _ = str(error).partition(":")
        return f"{why}, so this is a search to a depth", replace(limits, seconds=left)


def _search_anywhere(root: _Root) -> Result:
    """Interpreted while that is quick, then native; interpreted throughout, with a note, if it must be."""
    heard: list[Result] = []
    limits = root.limits
    most = ENGINE_TRIAL if root.algorithm in STARS else TRIAL
    why = native.why_interpreted(root.game)
    seconds = limits.seconds and limits.seconds * (1.0 if why else TRIAL_SHARE)
    trial_limits = replace(limits, nodes=min(most, limits.nodes or most), seconds=seconds)
    trial = _Root(root.position, root.algorithm, trial_limits, root.lines, heard.append, root.tools)
    result = trial.search(native_world=False)
    out_of_nodes = trial_limits.nodes == limits.nodes
    out_of_time = limits.seconds is not None and trial.spent >= limits.seconds
    if trial.finished or out_of_nodes or out_of_time:
        for event in heard:
            root.say(event)
        return trial.with_lines(result)
    root.spent = trial.spent
    if not why:
        try:
            found = root.search(native_world=True)
            if root.finished or found.depth >= result.depth:
                return root.with_lines(found)
            return replace(trial.with_lines(result), seconds=root.spent)
        except NotNative as error:
            why = f"{root.game.title} runs interpreted: {error}"
    return root.with_lines(root.search(native_world=False, note=why))


def checked(limits: Limits, lines: int, world: str) -> Limits:
    """The limits, or `BadInput` where one makes no sense."""
    for name in ("depth", "nodes", "seconds"):
        value = getattr(limits, name)
        if value is not None and not value > 0:
            raise BadInput(f"{name} must be more than 0, not {value:g}")
    if limits.depth is not None and limits.depth > DEEPEST:
        raise BadInput(f"depth must be at most {DEEPEST}, not {limits.depth}")
    if lines < 1:
        raise BadInput(f"lines must be at least 1, not {lines}")
    if lines > MOST_LINES:
        raise BadInput(f"lines must be at most {MOST_LINES}, not {lines}")
    if world not in ("auto", "interpreted", "native"):
        raise BadInput(f"there is no world {world!r}: use auto, interpreted or native")
    return limits if limits.nodes is None else replace(limits, nodes=min(limits.nodes, NO_LIMIT))


class _Root:
    """One search from one position. `spent` are its seconds, and those of the trial before it; limits hold for both."""

    def __init__(
        self,
        position: Position,
        algorithm: str,
        limits: Limits,
        lines: int,
        listen: Listener | None,
        tools: Tools,
    ) -> None:
        self.position, self.game, self.algorithm = position, position.game, algorithm
        self.tools = tools
        self.limits, self.lines, self.listen = limits, lines, listen
        self.finished, self.spent, self.visited = False, 0.0, 0

    def search(self, native_world: bool, note: str = "") -> Result:
        """Search until finished (exact, or the depth asked for) or out of limits."""
        self.world, self.note = "native" if native_world else "interpreted", note
        self.tally = Tally(limit=self.limits.nodes or NO_LIMIT)
        self.searcher = Searcher(self.game, self.algorithm, native_world, self.tally, tools=self.tools)
        self.moves = self.position.moves if not self.position.is_chance else []
        self._start_clock()
        if self.position.is_terminal:
            self.finished = True
            return self._at_end()
        result = self._first_guess()
        try:
            self.searcher.prepare(self.position.state)
            self._start_clock()
            for depth in self._depths():
                before = self.tally.nodes
                result = self._search_depth(depth)
                self.say(result)
                if depth == self.limits.depth or self._is_last(result, self.tally.nodes - before):
                    self.finished = True
                    break
            else:
                raise Unsuitable(f"{self.game.title} goes on for more than {DEEPEST:,} moves: give a depth")
        except LimitReached:
            pass
        self.spent = time.monotonic() - self.started
        return result

    def _start_clock(self) -> None:
        self.began = time.monotonic()
        self.started = self.began - self.spent
        if self.limits.seconds is not None:
            self.searcher.until = self.started + self.limits.seconds

    def _is_last(self, result: Result, nodes: int) -> bool:
        """Whether going deeper would find the same: all is settled, or a sample of the tree is seen to its ends."""
        seen, self.visited = self.visited, nodes
        if self.algorithm == SAMPLED and nodes == seen:
            return True
        return all(self._is_settled(line.value) for line in result.lines or [result])

    def search_in(self, world: str) -> Result:
        """The whole answer in one world."""
        return self.with_lines(self.search(native_world=world == "native"))

    def _depths(self) -> range:
        """The depths to search to. With a table all up to the one asked for, unless that is to the end."""
        depth = self.limits.depth
        if depth is None:
            return range(1, DEEPEST + 1)
        return range(1 if self.algorithm in STARS and depth < DEEPEST else depth, depth + 1)

    def say(self, result: Result) -> None:
        """Tell the listener, if there is one."""
        if self.listen is not None:
            self.listen(result)

    def _at_end(self) -> Result:
        values = tuple(float(value) for value in self.position.utilities)
        mover = max(self.game.to_move(self.position.state), 0)
        return self._result(None, values[mover], "exact", (), 0, values)

    def _first_guess(self) -> Result:
        """What to answer if not even one ply can be searched: the first move, and the evaluation."""
        player = max(self.position.to_move, 0)
        value = float(self.game.evaluate(self.position.state, player))
        action = self.moves[0] if self.moves else None
        return self._result(action, value, "estimate", (action,) if self.moves else (), 0)

    def _search_depth(self, depth: int) -> Result:
        """All root actions to one depth; the order of the last depth's values is kept for the next."""
        self.tally.horizon = 0
        if self.position.is_chance:
            return self._value_of_chance(depth)
        player = self.position.to_move
        found: list[tuple[float, Any, tuple[float, ...]]] = []
        for action in self.moves:
            child = self.game.result(self.position.state, action)
            alpha = self._bar([value for value, *_ in found])
            if self.algorithm == "maxn" and self.searcher.cuts and alpha >= self.game.facts.highest:
                break
            if self.algorithm == SAMPLED:
                self.searcher.number = self.position.moves.index(action)
            values = self.searcher.values(child, depth - 1, player, alpha) if self.algorithm == "maxn" else ()
            value = values[player] if values else self.searcher.value(child, player, alpha, inf, depth - 1)
            if value > alpha or len(found) < self.lines:
                found.append((value, action, values))
        found.sort(key=lambda item: -item[0])
        found = found[: self.lines]
        known = [action for _, action, _ in found]
        self.moves.sort(key=lambda action: known.index(action) if action in known else len(known))
        kind = self._kind(found[0][0])
        lines = tuple(Line(action, value, self._kind(value), (action,), values) for value, action, values in found)
        return self._result(found[0][1], found[0][0], kind, (found[0][1],), depth, found[0][2], lines)

    def _bar(self, values: list[float]) -> float:
        """What an action must beat to be among the lines asked for."""
        return sorted(values, reverse=True)[self.lines - 1] if len(values) >= self.lines else -inf

    def _value_of_chance(self, depth: int) -> Result:
        values = self.searcher.values(self.position.state, depth) if self.algorithm == "maxn" else ()
        value = values[0] if values else self.searcher.value(self.position.state, 0, -inf, inf, depth)
        return self._result(None, value, self._kind(value), (), depth, values)

    def _kind(self, value: float) -> Kind:
        """What a value is to the player: of the game, or where others may do better by him, the least he gets."""
        if self.algorithm == "best-reply" or not self._is_settled(value):
            return "estimate"
        if self.algorithm == "paranoid" and why_no_value(self.game):
            return "exact" if value == self.game.facts.highest else "lower"
        return "exact"

    def _is_settled(self, value: float) -> bool:
        """Whether a deeper search would find the same: a value that rests on ends alone, and one at a bound that no
        estimate so far has reached."""
        facts, tally = self.game.facts, self.tally
        sound = self.algorithm not in ("maxn", SAMPLED) and tally.extreme == 0
        return tally.horizon == 0 or (sound and value in (facts.lowest, facts.highest))

    def with_lines(self, result: Result) -> Result:
        """The result with the expected play of each line, as far as a little more searching shows it."""
        budget = max(LINE_NODES, self.tally.nodes // 4) if self.searcher.native else TRIAL
        until = inf if self.limits.seconds is None else time.monotonic() + self.limits.seconds * LINE_SHARE
        lines = []
        for line in result.lines:
            self.searcher.tally, self.searcher.until = Tally(limit=budget), until
            follow = _Follow(self.searcher, self.position, line, result.depth)
            lines.append(replace(line, actions=(line.action, *follow.after(line.action))))
        first = lines[0].actions if lines else result.line
        return replace(result, line=first, lines=tuple(lines), nodes=self.tally.nodes, seconds=self.spent)

    def _result(
        self,
        action: Any,
        value: float,
        kind: Kind,
        line: tuple[Any, ...],
        depth: int,
        values: tuple[float, ...] = (),
        lines: tuple[Line, ...] = (),
    ) -> Result:
        nodes, now, used = self.tally.nodes, time.monotonic(), self.searcher.used()
        how = nodes, now - self.started, self.algorithm, self.world
        rate = nodes / max(now - self.began, 1e-9)
        return Result(action, value + 0.0, kind, line, depth, *how, values, lines, self.note, table=used, rate=rate)


class _Follow:
    """The play expected after an action: at each state the first action that keeps the value.

    A turn of several actions is told to its end, by what looks best where none keeps the value of a search that is
    forgotten in part.
    """

    def __init__(self, searcher: Searcher, position: Position, line: Line, depth: int) -> None:
        self.searcher, self.position, self.value, self.values = searcher, position, line.value, line.values
        self.depth, self.player = depth, position.to_move

    def after(self, action: Any) -> list[Any]:
        game, found = self.searcher.game, list[Any]()
        if self.searcher.algorithm in ("best-reply", SAMPLED):  # turns that are skipped, trees that are drawn anew
            return found
        state, own = game.result(self.position.state, action), True
        for depth in range(self.depth - 2, -1, -1):
            if game.is_terminal(state) or game.to_move(state) == CHANCE:
                break
            own = own and game.to_move(state) == self.player
            choice = self._chosen(state, depth, own)
            if choice is None:
                break
            found.append(choice)
            state = game.result(state, choice)
        return found

    def _chosen(self, state: Any, depth: int, own: bool) -> Any:
        """The action that is expected in a state, None where nobody knows; in the player's own turn there is one."""
        game, actions = self.searcher.game, self.searcher.game.legal(state)
        try:
            kept = next((action for action in actions if self._keeps(game.result(state, action), state, depth)), None)
            if kept is not None or not own:
                return kept
            return max(actions, key=lambda action: self._worth(game.result(state, action), depth))
        except LimitReached:
            if not own:
                return None
        self.searcher.tally, self.searcher.until = Tally(), inf
        return max(actions, key=lambda action: self._worth(game.result(state, action), 0))

    def _worth(self, state: Any, depth: int) -> float:
        return self.searcher.value(state, self.player, -inf, inf, depth)

    def _keeps(self, child: Any, parent: Any, depth: int) -> bool:
        if self.searcher.algorithm == "maxn":
            return self.searcher.values(child, depth) == self.values
        if self.searcher.game.to_move(parent) == self.player:
            return self.searcher.value(child, self.player, nextafter(self.value, -inf), inf, depth) >= self.value
        return self.searcher.value(child, self.player, -inf, nextafter(self.value, inf), depth) <= self.value
