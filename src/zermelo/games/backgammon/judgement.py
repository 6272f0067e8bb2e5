"""What a backgammon position is worth at a glance: the race, blots in reach, points made, men held up behind them.

Places are numbered as in `zermelo.games.backgammon`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from zermelo.bits import Bits

HOME, OUTSIDE, BACK = Bits(0x7E), Bits(0x3FFFF80), Bits(0x3F80000)
"""The points 1 to 6; all other places; the points 19 to 24 and the bar."""
BLOCK, DEEP, ANCHORS = Bits(0x3F0), Bits(0x6), Bits(0x7C0000)
"""The points 4 to 9, which hold up the other's men; 1 and 2, out of play; 18 to 22, from which men get away."""
FOES = Bits(0x1FFFFFF)
"""Where the other's checkers can be, on their bar too."""
BAR, OTHER, AHEAD = Bits(0x2000000), 38, Bits(0x3FE000)
"""This side's bar; where the other's places begin; where primes begin that lie before men at the back."""
DIGITS = (Bits(0x2AAAAAA), Bits(0xCCCCCC), Bits(0xF0F0F0), Bits(0x300FF00), Bits(0x3FF0000))
"""The places whose number has a one as its first, second, … binary digit."""


def _chance(distances: int) -> float:
    """The chance to hit with two dice from these distances (bit 12 - distance), whatever may be in between."""
    reach = {distance for distance in range(1, 13) if distances >> 12 - distance & 1}
    rolls = [(one, two) for one in range(1, 7) for two in range(1, 7)]
    return sum(not reach.isdisjoint(_pips(*roll)) for roll in rolls) / 36


def _pips(one: int, two: int) -> set[int]:
    """How far a checker comes with a roll."""
    return {one, two, one + two} if one != two else {one, 2 * one, 3 * one, 4 * one}


SHOTS = tuple(_chance(distances) for distances in range(4096))


class Board(Protocol):
    """The four words of a state, seen by the side that is judged."""

    @property
    def ones(self) -> Bits: ...
    @property
    def twos(self) -> Bits: ...
    @property
    def fours(self) -> Bits: ...
    @property
    def eights(self) -> Bits: ...


class Side(NamedTuple):
    """What matters of a side's checkers; see `judged`."""

    pips: int
    top: int
    home: int
    block: int
    anchor: int
    waiting: int
    stacks: int
    deep: int
    held: int
    late: int


def judged(board: Board) -> Side:
    """A side's figures: the pips to go, the last checker's place, the points made at home and in the way of the other.

    Then whether it has an anchor; the men on the bar, times the points closed to them; the places with four and more;
    the men on 1 and 2; the men at the back, times the other's primes of four before them; and the men not yet home
    where the other bears off and this side has not begun.
    """
    many = board.twos | board.fours | board.eights
    taken, walls = board.ones | many, many >> OTHER
    primes = walls & walls >> 1 & walls >> 2 & walls >> 3 & AHEAD
    racing = OTHER + 25 in taken and 0 not in taken
    return Side(
        pip_count(board),
        (taken & (HOME | OUTSIDE)).highest(),
        (many & HOME).count(),
        (many & BLOCK).count(),
        int((many & ANCHORS) != 0),
        number(board, BAR) * (walls & BACK & ~BAR).count(),
        ((board.fours | board.eights) & (HOME | OUTSIDE)).count(),
        number(board, DEEP),
        number(board, BACK) * primes.count(),
        number(board, OUTSIDE) if racing else 0,
    )


def number(board: Board, places: Bits) -> int:
    """How many checkers are on some places."""
    few = (board.ones & places).count() + 2 * (board.twos & places).count()
    return few + 4 * (board.fours & places).count() + 8 * (board.eights & places).count()


def pip_count(board: Board) -> int:
    """How far all checkers of a side are from off the board."""
    total = 0
    for digit, places in enumerate(DIGITS):
        total += number(board, places) << digit
    return total


def risk(board: Board) -> float:
    """The pips that a side has to fear for: what each blot would lose, times the chance that it is hit."""
    many, total = board.twos | board.fours | board.eights, 0.0
    foes = (board.ones | many) >> OTHER & FOES
    for place in board.ones & ~many & (HOME | OUTSIDE) & ~BAR:
        total += SHOTS[int(foes << 25 - place >> 13 & 0xFFF)] * (25 - place)
    return total
