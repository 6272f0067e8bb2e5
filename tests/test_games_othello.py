"""Othello: leaf counts, a naive twin in both worlds, exact values, stable discs, symmetries, text."""

from __future__ import annotations

import random
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import native
from zermelo.bench.positions import lines
from zermelo.bits import Bits
from zermelo.check.kernels import view_kernel
from zermelo.errors import BadInput, IllegalAction, LimitReached
from zermelo.game import Game
from zermelo.games.othello import PASS, Othello
from zermelo.position import Position
from zermelo.search.alphabeta import alphabeta, negamax_alphabeta
from zermelo.search.perft import perft
from zermelo.search.tally import DEEPEST, Tally

PROBLEMS = lines("othello/ffo_1_19.obf") + lines("othello/ffo_40_44.obf")
SIZES = st.sampled_from([4, 6, 8])
SEEDS = st.integers(0, 2**32)
WAYS = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
"""A game of nine moves after which O has no disc."""


class Naive:
    """Othello on a list of lists, walked square by square; `mover` is X or O."""

    def __init__(self, rows: list[list[str]], mover: str) -> None:
        self.rows, self.mover, self.size = rows, mover, len(rows)

    @classmethod
    def start(cls, size: int) -> Naive:
        rows = [["."] * size for _ in range(size)]
        low, high = size // 2 - 1, size // 2
        rows[low][low] = rows[high][high] = "O"
        rows[low][high] = rows[high][low] = "X"
        return cls(rows, "X")

    def flipped(self, mover: str, row: int, column: int) -> list[tuple[int, int]]:
        """The squares that change hands if `mover` plays there."""
        found: list[tuple[int, int]] = []
        for down, across in WAYS:
            run, r, c = [], row + down, column + across
            while 0 <= r < self.size and 0 <= c < self.size and self.rows[r][c] not in (mover, "."):
                run.append((r, c))
                r, c = r + down, c + across
            if 0 <= r < self.size and 0 <= c < self.size and self.rows[r][c] == mover:
                found += run
        return found

    def squares(self, mover: str) -> list[tuple[int, int]]:
        places = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [place for place in places if self.rows[place[0]][place[1]] == "." and self.flipped(mover, *place)]

    def moves(self) -> list[str]:
        """The legal moves as text; none at the end."""
        if squares := self.squares(self.mover):
            return [f"{'abcdefgh'[column]}{row + 1}" for row, column in squares]
        return ["pass"] if self.squares("O" if self.mover == "X" else "X") else []

    def after(self, move: str) -> Naive:
        rows = [list(row) for row in self.rows]
        if move != "pass":
            row, column = int(move[1]) - 1, "abcdefgh".index(move[0])
            for r, c in [(row, column), *self.flipped(self.mover, row, column)]:
                rows[r][c] = self.mover
        return Naive(rows, "O" if self.mover == "X" else "X")

    def worth(self) -> int:
        """What the end is worth to X; the empty squares are the winner's."""
        x, o = (sum(row.count(mark) for row in self.rows) for mark in "XO")
        empty = self.size**2 - x - o
        return x - o + (empty if x > o else -empty if x < o else 0)

    def value(self, memo: dict[str, int]) -> int:
        """The value to X, by plain minimax."""
        key = str(self)
        if key not in memo:
            values = [self.after(move).value(memo) for move in self.moves()]
            memo[key] = self.worth() if not values else max(values) if self.mover == "X" else min(values)
        return memo[key]

    def __str__(self) -> str:
        return "".join(map("".join, self.rows)).replace(".", "-") + " " + self.mover


def ends_and_leaves(game: Game, state: Any, depth: int, tally: Tally) -> int:
    """As `perft`, but a game that ends sooner counts as one, as in published tables."""
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    if depth == 0 or game.is_terminal(state):
        return 1
    total = 0
    for action in game.actions(state):
        total += ends_and_leaves(game, game.result(state, action), depth - 1, tally)
    return total


def bounds_kernel(game: Game, state: Any, player: int) -> tuple[float, float]:
    low, high = game.bounds(state, player)
    return float(low), float(high)


