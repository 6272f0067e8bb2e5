"""Moves as text: SAN such as `Nf3`, `exd6`, `O-O` and `e8=Q+`, and what people and UCI programs write for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zermelo.bits import Bits, bit
from zermelo.errors import IllegalAction
from zermelo.games.chess.fen import COLUMNS, kind, square_name
from zermelo.games.chess.fen import write as write_state

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zermelo.games.chess import Chess

PROMOTIONS = ".NBRQ"
"""The letters of what a pawn may become, by the number in an action."""
NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
KING, SHORT, LONG = 4, 6, 2
"""Where a king castles from and to."""
MOVE = re.compile(
    r"(?P<piece>[PNBRQKnrqk])?(?P<column>[a-h])?(?P<row>[1-8])?[x:-]?(?P<target>[a-h][1-8])"
    r"(?:=?(?P<kind>[NBRQnbrq])|\((?P<bracketed>[NBRQ])\)|/(?P<slashed>[NBRQ]))?(?:e\.?p\.?)?[+#!?]*"
)
CASTLE = re.compile(r"(?:O-?O|0-?0|o-?o)(?P<far>-?[O0o])?[+#!?]*")
NUMBERED = re.compile(r"\d+\.*|\.+")
"""What stands before a move in a list of moves."""
NO_MOVES = {"1-0", "0-1", "1/2-1/2", "½-½", "*", "e.p.", "ep"}
"""Words in a list of moves that are none."""
COMMENT = re.compile(r"\{[^}]*\}")


# Writing.


def write(game: Chess, state: Chess.State, action: int) -> str:
    """A legal action as SAN, with + for check and # for mate."""
    after = game.result(state, action)
    if not game.checks(after):
        return _plain(game, state, action)
    return _plain(game, state, action) + ("+" if game.can_move(after) else "#")


def write_coordinates(state: Chess.State, action: int) -> str:
    """An action as UCI programs write it: from, to, and what a pawn becomes, as in `e7e8q`."""
    turn, promotion = 56 * (state.ply % 2), action >> 12
    squares = square_name(action & 63 ^ turn) + square_name(action >> 6 & 63 ^ turn)
    return squares + (PROMOTIONS[promotion].lower() if promotion else "")


def _plain(game: Chess, state: Chess.State, action: int) -> str:
    origin, target, promotion = action & 63, action >> 6 & 63, action >> 12
    letter, turn = kind(state, origin), 56 * (state.ply % 2)
    there = square_name(target ^ turn)
    if letter == "K" and abs(target - origin) == 2:
        return "O-O" if target == SHORT else "O-O-O"
    takes = "x" if target in state.other else ""
    if letter == "P":
        takes = COLUMNS[origin & 7] + "x" if (origin ^ target) & 7 else ""
        return takes + there + (f"={PROMOTIONS[promotion]}" if promotion else "")
    return letter + _whence(game, state, origin, target, letter) + takes + there


def _whence(game: Chess, state: Chess.State, origin: int, target: int, letter: str) -> str:
    """What tells a piece from others of its kind that may go to the same square."""
    others = _of_kind(state, letter) ^ bit(origin)
    rivals = list(_reaching(game, state, others, target))
    if not rivals:
        return ""
    name = square_name(origin ^ 56 * (state.ply % 2))
    if all((square ^ origin) & 7 for square in rivals):
        return name[0]
    return name[1] if all((square ^ origin) & 56 for square in rivals) else name


# Reading.


def read(game: Chess, state: Chess.State, text: str) -> int:
    """The legal action that a text writes; `IllegalAction` if it writes none, or several."""
    castle = CASTLE.fullmatch(text)
    if castle:
        return _castling(game, state, text[:40], LONG if castle["far"] else SHORT)
    move = MOVE.fullmatch(text)
    if move is None:
        raise IllegalAction(f"{text[:40]!r} is no move of chess: write one as Nf3, exd5, O-O or e8=Q, or as e2e4")
    target = _square(state, move["target"])
    whole = move["column"] and move["row"]
    letter = (move["piece"] or ("" if whole else "P")).upper()
    origins = _origins(state, letter, move["column"], move["row"], target)
    found = list(_reaching(game, state, origins, target))
    if len(found) != 1:
        raise _no_move(state, text[:40], letter, move["target"], found)
    action = found[0] | target << 6
    return action | _promotion(state, text[:40], found[0], target, move) << 12


