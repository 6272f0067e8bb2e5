"""Quoridor: a naive twin, leaf counts, paths that stay open, small boards solved two ways, symmetry, text, picture."""

from __future__ import annotations

import random
import re
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor import Naive, values
from trees import examples
from zermelo import native
from zermelo.bits import Bits, scatter
from zermelo.draw.text import lines
from zermelo.errors import BadInput, IllegalAction, LimitReached
from zermelo.games.quoridor import ACROSS, PRICE, Quoridor
from zermelo.position import Position
from zermelo.search.perft import perft
from zermelo.search.tally import Tally
from zermelo.solver.exact import solve

SEEDS = st.integers(0, 2**32)
COUNTS = {
    (3, 0): (3, 9, 20, 48, 108, 266),
    (3, 1): (11, 77, 316, 1172),
    (3, 2): (11, 77, 380, 1528),
    (5, 0): (3, 9, 30, 100, 330),
    (5, 3): (35, 1109),
    (9, 10): (131,),
    (11, 15): (203,),
}
"""Leaf counts by size and walls, as the naive twin counts them."""
PUZZLE = "e4 e6 7 7 O c3h e3h e6h a8h d2v g5v"


def walk(game: Quoridor, seed: int, plies: int) -> Quoridor.State:
    """A state of a random game that goes on; walls are put up more often than by chance alone."""
    dice = random.Random(seed)
    state = before = game.initial()
    for _ in range(plies):
        if game.is_terminal(state):
            return before
        actions = list(game.actions(state))
        steps = [action for action in actions if action < 128]
        walls = actions[len(steps) :]
        before, state = state, game.result(state, dice.choice(walls if walls and dice.random() < 0.7 else steps))
    return before if game.is_terminal(state) else state


def twin_of(game: Quoridor, state: Quoridor.State) -> Naive:
    """The twin of a state, read from its text."""
    x, o, *numbers, mover = game.format_state(state).split()[:5]
    pawns = tuple(("abcdefghijk".index(square[0]), int(square[1:]) - 1) for square in (x, o))
    walls = frozenset(game.format_state(state).split()[5:])
    return Naive(game.size, (pawns[0], pawns[1]), (int(numbers[0]), int(numbers[1])), walls, "XO".index(mover))


def names(game: Quoridor, state: Quoridor.State, actions: Any) -> list[str]:
    return [game.format_action(state, action) for action in actions]


# Rules.


@given(st.sampled_from([(3, 4), (5, 3), (5, 9), (5, 16), (7, 12), (9, 10), (11, 20)]), SEEDS, st.integers(0, 30))
@examples(40)
def test_a_naive_twin_says_the_same(setting: tuple[int, int], seed: int, plies: int) -> None:
    game = Quoridor(*setting)
    state = walk(game, seed, plies)
    twin = twin_of(game, state)
    moves = names(game, state, game.actions(state))
    assert sorted(moves) == sorted(twin.moves())
    assert game.count_actions(state) == len(moves)
    ways, (x_walls, o_walls) = (twin.distance(0), twin.distance(1)), twin.left
    lead = ways[1] - ways[0]
    detours = [twin.detour(player) if twin.left[1 - player] else 0 for player in range(2)]
    features = game.features(state)
    assert features[:3] == (lead, 1 - 2 * twin.turn, x_walls - o_walls)
    assert features[4:6] == (lead * (x_walls + o_walls), x_walls * ways[1] - o_walls * ways[0])
    assert features[6:] == (sqrt(x_walls) - sqrt(o_walls), detours[1] - detours[0])
    for move in random.Random(seed).sample(moves, min(5, len(moves))):
        after, child = twin.after(move), game.result(state, game.parse_action(state, move))
        assert str(after) == game.format_state(child)
        assert after.is_over() == game.is_terminal(child)
        assert after.has_paths()


@pytest.mark.parametrize("setting", COUNTS)
def test_leaf_counts(setting: tuple[int, int]) -> None:
    counts = COUNTS[setting]
    game = Quoridor(*setting)
    assert tuple(perft(game, game.initial(), depth, Tally()) for depth in range(1, len(counts) + 1)) == counts
    few = counts[:3] if setting[0] == 3 else counts[:1]
    assert tuple(Naive.start(*setting).count(depth) for depth in range(1, len(few) + 1)) == few


