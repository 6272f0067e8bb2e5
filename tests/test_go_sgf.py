"""SGF: collections read and written, main lines as positions, and 200,000 broken files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import BadInput, ZermeloError
from zermelo.games.go.sgf import Node, Tree, decode, main_line, parse, write
from zermelo.native import is_enabled
from zermelo.protocols.sgf import load_position, read_position, write_position

GAME = """(;FF[4]GM[1]SZ[9]KM[6.5]CA[UTF-8]PB[Ann]PW[Bob \\\\ Co \\]]
C[a line that is \\
broken]AB[cc][gg:hh]AW[ff]PL[W];W[ee];B[];W[tt](;B[df])(;B[cf](;W[aa])(;W[bb])))"""


def texts(text: str, moves: int | None = None) -> str:
    position = read_position(text, moves)
    return " ".join(position.game.format_action(None, action) for action in position.history)


def test_a_tree_is_its_nodes_with_their_parents() -> None:
    (tree,) = parse(GAME)
    assert [node.parent for node in tree] == [-1, 0, 1, 2, 3, 3, 5, 5]
    assert tree[0].properties["PW"] == ("Bob \\ Co ]",)
    assert tree[0].properties["C"] == ("a line that is broken",)
    assert tree[0].properties["AB"] == ("cc", "gg:hh")
    assert tree[5].properties == {"B": ("cf",)}


def test_the_main_line_has_the_setup_the_passes_and_the_first_variation() -> None:
    play = main_line(parse(GAME.replace(";B[];W[tt]", ";B[];W[dd]"))[0])
    assert (play.game.size, play.game.komi) == (9, 6.5)
    assert (
        play.game.format_state(play.start)
        == "........./........./..X....../........./........./.....O.../......XX./......XX./......... O"
    )
    assert [play.game.format_action(None, action) for action in play.actions] == ["E5", "pass", "D6", "D4"]


def test_who_moves_twice_was_passed_to_and_who_begins_may_be_white() -> None:
    assert texts("(;SZ[5];B[aa];B[bb];W[cc])") == "A5 pass B4 C3"
    assert read_position("(;SZ[5];W[aa])").states[0].turn == 1
    assert read_position("(;SZ[5]HA[2]AB[bb][dd])").state.turn == 1
    assert texts("(;SZ[5];B[aa];W[bb];B[cc])", moves=2) == "A5 B4"


def test_stones_set_up_later_begin_the_game_anew() -> None:
    position = read_position("(;SZ[3];B[bb];W[aa];AE[aa]AW[cc];B[ab])")
    assert str(position) == ".../XX./..O O last=A2"
    assert len(position.history) == 1


def test_collections_and_what_stands_before_them() -> None:
    trees = parse("From: a friend\n(;GM[1]) (;GM[1]SZ[5]; ;) \n")
    assert [len(tree) for tree in trees] == [1, 3]
    assert parse("(;coPYright[x]Ev[y])")[0][0].properties == {"PY": ("x",), "E": ("y",)}


def test_encodings() -> None:
    text = "(;CA[{}]PB[Müller]SZ[5])"
    for name in ("UTF-8", "iso-8859-1", "cp1252", "GB18030"):
        assert "Müller" in decode(text.format(name).encode(name))
    assert "Müller" in decode("(;PB[Müller])".encode())
    assert "Müller" in decode("(;PB[Müller])".encode("latin-1"))
    assert "Müller" in decode("(;PB[Müller])".encode("utf-16"))
    assert decode(b"\xef\xbb\xbf(;)") == "(;)"
    with pytest.raises(BadInput, match="says it is written in UTF-8, and is not"):
        decode(text.format("UTF-8").encode("latin-1"))
    for name in ("klingon", "rot13", "hex", "undefined"):
        with pytest.raises(BadInput, match="SGF file"):
            decode(text.format(name).encode("latin-1"))


names = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=2)
values = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8), min_size=1, max_size=3
).map(tuple)
properties = st.dictionaries(names, values, max_size=3)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 100), properties), min_size=1, max_size=8), min_size=1, max_size=3))
def test_what_is_written_is_read_again(shape: list[list[tuple[int, dict[str, tuple[str, ...]]]]]) -> None:
    trees = [
        in_order([Node(at % max(number, 1) if number else -1, own) for number, (at, own) in enumerate(tree)])
        for tree in shape
    ]
    assert parse(write(trees)) == trees


def in_order(nodes: list[Node]) -> Tree:
    """The nodes in the order in which they are written: a node's first variation before its second."""
    order, todo = [], [0]
    while todo:
        order.append(todo.pop())
        todo += [number for number in range(len(nodes) - 1, 0, -1) if nodes[number].parent == order[-1]]
    place = {old: new for new, old in enumerate(order)}
    return tuple(Node(place.get(nodes[old].parent, -1), nodes[old].properties) for old in order)