def _castling(game: Chess, state: Chess.State, text: str, target: int) -> int:
    if kind(state, KING) != "K" or not list(_reaching(game, state, bit(KING) & state.own, target)):
        raise IllegalAction(f"{text!r} is not legal in {write_state(state)!r}: the king can't castle there")
    return KING | target << 6


def _square(state: Chess.State, name: str) -> int:
    """A square as the player to move counts them."""
    return (COLUMNS.index(name[0]) + 8 * (int(name[1]) - 1)) ^ 56 * (state.ply % 2)


def _origins(state: Chess.State, letter: str, column: str | None, row: str | None, target: int) -> Bits:
    """Where the piece may stand that a text speaks of: all of that kind, but for what the text adds."""
    found = _of_kind(state, letter) if letter else state.own
    if letter == "P" and column is None:
        column = COLUMNS[target & 7]
    if column is not None:
        found &= 0x0101010101010101 << COLUMNS.index(column)
    if row is not None:
        found &= 0xFF << 8 * (int(row) - 1 ^ 7 * (state.ply % 2))
    return found


def _of_kind(state: Chess.State, letter: str) -> Bits:
    """The pieces of one kind that the player to move has."""
    if letter == "P":
        return state.own & state.pawns
    if letter == "N":
        return state.own & state.knights
    if letter == "B":
        return state.own & state.diagonal & ~state.straight
    if letter == "R":
        return state.own & state.straight & ~state.diagonal
    if letter == "Q":
        return state.own & state.diagonal & state.straight
    return state.own & ~(state.pawns | state.knights | state.diagonal | state.straight)


def _reaching(game: Chess, state: Chess.State, origins: Bits, target: int) -> Iterable[int]:
    """Those of some pieces that may legally go to a square."""
    if not origins or target in state.own:
        return
    king = game.king(state)
    free = Bits(0), ~Bits(0), Bits(0)
    near = [origin for origin in origins if target in game.destinations(state, origin, king, *free)]
    if not near:
        return
    checks = game.checks(state)
    cover, pins = game.cover(king, checks), game.pinned(state, king)
    for origin in near:
        if target in game.destinations(state, origin, king, checks, cover, pins):
            yield origin


def _promotion(state: Chess.State, text: str, origin: int, target: int, move: re.Match[str]) -> int:
    """What the pawn becomes, as a number; 0 where nothing does."""
    letter = (move["kind"] or move["bracketed"] or move["slashed"] or "").upper()
    promotes = target >= 56 and origin in state.pawns
    if promotes and not letter:
        raise IllegalAction(f"{text!r} does not say what the pawn becomes: write {move['target']}=Q, or another piece")
    if letter and not promotes:
        raise IllegalAction(f"{text!r} is not legal in {write_state(state)!r}: no pawn comes to the last row")
    return PROMOTIONS.index(letter) if letter else 0


def _no_move(state: Chess.State, text: str, letter: str, target: str, found: list[int]) -> IllegalAction:
    """What is said where not exactly one piece may go to a square."""
    name = NAMES.get(letter, "piece")
    if not found:
        return IllegalAction(f"{text!r} is not legal in {write_state(state)!r}: no such {name} can go to {target}")
    turn = 56 * (state.ply % 2)
    squares = " or ".join(square_name(square ^ turn) for square in found)
    return IllegalAction(f"{text!r} is ambiguous in {write_state(state)!r}: the {name} may come from {squares}")


# Lists of moves.


def split(text: str) -> list[str]:
    """The moves in a list; numbers, comments in braces and results are left out."""
    words = COMMENT.sub(" ", text).replace(",", " ").split()
    moves = (word if word in NO_MOVES or CASTLE.fullmatch(word) else _unnumbered(word) for word in words)
    return [move for move in moves if move and move not in NO_MOVES and not move.startswith("$")]


def _unnumbered(word: str) -> str:
    number = NUMBERED.match(word)
    return word[number.end() :] if number else word
