"""Backgammon: plays against a naive twin and two other programs, ends, dice, text, IDs, judgement, bad input."""

from __future__ import annotations

import io
import os
import random
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import backgammon as oracle
from trees import examples
from zermelo.board import Points
from zermelo.cli.terminal import Session
from zermelo.draw.text import lines
from zermelo.errors import BadInput, IllegalAction
from zermelo.game import CHANCE
from zermelo.games.backgammon import PASS, Backgammon
from zermelo.games.backgammon.position_id import read_id, write_id
from zermelo.position import Position
from zermelo.search.perft import perft
from zermelo.search.tally import Tally

GAME = Backgammon()
START = "4HPwATDgc/ABMA"
LIVE = int(os.environ.get("BACKGAMMON_CASES", "40"))
"""How many positions are put to other programs, where there are any."""
SEEDS = st.integers(0, 2**32)


def board(own: dict[int, int], other: dict[int, int], text: str = "") -> Any:
    """The state with these checkers, each side's as it counts; all others are off."""
    sides = [tuple(men.get(place, 0) for place in range(1, 26)) for men in (own, other)]
    own_men, other_men = ((15 - sum(side), *side) for side in sides)
    return GAME.parse_state(f"{write_id(own_men, other_men)} {text}")


def texts(state: Any) -> list[str]:
    return [GAME.format_action(state, action) for action in GAME.legal(state)]


def walk(seed: int, plies: int) -> Any:
    """A state of a random game that is not over."""
    dice, state = random.Random(seed), GAME.initial()
    for _ in range(plies):
        after = GAME.result(state, dice.choice(GAME.legal(state)))
        if GAME.is_terminal(after):
            break
        state = after
    return state


# The rules against others.


def wrong(cases: list[tuple[str, str]], told: list[set[Any]]) -> list[Any]:
    """The cases in which the game's plays are not those that somebody told."""
    found = [oracle.plays(GAME, GAME.parse_state(f"{position} X {roll}")) for position, roll in cases]
    return [case for case, mine, theirs in zip(cases, found, told, strict=True) if mine != theirs]


@given(SEEDS)
@examples(40)
def test_plays_of_the_naive_twin(seed: int) -> None:
    cases = oracle.cases(seed, 1)
    assert wrong(cases, [oracle.naive_plays(read_id(position), roll) for position, roll in cases]) == []


def test_plays_recorded_from_gnubg() -> None:
    cases = [line.split() for line in oracle.RECORDED.read_text().splitlines()]
    assert len(cases) == 500
    for position, roll, *digest in cases:
        found = oracle.plays(GAME, GAME.parse_state(f"{position} O {roll}"))
        assert oracle.digest(found) == " ".join(digest), (position, roll)


@pytest.mark.skipif(oracle.GNUBG is None, reason="GNU Backgammon (Debian's gnubg) is not installed")
def test_plays_of_gnubg(tmp_path: Path) -> None:
    cases = oracle.cases(2, LIVE)
    assert wrong(cases, oracle.gnubg_plays(cases, tmp_path)) == []


def test_plays_of_bgsage() -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    cases = oracle.cases(3, LIVE)
    assert wrong(cases, [oracle.bgsage_plays(position, roll) for position, roll in cases]) == []


def naive_moves(men: oracle.Men, dice: tuple[int, ...]) -> set[tuple[int, int]]:
    """The (place, die) that may be moved first, by the rule book: those that begin a longest way to play all dice."""
    orders = {dice, dice[::-1]}
    found = [(order[0], line) for order in orders for line in oracle.naive_lines(men, order) if line]
    longest = max((len(line) for _, line in found), default=0)
    first = {(die, line[0][1]) for die, line in found if len(line) == longest}
    if longest == 1 and len(dice) == 2:
        first = {(die, after) for die, after in first if die == max(die for die, _ in first)}
    return {
        (place, die) for die, after in first for place in range(1, 26) if oracle.naive_step(men, place, die) == after
    }


