"""Chess as text: FEN, SAN, PGN, EPD and Polyglot books, against python-chess, and what is refused."""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.engine.polyglot import Polyglot, open_book
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.chess import Chess, epd, fen, pgn, polyglot, san
from zermelo.position import Position

DATA = Path(__file__).parent / "data" / "chess"
GAME, OPEN = Chess(), Chess(dead=False)
START = fen.START
ROUNDS = 20_000 if os.environ.get("NUMBA_DISABLE_JIT") else 200_000
"""How many mutated inputs each parser is given; the interpreted run needs no more than a few."""


def lines(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def state_of(text: str) -> Chess.State:
    return GAME.parse_state(text)


# FEN.


def test_positions_come_back_as_they_were_written() -> None:
    for line in lines("perft.epd"):
        text = line.split(";")[0].strip()
        assert fen.write(fen.read(GAME, text)) == text
    assert fen.read(GAME, START) == GAME.initial()
    assert fen.write(fen.read(GAME, "4k3/8/8/8/8/8/8/4K3 b - -")) == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert fen.read(GAME, "4k3/8/8/8/8/8/8/R3K2R w QK - 3 0") == fen.read(GAME, "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 1")


def test_en_passant_that_nobody_can_take_is_left_out() -> None:
    assert fen.write(state_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")).split()[3] == "-"


IMPOSSIBLE = [
    ("", "has 0 fields"),
    ("4k3/8/8/8/8/8/8/4K3 w -", "has 3 fields"),
    (START + " 7", "has 7 fields"),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 rows"),
    ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "9 squares in row 1"),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "7 squares in row 1"),
    ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "'44' for row 5"),
    ("4k3/8/8/8/x7/8/8/4K3 w - - 0 1", "'x7' for row 4"),
    ("4k3/8/8/8/9/8/8/4K3 w - - 0 1", "'9' for row 4"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "0 kings for White"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "0 kings for Black"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "2 kings for White"),
    ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "first or the last row"),
    ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "first or the last row"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "9 pawns among 10"),
    ("4k3/8/8/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 1", "17 pieces"),
    ("4k3/8/8/8/8/Q7/PPPPPPPP/3QK3 w - - 0 1", "1 pieces of White that were pawns, of which only 0 are missing"),
    ("4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 1", "1 pieces of White that were pawns"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x' for the player to move"),
    ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "'KX' for castling"),
    ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "'KK' for castling"),
    ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "White may castle"),
    ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", "Black may castle"),
    ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "no king on e1"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "'e9' for en passant"),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just gone past"),
    ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "no pawn has just gone past"),
    ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "no pawn has just gone past"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "'-1' for a count"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "'x' for a count"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 99999 1", "99999 plies"),
    ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "White in check, whose turn it is not"),
    ("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "Black in check"),
    ("4r3/8/8/b6k/8/5n2/8/4K2r w - - 0 1", "4 pieces give check"),
    ("4k3/8/8/4p3/8/8/8/r3K3 w - e6 0 1", "en passant does not give"),
]


@pytest.mark.parametrize(("text", "why"), IMPOSSIBLE)
def test_impossible_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        GAME.parse_state(text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_python_chess_calls_valid_is_read() -> None:
    """Random boards: what it refuses is refused, and what we refuse besides is too many promotions or checks."""
    chess = pytest.importorskip("chess")
    dice, read = random.Random(2), 0
    for _ in range(1500):
        board = chess.Board(None)
        pieces = "Kk" + "".join(dice.choices("PpNnBbRrQq", k=dice.randint(0, 6)))
        for square, kind in zip(dice.sample(range(64), len(pieces)), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(kind))
        board.turn = dice.random() < 0.5
        try:
            state = GAME.parse_state(board.fen())
            read += 1
        except BadInput:
            assert not board.is_valid(), board.fen()
        else:
            assert board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK) == 0
            assert GAME.format_state(state) == board.fen()
    assert read > 200


# SAN.


