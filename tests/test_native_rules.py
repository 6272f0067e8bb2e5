"""Plain Python in rules runs native: what authors write, compared with what Python does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import native
from zermelo.bits import Bits, bit
from zermelo.errors import NotNative
from zermelo.game import Game
from zermelo.registry import load
from zermelo.tuples import put

pytestmark = pytest.mark.native

STEP = 3
WIDE = tuple(n * n for n in range(20))
RAGGED = ((1, 2, 3), (4,), (5, 6))
MASKS = tuple(bit(n) | 1 for n in range(12))


def twice(number: int) -> int:
    return number * 2


def depth_of(number: int) -> int:
    return 0 if number <= 0 else 1 + depth_of(number - STEP)


class Base(Game):
    """Rules that are never played, only called."""

    class State(NamedTuple):
        count: int
        cells: tuple[int, ...]
        marks: Bits
        share: float
        done: bool

        def doubled(self) -> int:
            return self.count * 2

    def __init__(self, size: int = 5) -> None:
        self.size = size
        self.steps = (1, 2, 4)
        self.table = tuple(n * 7 % 11 for n in range(30))
        self.grid = tuple(tuple(range(n)) for n in range(6))

    def initial(self) -> Any:
        return self.State(size_of(self), tuple(range(self.size)), Bits(0b1011), 0.5, False)

    def to_move(self, state: Any) -> int:
        return 0

    def actions(self, state: Any) -> Any:
        yield from range(3)

    def result(self, state: Any, action: Any) -> Any:
        return state

    def is_terminal(self, state: Any) -> bool:
        return state.done

    def utility(self, state: Any, player: int) -> float:
        return 0

    def helper(self, number: int) -> int:
        return number + self.size

    def rule(self, state: Any, n: int) -> Any:
        raise NotImplementedError

    @staticmethod
    def cubed(number: int) -> int:
        return number**3

    @property
    def area(self) -> int:
        return self.size * self.size


def size_of(game: Base) -> int:
    return game.size


def call_rule(game: Any, state: Any, n: int) -> Any:
    return game.rule(state, n)


def agree(kind: type[Base], n: int = 2) -> Any:
    """The rule's answer, which must be the same in both worlds."""
    game = kind()
    state = game.initial()
    expected = game.rule(state, n)
    answer = native.call(call_rule, game, state, n)
    assert answer == (tuple(expected) if hasattr(expected, "_fields") else expected)
    return answer


def test_helpers_parameters_constants_properties_and_static_methods() -> None:
    class G(Base):
        def rule(self, state: Any, n: int) -> Any:
            return self.helper(n) + twice(STEP) + self.cubed(n) + self.area + size_of(self) + state.doubled()

    agree(G)


def test_super_and_overridden_helpers() -> None:
    class Middle(Base):
        def helper(self, number: int) -> int:
            return super().helper(number) * 10

        def rule(self, state: Any, n: int) -> Any:
            return self.helper(n)

    class G(Middle):
        def rule(self, state: Any, n: int) -> Any:
            return super().rule(state, n) + 1

    assert agree(G) == 71


def test_default_arguments_and_private_names() -> None:
    class G(Base):
        def __init__(self, size: int = 5) -> None:
            super().__init__(size)
            self.__hidden = 40

        def __secret(self, number: int, step: int = STEP, times: int = 2) -> int:
            return number + step * times + self.__hidden

        def rule(self, state: Any, n: int) -> Any:
            return self.__secret(n), self.__secret(n, 1), self.__secret(n, times=n), self.__secret(n, step=7)

    agree(G)


def test_a_game_can_be_copied_and_pickled_after_it_was_compiled() -> None:
    import copy
    import pickle

    from zermelo.engine.decide import best
    from zermelo.games.nim import Nim

    game = Nim(stones=6)
    best(game, world="native")
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin.parameters == game.parameters
        assert best(twin, world="native").action == 2


def ways(game: Any, state: Any, n: int) -> Any:
    """Every way to leave a loop, over generators that can and can't be inlined."""
    total = 0
    for item in game.simple(state):
        if item == n:
            continue
        total = (total * 3 + item) % 1000003
    for item in game.simple(state):
        if item > n:
            break
        total = (total * 3 + item) % 1000003
    for item in game.nested(state):
        if item == n:
            continue
        for other in game.simple(state):
            if other == item:
                break
            total += other * item
    for item in game.nested(state):
        if item > n + 1:
            break
        total = (total * 5 + item) % 1000003
    for item in game.after(state):
        if item == n:
            continue
        total = (total * 7 + item) % 1000003
    for item in game.early(state):
        total = (total * 3 + item) % 1000003
    for item, twice_item in game.pairs(state):
        total += item * twice_item
        if item == n + 2:
            return -total
    else:
        total += 1
    return total


