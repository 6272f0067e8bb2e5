"""2048 against a second version of its rules on lists, the bound on its score, and what is refused."""

from __future__ import annotations

import random
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import solve
from zermelo.errors import BadInput
from zermelo.game import CHANCE
from zermelo.games.twenty_forty_eight import NAMES, TwentyFortyEight

SIZES = [(4, 4), (3, 4), (4, 3), (2, 2), (2, 4), (3, 2)]


def slid_list(line: list[int]) -> tuple[list[int], int]:
    """A line of numbers slid to its beginning, and what that scores."""
    tiles, score = [number for number in line if number], 0
    place = 0
    while place + 1 < len(tiles):
        if tiles[place] == tiles[place + 1]:
            tiles[place] *= 2
            score += tiles[place]
            del tiles[place + 1]
        place += 1
    return tiles + [0] * (len(line) - len(tiles)), score


def slid_rows(rows: list[list[int]], name: str) -> tuple[list[list[int]], int]:
    """All rows slid to one side."""
    if name in ("up", "down"):
        turned, score = slid_rows(
            [list(column) for column in zip(*rows, strict=True)], {"up": "left", "down": "right"}[name]
        )
        return [list(row) for row in zip(*turned, strict=True)], score
    if name == "right":
        mirrored, score = slid_rows([row[::-1] for row in rows], "left")
        return [row[::-1] for row in mirrored], score
    pairs = [slid_list(row) for row in rows]
    return [row for row, _ in pairs], sum(score for _, score in pairs)


@st.composite
def boards(draw: st.DrawFn) -> tuple[TwentyFortyEight, list[list[int]]]:
    """Any tiles short of the target, on a board of any size."""
    width, height = draw(st.sampled_from(SIZES))
    tile = st.sampled_from([0, 0, 0, 2, 2, 4, 4, 8, 8, 16, 1024, 16384])
    return TwentyFortyEight(width, height), [[draw(tile) for _ in range(width)] for _ in range(height)]


def state_of(game: TwentyFortyEight, rows: list[list[int]]) -> TwentyFortyEight.State:
    tiles = [number.bit_length() - 1 if number else 0 for row in rows for number in row]
    return game.State(type(game.initial().tiles)(sum(tile << 4 * cell for cell, tile in enumerate(tiles))), 0, 0)


@examples(300)
@given(boards())
def test_slides_are_those_of_the_second_version(made: tuple[TwentyFortyEight, list[list[int]]]) -> None:
    game, rows = made
    state = state_of(game, rows)
    expected = {name: slid_rows(rows, name) for name in NAMES}
    moving = [name for name in NAMES if expected[name][0] != rows]
    assert [NAMES[action] for action in game.actions(state)] == moving
    if any(map(any, rows)):
        assert game.is_terminal(state) == (not moving)
    for name in moving:
        after, score = expected[name]
        child = game.result(state, NAMES.index(name))
        assert game.numbers(child) == [number for row in after for number in row]
        assert (child.score, child.adding) == (score, 0 if 32768 in game.numbers(child) else 1)


@examples(100)
@given(boards())
def test_chance_adds_a_tile_where_there_is_none(made: tuple[TwentyFortyEight, list[list[int]]]) -> None:
    game, rows = made
    state = state_of(game, rows)._replace(adding=1)
    before = game.numbers(state)
    outcomes = list(game.outcomes(state))
    assert len(outcomes) == 2 * before.count(0)
    if outcomes:
        assert fsum(chance for _, chance in outcomes) == pytest.approx(1)
    for action, chance in outcomes:
        after = game.numbers(game.result(state, action))
        ((cell, number),) = [(cell, after[cell]) for cell in range(game.cells) if after[cell] != before[cell]]
        assert chance == pytest.approx({2: 0.9, 4: 0.1}[number] / before.count(0))
        assert f"={number}" in game.format_action(state, action)
        assert before[cell] == 0


@pytest.mark.parametrize(("width", "height", "target"), [(4, 4, 16), (2, 2, 8), (2, 2, 32768), (3, 2, 64), (2, 3, 128)])
def test_the_score_stays_within_its_bounds_and_is_that_of_its_tiles(width: int, height: int, target: int) -> None:
    game = TwentyFortyEight(width, height, target)
    for seed in range(30):
        dice, state = random.Random(seed), game.initial()
        while not game.is_terminal(state):
            assert game.parse_state(game.format_state(state)) == state
            assert 0 < game.evaluate(state, 0) < game.utility_bounds[1]
            state = game.result(state, dice.choice(game.legal(state)))
        assert game.parse_state(game.format_state(state)) == state
        assert state.score < game.utility_bounds[1]
        assert state.adding == 0
        assert game.to_move(state) == 0


def test_the_best_score_of_the_smallest_board() -> None:
    """The best average on 2 × 2 cells; of the five last tiles 32 can be made, so the bound is well above."""
    found = solve(TwentyFortyEight(2, 2, 16), world="interpreted")
    assert found.value == pytest.approx(best_average(TwentyFortyEight(2, 2, 16)), abs=1e-9)


def best_average(game: TwentyFortyEight) -> float:
    """The best average score, by what is still to come from each board: scores so far don't matter."""
    known: dict[tuple[int, int], float] = {}

    def coming(state: TwentyFortyEight.State) -> float:
        key = int(state.tiles), state.adding
        if key not in known:
            bare = state._replace(score=0)
            if game.is_terminal(bare):
                known[key] = 0.0
            elif game.to_move(bare) == CHANCE:
                known[key] = sum(chance * coming(game.result(bare, action)) for action, chance in game.outcomes(bare))
            else:
                children = [game.result(bare, action) for action in game.actions(bare)]
                known[key] = max(child.score + coming(child) for child in children)
        return known[key]

    return coming(game.initial())


def test_tiles_in_order_look_better_than_the_same_in_a_jumble() -> None:
    game = TwentyFortyEight()
    order, jumble = (
        game.parse_state(f"{rows} score=7000 adding=0")
        for rows in ("512,256,128,64/4,8,16,32/2,.,.,./.,.,.,.", "4,512,.,64/.,8,256,./128,2,16,./.,32,.,.")
    )
    assert game.evaluate(order, 0) > game.evaluate(jumble, 0) > 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("2,2/2 score=0 adding=0", "is no state of 2048, which is written like .,./.,. score=0 adding=2"),
        ("2,2/2,2", "is no state of 2048"),
        ("2,3/.,. score=0 adding=0", "'3' is no tile: tiles are powers of 2 from 2 to 16"),
        ("2,32/.,. score=0 adding=0", "'32' is no tile"),
        ("2,8/.,. score=4 adding=0", "tiles like these score from 8 to 16, in fours"),
        ("2,8/.,. score=10 adding=0", "in fours"),
        ("2,4/2,4 score=0 adding=1", "only where there is room"),
        ("2,./.,. score=0 adding=0", "two tiles are added at first"),
        (".,./.,. score=0 adding=1", "two tiles are added at first"),
        ("2,./.,. score=0 adding=2", "one after each slide"),
        ("2,2/.,. score=0 adding=2", "one after each slide"),
        ("16,./.,2 score=40 adding=1", "none at the end"),
    ],
)
def test_what_is_no_state(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as caught:
        TwentyFortyEight(2, 2, 16).parse_state(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("settings", [{"width": 1}, {"height": 5}, {"target": 4}, {"target": 100}, {"target": 65536}])
def test_settings_that_make_no_game(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="2048 needs a width and a height from 2 to 4"):
        TwentyFortyEight(**settings)