@given(SEEDS)
@examples(40)
def test_first_moves_of_the_naive_twin(seed: int) -> None:
    """Of two dice that bear off the same checker, the game takes the higher."""
    position, roll = oracle.cases(seed, 1)[0]
    state = GAME.parse_state(f"{position} X {roll}")
    dice = (state.high,) * 4 if state.left == 4 else (state.high, state.low)
    naive = naive_moves(read_id(position), dice)
    if max(place for place, count in enumerate(read_id(position)[0]) if count) <= state.low:
        naive = {(place, die) for place, die in naive if die == state.high}
    mine = {(action % 32, state.low if action >= 32 else state.high) for action in GAME.legal(state) if action != PASS}
    assert mine == naive


def test_the_number_of_positions() -> None:
    """One player's men lie on so many points, on the bar and off; the other's anywhere else."""
    ways = sum(comb(24, points) * comb(16, points + 1) * comb(40 - points, 15) for points in range(16))
    assert f"{ways:,}" in GAME.known


def test_leaf_counts() -> None:
    """The second ply is the first move of each of the 30 opening rolls."""
    men = read_id(START)
    first = sum(len(naive_moves(men, (a, b))) for a in range(1, 7) for b in range(1, 7) if a != b)
    counts = [perft(GAME, GAME.initial(), depth, Tally()) for depth in (1, 2, 3)]
    assert counts == [30, first, 758]


@pytest.mark.parametrize(
    ("own", "other", "roll", "moves"),
    [
        ({10: 1}, {22: 2}, "6-1", ["10/4"]),
        ({10: 1}, {22: 2, 21: 2}, "6-1", ["10/9"]),
        ({10: 1}, {21: 2}, "6-1", ["10/9"]),
        ({25: 2, 6: 3}, {5: 2}, "6-5", ["bar/19"]),
        ({25: 1, 24: 1}, {5: 2, 6: 2}, "6-5", ["pass"]),
        ({6: 1, 3: 2}, {24: 2}, "5-4", ["6/2"]),
        ({4: 1, 2: 1}, {6: 1}, "6-5", ["4/off"]),
        ({5: 1, 4: 1, 2: 1}, {10: 1}, "6-4", ["4/off", "5/1", "5/off"]),
        ({7: 1, 4: 1, 2: 1}, {10: 1}, "6-4", ["7/1", "7/3"]),
    ],
)
def test_forced(own: dict[int, int], other: dict[int, int], roll: str, moves: list[str]) -> None:
    """Both dice if possible, else the higher, else the lower; the bar first; off with all at home."""
    assert sorted(texts(board(own, other, f"X {roll}"))) == moves


# Dice and ends.


def test_dice() -> None:
    opening = dict(GAME.outcomes(GAME.initial()))
    assert len(opening) == 30
    assert set(opening.values()) == {1 / 30}
    rolls = dict(GAME.outcomes(GAME.parse_state(START)))
    assert len(rolls) == 21
    assert sum(rolls.values()) == pytest.approx(1)
    assert all(odds == (1 / 36 if roll % 9 == 0 else 2 / 36) for roll, odds in rolls.items())


@pytest.mark.parametrize(("roll", "player"), [("3-1", 0), ("1-3", 1), ("31", 0)])
def test_the_higher_die_begins(roll: str, player: int) -> None:
    position = Position.from_text(GAME, moves=roll)
    assert position.to_move == player
    assert position.state[5:] == (3, 1, 2)


@pytest.mark.parametrize(
    ("other", "worth"),
    [({1: 14}, 1), ({24: 14}, 1), ({1: 15}, 2), ({18: 15}, 2), ({1: 14, 19: 1}, 3), ({1: 14, 25: 1}, 3)],
)
@pytest.mark.parametrize("player", [0, 1])
def test_ends(other: dict[int, int], worth: int, player: int) -> None:
    state = board({2: 1}, other, f"{'XO'[player]} 3")
    end = GAME.result(state, GAME.parse_action(state, "2/off"))
    assert GAME.is_terminal(end)
    assert GAME.to_move(end) == player
    assert GAME.utilities(end) == ((worth, -worth) if player == 0 else (-worth, worth))
    assert GAME.parse_state(GAME.format_state(end)) == end


