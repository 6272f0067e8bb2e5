"""Qubic: lines, threats and symmetries against naive twins, leaf counts, text."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from zermelo.bits import Bits, bit
from zermelo.draw.text import lines
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.qubic import Qubic
from zermelo.native import is_enabled
from zermelo.position import Position

CELLS = list(product(range(1, 5), repeat=3))


def collinear(first: tuple[int, ...], last: tuple[int, ...]) -> frozenset[tuple[int, ...]] | None:
    """The four cells of the line that begins and ends with two cells, if there is one."""
    steps = [(b - a) / 3 for a, b in zip(first, last, strict=True)]
    if any(step not in (-1, 0, 1) for step in steps) or first == last:
        return None
    return frozenset(tuple(int(a + place * step) for a, step in zip(first, steps, strict=True)) for place in range(4))


LINES = {line for first, last in combinations(CELLS, 2) if (line := collinear(first, last))}
NAMES = {cell: "".join(map(str, cell)) for cell in CELLS}


class Naive:
    """The rules on sets of cells: X's and O's, and who is to move."""

    def __init__(self, position: Position) -> None:
        self.sides: list[set[tuple[int, ...]]] = [set(), set()]
        for ply, (state, action) in enumerate(zip(position.states, position.history, strict=False)):
            self.sides[ply % 2].add(tuple(map(int, position.game.format_action(state, action))))
        self.turn = len(position.history) % 2

    def counts(self, player: int) -> list[int]:
        """How many lines have none, one, two, three and four of the player's cells and none of the other's."""
        own, other = self.sides[player], self.sides[1 - player]
        found = [0] * 5
        for line in LINES:
            found[len(line & own)] += not line & other
        return found

    def threats(self, player: int, own_cells: int) -> set[tuple[int, ...]]:
        """The free cells of the lines with so many cells of the player's and none of the other's."""
        own, other = self.sides[player], self.sides[1 - player]
        free = set(CELLS) - own - other
        return {cell for line in LINES if len(line & own) == own_cells and not line & other for cell in line & free}

    def forks(self, player: int) -> int:
        """How many free cells lie on two lines or more with two cells of the player's and none of the other's."""
        own, other = self.sides[player], self.sides[1 - player]
        pairs = [line for line in LINES if len(line & own) == 2 and not line & other]
        return sum(sum(cell in line for line in pairs) > 1 for cell in set(CELLS) - own - other)

    def open_lines(self, player: int) -> tuple[int, ...]:
        return *self.counts(player)[1:4], self.forks(player)


def played(seed: int, plies: int) -> Position:
    """A random game up to some ply, or its end."""
    dice, position = random.Random(seed), Position(Qubic())
    while len(position.history) < plies and not position.is_terminal:
        actions = position.moves if dice.random() < 0.3 else list(position.game.plausible(position.state))
        position.push(dice.choice(actions))
    return position


POSITIONS = [played(seed, 1 + seed % 64) for seed in range(120 if is_enabled() else 40)]


def leaves(state: Qubic.State, depth: int) -> int:
    """How many ways of exactly `depth` moves there are, by the rules on sets."""
    naive = Naive.__new__(Naive)
    sides = [
        {cell for number, cell in enumerate(CELLS) if number in side}
        for side in ((state.own, state.other) if state.turn == 0 else (state.other, state.own))
    ]

    def count(turn: int, left: int) -> int:
        if left == 0:
            return 1
        naive.sides = sides
        if naive.counts(1 - turn)[4]:
            return 0
        total = 0
        for cell in sorted(set(CELLS) - sides[0] - sides[1]):
            sides[turn].add(cell)
            total += count(1 - turn, left - 1)
            sides[turn].remove(cell)
        return total

    return count(state.turn, depth)


def walked(game: Qubic, state: Qubic.State, depth: int) -> int:
    """The same by the game's own rules."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    return sum(walked(game, game.result(state, action), depth - 1) for action in game.actions(state))


def test_lines() -> None:
    """76 lines; seven through the corners and the inner cells, four through the others."""
    game = Qubic()
    through = {cell: sum(cell in line for line in LINES) for cell in CELLS}
    assert len(LINES) == 76
    assert sorted(through.values()) == [4] * 48 + [7] * 16
    assert {CELLS[cell] for cell in game.rich} == {cell for cell, count in through.items() if count == 7}
    own = {
        frozenset(CELLS[start + step * place] for place in range(4))
        for starts, step in game.directions
        for start in starts
    }
    assert own == LINES


