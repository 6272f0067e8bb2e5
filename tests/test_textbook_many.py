"""Many players: max^n with cuts, paranoid and best-reply search, each against a naive twin."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import DEPTHS, ChanceTree, NestedTree, Node, chance, examples, general, maxn_naive, trees
from zermelo.engine.decide import best, decide
from zermelo.errors import LimitReached, OutOfBounds, Uneven, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.games.nim import Nim
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.position import Position
from zermelo.search.best_reply import best_reply
from zermelo.search.maxn import maxn
from zermelo.search.memory import remembering_alphabeta
from zermelo.search.shallow import can_cut, shallow_maxn
from zermelo.search.tally import DEEPEST, Tally
from zermelo.search.values import Searcher

WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]


def shares(players: int, whole: int) -> st.SearchStrategy[tuple[float, ...]]:
    """What a node is worth to players who share `whole`, none of them less than 0; with many ties."""
    cuts = st.lists(st.integers(0, whole), min_size=players - 1, max_size=players - 1).map(sorted)
    return cuts.map(lambda places: tuple(b - a for a, b in zip([0, *places], [*places, whole], strict=True)))


def shared(root: Node, whole: int, kind: type[NestedTree] = NestedTree) -> NestedTree:
    """The tree as a game that declares what `shares` keeps."""

    class Shared(kind):  # type: ignore[misc, valid-type]
        utility_sum = whole
        utility_bounds = (0, whole)

    return Shared(root)


def all_different(root: Node, dice: random.Random) -> Node:
    """The same tree with random shares of 1, in which nobody is ever indifferent."""
    parts = [dice.random() for _ in root.worth]
    children = tuple(all_different(child, dice) for child in root.children)
    return root._replace(children=children, worth=tuple(part / sum(parts) for part in parts))


# Max^n with cuts.


@pytest.mark.parametrize("whole", [1, 2, 6])
@examples(50)
@given(st.data(), st.integers(2, 4), DEPTHS)
def test_cuts_leave_every_component_as_it_is_ties_and_all(whole: int, data: Any, players: int, depth: int) -> None:
    root = data.draw(trees(shares(players, whole), players, height=5))
    game, ours, plain = shared(root, whole), Tally(), Tally()
    assert shallow_maxn(game, root, CHANCE, -inf, depth, ours) == maxn(game, root, depth, plain)
    assert maxn_naive(root, depth) == maxn(game, root, depth, Tally())
    assert ours.nodes <= plain.nodes


@examples(50)
@given(trees(shares(3, 1), 3, height=5), st.integers(0, 99))
def test_cuts_without_ties(root: Node, seed: int) -> None:
    root = all_different(root, random.Random(seed))
    assert shallow_maxn(shared(root, 1), root, CHANCE, -inf, DEEPEST, Tally()) == maxn_naive(root)


@examples(60)
@given(trees(shares(3, 4), 3, dice=True, height=5), DEPTHS)
def test_cuts_around_chance(root: Node, depth: int) -> None:
    game = shared(root, 4, ChanceTree)
    assert shallow_maxn(game, root, CHANCE, -inf, depth, Tally()) == maxn_naive(root, depth)


@examples(60)
@given(trees(general(3), 3, height=5), DEPTHS)
def test_a_sum_that_varies_leaves_the_immediate_cut(root: Node, depth: int) -> None:
    class Bounded(NestedTree):
        utility_sum = None
        utility_bounds = (-2, 2)

    assert shallow_maxn(Bounded(root), root, CHANCE, -inf, depth, Tally()) == maxn_naive(root, depth)


@examples(70)
@given(trees(shares(3, 3), 3, height=5), st.integers(0, 2), st.integers(-1, 3))
def test_a_state_is_only_given_up_where_the_chooser_gets_no_more(root: Node, chooser: int, sure: int) -> None:
    values, found = maxn_naive(root), shallow_maxn(shared(root, 3), root, chooser, sure, DEEPEST, Tally())
    assert found == values or (found == (-inf, -inf, -inf) and values[chooser] <= sure)


def test_korfs_two_cuts() -> None:
    sure = Node(0, (), (3, 3, 3))
    shallow = Node(1, (Node(2, (), (2, 7, 0)), Node(2, (), (9, 0, 0))), (0, 0, 0))
    root = Node(0, (sure, shallow), (0, 0, 0))
    tally = Tally()
    assert shallow_maxn(shared(root, 9), root, CHANCE, -inf, DEEPEST, tally) == (3, 3, 3)
    assert tally.nodes == 4  # with 7 of 9 the second player leaves the first at most 2
    root = Node(0, (Node(1, (), (9, 0, 0)), sure), (0, 0, 0))
    tally = Tally()
    assert shallow_maxn(shared(root, 9), root, CHANCE, -inf, DEEPEST, tally) == (9, 0, 0)
    assert tally.nodes == 2


def test_what_breaks_the_bounds_is_told() -> None:
    root = Node(0, (Node(1, (), (1, 1, 2)), Node(1, (), (1, 1, 1))), (0, 0, 3))
    with pytest.raises(OutOfBounds, match="don't add up to utility_sum: run zermelo check"):
        best(shared(root, 3), algorithm="maxn", world="interpreted")
    with pytest.raises(OutOfBounds):
        shallow_maxn(shared(Node(0, (), (4, -1, 0)), 3), Node(0, (), (4, -1, 0)), CHANCE, -inf, 9, Tally())
    with pytest.raises(LimitReached):
        shallow_maxn(shared(root, 3), root, CHANCE, -inf, 9, Tally(limit=1))


def test_evaluations_that_do_not_add_up_are_searched_without_cuts() -> None:
    ends = Node(0, (Node(1, (), (0, 3, 0)), Node(1, (), (0, 0, 3))), (1, 1, 2))
    game = shared(Node(2, (ends, ends), (1, 1, 1)), 3)
    with pytest.raises(Uneven):
        shallow_maxn(game, game.root, CHANCE, -inf, 1, Tally())
    searcher = Searcher(game, "maxn", False, Tally())
    assert searcher.values(game.root, 1) == maxn(game, game.root, 1, Tally()) == (1, 1, 2)
    assert not searcher.cuts


@pytest.mark.parametrize(("bounds", "players", "total", "cuts"), [((0, inf), 3, 1, True), ((-inf, 5), 3, None, True)])
def test_where_nothing_can_be_cut_nothing_is_tried(bounds: Any, players: int, total: Any, cuts: bool) -> None:
    class Declared(Nim):
        utility_sum, utility_bounds = total, bounds

    assert can_cut(Declared(players=2)) == cuts
    Declared.utility_bounds = (-inf, inf)
    assert can_cut(Declared(players=2)) == (total is not None)
    root = Node(0, (Node(1, (), (0,) * players),), (0,) * players)
    assert not can_cut(NestedTree(root))


@pytest.mark.native
def test_cuts_natively() -> None:
    game = TicTacToe(3, 2, 2, players=3)
    ours = decide(Position(game), world="native", lines=6, depth=4)
    for line in ours.lines:
        assert line.values == maxn(game, game.result(game.initial(), line.action), 3, Tally())


# Paranoid.


def paranoid_naive(node: Node, player: int, depth: int = DEEPEST) -> float:
    """The value to `player` if all others are one, against him; averaged where chance moves."""
    if not node.children or depth == 0:
        return node.worth[player]
    values = [paranoid_naive(child, player, depth - 1) for child in node.children]
    if node.mover == CHANCE:
        return sum(value * odds for value, odds in zip(values, node.odds, strict=True))
    return max(values) if node.mover == player else min(values)


@examples(70)
@given(trees(general(4), 4, dice=True, height=4), DEPTHS)
def test_paranoid_is_the_game_of_one_against_all(root: Node, depth: int) -> None:
    game = ChanceTree(root) if has_chance(root) else Hashed(root)
    for player in range(4):
        found = Searcher(game, "paranoid", False, Tally()).value(root, player, -inf, inf, depth)
        assert found == paranoid_naive(root, player, depth)


def has_chance(node: Node) -> bool:
    return node.mover == CHANCE or any(map(has_chance, node.children))


class Hashed(NestedTree):
    def key(self, state: Node) -> int:
        return hash(state)


@examples(50)
@given(trees(general(3), 3, height=4))
def test_paranoid_is_a_bound_and_says_so(root: Node) -> None:
    result = best(Hashed(root), algorithm="paranoid", world="interpreted")
    if not root.children:
        assert (result.value, result.kind) == (root.worth[root.mover], "exact")
        return
    assert result.value == paranoid_naive(root, root.mover)
    assert result.kind == "lower"
    assert result.values == ()
    assert result.value <= maxn_naive(root)[root.mover]
    node = root
    for action in result.line:
        node = node.children[action]
    assert (node.children, node.worth[root.mover]) == ((), result.value)


def test_paranoid_of_two_opponents_is_minimax_and_exact() -> None:
    found = best(Nim(7), algorithm="paranoid")
    assert (found.action, found.value, found.kind) == (3, 1, "exact")
    sure = best(Nim(3, players=3), algorithm="paranoid")
    assert (sure.action, sure.value, sure.kind) == (3, 2, "exact")


# Best-reply search.


def best_reply_naive(game: Game, state: Any, player: int, depth: int) -> float:
    """All replies of all opponents in one list, by the letter."""
    if game.is_terminal(state) or depth == 0:
        return (game.utility if game.is_terminal(state) else game.evaluate)(state, player)
    if game.to_move(state) == player:
        return max(best_reply_naive(game, game.result(state, a), player, depth - 1) for a in game.actions(state))
    replies = []
    while game.to_move(state) != player:
        for action in game.actions(state):
            child = game.result(state, action)
            while not game.is_terminal(child) and game.to_move(child) != player:
                child = game.skipped(child)
            replies.append(child)
        state = game.skipped(state)
    return min(best_reply_naive(game, reply, player, depth - 1) for reply in replies)


@pytest.mark.parametrize("world", WORLDS)
def test_best_reply_equals_its_naive_twin(world: str) -> None:
    game, dice = TicTacToe(3, 2, 2, players=3), random.Random(0)
    for _ in range(6):
        position = Position(game)
        for _ in range(dice.randrange(4)):
            if not position.is_terminal:
                position.push(dice.choice(position.moves))
        for player in range(3):
            searcher = Searcher(game, "best-reply", world == "native", Tally())
            for depth in (1, 2, 4):
                found = searcher.value(position.state, player, -inf, inf, depth)
                assert found == best_reply_naive(game, position.state, player, depth)


def test_best_reply_of_two_is_alphabeta_and_its_window_holds() -> None:
    game = TicTacToe()
    state = game.parse_state("X.O/.../...")
    for player, (alpha, beta), depth in [(0, (-inf, inf), 4), (1, (-inf, inf), 5), (0, (-0.5, 0.5), 6)]:
        theirs = remembering_alphabeta(game, state, player, alpha, beta, depth, {}, Tally())
        assert best_reply(game, state, player, alpha, beta, depth, Tally()) == theirs


def test_best_reply_proves_nothing_for_three_and_shows_no_line() -> None:
    found = decide(Position(TicTacToe(3, 2, 2, players=3)), algorithm="best-reply", world="interpreted")
    assert (found.kind, found.value, len(found.line)) == ("estimate", 2, 1)
    two = decide(Position.from_text(TicTacToe(), moves="b2 a1 c2"), algorithm="best-reply", world="interpreted")
    assert two.kind == "estimate"
    with pytest.raises(Unsuitable, match="write it, or use paranoid"):
        best(Nim(5, players=3), algorithm="best-reply")


# General sums.


def test_cooperation_emerges_where_it_pays_and_ends_where_it_does_not() -> None:
    # Take what lies there, or pass and let it grow: the last to move takes, so nobody ever passes.
    centipede = Tree.of([(1, 0), [(0, 2), [(3, 1), (2, 4)]]])
    assert (best(centipede).line, best(centipede).values) == ((0,), (1, 0))
    # The same where the last passing pays both more: now everybody passes, though nobody promised to.
    trusting = Tree.of([(1, 0), [(0, 2), [(3, 1), (4, 4)]]])
    assert (best(trusting).line, best(trusting).values) == ((1, 1, 1), (4, 4))
    # One after the other in the prisoners' dilemma: both betray, whatever the first does.
    dilemma = Tree.of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
    assert best(dilemma).values == (1, 1)
    assert best(dilemma, algorithm="paranoid").kind == "lower"


def test_chance_among_three() -> None:
    root = Node(
        0, (chance((0.5, 0.5), Node(1, (), (2, 1, 0)), Node(1, (), (0, 1, 2))), Node(1, (), (1, 0, 2))), (1, 1, 1)
    )
    game = shared(root, 3, ChanceTree)
    assert best(game, depth=2, world="interpreted").values == (1, 1, 1)


class Gang(Game):
    """One against four, who sit in turn: whoever of them strikes takes what he can, and only the third can."""

    players = 5
    utility_bounds = (-4, 4)

    class State(NamedTuple):
        turn: int
        moves: int
        hurt: int

    def team(self, player: int) -> int:
        return min(player, 1)

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, state: State, action: int) -> State:
        hurts = action == 1 and state.turn in (3, 4)
        return self.State((state.turn + 1) % 5, state.moves + 1, state.hurt + hurts)

    def skipped(self, state: State) -> State:
        return self.State((state.turn + 1) % 5, state.moves + 1, state.hurt)

    def is_terminal(self, state: State) -> bool:
        return state.moves >= 5

    def utility(self, state: State, player: int) -> float:
        return -state.hurt if player == 0 else state.hurt


@pytest.mark.parametrize("world", WORLDS)
def test_best_reply_lets_every_member_of_a_team_reply_and_only_one(world: str) -> None:
    found = best(Gang(), algorithm="best-reply", world=world)
    assert (found.value, found.kind) == (-1, "estimate")
    assert best(Gang(), algorithm="paranoid", world=world).value == -2
