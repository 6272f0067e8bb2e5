"""Opening books: they give legal moves alone, in twins of a position too, and no file can do harm."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from test_cli import GOOD, answer, sentence, zermelo
from trees import Endless, NestedTree, Node, examples, minimax_naive, nested, trees, zero_sum
from zermelo.engine import book as books
from zermelo.engine.book import Book, Draft, Entry, Record, key_of, mark_of, name_of, read, summary
from zermelo.engine.bookmaking import Plan, Progress, build, parse_game, record_game, record_search
from zermelo.engine.decide import decide
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import CHANCE, Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.position import Position
from zermelo.registry import load


def made(game: Game, path: Path, **how: Any) -> Book:
    """A book that was built by search, read again."""
    build(Draft.continuing(path, game), path, Plan(**how))
    return Book.open(path, game)


def at(game: Game, moves: str = "") -> Position:
    return Position.from_text(game, moves=moves)


def counted(game: Game, path: Path, *lines: str) -> Book:
    """A book from games, read again."""
    draft = Draft.continuing(path, game)
    for line in lines:
        record_game(draft, parse_game(game, line), 100)
    draft.save(path)
    return Book.open(path, game)


def positions_of(book: Book, position: Position, plies: int) -> list[Position]:
    """All positions that a book knows, up to some plies from a position."""
    found = [position] if book.probe(position) else []
    if plies > 0:
        for action in position.moves:
            after = position.copy()
            after.push(action)
            found += positions_of(book, after, plies - 1)
    return found


@cache
def solved(game: Game, state: Any) -> float:
    """The exact value of a state to player 0, by plain minimax."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    values = [solved(game, game.result(state, action)) for action in game.legal(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


# Playing by it.


def test_a_book_of_tic_tac_toe_keeps_the_value(tmp_path: Path) -> None:
    game = TicTacToe()
    book = made(game, tmp_path / "a.book", plies=4, choices=1, world="interpreted")
    known = positions_of(book, Position(game), 3)
    assert len({key_of(game, position.state) for position in known}) == summary(read(tmp_path / "a.book")).positions
    for position in known:
        sign = 1 if position.to_move == 0 else -1
        for entry in book.probe(position):
            values = {
                sign * solved(game, game.result(position.state, action)) for action in (entry.action, *entry.twins)
            }
            assert values == {entry.value}
            assert entry.kind == "exact"
        for luck in (None, *map(random.Random, range(5))):
            chosen = book.choose(position, luck)
            assert chosen is not None
            assert sign * solved(game, game.result(position.state, chosen.action)) == sign * solved(
                game, position.state
            )


class Shown(NestedTree):
    """A tree whose ends may be evaluated too."""

    def evaluate(self, state: Node, player: int) -> float:
        return state.worth[player]


@examples(40)
@given(trees(zero_sum(), height=4).filter(lambda root: root.children), st.integers(1, 4), st.none() | st.integers(1, 2))
def test_books_of_random_trees_are_legal_and_keep_the_value(
    tmp_path_factory: pytest.TempPathFactory, root: Node, plies: int, width: int | None
) -> None:
    game, path = Shown(root), tmp_path_factory.getbasetemp() / "tree.book"
    draft = Draft(game)
    build(draft, path, Plan(plies, width, world="interpreted", depth=10))
    book = Book.open(path, game)
    assert len(book) == len(draft)
    known = positions_of(book, Position(game), plies - 1)
    assert known[0].state == root
    for position in known:
        assert book.probe(position) == draft.probe(position)
        for luck in (None, random.Random(plies)):
            chosen = book.choose(position, luck)
            assert chosen is not None
            assert chosen.action in position.moves
            value = minimax_naive(position.state, position.to_move)
            assert chosen.value == value == minimax_naive(position.state.children[chosen.action], position.to_move)


