"""Explicit trees: what may be written, what it means, and how everything else is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.board import Node
from zermelo.errors import BadInput
from zermelo.game import CHANCE
from zermelo.games.tree import Tree
from zermelo.games.tree.reading import DEEPEST, KINDS
from zermelo.position import Position

NESTED = st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=30)


def value(game: Tree, state: Any) -> tuple[float, ...]:
    """What best play gives to each player, by max^n with chance."""
    if game.is_terminal(state):
        return game.utilities(state)
    mover = game.to_move(state)
    if mover == CHANCE:
        parts = [(value(game, game.result(state, action)), odds) for action, odds in game.outcomes(state)]
        return tuple(sum(worth[player] * odds for worth, odds in parts) for player in range(game.players))
    values = [value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values, key=lambda worth: worth[mover])


def minimax_of_lists(nested: Any, player: int = 0) -> float:
    """The value of nested lists to the first player."""
    if not isinstance(nested, list):
        return nested
    return (max if player == 0 else min)(minimax_of_lists(child, 1 - player) for child in nested)


def refusal(written: Any) -> str:
    with pytest.raises(BadInput) as caught:
        Tree.of(written)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# What it means.


def test_the_textbook_tree() -> None:
    game = Tree()
    assert value(game, game.initial()) == (3, -3)
    position = Position.from_text(game, moves="a1 2")
    assert str(position) == "B.2"
    assert position.utilities == (12, -12)
    assert game.board(game.initial()) == Node("A", (("a1", "B"), ("a2", "C"), ("a3", "D")))
    assert game.facts.zero_sum
    assert (game.facts.lowest, game.facts.highest) == (-14, 14)


@given(NESTED)
@examples(200)
def test_nested_lists_have_their_minimax_value(nested: Any) -> None:
    game = Tree.of(nested)
    assert value(game, game.initial())[0] == minimax_of_lists(nested)
    assert game.facts.zero_sum
    for node in range(len(game.names)):
        state = game.State(node)
        assert game.parse_state(game.format_state(state)) == state
        for action in game.actions(state):
            assert game.parse_action(state, game.format_action(state, action)) == action


@given(NESTED)
@examples(50)
def test_a_file_holds_the_same_as_python(tmp_path_factory: pytest.TempPathFactory, nested: Any) -> None:
    path = tmp_path_factory.mktemp("tree") / "tree.json"
    path.write_text(json.dumps(nested), encoding="utf-8")
    assert Tree(file=str(path)).values == Tree.of(nested).values


def test_one_number_is_a_tree() -> None:
    game = Tree.of(5)
    assert game.is_terminal(game.initial())
    assert game.utilities(game.initial()) == (5, -5)


def test_players_take_turns_unless_it_is_said_otherwise() -> None:
    game = Tree.of([{"player": 0, "children": [[1, 2], 3]}, 4])
    assert game.movers == (0, 0, 1, 0, 0, 1, 1)


def test_many_players() -> None:
    game = Tree.of([[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)], {"values": [5, 1, 1]}])
    assert game.players == 3
    assert game.movers[:4] == (0, 1, 2, 2)
    assert value(game, game.initial()) == (7, 4, 1)
    assert game.facts.total is None
    assert (game.facts.lowest, game.facts.highest) == (1, 7)
    assert Tree.of([(0.1, 0.2, 0.7), (0.5, 0.25, 0.25)]).facts.total == 1


def test_one_player() -> None:
    game = Tree.of({"players": 1, "root": [3, [5, 4]]})
    assert value(game, game.initial()) == (5,)
    assert set(game.movers) == {0}
    assert game.facts.total is None


def test_chance() -> None:
    game = Tree.of(
        [
            {"chance": [{"p": 0.25, "action": "heads", "node": 8}, {"p": 0.75, "node": [4, -4]}]},
            {"chance": [{"p": "1/3", "node": 3}, {"p": "2/3", "node": -3}]},
        ]
    )
    assert game.facts.chance
    assert not Tree().facts.chance
    assert value(game, game.initial())[0] == pytest.approx(-1)
    chance = game.result(game.initial(), 0)
    assert game.to_move(chance) == CHANCE
    assert list(game.outcomes(chance)) == [(0, 0.25), (1, 0.75)]
    assert game.format_action(chance, 0) == "heads"
    assert game.to_move(game.result(chance, 1)) == 1


def test_a_node_may_be_reached_in_several_ways() -> None:
    game = Tree.of([{"name": "B", "children": [1, 2]}, [{"ref": "B"}, 5]])
    first = game.result(game.initial(), 0)
    assert game.result(game.result(game.initial(), 1), 0) == first
    assert game.to_move(first) == 1
    assert value(game, game.initial())[0] == 1


def test_evaluation_is_neutral() -> None:
    assert Tree().evaluate(Tree().initial(), 0) == 0
    assert Tree.of([(1, 9), (4, 6)]).evaluate(Tree().initial(), 1) == 5
    assert Tree.of({"players": 1, "root": [3, 5]}).evaluate(Tree().initial(), 0) == 4


def test_deep_and_wide_trees() -> None:
    nested: Any = 1
    for _ in range(DEEPEST - 1):
        nested = [nested]
    assert len(Tree.of(nested).names) == DEEPEST
    assert len(Tree.of([0] * 20_000).names) == 20_001


# What is refused.


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ([], "root has an empty list for children"),
        ([1, [2, []]], "root.2.2 has an empty list for children"),
        ({"children": 3}, "root has 3 for children"),
        ("x", "root is 'x': a node is a number, a list or an object"),
        ([1, None], "root.2 is None"),
        ([True], "root.1 is True"),
        ([1, "x" * 500], "root.2 is 'xxx"),
        ({}, "root needs exactly one of value, values, children, chance, ref, and has none"),
        ({"value": 3, "children": [1]}, "and has value and children"),
        ({"children": [1], "colour": 2}, "root has 'colour': what may stand there is children, name, player"),
        ({"root": 1, "colour": 2}, "the tree has 'colour'"),
        ({3: 4}, "root needs exactly one of"),
        ({"value": "3"}, "root has the value '3': give a finite number"),
        ([1, float("nan")], "root.2 has the value nan: give a finite number"),
        ([1, float("-inf")], "root.2 has the value -inf"),
        ([1, 10**400], "root.2 has the value 1000"),
        ([(1, 2), (1, 2, 3)], "root.2 has 3 values for 2 players"),
        ([(1, 2, 3), 4], "root.2 has one value for 3 players"),
        ({"values": []}, "root has an empty list for values"),
        ({"values": [1, "2"]}, "root has the value '2'"),
        ({"players": 0, "root": 1}, "the tree has 0 for players"),
        ({"players": True, "root": 1}, "the tree has True for players"),
        ({"players": 3, "root": (1, 2)}, "root has 2 values for 3 players"),
        ({"player": 2, "children": [1]}, "root has player 2, but there are 2, numbered from 0"),
        ({"player": -1, "children": [1]}, "root has -1 for player"),
        ({"player": "0", "children": [1]}, "root has '0' for player"),
        ({"name": 3, "value": 1}, "root has 3 for name"),
        ({"name": "a\nb", "value": 1}, r"root has 'a\nb' for name"),
        ([{"name": "B", "value": 1}, {"name": "B", "value": 1}], "root.2 has the name 'B', which another node has"),
        ([{"action": "go left", "node": 1}], "root.1 has the action 'go left': leave out the spaces"),
        ([{"action": "2", "node": 1}, 5], "root has two moves called '2'"),
        ([{"p": 0.5, "node": 1}], "root.1 has 'p'"),
        ({"chance": []}, "root has an empty list for chance"),
        ({"chance": [1, 2]}, "root.1 is 1: an outcome of chance is written"),
        ({"chance": [{"node": 1}]}, "root.1 has None for p"),
        ({"chance": [{"p": 0.5, "node": 1}, {"p": 0.4, "node": 2}]}, "root has probabilities that add up to 0.9:"),
        ({"chance": [{"p": 0, "node": 1}, {"p": 1, "node": 2}]}, "root.1 has 0 for p"),
        ({"chance": [{"p": "1/0", "node": 1}]}, "root.1 has '1/0' for p"),
        ({"ref": "B"}, "root is a ref"),
        ([{"ref": "B"}], "root.1 refers to 'B', but no node has that name"),
        ([{"ref": []}], "root.1 has an empty list for ref"),
        ({"name": "A", "children": [{"name": "B", "children": [{"ref": "A"}, 3]}]}, "leads back to itself: A → B → A"),
        ([[{"ref": "root"}]], "leads back to itself: root → root.1 → root"),
    ],
)
def test_refusals_say_where(written: Any, complaint: str) -> None:
    assert complaint in refusal(written)


def test_what_contains_itself_is_refused() -> None:
    ring: list[Any] = []
    ring += [ring, ring]
    assert "is nested too deep: a tree has at most 500 levels" in refusal(ring)


def test_unknown_nodes_are_refused() -> None:
    with pytest.raises(BadInput, match="there is no node 'Z' in the tree; there are A B "):
        Tree().parse_state("Z")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"[1,\n[2,\n3]", "tree.json line 3: this is not JSON"),
        (b"", "tree.json line 1: this is not JSON"),
        (b"\xff\xfe", "tree.json is not a text file in UTF-8"),
        (b"[" * 100_000, "tree.json is nested too deep"),
        (b"9" * 5_000, "tree.json holds a number with too many digits"),
        (b"[1, NaN]", "tree.json: root.2 has the value nan"),
        (b"null", "tree.json: root is None"),
        (b'{"name": "A", "children": [{"ref": "A"}]}', "tree.json: the tree leads back to itself: A → A"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "tree.json"
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        Tree(file=str(path))
    assert complaint in str(caught.value)


@pytest.mark.parametrize("file", ["nowhere.json", ".", "a\0b"])
def test_missing_files_are_refused(file: str) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        Tree(file=file)


KEYS = st.sampled_from([*KINDS, "name", "player", "p", "node", "action", "root", "players"])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=3),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=3),
    max_leaves=12,
)


@given(ANY_JSON)
@examples(500)
def test_any_json_is_a_tree_or_refused(content: Any) -> None:
    try:
        game = Tree(root={"root": content})
    except BadInput:
        assert "\n" not in refusal({"root": content})
    else:
        value(game, game.initial())
