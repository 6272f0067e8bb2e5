"""Chess by the laws of FIDE. The board is turned round after every move, so that whoever is to move plays upwards:
square 0 is the a-file's on his first row, 63 the h-file's on his last.

Pieces are sets of squares, `own` and `other` by who has them. Queens are among both the `diagonal` and the `straight`
pieces, and kings are what is in no other set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit, scatter
from zermelo.game import Game

FIRST_ROW, FOURTH_ROW, LAST_ROW = Bits(0xFF), Bits(0xFF << 24), Bits(0xFF << 56)
LEFT, RIGHT = Bits(0x7F7F7F7F7F7F7F7F), Bits(0xFEFEFEFEFEFEFEFE)
"""The squares a step to the left, and to the right, can lead to."""
LIGHT = Bits(0x55AA55AA55AA55AA)
KNIGHT, BISHOP, ROOK, QUEEN = 1, 2, 3, 4
"""What a pawn may become."""
FIFTY_MOVES = 100
"""Plies without a capture or a pawn's move after which the game is a draw."""


def _steps(*ways: tuple[int, int], far: bool = False) -> tuple[Bits, ...]:
    """The squares that are one step, or any number of steps, in some ways from each square."""
    found = []
    for square in range(64):
        reached = 0
        for across, up in ways:
            column, row = square % 8 + across, square // 8 + up
            while 0 <= column < 8 and 0 <= row < 8:
                reached |= 1 << 8 * row + column
                column, row = (column + across, row + up) if far else (8, 8)
        found.append(Bits(reached))
    return tuple(found)


