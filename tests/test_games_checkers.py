"""Checkers: leaf counts, a naive twin in both worlds, the rules one by one, what it knows, positions as text."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import native
from zermelo.bits import Bits
from zermelo.check.kernels import view_kernel
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.checkers import Checkers
from zermelo.games.checkers.layout import place_of, places, square_at
from zermelo.games.checkers.notation import squares_of
from zermelo.native import is_enabled
from zermelo.position import Position
from zermelo.search.perft import perft
from zermelo.search.tally import Tally

GAME = Checkers()
SEEDS = st.integers(0, 2**32)
COUNTS = [1, 7, 49, 302, 1_469, 7_361, 36_768, 179_740]
"""Leaf counts from the start; to depth 10 (18,391,564) they were counted by `zermelo perft checkers`."""
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


class Naive:
    """Checkers as a mapping from (row, column) to b, w, B or W, walked square by square."""

    def __init__(self, pieces: dict[tuple[int, int], str], mover: str) -> None:
        self.pieces, self.mover = pieces, mover

    @classmethod
    def read(cls, fen: str) -> Naive:
        mover, *sides = fen.split(":")
        pieces = {}
        for side in sides:
            for name in side[1:].split(",") if side[1:] else ():
                letter = side[0] if name[0] == "K" else side[0].lower()
                pieces[cls.spot(int(name.lstrip("K")))] = letter
        return cls(pieces, mover)

    @staticmethod
    def spot(square: int) -> tuple[int, int]:
        row, column = divmod(square - 1, 4)
        return row, 2 * column + 1 - row % 2

    @staticmethod
    def square(spot: tuple[int, int]) -> int:
        return 4 * spot[0] + spot[1] // 2 + 1

    def ways(self, piece: str) -> list[tuple[int, int]]:
        downs = {"b": [1], "w": [-1]}.get(piece, [1, -1])
        return [(down, across) for down in downs for across in (-1, 1)]

    def jumps(self, spot: tuple[int, int], piece: str, pieces: dict[tuple[int, int], str]) -> list[list[Any]]:
        """The ways to jump on from a spot, each as the spots passed; `pieces` are those still there."""
        found = []
        for down, across in self.ways(piece):
            over, land = (spot[0] + down, spot[1] + across), (spot[0] + 2 * down, spot[1] + 2 * across)
            inside = 0 <= land[0] < 8 and 0 <= land[1] < 8
            if inside and pieces.get(over, self.mover).upper() != self.mover and land not in pieces:
                rest = {place: each for place, each in pieces.items() if place != over}
                onwards = self.jumps(land, piece, rest)
                found += [[land, *more] for more in onwards] or [[land]]
        return found

    def moves(self) -> list[tuple[int, ...]]:
        """The legal moves as squares touched."""
        jumps, steps = [], []
        for spot, piece in self.pieces.items():
            if piece.upper() != self.mover:
                continue
            others = {place: each for place, each in self.pieces.items() if place != spot}
            jumps += [[spot, *path] for path in self.jumps(spot, piece, others)]
            for down, across in self.ways(piece):
                land = spot[0] + down, spot[1] + across
                if 0 <= land[0] < 8 and 0 <= land[1] < 8 and land not in self.pieces:
                    steps.append([spot, land])
        return sorted(tuple(map(self.square, path)) for path in jumps or steps)

    def after(self, move: tuple[int, ...]) -> Naive:
        spots = [self.spot(square) for square in move]
        pieces = dict(self.pieces)
        piece = pieces.pop(spots[0])
        for (row, column), (next_row, next_column) in pairwise(spots):
            if abs(next_row - row) == 2:
                del pieces[(row + next_row) // 2, (column + next_column) // 2]
        is_crowned = spots[-1][0] == {"b": 7, "w": 0}.get(piece)
        pieces[spots[-1]] = piece.upper() if is_crowned else piece
        return Naive(pieces, "W" if self.mover == "B" else "B")

    def side(self, letter: str) -> str:
        squares = sorted((self.square(spot), piece) for spot, piece in self.pieces.items() if piece.upper() == letter)
        return ",".join(("K" if piece.isupper() else "") + str(square) for square, piece in squares)

    def __str__(self) -> str:
        return f"{self.mover}:W{self.side('W')}:B{self.side('B')}"


def fen(state: Checkers.State) -> str:
    """The position alone."""
    return GAME.format_state(state._replace(quiet=0))


def compare(naive: Naive, state: Checkers.State, natively: bool) -> None:
    """Hold all that the rules say of a position against the twin."""
    moves = naive.moves()
    assert fen(state) == str(naive)
    found = {squares_of(action): action for action in GAME.actions(state)}
    assert sorted(found) == moves
    assert GAME.count_actions(state) == len(list(GAME.actions(state))) == len(moves)
    assert GAME.can_move(state) == bool(moves)
    is_jump = bool(moves) and len(naive.after(moves[0]).pieces) < len(naive.pieces)
    assert list(GAME.noisy(state)) == (list(GAME.actions(state)) if is_jump else [])
    assert GAME.threatened(state) == is_jump
    for move in moves:
        assert fen(GAME.result(state, found[move])) == str(naive.after(move))
    if natively:
        assert list(native.call(view_kernel, GAME, state)) == list(view_kernel(GAME, state))


def play(seed: int, natively: bool, position: str = START) -> None:
    """A random game of at most 60 moves, in step with the twin."""
    dice = random.Random(seed)
    state, naive = GAME.parse_state(position), Naive.read(position)
    for _ in range(60):
        compare(naive, state, natively)
        actions = list(GAME.actions(state))
        if not actions:
            assert GAME.utilities(state) == ((-1, 1) if state.turn == 0 else (1, -1))
            return
        action = dice.choice(actions)
        state, naive = GAME.result(state, action), naive.after(squares_of(action))


def scattered(seed: int) -> str:
    """A position with pieces anywhere, many of them kings, and mostly more of the other's."""
    dice = random.Random(seed)
    squares = dice.sample(range(1, 33), dice.randint(2, 18))
    mover, share, crowned = dice.choice("BW"), dice.choice([0.1, 0.3, 0.5]), dice.choice([0.2, 0.9])
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for number, square in enumerate(squares):
        letter = mover if number == 0 or (number > 1 and dice.random() < share) else "BW"[mover == "B"]
        is_king = dice.random() < crowned or square in (range(29, 33) if letter == "B" else range(1, 5))
        if len(sides[letter]) < 12:
            sides[letter].append("K" * is_king + str(square))
    text = f"{mover}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
    return str(Naive.read(text))


