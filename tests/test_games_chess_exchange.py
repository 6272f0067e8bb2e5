"""Which piece goes where, and what a quiet move loses, against the board of python-chess and a naive exchange."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from zermelo.games.chess import Chess

chess = pytest.importorskip("chess")

WORTH = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 100}
"""By python-chess's number of a piece."""


def quiet_moves(games: int) -> Iterator[tuple[Any, int, Any, Any]]:
    """States of random games with each quiet move there: state, action, board, move."""
    game, luck = Chess(), random.Random(5)
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state) and state.ply < 160:
            board = chess.Board(game.format_state(state))
            actions = list(game.actions(state))
            for action in luck.sample(actions, min(6, len(actions))):
                if game.gain(state, action) == 0:
                    yield state, action, board, chess.Move.from_uci(game.protocol_action(state, action))
            state = game.result(state, luck.choice(actions))


def won(board: Any, square: int, side: bool, there: int) -> int:
    """What a side wins by taking what is on a square, each side always with its least piece, or not at all."""
    takers = board.attackers(side, square)
    if not takers:
        return 0
    least = min(takers, key=lambda taker: WORTH[board.piece_type_at(taker)])
    after = board.copy(stack=False)
    worth = WORTH[after.piece_type_at(least)]
    after.set_piece_at(square, after.remove_piece_at(least))
    return max(0, there - won(after, square, not side, worth))


def test_a_quiet_move_loses_what_a_naive_exchange_loses() -> None:
    game, compared, lost = Chess(), 0, 0
    for state, action, board, move in quiet_moves(12):
        kind = board.piece_type_at(move.from_square)
        if kind == chess.KING:
            assert not game.loses(state, action, 0.5)
            continue
        after = board.copy(stack=False)
        after.set_piece_at(move.to_square, after.remove_piece_at(move.from_square))
        loss = won(after, move.to_square, not board.turn, WORTH[kind])
        for most in (0.5, 1.6, 2.4, 4.0, 6.4):
            assert game.loses(state, action, most) == (loss > int(most)), (board.fen(), move, loss, most)
            compared, lost = compared + 1, lost + (loss > int(most))
    assert compared > 10_000
    assert lost > 1_000


def test_a_kind_of_move_is_which_piece_goes_where() -> None:
    game = Chess()
    for state, action, board, move in quiet_moves(2):
        square = move.to_square if board.turn else chess.square_mirror(move.to_square)
        assert game.motif(state, action) == 64 * (board.piece_type_at(move.from_square) - 1) + square
