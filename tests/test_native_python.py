"""The Python that authors write, natively: whatever compiles gives what it gives interpreted."""

from __future__ import annotations

import enum
import functools
import math
from typing import Any, NamedTuple

import pytest

from zermelo import Bits, Game, native
from zermelo.errors import NotNative

pytestmark = pytest.mark.native

RAGGED = ((1,), (), (1, 2))
ROUTES = (((1, 2),), (), ((3, 4), (5, 6)))
PAIRS = ((0, 1), (2, 3), (3, 3))
LONG = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
total = 10


LAMPS = (True, False, True, False, True, False, True, False, True, True)
SWITCHES = ((True, False), (True,), ())
unused = {1: 2}


class Kind(enum.IntEnum):
    LOW = 3
    HIGH = 5


class State(NamedTuple):
    n: int
    marks: Bits
    cells: tuple[int, int, int]
    part: float
    more: tuple[int, int] = (4, 5)
    SIZE = 7

    @property
    def size(self) -> int:
        return self.n + self.SIZE + self.more[1]

    def sizes(self, times: int = 2) -> int:
        return self.size * times


START = State(7, Bits(3), (4, 5, 6), 2.5)


def doubled(rule: Any) -> Any:
    @functools.wraps(rule)
    def wrapper(self: Any, state: Any) -> Any:
        return 2 * rule(self, state)

    return wrapper


@functools.cache
def squared(number: int) -> int:
    return number * number