# The rules.


def test_leaf_counts() -> None:
    depths = range(6 if is_enabled() else 5)
    assert [perft(GAME, GAME.initial(), depth, Tally()) for depth in depths] == COUNTS[: len(depths)]


@pytest.mark.native
def test_leaf_counts_natively() -> None:
    found = [native.run(perft, GAME, GAME.initial(), depth, tally=Tally(), native=True) for depth in range(8)]
    assert found == COUNTS


@given(SEEDS)
@examples(12)
def test_random_games_as_a_naive_twin_plays_them(seed: int) -> None:
    play(seed, natively=False)


@given(SEEDS)
@examples(150)
def test_any_position_as_a_naive_twin_sees_it(seed: int) -> None:
    position = scattered(seed)
    compare(Naive.read(position), GAME.parse_state(position), natively=False)


@pytest.mark.native
def test_random_games_natively() -> None:
    for seed in range(8):
        play(seed, natively=True, position=START if seed % 2 else scattered(seed))
    for seed in range(300):
        position = scattered(seed)
        compare(Naive.read(position), GAME.parse_state(position), natively=True)


def legal(position: str) -> list[str]:
    """The moves in a position as text, sorted."""
    state = GAME.parse_state(position)
    texts = [GAME.format_action(state, action) for action in GAME.legal(state)]
    assert [GAME.parse_action(state, text) for text in texts] == GAME.legal(state)
    return sorted(texts)


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        (START, "10-14 10-15 11-15 11-16 12-16 9-13 9-14"),
        ("B:W15,26:B1,10", "10x19"),
        ("B:W15,23:B10", "10x26"),
        ("B:W14,15,23:B10", "10x17 10x26"),
        ("B:W6,26:B10", "10-14 10-15"),
        ("B:W6,26:BK10", "10x1"),
        ("W:W11:B7,8", "11x2 11x4"),
        ("B:W26,27:B22", "22x31"),
        ("B:W26,27:BK22", "22x24"),
        ("B:W9,10,17,18:BK14", "14x21 14x23 14x5 14x7"),
        ("B:W10,11,18,19:B7", "7x14x23 7x16x23"),
        ("B:W10,11,18,19,32:BK7", "7x14x23x16x7 7x16x23x14x7"),
    ],
)
def test_moves_by_hand(position: str, moves: str) -> None:
    """Jumps are forced, men go forward, a man that is crowned stops, no piece is jumped twice, any jump will do."""
    state = GAME.parse_state(position)
    texts = [GAME.format_action(state, action) for action in GAME.legal(state)]
    assert sorted(texts) == moves.split()
    assert [GAME.parse_action(state, text) for text in texts] == GAME.legal(state)


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("B:W26,27:B22", "22x31", "W:W27:BK31"),
        ("B:W26,27:BK22:H9", "22x31x24", "W:W:BK24"),
        ("W:W5,6:BK32:H9", "5-1", "B:WK1,6:BK32"),
        ("W:W6:BK1,K32:H9", "6-2", "B:WK2:BK1,K32"),
        ("W:WK6:BK2,K32:H9", "6-9", "B:WK9:BK2,K32:H10"),
        ("B:W10,11,18,19,32:BK7:H3", "7x7", "W:W32:BK7"),
    ],
)
def test_what_a_move_does(position: str, move: str, after: str) -> None:
    state = GAME.parse_state(position)
    assert GAME.format_state(GAME.result(state, GAME.parse_action(state, move))) == after


