"""Parts and wholes: functions that call each other, or themselves, give natively what they give in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.bits import Bits

pytestmark = pytest.mark.native


def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def is_even(n: int, by: int) -> bool:
    if n <= 0:
        return n == 0
    return is_odd(n - by, by)


def is_odd(n: int, by: int) -> bool:
    if n <= 0:
        return False
    return is_even(n - by, by)


def downwards(n: int) -> Iterator[int]:
    while n > 0:
        yield n
        n = halved(n)


def halved(n: int) -> int:
    return n // 2


def sum_of_halves(n: int, word: Bits) -> tuple[int, Bits]:
    total = 0
    for value in downwards(n):
        total += value
        word ^= word << 1
    return total + halved(total), word


def careful(n: int, by: int) -> float:
    return n / by + halved(n)


def both_ways(n: int, by: int) -> float:
    return careful(n, by) + careful(n + by, by) + ackermann(1, n)


def never_first(n: int, by: int) -> int:
    """Calls one function first where the compiler sees that it never does, and later another that calls it too."""
    total = 0
    if n < n:
        total = sum_to(n)
    return total + by * by_way_of(n)


def by_way_of(n: int) -> int:
    return sum_to(n) + 1


def sum_to(n: int) -> int:
    total = 0
    while n > 0:
        total += n * n % 7
        n -= 3
    return total


def native(function: Any) -> Callable[..., Any]:
    from zermelo.native import rules  # noqa: F401  (makes Bits known to Numba)
    from zermelo.native.functions import kernels

    return kernels.entry(function, function.__code__.co_argcount)


@pytest.mark.parametrize("function", [ackermann, is_even, is_odd])
@given(st.integers(0, 2), st.integers(0, 9))
def test_functions_that_call_themselves(function: Any, m: int, n: int) -> None:
    first, second = (m, n) if function is ackermann else (n, m + 1)
    assert native(function)(first, second) == function(first, second)


@given(st.integers(0, 10**6), st.integers(0, 2**64 - 1).map(Bits))
def test_generators_and_what_they_call(n: int, word: Bits) -> None:
    assert native(sum_of_halves)(n, word) == sum_of_halves(n, word)


@given(st.integers(0, 100), st.integers(1, 9))
def test_one_part_in_two_wholes(n: int, by: int) -> None:
    assert native(both_ways)(n, by) == both_ways(n, by)
    assert native(careful)(n, by) == careful(n, by)


@given(st.integers(0, 100), st.integers(1, 9))
def test_a_call_that_the_compiler_leaves_out(n: int, by: int) -> None:
    assert native(never_first)(n, by) == never_first(n, by)


def test_an_error_below_comes_up() -> None:
    with pytest.raises(ZeroDivisionError):
        native(both_ways)(1, 0)


def test_a_part_has_no_way_in_for_python() -> None:
    from zermelo.native.functions import kernels

    with pytest.raises((TypeError, SystemError)):
        kernels.function(halved)(8)
