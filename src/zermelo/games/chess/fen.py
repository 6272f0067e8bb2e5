"""Positions as text: FEN, as in `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1`.

Six fields: the rows from the eighth down, who is to move, who may castle where, the square behind a pawn that has just
moved two squares, plies since a capture or a pawn's move, and the number of the move. EPD has the first four alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from zermelo.bits import Bits, bit
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.games.chess import Chess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
COLUMNS = "abcdefgh"
CASTLING = {"K": ("E1", "H1"), "Q": ("E1", "A1"), "k": ("E8", "H8"), "q": ("E8", "A8")}
"""Who may castle, with the squares of king and rook."""
MOST_PLIES, MOST_MOVES = 9_999, 99_999
"""The largest counts that are read; no game is as long."""

ROW = re.compile(r"[pnbrqkPNBRQK]*(?:[1-8][pnbrqkPNBRQK]+)*[1-8]?")
RUN = re.compile(r"\.+")
NUMBER = re.compile(r"[0-9]{1,5}")
LIGHT = 0x55AA55AA55AA55AA


def square_name(square: int) -> str:
    """What White calls a square, counted from a1."""
    return f"{COLUMNS[square & 7]}{(square >> 3) + 1}"


def square_of(name: str) -> int:
    """The square that White calls so."""
    return COLUMNS.index(name[0].lower()) + 8 * (int(name[1]) - 1)


# Writing.


@lru_cache(maxsize=64)
def write(state: Chess.State) -> str:
    """A position as FEN; one that is asked for again and again, as in messages, is written once."""
    signs = pieces(state)
    rows = [RUN.sub(_count, signs[start : start + 8]) for start in range(56, -1, -8)]
    black = state.ply % 2
    rights = state.rights.flipped() if black else state.rights
    castling = "".join(sign for sign, (_, rook) in CASTLING.items() if square_of(rook) in rights)
    passant = square_name(state.passant.lowest() ^ 56 * black) if state.passant else "-"
    return f"{'/'.join(rows)} {'wb'[black]} {castling or '-'} {passant} {state.clock} {state.ply // 2 + 1}"


def pieces(state: Chess.State) -> str:
    """A sign for each square, from a1 to h1 and so on up to h8: White's pieces are capitals, an empty square is `.`."""
    signs = ["."] * 64
    black = state.ply % 2
    for square in state.own | state.other:
        sign = kind(state, square)
        white = (square in state.own) != black
        signs[square ^ 56 * black] = sign if white else sign.lower()
    return "".join(signs)


def kind(state: Chess.State, square: int) -> str:
    """The letter of the piece on a square."""
    here = bit(square)
    if here & state.pawns:
        return "P"
    if here & state.knights:
        return "N"
    if here & state.diagonal:
        return "Q" if here & state.straight else "B"
    return "R" if here & state.straight else "K"


def _count(run: re.Match[str]) -> str:
    return str(len(run[0]))


# Reading.


def read(game: Chess, text: str) -> Chess.State:
    """The position that a FEN writes, or four fields of one; `BadInput` if no game could come to it."""
    words = text.split()
    if not 4 <= len(words) <= 6:
        raise refusal(text, f"has {len(words)} fields and not the six of a FEN, nor the four of EPD, as {START!r} has")
    sets = _sets(text, words[0])
    _check_pieces(text, sets)
    if words[1] not in ("w", "b"):
        raise refusal(text, f"has {words[1][:20]!r} for the player to move: write w or b")
    rights, black = _rights(text, words[2], sets), words[1] == "b"
    passant = _passant(text, words[3], sets, black)
    clock, number = (_number(text, word) for word in (words[4:] + ["0", "1"][len(words) - 4 :]))
    if clock > MOST_PLIES:
        raise refusal(text, f"counts {clock} plies without a capture or a pawn's move: {MOST_PLIES} at most")
    state = _state(game, sets, rights, passant, clock, 2 * max(number - 1, 0) + black)
    _check_attacks(game, text, state)
    return state if not passant or game.can_take_passing(state) else state._replace(passant=Bits(0))


def refusal(text: str, why: str) -> BadInput:
    """What is said of a text that is no position."""
    return BadInput(f"{text[:100] + '…' * (len(text) > 100)!r} {why}")


def _sets(text: str, field: str) -> dict[str, int]:
    """The squares of each kind of piece, by its sign."""
    rows = field.split("/")
    if len(rows) != 8:
        raise refusal(text, f"has {len(rows)} rows of squares, not 8")
    sets = dict.fromkeys("PNBRQKpnbrqk", 0)
    for number, row in enumerate(rows):
        if ROW.fullmatch(row) is None:
            cure = "write letters of PNBRQKpnbrqk, and how many squares are empty"
            raise refusal(text, f"has {row[:20]!r} for row {8 - number}: {cure}")
        square = 56 - 8 * number
        for sign in row:
            if sign in sets:
                sets[sign] |= 1 << square
                square += 1
            else:
                square += int(sign)
        if square != 64 - 8 * number:
            raise refusal(text, f"has {square - 56 + 8 * number} squares in row {8 - number}, not 8")
    return sets