BOTH_WAYS = [
    (START, "e4", ("e2e4", "e2-e4", "Pe4", "e4!", "e4!?", "e4+")),
    (START, "Nf3", ("Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "nf3", "Nf3??")),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", ("0-0", "o-o", "OO", "e1g1", "O-O!", "0-0+")),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", ("0-0-0", "o-o-o", "e8c8", "O-O-O#")),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", ("e8Q", "e7e8q", "e8=q", "e8(Q)", "e8/Q", "e8q", "e7-e8=Q")),
    ("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "exd8=N", ("e7d8n", "exd8N", "e7xd8=N", "ed8N")),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", ("e5d6", "exd6e.p.", "e5xd6ep", "ed6")),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Nce2", ("N3e2", "Nc3e2", "c3e2")),
    ("6k1/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", ("Ra1a3", "a1a3")),
    ("8/7k/8/8/1Q1Q4/8/1Q6/4K3 w - - 0 1", "Qb4d2", ("b4d2",)),
    ("6k1/5ppp/8/8/8/8/8/4K2R w K - 0 1", "Rxh7", ("Rh7", "h1h7", "Rh1:h7", "R:h7")),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", ("Ra8", "Ra8+", "a1a8", "Ra8++")),
    ("k7/8/8/8/8/8/8/1B2K2R w K - 0 1", "Be4+", ("Be4", "Be4#", "b1e4")),
]


@pytest.mark.parametrize(("text", "name", "others"), BOTH_WAYS)
def test_moves_in_all_their_spellings(text: str, name: str, others: tuple[str, ...]) -> None:
    state = state_of(text)
    action = GAME.parse_action(state, name)
    assert GAME.format_action(state, action) == name
    for other in others:
        assert GAME.parse_action(state, other) == action, other


NO_MOVES = [
    (START, "e5", "no such pawn can go to e5"),
    (START, "Ke2", "no such king can go to e2"),
    (START, "e2e5", "no such piece can go to e5"),
    (START, "O-O", "the king can't castle there"),
    (START, "e4=Q", "no pawn comes to the last row"),
    (START, "hello", "is no move of chess"),
    (START, "", "is no move of chess"),
    (START, "--", "is no move of chess"),
    (START, "0000", "is no move of chess"),
    (START, "Nf6" + "!" * 500, "no such knight can go to f6"),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "does not say what the pawn becomes"),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "does not say what the pawn becomes"),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "is no move of chess"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ne2", "may come from g1 or c3"),
    ("4k3/4r3/8/8/8/8/4N3/4K1N1 w - - 0 1", "Nc3", "no such knight can go to c3"),  # it is pinned
]


