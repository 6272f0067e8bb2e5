"""Kalah: a naive twin in both worlds, leaf counts, published values by two algorithms, what the game knows, text."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trees import examples
from zermelo import native
from zermelo.check.kernels import view_kernel
from zermelo.draw.text import lines
from zermelo.engine.engine import Engine
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.kalah import Kalah
from zermelo.position import Position
from zermelo.search.perft import perft
from zermelo.search.tally import Tally
from zermelo.solver.exact import solve

SEEDS = st.integers(0, 2**32)
SIZES = st.sampled_from([(6, 4), (1, 3), (2, 5), (3, 9), (7, 9), (4, 1)])


class Naive:
    """Kalah on one list of all pits, sown seed by seed: South's pits, his store, North's pits, his store."""

    def __init__(self, pits: int, seeds: int, empty_capture: bool = False) -> None:
        self.pits, self.empty_capture, self.turn = pits, empty_capture, 0
        self.places = [*[seeds] * pits, 0, *[seeds] * pits, 0]

    def side(self, player: int) -> list[int]:
        start = player * (self.pits + 1)
        return list(range(start, start + self.pits))

    def store(self, player: int) -> int:
        return self.side(player)[-1] + 1

    def seeds(self, player: int) -> int:
        return sum(self.places[place] for place in self.side(player))

    def moves(self) -> list[int]:
        """The pits of the player to move that may be sown, from his left; none at the end."""
        if self.seeds(0) == 0 or self.seeds(1) == 0:
            return []
        return [pit for pit, place in enumerate(self.side(self.turn)) if self.places[place]]

    def after(self, pit: int) -> Naive:
        twin = Naive(self.pits, 0, self.empty_capture)
        twin.places, twin.turn = list(self.places), 1 - self.turn
        place, own, foe = self.side(self.turn)[pit], self.store(self.turn), self.store(1 - self.turn)
        hand, twin.places[place] = twin.places[place], 0
        while hand:
            place = (place + 1) % len(twin.places)
            if place != foe:
                twin.places[place] += 1
                hand -= 1
        opposite = 2 * self.pits - place
        if place == own:
            twin.turn = self.turn
        landed = place in self.side(self.turn) and twin.places[place] == 1
        if landed and (twin.places[opposite] or self.empty_capture):
            twin.places[own] += 1 + twin.places[opposite]
            twin.places[place] = twin.places[opposite] = 0
        return twin

    def worth(self) -> int:
        """The lead of South if all seeds in the pits go to their owners."""
        return sum(self.places[: self.pits + 1]) - sum(self.places[self.pits + 1 :])

    def value(self, memo: dict[str, int]) -> int:
        """The value to South, by plain minimax."""
        key = str(self)
        if key not in memo:
            values = [self.after(pit).value(memo) for pit in self.moves()]
            memo[key] = self.worth() if not values else min(values) if self.turn else max(values)
        return memo[key]

    def leaves(self, depth: int) -> int:
        return 1 if depth == 0 else sum(self.after(pit).leaves(depth - 1) for pit in self.moves())

    def __str__(self) -> str:
        rows = ["-".join(str(self.places[place]) for place in self.side(player)) for player in (0, 1)]
        stores = ":".join(str(self.places[self.store(player)]) for player in (0, 1))
        return f"{rows[0]}/{rows[1]} {stores} {('South', 'North')[self.turn]}"


def walk(game: Kalah, seed: int, left: int) -> Any:
    """A state of a random game that goes on, with so few seeds in the pits or, where it ended before, more."""
    dice = random.Random(seed)
    state = before = game.initial()
    while not game.is_terminal(state) and game.in_row(state.own) + game.in_row(state.other) > left:
        before, state = state, game.result(state, dice.choice(list(game.actions(state))))
    return before if game.is_terminal(state) else state


# The rules.


def play(game: Kalah, seed: int, natively: bool) -> None:
    """A random game, in which all that the rules say is held against the twin."""
    dice = random.Random(seed)
    naive, state = Naive(game.pits, game.seeds, game.empty_capture), game.initial()
    while True:
        moves = naive.moves()
        assert game.format_state(state) == str(naive)
        assert game.parse_state(str(naive)) == state
        assert game.is_terminal(state) == (not moves)
        if natively:
            assert list(native.call(view_kernel, game, state)) == list(view_kernel(game, state))
        if not moves:
            break
        assert game.to_move(state) == naive.turn
        assert game.legal(state) == moves
        pit = dice.choice(moves)
        naive, state = naive.after(pit), game.result(state, pit)
    lead = naive.worth()
    expected = lead if game.margin else (lead > 0) - (lead < 0)
    assert game.utilities(state) == (expected, -expected)


@given(SIZES, st.booleans(), st.sampled_from([0, 1]), SEEDS)
@examples(60)
def test_random_games_agree_with_the_twin(size: tuple[int, int], empty: bool, margin: int, seed: int) -> None:
    play(Kalah(*size, empty, margin), seed, natively=False)


@pytest.mark.native
def test_random_games_agree_natively() -> None:
    for seed in range(10):
        play(Kalah(), seed, natively=True)


def test_leaf_counts() -> None:
    for size in ((6, 4), (3, 2)):
        game = Kalah(*size)
        counts = [perft(game, game.initial(), depth, Tally()) for depth in range(6)]
        assert counts == [Naive(*size).leaves(depth) for depth in range(6)]
        if size == (6, 4):
            assert counts == [1, 6, 35, 185, 942, 4_690]


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("4-4-4-4-4-4/4-4-4-4-4-4 0:0 South", "C", "4-4-0-5-5-5/4-4-4-4-4-4 1:0 South"),
        ("4-4-0-5-5-5/4-4-4-4-4-4 1:0 South", "F", "4-4-0-5-5-0/5-5-5-5-4-4 2:0 North"),
        ("1-0-0-0-0-9/0-0-0-0-7-1 10:20 South", "A", "0-0-0-0-0-9/0-0-0-0-0-1 18:20 North"),
        ("1-0-0-0-0-9/0-0-0-0-0-8 10:20 South", "A", "0-1-0-0-0-9/0-0-0-0-0-8 10:20 North"),
        ("13-0-0-0-0-0/1-1-1-1-1-1 10:19 South", "A", "0-1-1-1-1-1/2-2-2-2-2-0 14:19 North"),
        ("0-0-0-0-0-8/1-1-1-1-1-1 14:20 South", "F", "0-0-0-0-0-0/2-2-2-2-2-0 18:20 North"),
    ],
)
def test_single_moves(before: str, move: str, after: str) -> None:
    """Another turn, past the store, a capture, none from an empty pit, once around, a capture after that."""
    position = Position.from_text(Kalah(), before, move)
    assert str(position) == after


def test_a_seed_goes_to_the_store_alone_where_empty_pits_are_captured() -> None:
    position = Position.from_text(Kalah(empty_capture=True), "1-0-0-0-0-9/0-0-0-0-0-8 10:20 South", "A")
    assert str(position) == "0-0-0-0-0-9/0-0-0-0-0-8 11:20 North"


def test_the_end() -> None:
    """What is left belongs to whom it lies with, whoever has emptied his side."""
    for text in ("0-0-0-0-0-0/2-2-2-2-2-0 18:20 North", "0-0-0-0-0-0/2-2-2-2-2-0 18:20 South"):
        position = Position.from_text(Kalah(), text)
        assert position.is_terminal
        assert position.utilities == (-12, 12)
        assert Position.from_text(Kalah(margin=0), text).utilities == (-1, 1)


# Values.

PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWW", 4: "W"}
"""By pits, for 1 seed and more: a win, a draw or a loss of the first player (Irving, Donkers, Uiterwijk 2000)."""


@pytest.mark.parametrize("pits", PUBLISHED)
def test_small_boards_by_two_algorithms(pits: int) -> None:
    for seeds, mark in enumerate(PUBLISHED[pits], 1):
        for empty in (False, True):
            value = solve(Kalah(pits, seeds, empty), world="interpreted").value
            if pits * seeds < 9:
                assert value == Naive(pits, seeds, empty).value({})
            assert "DWL"[(value > 0) - (value < 0)] == mark


@given(SEEDS, st.integers(2, 9), st.booleans(), st.sampled_from([0, 1]))
@examples(40)
def test_bounds_hold_the_value(seed: int, left: int, empty: bool, margin: int) -> None:
    game = Kalah(4, 3, empty, margin)
    state = walk(game, seed, left)
    naive = Naive(4, 0, empty)
    south, north = game.sides(state)
    naive.places, naive.turn = [*south, *north], state.turn
    value = game.worth(naive.value({}))
    for player in (0, 1):
        low, high = game.bounds(state, player)
        assert game.utility_bounds[0] <= low <= (value if player == 0 else -value) <= high <= game.utility_bounds[1]


def test_endgames_by_two_algorithms() -> None:
    game = Kalah()
    for seed in range(8):
        state = walk(game, seed, 8)
        naive = Naive(6, 0)
        south, north = game.sides(state)
        naive.places, naive.turn = [*south, *north], state.turn
        value = naive.value({})
        assert solve(Position(game, state), world="interpreted").value == (-value if state.turn else value)


@given(SEEDS, st.integers(4, 10))
@examples(12)
def test_the_engine_plays_endgames_perfectly(seed: int, left: int) -> None:
    """Against random play it gets at least what the position is worth."""
    game, dice = Kalah(), random.Random(seed)
    position = Position(game, walk(game, seed, left))
    assume(game.in_row(position.state.own) + game.in_row(position.state.other) <= 10)
    naive = Naive(6, 0)
    south, north = game.sides(position.state)
    naive.places, naive.turn = [*south, *north], position.state.turn
    engine, player = Engine(game, world="interpreted"), seed % 2
    least = naive.value({}) * (1 if player == 0 else -1)
    while not position.is_terminal:
        engine.set_position(position)
        mine = position.to_move == player
        position.push(engine.go(seconds=60).result().action if mine else dice.choice(position.moves))
    assert position.utilities[player] >= least


# What the game knows.


@given(SIZES, SEEDS, st.integers(1, 40))
@examples(60)
def test_features_are_what_they_are_called(size: tuple[int, int], seed: int, left: int) -> None:
    game = Kalah(*size)
    state = walk(game, seed, left)
    south, north = game.sides(state)

    def seen(own: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
        pits, store = own[:-1], own[-1]
        ends = [pit + count for pit, count in enumerate(pits)]
        taken = [other[-2 - end] for pit, end in enumerate(ends) if pit < end < len(pits) and pits[end] == 0]
        return [store, sum(pits), sum(count > 0 for count in pits), ends.count(len(pits)), sum(taken)]

    *plain, move = game.features(state)
    assert plain == [ours - theirs for ours, theirs in zip(seen(south, north), seen(north, south), strict=True)]
    assert move == 1 - 2 * state.turn
    assert len(game.feature_names) == len(game.weights) == len(plain) + 1
    worth = game.evaluate(state, 0)
    assert game.utility_bounds[0] < worth < game.utility_bounds[1]
    assert game.evaluate(state, 1) == -worth
    twin = game.State(state.own, state.other, 1 - state.turn)
    assert game.features(twin) == tuple(-feature for feature in game.features(state))
    assert game.bounds(twin, 1) == game.bounds(state, 0)


# Text.


def test_moves_as_text() -> None:
    game = Kalah()
    spaced = Position.from_text(game, moves="C F a")
    assert Position.from_text(game, moves="CFa").history == spaced.history == (2, 5, 0)
    assert Position.from_text(game, moves="cfA").history == spaced.history
    assert spaced.line([1]) == ["B"]
    with pytest.raises(IllegalAction, match="'C' is not legal"):
        Position.from_text(game, moves="C C")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no state of Kalah, which is written like '4-4-4-4-4-4/4-4-4-4-4-4 0:0 South'"),
        ("4-4-4-4-4-4/4-4-4-4-4-4 0:0", "is no state of Kalah"),
        ("4-4-4-4-4-4/4-4-4-4-4-4 0:0 East", "is no state of Kalah"),
        ("4-4-4-4-4/4-4-4-4-4-4 0:0 South", "has 5 and 6 pits, not 6 for each player"),
        ("4-4-4-4-4-4/4-4-4-4-4-5 0:0 South", "has 49 seeds in pits and stores, not 48"),
        ("4-4-4--4-4/4-4-4-4-4-4 0:0 South", "has 5 and 6 pits"),
        ("²-4-4-4-4-4/4-4-4-4-4-4 0:0 South", "is no state of Kalah"),
    ],
)
def test_refused_states(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Kalah().parse_state(text)


@pytest.mark.parametrize("settings", [(0,), (8,), (6, 0), (6, 11), (6, 4, False, 2)])
def test_refused_settings(settings: Any) -> None:
    with pytest.raises(BadInput, match="Kalah needs 1 to 7 pits, at least one seed in each and at most 127 in all"):
        Kalah(*settings)


def test_board() -> None:
    game = Kalah(3, 4)
    before = game.initial()
    state = game.result(before, 1)
    assert lines(game.board(state), game.board(before)) == [
        "      c   b   a",
        "┌───┬───┬───┬───┬───┐",
        "│   │ 4 │[5]│[5]│   │",
        "│ 0 ├───┼───┼───┤[1]│",
        "│   │ 4 │[0]│[5]│   │",
        "└───┴───┴───┴───┴───┘",
        "      A   B   C",
    ]
    assert lines(game.board(game.parse_state("0-0-12/1-2-3 0:6 N")), boxes=False) == [
        "        c    b    a",
        "+----+----+----+----+----+",
        "|    |  3 |  2 |  1 |    |",
        "|  6 +----+----+----+  0 |",
        "|    |  0 |  0 | 12 |    |",
        "+----+----+----+----+----+",
        "        A    B    C",
    ]
