"""Chess by the laws of FIDE. The board is turned round after every move, so that whoever is to move plays upwards:
square 0 is the a-file's on his first row, 63 the h-file's on his last.

Pieces are sets of squares, `own` and `other` by who has them. Queens are among both the `diagonal` and the `straight`
pieces, and kings are what is in no other set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit, blend
from zermelo.board import Grid
from zermelo.errors import IllegalAction
from zermelo.game import Game
from zermelo.games.chess import fen, picture, san
from zermelo.games.chess.judgement import COUNTS, NAMES, Count, Side, balance, packed, phase, winnable
from zermelo.games.chess.reach import AROUND, LEAPS, LEFT, RIGHT, STRIKES, between, diagonals, line, straights
from zermelo.games.chess.weights import WEIGHTS

FIRST_ROW, THIRD_ROW, LAST_ROW = Bits(0xFF), Bits(0xFF << 16), Bits(0xFF << 56)
LIGHT = Bits(0x55AA55AA55AA55AA)
KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5
"""What a pawn, a 0, may become; and the king."""
WORTHS = (1, 3, 3, 5, 9, 100)
"""About what each piece is worth, in pawns, the king more than all others."""
FIFTY_MOVES = 100
"""Plies without a capture or a pawn's move after which the game is a draw."""