@pytest.mark.native
def test_leaf_counts_natively() -> None:
    game = Quoridor()
    assert native.run(perft, game, game.initial(), 2, tally=Tally(), native=True) == 16_677
    assert native.run(perft, game, game.initial(), 3, tally=Tally(), native=True) == 2_062_264


def shut_in(game: Any, seed: int, games: int, tally: Tally) -> int:
    """In how many states of random games a pawn has no path to its goal, or the player to move no step."""
    found, dice = 0, Bits(seed)
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state):
            tally.nodes += 1
            if tally.nodes > tally.limit:
                raise LimitReached
            sides = game.open_sides(state.across, state.upright)
            found += game.distance(state.x, game.top, sides) < 0 or game.distance(state.o, game.bottom, sides) < 0
            dice = scatter(dice + 1)
            wanted, chosen = int(dice >> 1) % game.count_actions(state), -1
            for place, action in enumerate(game.actions(state)):
                found += place == 0 and action >= ACROSS
                chosen = action if place == wanted else chosen
            state = game.result(state, chosen)
    return found


@pytest.mark.native
def test_random_play_leaves_both_players_a_path() -> None:
    tally = Tally()
    assert native.run(shut_in, Quoridor(5, 16), 1, 2_000, tally=tally, native=True) == 0
    assert tally.nodes > 50_000


# Small boards.


@pytest.mark.parametrize("setting", [(3, 0), (3, 1), (5, 0)])
def test_small_boards_are_solved_two_ways(setting: tuple[int, int]) -> None:
    """The second player wins, by retrograde analysis of the twin and by the engine."""
    start = Naive.start(*setting)
    assert values(start)[start] == solve(Quoridor(*setting), world="interpreted").value == -1


@pytest.fixture(scope="module")
def twins() -> dict[Naive, int]:
    """The value to X of all positions with three squares a side and two walls for each player."""
    return values(Naive.start(3, 2))


@given(SEEDS, st.integers(4, 12))
@examples(20)
def test_positions_are_solved_two_ways(twins: dict[Naive, int], seed: int, plies: int) -> None:
    game = Quoridor(3, 2)
    state = walk(game, seed, plies)
    found = solve(Position(game, state), world="interpreted").value
    assert found == twins[twin_of(game, state)] * (1 if state.turn == 0 else -1)


@pytest.mark.parametrize(("size", "walls", "games"), [(5, 1, 200), (9, 10, 20)])
def test_different_states_have_different_keys(size: int, walls: int, games: int) -> None:
    game = Quoridor(size, walls)
    before = [walk(game, seed, seed % 20) for seed in range(games)]
    states = {game.result(state, action) for state in before for action in game.actions(state)}
    assert len({game.key(state) for state in states}) == len(states) > 1_000


@pytest.mark.native
def test_values_along_a_line_of_best_play() -> None:
    """Each position is solved by itself; the second player wins."""
    lines = ["", "c2", "c2 c4", "c2 c4 c4h", "c2 c4 c4h d4"]
    positions = [Position.from_text(Quoridor(5, 1), moves=moves) for moves in lines]
    assert [solve(position, world="native").value for position in positions] == [-1, 1, -1, 1, -1]


def test_a_position_that_comes_back_twice_is_a_draw() -> None:
    position = Position(Quoridor(5, 0))
    position.push_text("b1 b5 c1 c5 b1 b5 c1")
    assert not position.is_terminal
    position.push_text("c5")
    assert position.is_repeated
    assert position.utilities == (0, 0)