def bounded_negamax(game: Game, state: Any, alpha: float, beta: float, tally: Tally) -> float:
    """The exact value to the player to move as far as it matters, cut off also where `bounds` says so."""
    tally.nodes += 1
    if tally.nodes > tally.limit:
        raise LimitReached
    mover = game.to_move(state)
    if game.is_terminal(state):
        return float(game.utility(state, mover))
    low, high = game.bounds(state, mover)
    if low >= beta:
        return float(low)
    if high <= alpha:
        return float(high)
    best = -inf
    for action in game.actions(state):
        best = max(best, -bounded_negamax(game, game.result(state, action), -beta, -alpha, tally))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def walk(game: Othello, seed: int, empty: int = 0) -> Othello.State:
    """A state of a random game that goes on, with so many empty squares or, where it ended before, a few more."""
    dice = random.Random(seed)
    state = before = game.initial()
    while not game.is_terminal(state) and game.moves_left(state) > empty:
        before, state = state, game.result(state, dice.choice(list(game.actions(state))))
    return before if game.is_terminal(state) else state


def solved(game: Othello, state: Othello.State, player: int, natively: bool) -> float:
    """The exact value, without any knowledge."""
    args = state, player, -inf, inf, DEEPEST
    return float(native.run(alphabeta, game, *args, tally=Tally(), native=natively))


# The rules.


def test_leaf_counts() -> None:
    game = Othello()
    counts = [perft(game, game.initial(), depth, Tally()) for depth in range(6)]
    assert counts == [1, 4, 12, 56, 244, 1_396]


@pytest.mark.native
def test_leaf_counts_natively() -> None:
    game = Othello()

    def count(kernel: Any, depth: int) -> int:
        return int(native.run(kernel, game, game.initial(), depth, tally=Tally(), native=True))

    assert [count(perft, depth) for depth in range(6, 10)] == [8_200, 55_092, 390_216, 3_005_288]
    assert count(ends_and_leaves, 10) == 24_571_284
    assert count(perft, 10) == 24_571_284 - 228, "of which 228 games ended with the ninth move"


def test_start() -> None:
    game = Othello()
    position = Position(game)
    assert str(position) == "---------------------------OX------XO--------------------------- X"
    assert position.line([19]) == ["d3"]
    assert [game.format_action(position.state, move) for move in position.moves] == ["d3", "c4", "f5", "e6"]
    assert str(Position.from_text(game, moves="d3")).split()[0] == "-" * 19 + "X-------XX------XO" + "-" * 27


def compare(naive: Naive, game: Othello, state: Othello.State, natively: bool) -> None:
    """Hold all that the rules say of a state against the twin."""
    moves = naive.moves()
    assert game.format_state(state) == str(naive)
    assert game.is_terminal(state) == (not moves)
    assert [game.format_action(state, action) for action in game.legal(state)] == moves
    worth = naive.worth() if not moves else 0
    if not moves:
        expected = worth if game.margin else (worth > 0) - (worth < 0)
        assert game.utilities(state) == (expected, -expected)
    if natively:
        mover, ends, count, actions, odds, results, values, *keys = native.call(view_kernel, game, state)
        assert (mover, ends, count) == (state.turn, not moves, len(moves))
        assert [mover, ends, count, actions, odds, results, values, *keys] == list(view_kernel(game, state))


def play(size: int, margin: int, seed: int, natively: bool) -> None:
    dice = random.Random(seed)
    game, naive = Othello(size, margin), Naive.start(size)
    state = game.initial()
    while moves := naive.moves():
        compare(naive, game, state, natively)
        move = dice.choice(moves)
        state, naive = game.result(state, game.parse_action(state, move)), naive.after(move)
    compare(naive, game, state, natively)


@given(SIZES, st.sampled_from([0, 1]), SEEDS)
@examples(30)
def test_random_games_as_a_naive_twin_plays_them(size: int, margin: int, seed: int) -> None:
    play(size, margin, seed, natively=False)


@pytest.mark.native
@pytest.mark.parametrize(("size", "margin"), [(4, 1), (6, 0), (8, 1)])
def test_random_games_natively(size: int, margin: int) -> None:
    for seed in range(4):
        play(size, margin, seed, natively=True)