class Python(Game):
    """A game only in name: its rules are things to compile."""

    def __init__(self) -> None:
        self.nothing = None
        self.steps = range(3, 20, 2)
        self.mode = "fast"
        self.on, self.off = True, False

    def initial(self) -> State:
        return State(3, Bits(0b1011), (1, 2, 3), 0.5)

    def to_move(self, state: Any) -> int:
        return 0

    def actions(self, state: Any) -> Any:
        yield 0

    def result(self, state: Any, action: Any) -> Any:
        return state

    def is_terminal(self, state: Any) -> bool:
        return True

    def utility(self, state: Any, player: int) -> float:
        return 0

    def empty_rows(self, state: Any) -> Any:
        return sum(RAGGED[state.n - 1]) + 10 * len(RAGGED[1]) + sum(100 * x + y for x, y in ROUTES[2])

    def pairs_in_tables(self, state: Any) -> Any:
        found = [(state.n, 3) in PAIRS, (1, 1) in PAIRS, (2, state.n) in PAIRS, (state.n, 9) not in PAIRS]
        return sum(2**place for place, one in enumerate(found) if one)

    def numbers_in_tables(self, state: Any) -> Any:
        return (state.n in LONG) + 2 * (state.part + 2 in LONG) + 4 * (state.n in {0, 3}) + 8 * (state.n not in {0, 3})

    def reductions_of_items(self, state: Any) -> Any:
        low, high = min((state.n, state.part)), max([state.n, 7])
        return (
            low
            + high
            + sum((state.n, state.part))
            + any([state.n == 1, state.n == 3])
            + all((state.n == 3, state.part))
        )

    def reductions_of_tuples(self, state: Any) -> Any:
        return sum(state.cells) + min(LONG) + max(LONG) * 10 + sum(LONG) * 100 + any(state.cells) + all(LONG)

    def reductions_in_reductions(self, state: Any) -> Any:
        rows = sum(sum(i * j for j in range(3)) for i in range(4))
        return rows + any(sum(i * j for j in range(9)) > sum(i + j for j in range(2)) for i in range(1, 5)) * 100

    def reductions_without_default(self, state: Any) -> Any:
        return max(x * 0.5 for x in state.cells if x > 1) + min(-x for x in state.cells)

    def reductions_of_our_names(self, state: Any) -> Any:
        first = sum(total for _ in range(3))
        item = 5
        return first + sum(i + item for i in range(3))

    def first_of_some(self, state: Any) -> Any:
        return next((x * 2 for x in state.cells if x > 1), -1) + next((x for x in state.cells if x > 9), -50)

    def counting(self, state: Any) -> Any:
        return state.cells.count(2) + LONG.count(4) * 10 + LONG.index(4) * 100 + state.cells.index(2) * 1000

    def truth_as_number(self, state: Any) -> Any:
        return (10, 20)[state.n == 3] + state.cells[state.n == 3] + float(state.n == 3) + ~(state.n == 3) + ~state.n

    def repeated(self, state: Any) -> Any:
        return ((state.n,) * 4)[2] + len((0, 1) * 3)

    def bits_of_numbers(self, state: Any) -> Any:
        return state.n.bit_count() * 10 + (-5 * state.n).bit_length()

    def enumerating(self, state: Any) -> Any:
        found = 0
        for place, cell in enumerate(state.cells, start=1):
            found = found * 10 + place * cell
        return found

    def backwards(self, state: Any) -> Any:
        found = 0
        for cell in reversed(state.cells):
            found = found * 10 + cell
        for step in reversed(range(1, state.n)):
            found = found * 10 + step
        for step in reversed(range(state.n)):
            found = found * 10 + step
        for number in reversed(LONG):
            found = found * 3 + number
        return found

    def matching(self, state: Any) -> Any:
        match state.n:
            case 1 | 2:
                return 5
            case Kind.LOW if state.part > 1:
                return 6
            case Kind.LOW:
                return 7
            case _:
                return 8

    def matching_nothing(self, state: Any) -> Any:
        match state.n == 3:
            case False:
                return 1
        return 2

    def in_order(self, state: Any) -> Any:
        return sorted(-x for x in state.cells)[0] + len(list(x for x in state.cells if x > 1))  # noqa: C400

    def powers(self, state: Any) -> Any:
        number = 2
        number **= state.n
        return 2.0 ** (state.n - 5) + 2**state.n + state.n**2 + 10**-2.0 + number

    def numbers_of_enums(self, state: Any) -> Any:
        return Kind.HIGH.value * 10 + Kind.LOW

    def remembered(self, state: Any) -> Any:
        return squared(state.n) + self.own_remembered(state.n)

    @functools.cache  # noqa: B019
    def own_remembered(self, number: int) -> int:
        return number + 1

    @doubled
    def decorated(self, state: Any) -> Any:
        return state.n

    def settings(self, state: Any) -> Any:
        return (1 if self.nothing is None else 2) + (10 if self.mode == "fast" else 20) + (self.mode != "slow") * 100

    def switches(self, state: Any) -> Any:
        found = 0
        if self.off or self.on:
            found += 1
        if self.on and self.off:
            found += 10
        if self.off or state.n > 2 or self.on:
            found += 100
        if not (self.on and state.n > 2 and self.off):
            found += 1000
        return found

    def ranges_kept(self, state: Any) -> Any:
        return sum(step for step in self.steps) + self.steps[1] * 100 + len(self.steps) * 10_000

    def infinities(self, state: Any) -> Any:
        return max(float("-inf"), state.part) + min(float("inf"), math.inf, 3.0)

    def generator_given(self, state: Any) -> Any:
        found = 0
        for item in self.cells_above(state):
            found = found * 10 + item
        for item in self.cells_and_more(state):
            found = found * 10 + item
        return found + sum(self.cells_and_more(state))

    def cells_above(self, state: Any) -> Any:
        return (x + 1 for x in state.cells if x != 2)

    def cells_and_more(self, state: Any) -> Any:
        x = 5
        yield x
        yield from (x + y for x in state.cells for y in range(x))
        yield x

    def loop_over_generator(self, state: Any) -> Any:
        found = 0
        for square in (x * x for x in state.cells if x > 1):
            if square == 9:
                continue
            found += square
        else:
            found += 100
        return found

    def any_in_any(self, state: Any) -> Any:
        found = any(any(row) for row in RAGGED) + 2 * any(all(cell > 0 for cell in row) for row in RAGGED)
        for cell in state.cells:
            found += cell
        return found

    def names_twice(self, state: Any) -> Any:
        x = 3
        return sum(x for x in range(x)) + len([unused for unused in state.cells]) + x  # noqa: C416

    def truths_in_tables(self, state: Any) -> Any:
        found = sum(LAMPS) + 10 * LAMPS[1] + 100 * (False in LAMPS)
        for row in SWITCHES:
            for one in row:
                found = found * 2 + one
        return found

    def rows(self, state: Any) -> Any:
        same = (RAGGED[2] == (1, 2)) + 2 * (RAGGED[2] != (1, 2)) + 4 * (RAGGED[0] == RAGGED[2]) + 8 * (not RAGGED[1])
        return same + 16 * PAIRS.index((2, 3)) + 100 * PAIRS.count((3, 3)) + (1000 if RAGGED[1] else 2000)

    def of_above(self, state: Any) -> Any:
        return sum(cell for cell in super().plausible(state)) + state.n

    def range_steps_back(self, state: Any) -> Any:
        found = 0
        for step in reversed(range(1, 9, 2)):
            found = found * 10 + step
        for step in reversed(range(9, state.n - 2, -3)):
            found = found * 10 + step
        return found

    def mixed_items(self, state: Any) -> Any:
        return (
            (state.n in {1, 2.5})
            + 2 * (state.n in (3, 2.5))
            + 4 * (state.n not in [3, 4])
            + 8 * (state.n + 0 in (3, 4))
        )

    def constant_states(self, state: Any) -> Any:
        return START.n + START.cells[1] * 10 + (START.marks | state.marks).count() * 100

    def extremes(self, state: Any) -> Any:
        most = max(RAGGED[1], default=7) + min(state.cells, default=3) + max(state.marks)
        return most + sum(LONG, 10) + sum(state.cells, 0.5) + pow(2.0, -state.n) + pow(2, state.n) + state.more[True]

    def shifts(self, state: Any) -> Any:
        number = -5
        number <<= state.n
        return number + (state.n >> (state.n + 61)) + (-5 >> (state.n + 61)) + (1 << state.n)

    def zipped(self, state: Any) -> Any:
        found = 0
        for cell, step in zip(state.cells, range(5), strict=False):
            found = found * 10 + cell * step
        for cell, place in zip(state.cells, range(state.n), strict=True):
            found = found * 10 + cell * place
        for one, two, three in zip(LONG, self.steps, [2 * each for each in LONG], strict=False):
            found += one * two * three
        return found + sum(one * two for one, two in zip(LONG, LONG, strict=True)) + sum(self.own_pairs(state))

    def own_pairs(self, state: Any) -> Any:
        for cell, worth in zip(state.cells, (3, 2, 1), strict=True):
            yield cell * worth

    def of_the_state(self, state: Any) -> Any:
        return state.size + state.SIZE * 100 + state.sizes() * 1000 + state.sizes(3) * 10_000