# Pawns and walls.


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("e4 e5 10 10 X", "d4 f4 e3 e6"),
        ("e4 e5 9 10 X e5h", "d4 f4 e3 d5 f5"),
        ("e4 e5 8 10 X e5h d5v", "d4 f4 e3 f5"),
        ("e4 e5 9 10 X e4h", "d4 f4 e3"),
        ("e8 e9 10 10 X", "d8 f8 e7 d9 f9"),
        ("i4 h4 10 10 X", "i3 i5 g4"),
        ("a4 b4 9 10 X b4v", "a3 a5 b3 b5"),
        ("e5 e4 10 10 O", "d4 f4 e3 e6"),
    ],
    ids=["straight", "wall behind", "wall beside", "wall between", "edge behind", "sideways", "sideways wall", "other"],
)
def test_jumps(text: str, steps: str) -> None:
    game = Quoridor()
    state = game.parse_state(text)
    found = names(game, state, game.actions(state))
    assert sorted(name for name in found if name[-1] not in "hv") == sorted(steps.split())


def test_no_wall_overlaps_crosses_or_closes_the_last_path() -> None:
    game = Quoridor()
    state = game.parse_state("e1 e9 6 6 X a5h c5h e5h g5h a3v d6h d6v h3v".replace("d6v", "f7v"))
    legal = names(game, state, game.actions(state))
    assert "h5h" not in legal
    assert "h5v" in legal
    assert "h6h" in legal
    assert not {"a5h", "b5h", "d5h", "a5v", "d6v", "c6h", "e6h", "f8v", "f6v", "f7h"} & set(legal)


@given(st.sampled_from([(5, 3), (7, 6), (9, 10)]), SEEDS, st.integers(0, 24))
@examples(24)
def test_what_the_game_knows(setting: tuple[int, int], seed: int, plies: int) -> None:
    """Plausible actions are legal; the mirror is its own inverse and keeps moves and evaluation; text comes back."""
    game = Quoridor(*setting)
    state = walk(game, seed, plies)
    actions, plausible = list(game.actions(state)), list(game.plausible(state))
    assert set(plausible) <= set(actions)
    assert len(set(plausible)) == len(plausible)
    assert {action for action in actions if action < ACROSS} <= set(plausible)
    (mirrored,) = game.symmetries(state)
    assert list(game.symmetries(mirrored)) == [state]
    assert game.count_actions(mirrored) == len(actions)
    assert game.evaluate(mirrored, 0) == game.evaluate(state, 0)
    swapped = {letter: "abcdefghijk"[game.size - 1 - place] for place, letter in enumerate("abcdefghijk"[: game.size])}
    steps = {name for name in names(game, state, actions) if name[-1] not in "hv"}
    assert {swapped[name[0]] + name[1:] for name in steps} == {
        name for name in names(game, mirrored, game.actions(mirrored)) if name[-1] not in "hv"
    }
    assert game.parse_state(game.format_state(state)) == state
    assert game.evaluate(state, 1) == -game.evaluate(state, 0)
    assert -1 < game.evaluate(state, 0) < 1
    assert game.moves_left(state) > 0


@given(st.sampled_from([(5, 5), (7, 6)]), SEEDS, st.integers(0, 16))
@examples(16)
def test_gain_is_what_the_lead_changes_less_the_price_of_a_wall(
    setting: tuple[int, int], seed: int, plies: int
) -> None:
    game = Quoridor(*setting)
    state = walk(game, seed, plies)
    sign = 1 if state.turn == 0 else -1
    for action in list(game.actions(state))[seed % 8 :: 8]:
        child = game.result(state, action)
        longer = child.x_way - state.x_way, child.o_way - state.o_way
        price = PRICE if action >= ACROSS and longer != (0, 0) else 0
        assert game.gain(state, action) == pytest.approx(game.weights[0] * sign * (longer[1] - longer[0]) - price)


def test_a_lead_is_told_and_whoever_wins_the_race() -> None:
    game = Quoridor()
    assert game.features(game.parse_state("e5 e7 10 10 O"))[:3] == (2, -1, 0)
    game = Quoridor(9, 1)
    assert game.features(game.parse_state("e5 d5 1 0 X a1h"))[2:4] == (1, 1)
    assert game.features(game.parse_state("e5 d5 0 1 O a1h"))[2:4] == (-1, -1)
    assert game.features(game.parse_state("e5 d5 0 1 X a1h"))[2:4] == (-1, 0)


