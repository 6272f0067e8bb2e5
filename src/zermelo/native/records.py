"""A dataclass of numbers as one structure that kernels are given a pointer to."""

from __future__ import annotations

import ctypes
from dataclasses import fields
from functools import cache
from typing import Any


class Record(ctypes.Structure):
    """A structure in native memory, whose fields Python sets faster than those of a NumPy record."""

    @property
    def record(self) -> Any:
        """The NumPy record in the same memory, which kernels are given. Were it kept here, neither would ever be freed:
        NumPy's records are not seen by Python's search for things that hold each other."""
        import numpy

        memory: Any = self
        return numpy.frombuffer(memory, _layout(type(self)))[0]


def record_of(work: Any, **addresses: int) -> Any:
    """What stands for a dataclass in native code: a structure of the same fields, some of them addresses.

    A field is a number or a list of numbers.
    """
    values = {each.name: addresses.get(each.name, getattr(work, each.name)) for each in fields(work)}
    made: Any = _structure(tuple((name, _kind(value)) for name, value in values.items()))()
    for name, value in values.items():
        if not isinstance(value, list):
            setattr(made, name, value)
        elif any(value):
            setattr(made, name, tuple(value))
    return made


@cache
def _structure(kinds: tuple[tuple[str, Any], ...]) -> type[Record]:
    """The one structure of some fields: kinds of records are never freed, so there are to be few."""
    return type("WorkRecord", (Record,), {"_fields_": list(kinds)})


@cache
def _layout(kind: type[Record]) -> Any:
    """What NumPy knows of a structure."""
    import numpy

    return numpy.dtype(kind)


def _kind(value: Any) -> Any:
    if isinstance(value, list):
        return _kind(value[0]) * len(value)
    return ctypes.c_double if isinstance(value, float) else ctypes.c_int64


def forget(memory: Any) -> None:
    """Make all the numbers of a list, or of its stand-in, or of a table, 0."""
    if isinstance(memory, dict):
        memory.clear()
    elif isinstance(memory, list):
        memory[:] = [0] * len(memory)
    elif isinstance(memory, ctypes.Array):
        ctypes.memset(memory, 0, ctypes.sizeof(memory))
    else:
        memory.fill(0)