def test_a_book_answers_everything_at_the_turns_of_its_player_alone(tmp_path: Path) -> None:
    game = TicTacToe()
    book = made(game, tmp_path / "second.book", plies=4, players=(1,), world="interpreted", depth=4)
    assert book.probe(Position(game)) == []
    for first in Position(game).moves:
        position = Position(game)
        position.push(first)
        reply = book.choose(position)
        assert reply is not None
        position.push(reply.action)
        assert book.probe(position) == []
        position.push(position.moves[-1])
        assert book.choose(position) is not None
        position.push(position.moves[0])
        assert book.probe(position) == [], "the fifth move is beyond the book"


def test_width_answers_the_best_of_the_opponent_alone(tmp_path: Path) -> None:
    game = load("nim:stones=9")
    limits: dict[str, Any] = {"plies": 3, "players": (0,), "choices": 1, "world": "interpreted"}
    every, narrow = (made(game, tmp_path / f"{width}.book", width=width, **limits) for width in (None, 1))
    first = every.choose(Position(game))
    assert first is not None
    replies = []
    for action in (1, 2, 3):
        position = Position(game)
        position.push(first.action)
        position.push(action)
        replies.append((bool(every.probe(position)), bool(narrow.probe(position))))
    assert sorted(replies) == [(True, False), (True, False), (True, True)]


def test_what_is_nearly_as_good_may_be_played_within_a_margin(tmp_path: Path) -> None:
    game = Shown(nested([[3], [2], [-1]]))
    narrow = made(game, tmp_path / "0.book", plies=1)
    wide = made(game, tmp_path / "1.book", plies=1, margin=1.0)
    assert [(e.action, e.weight, e.value) for e in narrow.probe(Position(game))] == [
        (0, 1000, 3),
        (1, 0, 2),
        (2, 0, -1),
    ]
    assert [(e.action, e.weight) for e in wide.probe(Position(game))] == [(0, 1000), (1, 999), (2, 0)]
    assert {wide.choose(Position(game), random.Random(seed)).action for seed in range(20)} == {0, 1}  # type: ignore[union-attr]


def test_best_lines_are_searched_first(tmp_path: Path) -> None:
    """After the best move and reply comes what they lead to, before the answers to the third best."""
    game = Shown(nested([[[5], [6]], [[3], [3]], [[1], [1]]]))

    def watch(done: Progress) -> None:
        if done.searched == 4:
            raise KeyboardInterrupt

    draft = Draft(game)
    with pytest.raises(KeyboardInterrupt):
        build(draft, tmp_path / "a.book", Plan(3, world="interpreted"), watch)
    book = Book.open(tmp_path / "a.book", game)
    seen = [bool(book.probe(at(game, moves))) for moves in ("", "0", "0 0", "1", "2")]
    assert seen == [True, True, True, True, False]


def test_a_position_that_is_reached_sooner_later_is_followed_further(tmp_path: Path) -> None:
    """T comes up in the third move of a good line first, and then as the worst first move, with two more to go."""
    game = Tree.of([[[{"ref": "T"}, 10]], 9, 8, 7, {"name": "T", "children": [[[-5, -4]]]}])
    book = made(game, tmp_path / "a.book", plies=4, choices=5, world="interpreted")
    start = Position(game)
    assert [entry.value for entry in book.probe(start)] == [10, 9, 8, 7, -5]
    position = Position(game)
    for place in (4, 0, 0):
        position.push(position.moves[place])
    assert [entry.value for entry in book.probe(position)] == [5, 4]


# Twins.


def test_a_mirrored_position_of_connect_four_finds_its_own_action() -> None:
    game, draft = ConnectFour(), Draft(ConnectFour())
    left, right = at(game, "121212"), at(game, "767676")
    record_search(draft, left, decide(left, depth=3, lines=7, world="interpreted"))
    one, other = draft.probe(left), draft.probe(right)
    assert len(one) == len(other) == 7
    assert {entry.action: entry.value for entry in one} == {6 - entry.action: entry.value for entry in other}
    assert (one[0].action, other[0].action) == (0, 6)
    assert all(not entry.twins for entry in one)
    centre = Position(game)
    record_search(draft, centre, decide(centre, depth=2, lines=7, world="interpreted"))
    assert {entry.action: entry.twins for entry in draft.probe(centre)} == {0: (6,), 1: (5,), 2: (4,), 3: ()}


