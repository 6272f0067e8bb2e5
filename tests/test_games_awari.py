"""Awari: a naive twin in both worlds, endgames solved by two kinds of retrograde analysis and by search, text.

`python tests/test_games_awari.py 10` solves all endgames of up to ten seeds, and compares.
"""

from __future__ import annotations

import random
import sys
import time
from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import native
from zermelo.bits import Bits
from zermelo.check.kernels import view_kernel
from zermelo.draw.text import lines
from zermelo.engine.decide import decide
from zermelo.engine.engine import Engine
from zermelo.errors import BadInput, Unsolved
from zermelo.games.awari import GRAND_SLAMS, Awari
from zermelo.position import Position
from zermelo.search.perft import perft
from zermelo.search.result import Result
from zermelo.search.tally import Tally
from zermelo.solver.exact import solve

SEEDS = st.integers(0, 2**32)
SIZES = st.sampled_from([(6, 4), (1, 3), (2, 5), (3, 9), (7, 9), (4, 1)])
SLAMS = st.sampled_from(GRAND_SLAMS)

Row = tuple[int, ...]


class Naive:
    """Awari on one list of pits, sown seed by seed: those of the player to move, then the other's."""

    def __init__(self, pits: list[int], slam: str = "no-capture") -> None:
        self.pits, self.half, self.slam = pits, len(pits) // 2, slam

    def sown(self, pit: int) -> tuple[list[int], list[int]]:
        """The pits after sowing one, and those of them that are captured; slams as well."""
        pits, place = list(self.pits), pit
        hand, pits[pit] = pits[pit], 0
        while hand:
            place = (place + 1) % len(pits)
            if place != pit:
                pits[place] += 1
                hand -= 1
        taken = []
        while place >= self.half and pits[place] in (2, 3):
            taken.append(place)
            place -= 1
        return pits, taken

    def is_slam(self, pit: int) -> bool:
        pits, taken = self.sown(pit)
        seeds = sum(pits[place] for place in taken)
        return 0 < seeds == sum(pits[self.half :])

    def moves(self) -> list[int]:
        found = []
        for pit in range(self.half):
            feeds = any(self.sown(pit)[0][self.half :])
            if self.pits[pit] and feeds and not (self.slam == "forbidden" and self.is_slam(pit)):
                found.append(pit)
        return found

    def after(self, pit: int) -> tuple[int, Naive]:
        """How many seeds sowing a pit takes, and what the other is left with."""
        pits, taken = self.sown(pit)
        if self.slam != "capture" and self.is_slam(pit):
            taken = []
        seeds = sum(pits[place] for place in taken)
        for place in taken:
            pits[place] = 0
        return seeds, Naive(pits[self.half :] + pits[: self.half], self.slam)

    def leaves(self, depth: int) -> int:
        return 1 if depth == 0 else sum(self.after(pit)[1].leaves(depth - 1) for pit in self.moves())

    @property
    def worth(self) -> int:
        """What each has on his side at the end, to the player to move."""
        return sum(self.pits[: self.half]) - sum(self.pits[self.half :])


def boards(pits: int, seeds: int) -> list[Row]:
    """All ways to have so many seeds in so many pits."""
    found = []
    for bars in combinations(range(seeds + pits - 1), pits - 1):
        edges = (-1, *bars, seeds + pits - 1)
        found.append(tuple(right - left - 1 for left, right in pairwise(edges)))
    return found


def retrograde(half: int, most: int, slam: str = "no-capture") -> dict[Row, int]:
    """What all boards of up to `most` seeds are worth to the player to move, who has taken nothing yet.

    For each number k it is found by going backwards who can be sure of k seeds more than the other; where neither can,
    play goes on for ever, and the seeds are shared.
    """
    values: dict[Row, int] = {}
    for seeds in range(most + 1):
        ways: dict[Row, list[tuple[int, Row]]] = {board: [] for board in boards(2 * half, seeds)}
        own = {board: board for board in ways}
        for board, found_ways in ways.items():
            naive = Naive(list(board), slam)
            for taken, child in map(naive.after, naive.moves()):
                pits = tuple(child.pits)
                found_ways.append((taken, own.get(pits, pits)))
        found = dict.fromkeys(ways, 0)
        for least in range(1, seeds + 1):
            for board, sign in decided(ways, values, least).items():
                found[board] = sign * least
        values |= found
    return values