@pytest.mark.parametrize(
    ("position", "worth"),
    [
        ("B:W9,14:B5", -1),
        ("W:W28:B19,24", 1),
        ("B:W9:B", -1),
        ("W:W:BK1", 1),
        ("B:WK32:BK1:H80", 0),
        ("B:W9,14:B5:H80", -1),
    ],
)
def test_ends(position: str, worth: int) -> None:
    state = GAME.parse_state(position)
    assert GAME.is_terminal(state)
    assert GAME.utilities(state) == (worth, -worth)
    assert GAME.legal(state) == []
    with pytest.raises(IllegalAction, match="not legal"):
        GAME.parse_action(state, "1-5")


def test_draws() -> None:
    """A position for the third time, or 40 moves of each player by kings without a jump."""
    position = Position.from_text(GAME, "B:WK32:BK1:H2", "1-5 32-28 5-1 28-32 1-5 32-28 5-1")
    assert not position.is_terminal
    position.push_text("28-32")
    assert position.is_terminal
    assert position.utilities == (0, 0)
    late = Position.from_text(GAME, "B:WK32:BK1:H78", "1-5")
    assert not late.is_terminal
    late.push_text("32-28")
    assert late.is_terminal
    assert late.utilities == (0, 0)
    endless = Checkers(limit=0)
    assert endless.result(endless.parse_state("B:WK32:BK1:H80"), GAME.parse_action(late.states[0], "1-5")).quiet == 0


# What the game knows.