def test_a_wall_can_make_a_way_longer_by_so_many_steps() -> None:
    """X has a lane of his own, and the wall before its end sends him back."""
    game = Quoridor()
    assert game.features(game.parse_state("e5 a5 7 7 X d3v d5v d7v e3v e5v e7v"))[7] == 2 - 7
    assert game.features(game.parse_state("e5 a5 10 4 X d3v d5v d7v e3v e5v e7v"))[7] == 2 - 7
    game = Quoridor(walls=6)
    assert game.features(game.parse_state("e5 a5 6 0 X d3v d5v d7v e3v e5v e7v"))[7] == 2


# Text and pictures.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is too short"),
        ("e1 e9 10 10", "is too short"),
        ("z1 e9 10 10 X", "'z1' is no square"),
        ("e1h e9 10 10 X", "'e1h' is no square"),
        ("e1 j9 10 10 X", "'j9' is not on this board, whose squares go from a1 to i9"),
        ("e1 e10 10 10 X", "'e10' is not on this board"),
        ("e1 e9 11 9 X", "from 0 to 10 walls left for each player, not 11 and 9"),
        ("e1 e9 ten 10 X", "not ten and 10"),
        ("e1 e9 ١٠ 10 X", "from 0 to 10 walls left"),
        ("e1 e9 10 10 Z", "write X or O as the fifth word, not 'Z'"),
        ("e1 e9 9 10 X", "has 0 walls on the board and 9 and 10 left: of 10 for each player that should make 20"),
        ("e1 e9 9 10 X e3", "'e3' is no wall"),
        ("e1 e9 9 10 X i3h", "'i3h' would lie beyond the edge: walls go from a1 to h8"),
        ("e1 e9 9 10 X e9v", "'e9v' would lie beyond the edge"),
        ("e1 e9 9 9 X e3h f3h", "e3h and f3h overlap"),
        ("e1 e9 9 9 X e3h e3h", "e3h and e3h overlap"),
        ("e1 e9 9 9 X e4v e3v", "e3v and e4v overlap"),
        ("e1 e9 9 9 X e3v e3h", "e3h and e3v cross"),
        ("e4 e4 10 10 X", "has both pawns on e4"),
        ("e1 e9 8 7 X a1h c1h e1h g1h h1v", "leaves X no path"),
        ("e9 e5 10 10 X", "lets X move, who has won already"),
        ("e9 e1 10 10 X", "who has won already"),
    ],
)
def test_impossible_positions_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        Quoridor().parse_state(text)


@given(st.text("abeikx019hvXO -\t\u0664²", max_size=40))
@examples(100)
def test_any_text_is_read_or_refused(text: str) -> None:
    game = Quoridor(5, 1)
    try:
        state = game.parse_state(text)
    except BadInput:
        return
    assert game.parse_state(game.format_state(state)) == state


def test_illegal_moves_are_refused() -> None:
    game = Quoridor()
    state = game.parse_state(PUZZLE)
    assert game.parse_action(state, "A1H") == ACROSS
    with pytest.raises(IllegalAction, match="'e7' is not legal"):
        game.parse_action(state, "e7")
    with pytest.raises(IllegalAction, match="'e3v' is not legal"):
        game.parse_action(state, "e3v")


@pytest.mark.parametrize("settings", [{"size": 8}, {"size": 1}, {"size": 13}, {"walls": -1}, {"size": 3, "walls": 5}])
def test_bad_settings_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=r"Quoridor.*needs"):
        Quoridor(**settings)


def test_walls_by_size() -> None:
    assert [Quoridor(size).walls for size in (3, 5, 7, 9, 11)] == [1, 3, 6, 10, 15]


def test_the_picture_shows_walls() -> None:
    game = Quoridor(5)
    state = game.parse_state("c2 c4 1 2 O b2h d3h a3v")
    assert lines(game.board(state)) == [
        "  ┌───────────────────┐",
        "5 │                   │",
        "  │   ╻   ·   ·   ·   │",
        "4 │   ┃     O         │",
        "  │   ┃   ·   ╺━━━━━━━┥",
        "3 │   ┃               │",
        "  │   ┗━━━━━━━╸   ·   │",
        "2 │         X         │",
        "  │   ·   ·   ·   ·   │",
        "1 │                   │",
        "  └───────────────────┘",
        "    a   b   c   d   e",
        "walls left: X 1, O 2",
    ]