RULES = [name for name in vars(Python) if name not in vars(Game) and not name.startswith(("_", "cells", "own"))]


def call_rule(game: Any, state: Any) -> Any:
    return game.rule(state)


@pytest.mark.filterwarnings("ignore:Bitwise inversion '~' on bool:DeprecationWarning")
@pytest.mark.parametrize("name", RULES)
def test_native_python_means_the_same(name: str) -> None:
    game = type("One", (Python,), {"rule": vars(Python)[name]})()
    expected = call_rule(game, game.initial())
    assert native.call(call_rule, game, game.initial()) == expected


def test_what_has_no_whole_power_is_an_error_and_not_another_number() -> None:
    class Halving(Python):
        def rule(self, state: Any) -> Any:
            return 2 ** (state.n - 5)

    game = Halving()
    assert game.rule(game.initial()) == 0.25
    with pytest.raises(ValueError, match="write the number with a point"):
        native.call(call_rule, game, game.initial())


def test_a_negative_shift_is_an_error_in_both_worlds() -> None:
    class Shifting(Python):
        def rule(self, state: Any) -> Any:
            return 1 << (state.n - 4)

    game = Shifting()
    for world in (lambda *given: call_rule(*given), lambda *given: native.call(call_rule, *given)):
        with pytest.raises(ValueError, match="negative shift count"):
            world(game, game.initial())


def test_unequal_lengths_are_an_error_in_both_worlds() -> None:
    class Zipping(Python):
        def rule(self, state: Any) -> Any:
            return sum(one * two for one, two in zip(state.cells, range(state.n + 1), strict=True))

    game = Zipping()
    for world in (lambda *given: call_rule(*given), lambda *given: native.call(call_rule, *given)):
        with pytest.raises(ValueError, match=r"^zip\(\) argument"):
            world(game, game.initial())


def test_the_extreme_of_nothing_is_an_error_in_both_worlds() -> None:
    class Empty(Python):
        def rule(self, state: Any) -> Any:
            return max(x for x in state.cells if x > 10)

    game = Empty()
    for world in (lambda *given: call_rule(*given), lambda *given: native.call(call_rule, *given)):
        with pytest.raises(ValueError, match=r"^$|empty"):
            world(game, game.initial())


def test_a_constant_of_the_wrong_kind_is_named_with_its_cure() -> None:
    class Named(Python):
        worth = {1: 2}  # noqa: RUF012

        def rule(self, state: Any) -> Any:
            return self.worth[1]

    with pytest.raises(NotNative, match=r"with self.worth, a dict: use a tuple indexed by number"):
        native.call(call_rule, Named(), Named().initial())