def decided(ways: dict[Row, list[tuple[int, Row]]], values: dict[Row, int], least: int) -> dict[Row, int]:
    """The boards where the player to move (1) or the other (-1) can be sure of `least` seeds more than his opponent."""
    signs: dict[Row, int] = {}
    left = {board: len(after) for board, after in ways.items()}
    parents: dict[Row, list[Row]] = {board: [] for board in ways}
    queue: deque[Row] = deque()

    def mark(board: Row, sign: int) -> None:
        if board not in signs:
            signs[board] = sign
            queue.append(board)

    for board, after in ways.items():
        results = [taken - values[child] for taken, child in after if taken]
        if not after:
            results = [Naive(list(board)).worth]
            left[board] = 1
        for taken, child in after:
            if taken == 0:
                parents[child].append(board)
        if max(results, default=0) >= least:
            mark(board, 1)
        left[board] -= sum(result <= -least for result in results)
        if left[board] == 0:
            mark(board, -1)
    while queue:
        board = queue.popleft()
        for parent in parents[board]:
            left[parent] -= signs[board] == 1
            if signs[board] == -1:
                mark(parent, 1)
            elif left[parent] == 0:
                mark(parent, -1)
    return signs


@cache
def known() -> dict[Row, int]:
    return retrograde(6, 4)


def state_of(game: Awari, board: Row, turn: int = 0, lead: int = 0) -> Any:
    """The state with a board; half of the other seeds are taken by each, but for a lead of the player to move."""
    rest = game.total - sum(board)
    own = (rest + lead) // 2
    rows = [(*board[: game.pits], own), (*board[game.pits :], rest - own)]
    words = [Bits(sum(count << 8 * place for place, count in enumerate(row))) for row in rows]
    return game.State(words[0], words[1], turn)


# The rules.


def play(game: Awari, slam: str, seed: int, natively: bool) -> None:
    """A random game, in which all that the rules say is held against the twin."""
    dice = random.Random(seed)
    naive, state, taken, turn = Naive([game.seeds] * 2 * game.pits, slam), game.initial(), [0, 0], 0
    for _ in range(80):
        moves = naive.moves()
        rows = [naive.pits[: game.pits], naive.pits[game.pits :]][:: -1 if turn else 1]
        text = "/".join("-".join(map(str, row)) for row in rows)
        text += f" {taken[0]}:{taken[1]} {('South', 'North')[turn]}"
        assert game.format_state(state) == text
        assert game.parse_state(text) == state
        decided_early = not game.margin and 2 * max(taken) > game.total
        assert game.is_terminal(state) == (not moves or decided_early)
        lead = taken[0] - taken[1]
        assert game.tied(state, 0) == game.worth(lead) == -game.tied(state, 1)
        if natively:
            assert list(native.call(view_kernel, game, state)) == list(view_kernel(game, state))
        if not moves or decided_early:
            expected = game.worth(lead + (naive.worth if turn == 0 else -naive.worth))
            assert game.utilities(state) == (expected, -expected)
            break
        assert game.legal(state) == moves
        pit = dice.choice(moves)
        more, naive = naive.after(pit)
        taken[turn] += more
        state, turn = game.result(state, pit), 1 - turn


@given(SIZES, SLAMS, st.sampled_from([0, 1]), SEEDS)
@examples(60)
def test_random_games_agree_with_the_twin(size: tuple[int, int], slam: str, margin: int, seed: int) -> None:
    play(Awari(*size, slam, margin), slam, seed, natively=False)


@pytest.mark.native
def test_random_games_agree_natively() -> None:
    for seed in range(10):
        play(Awari(), "no-capture", seed, natively=True)


def test_leaf_counts() -> None:
    for size in ((6, 4), (3, 2)):
        game = Awari(*size)
        counts = [perft(game, game.initial(), depth, Tally()) for depth in range(6)]
        assert counts == [Naive([size[1]] * 2 * size[0]).leaves(depth) for depth in range(6)]
        if size == (6, 4):
            assert counts == [1, 6, 36, 190, 1_014, 5_219]


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("4-4-4-4-4-4/4-4-4-4-4-4 0:0 South", "C", "4-4-0-5-5-5/5-4-4-4-4-4 0:0 North"),
        ("0-0-0-0-0-4/1-2-1-2-9-0 15:14 South", "F", "0-0-0-0-0-0/0-0-0-0-9-0 25:14 North"),
        ("0-0-0-0-0-4/1-3-1-2-9-0 15:13 South", "F", "0-0-0-0-0-0/2-4-0-0-9-0 20:13 North"),
        ("0-0-0-0-0-12/1-1-1-1-1-1 15:15 South", "F", "1-1-1-1-1-0/0-2-2-2-2-2 18:15 North"),
        ("1-0-0-0-0-2/1-1-0-0-0-0 21:22 South", "F", "1-0-0-0-0-0/2-2-0-0-0-0 21:22 North"),
    ],
)
def test_single_moves(before: str, move: str, after: str) -> None:
    """Sowing, captures back to the first pit, captures that end at a four, the whole way around, a grand slam."""
    assert str(Position.from_text(Awari(), before, move)) == after