@pytest.mark.parametrize("n", range(8))
def test_loops_over_generators_mean_the_same_inlined_or_not(n: int) -> None:
    class G(Base):
        def simple(self, state: Any) -> Any:
            for item in range(self.size):
                if item != 3:
                    yield item

        def nested(self, state: Any) -> Any:
            for item in range(3):
                for other in state.cells:
                    if other > item:
                        yield other
                    else:
                        yield item + other

        def after(self, state: Any) -> Any:
            item = 0
            while item < 5:
                yield item
                item += 1

        def early(self, state: Any) -> Any:
            for item in state.cells:
                if item == 3:
                    return
                yield item

        def pairs(self, state: Any) -> Any:
            for item in self.simple(state):
                yield item, twice(item)

        def rule(self, state: Any, n: int) -> Any:
            return ways(self, state, n)

    agree(G, n)
    game = G()
    assert native.call(ways, game, game.initial(), n) == ways(game, game.initial(), n)


def test_recursive_helpers() -> None:
    class G(Base):
        def climb(self, number: int) -> int:
            if number <= 0:
                return 0
            return 1 + self.climb(number - self.size)

        def rule(self, state: Any, n: int) -> Any:
            return self.climb(100 + n) + depth_of(n * 10)

    agree(G)


def test_a_chain_of_sixty_methods_compiles() -> None:
    source = "class G(Base):\n" + "".join(
        f"    def m{n}(self, x):\n        return self.m{n + 1}(x) + 1\n" for n in range(60)
    )
    source += "    def m60(self, x):\n        return x\n    def rule(self, state, n):\n        return self.m0(n)\n"
    import linecache

    linecache.cache["<chain>"] = (len(source), None, source.splitlines(keepends=True), "<chain>")
    space: dict[str, Any] = {"Base": Base, "__name__": __name__}
    exec(compile(source, "<chain>", "exec"), space)
    assert agree(space["G"]) == 62


@pytest.mark.parametrize("n", range(5))
def test_reductions_of_generator_expressions(n: int) -> None:
    class G(Base):
        def rule(self, state: Any, n: int) -> Any:
            has = any(cell == n for cell in state.cells)
            every = all(cell < n + self.size for cell in state.cells if cell != 2)
            total = sum(cell * step for cell in state.cells for step in self.steps if step > n)
            most = max((self.helper(cell) for cell in state.cells), default=0)
            least = min((cell - n for cell in state.cells), default=99)
            squares = sum(square for square in state.marks)
            return has, every, total, most, least, squares, sum((cell for cell in state.cells), 100)

    agree(G, n)


@given(st.integers(0, 4), st.integers(-5, 5))
def test_put(index: int, item: int) -> None:
    assert native.call(_put_rule, _PUT, _PUT.initial(), index, item) == put(_PUT.initial().cells, index, item)


def _put_rule(_game: Any, state: Any, index: int, item: int) -> Any:
    return put(state.cells, index, item)


class _Put(Base):
    pass


_PUT = _Put()


def test_put_outside_is_an_error_in_both_worlds() -> None:
    for index in (5, -1):
        with pytest.raises(IndexError):
            put(_PUT.initial().cells, index, 0)
        with pytest.raises(IndexError):
            native.call(_put_rule, _PUT, _PUT.initial(), index, 0)


def test_states_are_made_replaced_unpacked_and_compared() -> None:
    class G(Base):
        def rule(self, state: Any, n: int) -> Any:
            count, cells, marks, share, done = state
            made = self.State(count=n, cells=put(cells, 0, 9), marks=marks | 64, share=1 + int(share), done=n > 1)
            again = made._replace(count=count + n, done=not done)
            if again == made or again[0] == n:
                return made
            return again._replace(share=again.share / 2)

    agree(G)


@pytest.mark.parametrize("n", [0, 3, -1, 11])
def test_tables_of_constants(n: int) -> None:
    class G(Base):
        def rule(self, state: Any, n: int) -> Any:
            total = 0
            for row in RAGGED:
                for item in row:
                    total = total * 3 + item
            for number in WIDE:
                total += number
            masks = Bits(0)
            for mask in MASKS:
                masks ^= mask
            return total, WIDE[n], self.table[n], len(WIDE), 49 in WIDE, 50 in WIDE, self.grid[3][1], MASKS[n], masks

    agree(G, n)


def test_table_index_out_of_range_is_an_error_in_both_worlds() -> None:
    class G(Base):
        def rule(self, state: Any, n: int) -> Any:
            return WIDE[n]

    game = G()
    with pytest.raises(IndexError):
        game.rule(game.initial(), 20)
    with pytest.raises(IndexError):
        native.call(call_rule, game, game.initial(), 20)