def test_turns() -> None:
    """A roll of no use is passed, the rest of a roll that can't be played is not asked for."""
    state = board({25: 1, 24: 1}, {5: 2, 6: 2}, "O 6-5")
    after = GAME.result(state, PASS)
    assert GAME.to_move(after) == CHANCE
    assert after.turn == 0
    assert GAME.sides(after) == GAME.sides(state)[::-1]
    state = board({10: 1}, {22: 2}, "X 6-1")
    after = GAME.result(state, GAME.parse_action(state, "10/4"))
    assert GAME.to_move(after) == CHANCE
    assert after.turn == 1


# Text.


@given(SEEDS, st.integers(0, 250))
@examples(30)
def test_texts_are_read_back(seed: int, plies: int) -> None:
    state = walk(seed, plies)
    assert GAME.parse_state(GAME.format_state(state)) == state
    assert all(
        GAME.parse_action(state, text) == action for text, action in zip(texts(state), GAME.legal(state), strict=True)
    )


@pytest.mark.parametrize("line", ["3-1 8/5 6/5", "3-1 24/23 13/10"])
def test_ids_of_gnubg(line: str) -> None:
    """As GNU Backgammon shows them after these moves, when O is to roll."""
    shown = {"3-1 8/5 6/5": "sGfwATDgc/ABMA", "3-1 24/23 13/10": "4HPiASjgc/ABMA"}
    assert str(Position.from_text(GAME, moves=line)) == f"{shown[line]} O"


@pytest.mark.parametrize(
    ("text", "play", "moves"),
    [
        ("3-1", "8/5 6/5", "8/5 6/5"),
        ("3-1", "6/5, 8/5", "6/5 8/5"),
        ("6-4", "24/14", "24/18 18/14"),
        ("6-4", "24/18/14", "24/18 18/14"),
        ("2-2", "13/11(2) 6/4(2)", "13/11 13/11 6/4 6/4"),
        ("2-2", "8/4(2)", "8/6 6/4 8/6 6/4"),
        ("2-2", "24/16", "24/22 22/20 20/18 18/16"),
        ("2-2", "8/6(3)", "8/6 8/6 8/6"),
    ],
)
def test_plays_as_people_write_them(text: str, play: str, moves: str) -> None:
    position = Position(GAME, GAME.parse_state(f"{START} X {text}"))
    assert position.line(GAME.parse_play(position.state, play)) == moves.split()


def test_plays_with_hits() -> None:
    state = board({25: 1, 13: 4}, {5: 1, 1: 2}, "X 5-4")
    line = Position(GAME, state).line
    assert line(GAME.parse_play(state, "bar/20*/16")) == ["bar/20*", "20/16"]
    assert line(GAME.parse_play(state, "13/9 BAR/20")) == ["bar/20*", "13/9"]
    assert line(GAME.parse_play(state, "bar/16")) == ["bar/21", "21/16"]
    double = board({24: 2}, {3: 1}, "X 2-2")
    assert Position(GAME, double).line(GAME.parse_play(double, "24/22*(2)")) == ["24/22*", "24/22"]
    with pytest.raises(IllegalAction, match=r"'bar/21\*' is not legal"):
        GAME.parse_play(state, "bar/21*")
    with pytest.raises(IllegalAction, match="more than one move: write the first alone, bar/21"):
        GAME.parse_action(state, "bar/16")


@pytest.mark.parametrize(
    "play",
    ["", "8", "8/", "8/9", "25/", "8/5/", "x/y", "8/5(9)", "8/5(4)", "pass", "3-1", "8-5", "6/5 6/5 6/5 6/5 6/5"],
)
def test_no_plays(play: str) -> None:
    with pytest.raises(IllegalAction, match="is not legal"):
        GAME.parse_play(GAME.parse_state(f"{START} X 3-1"), play)


def test_moves_as_text() -> None:
    position = Position.from_text(GAME, moves="3-1 8/5 6/5 42 8/4 6/4 66 24/18(2) 13/7(2)")
    assert position.to_move == CHANCE
    assert len(position.history) == 11
    assert position.state.turn == 1
    with pytest.raises(IllegalAction, match="'6-7' is not legal"):
        position.push_text("6-7")