def test_turned_positions_of_othello_find_their_own_actions() -> None:
    game = Othello()
    position = at(game, "f5 d6 c3")
    draft = Draft(game)
    record_search(draft, position, decide(position, depth=2, lines=3, world="interpreted"))
    wanted = {key_of(game, game.result(position.state, entry.action)): entry.value for entry in draft.probe(position)}
    assert len(wanted) == 3
    actions = set()
    for twin in game.symmetries(position.state):
        found = draft.probe(Position(game, twin))
        assert {key_of(game, game.result(twin, entry.action)): entry.value for entry in found} == wanted
        assert {entry.action for entry in found} <= set(game.legal(twin))
        actions.add(found[0].action)
    assert len(actions) > 3
    root = Draft(game)
    record_search(root, Position(game), decide(Position(game), depth=1, world="interpreted"))
    (only,) = root.probe(Position(game))
    assert {only.action, *only.twins} == set(game.legal(game.initial()))
    chosen = {root.choose(Position(game), random.Random(seed)).action for seed in range(40)}  # type: ignore[union-attr]
    assert chosen == {only.action, *only.twins}


def test_games_that_are_twins_count_together(tmp_path: Path) -> None:
    book = counted(ConnectFour(), tmp_path / "a.book", "1 4 1", "7 4 7", "7 4 4")
    (first,) = book.probe(at(ConnectFour()))
    assert (first.action, first.twins, first.played) == (0, (6,), 3)
    assert [(entry.action, entry.played) for entry in book.probe(at(ConnectFour(), "74"))] == [(6, 2), (3, 1)]
    assert [(entry.action, entry.played) for entry in book.probe(at(ConnectFour(), "14"))] == [(0, 2), (3, 1)]


# From games.


def test_games_are_counted_with_their_scores(tmp_path: Path) -> None:
    game = TicTacToe()
    lines = ("b2 a1; 1", "b2 a1; -1", "b2 a1; 0", "b2 a1", "a1 b2 a2 b1 a3", "b3 a3; -1")
    book = counted(game, tmp_path / "a.book", *lines)
    start = {entry.action: (entry.weight, entry.played, entry.score) for entry in book.probe(at(game))}
    centre, corner, edge = (game.parse_action(game.initial(), text) for text in ("b2", "a3", "b3"))
    assert start == {centre: (4, 4, 2.0), corner: (2, 1, 1.0), edge: (0, 1, 0.0)}
    (reply,) = book.probe(at(game, "b2"))
    assert (reply.played, reply.score, reply.value, reply.kind) == (4, 2.0, None, None)
    luck = random.Random(1)
    chosen = [book.choose(at(game), luck) for _ in range(300)]
    share = sum(entry is not None and entry.action == centre for entry in chosen) / 300
    assert 0.55 < share < 0.78, "two of three"
    assert all(entry is not None and entry.weight > 0 for entry in chosen)


def test_search_decides_where_there_are_games_too(tmp_path: Path) -> None:
    game, path = TicTacToe(), tmp_path / "a.book"
    counted(game, path, "b3 b2; -1", "a1 a2; 1")
    book = made(game, path, plies=2, choices=1, world="interpreted")
    found = {entry.action: entry for entry in book.probe(at(game, "a1"))}
    wrong, right = (game.parse_action(at(game, "a1").state, text) for text in ("a2", "b2"))
    assert (found[right].weight, found[right].value, found[right].played) == (1000, 0, 0)
    assert (found[wrong].weight, found[wrong].value, found[wrong].played) == (0, None, 1)
    counted(game, path, "a1 b2; 1")
    again = {entry.action: entry for entry in Book.open(path, game).probe(at(game, "a1"))}
    assert (again[right].weight, again[right].played, again[wrong].weight) == (1000, 1, 0)


