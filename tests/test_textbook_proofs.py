"""Forced wins by threats and proof-number search, against plain searches of random trees and of Qubic."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import NestedTree, Node, examples, minimax_naive, trees, zero_sum
from zermelo import native
from zermelo.errors import GameError, LimitReached, Unsolved, Unsuitable
from zermelo.game import Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello import Othello
from zermelo.games.pig import Pig
from zermelo.games.qubic import Qubic
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position
from zermelo.search.decide import decide
from zermelo.search.proofs import ENDLESS, Files, prove
from zermelo.search.threats import EVER, NONE, UNKNOWN, Effort, forced_win, made_shelf

MANY = 10**9
"""A quota that is never spent."""


class Threatening(NestedTree):
    """A tree of wins, draws and losses, in which some of each mover's actions are said to be threats."""

    utility_bounds = (-1, 1)

    def __init__(self, root: Node, mask: int = 0b1011) -> None:
        super().__init__(root)
        self.mask = mask

    def forcing(self, state: Node) -> Iterator[int]:
        for action in self.actions(state):
            if self.mask >> (action + len(state.children)) % 5 & 1:
                yield action


class Safe(Threatening):
    """The same, where the mover's best action is known, and given alone where it is the last."""

    plausible_is_safe = True

    def plausible(self, state: Node) -> Iterator[int]:
        values = [minimax_naive(child, state.mover) for child in state.children]
        if max(values) == values[-1]:
            yield len(values) - 1
        else:
            yield from range(len(values))


TREES = trees(zero_sum(1))


def forced_naive(game: Any, state: Any, player: int, memo: dict[Any, float]) -> float:
    """In how many plies `player` wins by threats at the soonest, whatever the other does; `inf` if he does not."""
    if game.is_terminal(state):
        return 0 if game.utility(state, player) == 1 else inf
    if state not in memo:
        own = game.to_move(state) == player
        actions = game.forcing(state) if own else game.plausible(state)
        plies = [1 + forced_naive(game, game.result(state, action), player, memo) for action in actions]
        memo[state] = (min if own else max)(plies, default=inf)
    return memo[state]


def forced(game: Game, state: Any, player: int, first: int = 1, depth: int = EVER) -> int:
    return forced_win(game, state, player, first, depth, MANY, made_shelf(False, 1)[0], Effort())


@examples(200)
@given(TREES, st.sampled_from([Threatening, Safe]), st.integers(0, 31), st.integers(0, 1))
def test_threats_find_the_shortest_forced_win(root: Node, kind: Any, mask: int, player: int) -> None:
    if not root.children:
        return
    game = kind(root, mask)
    expected = forced_naive(game, root, player, {})
    assert forced(game, root, player) == (NONE if expected == inf else expected)
    assert (forced(game, root, player, first=EVER) > NONE) == (expected < inf)
    for depth in (1, 2, 4):
        assert (forced(game, root, player, depth=depth) > NONE) == (expected <= depth)
    if expected < inf:
        assert minimax_naive(root, player) == 1


@examples(150)
@given(TREES, st.sampled_from([Threatening, Safe]), st.integers(0, 31), st.integers(0, 1), st.sampled_from([0, 1, 50]))
def test_proof_numbers_settle_every_claim(root: Node, kind: Any, mask: int, player: int, quota: int) -> None:
    """Also with a table of two entries."""
    if not root.children:
        return
    game, value = kind(root, mask), minimax_naive(root, player)
    for goal in (1, 0):
        for size in (1.0, 1e-5):
            board = Files(game, False, size, size, quota, 0).board
            found = prove(game, root, player, goal, ENDLESS, ENDLESS, 0, 0, board, Effort())
            assert found == ((0, ENDLESS) if value >= goal else (ENDLESS, 0))


@examples(100)
@given(TREES)
def test_pns_gives_the_value_and_a_line_that_keeps_it(root: Node) -> None:
    game = Threatening(root)
    found = decide(Position(game), algorithm="pns", world="interpreted")
    value = minimax_naive(root, root.mover)
    assert (found.value, found.kind) == (value, "exact")
    state = root
    for action in found.line:
        state = game.result(state, action)
        assert minimax_naive(state, root.mover) >= value
    assert not root.children or found.action == found.line[0]


# Qubic.


def midgame(seed: int, plies: int, game: Game | None = None) -> Position:
    """A game in which everybody wins and blocks where he can, up to some ply."""
    for attempt in range(100):
        dice, position = random.Random(100 * seed + attempt), Position(game or Qubic())
        while len(position.history) < plies and not position.is_terminal:
            position.push(dice.choice(list(position.game.plausible(position.state))))
        if not position.is_terminal:
            return position
    raise AssertionError("all games are over so soon")


def naive_value(game: Any, state: Any) -> float:
    """The value to the mover, by looking at everything."""
    if game.is_terminal(state):
        return float(game.utility(state, game.to_move(state)))
    return max(-naive_value(game, game.result(state, action)) for action in game.actions(state))