def test_key_features_and_utilities() -> None:
    class G(Base):
        weights = (2.0, -1.0)

        def features(self, state: Any) -> Any:
            return state.count, state.marks.count()

        def rule(self, state: Any, n: int) -> Any:
            return self.key(state), self.evaluate(state, 0), self.evaluate(state, 1), self.utilities(state)

    agree(G)


@pytest.mark.parametrize("weights", [tuple(range(10)), tuple(place / 3 for place in range(10)), (1, *[0.1] * 9)])
def test_many_weights(weights: tuple[float, ...]) -> None:
    class G(Base):
        def features(self, state: Any) -> Any:
            one, two, three = state.cells[:3]
            return one, two, three, state.count, 0.1, one - two, one * 0.7, three > 1, 5, state.marks.count()

        def rule(self, state: Any, n: int) -> Any:
            return self.evaluate(state, 0), self.evaluate(state, 1)

    agree(type("G", (G,), {"weights": weights}))


def test_too_many_weights_are_an_error_in_both_worlds() -> None:
    class G(Base):
        weights = tuple(range(10))

        def features(self, state: Any) -> Any:
            return state.count, 0.5

        def rule(self, state: Any, n: int) -> Any:
            return self.evaluate(state, 0)

    game = G()
    with pytest.raises(ValueError, match="zip"):
        game.rule(game.initial(), 0)
    with pytest.raises(ValueError, match="as many features as weights"):
        native.call(call_rule, game, game.initial(), 0)


CAN_T = {
    "zip(strict=…) that is decided in play": "return sum(a for a, b in zip(state.cells, state.cells, strict=n > 0))",
    "needs tuples, lists or ranges": "return sum(a for a, b in zip((1,), self.actions(state), strict=True))",
    "a dict": "return {1: 2}[n]",
    "a set": "return len({1, 2})",
    "a slice needs constant bounds": "return state.cells[:n]",
    "so they can't grow": "x = ()\n            for c in state.cells:\n                x += (c,)\n            return x",
    "so one can't be made like this": "return tuple(range(n))",
    "math.prod can't be used": "return math.prod(state.cells)",
    "float can't be used on (int or None)": "return float(maybe(n))",
    "what an empty list is to hold": "found = []\n            return found",
    "itertools.product is of a kind": "return sum(a * b for a, b in itertools.product(state.cells, (1, 2)))",
    "a value is": "return n or state.cells",
    "a generator that asks itself": "for each in self.endless(n):\n                n += each\n            return n",
    "is unpacked into 2 names": "a, b = state.cells\n            return a",
    "other arguments than it has parameters": "return maybe(n, n)",
    "there is no .colours on a tuple of": "return state.cells.colours",
    "+ can't be used on": "return sum(one for one in (state.cells, state.cells))",
    "match with such a pattern": "match n:\n                case [a]:\n                    n = 1\n            return n",
    "a string": "return f'{n}' == 'x'",
    "a lambda": "f = lambda x: x\n            return f(n)",
    "try": "try:\n                return 1\n            except ValueError:\n                return 2",
    "a generator expression": "return tuple(x for x in range(3))",
    "an import": "import math\n            return math.sqrt(n)",
    "declared bool but is given an int": "return state._replace(done=n)",
    "declared Bits but is given an int": "return self.State(1, state.cells, 5, 0.5, True)",
    "there is no .colour on": "return state.colour",
    "has no nothing": "return nothing_of(self)",
    "one kind": "x = 0\n            if n > 1:\n                x = state.cells\n            return x",
}


@pytest.mark.parametrize("words", CAN_T)
def test_what_can_t_be_native_is_told_with_file_and_line(words: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(f"""\
import itertools, math
from test_native_rules import Base
def nothing_of(game):
    return game.nothing
def maybe(n):
    return n if n > 1 else None
class Odd(Base):
        def endless(self, n):
            yield n
            yield from self.endless(n - 1)
        def rule(self, state, n):
            {CAN_T[words]}
""")
    game = load(str(path))
    with pytest.raises(NotNative) as caught:
        native.call(call_rule, game, game.initial(), 2)
    message = str(caught.value)
    assert "\n" not in message
    assert words in message
    assert "odd.py line " in message
    assert any(name in message for name in ("rule", "nothing_of", "endless"))


def test_other_states_stay_interpreted_with_a_sentence() -> None:
    class Lists(Base):
        def initial(self) -> Any:
            return [1, 2, 3]

    sentence = native.why_interpreted(Lists())
    assert sentence.startswith("Lists runs interpreted because its state is a list")
    with pytest.raises(NotNative, match="make it a NamedTuple"):
        native.call(call_rule, Lists(), [1], 2)