def test_keys() -> None:
    """Quiet moves don't make another position; for tables they count once they may be seen to end the game."""
    early, more, late = (GAME.parse_state(f"B:WK32:BK1:H{quiet}") for quiet in (3, 40, 41))
    assert GAME.recurrence(early) == GAME.recurrence(more) == GAME.recurrence(late)
    assert GAME.key(early) == GAME.key(more) != GAME.key(late)
    assert GAME.recurrence(early) != GAME.recurrence(early._replace(turn=1))
    assert GAME.recurrence(early) != GAME.recurrence(early._replace(kings=Bits(0)))


@pytest.mark.parametrize(
    ("position", "move", "gain"),
    [
        (START, "11-15", 0),
        ("B:W15,26:B1,10", "10x19", 0.05),
        ("B:WK15,26:B1,10", "10x19", 0.065),
        ("B:W15,23:B10", "10x26", 0.1),
        ("B:W15,24,28:B10", "10x19", 0),
        ("B:W15,23,30:B10", "10x26", 0.05),
    ],
)
def test_gain(position: str, move: str, gain: float) -> None:
    state = GAME.parse_state(position)
    assert GAME.gain(state, GAME.parse_action(state, move)) == pytest.approx(gain)


def turned(state: Checkers.State) -> Checkers.State:
    """The same with colours exchanged, seen from the other side of the board."""
    own, other, kings = (places(33 - square_at(place) for place in pieces) for pieces in state[:3])
    return Checkers.State(own, other, kings, 1 - state.turn, state.quiet)


@given(SEEDS)
@examples(100)
def test_features_are_what_they_are_called(seed: int) -> None:
    position = scattered(seed)
    state, naive = GAME.parse_state(position), Naive.read(position)
    if GAME.is_terminal(state):
        return
    values = dict(zip(GAME.feature_names, GAME.features(state), strict=True))
    pieces = naive.pieces.items()

    def told(black: set[int], white: set[int], letters: str) -> int:
        """How many of Black's pieces with these letters are on squares, less White's."""
        counts = [
            sum(each in pair and naive.square(spot) in squares for spot, each in pieces)
            for pair, squares in ((letters, black), (letters.swapcase().translate(SWAP), white))
        ]
        return counts[0] - counts[1]

    every, centre, edge = set(range(1, 33)), {14, 15, 18, 19}, {5, 12, 13, 20, 21, 28}
    inner = {naive.square((row, column)) for row in range(1, 7) for column in range(1, 7) if (row + column) % 2}
    assert values["men"] == told(every, every, "b")
    assert values["kings"] == told(every, every, "B")
    assert values["lead"] == told(every, every, "bB") / len(pieces)
    assert values["guards"] == told({1, 3}, {30, 32}, "b")
    for row in range(1, 7):
        squares = {4 * row + number for number in range(1, 5)}
        assert values[f"row-{row + 1}"] == told(squares, {33 - square for square in squares}, "b")
    down = sum(row * values[f"row-{row + 1}"] for row in range(1, 7))
    assert values["late"] == pytest.approx(down * (24 - len(pieces)) / 24)
    assert values["edge"] == told(edge, edge, "b")
    assert values["centre"] == told(centre, centre, "b")
    assert values["backed"] == backed(naive, "b") - backed(naive, "w")
    assert values["inner-kings"] == told(inner, inner, "B")
    assert values["mobility"] == steps(naive, "B") - steps(naive, "W")
    assert values["threats"] == jumpers(naive, "B") - jumpers(naive, "W")
    assert values["runaways"] == sum(runs(naive, spot, each) for spot, each in pieces)
    assert values["tempo"] == (1 if naive.mover == "B" else -1)
    assert GAME.features(turned(state)) == tuple(-value for value in GAME.features(state))
    assert -1 < GAME.evaluate(state, 0) == -GAME.evaluate(state, 1) < 1


