"""Bits means the same interpreted and native: every operation, compared on random words."""

from __future__ import annotations

import inspect
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.bits import WORD, Bits, bit, signed

words = st.integers(0, WORD).map(Bits) | st.sampled_from([Bits(0), Bits(1), Bits(1 << 63), Bits(WORD)])
numbers = st.integers(-(2**63), 2**63 - 1) | st.integers(-70, 70)
TWO_SIDED = [
    operator.and_, operator.or_, operator.xor, operator.add, operator.sub, operator.mul,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
]  # fmt: skip


def one_sided(a: Bits) -> tuple[object, ...]:
    members = 0
    for square in a:
        members = members * 2 + square
    empty = not a
    return ~a, -a, a.count(), a.bit_count(), a.lowest(), a.highest(), a.bit_length(), bool(a), empty, signed(a), members


def two_sided(a: Bits, b: Bits) -> tuple[object, ...]:
    return a & b, a | b, a ^ b, a + b, a - b, a * b, a == b, a != b, a < b, a <= b, a > b, a >= b


def with_number(a: Bits, n: int) -> tuple[object, ...]:
    c = a
    c &= n
    c |= 5
    c ^= n
    c += 1
    c -= n
    c <<= 1
    c >>= 2
    return a & n, n | a, a ^ n, n + a, a - n, n - a, n * a, a == n, a != n, a < n, n in a, bit(n), Bits(n), c


def shifts(a: Bits, places: int) -> tuple[Bits, Bits]:
    return a << places, a >> places


@pytest.fixture(scope="module")
def native_function():  # type: ignore[no-untyped-def]
    from zermelo.native import rules  # noqa: F401  (makes Bits known to Numba)
    from zermelo.native.functions import Library

    library = Library()
    return lambda function: library.entry(function, len(inspect.signature(function).parameters))


def wrapped(values: tuple[object, ...]) -> list[object]:
    """Counts made in plain Python may pass 64 bits; native ones wrap."""
    return [signed(Bits(value)) if type(value) is int else value for value in values]


@pytest.mark.native
@given(words)
def test_one_sided(native_function, a: Bits) -> None:  # type: ignore[no-untyped-def]
    assert list(native_function(one_sided)(a)) == wrapped(one_sided(a))


@pytest.mark.native
@given(words, words)
def test_two_sided(native_function, a: Bits, b: Bits) -> None:  # type: ignore[no-untyped-def]
    assert native_function(two_sided)(a, b) == two_sided(a, b)


@pytest.mark.native
@given(words, numbers)
def test_with_number(native_function, a: Bits, n: int) -> None:  # type: ignore[no-untyped-def]
    assert native_function(with_number)(a, n) == with_number(a, n)


@pytest.mark.native
@given(words, st.integers(-130, 130))
def test_shifts(native_function, a: Bits, places: int) -> None:  # type: ignore[no-untyped-def]
    assert native_function(shifts)(a, places) == shifts(a, places)


amounts = st.integers(0, 70).map(Bits) | st.integers(-70, -1).map(Bits) | words


@pytest.mark.native
@given(words, amounts)
def test_shifts_by_bits(native_function, a: Bits, places: Bits) -> None:  # type: ignore[no-untyped-def]
    assert native_function(shifts)(a, places) == shifts(a, places)


@given(words, amounts | numbers | st.integers() | st.booleans())
def test_a_shift_moves_members_and_a_negative_one_goes_the_other_way(a: Bits, places: int) -> None:
    by = signed(places) if isinstance(places, Bits) else int(places)
    assert list(a << places) == [member + by for member in a if 0 <= member + by < 64]
    assert list(a >> places) == [member - by for member in a if 0 <= member - by < 64]


@given(words, words)
def test_bits_is_arithmetic_modulo_two_to_the_64(a: Bits, b: Bits) -> None:
    for operation in TWO_SIDED[:6]:
        result = operation(a, b)
        assert isinstance(result, Bits)
        assert int(result) == operation(int(a), int(b)) % 2**64


@given(st.sets(st.integers(0, 63)))
def test_bits_is_a_set(members: set[int]) -> None:
    word = Bits(sum(1 << square for square in members))
    assert list(word) == sorted(members)
    assert word.count() == len(members)
    assert word.lowest() == min(members, default=64)
    assert word.highest() == max(members, default=-1)
    assert {square for square in range(-3, 70) if square in word} == members


@pytest.mark.parametrize("wrong", [1.5, "a", None])
def test_other_kinds_are_refused(wrong: object) -> None:
    for operation in (operator.and_, operator.add, operator.lshift):
        with pytest.raises(TypeError):
            operation(Bits(5), wrong)


def test_division_is_refused_with_the_cure() -> None:
    for operation in (operator.truediv, operator.floordiv, operator.mod, operator.pow):
        with pytest.raises(TypeError, match="take int"):
            operation(Bits(5), 2)


@pytest.mark.native
def test_int_of_a_full_word_is_an_error_natively_not_another_number(native_function) -> None:  # type: ignore[no-untyped-def]
    def number(a: Bits) -> int:
        return int(a)

    assert native_function(number)(Bits(7)) == 7
    with pytest.raises(OverflowError):
        native_function(number)(Bits(1 << 63))
