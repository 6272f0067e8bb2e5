"""English checkers (draughts) on a bitboard, see `layout`; Black starts at the top and moves first.

An action is a whole turn: 64 × its path + the bit it starts from. The path of a step is its way, an index of `STEPS`;
that of a jump is a 1 above the ways of its single jumps, two bits each, the first lowest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import Bits, bit
from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.games.checkers.judgement import NAMES, WEIGHTS, can_jump_down, can_jump_up, judged
from zermelo.games.checkers.layout import CROWNING, SQUARES, STEPS
from zermelo.games.checkers.notation import Setup, cut, drawn, read_fen, squares_of, stops_in, write_fen, write_move

STEP = 256
"""Actions below are steps, others jumps."""
MAN, KING = WEIGHTS[0], WEIGHTS[1]


class Checkers(Game):
    """Jump all pieces of the other or leave them no move; whoever can jump must, as far as the piece can go on.

    A man that is crowned goes no further. Draws are those of the World Checkers Draughts Federation: a position for the
    third time, or `limit` moves of each player with no jump and no move of a man (0: no limit).
    """

    player_names = ("Black", "White")
    utility_bounds = (-1, 1)
    repeats = True
    repetition = 3
    state_count = 5e20
    margin = 0.025
    feature_names = NAMES
    weights = WEIGHTS
    known = "a draw (Schaeffer et al., 2007); 500,995,484,682,338,672,639 positions"

    class State(NamedTuple):
        """The squares of the one to move and of the other, which of them are kings, and how many moves were `quiet`:
        made by kings without a jump, since the last that was not."""

        own: Bits
        other: Bits
        kings: Bits
        turn: int
        quiet: int

    def __init__(self, limit: int = 40) -> None:
        if not 0 <= limit <= 1000:
            raise BadInput(f"checkers needs a limit of 0 to 1,000 moves, not {limit}")
        self.limit, self.most_quiet = limit, 2 * limit

    def initial(self) -> State:
        return self.State(Bits(0x1EFF), Bits(0x7FBC00000), Bits(0), 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def is_terminal(self, state: State) -> bool:
        return (self.limit > 0 and state.quiet >= self.most_quiet) or not self.can_move(state)

    def utility(self, state: State, player: int) -> float:
        if self.can_move(state):
            return 0
        return -1 if player == state.turn else 1

    def actions(self, state: State) -> Iterator[int]:
        jumpers = self.jumpers(state)
        if jumpers:
            for action in self.jumps(state, jumpers):
                yield action
        else:
            for way in range(4):
                for start in self.steppers(state, way):
                    yield 64 * way + start

    def noisy(self, state: State) -> Iterator[int]:
        for action in self.jumps(state, self.jumpers(state)):
            yield action

    def jumps(self, state: State, jumpers: Bits) -> Iterator[int]:
        """The whole jumps of these pieces: each path is followed until it can't go on, then taken back step by step."""
        for start in jumpers:
            free = SQUARES & ~(state.own | state.other) | bit(start)
            first, end = (0, 4) if start in state.kings else (0, 2) if state.turn == 0 else (2, 4)
            place, path, length, others, way, is_new = start, 0, 0, state.other, first, False
            while True:
                while way < end and not (place + STEPS[way] in others and place + 2 * STEPS[way] in free):
                    way += 1
                if way < end:
                    others ^= bit(place + STEPS[way])
                    place += 2 * STEPS[way]
                    path |= way << 2 * length
                    length, way, is_new = length + 1, first, True
                    continue
                if is_new:
                    yield 64 * (1 << 2 * length | path) + start
                if length == 0:
                    break
                length, is_new = length - 1, False
                way = path >> 2 * length
                path ^= way << 2 * length
                place -= 2 * STEPS[way]
                others ^= bit(place + STEPS[way])
                way += 1

    def result(self, state: State, action: int) -> State:
        start, path = action & 63, action >> 6
        land, taken, is_king = start, Bits(0), start in state.kings
        if path < 4:
            land += STEPS[path]
        while path > 3:
            taken |= bit(land + STEPS[path & 3])
            land += 2 * STEPS[path & 3]
            path >>= 2
        own, kings = state.own & ~bit(start) | bit(land), state.kings & ~bit(start) & ~taken
        kings |= bit(land) if is_king else bit(land) & CROWNING
        quiet = state.quiet + 1 if is_king and not taken and self.limit > 0 else 0
        return self.State(state.other & ~taken, own, kings, 1 - state.turn, quiet)

    def able(self, state: State, way: int) -> Bits:
        """The pieces of the one to move that may go this way: all forward, kings also back."""
        return state.own if (way < 2) == (state.turn == 0) else state.own & state.kings

    def steppers(self, state: State, way: int) -> Bits:
        """The pieces that can step this way."""
        return self.able(state, way) & (SQUARES & ~(state.own | state.other)) >> STEPS[way]

    def jumpers(self, state: State) -> Bits:
        """The pieces that can jump, which then must be done."""
        free = SQUARES & ~(state.own | state.other)
        down, up = can_jump_down(state.other, free), can_jump_up(state.other, free)
        return self.able(state, 0) & down | self.able(state, 2) & up

    def can_move(self, state: State) -> bool:
        free = SQUARES & ~(state.own | state.other)
        down, up = free >> 4 | free >> 5, free << 4 | free << 5
        return (self.able(state, 0) & down | self.able(state, 2) & up | self.jumpers(state)) != 0

    def count_actions(self, state: State) -> int:
        jumpers, count = self.jumpers(state), 0
        if jumpers:
            for _ in self.jumps(state, jumpers):
                count += 1
        else:
            for way in range(4):
                count += self.steppers(state, way).count()
        return count

    def features(self, state: State) -> tuple[float, ...]:
        if state.turn == 0:
            return judged(state.own, state.other, state.kings, 0)
        return judged(state.other, state.own, state.kings, 1)

    def evaluate(self, state: State, player: int) -> float:
        """About what can be won, and always less than a win."""
        return max(-0.99, min(super().evaluate(state, player), 0.99))

    def key(self, state: State) -> Bits:
        """The quiet moves count in the second half of `limit` alone: before it is far off."""
        quiet = state.quiet if state.quiet > self.limit else 0
        return Bits(super().key(self.State(state.own, state.other, state.kings, state.turn, quiet)))

    def recurrence(self, state: State) -> Bits:
        """The position, whatever the number of quiet moves."""
        return Bits(super().key(self.State(state.own, state.other, state.kings, state.turn, 0)))

    def reversible(self, state: State) -> int:
        """The quiet moves, where they are counted."""
        return state.quiet if self.limit > 0 else 1 << 30

    def threatened(self, state: State) -> bool:
        """Whether the one to move must jump, so that nothing is decided yet."""
        return self.jumpers(state) != 0

    def gain(self, state: State, action: int) -> float:
        """The pieces that a jump takes, less one man if the other can jump then."""
        if action < STEP:
            return 0
        after = self.result(state, action)
        taken = state.other ^ after.own
        lost = MAN if self.jumpers(after) else 0.0
        return MAN * (taken & ~state.kings).count() + KING * (taken & state.kings).count() - lost

    def moves_left(self, state: State) -> int:
        """About how many moves are still to be played: more the more pieces there are."""
        return 10 + 3 * (state.own | state.other).count()

    def format_action(self, state: State, action: int) -> str:
        return write_move(action, list(self.jumps(state, bit(action & 63))))

    def parse_action(self, state: State, text: str) -> int:
        """The action that a text writes, with all its squares or the first and last alone."""
        found = None if self.is_terminal(state) else self.menu(state).get(stops_in(text))
        return super().parse_action(state, text) if found is None else found

    def menu(self, state: State) -> dict[tuple[int, ...], int]:
        """The actions by their squares, and by the first and last alone where that is enough to tell what happens."""
        ways = {squares_of(action): action for action in self.actions(state)}
        ends: dict[tuple[int, ...], set[Checkers.State]] = {}
        for squares, action in ways.items():
            ends.setdefault((squares[0], squares[-1]), set()).add(self.result(state, action))
        short = {(squares[0], squares[-1]): action for squares, action in ways.items()}
        return {**{pair: action for pair, action in short.items() if len(ends[pair]) == 1}, **ways}

    def split_moves(self, text: str) -> list[str]:
        """The moves, without their numbers."""
        return super().split_moves(re.sub(r"\b\d+\.+", " ", text))

    def format_state(self, state: State) -> str:
        return write_fen(self.setup(state))

    def parse_state(self, text: str) -> State:
        setup = read_fen(text)
        if self.limit and setup.quiet > self.most_quiet:
            raise BadInput(f"{cut(text)} has {setup.quiet} quiet moves: after {self.most_quiet} the game is over")
        return self.standing(setup)

    def setup(self, state: State) -> Setup:
        """The position as text has it, by colours."""
        black, white = (state.own, state.other) if state.turn == 0 else (state.other, state.own)
        return Setup(black, white, state.kings, state.turn, state.quiet)

    def standing(self, setup: Setup) -> State:
        """The state of a position; with no limit quiet moves don't count."""
        own, other = (setup.black, setup.white) if setup.turn == 0 else (setup.white, setup.black)
        return self.State(own, other, setup.kings, setup.turn, setup.quiet if self.limit else 0)

    def board(self, state: State) -> Grid:
        return drawn(self.setup(state))