@pytest.mark.parametrize(("text", "word", "why"), NO_MOVES)
def test_moves_that_are_none(text: str, word: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        GAME.parse_action(state_of(text), word)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 250


def test_lists_of_moves_may_have_numbers_comments_and_results() -> None:
    plain = "e4 e5 Nf3 Nc6 Bb5 a6 O-O"
    for text in (
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *",
        "1.e4 e5 2.Nf3 {the Spanish} Nc6 3.Bb5 a6 4.0-0 1/2-1/2",
        "1. e4 1... e5 2. Nf3, 2... Nc6 3.Bb5 a6 4.O-O 1-0",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 0-1",
    ):
        assert str(Position.from_text(GAME, moves=text)) == str(Position.from_text(GAME, moves=plain))


def test_the_board_is_seen_by_white() -> None:
    board = GAME.board(Position.from_text(GAME, moves="e4").state)
    assert board.rows == tuple("87654321")
    assert (board.cells[0], board.owners[0]) == ("♜", 1)
    assert (board.cells[36], board.owners[36], board.cells[52]) == ("♟", 0, "")


# PGN.


GAMES = """[Event "a \\"quoted\\" \\\\ name"]
[Site "?"]
[Date "2020.01.01"]
[Round "1"]
[White "Müller"]
[Black "B"]
[Result "1-0"]

{before} 1. e4! {good} e5 (1... c5 {sharp} 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6) 2. Nf3 $14 Nc6 ; a } in it
% this line is skipped 1. h4
3. Bb5 a6 ( {instead} 3... Nf6 4. O-O 1/2-1/2 ) 4. O-O!? 1-0

[Event "b"]
[SetUp "1"]
[FEN "4k3/4P3/4K3/8/8/8/8/8 b - - 0 5"]

* [Event "c"]

1.d4 d5 2.c4
"""


def test_games_are_read_with_all_that_is_in_them() -> None:
    first, second, third = pgn.read(GAME, GAMES)
    assert first.headers["Event"] == 'a "quoted" \\ name'
    assert Position(GAME).line(list(first.actions)) == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]
    assert (first.comment, first.result, first.points) == ("before", "1-0", (1.0, 0.0))
    main = [node for node in first.nodes if node.comment or node.nags or node.before]
    assert [(node.comment, node.nags, node.before) for node in main] == [
        ("good", (1,), ""),
        ("sharp", (), ""),
        ("", (14,), ""),
        ("a } in it", (), ""),
        ("", (), "instead"),
        ("", (5,), ""),
    ]
    assert len(first.nodes) == 7 + 6 + 2
    assert fen.write(second.start) == "4k3/4P3/4K3/8/8/8/8/8 b - - 0 5"
    assert (second.actions, third.result, len(third.actions)) == ((), "*", 3)


def test_games_come_back_as_they_were_written() -> None:
    for record in pgn.read(GAME, GAMES):
        text = pgn.write(GAME, record)
        (again,) = pgn.read(GAME, text)
        assert again.nodes == record.nodes
        assert (again.start, again.comment, again.result) == (record.start, record.comment, record.result)
        assert again.headers.items() >= {**record.headers, "Result": record.result}.items()
        assert max(map(len, text.splitlines())) < 80
        assert pgn.write(GAME, again) == text


def test_encodings() -> None:
    for data in (
        GAMES.encode(),
        GAMES.encode("latin-1"),
        GAMES.encode("utf-8-sig"),
        GAMES.replace("\n", "\r\n").encode(),
    ):
        assert next(pgn.read(GAME, data)).headers["White"] == "Müller"
    assert next(pgn.read(GAME, "\ufeff" + GAMES)).headers["White"] == "Müller"


def test_python_chess_reads_what_we_write_and_we_what_it_writes() -> None:
    """Random games with variations, comments and annotations."""
    chess_pgn = pytest.importorskip("chess.pgn")
    dice = random.Random(3)
    for _ in range(6):
        game = chess_pgn.Game()
        nodes = [game]
        for _ in range(25):
            node = dice.choice(nodes[-6:])
            moves = sorted(node.board().legal_moves, key=str)
            if moves and not node.has_variation(move := dice.choice(moves)):
                comment = dice.choice(["", "", "a (note) 1. e4"])
                nodes.append(node.add_variation(move, comment=comment, nags=dice.choice([(), [1], [5, 14]])))
        (record,) = pgn.read(GAME, str(game))
        again = chess_pgn.read_game(io.StringIO(pgn.write(GAME, record)))
        assert not again.errors
        assert str(again).split() == str(game).split()


def test_deep_and_long_games() -> None:
    """Variations nested deeper than Python recurses, and 3,600 moves."""
    state, words, depth = state_of("7k/8/8/8/8/8/8/K6R b - - 0 1"), [], sys.getrecursionlimit() + 50
    for _ in range(depth):
        first, second, *_ = OPEN.actions(state._replace(clock=0))
        words += [san.write(OPEN, state, first), "(", san.write(OPEN, state, second)]
        state = OPEN.result(state, second)
    text = '[FEN "7k/8/8/8/8/8/8/K6R b - - 0 1"]\n' + " ".join(words) + ")" * depth
    (record,) = pgn.read(OPEN, text)
    assert len(record.nodes) == 2 * depth
    written = pgn.write(OPEN, record)
    assert written.split().count("(") == depth
    assert written.split()[-21:] == [")"] * 20 + ["*"]
    moves = " ".join(f"{number}. {'Nf3 Nf6' if number % 2 else 'Ng1 Ng8'}" for number in range(1, 3601))
    (record,) = pgn.read(GAME, moves + " 1/2-1/2")
    assert len(record.actions) == 7200


