"""Chess: leaf counts as published, and every rule as python-chess has it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import BadInput, IllegalAction
from zermelo.games.chess import Chess, epd, san
from zermelo.position import Position
from zermelo.search.perft import count_leaves

DATA = Path(__file__).parent / "data" / "chess"
GAME, OPEN = Chess(), Chess(dead=False)


def suite(name: str) -> list[epd.Entry]:
    return [epd.read(OPEN, line) for line in (DATA / name).read_text().splitlines()]


def check_leaves(world: str, most: int) -> int:
    """Compare the counts of each position, as deep as it has at most so many leaves."""
    compared = 0
    for entry in suite("perft.epd"):
        counts = {int(name[1:]): int(count) for name, (count,) in entry.operations.items()}
        depth = max((depth for depth, count in counts.items() if count <= most), default=0)
        if depth:
            assert count_leaves(Position(OPEN, entry.state), depth, world).leaves == counts[depth], entry
            compared += 1
    return compared


@pytest.mark.native
def test_published_leaf_counts() -> None:
    assert check_leaves("native", 20_000) == 65


def test_published_leaf_counts_interpreted() -> None:
    assert check_leaves("interpreted", 60) > 55


def played(board: Any, dice: random.Random, most: int = 120) -> Iterator[tuple[Any, Position]]:
    """A random game, played by python-chess and by us, position by position; captures come more often."""
    position = Position(OPEN, OPEN.parse_state(board.fen()))
    while True:
        yield board, position
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= 100 or board.is_repetition(3) or len(position.history) == most:
            return
        takes = [move for move in moves if board.is_capture(move)]
        move = dice.choice(takes if takes and dice.random() < 0.3 else moves)
        action = OPEN.parse_action(position.state, board.san(move))
        assert san.write_coordinates(position.state, action) == move.uci()
        position.push(action)
        board.push(move)


def test_random_games_are_as_python_chess_has_them() -> None:
    """Moves, their names, positions as text, and how games end."""
    chess = pytest.importorskip("chess")
    dice = random.Random(0)
    kings_and_rooks = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 80 60"
    for start in (chess.STARTING_FEN, chess.STARTING_FEN, kings_and_rooks, "8/5P1k/8/8/8/8/K1p5/8 b - - 0 1"):
        for board, position in played(chess.Board(start), dice):
            state = position.state
            assert OPEN.format_state(state) == board.fen()
            assert OPEN.parse_state(board.fen()) == state
            actions = {san.write_coordinates(state, action): action for action in OPEN.actions(state)}
            assert actions.keys() == {move.uci() for move in board.legal_moves}
            assert GAME.is_dead(state) == board.is_insufficient_material()
            assert bool(OPEN.checks(state)) == board.is_check()
            mate, stalemate = board.is_checkmate(), board.is_stalemate()
            drawn = stalemate or board.halfmove_clock >= 100
            assert OPEN.is_terminal(state) == (mate or drawn)
            assert position.is_repeated == board.is_repetition(3)
            assert not OPEN.is_terminal(state) or (OPEN.utility(state, state.ply % 2) == -100) == mate
            for move in dice.sample(sorted(board.legal_moves, key=str), min(2, len(actions))):
                assert OPEN.format_action(state, actions[move.uci()]) == board.san(move)
                assert san.read(OPEN, state, board.lan(move)) == actions[move.uci()]


ENDS = [
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 100),
    ("R5k1/5ppp/8/8/8/8/8/K7 b - - 99 80", 100),
    ("6k1/8/8/8/8/8/8/K6R w - - 100 80", 0),
    ("7k/8/8/8/8/8/8/KB6 w - - 0 1", 0),
    ("5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", 0),  # both bishops on dark squares
    ("k7/8/8/8/8/8/5Q2/7K b - - 100 80", 0),
]


@pytest.mark.parametrize(("text", "worth"), ENDS)
def test_how_games_end(text: str, worth: float) -> None:
    state = GAME.parse_state(text)
    assert GAME.is_terminal(state)
    assert GAME.utility(state, 0) == worth == -GAME.utility(state, 1)
    with pytest.raises(IllegalAction, match="the game is over"):
        GAME.parse_action(state, "Ka2")


def test_mate_comes_before_fifty_moves() -> None:
    position = Position.from_text(GAME, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 99 80", "Rd8#")
    assert position.is_terminal
    assert position.utilities == (100, -100)


def test_dead_positions_are_those_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    dice, found = random.Random(1), 0
    for _ in range(600):
        squares = dice.sample(range(64), 2 + dice.randint(0, 3))
        board = chess.Board(None)
        for square, kind in zip(squares, "Kk" + "".join(dice.choices("BbNnBbNnRp", k=3)), strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(kind))
        try:
            state = GAME.parse_state(board.fen())
        except BadInput:
            continue
        found += board.is_insufficient_material()
        assert GAME.is_dead(state) == board.is_insufficient_material(), board.fen()
    assert found > 50


def test_repetition_forgets_clocks_and_knows_rights() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    assert Position.from_text(GAME, moves=2 * shuffle).is_repeated
    assert not Position.from_text(GAME, moves=shuffle).is_repeated
    rooks = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"  # with the rook's first move the right to castle is gone
    assert not Position.from_text(GAME, rooks, 2 * "Ra2 Ke7 Ra1 Ke8 ").is_repeated
    assert Position.from_text(GAME, rooks, 2 * "Ra2 Ke7 Ra1 Ke8 " + "Ra2").is_repeated


def test_a_pawn_that_is_pinned_can_t_take_en_passant() -> None:
    """The right is left out of a position where the king would be in check after both pawns are gone."""
    state = Position.from_text(GAME, "8/2p5/8/KP5r/8/8/8/6k1 b - - 0 1", "c5").state
    assert GAME.format_state(state).split()[3] == "-"
    state = Position.from_text(GAME, "8/2p5/8/KP6/8/8/8/6k1 b - - 0 1", "c5").state
    assert GAME.format_state(state).split()[3] == "c6"
    assert GAME.format_action(state, GAME.parse_action(state, "b5c6")) == "bxc6"