@given(SIZES, SEEDS)
@examples(100)
def test_any_position_as_a_naive_twin_sees_it(size: int, seed: int) -> None:
    """Also those that no game leads to: full lines, discs of one colour, a board with nothing on it."""
    dice = random.Random(seed)
    marks = dice.choice(["XO.", "XXXO", "XOOOO.", "XO" * 10 + ".", "X.", "."])
    rows = [[dice.choice(marks) for _ in range(size)] for _ in range(size)]
    naive, game = Naive(rows, dice.choice("XO")), Othello(size)
    state = game.parse_state(str(naive))
    compare(naive, game, state, natively=False)
    for action in game.legal(state):
        move = game.format_action(state, action)
        assert game.format_state(game.result(state, action)) == str(naive.after(move))


def test_a_pass_is_the_only_move_where_there_is_no_other() -> None:
    game = Othello(4)
    state = game.parse_state("-OXX ---- ---- ---- O")
    assert game.legal(state) == [PASS]
    after = game.result(state, PASS)
    assert after == game.State(state.other, state.own, 0)
    assert [game.format_action(after, action) for action in game.legal(after)] == ["a1"]
    assert game.is_terminal(game.result(after, 0))


def test_the_game_ends_where_nobody_can_move() -> None:
    position = Position.from_text(Othello(), moves=WIPE_OUT)
    assert position.is_terminal
    assert position.state.own == 0
    assert len(position.history) == 9
    assert position.utilities == (64, -64), "the empty squares are the winner's"
    assert Position.from_text(Othello(margin=0), moves=WIPE_OUT).utilities == (1, -1)
    game = Othello(4)
    for text, worth in (("XXXX XXX- ---- OOOO O", 8), ("OOOO ---- ---- XXXX O", 0), ("---- ---- ---- ---- X", 0)):
        state = game.parse_state(text)
        assert game.is_terminal(state)
        assert game.utilities(state) == (worth, -worth)


def test_four_by_four_is_won_by_the_second_player() -> None:
    expected = Naive.start(4).value({})
    assert expected == -10
    for margin, worth in ((1, expected), (0, -1)):
        game = Othello(4, margin)
        assert negamax_alphabeta(game, game.initial(), -inf, inf, DEEPEST, Tally()) == worth


# What the game knows.


@given(st.sampled_from([0, 1]), SEEDS, st.integers(0, 8))
@examples(60)
def test_bounds_hold_the_value_on_four_by_four(margin: int, seed: int, empty: int) -> None:
    game = Othello(4, margin)
    state = walk(game, seed, empty)
    for player in (0, 1):
        low, high = game.bounds(state, player)
        assert game.utility_bounds[0] <= low <= high <= game.utility_bounds[1]
        assert low <= solved(game, state, player, natively=False) <= high


@pytest.mark.native
@pytest.mark.parametrize(("size", "margin"), [(8, 1), (8, 0), (6, 1)])
def test_bounds_hold_the_value_natively(size: int, margin: int) -> None:
    game = Othello(size, margin)
    tight = 0
    for seed in range(60):
        state = walk(game, seed, seed % 10)
        low, high = native.call(bounds_kernel, game, state, 0)
        assert (low, high) == game.bounds(state, 0) == tuple(-worth for worth in reversed(game.bounds(state, 1)))
        assert low <= solved(game, state, 0, natively=True) <= high
        tight += (low, high) != game.utility_bounds
    assert tight > 10


@pytest.mark.native
def test_exact_values_of_known_problems() -> None:
    """The first twelve, of 14 and 15 empty squares; the best move comes first."""
    game = Othello()
    for line in PROBLEMS[:12]:
        args = game.parse_state(line), -inf, inf
        value = native.run(bounded_negamax, game, *args, tally=Tally(), native=True)
        assert value == int(line.split(";")[1].partition(":")[2])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("-XXO XXX- OOO- OXX- X", (0, 4)),
        ("XXX- XO-- X--- --O- X", (5, 0)),
        ("XXXO -OX- ---- --O- X", (3, 1)),
        ("XXX- XXO- XOO- ---O X", (6, 1)),
        ("-X-- XXXX -X-- -X-- X", (0, 0)),
        ("OX-- XXXX -X-- -X-- X", (0, 1)),
        ("XOXO OXOX XOXO OXOX X", (8, 8)),
    ],
)
def test_stable_discs(text: str, counts: tuple[int, int]) -> None:
    game = Othello(4)
    state = game.parse_state(text)
    assert game.stable(state.own, state.other) == counts