def test_grand_slams() -> None:
    text = "1-0-0-0-0-2/1-1-0-0-0-0 21:22 South"
    taking = Position.from_text(Awari(grand_slam="capture"), text, "F")
    assert str(taking) == "1-0-0-0-0-0/0-0-0-0-0-0 25:22 North"
    assert taking.is_terminal
    assert taking.utilities == (4, -4)
    forbidden = Position.from_text(Awari(grand_slam="forbidden"), text)
    assert forbidden.line(forbidden.moves) == ["A"]


def test_feeding() -> None:
    """Who can must leave the other something to move; who can't takes what is left."""
    fed = Position.from_text(Awari(), "1-0-0-3-1-0/0-0-0-0-0-0 21:22 South")
    assert fed.line(fed.moves) == ["D"]
    ended = Position.from_text(Awari(), "1-0-3-0-0-0/0-0-0-0-0-0 21:23 South")
    assert ended.is_terminal
    assert ended.utilities == (2, -2)


def test_half_the_seeds_end_the_game_where_the_margin_is_all_one() -> None:
    text = "0-0-0-0-0-4/1-2-1-2-9-0 15:14 South"
    assert Position.from_text(Awari(margin=0), text, "F").utilities == (1, -1)
    assert not Position.from_text(Awari(), text, "F").is_terminal


def test_a_state_for_the_third_time_ends_the_game() -> None:
    """The seeds on the board are shared."""
    position = Position.from_text(Awari(1, 3), "1/1 3:1 South")
    for count in range(5):
        assert not position.is_terminal, count
        position.push(0)
    assert position.is_terminal
    assert position.utilities == (2, -2)


# Endgames.


def test_how_many_boards_are_won() -> None:
    """Of all boards with 1 to 4 seeds: won, shared and lost by the player to move."""
    values, counts = known(), {}
    for seeds in range(1, 5):
        found = [value for board, value in values.items() if sum(board) == seeds]
        counts[seeds] = [sum(test(value) for value in found) for test in (_won, _shared, _lost)]
    assert counts == {1: [5, 0, 7], 2: [24, 13, 41], 3: [121, 64, 179], 4: [577, 143, 645]}


def _won(value: int) -> bool:
    return value > 0


def _shared(value: int) -> bool:
    return value == 0


def _lost(value: int) -> bool:
    return value < 0


@given(st.sampled_from(GRAND_SLAMS), SEEDS)
@examples(6)
def test_value_iteration_agrees_with_retrograde_analysis(slam: str, seed: int) -> None:
    """On small boards, all of whose states follow on one; the best actions keep the value."""
    dice, game = random.Random(seed), Awari(2, 2, slam)
    values = small(slam)
    for _ in range(8):
        board = dice.choice([board for board in values if sum(board) == dice.randint(2, 8)])
        lead = dice.choice([-2, 0, 2]) if sum(board) <= 6 else 0
        state = state_of(game, board, dice.randint(0, 1), lead)
        if not game.is_terminal(state):
            position = Position(game, state)
            found = solve(position, world="interpreted", actions=True)
            assert found.algorithm == "value-iteration"
            assert found.value == values[board] + game.lead(state)
            for line in found.actions:
                child = game.result(state, line.action)
                assert line.value == -(values[board_of(game, child)] + game.lead(child))


@cache
def small(slam: str) -> dict[Row, int]:
    return retrograde(2, 8, slam)


def board_of(game: Awari, state: Any) -> Row:
    return tuple(game.count(word, pit) for word in (state.own, state.other) for pit in range(game.pits))


def compare(values: dict[Row, int], seeds: int, count: int) -> int:
    """In how many of some boards with so many seeds value iteration finds what retrograde analysis did; all, or the
    board is told."""
    game, dice, same = Awari(), random.Random(0), 0
    for number, board in enumerate(dice.sample(sorted(board for board in values if sum(board) == seeds), count)):
        state = state_of(game, board, number % 2, seeds % 2)
        if not game.is_terminal(state):
            found = solve(Position(game, state), world="native")
            assert (found.algorithm, found.value) == ("value-iteration", values[board] + game.lead(state)), board
            same += 1
    return same


@pytest.mark.native
def test_endgames_by_all_means() -> None:
    """Retrograde analysis, value iteration, and the search where it proves anything, agree."""
    game, dice, proved = Awari(), random.Random(0), 0
    assert compare(known(), 4, 30) > 20
    values = {board: value for board, value in known().items() if sum(board) == 4}
    for number, board in enumerate(dice.sample(sorted(values), 30)):
        state = state_of(game, board, number % 2)
        if not game.is_terminal(state):
            found = decide(Position(game, state), nodes=500, algorithm="pvs", world="interpreted")
            proved += found.kind == "exact"
            assert found.kind != "exact" or found.value == values[board] + game.lead(state)
    assert proved >= 5


