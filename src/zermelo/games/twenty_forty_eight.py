"""2048: one player slides the tiles, chance adds new ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from zermelo.bits import Bits
from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Game

LETTERS = "abcd"
LEFT, RIGHT, UP, DOWN = 0, 1, 2, 3
NAMES = ("left", "right", "up", "down")
HEIGHTS = tuple(float(exponent**4) for exponent in range(16))
"""How much a tile weighs where tiles should rise or fall along a line."""
ALIVE, EMPTY, PAIRS, ROUGH = 4.0, 0.01, 0.01, 0.00003
"""The health of a board: for being alive, for an empty cell, for two equal neighbours; less for each bend in a line."""


class TwentyFortyEight(Game):
    """Slide all tiles to one side; equal ones that meet become one and score its number; then chance adds a 2 or a 4.

    The game is over when nothing can slide, or when the target is made. The utility is the score. In the state each
    cell has four bits: 0 if it is empty, n for the tile 2ⁿ; `adding` is how many tiles chance has still to add.
    """

    players = 1
    utility_sum = None
    keys: ClassVar[Mapping[str, str]] = {name: name for name in ("left", "right", "up", "down")}
    known = "no tile can be larger than 131,072 on 4 × 4 cells"

    class State(NamedTuple):
        tiles: Bits
        score: int
        adding: int

    def __init__(self, width: int = 4, height: int = 4, target: int = 32768) -> None:
        if not (2 <= width <= 4 and 2 <= height <= 4) or target not in [2**n for n in range(3, 16)]:
            raise BadInput("2048 needs a width and a height from 2 to 4, and as target a power of 2 from 8 to 32768")
        self.width, self.height, self.cells, self.target = width, height, width * height, target.bit_length() - 1
        largest = min(self.target - 1, self.cells + 1)
        self.highest = self.cells * largest * 2**largest
        self.utility_bounds = (0, self.highest + 1)
        self.ones = Bits(sum(1 << 4 * cell for cell in range(self.cells)))
        self.inner = Bits(sum(15 << 4 * cell for cell in range(self.cells) if cell % width))
        self.lower = Bits(sum(15 << 4 * cell for cell in range(width, self.cells)))
        self.worth = self.highest / 64

    def initial(self) -> State:
        return self.State(Bits(0), 0, 2)

    def to_move(self, state: State) -> int:
        return CHANCE if state.adding > 0 else 0

    def actions(self, state: State) -> Iterator[int]:
        for direction in range(4):
            if self.can_slide(state.tiles, direction):
                yield direction

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        """The cell, and whether it is a 4 that it gets, as 2 · cell + 1 or 0."""
        empty = self.cells - self.taken(state.tiles).count()
        for cell in range(self.cells):
            if state.tiles >> 4 * cell & 15 == 0:
                yield 2 * cell, 0.9 / empty
                yield 2 * cell + 1, 0.1 / empty

    def result(self, state: State, action: int) -> State:
        if state.adding > 0:
            tile = Bits(1 + action % 2) << 4 * (action // 2)
            return self.State(state.tiles | tile, state.score, state.adding - 1)
        tiles, gain = self.slid(state.tiles, action)
        return self.State(tiles, state.score + gain, 0 if self.holds(tiles, self.target) else 1)

    def is_terminal(self, state: State) -> bool:
        if self.holds(state.tiles, self.target):
            return True
        return state.adding == 0 and not self.is_movable(state.tiles)

    def utility(self, state: State, player: int) -> float:
        return state.score

    def taken(self, tiles: Bits) -> Bits:
        """The lowest bit of each cell with a tile."""
        pairs = tiles | tiles >> 1
        return (pairs | pairs >> 2) & self.ones

    def holds(self, tiles: Bits, exponent: int) -> bool:
        """Whether some cell has the tile 2 ** exponent."""
        return self.taken(tiles ^ self.ones * exponent) != self.ones

    def can_slide(self, tiles: Bits, direction: int) -> bool:
        """Whether some tile has a free cell or its like on the side that tiles slide to."""
        if direction in (LEFT, RIGHT):
            tile, next_to = tiles & self.inner, tiles << 4 & self.inner
        else:
            tile, next_to = tiles & self.lower, tiles << 4 * self.width & self.lower
        if direction in (RIGHT, DOWN):
            tile, next_to = next_to, tile
        return self.taken(tile) & ~(self.taken(next_to) & self.taken(tile ^ next_to)) != 0

    def is_movable(self, tiles: Bits) -> bool:
        """Whether there is an empty cell, or two neighbours are equal."""
        if self.taken(tiles) != self.ones:
            return True
        return self.can_slide(tiles, LEFT) or self.can_slide(tiles, UP)

    def slid(self, tiles: Bits, direction: int) -> tuple[Bits, int]:
        """The tiles after a slide, and what it scores."""
        along, across = (4, 4 * self.width) if direction in (LEFT, RIGHT) else (4 * self.width, 4)
        length, lines = (self.width, self.height) if along == 4 else (self.height, self.width)
        found, gain = Bits(0), 0
        for line in range(lines):
            start = line * across
            if direction in (RIGHT, DOWN):
                start += (length - 1) * along
                step = -along
            else:
                step = along
            place, last = start, 0
            for index in range(length):
                tile = int(tiles >> start + index * step & 15)
                if tile == 0:
                    continue
                if tile == last:
                    place -= step
                    found += Bits(1) << place
                    gain += 2 << tile
                    last = 0
                else:
                    found |= Bits(tile) << place
                    last = tile
                place += step
        return found, gain

    def evaluate(self, state: State, player: int) -> float:
        """The score, and the more the better the tiles lie: empty cells, equal neighbours, lines that rise or fall."""
        tiles = state.tiles
        empty = self.cells - self.taken(tiles).count()
        pairs = self.equal_pairs(tiles)
        health = ALIVE + EMPTY * empty + PAIRS * pairs - ROUGH * self.roughness(tiles)
        return float(min(state.score + self.worth * max(health, 0.01), self.highest + 0.5))

    def equal_pairs(self, tiles: Bits) -> int:
        """How many tiles have their like to the left or above."""
        across = self.taken(tiles & self.inner) & ~self.taken((tiles ^ tiles << 4) & self.inner)
        down = self.taken(tiles & self.lower) & ~self.taken((tiles ^ tiles << 4 * self.width) & self.lower)
        return across.count() + down.count()

    def roughness(self, tiles: Bits) -> float:
        """How far the rows and columns are from rising or falling all the way."""
        total = 0.0
        for row in range(self.height):
            total += self.bends(tiles, 4 * self.width * row, 4, self.width)
        for column in range(self.width):
            total += self.bends(tiles, 4 * column, 4 * self.width, self.height)
        return total

    def bends(self, tiles: Bits, start: int, step: int, length: int) -> float:
        """The lesser of what a line rises and what it falls."""
        rises, falls = 0.0, 0.0
        before = HEIGHTS[int(tiles >> start & 15)]
        for index in range(1, length):
            weight = HEIGHTS[int(tiles >> start + index * step & 15)]
            rises += max(weight - before, 0.0)
            falls += max(before - weight, 0.0)
            before = weight
        return min(rises, falls)

    def format_action(self, state: State, action: int) -> str:
        if state.adding == 0:
            return NAMES[action]
        cell = action // 2
        return f"{LETTERS[cell % self.width]}{self.height - cell // self.width}={2 + action % 2 * 2}"

    def numbers(self, state: State) -> list[int]:
        """The tiles row by row from the top, 0 for an empty cell."""
        exponents = [int(state.tiles >> 4 * cell & 15) for cell in range(self.cells)]
        return [2**exponent if exponent else 0 for exponent in exponents]

    def format_state(self, state: State) -> str:
        """The rows from the top, the score, and how many tiles chance has to add."""
        words = [str(number or ".") for number in self.numbers(state)]
        rows = [",".join(words[start : start + self.width]) for start in range(0, self.cells, self.width)]
        return f"{'/'.join(rows)} score={state.score} adding={state.adding}"

    def parse_state(self, text: str) -> State:
        found = re.fullmatch(r"([0-9.,/]+) score=([0-9]{1,9}) adding=([012])", text.strip())
        rows = [row.split(",") for row in found[1].split("/")] if found else []
        if found is None or [len(row) for row in rows] != [self.width] * self.height:
            row = ",".join(["."] * self.width)
            example = f"{'/'.join([row] * self.height)} score=0 adding=2"
            raise BadInput(f"{text!r} is no state of 2048, which is written like {example}")
        exponents = [_exponent(word, self.target) for row in rows for word in row]
        score, adding = int(found[2]), int(found[3])
        self.refuse(text, exponents, score, adding)
        return self.State(Bits(sum(tile << 4 * cell for cell, tile in enumerate(exponents))), score, adding)

    def refuse(self, text: str, exponents: list[int], score: int, adding: int) -> None:
        """`BadInput` where no play comes to such tiles, score and tiles to add."""
        least, most = (sum((tile - less) * 2**tile for tile in exponents if tile >= 2) for less in (2, 1))
        if not least <= score <= most or score % 4:
            raise BadInput(f"{text!r} can't be: tiles like these score from {least} to {most}, in fours")
        placed, ended = sum(tile > 0 for tile in exponents), max(exponents) == self.target
        fits = (placed >= 2 or ended, 1 <= placed < self.cells and not ended, placed == 0)
        if not fits[adding]:
            rule = "two tiles are added at first, one after each slide, none at the end"
            raise BadInput(f"{text!r} can't be: {rule}, and only where there is room")

    def board(self, state: State) -> Grid:
        cells = tuple(str(number or "") for number in self.numbers(state))
        rows = tuple(str(self.height - row) for row in range(self.height))
        return Grid(
            self.width, self.height, cells, (), rows, tuple(LETTERS[: self.width]), caption=f"score {state.score:,}"
        )


def _exponent(word: str, most: int) -> int:
    """The n of the tile 2 ** n, 0 for an empty cell."""
    if word in (".", "0"):
        return 0
    if word not in [str(2**n) for n in range(1, most + 1)]:
        raise BadInput(f"{word!r} is no tile: tiles are powers of 2 from 2 to {2**most}, and . is an empty cell")
    return int(word).bit_length() - 1