AROUND = _steps((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
LEAPS = _steps((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STRIKES = _steps((-1, 1), (1, 1))
COLUMNS, ROWS = _steps((0, 1), (0, -1), far=True), _steps((1, 0), (-1, 0), far=True)
RISING, FALLING = _steps((1, 1), (-1, -1), far=True), _steps((1, -1), (-1, 1), far=True)
ALONG_ROW = tuple(
    Bits(sum(1 << to for to in range(8) if to != column and not any(
        1 << each & 2 * inner for each in range(min(column, to) + 1, max(column, to)))))
    for column in range(8) for inner in range(64)
)
"""The squares of a row that a piece in a column reaches, by which of the inner six squares are taken."""
class Chess(Game):
    """Chess: mate the other's king. A win is worth 100, more than any number of pawns."""

    player_names = ("White", "Black")
    utility_bounds = (-100, 100)
    repeats, repetition = True, 3
    known = "nobody knows its value"

    class State(NamedTuple):
        own: Bits
        other: Bits
        pawns: Bits
        knights: Bits
        diagonal: Bits
        straight: Bits
        rights: Bits
        """The rooks with which a player may still castle."""
        passant: Bits
        """The square on which a pawn can be taken en passant, if it legally can."""
        clock: int
        """Plies since the last capture or pawn's move."""
        ply: int

    def __init__(self, dead: bool = True) -> None:
        self.dead = dead
        """Whether a position in which nobody can mate ends the game; published leaf counts go on."""

    def initial(self) -> State:
        sides, pawns, rights = (Bits(0xFFFF), Bits(0xFFFF << 48)), Bits(0xFF00000000FF00), Bits(0x8100000000000081)
        knights, diagonal, straight = Bits(0x4200000000000042), Bits(0x2C0000000000002C), Bits(0x8900000000000089)
        return self.State(*sides, pawns, knights, diagonal, straight, rights, Bits(0), 0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    # What each piece reaches.

    def along(self, taken: Bits, square: int, line: Bits) -> Bits:
        """The squares of a line that a piece reaches, both ways as far as the first that is taken."""
        ahead = taken & line
        back = ahead.flipped() - bit(square ^ 56)
        return (ahead - bit(square) ^ back.flipped()) & line

    def diagonals(self, taken: Bits, square: int) -> Bits:
        return self.along(taken, square, RISING[square]) | self.along(taken, square, FALLING[square])

    def straights(self, taken: Bits, square: int) -> Bits:
        row = square & 56
        inner = int(taken >> row + 1 & 63)
        return self.along(taken, square, COLUMNS[square]) | ALONG_ROW[64 * (square & 7) + inner] << row

    def attackers(self, state: State, square: int, taken: Bits) -> Bits:
        """The other's pieces, king included, that attack a square, if these squares are taken."""
        kings = ~(state.pawns | state.knights | state.diagonal | state.straight)
        found = STRIKES[square] & state.pawns | LEAPS[square] & state.knights | AROUND[square] & kings
        found |= self.diagonals(taken, square) & state.diagonal | self.straights(taken, square) & state.straight
        return found & state.other

    def king(self, state: State) -> int:
        """The square of the king of the player to move."""
        return (state.own & ~(state.pawns | state.knights | state.diagonal | state.straight)).lowest()

    def checks(self, state: State) -> Bits:
        """The pieces that give check to the player to move."""
        return self.attackers(state, self.king(state), state.own | state.other)

    def between(self, one: int, two: int) -> Bits:
        """The squares between two, if these are on a line; else none that matters."""
        here, there = bit(one), bit(two)
        if there & (RISING[one] | FALLING[one]):
            return self.diagonals(there, one) & self.diagonals(here, two)
        if there & (ROWS[one] | COLUMNS[one]):
            return self.straights(there, one) & self.straights(here, two)
        return Bits(0)

    def line(self, one: int, two: int) -> Bits:
        """The line through two squares."""
        there = bit(two)
        for lines in (RISING, FALLING, ROWS, COLUMNS):
            if there & lines[one]:
                return lines[one]
        return Bits(0)

    def pinned(self, state: State, king: int) -> Bits:
        """The pieces of the player to move that shield his king from a check."""
        taken = state.own | state.other
        diagonal, straight = self.diagonals(taken, king), self.straights(taken, king)
        shields = (diagonal | straight) & state.own
        taken ^= shields
        found = self.diagonals(taken, king) & ~diagonal & state.diagonal
        found |= self.straights(taken, king) & ~straight & state.straight
        pins = Bits(0)
        for square in found & state.other:
            pins |= self.between(king, square) & shields
        return pins

    def cover(self, king: int, checks: Bits) -> Bits:
        """Where a piece other than the king may go, to answer the checks there are."""
        if not checks:
            return ~Bits(0)
        if checks & checks - 1:
            return Bits(0)
        return checks | self.between(king, checks.lowest())

    def destinations(self, state: State, origin: int, king: int, checks: Bits, cover: Bits, pins: Bits) -> Bits:
        """Where the piece on a square may legally go."""
        here, taken = bit(origin), state.own | state.other
        if origin == king:
            return self.king_steps(state, king, checks)
        if here & state.pawns:
            found = here << 8 & ~taken
            found |= (found & Bits(0xFF0000)) << 8 & ~taken | STRIKES[origin] & state.other
        elif here & state.knights:
            found = LEAPS[origin] & ~state.own
        else:
            found = Bits(0)
            if here & state.diagonal:
                found |= self.diagonals(taken, origin)
            if here & state.straight:
                found |= self.straights(taken, origin)
            found &= ~state.own
        found &= cover
        if here & pins:
            found &= self.line(king, origin)
        if state.passant & STRIKES[origin] and here & state.pawns and self.takes_passing(state, here, king):
            found |= state.passant
        return found

    def king_steps(self, state: State, king: int, checks: Bits) -> Bits:
        """Where the king may go, castling included."""
        taken, found = state.own | state.other, Bits(0)
        for target in AROUND[king] & ~state.own:
            if not self.attackers(state, target, taken ^ bit(king)):
                found |= bit(target)
        rights = state.rights & FIRST_ROW
        if rights and not checks:
            if rights & 1 and not taken & 0xE and found & 8 and not self.attackers(state, 2, taken):
                found |= 4
            if rights & 0x80 and not taken & 0x60 and found & 0x20 and not self.attackers(state, 6, taken):
                found |= 0x40
        return found

    def takes_passing(self, state: State, here: Bits, king: int) -> bool:
        """Whether a pawn may take en passant: its king is not in check once both pawns have left their squares."""
        victim = state.passant >> 8
        taken = (state.own | state.other) ^ here ^ victim | state.passant
        return not self.attackers(state, king, taken) & ~victim

    # The six methods.

    def actions(self, state: State) -> Iterator[int]:
        """From, to, and what a pawn becomes, in one number."""
        king = self.king(state)
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        for origin in state.own:
            found = self.destinations(state, origin, king, checks, cover, pins)
            promotes = origin in state.pawns and (found & LAST_ROW) != 0
            for target in found:
                for kind in range(KNIGHT if promotes else 0, QUEEN + 1 if promotes else 1):
                    yield origin | target << 6 | kind << 12

    def count_actions(self, state: State) -> int:
        king, total = self.king(state), 0
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        for origin in state.own:
            found = self.destinations(state, origin, king, checks, cover, pins)
            total += found.count()
            if found & LAST_ROW and origin in state.pawns:
                total += 3 * found.count()
        return total

    def can_move(self, state: State) -> bool:
        """Whether there is a legal move."""
        king = self.king(state)
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        for origin in state.own:
            if self.destinations(state, origin, king, checks, cover, pins):
                return True
        return False

    def result(self, state: State, action: int) -> State:
        origin, target, kind = action & 63, action >> 6 & 63, action >> 12
        here, there = bit(origin), bit(target)
        own, other, passant = state.own ^ here | there, state.other & ~there, Bits(0)
        pawns, knights = self.moved(state.pawns, origin, target), self.moved(state.knights, origin, target)
        diagonal, straight = self.moved(state.diagonal, origin, target), self.moved(state.straight, origin, target)
        rights, clock = state.rights & ~(here | there), state.clock + 1
        if here & state.pawns:
            clock = 0
            if there & state.passant:
                other, pawns = other ^ there >> 8, pawns ^ there >> 8
            elif target - origin == 16:
                passant = there >> 8
            elif kind > 0:
                pawns ^= there
                knights |= there if kind == KNIGHT else Bits(0)
                diagonal |= there if kind == BISHOP or kind == QUEEN else Bits(0)
                straight |= there if kind == ROOK or kind == QUEEN else Bits(0)
        elif not here & (state.knights | state.diagonal | state.straight):
            rights &= ~FIRST_ROW
            if abs(target - origin) == 2:
                jump = Bits(0xA0) if target > origin else Bits(0x9)
                own, straight = own ^ jump, straight ^ jump
        if there & state.other:
            clock = 0
        child = self.State(
            own=other.flipped(),
            other=own.flipped(),
            pawns=pawns.flipped(),
            knights=knights.flipped(),
            diagonal=diagonal.flipped(),
            straight=straight.flipped(),
            rights=rights.flipped(),
            passant=passant.flipped(),
            clock=clock,
            ply=state.ply + 1,
        )
        if passant and not self.can_take_passing(child):
            return child._replace(passant=Bits(0))
        return child

    def moved(self, pieces: Bits, origin: int, target: int) -> Bits:
        """A set of pieces after whatever is on one square has gone to another, and what was there is taken."""
        return pieces & ~(bit(origin) | bit(target)) | (pieces >> origin & 1) << target

    def can_take_passing(self, state: State) -> bool:
        """Whether the player to move may take the pawn that has just moved two squares."""
        pawns = (state.passant >> 7 & RIGHT | state.passant >> 9 & LEFT) & state.own & state.pawns
        king = self.king(state)
        return any(self.takes_passing(state, bit(square), king) for square in pawns)

    def is_terminal(self, state: State) -> bool:
        return state.clock >= FIFTY_MOVES or (self.dead and self.is_dead(state)) or not self.can_move(state)

    def is_dead(self, state: State) -> bool:
        """Whether nobody has what it takes to mate: no pieces but one knight or bishop, or bishops of one colour."""
        if state.pawns | state.straight:
            return False
        pieces = state.knights | state.diagonal
        same = not state.diagonal & LIGHT or not state.diagonal & ~LIGHT
        return pieces.count() < 2 or (same and not state.knights)

    def utility(self, state: State, player: int) -> float:
        if not self.checks(state) or self.can_move(state):
            return 0
        return -100 if player == state.ply % 2 else 100

    # What tables and the rule of repetition know a state by.

    def recurrence(self, state: State) -> Bits:
        one, two = state.own * 0x9E3779B97F4A7C15, state.other * 0xC2B2AE3D27D4EB4F
        one, two = (one ^ one >> 32 ^ state.pawns) * 0xD6E8FEB86659FD93, (two ^ two >> 32 ^ state.knights) * 0xA0761D6478BD642F
        one, two = one ^ one >> 32 ^ state.diagonal, two ^ two >> 32 ^ state.straight
        rest = state.rights ^ state.passant << 1 ^ (state.ply & 1)
        return scatter(one * 0xE7037ED1A0B428DB ^ (one >> 29) + (two ^ two >> 31) * 0x8EBC6AF09C88C6E3 + rest * 0x589965CC75374CC3)

    def key(self, state: State) -> Bits:
        """Near the end of the fifty moves, a state with another count is another state."""
        near = max(state.clock - 40, 0)
        return self.recurrence(state) ^ near * 0x9E3779B97F4A7C15