def test_only_moves_of_players_are_counted_where_chance_moves(tmp_path: Path) -> None:
    game = Tree.of({"chance": [{"p": 0.5, "node": [3, 4]}, {"p": 0.5, "node": [1, 2]}]})
    texts = [game.format_action(game.initial(), action) for action in game.legal(game.initial())]
    book = counted(game, tmp_path / "a.book", *(f"{text} 1" for text in texts))
    assert game.to_move(game.initial()) == CHANCE
    assert book.probe(Position(game)) == []
    assert book.choose(at(game, texts[0])) is not None


BAD_GAMES = {
    "b2 b2": "'b2' is not legal",
    "b2 x": "'x' is not legal",
    "b2; many": "the result 'many' is not a number",
    "b2; 7": "the result 7 is not from -1 to 1",
    "b2; nan": "is not from",
    "a1 b2 a2 b1 a3; -1": "the result is given as -1, but the game ended with 1",
    "; 1": "there are no moves",
}


@pytest.mark.parametrize("text", BAD_GAMES)
def test_bad_games_are_told(text: str) -> None:
    with pytest.raises(BadInput, match=BAD_GAMES[text]):
        parse_game(TicTacToe(), text)


def test_one_number_is_no_result_of_a_game_for_three() -> None:
    game = Tree.of({"players": 3, "root": [(1, 2, 6), (0, 0, 1)]})
    assert parse_game(game, game.format_action(game.initial(), 0)).utilities == (1, 2, 6)
    with pytest.raises(BadInput, match="one number does not tell"):
        parse_game(game, f"{game.format_action(game.initial(), 0)}; 1")


# Going on.


def stop_after(count: int) -> Callable[[Progress], None]:
    def listen(done: Progress) -> None:
        if done.searched == count:
            raise KeyboardInterrupt

    return listen


@pytest.mark.parametrize("limits", [{"depth": 2}, {"nodes": 100}])
@pytest.mark.parametrize("how", [{}, {"width": 2}, {"players": (0,), "margin": 0.05}])
def test_an_interrupted_build_goes_on_to_the_same_book(tmp_path: Path, how: Any, limits: Any) -> None:
    game, whole, parts = ConnectFour(width=4, height=4), tmp_path / "whole.book", tmp_path / "parts.book"
    plan = Plan(4, **how, **limits, world="interpreted")
    total = build(Draft(game), whole, plan).progress.searched
    kept = 0
    for count in (1, total // 3, total // 3):
        draft = Draft.continuing(parts, game)
        with pytest.raises(KeyboardInterrupt):
            build(draft, parts, plan, stop_after(count))
        kept += count
        assert summary(read(parts)).searched == kept
    rest = build(Draft.continuing(parts, game), parts, plan).progress
    assert (rest.searched, rest.waiting) == (total - kept, 0)
    assert parts.read_bytes() == whole.read_bytes()
    assert build(Draft.continuing(parts, game), parts, plan).progress.searched == 0
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.native
def test_a_large_game_is_searched_natively_and_to_the_same_book(tmp_path: Path) -> None:
    game, plan = ConnectFour(), Plan(3, depth=9, choices=2)
    build(Draft(game), tmp_path / "whole.book", plan)
    draft = Draft(game)
    with pytest.raises(KeyboardInterrupt):
        build(draft, tmp_path / "parts.book", plan, stop_after(5))
    build(Draft.continuing(tmp_path / "parts.book", game), tmp_path / "parts.book", plan)
    assert (tmp_path / "parts.book").read_bytes() == (tmp_path / "whole.book").read_bytes()


def test_what_was_found_is_kept_when_rules_fail(tmp_path: Path) -> None:
    class Failing(Nim):
        def result(self, state: Any, action: int) -> Any:
            assert state.stones != 13, "a mistake"
            return super().result(state, action)

    game, path = Failing(), tmp_path / "a.book"
    draft = Draft.__new__(Draft)
    draft.game, draft.states, draft._mark = game, {}, bytes(16)
    with pytest.raises(AssertionError, match="a mistake"):
        build(draft, path, Plan(9, depth=1, world="interpreted"))
    assert summary(read(path)).positions > 0


def test_a_file_that_cannot_be_written_is_told_before_searching(tmp_path: Path) -> None:
    searched: list[Progress] = []
    with pytest.raises(BadInput, match="can't be written"):
        build(Draft(Nim()), tmp_path / "nowhere" / "a.book", Plan(3), searched.append)
    assert searched == []
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="is no file"):
        Draft.continuing(tmp_path / "folder", Nim())


