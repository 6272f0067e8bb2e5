"""Counting the leaves of the game tree: the classic proof that rules are right, and a measure of speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zermelo import native
from zermelo.errors import BadInput, LimitReached, NotNative
from zermelo.game import CHANCE, Game
from zermelo.native.memory import identity
from zermelo.position import Position, recent
from zermelo.search.tally import TRIAL, Tally

TRIAL_SECONDS = 1.0
"""How long leaves are counted interpreted before native code is made; `TRIAL` nodes of wide games take longer."""


def perft(game: Game, state: Any, depth: int, tally: Tally) -> int:
    """How many ways of exactly `depth` moves there are from `state`; games that end sooner don't count.

    Each outcome of chance is a move.
    """
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if depth == 1 and not game.has_chance:
        return game.count_actions(state)
    total = 0
    if game.has_chance and game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += perft(game, game.result(state, action), depth - 1, tally)
    else:
        for action in game.actions(state):
            total += perft(game, game.result(state, action), depth - 1, tally)
    return total


def perft_without_returns(game: Game, state: Any, depth: int, line: Any, played: int, tally: Tally) -> int:
    """The same where an action that brings back an earlier state is illegal; one that leaves things as they are brings
    nothing back. `line` has what the `played` states before this one are known by, and room for those that follow.
    """
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    line[played] = identity(game.recurrence(state))
    total = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if not has_been(identity(game.recurrence(child)), line, played):
            total += perft_without_returns(game, child, depth - 1, line, played + 1, tally)
    return total


def has_been(mark: int, line: Any, last: int) -> bool:
    """Whether a state was there before the last one of a line, and is not that one."""
    return mark != line[last] and any(line[place] == mark for place in range(last))


class Count(NamedTuple):
    """A leaf count, the world that counted it, and how long that took, compiling and trial left out.

    `note` says why it was not the native world.
    """

    leaves: int
    world: str
    seconds: float
    note: str = ""


def count_leaves(position: Position, depth: int, world: str = "auto") -> Count:
    """`perft` of a position: quick ones interpreted, others native where the game can be."""
    return count_each([position], depth, world)[0]


def count_each(positions: Sequence[Position], depth: int, world: str = "auto") -> list[Count]:
    """`perft` of each of some positions of one game, all in one world."""
    if world not in ("auto", "interpreted", "native"):
        raise BadInput(f"there is no world {world!r}: use auto, interpreted or native")
    if world != "auto" or not positions:
        return [_count(position, depth, Tally(), world == "native") for position in positions]
    game = positions[0].game
    try:
        return _tried(positions, depth)
    except LimitReached:
        note = native.why_interpreted(game)
    if not note:
        try:
            return count_each(positions, depth, "native")
        except NotNative as error:
            note = f"{game.title} runs interpreted: {error}"
    return [count._replace(note=note) for count in count_each(positions, depth, "interpreted")]


def _tried(positions: Sequence[Position], depth: int) -> list[Count]:
    """The counts, interpreted; `LimitReached` if all together take longer than a trial may."""
    counts, nodes, seconds = [], TRIAL, TRIAL_SECONDS
    for position in positions:
        tally = Tally(nodes)
        counts.append(_count(position, depth, tally, natively=False, within=seconds))
        nodes, seconds = nodes - tally.nodes, seconds - counts[-1].seconds
    return counts


def _count(position: Position, depth: int, tally: Tally, natively: bool, within: float | None = None) -> Count:
    game = position.game
    kernel, args = counting(game, position.states, depth, natively)
    if natively:
        native.prepare_run(kernel, game, *args, tally=tally)
    started = time.monotonic()
    leaves = native.run(kernel, game, *args, tally=tally, native=natively, seconds=within)
    return Count(leaves, "native" if natively else "interpreted", time.monotonic() - started)


def counting(
    game: Game, states: Sequence[Any], depth: int, natively: bool
) -> tuple[Callable[..., int], tuple[Any, ...]]:
    """The kernel that counts the leaves after some states, and what it is given besides the game and a tally."""
    if game.has_chance or not game.no_return:
        return perft, (states[-1], depth)
    earlier = [identity(game.recurrence(state)) for state in recent(game, states)[:-1]]
    return perft_without_returns, (states[-1], depth, _line(earlier, depth, natively), len(earlier))


def _line(earlier: list[int], depth: int, natively: bool) -> Any:
    """Room for what the states of a line are known by, earlier ones first."""
    line = [*earlier, *[0] * depth]
    if not natively:
        return line
    import numpy

    return numpy.array(line, numpy.int64)
