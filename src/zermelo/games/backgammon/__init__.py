"""Backgammon: checkers are bits, and whoever moves sees the board from his own side.

His places are 1 to 24 for the points as he counts them, 25 for the bar and 0 for the checkers borne off. How many
checkers lie on a place is a binary number, one digit in each of four words: bit `place` for his own and bit
`OTHER + place` for the other's. A word read backwards is the same board seen by the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Points
from zermelo.errors import IllegalAction
from zermelo.game import CHANCE, Game, listed
from zermelo.games.backgammon.judgement import judged, pip_count, risk
from zermelo.games.backgammon.plays import Leg, orders
from zermelo.games.backgammon.position_id import OPENING, START, Counts, Reading, read, write

PASS = 64
LOW = 32
"""What an action with the lower of two dice adds to the place that it moves from."""
BAR, OTHER = 25, 38
OWN, POINTS = Bits(0x3FFFFFE), Bits(0x1FFFFFE)
"""The places of a player's checkers in play; those of them that are points."""
BEATEN = Bits(0x7F) << OTHER
"""Where a loser's checker makes it a backgammon: on the bar, or on the winner's points 1 to 6."""
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
    """Bring 15 checkers home and off the board before the other does; a gammon counts 2, a backgammon 3."""

    player_names = ("X", "O")
    utility_bounds = (-3, 3)
    repeats = True
    state_count = 1.9e19
    feature_names = (
        "tempo", "pips", "race", "exposed", "home", "block", "anchor", "bar", "stacks", "deep", "held", "late",
    )  # fmt: skip
    weights = (0.06, 1.25, 2.8, 2.0, 0.11, 0.085, 0.06, 0.12, 0.03, 0.09, 0.09, 0.09)
    """Rounded from a least-squares fit to the equities that another program, bgsage, gives positions from play."""
    known = "the checkers can lie in 18,528,584,051,601,162,496 ways; no doubling cube, a win counts 1, 2 or 3"

    class State(NamedTuple):
        """The board seen by `turn`, and the dice to play: `high` and `low` or, where they are equal, that `left` times.

        None are `left` before a roll, and -1 before the first.
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
        return self.parse_state(f"{START} {OPENING}")

    def to_move(self, state: State) -> int:
        return CHANCE if state.left <= 0 and not self.is_terminal(state) else state.turn

    def is_terminal(self, state: State) -> bool:
        return not (state.ones | state.twos | state.fours | state.eights) & OWN

    def utility(self, state: State, player: int) -> float:
        taken = state.ones | state.twos | state.fours | state.eights
        worth = 1 if OTHER + BAR in taken else 3 if taken & BEATEN else 2
        return worth if player == state.turn else -worth

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        """The dice as 8 × one + the other: of the opening X's first, else the higher."""
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
        """The places to move from with the higher die, and those with the lower one from bit `LOW` on.

        Where both dice bear off the same checker it is the higher one that does.
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
        """Of the `moves` those after which the other die can be played; else the higher die's; else the lower's."""
        both = Bits(0)
        for place in high:
            if self.sources(self.occupied(own, many, place, state.high), free, state.low):
                both |= bit(place)
        for place in low:
            if self.sources(self.occupied(own, many, place, state.low), free, state.high):
                both |= bit(LOW + place)
        return both if both else high if high else low << LOW

    def occupied(self, own: Bits, many: Bits, place: int, die: int) -> Bits:
        """The places of one's checkers after a move, where on `many` there is more than one."""
        return (own & (many | ~bit(place)) | bit(max(place - die, 0))) & OWN

    def sources(self, own: Bits, free: Bits, die: int) -> Bits:
        """The places from which a die may be played, where `free` are the points to land on.

        With all at home a checker may also leave, and a die beyond the highest checker counts as that.
        """
        top = own.highest()
        found = own & (free | (top <= 6)) << min(die, top)
        return found & bit(BAR) if top == BAR else found

    def result(self, state: State, action: int) -> State:
        """The turn ends where nothing can be done with the rest of the dice."""
        if state.left <= 0:
            return self.rolled(state, action // 8, action % 8)
        after = state if action == PASS else self.moved(state, action)
        many = after.twos | after.fours | after.eights
        own = (after.ones | many) & OWN
        if not own:
            return after._replace(high=0, low=0, left=0)
        if after.left > 0 and self.sources(own, POINTS & ~(many >> OTHER), after.high):
            return after
        return self.turned(after)

    def rolled(self, state: State, first: int, second: int) -> State:
        turn = int(first < second) if state.left < 0 else state.turn
        left = 4 if first == second else 2
        return state._replace(turn=turn, high=max(first, second), low=min(first, second), left=left)

    def moved(self, state: State, action: int) -> State:
        """The board and the dice after a checker's move."""
        place, die = action % LOW, state.low if action >= LOW else state.high
        target, rest = max(place - die, 0), state.high + state.low - die
        ones, twos, fours, eights = state.ones, state.twos, state.fours, state.eights
        hit = (ones | twos | fours | eights) & POINTS << OTHER & bit(OTHER + target)
        less = bit(place) | hit
        change = less | bit(target) | (bit(OTHER) if hit else Bits(0))
        ones, change = ones ^ change, change & (ones ^ less)
        twos, change = twos ^ change, change & (twos ^ less)
        fours, change = fours ^ change, change & (fours ^ less)
        return self.State(ones, twos, fours, eights ^ change, state.turn, rest, rest, state.left - 1)

    def turned(self, state: State) -> State:
        """The board seen by the other player, who is to roll."""
        ones, twos = self.backwards(state.ones), self.backwards(state.twos)
        fours, eights = self.backwards(state.fours), self.backwards(state.eights)
        return self.State(ones, twos, fours, eights, 1 - state.turn, 0, 0, 0)

    def backwards(self, word: Bits) -> Bits:
        for step, places in SWAPS:
            word = (word & places) << step | word >> step & places
        return word

    # Judgement.

    def features(self, state: State) -> tuple[float, ...]:
        """The figures of the side that has moved less those of the side that rolls next; dice to play count as pips."""
        back = self.turned(state)
        moved, rolls = (state, back) if state.left > 0 else (back, state)
        own, other = judged(moved), judged(rolls)
        pips = max(own.pips - state.left * (state.high + state.low) // 2, 0)
        race = 0.0 if own.top + other.top > BAR else (other.pips - pips) / (other.pips + pips)
        sign = 1.0 if moved.turn == 0 else -1.0
        return (
            -sign if state.left >= 0 else 0.0,
            sign * (other.pips - pips) / 100,
            sign * race,
            -sign * risk(moved) / 100,
            sign * (own.home - other.home),
            sign * (own.block - other.block),
            sign * (own.anchor - other.anchor),
            sign * (other.waiting - own.waiting),
            sign * (other.stacks - own.stacks),
            sign * (other.deep - own.deep),
            sign * (other.held - own.held),
            sign * (other.late - own.late),
        )

    def evaluate(self, state: State, player: int) -> float:
        """About the points to be won on average, below 1 where the loser has borne off, else below 3."""
        score = super().evaluate(state, player)
        taken = state.ones | state.twos | state.fours | state.eights
        losing = (score < 0) == (player == state.turn)
        most = 1.0 if (0 if losing else OTHER + BAR) in taken else 3.0
        return score * most / (most + abs(score))

    def moves_left(self, state: State) -> int:
        """About how many moves and rolls are still to come: three for each eight pips."""
        return 3 * (pip_count(state) + pip_count(self.turned(state))) // 8

    # Text.

    def format_action(self, state: State, action: int) -> str:
        if state.left <= 0:
            return f"{action // 8}-{action % 8}"
        return "pass" if action == PASS else str(self.leg(state, action))

    def leg(self, state: State, action: int) -> Leg:
        """What a move does, as it is written."""
        place = action % LOW
        target = max(place - (state.low if action >= LOW else state.high), 0)
        return Leg(place, target, target > 0 and self.count(state, OTHER + target) > 0)

    def parse_action(self, state: State, text: str) -> int:
        """Reads dice in any order and with nothing between, and a move without its star."""
        if state.left > 0:
            play = self.parse_play(state, text)
            if play[1:]:
                first = self.format_action(state, play[0])
                raise IllegalAction(f"{text!r} is more than one move: write the first alone, {first}")
            return play[0]
        found = re.fullmatch(r"([1-6])-?([1-6])", text)
        dice = f"{found[1]}-{found[2]}" if found else text
        action: int = super().parse_action(state, max(dice, dice[::-1]) if found and state.left == 0 else dice)
        return action

    def parse_play(self, state: State, text: str) -> list[int]:
        """The moves of a whole play or a part of one, in an order in which they are legal."""
        if state.left <= 0:
            return [self.parse_action(state, text)]
        if text.lower() == "pass":
            return [super().parse_action(state, "pass")]
        plays = (self.play_of(state, legs, state.turn) for legs in orders(text))
        play = next((play for play in plays if play), [])
        if not play:
            texts = [self.format_action(state, action) for action in self.legal(state)]
            raise IllegalAction(f"{text!r} is not legal in {self.describe(state)}; legal are {listed(texts)}")
        return play

    def play_of(self, state: State, legs: tuple[Leg, ...], player: int) -> list[int]:
        """The moves that make these legs in this order, hitting nothing unsaid if that can be; nothing if none do."""
        if not legs or self.is_terminal(state) or self.to_move(state) != player:
            return []
        goal, rest = legs[0], legs[1:]
        steps = [(self.leg(state, action), action) for action in self.legal(state) if action != PASS]
        for step, action in sorted(steps, key=lambda pair: pair[0].hits):
            left = rest if step.end == goal.end else (goal._replace(start=step.end), *rest)
            if step.start != goal.start or step.end < goal.end or (left == rest and step.hits < goal.hits):
                continue
            after = self.play_of(self.result(state, action), left, player)
            if after or not left:
                return [action, *after]
        return []

    def count(self, state: State, place: int) -> int:
        """How many checkers are on a place; from `OTHER` on, how many of the other's."""
        return sum((place in word) << digit for digit, word in enumerate(state[:4]))

    def sides(self, state: State) -> tuple[Counts, Counts]:
        """The checkers of the player whose turn it is, and those of the other, each on his own places."""
        own = tuple(self.count(state, place) for place in range(26))
        return own, tuple(self.count(state, OTHER + BAR - place) for place in range(26))

    def format_state(self, state: State) -> str:
        return write(Reading(*self.sides(state), *state[4:]))

    def parse_state(self, text: str) -> State:
        board = read(text)
        counts = dict(enumerate(board.own)) | {OTHER + BAR - place: count for place, count in enumerate(board.other)}
        ones, twos, fours, eights = (
            Bits(sum((count >> digit & 1) << place for place, count in counts.items())) for digit in range(4)
        )
        return self.State(ones, twos, fours, eights, board.player, board.high, board.low, board.left)

    def board(self, state: State) -> Points:
        """The board as X sees it, its points numbered as the one to move counts them."""
        own, other = self.sides(state)
        x, o = (own, other) if state.turn == 0 else (other, own)
        mover = self.player_names[state.turn]
        dice = self.format_state(state).rpartition(" ")[2]
        note = f"{mover}: {dice}" if state.left > 0 else f"{mover} to roll" if state.left == 0 else "opening roll"
        return Points(x, o, state.turn, "" if self.is_terminal(state) else note)
