"""Backgammon: checkers are bits, and whoever moves sees the board from his own side.

His places are 1 to 24 for the points as he counts them, 25 for the bar and 0 for the checkers borne off. How many
checkers lie on a place is a binary number, one digit in each of four words: bit `place` for his own and bit
`OTHER + place` for the other's. A word read backwards is the same board seen by the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.game import CHANCE, Game

PASS = 64
LOW = 32
"""What an action with the lower of two dice adds to the place that it moves from."""
OTHER, BAR = 38, 25
POINTS, OWN, HIT = Bits(0x1FFFFFE), Bits(0x3FFFFFE), Bits(0x1FFFFFE) << OTHER
"""The 24 points; all places of checkers in play; the points for the other's checkers."""
HOME_OF_WINNER = Bits(0x7F) << OTHER
"""Where a loser's checker makes a backgammon: on the bar and on the winner's points 1 to 6."""
SWAPS = (
    (1, Bits(0x5555555555555555)),
    (2, Bits(0x3333333333333333)),
    (4, Bits(0x0F0F0F0F0F0F0F0F)),
    (8, Bits(0x00FF00FF00FF00FF)),
    (16, Bits(0x0000FFFF0000FFFF)),
    (32, Bits(0x00000000FFFFFFFF)),
)
"""Which bits change places with those so far above them, to read a word backwards."""


class Backgammon(Game):
    """Race 15 checkers home and off past the other's; a gammon counts 2, a backgammon 3."""

    player_names = ("X", "O")
    utility_bounds = (-3, 3)
    repeats = True

    class State(NamedTuple):
        """The board seen by `turn`, and the dice to be played: `high` and `low`, or where they are equal, that `left` times.

        No dice are `left` before a roll, and -1 before the first.
        """

        ones: Bits
        twos: Bits
        fours: Bits
        eights: Bits
        turn: int
        high: int
        low: int
        left: int

    def initial(self) -> State:
        return self.State(*_words(((24, 2), (13, 5), (8, 3), (6, 5)), ((24, 2), (13, 5), (8, 3), (6, 5))), 0, 0, 0, -1)

    def to_move(self, state: State) -> int:
        return CHANCE if state.left <= 0 and not self.is_terminal(state) else state.turn

    def is_terminal(self, state: State) -> bool:
        return not (state.ones | state.twos | state.fours | state.eights) & OWN

    def utility(self, state: State, player: int) -> float:
        others = state.ones | state.twos | state.fours | state.eights
        worth = 1 if 63 in others else 3 if others & HOME_OF_WINNER else 2
        return worth if player == state.turn else -worth

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        if state.left < 0:
            for first in range(1, 7):
                for second in range(1, 7):
                    if first != second:
                        yield 8 * first + second, 1 / 30
        else:
            for high in range(1, 7):
                for low in range(1, high + 1):
                    yield 8 * high + low, 1 / 36 if high == low else 1 / 18

    def actions(self, state: State) -> Iterator[int]:
        """The moves of single checkers; with none it is `PASS`, which is what the lowest of nothing gives."""
        moves = self.moves(state)
        for _ in range(max(moves.count(), 1)):
            action = moves.lowest()
            moves &= moves - 1
            yield action

    def moves(self, state: State) -> Bits:
        """The places to move from with the higher die, and those for the lower one from bit `LOW` on.

        Where both dice bear off the same checker, it is the higher one's.
        """
        many = state.twos | state.fours | state.eights
        own, free = (state.ones | many) & OWN, POINTS & ~(many >> OTHER)
        high = self.sources(own, free, state.high)
        if state.high == state.low or own.highest() <= state.low:
            return high
        low = self.sources(own, free, state.low)
        if high.count() > 1 and low.count() > 1:
            return high | low << LOW
        return self.forced(state, own, many, free, high, low)

    def forced(self, state: State, own: Bits, many: Bits, free: Bits, high: Bits, low: Bits) -> Bits:
        """As `moves`: only what lets both dice be played, or else the higher, or else the lower."""
        both = Bits(0)
        for place in high:
            if self.sources(self.moved(own, many, place, state.high), free, state.low):
                both |= bit(place)
        for place in low:
            if self.sources(self.moved(own, many, place, state.low), free, state.high):
                both |= bit(LOW + place)
        return both if both else high if high else low << LOW

    def moved(self, own: Bits, many: Bits, place: int, die: int) -> Bits:
        """The places in play after a move, where `many` have more than one checker."""
        return (own & (many | ~bit(place)) | bit(max(place - die, 0))) & OWN

    def sources(self, own: Bits, free: Bits, die: int) -> Bits:
        """The places from which a checker may move, where `free` are the points it may land on.

        With all at home it may also leave, and a die beyond the highest checker counts as that.
        """
        top = own.highest()
        found = own & (free | (top <= 6)) << min(die, top)
        return found & bit(BAR) if top == BAR else found

    def result(self, state: State, action: int) -> State:
        if state.left <= 0:
            return self.rolled(state, action // 8, action % 8)
        if action == PASS:
            return self.turned(state)
        place, die = action % 32, state.low if action >= LOW else state.high
        return self.played(state, place, max(place - die, 0), state.high + state.low - die)

    def rolled(self, state: State, first: int, second: int) -> State:
        turn = state.turn if state.left == 0 else int(first < second)
        high, low = max(first, second), min(first, second)
        return state._replace(turn=turn, high=high, low=low, left=4 if high == low else 2)

    def played(self, state: State, place: int, target: int, rest: int) -> State:
        """The state after a checker's move; the turn is over when there is nothing to do with the `rest` of the dice."""
        ones, twos, fours, eights = state.ones, state.twos, state.fours, state.eights
        hit = (ones | twos | fours | eights) & HIT & bit(OTHER + target)
        less = bit(place) | hit
        change = less | bit(target) | (bit(OTHER) if hit else Bits(0))
        ones, change = ones ^ change, change & (ones ^ less)
        twos, change = twos ^ change, change & (twos ^ less)
        fours, change = fours ^ change, change & (fours ^ less)
        eights ^= change
        after = self.State(ones, twos, fours, eights, state.turn, rest, rest, state.left - 1)
        many = twos | fours | eights
        own = (ones | many) & OWN
        if not own or state.left > 1 and self.sources(own, POINTS & ~(many >> OTHER), rest):
            return after
        return self.turned(after)

    def turned(self, state: State) -> State:
        """The board seen by the other player, who is to roll."""
        ones, twos = self.backwards(state.ones), self.backwards(state.twos)
        fours, eights = self.backwards(state.fours), self.backwards(state.eights)
        return self.State(ones, twos, fours, eights, 1 - state.turn, 0, 0, 0)

    def backwards(self, word: Bits) -> Bits:
        for step, places in SWAPS:
            word = (word & places) << step | word >> step & places
        return word


def _words(own: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> list[Bits]:
    """The four words for checkers given as (place, count), each player's as he counts; the rest is borne off."""
    counts = dict(own) | {OTHER + BAR - place: count for place, count in other}
    counts[0] = 15 - sum(count for _, count in own)
    counts[OTHER + BAR] = 15 - sum(count for _, count in other)
    return [Bits(sum((count >> digit & 1) << place for place, count in counts.items())) for digit in range(4)]