@given(SIZES, SEEDS)
@examples(25)
def test_stable_discs_are_never_flipped(size: int, seed: int) -> None:
    """No later position has fewer discs of a player than were stable before."""
    game, dice = Othello(size), random.Random(seed)
    state, least = game.initial(), (0, 0)
    while not game.is_terminal(state):
        state = game.result(state, dice.choice(list(game.actions(state))))
        x, o = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        stable = game.stable(x, o)
        assert stable[0] >= least[0]
        assert stable[1] >= least[1]
        assert stable[0] <= x.count()
        assert stable[1] <= o.count()
        least = stable


@given(SIZES, SEEDS, st.integers(0, 60))
@examples(40)
def test_symmetries_are_the_turned_and_mirrored_boards(size: int, seed: int, empty: int) -> None:
    game = Othello(size)
    state = walk(game, seed, min(empty, size * size - 5))
    board = tuple(game.rows(state))
    images, turned = set(), board
    for _ in range(4):
        turned = tuple("".join(row) for row in zip(*turned[::-1], strict=True))
        images |= {turned, turned[::-1]}
    found = list(game.symmetries(state))
    assert len(found) == 7
    assert {tuple(game.rows(twin)) for twin in (state, *found)} == images
    for twin in found:
        assert twin.turn == state.turn
        assert len(game.legal(twin)) == len(game.legal(state))
        assert game.canonical_key(twin) == game.canonical_key(state)
        assert game.features(twin) == game.features(state)
        assert game.bounds(twin, 0) == game.bounds(state, 0)


@given(SIZES, st.sampled_from([0, 1]), SEEDS, st.integers(0, 60))
@examples(40)
def test_estimates_are_inside_the_bounds(size: int, margin: int, seed: int, empty: int) -> None:
    game = Othello(size, margin)
    state = walk(game, seed, min(empty, size * size - 5))
    worth = game.evaluate(state, 0)
    assert game.utility_bounds[0] < worth < game.utility_bounds[1]
    assert game.evaluate(state, 1) == -worth
    other = game.State(state.own, state.other, 1 - state.turn)
    assert game.features(other) == tuple(-feature for feature in game.features(state))
    assert game.moves_left(state) == sum(row.count(".") for row in game.rows(state))


@given(SIZES, SEEDS, st.integers(0, 60))
@examples(40)
def test_features_are_what_they_are_called(size: int, seed: int, empty: int) -> None:
    game = Othello(size)
    state = walk(game, seed, min(empty, size * size - 5))
    naive = Naive([list(row) for row in game.rows(state)], "X")
    places = {(row, column): naive.rows[row][column] for row in range(size) for column in range(size)}
    corners = {(row, column) for row in (0, size - 1) for column in (0, size - 1)}

    def near(place: tuple[int, int], marks: str) -> list[tuple[int, int]]:
        around = [(place[0] + down, place[1] + across) for down, across in WAYS]
        return [other for other in around if places.get(other, "") in [*marks]]

    def seen(mark: str, other: str) -> tuple[int, ...]:
        own = {place for place in places if places[place] == mark}
        danger = {place for place in own if any(places[corner] == "." for corner in corners & {*near(place, ".")})}
        diagonal = {place for place in danger if {*place} <= {1, size - 2}}
        frontier = [place for place in places if places[place] == "." and near(place, other)]
        return len(naive.squares(mark)), len(frontier), len(own & corners), len(diagonal), len(danger - diagonal)

    *plain, _ = game.features(state)
    assert plain == [x - o for x, o in zip(seen("X", "O"), seen("O", "X"), strict=True)]
    assert len(game.feature_names) == len(game.weights) == len(plain) + 1


@pytest.mark.native
def test_the_evaluation_beats_counting_discs() -> None:
    """Ten openings, each played with both colours, three plies deep."""
    wins = 0
    for seed in range(10):
        for side in (0, 1):
            players: list[Othello] = [Othello(), Greedy()]
            state = walk(players[0], seed, 54)
            while not players[0].is_terminal(state):
                game = players[state.turn ^ side]
                state = max(
                    (game.result(state, action) for action in game.actions(state)),
                    key=lambda child: native.run(
                        alphabeta, game, child, 1 - child.turn, -inf, inf, 2, tally=Tally(), native=True
                    ),
                )
            wins += players[0].utility(state, side) > 0
    assert wins >= 16


