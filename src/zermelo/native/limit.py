"""The limit of a tally in native code, read anew each time.

In a loop without calls the compiler would read it once, and what another thread writes would not be seen.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import intrinsic


@intrinsic
def _read_limit(typingctx: Any, tally: Any) -> Any:
    """An atomic read, which the compiler leaves where it is; as cheap as a plain one."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = cgutils.get_record_member(builder, args[0], tally.offset("limit"), ir.IntType(64))
        return builder.load_atomic(place, "monotonic", 8)

    return signature(types.int64, tally), generate


def limit_of_record(tally: Any) -> Any:
    """`zermelo.native.limit_now` in native code."""
    return _read_limit(tally)