class Chess(Game):
    """Mate the other's king; a win is worth 100, more than any number of pawns."""

    player_names, win_words = ("White", "Black"), ("mate", "mated")
    utility_bounds = (-100, 100)
    repeats, repetition = True, 3
    margin = 0.8
    feature_names = NAMES
    weights = WEIGHTS
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
        self.table = packed(self.weights)

    def initial(self) -> State:
        sides, pawns, rights = (Bits(0xFFFF), Bits(0xFFFF << 48)), Bits(0xFF00000000FF00), Bits(0x8100000000000081)
        knights, diagonal, straight = Bits(0x4200000000000042), Bits(0x2C0000000000002C), Bits(0x8900000000000089)
        return self.State(*sides, pawns, knights, diagonal, straight, rights, Bits(0), 0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    # Checks and pins.

    def attackers(self, state: State, square: int, taken: Bits) -> Bits:
        """The other's pieces, king included, that attack a square, if these squares are taken."""
        kings = ~(state.pawns | state.knights | state.diagonal | state.straight)
        found = STRIKES[square] & state.pawns | LEAPS[square] & state.knights | AROUND[square] & kings
        found |= diagonals(taken, square) & state.diagonal | straights(taken, square) & state.straight
        return found & state.other

    def king(self, state: State) -> int:
        """The square of the king of the player to move."""
        return (state.own & ~(state.pawns | state.knights | state.diagonal | state.straight)).lowest()

    def checks(self, state: State) -> Bits:
        """The pieces that give check to the player to move."""
        return self.attackers(state, self.king(state), state.own | state.other)

    def pinned(self, state: State, king: int) -> Bits:
        """The pieces of the player to move that shield his king from a check."""
        taken = state.own | state.other
        diagonal, straight = diagonals(taken, king), straights(taken, king)
        shields = (diagonal | straight) & state.own
        taken ^= shields
        found = diagonals(taken, king) & ~diagonal & state.diagonal
        found |= straights(taken, king) & ~straight & state.straight
        pins = Bits(0)
        for square in found & state.other:
            pins |= between(king, square) & shields
        return pins

    def cover(self, king: int, checks: Bits) -> Bits:
        """Where a piece other than the king may go, to answer the checks there are."""
        if not checks:
            return ~Bits(0)
        if checks & checks - 1:
            return Bits(0)
        return checks | between(king, checks.lowest())

    def destinations(self, state: State, origin: int, king: int, checks: Bits, cover: Bits, pins: Bits) -> Bits:
        """Where the piece on a square may legally go."""
        here, taken = bit(origin), state.own | state.other
        if origin == king:
            return self.king_steps(state, king, checks)
        if here & state.pawns:
            found = here << 8 & ~taken
            found |= (found & THIRD_ROW) << 8 & ~taken | STRIKES[origin] & state.other
        elif here & state.knights:
            found = LEAPS[origin] & ~state.own
        else:
            found = Bits(0)
            if here & state.diagonal:
                found |= diagonals(taken, origin)
            if here & state.straight:
                found |= straights(taken, origin)
            found &= ~state.own
        found &= cover
        if here & pins:
            found &= line(king, origin)
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
        for pieces in self.kinds(state):
            for origin in pieces:
                found = self.destinations(state, origin, king, checks, cover, pins)
                promotes = origin in state.pawns and (found & LAST_ROW) != 0
                for kind in range(KNIGHT if promotes else 0, QUEEN + 1 if promotes else 1):
                    for target in found:
                        yield origin | target << 6 | kind << 12

    def kinds(self, state: State) -> tuple[Bits, Bits, Bits, Bits]:
        """The pieces of the player to move: pawns, knights, those that go along lines, the king."""
        lines = state.diagonal | state.straight
        rest = ~(state.pawns | state.knights | lines)
        return state.own & state.pawns, state.own & state.knights, state.own & lines, state.own & rest

    def count_actions(self, state: State) -> int:
        king, total = self.king(state), 0
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        for pieces in self.kinds(state):
            for origin in pieces:
                found = self.destinations(state, origin, king, checks, cover, pins)
                promotes = origin in state.pawns and (found & LAST_ROW) != 0
                total += QUEEN * found.count() if promotes else found.count()
        return total

    def can_move(self, state: State) -> bool:
        """Whether there is a legal move."""
        king = self.king(state)
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        return any(self.destinations(state, origin, king, checks, cover, pins) for origin in state.own)

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
                diagonal |= there if kind in (BISHOP, QUEEN) else Bits(0)
                straight |= there if kind in (ROOK, QUEEN) else Bits(0)
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

    # What the engine is told.

    def reversible(self, state: State) -> int:
        return state.clock

    def threatened(self, state: State) -> bool:
        return self.checks(state) != 0

    def passed(self, state: State) -> Iterator[State]:
        """To have to move is a burden mostly where there are only pawns."""
        if state.own & (state.knights | state.diagonal | state.straight) and not self.checks(state):
            yield self.State(
                own=state.other.flipped(),
                other=state.own.flipped(),
                pawns=state.pawns.flipped(),
                knights=state.knights.flipped(),
                diagonal=state.diagonal.flipped(),
                straight=state.straight.flipped(),
                rights=state.rights.flipped(),
                passant=Bits(0),
                clock=state.clock + 1,
                ply=state.ply + 1,
            )

    def noisy(self, state: State) -> Iterator[int]:
        """Captures, and pawns that become queens."""
        king = self.king(state)
        checks = self.checks(state)
        cover, pins = self.cover(king, checks), self.pinned(state, king)
        for pieces in self.kinds(state):
            for origin in pieces:
                found = self.destinations(state, origin, king, checks, cover, pins)
                is_pawn = origin in state.pawns
                found &= state.other | state.passant | LAST_ROW if is_pawn else state.other
                kind = QUEEN << 12 if is_pawn and found & LAST_ROW else 0
                for target in found:
                    yield origin | target << 6 | kind

    def gain(self, state: State, action: int) -> float:
        """The piece taken, a little more the lesser the one that takes it; what is lost if it is taken at a loss."""
        origin, target, kind = action & 63, action >> 6 & 63, action >> 12
        if kind == 0 and target not in state.other:
            return 0.1 if target in state.passant and origin in state.pawns else 0.0
        taken = self.worth(state, target) if target in state.other else 0
        if kind > 0:
            taken += 8 if kind == QUEEN else -1
        mine = self.worth(state, origin)
        if mine > taken and not self.pays(state, origin, target, taken, mine):
            return taken - mine
        return taken + 0.1 - mine * 0.01

    def loses(self, state: State, action: int, most: float) -> bool:
        """Whether a piece goes where it is taken at a loss."""
        origin, target = action & 63, action >> 6 & 63
        mine, allowed = self.worth(state, origin), int(most)
        return allowed < mine < WORTHS[KING] and not self.pays(state, origin, target, allowed, mine)

    def motif(self, state: State, action: int) -> int:
        """Which piece goes where."""
        return self.piece(state, action & 63) << 6 | action >> 6 & 63

    def piece(self, state: State, square: int) -> int:
        """Which piece is on a square: 0 a pawn, 1 a knight, 2 a bishop, 3 a rook, 4 a queen, 5 a king."""
        here = bit(square)
        if here & state.pawns:
            return 0
        if here & state.straight:
            return QUEEN if here & state.diagonal else ROOK
        if here & state.diagonal:
            return BISHOP
        return KNIGHT if here & state.knights else KING

    def worth(self, state: State, square: int) -> int:
        """About what the piece on a square is worth, in pawns."""
        return WORTHS[self.piece(state, square)]

    def pays(self, state: State, origin: int, target: int, taken: int, mine: int) -> bool:
        """Whether nothing is lost by taking on a square, however the exchange there goes on.

        Each side takes back with its least piece, or stops.
        """
        there, occupied = bit(target), (state.own | state.other) ^ bit(origin)
        pawns = STRIKES[target] & state.other | (there >> 7 & RIGHT | there >> 9 & LEFT) & state.own
        kings = ~(state.pawns | state.knights | state.diagonal | state.straight)
        takers = pawns & state.pawns | LEAPS[target] & state.knights | AROUND[target] & kings
        owed, wins = mine - taken, True
        while True:
            lines = diagonals(occupied, target) & state.diagonal | straights(occupied, target) & state.straight
            mine_now = (takers | lines) & occupied & (state.other if wins else state.own)
            if not mine_now:
                return wins
            wins = not wins
            least = self.least(state, mine_now)
            owed = self.worth(state, least) - owed
            if owed < wins:
                return wins
            occupied ^= bit(least)

    def least(self, state: State, pieces: Bits) -> int:
        """The square of the least of some pieces."""
        if pieces & state.pawns:
            return (pieces & state.pawns).lowest()
        if pieces & state.knights:
            return (pieces & state.knights).lowest()
        if pieces & state.diagonal & ~state.straight:
            return (pieces & state.diagonal & ~state.straight).lowest()
        if pieces & state.straight & ~state.diagonal:
            return (pieces & state.straight & ~state.diagonal).lowest()
        queens = pieces & state.straight
        return queens.lowest() if queens else pieces.lowest()

    def evaluate(self, state: State, player: int) -> float:
        side = Side(state.own, state.other, state.pawns, state.knights, state.diagonal, state.straight, state.rights)
        total = int(balance(side, self.table))
        few, now = total + (1 << 31) >> 32, phase(side)
        left = winnable(side, side.own if few > 0 else side.other)
        score = (64 * (total - (few << 32)) * now + left * few * (24 - now)) / (64 * 24000)
        score = max(-99.0, min(score, 99.0))
        return score if player == state.ply % 2 else -score

    def features(self, state: State) -> tuple[float, ...]:
        """How often each thing counts for White, by how many pieces there are."""
        side = Side(*state[:7])
        counted: Count = balance(side, COUNTS)
        sign, many = 1 if state.ply % 2 == 0 else -1, phase(side) / 24
        ahead = int(balance(side, self.table)) + (1 << 31) >> 32 > 0
        left = winnable(side, side.own if ahead else side.other) / 64
        return counted.told(sign * many, sign * left * (1 - many))

    # What tables and the rule of repetition know a state by.

    def recurrence(self, state: State) -> Bits:
        sides = blend(state.own ^ 0x9E3779B97F4A7C15, state.other ^ 0xC2B2AE3D27D4EB4F)
        light = blend(state.pawns ^ 0xD6E8FEB86659FD93, state.knights ^ 0xA0761D6478BD642F)
        heavy = blend(state.diagonal ^ 0xE7037ED1A0B428DB, state.straight ^ 0x8EBC6AF09C88C6E3)
        rest = state.rights ^ state.passant << 1 ^ (state.ply & 1) << 20
        return blend(sides ^ light << 1 ^ rest ^ 0x589965CC75374CC3, heavy ^ light)

    def key(self, state: State) -> Bits:
        """Near the end of the fifty moves, a state with quite another count is another state."""
        near = max(state.clock - 72, 0) // 4
        return self.recurrence(state) ^ Bits(near) * 0x9E3779B97F4A7C15

    # Text; see the modules beside this one.

    def format_action(self, state: State, action: int) -> str:
        return san.write(self, state, action)

    def protocol_action(self, state: State, action: int) -> str:
        return san.write_coordinates(state, action)

    def parse_action(self, state: State, text: str) -> int:
        if self.is_terminal(state):
            raise IllegalAction(f"{text!r} is not legal in {self.describe(state)}; the game is over")
        return san.read(self, state, text)

    def split_moves(self, text: str) -> list[str]:
        return san.split(text)

    def format_state(self, state: State) -> str:
        return fen.write(state)

    def parse_state(self, text: str) -> State:
        return fen.read(self, text)

    def board(self, state: State) -> Grid:
        return picture.draw(state)