class Greedy(Othello):
    """Othello that counts discs."""

    weights = (1.0,)

    def features(self, state: Othello.State) -> tuple[float, ...]:
        lead = state.own.count() - state.other.count()
        return (lead if state.turn == 0 else -lead,)


# Text.


@pytest.mark.parametrize("line", PROBLEMS)
def test_known_problems(line: str) -> None:
    game = Othello()
    text, *moves = [part.strip() for part in line.rstrip("; \n").split(";")]
    state = game.parse_state(text)
    assert game.format_state(state) == text
    assert game.parse_state(line) == state
    legal = game.legal(state)
    assert moves
    assert all(game.parse_action(state, move.partition(":")[0]) in legal for move in moves)


def test_there_are_24_problems() -> None:
    assert len(PROBLEMS) == 24


@pytest.mark.parametrize(
    "text",
    [
        "---- -OX- -XO- ---- X",
        "-----OX--XO-----X",
        "..../.OX./.XO./.... X",
        "....\n.wb.\n.BW.\n....\nb\n",
        "-----o*--@O----- x;",
        "-----OX--XO----- X; b1:-10; c4:-10;",
    ],
)
def test_states_in_other_forms(text: str) -> None:
    game = Othello(4)
    assert game.parse_state(text) == game.initial()
    assert game.format_state(game.initial()) == "-----OX--XO----- X"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has 0 squares, not 16"),
        ("X", "has 0 squares, not 16"),
        ("-----OX--XO---- X", "has 15 squares, not 16"),
        ("-----OX--XO----XX X", "has 17 squares, not 16"),
        ("-----OX--XO-----X X", "has 17 squares, not 16"),
        ("-----OX--XO-----", "does not say who is to move"),
        ("-----OX--XO----- -", "does not say who is to move"),
        ("-----OX--XO----- ?", "does not say who is to move"),
        ("-----OX--QO----- X", "has 'Q' for a square"),
    ],
)
def test_refused_states(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Othello(4).parse_state(text)


@pytest.mark.parametrize("settings", [(5,), (2,), (10,), (0,), (8, 2), (6, -1)])
def test_refused_settings(settings: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="Othello needs size 4, 6 or 8, margin 0 or 1"):
        Othello(*settings)


def test_moves_as_text() -> None:
    game = Othello()
    spaced = Position.from_text(game, moves="f5 d6, C3 d3 c4")
    for text in ("f5d6c3d3c4", "F5D6C3D3C4", "f5d6 c3d3c4"):
        assert Position.from_text(game, moves=text).history == spaced.history == (37, 43, 18, 19, 26)
    assert game.split_moves("f5--d6paPASSps c3") == ["f5", "--", "d6", "pa", "PASS", "ps", "c3"]
    assert game.split_moves("f5d9 zz") == ["f5d9", "zz"]
    with pytest.raises(IllegalAction, match="'f5d9' is not legal"):
        Position.from_text(game, moves="f5d9")
    with pytest.raises(IllegalAction, match="legal are d3 c4 f5 e6"):
        Position.from_text(game, moves="pass")


@pytest.mark.parametrize("text", ["pass", "PASS", "--", "pa", "Ps"])
def test_passes_as_text(text: str) -> None:
    game = Othello(4)
    position = Position.from_text(game, "-OXX ---- ---- ---- O", text)
    assert position.history == (PASS,)
    assert game.format_action(position.states[0], PASS) == "pass"
    position.push_text("a1")
    assert str(position) == "XXXX------------ O"


def test_board() -> None:
    game = Othello(4)
    grid = game.board(game.parse_state("X--- -OX- -XO- ---O X"))
    assert (grid.width, grid.height) == (4, 4)
    assert grid.cells == ("X", "", "", "", "", "O", "X", "", "", "X", "O", "", "", "", "", "O")
    assert grid.owners[0] == 0
    assert grid.owners[15] == 1
    assert grid.rows == ("1", "2", "3", "4")
    assert grid.columns == ("a", "b", "c", "d")


def test_squares_of_small_boards_stay_where_they_are() -> None:
    state = Othello(6).initial()
    assert list(state.own | state.other) == [18, 19, 26, 27]
    assert Othello(6).full == Bits(0x3F3F3F3F3F3F)
