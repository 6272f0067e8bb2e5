"""What Python's own numbers and tuples can do and Numba's can't; imported for what it registers."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import overload, overload_method

from zermelo.bits import Bits


@infer_global(operator.getitem)
class _ItemByTruth(AbstractTemplate):
    """`pair[flag]`: a bool is the number 0 or 1."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], types.UniTuple) and isinstance(args[1], types.Boolean)
        return signature(args[0].dtype, args[0], types.intp) if fits else None


@overload(float)
def _float_of_truth(value: Any) -> Any:
    def number(value: Any) -> Any:
        return 1.0 if value else 0.0

    return number if isinstance(value, types.Boolean) else None


@overload_method(types.Integer, "bit_count")
def _bit_count(number: Any) -> Any:
    def count(number: Any) -> Any:
        return Bits(abs(number)).count()

    return count


@overload_method(types.Integer, "bit_length")
def _bit_length(number: Any) -> Any:
    def length(number: Any) -> Any:
        return Bits(abs(number)).bit_length()

    return length