BROKEN = [
    ("1. e4 {never closed", "line 1: a comment is opened with {"),
    ('[Event "a]\n1. e4', "line 1: '[Event \"a]' is no tag"),
    ('[A "1"]\n[A "2"]\n*', "line 2: the tag A is given twice"),
    ("1. e4\n(1. d4", "a variation is opened with ( and never closed"),
    ("1. e4 )", "closed that was not opened"),
    ("(1. e4)", "before any move"),
    ("1. e4 ((1. d4))", "before any move"),
    ("1. e4 ()", "has no moves"),
    ("1. e4 (1-0)", "has no moves"),
    ("$1 1. e4", "an annotation stands before any move"),
    ("1. e4\n1... e4", "line 2: 'e4' is not legal"),
    ("1. e4 & e5", "'& e5' is nothing"),
    ("1. e4 %", "nothing that a PGN game may have"),
    ('[FEN "nonsense"]\n1. e4', "'nonsense' has 1 fields"),
    ('[Variant "Atomic"]\n1. e4', "'Atomic', which is not chess"),
    ("1. e4 -- 2. d4", "nothing that a PGN game may have"),
]


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_broken_games_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(pgn.read(GAME, text))
    assert why in str(caught.value)


def test_a_broken_game_between_others_can_be_left_out() -> None:
    refused: list[BadInput] = []
    text = '[Event "1"]\n1. e4 *\n[Event "2"]\n1. e5 *\n[Event "3"]\n1. d4 (1. c4\n[Event "4"]\n1. c4 *\n'
    assert [record.headers["Event"] for record in pgn.read(GAME, text, refused)] == ["1", "4"]
    assert [str(error).split(":")[0] for error in refused] == ["line 4", "line 7"]


# EPD.


def test_operations() -> None:
    entry = epd.read(GAME, '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kd2; id "a; b"; ce 120; pv e4 Kd7 Ke2; hmvc 5; fmvn 9;')
    assert entry.name == "a; b"
    assert entry.operations["ce"] == ("120",)
    assert (entry.state.clock, entry.state.ply) == (5, 16)
    assert [GAME.format_action(entry.state, action) for action in entry.actions(GAME, "bm")] == ["e4", "Kd2"]
    assert len(entry.actions(GAME, "pv")) == 3
    assert entry.actions(GAME, "am") == ()
    assert epd.read(GAME, epd.write(entry)) == entry


def test_all_lines_are_read_and_come_back() -> None:
    for name in ("bratko_kopec.epd", "wac_odd.epd", "perft.epd"):
        for line in lines(name):
            entry = epd.read(GAME, line)
            assert epd.read(GAME, epd.write(entry)) == entry
            assert name == "perft.epd" or len(entry.actions(GAME, "bm")) + len(entry.actions(GAME, "am")) >= 1, line
    assert epd.read(GAME, lines("perft.epd")[0]).operations["D3"] == ("8902",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no line of EPD"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "no line of EPD"),
        ("4k3/8/8/8/8/8/8/8 w - - bm e4;", "0 kings for White"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm e4; bm d4;", "the operation bm is given twice"),
        ('4k3/8/8/8/8/8/8/4K3 w - - id "open;', "no operation of EPD"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ;;;", "no operation of EPD"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc many;", "a count in"),
        ("4k3/8/8/8/8/8/8/4K3 w - - c0 " + "x " * 2000 + ";", "2000 operands"),
    ],
)
def test_broken_lines_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        epd.read(GAME, text)
    assert why in str(caught.value)