@pytest.mark.parametrize("position", POSITIONS, ids=range(len(POSITIONS)))
def test_knowledge_agrees_with_the_rules_on_sets(position: Position) -> None:
    game, state, naive = Qubic(), position.state, Naive(position)
    mover, other = naive.turn, 1 - naive.turn
    free = ~(state.own | state.other)
    won = naive.counts(other)[4] > 0
    assert game.is_terminal(state) == (won or not free)
    if game.is_terminal(state):
        assert game.utilities(state) == ((0, 0) if not won else (1, -1) if other == 0 else (-1, 1))
        return
    named = dict(enumerate(CELLS))
    wins, musts = naive.threats(mover, 3), naive.threats(other, 3)
    assert {named[cell] for cell in game.completing(state.own) & free} == wins
    assert {named[cell] for cell in game.promising(state.own, free)} == naive.threats(mover, 2)
    assert game.open_lines(state.own, state.other) == naive.open_lines(mover)
    plausible = {named[cell] for cell in game.plausible(state)}
    assert plausible <= (wins or musts or {named[cell] for cell in free})
    assert len(plausible) == (1 if wins or musts else free.count())
    forcing = [named[cell] for cell in game.forcing(state)]
    expected = naive.threats(mover, 2) & (musts or naive.threats(mover, 2))
    assert set(forcing) == (expected if not wins and len(musts) < 2 else set(forcing) & wins)
    assert bool(wins) <= bool(forcing)
    assert game.bounds(state, mover) == (1 if wins else -1, -1 if not wins and len(musts) > 1 else 1)
    lead = [a - b for a, b in zip(naive.open_lines(0), naive.open_lines(1), strict=True)]
    assert list(game.features(state)) == [*lead, 1 if mover == 0 else -1]


def test_leaf_counts() -> None:
    game = Qubic()
    assert [walked(game, game.initial(), depth) for depth in range(3)] == [1, 64, 64 * 63]


@pytest.mark.parametrize(("seed", "plies", "depth"), [(1, 40, 2), (2, 30, 2), (7, 60, 3), (12, 61, 3)])
def test_leaf_counts_where_games_end(seed: int, plies: int, depth: int) -> None:
    position = played(seed, plies)
    game, state = Qubic(), position.states[-3]
    assert walked(game, state, depth) == leaves(state, depth)


def test_symmetries_are_all_maps_that_keep_the_lines() -> None:
    """192 with the one that moves nothing, each of which takes lines to lines; they are a group."""
    game = Qubic()
    moved = [list(game.symmetries(game.State(bit(cell), bit(63 - cell), 1))) for cell in range(64)]
    turns = [tuple(twin.own.lowest() for twin in twins) for twins in zip(*moved, strict=True)]
    assert turns == [tuple(twin.other.lowest() for twin in twins) for twins in zip(*reversed(moved), strict=True)]
    maps = {tuple(range(64)), *turns}
    assert len(maps) == len(turns) + 1 == 192
    numbers = {frozenset(CELLS.index(cell) for cell in line) for line in LINES}
    for places in turns:
        assert sorted(places) == list(range(64))
        assert {frozenset(places[cell] for cell in line) for line in numbers} == numbers
    some = random.Random(1).sample(sorted(maps), 12)
    assert all(tuple(one[place] for place in other) in maps for one in some for other in some)


def test_first_moves_up_to_symmetry() -> None:
    """Two first moves, and twelve answers to the corner."""
    game = Qubic()

    def kinds(state: Qubic.State) -> int:
        return len({game.canonical_key(game.result(state, action)) for action in game.actions(state)})

    assert kinds(game.initial()) == 2
    assert kinds(game.result(game.initial(), 0)) == 12


def test_text() -> None:
    position = Position.from_text(Qubic(), moves="111 444 213")
    assert str(position) == "X.../..../..../.... ..X./..../..../.... ..../..../..../.... ..../..../..../...O"
    assert Qubic().parse_state(str(position)) == position.state
    with pytest.raises(IllegalAction, match="'115' is not legal"):
        position.push_text("115")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XO", "is not four layers of four rows, such as"),
        ("X.../..../..../.... ..../..../..../.... ..../..../..../....", "is not four layers"),
        ("X../..../..../.... " + " ".join(["..../..../..../...."] * 3), "rows of 4 X, O or ."),
        ("XX../..../..../.... " + " ".join(["..../..../..../...."] * 3), "has 2 X and 0 O"),
        ("XXXX/OOOO/..../.... " + " ".join(["..../..../..../...."] * 3), "went on after X had won"),
    ],
)
def test_states_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Qubic().parse_state(text)


def test_picture() -> None:
    """Four layers side by side where there is room, the last mark in brackets."""
    game = Qubic()
    position = Position.from_text(game, moves="111 444")
    drawn = lines(game.board(position.state), game.board(position.states[-2]))
    assert drawn[0].split() == ["layer", "1", "layer", "2", "layer", "3", "layer", "4"]
    assert drawn[2].startswith("1 │ X │")
    assert drawn[8].endswith("│[O]│")
    assert max(map(len, drawn)) <= 80
    narrow = lines(game.board(position.state), boxes=False, columns=40)
    assert max(map(len, narrow)) <= 40
    assert len(narrow) == 2 * len(drawn) + 1


def test_a_layer_needs_a_title() -> None:
    board = Qubic().board(Qubic().initial())
    with pytest.raises(ValueError, match="Layers needs a title for each grid, not 0 for 4"):
        lines(board._replace(titles=()))


def test_one_more_mark_never_hurts() -> None:
    state = Position.from_text(Qubic(), moves="111 444 213").state
    (passed,) = Qubic().passed(state)
    assert (passed.own, passed.other, passed.turn) == (state.other, state.own, 0)
    assert Bits(0) == passed.own & passed.other
