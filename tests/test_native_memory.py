"""Raw memory in native code does what it does on dicts."""

from __future__ import annotations

import gc
import weakref
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo import native
from zermelo.bits import signed
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.games.nim import Nim
from zermelo.native.memory import SPARE, largest, peek_short, poke_short
from zermelo.search.tally import Tally

pytestmark = pytest.mark.native
NIM = Nim()
RANKS = st.one_of(st.integers(0, 9), st.integers(0, 2**63 - 1))


def best_of(_game: Any, table: Any, start: int, stop: int, _tally: Any) -> int:
    return signed(largest(table, start, stop))


def exchange(_game: Any, table: Any, index: int, number: int, _tally: Any) -> int:
    before = peek_short(table, index)
    poke_short(table, index, number)
    return before


@given(words=st.lists(RANKS, max_size=60), start=st.integers(0, 60), after=st.lists(RANKS, min_size=SPARE))
@examples(200)
def test_the_largest_of_some_words(words: list[int], start: int, after: list[int]) -> None:
    start, stop = min(start, len(words)), len(words)
    table = np.array([*words, *after], np.int64)
    interpreted = native.run(best_of, NIM, dict(enumerate(words)), start, stop, tally=Tally(), native=False)
    found = native.run(best_of, NIM, table.ctypes.data, start, stop, tally=Tally(), native=True)
    assert found == interpreted == max(words[start:], default=0)


@given(steps=st.lists(st.tuples(st.integers(0, 6), st.integers(-(2**15), 2**15 - 1)), max_size=40))
@examples(100)
def test_short_numbers(steps: list[tuple[int, int]]) -> None:
    table, twin = np.zeros(7, np.int16), dict[int, int]()
    for index, number in steps:
        found = native.run(exchange, NIM, table.ctypes.data, index, number, tally=Tally(), native=True)
        assert found == native.run(exchange, NIM, twin, index, number, tally=Tally(), native=False)


def test_a_search_that_is_over_leaves_nothing_in_memory() -> None:
    machine = Machine(NIM, Options(table=1), natively=True)
    machine.begin((NIM.initial(),))
    machine.prepare(NIM.initial())
    machine.value(NIM.initial(), -inf, inf, 3)
    assert machine.nodes > 0
    memory = weakref.ref(machine.works[0])
    assert memory() is not None
    del machine
    gc.collect()
    assert memory() is None