def backed(naive: Naive, man: str) -> int:
    """How many pieces of his own stand right behind the men of a colour."""
    return sum(
        naive.pieces.get((spot[0] - down, spot[1] + across), "").lower() == man
        for spot, piece in naive.pieces.items()
        if piece == man
        for down, across in naive.ways(piece)
    )


def jumpers(naive: Naive, letter: str) -> int:
    """How many pieces of a colour could jump, if it were to move."""
    moves = Naive(naive.pieces, letter).moves()
    is_jump = moves and abs(naive.spot(moves[0][0])[0] - naive.spot(moves[0][1])[0]) == 2
    return len({move[0] for move in moves}) if is_jump else 0


SWAP = str.maketrans("bBwW", "WwBb")


def steps(naive: Naive, letter: str) -> int:
    """How many steps a colour's pieces could make, if nothing had to be jumped."""
    return sum(
        0 <= spot[0] + down < 8 and 0 <= spot[1] + across < 8 and (spot[0] + down, spot[1] + across) not in naive.pieces
        for spot, piece in naive.pieces.items()
        if piece.upper() == letter
        for down, across in naive.ways(piece)
    )


def runs(naive: Naive, spot: tuple[int, int], piece: str) -> int:
    """1 for a man of Black with nothing of White in the triangle before him, -1 the other way round, else 0."""
    sign = {"b": 1, "w": -1}.get(piece, 0)
    met = any(
        other.lower() != piece and abs(column - spot[1]) <= sign * (row - spot[0])
        for (row, column), other in naive.pieces.items()
    )
    return 0 if met else sign


@pytest.mark.parametrize(
    ("position", "owner"),
    [("B:W23:B15", -1), ("W:W23:B15", 1), ("B:W19:B10", -1), ("B:W23:B10", 1), ("B:W19,32:B10", 0)],
)
def test_who_has_the_move(position: str, owner: int) -> None:
    """One man each: whoever moves up to the other last has the move."""
    state = GAME.parse_state(position)
    assert GAME.features(state)[GAME.feature_names.index("move")] == owner


def test_moves_left_is_less_with_fewer_pieces() -> None:
    start, end = GAME.initial(), GAME.parse_state("B:WK32:BK1")
    assert 60 < GAME.moves_left(start) < 100
    assert 0 < GAME.moves_left(end) < GAME.moves_left(start)


# Text.


@given(SEEDS, st.integers(0, 80))
@examples(60)
def test_positions_come_back_from_their_text(seed: int, quiet: int) -> None:
    position = scattered(seed) + (f":H{quiet}" if quiet else "")
    state = GAME.parse_state(position)
    assert GAME.format_state(state) == position
    assert state.own & state.other == 0
    assert state.kings & ~(state.own | state.other) == 0


@pytest.mark.parametrize(
    "text",
    [
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "B:B1-12:W21-32.",
        " b : w21-32 : b1-12 ",
        "B:W21-32:B1-12:H0:F1",
    ],
)
def test_positions_in_other_forms(text: str) -> None:
    assert GAME.parse_state(text) == GAME.initial()