@given(SEEDS)
@examples(6)
def test_the_engine_plays_endgames_perfectly(seed: int) -> None:
    """Against random play it gets at least what the board is worth, and the game ends."""
    dice, game = random.Random(seed), Awari()
    board = dice.choice([board for board in known() if sum(board) == 4])
    position = Position(game, state_of(game, board, dice.randint(0, 1)))
    engine, player = Engine(game, world="interpreted"), position.to_move
    least = known()[board] + game.lead(position.state)
    for _ in range(60):
        if position.is_terminal:
            break
        engine.set_position(position)
        mine = position.to_move == player
        position.push(engine.go(seconds=60).result().action if mine else dice.choice(position.moves))
    assert position.is_terminal
    assert position.utilities[player] >= least


def test_a_search_has_time_left_where_value_iteration_took_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def overrun(*arguments: Any) -> Result:
        time.sleep(2 * arguments[1].seconds)
        raise Unsolved("too many states")

    monkeypatch.setattr("zermelo.engine.decide.iterate", overrun)
    position = Position.from_text(Awari(), "2-1-0-0-1-0/1-2-1-1-0-1 19:19 South")
    found = decide(position, seconds=0.5, world="interpreted")
    assert (found.algorithm, found.depth > 0, found.nodes > 0) == ("pvs", True, True)


# What the game knows, and text.


@given(SIZES, SEEDS, st.integers(0, 30))
@examples(40)
def test_features_are_what_they_are_called(size: tuple[int, int], seed: int, plies: int) -> None:
    game, dice = Awari(*size), random.Random(seed)
    state = game.initial()
    for _ in range(plies):
        if not game.is_terminal(state):
            state = game.result(state, dice.choice(game.legal(state)))

    def seen(side: Row, foe: Row) -> list[int]:
        pits = side[:-1]
        prey = sum(count in (1, 2) for count in foe[:-1])
        return [side[-1], sum(map(bool, pits)), prey, sum(count >= 2 * game.pits for count in pits)]

    south, north = game.sides(state)
    assert game.features(state) == tuple(
        ours - theirs for ours, theirs in zip(seen(south, north), seen(north, south), strict=True)
    )
    assert len(game.feature_names) == len(game.weights) == 4
    assert game.utility_bounds[0] < game.evaluate(state, 0) < game.utility_bounds[1]
    for player in (0, 1):
        low, high = game.bounds(state, player)
        assert low <= game.tied(state, player) <= high
        twin = game.State(state.own, state.other, 1 - state.turn)
        assert game.bounds(twin, 1 - player) == (low, high)
        assert game.promise(twin, 1 - player) == game.promise(state, player)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"pits": 8}, "Awari needs 1 to 7 pits"),
        ({"seeds": 11}, "at most 127 in all"),
        ({"margin": 3}, "margin 0 or 1"),
        ({"grand_slam": "yes"}, "grand_slam no-capture, forbidden or capture, not 'yes'"),
    ],
)
def test_refused_settings(settings: Any, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Awari(**settings)


def test_text() -> None:
    game = Awari()
    position = Position.from_text(game, moves="CfA")
    assert position.history == (2, 5, 0)
    assert position.line([1]) == ["b"]
    with pytest.raises(BadInput, match="is no state of Awari"):
        game.parse_state("here")
    assert lines(game.board(position.state))[2:5] == [
        "│   │ 0 │ 4 │ 4 │ 4 │ 4 │ 5 │   │",
        "│ 0 ├───┼───┼───┼───┼───┼───┤ 0 │",
        "│   │ 0 │ 6 │ 2 │ 7 │ 6 │ 6 │   │",
    ]


def report(most: int) -> Iterator[str]:
    """What all boards of up to so many seeds are worth, and that value iteration says the same of some of them."""
    values = retrograde(6, most)
    for seeds in range(1, most + 1):
        found = [value for board, value in values.items() if sum(board) == seeds]
        won, shared, lost = (sum(map(test, found)) for test in (_won, _shared, _lost))
        counted = f"{len(found):,} boards, {won:,} won, {shared:,} shared, {lost:,} lost"
        yield f"{seeds:2} seeds: {counted}; {compare(values, seeds, min(12, len(found)))} solved both ways, all alike"


if __name__ == "__main__":
    for line in report(int(sys.argv[1]) if len(sys.argv) > 1 else 10):
        print(line, flush=True)  # noqa: T201
