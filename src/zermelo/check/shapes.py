"""The kinds of a state's fields, which must stay what the annotations, or else the first state, say."""

from __future__ import annotations

from typing import Any

from zermelo.bits import Bits
from zermelo.fields import fields, hints, item_hints, kind_of, why_not_plain

MOST = 2**63
WIDER = {(int, float), (bool, int)}
"""What a field may be given though it is declared as something wider."""


def misfit(state: Any, initial: Any) -> str:
    """Empty if a state is of the kind of the first one, else how it differs, as part of a sentence."""
    if type(state) is not type(initial):
        return f"{kind_of(state)}, where initial gives {kind_of(initial)}"
    if why_not_plain(initial):
        return ""
    kind: Any = type(initial)
    for (name, value), (_, example) in zip(fields(state), fields(initial), strict=True):
        found = _misfit(value, example, hints(kind).get(name))
        if found:
            return f"a state whose field {name} {found}"
    return ""


def stretched(state: Any, initial: Any) -> str:
    """The name of a field that holds a tuple of another length than in the first state; empty if there is none."""
    if type(state) is not type(initial) or why_not_plain(initial):
        return ""
    pairs = zip(fields(state), fields(initial), strict=True)
    return next((name for (name, value), (_, example) in pairs if lengths(value) != lengths(example)), "")


def lengths(value: Any) -> Any:
    """How long a tuple is and all tuples in it are; None for anything else."""
    return (len(value), *map(lengths, value)) if isinstance(value, tuple) else None


def _misfit(value: Any, example: Any, hint: Any) -> str:
    """How a value differs from its annotation, or from another value where there is none."""
    if isinstance(value, tuple) and isinstance(example, tuple):
        like = (*example, *example[-1:] * (len(value) - len(example)))
        trios = zip(value, like, item_hints(hint, len(value)), strict=False)
        return next((found for trio in trios if (found := _misfit(*trio))), "")
    declared = hint in (int, bool, float, Bits)
    wanted = hint if declared else type(example)
    if type(value) is not wanted and (type(value), wanted) not in WIDER:
        where = f"though it is declared {wanted.__name__}" if declared else f"where initial has {kind_of(example)}"
        return f"holds {value!r}, {kind_of(value)}, {where}"
    if isinstance(value, int) and not isinstance(value, Bits) and not -MOST <= value < MOST:
        return f"holds {value}, which does not fit into 64 bits"
    return ""