def test_a_write_that_fails_leaves_the_old_book_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.book"
    made(Nim(), path, plies=1, world="interpreted")
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left"):
        Draft(Nim()).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"plies": 0}, "plies must be 1 or more"),
        ({"width": 0}, "width must be 1"),
        ({"choices": 0}, "choices must be 1"),
        ({"margin": -1.0}, "margin must be 0 or more"),
        ({"margin": float("nan")}, "margin must be 0 or more"),
        ({"depth": 0}, "depth must be more than 0"),
        ({"world": "mars"}, "there is no world 'mars'"),
        ({"players": (2,)}, "there is no player 3: Nim has 2"),
        ({"players": (-1,)}, "there is no player 0"),
    ],
)
def test_plans_that_make_no_sense_are_refused(tmp_path: Path, how: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        build(Draft(Nim()), tmp_path / "a.book", Plan(**{"plies": 2, **how}))
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_no_search_serves_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    class Hidden(Nim):
        perfect_information = False

    with pytest.raises(Unsuitable, match="needs perfect information"):
        build(Draft(Hidden()), tmp_path / "a.book", Plan(2))
    assert list(tmp_path.iterdir()) == []


def test_states_that_have_no_key_are_refused() -> None:
    class Odd(Nim):
        def initial(self) -> Any:
            return object()

    with pytest.raises(BadInput, match="states of Odd can't be told apart in a book: give it a method key"):
        Draft(Odd())


# Which game it is for.


def test_a_book_of_another_game_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    made(ConnectFour(margin=1), path, plies=1, depth=1, world="interpreted")
    for game, name in ((ConnectFour(), "connect-four"), (Nim(), "nim"), (Endless(), "Endless")):
        with pytest.raises(BadInput, match=f"a.book is a book for connect-four:margin=1, not for {name}$"):
            Book.open(path, game)
        with pytest.raises(BadInput, match="is a book for connect-four:margin=1, not for"):
            Draft.continuing(path, game)


def test_a_book_of_other_rules_is_told(tmp_path: Path) -> None:
    def game_with(change: tuple[str, str]) -> Game:
        (tmp_path / "mygame.py").write_text(GOOD.replace(*change))
        return load(str(tmp_path / "mygame.py"))

    game = game_with(("", ""))
    made(game, tmp_path / "a.book", plies=2, world="interpreted")
    assert name_of(game) == "mygame.py:MyGame"
    kept = game_with(("    def initial(self):", "    # A comment.\n    def initial(self):"))
    kept = game_with(("        for n in (1, 2, 3):", "        for n in range(1, 4):"))
    assert Book.open(tmp_path / "a.book", kept).choose(Position(kept)) is not None
    for change in (("(1, 2, 3)", "(1, 2)"), ("else -1", "else -2"), ("(self.stones, 0)", "(self.stones, 1)")):
        with pytest.raises(BadInput, match=r"a book for mygame\.py:MyGame with other rules or keys: build it anew"):
            Book.open(tmp_path / "a.book", game_with(change))


def test_marks_stay_so_that_books_stay() -> None:
    assert mark_of(TicTacToe()).hex() == "1cc30ec7cc8c1beda02c9d8b0e7c3706"
    assert mark_of(Nim()).hex() == "9118cd05ab46ce18083ff21866d8ce6b"


def test_opening_and_probing_need_no_compiler(tmp_path: Path) -> None:
    made(Nim(), tmp_path / "a.book", plies=2, world="interpreted")
    code = (
        "import sys; from zermelo import Position, load; from zermelo.engine.book import Book; game = load('nim'); "
        f"print(Book.open({str(tmp_path / 'a.book')!r}, game).choose(Position(game)).action, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "1 False\n"


# Files.


class Two(Shown):
    """A game of two moves, whose keys a test can choose."""

    def __init__(self) -> None:
        super().__init__(nested([[3], [2]]))


def sealed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def file_of(*rows: tuple[Any, ...], name: bytes = b"Two", count: int | None = None, version: int = 1) -> bytes:
    """A book written by hand, as the manual tells."""
    head = struct.pack(
        "<16sIIQ16s",
        b"zermelo book\r\n\x1a\n",
        version,
        len(name),
        len(rows) if count is None else count,
        mark_of(Two()),
    )
    body = b"".join(struct.pack("<QQdIIIHBB", *row) for row in rows)
    return sealed(head + name + bytes(-len(name) % 8) + body)


def row(key: int = 1, child: int = 1, **changes: Any) -> tuple[Any, ...]:
    fields = {"value": 0.5, "weight": 1, "played": 2, "points": 4, "depth": 3, "kind": 4, "unused": 0, **changes}
    return (key, child, *fields.values())


def test_the_format_is_as_the_manual_tells(tmp_path: Path) -> None:
    game, path = Two(), tmp_path / "a.book"
    key, *children = (key_of(game, state) for state in (game.root, *game.root.children))
    rows = [row(key, child, value=-float(place), weight=5 * place) for place, child in enumerate(children)]
    path.write_bytes(file_of(*sorted(rows)))
    found = Book.open(path, game).probe(Position(game))
    assert found == [Entry(1, 5, -1.0, "estimate", 3, 2, 2.0), Entry(0, 0, 0.0, "estimate", 3, 2, 2.0)]
    draft = Draft.continuing(path, game)
    draft.save(tmp_path / "b.book")
    assert (tmp_path / "b.book").read_bytes() == path.read_bytes()


def test_unknown_and_illegal_records_are_ignored(tmp_path: Path) -> None:
    game, path = Two(), tmp_path / "a.book"
    key = key_of(game, game.root)
    rows = sorted([row(key, 7), row(key, 8, kind=1), row(9, key_of(game, game.root.children[0]))])
    path.write_bytes(file_of(*rows))
    book = Book.open(path, game)
    assert len(book) == 3
    assert book.probe(Position(game)) == []
    assert book.choose(Position(game), random.Random(0)) is None
    end = at(game, "0 0")
    assert end.is_terminal
    assert book.probe(end) == []
    build(Draft.continuing(path, game), path, Plan(1))
    assert len(Book.open(path, game).probe(Position(game))) == 2, "it is searched all the same"


HARMFUL = {
    "no bytes": b"",
    "text": b"once upon a time",
    "a part of the magic": b"zermelo book\r\n",
    "a file taken for text": file_of(row()).replace(b"\r\n", b"\n"),
    "a part of the header": file_of(row())[:40],
    "no checksum": file_of(row())[:-32],
    "cut short": file_of(row(), row(2))[:-1],
    "too long": file_of(row()) + b"\0",
    "altered": file_of(row()).replace(struct.pack("<d", 0.5), struct.pack("<d", 0.25)),
    "another format": file_of(row(), version=2),
    "2^60 records": file_of(row(), count=1 << 60),
    "2^64 records": file_of(row(), count=(1 << 64) - 1),
    "fewer records": file_of(row(), row(2), count=1),
    "a name of 4 GiB": sealed(file_of(row())[:20] + b"\xff\xff\xff\xff" + file_of(row())[24:-32]),
    "a name longer than it may be": file_of(row(), name=b"x" * 5000),
    "a name that is no text": file_of(row(), name=b"\xff\xfe"),
    "a name that moves the cursor": file_of(row(), name=b"\x1b[2J"),
    "something behind the name": sealed(file_of(row())[:52] + b"!" + file_of(row())[53:-32]),
    "unsorted": file_of(row(2), row(1)),
    "unsorted children": file_of(row(1, 2), row(1, 1)),
    "the same twice": file_of(row(), row()),
    "a value that is no number": file_of(row(value=float("nan"))),
    "an endless value": file_of(row(value=float("inf"))),
    "an unknown kind": file_of(row(kind=5)),
    "a value without a kind": file_of(row(kind=0)),
    "more points than games": file_of(row(points=5)),
    "far too many games": file_of(row(played=1 << 31)),
    "something unused": file_of(row(unused=1)),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_a_bad_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.book"
    path.write_bytes(HARMFUL[name])
    for use in (lambda: Book.open(path, Two()), lambda: Draft.continuing(path, Two()), lambda: read(path)):
        with pytest.raises(
            BadInput, match=r"a\.book is (no book of Zermelo's|damaged or cut short|a book of format 2)"
        ) as told:
            use()
        assert "\n" not in str(told.value)
    assert path.read_bytes() == HARMFUL[name]


def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    for name, words in (("pipe", "is no file"), ("nothing", "No such file"), ("link", "No such file")):
        with pytest.raises(BadInput, match=words):
            Book.open(tmp_path / name, Two())


def damaged(content: bytes, places: list[tuple[int, int]], length: int) -> bytes:
    changed = bytearray(content)
    for place, value in places:
        changed[place % len(changed)] = value
    return bytes(changed[:length] if length < len(changed) else changed)


def check_harmless(content: bytes, path: Path) -> None:
    """A file is read or refused; if it is read, all it gives is legal."""
    path.write_bytes(content)
    game = Two()
    try:
        book = Book.open(path, game)
    except BadInput:
        return
    for position in (Position(game), at(game, "0"), at(game, "1")):
        assert all(entry.action in position.moves for entry in book.probe(position))
        chosen = book.choose(position, random.Random(0))
        assert chosen is None or (chosen.action in position.moves and chosen.weight > 0)


REAL = file_of(
    *sorted(row(key_of(Two(), Two().root), key_of(Two(), state)) for state in Two().root.children), row((1 << 64) - 1)
)


@examples(150)
@given(st.binary(max_size=300), st.booleans())
def test_random_bytes_do_no_harm(tmp_path_factory: pytest.TempPathFactory, content: bytes, begins: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "random.book"
    check_harmless((REAL[:24] if begins else b"") + content, path)


@examples(300)
@given(
    st.lists(st.tuples(st.integers(0, len(REAL) - 1), st.integers(0, 255)), max_size=4),
    st.integers(0, len(REAL) + 20),
    st.booleans(),
)
def test_mutated_books_do_no_harm(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[int, int]], length: int, seal: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.book"
    content = damaged(REAL[:-32] if seal else REAL, places, length if not seal else len(REAL))
    check_harmless(sealed(content) if seal else content, path)


record_words = st.builds(
    Record,
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, (1 << 32) - 1),
    st.integers(0, books.MOST_PLAYED),
    st.just(0),
    st.integers(0, 65_535),
    st.integers(1, 4),
)
keys = st.integers(0, (1 << 64) - 1)


@examples(80)
@given(st.dictionaries(keys, st.dictionaries(keys, record_words, min_size=1, max_size=4), max_size=12), keys)
def test_what_is_saved_is_read_again(tmp_path_factory: pytest.TempPathFactory, states: Any, other: int) -> None:
    path = tmp_path_factory.getbasetemp() / "saved.book"
    draft = Draft(Two())
    draft.states.update(states)
    draft.save(path)
    book = Book.open(path, Two())
    for key in (*states, other, 0, (1 << 64) - 1):
        assert dict(book.records(key)) == dict(draft.records(key))
    assert Draft.continuing(path, Two()).states == draft.states
    assert summary(read(path)).bytes == path.stat().st_size


# The manual and the command line.


def test_figures_of_the_manual_are_those_of_the_code() -> None:
    from zermelo.cli.book import USUAL_PLIES, USUAL_SECONDS
    from zermelo.engine.bookmaking import FULL_WEIGHT

    assert (USUAL_SECONDS, USUAL_PLIES, Plan(1).choices, FULL_WEIGHT) == (1, 30, 3, 1000)
    assert (books.WALKS, books.STEPS, books.VERSION, books.HEADER.size, books.CHECKSUM) == (2, 60, 1, 48, 32)


def test_building_and_showing(tmp_path: Path) -> None:
    words = ("book", "build", "tic-tac-toe", "ttt.book", "--plies", "2", "--depth", "4", "--world", "interpreted")
    found = answer(*words, folder=tmp_path)
    assert (found["searched"], found["kept"], found["positions"]) == (4, 0, 4)
    again = zermelo(*words, folder=tmp_path)
    assert again.stdout.startswith("ttt.book: 4 positions with 13 actions; 0 searched in ")
    assert again.stdout.endswith(", 4 there before\n")
    shown = zermelo("book", "show", "tic-tac-toe", "ttt.book", "--moves", "a1", folder=tmp_path)
    assert shown.stdout.startswith("O to move\n")
    assert " b2 " in shown.stdout
    entries = answer("book", "show", "tic-tac-toe", "ttt.book", "--moves", "a1", folder=tmp_path)["entries"]
    assert (entries[0]["action"], entries[0]["depth"], entries[0]["kind"]) == ("b2", 4, "estimate")
    assert zermelo("book", "show", "tic-tac-toe", "ttt.book", "--moves", "a1 b2", folder=tmp_path).stdout == (
        "ttt.book says nothing about this position\n"
    )
    about = answer("book", "info", "ttt.book", folder=tmp_path)
    assert (about["game"], about["positions"], about["bytes"]) == (
        "tic-tac-toe",
        4,
        (tmp_path / "ttt.book").stat().st_size,
    )
    assert "4, 4 of them searched, 0 from games" in zermelo("book", "info", "ttt.book", folder=tmp_path).stdout


def test_adding_games_is_all_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("# two games\n\n444; 1\n4 5 4; -1\n")
    words = ("book", "add", "connect-four", "four.book")
    assert zermelo(*words, "games.txt", folder=tmp_path).stdout == "four.book: 4 positions, 4 new from 2 games\n"
    before = (tmp_path / "four.book").read_bytes()
    (tmp_path / "bad.txt").write_text("# a good one\n111\n\n118\n")
    told = sentence(zermelo(*words, "bad.txt", folder=tmp_path))
    assert told.startswith("zermelo: bad.txt line 4: '8' is not legal in state ")
    assert (tmp_path / "four.book").read_bytes() == before
    assert "can't be read" in sentence(zermelo(*words, "nowhere.txt", folder=tmp_path))
    shown = zermelo("book", "show", "connect-four", "four.book", folder=tmp_path).stdout
    assert "50%" in shown
    assert "depth" not in shown, "there is nothing to show in that column"
    sentences = {
        ("show", "nim", "four.book"): "four.book is a book for connect-four, not for nim",
        ("add", "nim", "four.book", "games.txt"): "four.book is a book for connect-four, not for nim",
        ("info", "games.txt"): "games.txt is no book of Zermelo's",
        ("build", "connect-four", "four.book", "--plies", "0"): "plies must be 1 or more, not 0",
    }
    for rest, wanted in sentences.items():
        assert sentence(zermelo("book", *rest, folder=tmp_path)) == f"zermelo: {wanted}"


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "zermelo", "book", "build", "connect-four", "four.book", "--plies", "9"]
    with subprocess.Popen(
        [*words, "--nodes", "300"], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        until = time.monotonic() + 60
        while not (tmp_path / "four.book").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=60)[1]
    assert running.returncode == 130
    count = summary(read(tmp_path / "four.book")).positions
    assert count > 1
    assert f"four.book has {count:,} positions so far: the same command goes on from there" in said
    assert "Traceback" not in said
