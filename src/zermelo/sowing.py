"""Sowing games (mancala): two rows of pits and two stores, a byte each in two words, and what such games share.

A player's word holds his pits from the low end, in the order in which he sows, and above them his store. To sow is
to add one number from a table to each word.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zermelo.bits import Bits
from zermelo.board import Pits
from zermelo.errors import BadInput
from zermelo.game import Game

MOST_PITS, MOST_SEEDS = 7, 127
"""How many pits a player may have, so that they fit a word with the store; and how many seeds there may be in all."""
COUNTS = MOST_SEEDS + 1
"""How many numbers of seeds there are for each pit in the tables."""
TEXT = re.compile(r"([\d-]+)\s*/\s*([\d-]+)\s+(\d+):(\d+)\s+([A-Za-z]+)")
LETTERS = "ABCDEFG"


class Sowing(Game):
    """What Kalah and Awari share: the board, the turn, the value of a lead, and text.

    `own` are the pits and the store of the player to move, `other` those of the other one.
    """

    player_names = ("South", "North")
    compact = True

    class State(NamedTuple):
        own: Bits
        other: Bits
        turn: int

    def __init__(self, pits: int, seeds: int, margin: int) -> None:
        if not 1 <= pits <= MOST_PITS or not 1 <= seeds <= MOST_SEEDS // (2 * pits) or margin not in (0, 1):
            raise BadInput(
                f"{self.title} needs 1 to {MOST_PITS} pits, at least one seed in each and at most {MOST_SEEDS} in all, "
                "margin 0 or 1"
            )
        self.pits, self.seeds, self.margin, self.total = pits, seeds, margin, 2 * pits * seeds
        self.utility_bounds = (-self.total, self.total) if margin else (-1, 1)
        self.above = 8 * pits
        self.row = Bits((1 << self.above) - 1)
        self.ones = self.row & 0x0101010101010101
        tracks = [self.track(pit) for pit in range(pits)]
        self.to_own = tuple(_sown(track, pit, count, 0) for pit, track in enumerate(tracks) for count in range(COUNTS))
        self.to_other = tuple(
            _sown(track, pit, count, 8) for pit, track in enumerate(tracks) for count in range(COUNTS)
        )
        self.ends = tuple(track[(count - 1) % len(track)] for track in tracks for count in range(COUNTS))

    def track(self, pit: int) -> list[int]:
        """The places that seeds of a pit fall into, in their order, before the first gets another one.

        Places 0 to 7 are one's own pits and store, 8 to 15 those of the other.
        """
        raise NotImplementedError

    def initial(self) -> State:
        return self.State(self.ones * self.seeds, self.ones * self.seeds, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def count(self, word: Bits, pit: int) -> int:
        """How many seeds there are in a pit, or in the store, whose number is that of the pits."""
        return int(word >> 8 * pit & 255)

    def in_row(self, word: Bits) -> int:
        """How many seeds there are in all pits of a player."""
        return int((word & self.row) * 0x0101010101010101 >> 56)

    def filled(self, word: Bits, least: int) -> int:
        """How many pits have at least so many seeds."""
        return ((word & self.row) + self.ones * (128 - least) & self.ones << 7).count()

    def lead(self, state: State) -> int:
        """How many more seeds the player to move has in his store than the other."""
        return self.count(state.own, self.pits) - self.count(state.other, self.pits)

    def worth(self, lead: int) -> int:
        """What it is worth to end with so many seeds more than the other."""
        return lead if self.margin else (lead > 0) - (lead < 0)

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """What is in a store stays there."""
        low = self.worth(2 * self.count(state.own, self.pits) - self.total)
        high = self.worth(self.total - 2 * self.count(state.other, self.pits))
        return (low, high) if player == state.turn else (-high, -low)

    def evaluate(self, state: State, player: int) -> float:
        """About the final lead, and always less than all seeds."""
        most = self.total - 1.0
        score = max(-most, min(super().evaluate(state, player), most))
        return score if self.margin else score / self.total

    # Text.

    def format_action(self, state: State, action: int) -> str:
        """A pit from left to right as its owner sees it: A to F for South, a to f for North."""
        return LETTERS[action] if state.turn == 0 else LETTERS[action].lower()

    def sides(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The pits of South and of North, each with the store at the end."""
        words = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        south, north = (tuple(self.count(word, pit) for pit in range(self.pits + 1)) for word in words)
        return south, north

    def format_state(self, state: State) -> str:
        """South's pits, North's, their stores, and who is to move: 4-4-4-4-4-4/4-4-4-4-4-4 0:0 South."""
        south, north = self.sides(state)
        rows = "/".join("-".join(str(count) for count in side[:-1]) for side in (south, north))
        return f"{rows} {south[-1]}:{north[-1]} {self.player_names[state.turn]}"

    def parse_state(self, text: str) -> State:
        found = TEXT.fullmatch(text.strip())
        turns = [turn for turn in (0, 1) if found and self.player_names[turn].lower().startswith(found[5].lower())]
        if found is None or not turns:
            example = self.format_state(self.initial())
            raise BadInput(f"{text!r} is no state of {self.title}, which is written like {example!r}")
        rows = [[int(count) for count in row.split("-") if count] for row in (found[1], found[2])]
        if any(len(row) != self.pits for row in rows):
            raise BadInput(f"{text!r} has {len(rows[0])} and {len(rows[1])} pits, not {self.pits} for each player")
        sides = [[*row, int(store)] for row, store in zip(rows, (found[3], found[4]), strict=True)]
        seeds = sum(map(sum, sides))
        if seeds != self.total:
            raise BadInput(f"{text!r} has {seeds} seeds in pits and stores, not {self.total}")
        south, north = (Bits(sum(count << 8 * place for place, count in enumerate(side))) for side in sides)
        return self.State(south, north, 0) if turns[0] == 0 else self.State(north, south, 1)

    def board(self, state: State) -> Pits:
        south, north = self.sides(state)
        labels = tuple(LETTERS[: self.pits])
        return Pits(south, north, labels, tuple(label.lower() for label in labels))


def _sown(track: list[int], pit: int, count: int, first: int) -> Bits:
    """What sowing so many seeds adds to the word whose places begin with `first`."""
    laps, rest = divmod(count, len(track))
    given = sum(
        laps + (turn < rest) << 8 * (place - first) for turn, place in enumerate(track) if 0 <= place - first < 8
    )
    return Bits(given - (count << 8 * pit if first == 0 else 0))
