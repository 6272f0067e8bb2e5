"""The kinds of a state's fields, which must stay what they are in the first state."""

from __future__ import annotations

from typing import Any

from zermelo.bits import Bits
from zermelo.check.witness import kind_of
from zermelo.fields import fields, why_not_plain

MOST = 2**63


def misfit(state: Any, initial: Any) -> str:
    """Empty if a state is of the kind of the first one, else how it differs, as part of a sentence."""
    if type(state) is not type(initial):
        return f"{kind_of(state)}, where initial gives {kind_of(initial)}"
    if why_not_plain(initial):
        return ""
    for (name, value), (_, example) in zip(fields(state), fields(initial), strict=True):
        found = _misfit(value, example)
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


def _misfit(value: Any, example: Any) -> str:
    """How a value differs in kind from another one; tuples of other lengths are compared as far as both go."""
    if type(value) is not type(example):
        return f"holds {value!r}, {kind_of(value)}, where initial has {kind_of(example)}"
    if isinstance(value, tuple):
        like = (*example, *example[-1:] * (len(value) - len(example)))
        return next((found for item, one in zip(value, like, strict=False) if (found := _misfit(item, one))), "")
    if isinstance(value, int) and not isinstance(value, Bits) and not -MOST <= value < MOST:
        return f"holds {value}, which does not fit into 64 bits"
    return ""