def test_a_side_without_pieces_may_be_left_out() -> None:
    assert GAME.parse_state("W:BK3") == GAME.parse_state("W:W:BK3")
    assert GAME.parse_state("B:WK1-K3,5:B12") == GAME.parse_state("B:W5,K1,K2,K3:B12")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "does not begin with B: or W:"),
        ("B", "does not begin with B: or W:"),
        ("?:W1:B2", "does not begin with B: or W:"),
        ("B:Q1:B2", "has 'Q1': write W and B before the squares"),
        ("B::B2", "has '': write W"),
        ("B:W21:W22:B2", "has twice 'W22'"),
        ("B:W33:B2", "has '33' for a piece: write a square from 1 to 32"),
        ("B:W0:B2", "has '0' for a piece"),
        ("B:W21,:B2", "has '' for a piece"),
        ("B:W22-21:B2", "has '22-21' for a piece"),
        ("B:W²:B2", "has '²' for a piece"),
        ("B:W21,KK5:B2", "has 'KK5' for a piece"),
        ("B:W21,21:B2", "has two pieces on 21"),
        ("B:W21,K21:B2", "has two pieces on 21"),
        ("B:W21:B21", "has two pieces on 21"),
        ("B:W13-25:B2", "has 13 pieces of White: 12 is all there are"),
        ("B:W21:B30", "has a man of Black on 30, where he is a king: write K30"),
        ("B:W2:B12", "has a man of White on 2"),
        ("B:W:B2", "has no piece of White, who is not to move"),
        ("W:W:B", "has no piece of Black"),
        ("B:W21:B2:H81", "has 81 quiet moves: after 80 the game is over"),
        ("B:W21:B2:Hx", "has 'HX' for the number of quiet moves"),
        ("B:W21:B2:H" + "9" * 5000, "has 'H9999"),
        ("B:" * 50_000, "has twice 'B'"),
        ("W" * 1_000_000, "'W{60}'… does not begin"),
    ],
)
def test_refused_positions(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as refusal:
        GAME.parse_state(text)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("limit", [-1, 1001])
def test_refused_settings(limit: int) -> None:
    with pytest.raises(BadInput, match="a limit of 0 to 1,000 moves"):
        Checkers(limit)


def test_moves_as_text() -> None:
    spaced = Position.from_text(GAME, moves="11-15 23-18 8-11 27-23 10-14")
    for text in (
        "11-15, 23x18 8:11 27-23 10x14",
        "1. 11-15 23-18 2. 8-11 27-23 3. 10-14",
        "1.11-15 23-18 2.8-11 27-23 10-14",
    ):
        assert Position.from_text(GAME, moves=text).history == spaced.history
    for text in ("11-14", "11", "11-15-19", "pass", "11--15", "١١-15"):
        with pytest.raises(IllegalAction, match=re.escape(f"{text!r} is not legal")):
            Position.from_text(GAME, moves=text)


def test_jumps_as_text() -> None:
    state = GAME.parse_state("B:W10,11,18,19:B7")
    with pytest.raises(IllegalAction, match=r"'7x23' is not legal in .*; legal are 7x14x23 7x16x23"):
        GAME.parse_action(state, "7x23")
    far = GAME.parse_state("B:W15,23:B10")
    assert GAME.parse_action(far, "10x26") == GAME.parse_action(far, "10x19x26") == GAME.parse_action(far, "10-26")
    with pytest.raises(IllegalAction):
        GAME.parse_action(far, "10x19")


def test_board() -> None:
    grid = GAME.board(GAME.parse_state("B:W5,K7:B1,K32"))
    assert (grid.width, grid.height) == (8, 8)
    assert grid.cells[:16] == ("", "b", "", "2", "", "3", "", "4", "w", "", "6", "", "W", "", "8", "")
    assert grid.cells[56:] == ("29", "", "30", "", "31", "", "B", "")
    assert [index for index, owner in enumerate(grid.owners) if owner == 0] == [1, 62]
    assert [index for index, owner in enumerate(grid.owners) if owner == 1] == [8, 12]
    assert grid.rows == ("1-4", "5-8", "9-12", "13-16", "17-20", "21-24", "25-28", "29-32")


def test_squares_lie_where_steps_are_shifts() -> None:
    assert [square_at(place_of(square)) for square in range(1, 33)] == list(range(1, 33))
    for square in range(1, 33):
        row, column = Naive.spot(square)
        for step, (down, across) in zip((4, 5, -4, -5), ((1, -1), (1, 1), (-1, 1), (-1, -1)), strict=True):
            beyond = place_of(square) + step
            inside = 0 <= row + down < 8 and 0 <= column + across < 8
            assert (beyond in places(range(1, 33))) == inside
            assert not inside or square_at(beyond) == Naive.square((row + down, column + across))