# Polyglot's books.


KEYS = [
    ("", 0x463B96181691FC9C),
    ("e2e4", 0x823C9B50FD114196),
    ("e2e4 d7d5", 0x0756B94461C50FB0),
    ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
    ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
    ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
    ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
    ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
    ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
]
"""The examples that the description of the format gives."""


@pytest.mark.parametrize(("moves", "key"), KEYS)
def test_published_keys(moves: str, key: int) -> None:
    assert polyglot.key(Position.from_text(GAME, moves=moves).state) == key


def test_keys_are_those_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    books = pytest.importorskip("chess.polyglot")
    dice = random.Random(4)
    for _ in range(6):
        board = chess.Board()
        for _ in range(60):
            state = GAME.parse_state(board.fen())
            if board.ep_square is None or board.has_legal_en_passant():
                assert polyglot.key(state) == books.zobrist_hash(board)
            moves = sorted(board.legal_moves, key=str)
            if not moves:
                break
            board.push(dice.choice(moves))


PLAYED = """[Event "1"]
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 1-0
[Event "2"]
1. e4 c5 0-1
[Event "3"]
1. d4 d5 1/2-1/2
[Event "4"]
[FEN "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]
1. e8=N+ *
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    draft = polyglot.Draft(GAME)
    for record in pgn.read(GAME, PLAYED):
        draft.add(record, 7)
    draft.save(tmp_path / "openings.bin")
    return tmp_path / "openings.bin"


def test_a_book_from_games_says_how_often_moves_scored(book: Path) -> None:
    chess = pytest.importorskip("chess")
    books = pytest.importorskip("chess.polyglot")
    content = polyglot.read(book)
    assert polyglot.count_positions(content) == 9
    ruy = "e4 e5 Nf3 Nc6 Bb5 a6"
    for text, moves in ((START, ""), (START, "e4"), (START, ruy), ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "")):
        position, board = Position.from_text(GAME, text, moves), chess.Board(text)
        for move in moves.split():
            board.push_san(move)
        replies = polyglot.probe(GAME, content, position.state)
        ours = [(san.write_coordinates(position.state, reply.action), reply.weight) for reply in replies]
        with books.open_reader(str(book)) as reader:
            assert ours == [(entry.move.uci(), entry.weight) for entry in reader.find_all(board, minimum_weight=0)]
    assert polyglot.probe(GAME, content, Position.from_text(GAME, moves="h4").state) == []


def test_a_book_that_is_there_is_continued(book: Path) -> None:
    draft = polyglot.Draft.continuing(book, GAME)
    for record in pgn.read(GAME, PLAYED):
        draft.add(record, 7)
    draft.save(book)
    assert [reply.weight for reply in polyglot.probe(GAME, polyglot.read(book), GAME.initial())] == [4, 2]
    assert len(polyglot.Draft.continuing(book.with_name("none.bin"), GAME)) == 0


def test_the_engine_takes_a_polyglot_book(book: Path) -> None:
    found = open_book(book, GAME)
    assert isinstance(found, Polyglot)
    assert found.fits(GAME)
    chosen = found.choose(Position(GAME))
    assert chosen is not None
    assert GAME.format_action(GAME.initial(), chosen.action) == "e4"
    taken = {found.choose(Position(GAME), random.Random(seed)).action for seed in range(20)}  # type: ignore[union-attr]
    assert len(taken) == 2
    assert found.choose(Position.from_text(GAME, moves="h4")) is None


def test_weights_fit_the_format(tmp_path: Path) -> None:
    draft, key = polyglot.Draft(GAME), polyglot.key(GAME.initial())
    actions = [GAME.parse_action(GAME.initial(), move) for move in ("e4", "d4")]
    draft.replies[key] = {polyglot.pack_action(GAME.initial(), action): 10**6 * (1 + action % 2) for action in actions}
    draft.save(tmp_path / "a.bin")
    weights = [reply.weight for reply in polyglot.probe(GAME, polyglot.read(tmp_path / "a.bin"), GAME.initial())]
    assert weights == [65535, 32767]
    with pytest.raises(BadInput, match="can't be written"):
        draft.save(tmp_path / "no" / "way.bin")


def test_files_that_are_no_books_are_refused(tmp_path: Path) -> None:
    for content, why in ((b"", "0 bytes"), (b"x" * 17, "17 bytes"), (bytes(range(48, 0, -1)), "not sorted")):
        path = tmp_path / "bad.bin"
        path.write_bytes(content)
        with pytest.raises(BadInput, match=why):
            open_book(path, GAME)
    for missing in (tmp_path / "none.bin", tmp_path):
        with pytest.raises(BadInput, match="is no file"):
            polyglot.read(missing)


@settings(max_examples=100)
@given(st.lists(st.binary(min_size=16, max_size=16), min_size=1, max_size=40), st.integers(0, 8))
def test_illegal_moves_in_a_book_are_left_out(records: list[bytes], place: int) -> None:
    """Whatever the bytes: a reply is always legal."""
    moves, key = KEYS[place]
    state = Position.from_text(GAME, moves=moves).state
    content = b"".join(sorted(key.to_bytes(8, "big") + record[8:] for record in records))
    for reply in polyglot.probe(GAME, content, state):
        assert reply.action in GAME.legal(state)


# Nonsense.


def mutated(text: str, signs: str, dice: random.Random) -> str:
    """A text with a few signs changed, put in, taken out or doubled."""
    for _ in range(dice.randrange(1, 4)):
        place, way = dice.randrange(len(text) + 1), dice.random()
        if way < 0.4:
            text = text[:place] + signs[int(len(signs) * dice.random())] + text[place + 1 :]
        elif way < 0.6:
            text = text[:place] + signs[int(len(signs) * dice.random())] + text[place:]
        elif way < 0.8:
            text = text[:place] + text[place + 3 :]
        else:
            text = text[:place] + text[place // 2 : place // 2 + 8] + text[place:]
    return text


MIDDLE = state_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
SIGNS = "pnbrqkPNBRQK12345678/ -wbx0é"
FUZZED: dict[str, tuple[Callable[[str], object], list[str], str]] = {
    "fen": (lambda text: fen.read(GAME, text), [START, "4k2r/8/8/8/4Pp2/8/8/R3K3 b Qk e3 0 1"], SIGNS),
    "san": (
        lambda text: san.read(GAME, MIDDLE, text),
        ["Nxd7", "O-O-O", "exd8=Q+", "e2a6", "Qf3xf6!?"],
        SIGNS + "Oax=+#!?h",
    ),
    "pgn": (
        lambda text: list(pgn.read(GAME, text)),
        ['[A "b"]\n1. e4 {c} e5 (1... c5 $1) *', "1. d4 d5 ; x\n2. c4 1-0", "1. e4! e5?? (1... d5 (1... c5)) *"],
        '[]{}();$%"\\ 1.*eNx-+#!?\n',
    ),
    "epd": (
        lambda text: epd.read(GAME, text),
        ['4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "x";', "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D1 16 ;D2 71"],
        SIGNS + ';"',
    ),
}


@pytest.mark.parametrize("name", FUZZED)
def test_nonsense_is_refused_and_nothing_else_happens(name: str) -> None:
    read, seeds, signs = FUZZED[name]
    dice, outcomes = random.Random(name), [0, 0]
    for number in range(ROUNDS):
        try:
            read(mutated(seeds[number % len(seeds)], signs, dice))
            outcomes[0] += 1
        except BadInput as error:
            outcomes[1] += "\n" not in str(error)
    assert sum(outcomes) == ROUNDS
    assert min(outcomes) > ROUNDS // 100


@given(st.text(max_size=60))
def test_any_text_at_all(text: str) -> None:
    for read, _, _ in FUZZED.values():
        with suppress(BadInput):
            read(text)