def test_a_position_is_written_and_read_again(tmp_path: Path) -> None:
    position = read_position("(;SZ[7]KM[3.5]AB[aa]AW[bb]PL[W];W[cc];B[];W[dd])")
    text = write_position(position, PB="Ann]", RE="B+3")
    again = read_position(text)
    assert (again.states, again.history, again.game.komi) == (position.states, position.history, 3.5)
    path = tmp_path / "game.sgf"
    path.write_text(text)
    assert load_position(str(path)).states == position.states


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has no tree"),
        ("hello", "it has no tree"),
        ("()", "a tree begins with a node"),
        ("(;SZ[9]", "1 \\( have no \\)"),
        ("(;SZ[9", "neither a node, a property nor a bracket"),
        ("(;[9])", "a value has no property"),
        ("(;SZ;)", "a property has no value"),
        ("(SZ[9])", "a node begins with ;"),
        ("(;\nsz[9])", "line 2, character 2: the name of a property has capitals"),
        ("(;%)", "line 1, character 3: this is neither"),
        ("(;SZ[99])", "a square of 2 to 19"),
        ("(;SZ[9:13])", "a square of 2 to 19"),
        ("(;SZ[²])", "a square of 2 to 19"),
        ("(;GM[2])", "is of another game"),
        ("(;KM[x])", "is no number"),
        ("(;SZ[9];B[zz])", "a point 'zz', which is not on a board"),
        ("(;SZ[9];B[aa];W[aa])", r"move 2 of the SGF \(A9\) is not legal: there is a stone"),
        ("(;SZ[9];B[];W[];B[aa])", "comes after two passes"),
        ("(;SZ[3]AB[aa:cc])", "have no liberty"),
        ("(;SZ[3]PL[Q])", "B or W who is to play"),
        ("(;SZ[9]KM[999])", "komi from -81 to 81"),
        ("(;SZ[9];B[aa:bb])", "names one point"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_position(text)


def test_deep_nesting_and_long_games_are_read() -> None:
    deep = "(;" * 20_000 + ")" * 20_000
    (tree,) = parse(deep)
    assert len(tree) == 20_000
    assert parse(write([tree])) == [tree]
    assert len(main_line((tree[0]._replace(properties={"SZ": ("2",)}), *tree[1:])).actions) == 0
    long = "(;SZ[19]" + ";B[aa];W[]" * 1800 + ")"
    with pytest.raises(BadInput, match=r"move 3 of the SGF .* there is a stone"):
        read_position(long)
    assert len(parse(long)[0]) == 3601
    with pytest.raises(BadInput, match="have no"):
        parse("(;" * 100_000)


def test_broken_files_never_do_more_than_raise_a_sentence() -> None:
    luck = random.Random(5)
    seeds = [
        "(;GM[1]SZ[9]C[a\\]]AB[cc][gg:hh];W[ee](;B[])(;B[tt]))",
        "(;SZ[5];B[aa];W[bb](;B[cc])(;B[dd]))",
        "(;GM[1]SZ[3]AB[aa]AW[cc]PL[B];B[];W[tt])",
    ]
    signs = "()[];:\\ABWSZ019aest \n"
    read, told = 0, set()
    for number in range(200_000 if is_enabled() else 50_000):
        text = seeds[number % 3][: luck.getrandbits(8)]
        place = luck.getrandbits(6) % (len(text) + 1)
        text = text[:place] + signs[luck.getrandbits(8) % len(signs)] + text[place + luck.getrandbits(1) :]
        try:
            trees = parse(text)
            if number % 50 == 0:
                main_line(trees[0])
            read += 1
        except ZermeloError as error:
            told.add(str(error))
    assert read > 1000
    assert not any("\n" in sentence for sentence in told)
