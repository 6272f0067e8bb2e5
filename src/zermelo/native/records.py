"""A dataclass of numbers as one structure that kernels are given a pointer to."""

from __future__ import annotations

import ctypes
from dataclasses import fields
from typing import Any


def record_of(work: Any, **addresses: int) -> Any:
    """What stands for a dataclass in native code: a structure of the same fields, some of them addresses.

    A field is a number or a list of numbers. The structure's `record` is the NumPy record in the same memory that
    kernels are given; Python is slow to set fields of that.
    """
    import numpy

    values = {each.name: addresses.get(each.name, getattr(work, each.name)) for each in fields(work)}
    kinds = [(name, _kind(value)) for name, value in values.items()]
    made: Any = type("Record", (ctypes.Structure,), {"_fields_": kinds})()
    for name, value in values.items():
        if not isinstance(value, list):
            setattr(made, name, value)
        elif any(value):
            setattr(made, name, tuple(value))
    made.record = numpy.frombuffer(made, numpy.dtype(type(made)))[0]
    return made


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