def _check_pieces(text: str, sets: dict[str, int]) -> None:
    """Refuse what no promotions could have made of the pieces a game begins with."""
    if (sets["P"] | sets["p"]) & 0xFF000000000000FF:
        raise refusal(text, "has a pawn on the first or the last row, where none can be")
    for name, letters in (("White", "PNBRQK"), ("Black", "pnbrqk")):
        pawns, knights, _, rooks, queens, kings = counts = [sets[letter].bit_count() for letter in letters]
        if kings != 1:
            raise refusal(text, f"has {kings} kings for {name}, not one")
        if pawns > 8 or sum(counts) > 16:
            raise refusal(text, f"has {pawns} pawns among {sum(counts)} pieces of {name}: 8 and 16 at most")
        bishops = [(sets[letters[2]] & colour).bit_count() for colour in (LIGHT, ~LIGHT)]
        army = zip((queens, rooks, knights, *bishops), (1, 2, 2, 1, 1), strict=True)
        more = sum(max(count - begins, 0) for count, begins in army)
        if more > 8 - pawns:
            raise refusal(text, f"has {more} pieces of {name} that were pawns, of which only {8 - pawns} are missing")


def _rights(text: str, field: str, sets: dict[str, int]) -> int:
    """The rooks that may castle, as White counts squares."""
    if field == "-":
        return 0
    if not set(field) <= set(CASTLING) or len(set(field)) < len(field):
        raise refusal(text, f"has {field[:20]!r} for castling: write - or letters of KQkq")
    rights = 0
    for sign in field:
        (king, rook), white = CASTLING[sign], sign.isupper()
        king_set, rook_set = (sets["K"], sets["R"]) if white else (sets["k"], sets["r"])
        if not (king_set >> square_of(king) & 1 and rook_set >> square_of(rook) & 1):
            who, where = "White" if white else "Black", f"{king.lower()} and a rook on {rook.lower()}"
            raise refusal(text, f"says that {who} may castle ({sign}), but has no king on {where}")
        rights |= 1 << square_of(rook)
    return rights


def _passant(text: str, field: str, sets: dict[str, int], black: bool) -> int:
    """The square on which a pawn could be taken en passant, as a set; 0 for none."""
    if field == "-":
        return 0
    row, pawns, ahead = ("3", sets["P"], 8) if black else ("6", sets["p"], -8)
    if len(field) != 2 or field[0] not in COLUMNS or field[1] not in "36":
        raise refusal(text, f"has {field[:20]!r} for en passant: write - or the square behind a pawn such as e3")
    square = square_of(field)
    taken = sum(sets.values())
    free = not (taken >> square & 1 or taken >> square - ahead & 1)
    if field[1] != row or not free or not pawns >> square + ahead & 1:
        raise refusal(text, f"has {field} for en passant, but no pawn has just gone past it")
    return 1 << square


def _number(text: str, word: str) -> int:
    if NUMBER.fullmatch(word) is None:
        raise refusal(text, f"has {word[:20]!r} for a count: write a number from 0 to {MOST_MOVES}")
    return int(word)


def _state(game: Chess, sets: dict[str, int], rights: int, passant: int, clock: int, ply: int) -> Chess.State:
    """The state with these pieces, as the player to move sees it."""
    black = ply % 2
    both = {letter: sets[letter] | sets[letter.lower()] for letter in "PNBRQ"}
    white = sets["P"] | sets["N"] | sets["B"] | sets["R"] | sets["Q"] | sets["K"]
    others = sets["p"] | sets["n"] | sets["b"] | sets["r"] | sets["q"] | sets["k"]
    own, other = (others, white) if black else (white, others)
    words = (own, other, both["P"], both["N"], both["B"] | both["Q"], both["R"] | both["Q"], rights, passant)
    turned = [Bits(word).flipped() if black else Bits(word) for word in words]
    return game.State._make([*turned, clock, ply])


def _check_attacks(game: Chess, text: str, state: Chess.State) -> None:
    """Refuse checks that no move gives."""
    if game.checks(_turned(state)):
        raise refusal(text, f"has {'Black' if state.ply % 2 == 0 else 'White'} in check, whose turn it is not")
    checks = game.checks(state)
    if checks.count() > 2:
        raise refusal(text, f"has a king that {checks.count()} pieces give check to: two at most can")
    if checks and state.passant:
        before = _without_step(state)
        if game.checks(before):
            raise refusal(text, "has a check that the pawn which can be taken en passant does not give")


def _turned(state: Chess.State) -> Chess.State:
    """The same pieces with the other player to move."""
    own, other, *sets = (word.flipped() for word in state[:8])
    return state._replace(
        own=other,
        other=own,
        pawns=sets[0],
        knights=sets[1],
        diagonal=sets[2],
        straight=sets[3],
        rights=sets[4],
        passant=Bits(0),
    )


def _without_step(state: Chess.State) -> Chess.State:
    """The state with the pawn that has just moved two squares where it came from."""
    step = state.passant >> 8 | state.passant << 8
    return state._replace(other=state.other ^ step, pawns=state.pawns ^ step, passant=Bits(0))