@pytest.mark.parametrize(
    ("dice", "left"), [("3-1", 2), ("31", 2), ("1-3", 2), ("3-3", 4), ("3(3)", 3), ("3(2)", 2), ("3", 1), ("", 0)]
)
def test_dice_left(dice: str, left: int) -> None:
    state = GAME.parse_state(f"{START} o {dice}")
    assert (state.left, state.turn, state.high) == (left, 1, 3 if left else 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a position ID with the player and the dice"),
        (f"{START} X 3-1 now", "is not a position ID with the player and the dice"),
        ("4HPwATDgc/ABM", "is no GNU position ID: that is 14 letters"),
        ("4HPwATDgc/ABM=", "is no GNU position ID: that is 14 letters"),
        ("4HPwATDgc/ABMB", "its bits don't give the 25 places"),
        ("//////////////", "its bits don't give the 25 places"),
        ("AAAAAAAAAAAAgA", "its bits don't give the 25 places"),
        ("//8AAAAAAAAAAA", "has 16 checkers of one player: 15 is all there are"),
        ("AQAAAAAAAgAAAA", "has checkers of both players on point 24"),
        ("AAAAAAAAAAAAAA", "has no checkers: somebody would have won before"),
        (f"{START} Z", "has 'Z' for the player to move: write X or O"),
        (f"{START} XO", "has 'XO' for the player to move: write X or O"),
        ("AACAOHwAAAAAAA opening", "is not how a game begins: that is 4HPwATDgc/ABMA opening; else write X or O"),
        ("DAAAAAAAAAAAAA opening", "is not how a game begins"),
        (f"{START} opening 3-1", "is not how a game begins"),
        (f"{START} X 7-1", "has '7-1' for the dice: write two dice from 1 to 6"),
        (f"{START} X 3(4)", r"has '3\(4\)' for the dice"),
        (f"{START} X 0", "has '0' for the dice"),
    ],
)
def test_bad_positions(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why) as told:
        GAME.parse_state(text)
    assert "\n" not in str(told.value)


def test_bad_ends() -> None:
    shut = dict.fromkeys(range(1, 7), 2) | {25: 1}
    with pytest.raises(BadInput, match="both players shut out on the bar"):
        board(shut, shut)
    with pytest.raises(BadInput, match="has dice, but the game is over"):
        board({}, {3: 2}, "X 3-1")
    won = board({3: 2}, {}, "X")
    assert GAME.is_terminal(won)
    assert GAME.utilities(won) == (-1, 1)


@given(st.text("ABCDwxyz0189+/= XO-()36", max_size=22))
@examples(150)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        state = GAME.parse_state(text)
    except BadInput:
        return
    assert GAME.is_terminal(state) or GAME.legal(state)


# Judgement.


def best_play(roll: str) -> set[str]:
    """The play of an opening roll that the evaluation likes best."""
    state = GAME.parse_state(f"{START} X {roll}")
    plays = [
        (
            GAME.evaluate(GAME.result(after, second), 0),
            {GAME.format_action(state, first), GAME.format_action(after, second)},
        )
        for first in GAME.legal(state)
        for after in [GAME.result(state, first)]
        for second in GAME.legal(after)
    ]
    return max(plays, key=lambda play: play[0])[1]


@pytest.mark.parametrize(
    ("roll", "play"),
    [("3-1", "8/5 6/5"), ("4-2", "8/4 6/4"), ("6-1", "13/7 8/7"), ("5-3", "8/3 6/3"), ("6-5", "24/18 18/13")],
)
def test_openings(roll: str, play: str) -> None:
    assert best_play(roll) == set(play.split())


@given(SEEDS, st.integers(0, 250))
@examples(25)
def test_both_players_judge_alike(seed: int, plies: int) -> None:
    state = walk(seed, plies)
    value = GAME.evaluate(state, 0)
    assert -3 < value < 3
    assert GAME.evaluate(state, 1) == -value
    if state.left >= 0:
        assert GAME.evaluate(state._replace(turn=1 - state.turn), 1) == pytest.approx(value)


