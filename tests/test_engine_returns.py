"""States that come back: what that is worth, where it is forbidden, and by what a state is known again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Graph, Hashed, Returning, Spot, cyclic, switches
from trees import examples
from zermelo.engine.decide import decide
from zermelo.engine.options import Options
from zermelo.errors import IllegalAction
from zermelo.game import Game
from zermelo.position import Position
from zermelo.solver.exact import solve


class Sharing(Returning):
    """A node that comes back is worth a quarter of the lead in the first node of those on circles with it."""

    def tied(self, state: int, player: int) -> float:
        first = min(spot for spot in self.reached(state) if state in self.reached(spot))
        return self.half + (self.share(first, player) - self.half) / 4

    def reached(self, state: int) -> set[int]:
        """The nodes that play can come to from one."""
        found, fresh = {state}, [state]
        while fresh:
            fresh = [to for spot in fresh for to in self.spots[spot].next if to not in found]
            found |= set(fresh)
        return found


def value_with_ties(game: Game, state: Any, seen: frozenset[Any] = frozenset()) -> float:
    """What a state is worth to player 0, by trying every way; one that was seen before ends the game."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    if state in seen:
        return float(game.tied(state, 0))
    choose = max if game.to_move(state) == 0 else min
    return choose(value_with_ties(game, game.result(state, action), seen | {state}) for action in game.actions(state))


@examples(300)
@given(cyclic(), st.sampled_from([0, 0, 3]), switches())
def test_what_comes_back_is_worth_what_the_game_says(spots: tuple[Spot, ...], total: float, options: Options) -> None:
    game = Sharing(spots, total)
    value = value_with_ties(game, 0)
    expected = value if game.to_move(0) == 0 else total - value
    assert solve(game, options=options, world="interpreted").value == expected
    found = decide(Position(game), options=options, world="interpreted")
    assert (found.value, found.kind) == (expected, "exact")


def test_a_game_that_ends_by_a_return_pays_what_the_game_says() -> None:
    game = Sharing((Spot(0, (1,), 2.0), Spot(1, (0,), 0.0)))
    position = Position(game)
    position.push(0)
    position.push(0)
    assert position.is_terminal
    assert position.utilities == (0.5, -0.5)


class Forbidding(Graph):
    """A graph in which no node may come back; every node that is no end also has a way to an end of its own."""

    repeats = True
    no_return = True

    def __init__(self, spots: tuple[Spot, ...], total: float = 0) -> None:
        count = len(spots)
        open_ways = [
            Spot(spot.mover, (*(to for to in spot.next if to != at), count + at), spot.lead) if spot.next else spot
            for at, spot in enumerate(spots)
        ]
        super().__init__((*open_ways, *(Spot(0, (), round(spot.lead)) for spot in spots)), total)


def value_where_forbidden(game: Game, state: Any, seen: frozenset[Any] = frozenset()) -> float:
    """What a state is worth to player 0, by trying every way that comes back to none of the states before."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    children = [game.result(state, action) for action in game.actions(state)]
    values = [value_where_forbidden(game, child, seen | {state}) for child in children if child not in seen | {state}]
    return max(values) if game.to_move(state) == 0 else min(values)


@examples(300)
@given(cyclic(), st.sampled_from([0, 0, 3]), switches(), st.lists(st.integers(0, 2), max_size=3))
def test_no_way_leads_back_where_that_is_forbidden(
    spots: tuple[Spot, ...], total: float, options: Options, luck: list[int]
) -> None:
    game = Forbidding(spots, total)
    position = Position(game)
    for number in luck:
        action = position.moves[number % len(position.moves)]
        if game.is_terminal(game.result(position.state, action)):
            break
        position.push(action)
    value = value_where_forbidden(game, position.state, frozenset(position.states[:-1]))
    result = decide(position, options=options, world="interpreted")
    assert (result.value, result.kind) == (value if position.to_move == 0 else total - value, "exact")
    for action in result.line:
        position.push(action)
    assert game.is_terminal(position.state)


def test_a_forbidden_return_is_illegal() -> None:
    position = Position(Forbidding((Spot(0, (1,), 0.0), Spot(1, (0,), 0.0))))
    position.push(0)
    assert position.moves == [1]
    with pytest.raises(IllegalAction, match="0 is not legal"):
        position.push(0)


class Waiting(Forbidding):
    """A graph in which one may also wait, twice in all."""

    def initial(self) -> Any:
        return (0, 0)

    def to_move(self, state: Any) -> int:
        return super().to_move(state[0])

    def is_terminal(self, state: Any) -> bool:
        return state[1] == 2 or super().is_terminal(state[0])

    def actions(self, state: Any) -> Iterator[int]:
        yield from super().actions(state[0])
        yield 9

    def result(self, state: Any, action: int) -> Any:
        return (state[0], state[1] + 1) if action == 9 else (super().result(state[0], action), state[1])

    def utility(self, state: Any, player: int) -> float:
        return self.share(state[0], player) * 0.5

    def evaluate(self, state: Any, player: int) -> float:
        return self.share(state[0], player) * 0.5

    def promise(self, state: Any, player: int) -> float:
        return self.share(state[0], player)

    def recurrence(self, state: Any) -> int:
        return int(state[0])


def test_what_leaves_things_as_they_are_is_no_return() -> None:
    position = Position(Waiting((Spot(0, (1,), 1.0), Spot(1, (0,), -1.0))))
    position.push(9)
    position.push(0)
    assert position.moves == [1, 9]


class Clocked(Hashed):
    """Random graphs with cycles whose states count plies, which `recurrence` leaves out; for native code."""

    repeats = True
    repetition = 2

    class State(NamedTuple):
        seed: int
        spot: int
        ply: int

    def dice(self, state: State) -> Any:  # type: ignore[override]
        return super().dice(self.State(state.seed, state.spot, min(state.ply, 1)))

    def is_terminal(self, state: State) -> bool:  # type: ignore[override]
        return state.ply > 0 and self.dice(state) >> 24 & 7 == 0

    def recurrence(self, state: State) -> int:
        return state.seed << 8 | state.spot << 1 | min(state.ply, 1)

    def key(self, state: State) -> int:
        return self.recurrence(state)

    def tied(self, state: State, player: int) -> float:
        return 0.5 if player == 0 else -0.5


def value_by_recurrence(game: Game, state: Any, seen: frozenset[Any] = frozenset()) -> float:
    """What a state is worth to player 0, where one known again ends the game, by trying every way."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    mark = game.recurrence(state)
    if mark in seen:
        return float(game.tied(state, 0))
    choose = max if game.to_move(state) == 0 else min
    children = [game.result(state, action) for action in game.actions(state)]
    return choose(value_by_recurrence(game, child, seen | {mark}) for child in children)


@pytest.mark.native
@examples(40)
@given(st.integers(0, 10**6), switches(table=1))
def test_clocks_do_not_hide_that_a_state_is_back(seed: int, options: Options) -> None:
    game = Clocked(width=5)
    position = Position(game, Clocked.State(seed, 0, 0))
    value = value_by_recurrence(game, position.state)
    found = [decide(position, options=options, world=world) for world in ("native", "interpreted")]
    for result in found:
        assert (result.value, result.kind) == (value if position.to_move == 0 else -value, "exact")
    assert found[0].nodes == found[1].nodes