@pytest.mark.parametrize("seed", range(6))
def test_threats_in_qubic(seed: int) -> None:
    """The line is as long as told, each of the winner's marks but the last is a threat, and it ends with a win."""
    position = midgame(seed, 36)
    game, expected = position.game, forced_naive(position.game, position.state, position.to_move, {})
    if expected == inf:
        with pytest.raises(Unsolved, match=r"threats alone win nothing for [XO] here"):
            decide(position, algorithm="threats", world="interpreted")
        return
    found = decide(position, algorithm="threats", world="interpreted")
    assert (found.value, found.kind, found.plies, len(found.line)) == (1, "exact", expected, expected)
    state = position.state
    for ply, action in enumerate(found.line):
        assert action in (game.forcing(state) if ply % 2 == 0 else game.plausible(state))
        state = game.result(state, action)
    assert game.utility(state, position.to_move) == 1


@pytest.mark.parametrize("seed", range(6))
def test_pns_in_qubic(seed: int) -> None:
    position = midgame(seed, 59)
    state, value = position.state, naive_value(position.game, position.state)
    for goal in (1.0, 0.0):
        board = Files(position.game, False, 1, 1, 20, 0).board
        asked = position.to_move, goal, ENDLESS, ENDLESS, 0, 0, board
        assert (prove(position.game, state, *asked, Effort())[0] == 0) == (value >= goal)


@pytest.mark.native
def test_both_worlds_are_the_same() -> None:
    """The same answers, from the same nodes; and the same numbers where limits end the search."""
    for seed, plies in ((0, 12), (1, 14), (3, 30), (4, 45), (5, 52)):
        position = midgame(seed, plies)
        state, mover = position.state, position.to_move
        found = []
        for natively in (False, True):
            counts, shelf = Effort(), made_shelf(natively, 1)
            args = state, mover, 1, EVER, MANY, shelf[0]
            plies = native.run(forced_win, position.game, *args, tally=counts, native=natively)
            effort, files = Effort(limit=400), Files(position.game, natively, 1, 1, 40, 1)
            args = state, mover, 0.0, ENDLESS, ENDLESS, 0, 0, files.board
            try:
                numbers = native.run(prove, position.game, *args, tally=effort, native=natively)
            except LimitReached:
                numbers = None
            found.append((int(plies), counts, numbers and tuple(map(int, numbers)), effort))
        assert found[0] == found[1]


@pytest.mark.native
def test_known_values() -> None:
    game = TicTacToe()
    assert decide(Position(game), algorithm="pns").value == 0
    assert decide(Position.from_text(game, moves="b2 b1"), algorithm="pns").value == 1
    for moves, value in (("111 112 444 113 222 333", 1), ("111 112 444 113 222 333 233", -1)):
        found = decide(Position.from_text(Qubic(), moves=moves), algorithm="pns", world="native")
        assert (found.value, found.world) == (value, "native")
    assert found.line


# Limits and refusals.


def test_a_spent_quota_proves_nothing() -> None:
    position = midgame(3, 14)
    found = forced_win(
        position.game, position.state, position.to_move, EVER, EVER, 2, made_shelf(False, 1)[0], Effort()
    )
    assert found == UNKNOWN


@pytest.mark.parametrize("algorithm", ["threats", "pns"])
def test_limits(algorithm: str) -> None:
    with pytest.raises(Unsolved, match=f"{algorithm} has proved nothing of Qubic here when limits were reached after"):
        decide(midgame(3, 14), algorithm=algorithm, nodes=5, world="interpreted")


def test_a_depth_bounds_threats() -> None:
    position = Position.from_text(Qubic(), moves="213 243 234 322 133 443 314 224 334 321 222 341 111")
    found = decide(position, algorithm="threats", world="interpreted")
    assert found.plies is not None
    assert decide(position, algorithm="threats", depth=found.plies, world="interpreted").plies == found.plies
    with pytest.raises(Unsolved, match=f"here within {found.plies - 1} plies"):
        decide(position, algorithm="threats", depth=found.plies - 1, world="interpreted")


def test_the_end_has_its_value() -> None:
    position = Position.from_text(Qubic(), moves="111 211 112 212 113 213 114")
    assert decide(position, algorithm="pns").value == decide(position, algorithm="threats").value == -1


class Endless(TicTacToe):
    repeats = True


class Drawish(TicTacToe):
    repeats = True
    repetition = 3

    def forcing(self, state: Any) -> Iterator[int]:
        yield from self.actions(state)


class Unbounded(TicTacToe):
    utility_bounds = (-inf, inf)

    def __init__(self) -> None:
        super().__init__()
        self.utility_bounds = (-inf, inf)


@pytest.mark.parametrize(
    ("game", "algorithm", "why"),
    [
        (TicTacToe(), "threats", "has no forcing"),
        (TicTacToe(players=3), "pns", "needs one or two players"),
        (Endless(), "pns", "those of Endless come back"),
        (Drawish(), "threats", "those of Drawish come back"),
        (Unbounded(), "pns", "needs finite utility_bounds"),
        (Pig(), "pns", "come back|for chance"),
    ],
)
def test_refusals(game: Game, algorithm: str, why: str) -> None:
    with pytest.raises(Unsuitable, match=why):
        decide(Position(game), algorithm=algorithm)


def test_ends_that_are_neither_win_nor_draw_nor_loss() -> None:
    with pytest.raises(GameError, match="has ends that are neither a win, a draw nor a loss"):
        decide(midgame(1, 55, Othello()), algorithm="pns", world="interpreted")
    assert decide(Position.from_text(ConnectFour(), moves="121212"), algorithm="pns", world="interpreted").value == 1