def test_judgement_knows_the_end() -> None:
    """Who is about to win has nearly a point, and more where the other has borne nothing off."""
    single, gammon = (board({1: 1}, {1: men}, "X") for men in (13, 15))
    assert 0.6 < GAME.evaluate(single, 0) < 1 < GAME.evaluate(gammon, 0) < 3


@given(SEEDS, st.integers(0, 250))
@examples(15)
def test_pips(seed: int, plies: int) -> None:
    """The feature is the lead in pips by a plain sum, in hundreds; dice to be played are as good as moved."""
    state = walk(seed, plies)
    own, other = (sum(place * count for place, count in enumerate(side)) for side in GAME.sides(state))
    own = max(own - state.left * (state.high + state.low) // 2, 0)
    lead = GAME.features(state)[GAME.feature_names.index("pips")]
    assert lead == pytest.approx((other - own) / 100 * (1 if state.turn == 0 else -1))


# Pictures and play.


def test_picture() -> None:
    drawn = lines(GAME.board(board({25: 2, 6: 11, 1: 2}, {3: 6, 12: 1}, "X 6-5")))
    assert drawn == PICTURE.splitlines()
    assert all(len(line) <= 78 for line in drawn)
    plain = lines(GAME.board(GAME.initial()), boxes=False)
    assert all(line.isascii() for line in plain)


PICTURE = """\
  13  14  15  16  17  18       19  20  21  22  23  24
┌────────────────────────┬───┬────────────────────────┐
│  O   ·   ·   ·   ·   · │   │  ·   ·   ·   O   ·   · │  O  30 pips · 8 off
│                        │   │              O         │
│                        │   │              O         │
│                        │   │              O         │
│                        │   │              6         │
│                        │BAR│                        │  X: 6-5
│                        │   │ 11                     │
│                        │   │  X                     │
│                        │   │  X                     │
│                        │ X │  X                   X │
│  ·   ·   ·   ·   ·   · │ X │  X   ·   ·   ·   ·   X │  X  118 pips
└────────────────────────┴───┴────────────────────────┘
  12  11  10   9   8   7        6   5   4   3   2   1
"""


def test_the_picture_marks_what_moved_and_counts_for_the_one_to_move() -> None:
    position = Position.from_text(GAME, moves="3-1 8/5 6/5")
    before, after = (GAME.board(position.states[at]) for at in (1, -1))
    assert isinstance(after, Points)
    drawn = lines(after, before)
    assert drawn[-1] == "  13  14  15  16 [17] 18      [19][20] 21  22  23  24"


def test_a_picture_with_points_missing_is_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"Points needs 26 numbers for each player, .* not 25 and 26"):
        lines(Points((0,) * 25, (0,) * 26))


class Idle:
    """A mind that is never asked."""

    def wait(self, position: Position) -> None: ...
    def settle(self, position: Position) -> None: ...
    def summary(self) -> str:
        return ""


def sit(typed: str) -> tuple[Session, str]:
    """A session that begins with X to play 6-3, and what it wrote."""
    out = io.StringIO()
    console, source = Console(file=out, width=80), io.StringIO(typed)
    position = Position(GAME, GAME.parse_state(f"{START} X 6-3"))
    session = Session(GAME, ("human",) * 2, 1, Idle(), console, source, spec="backgammon", seed=1, position=position)
    assert session.run() == 0
    return session, out.getvalue()


def test_a_whole_play_is_one_line_at_the_terminal() -> None:
    session, told = sit("24/18 13/10\nquit\n")
    assert "X plays 24/18 13/10" in told
    assert "chance: rolls" in told
    assert [later.turn for _, later in pairwise(session.position.states)][:2] == [0, 1]


@pytest.mark.parametrize("typed", ["24/15", "24/18\n18/15", "24/18"])
def test_a_whole_play_is_taken_back(typed: str) -> None:
    session, _ = sit(f"{typed}\nundo\nquit\n")
    assert str(session.position) == f"{START} X 6-3"
