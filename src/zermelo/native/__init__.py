"""Rules as native code. The only package that imports Numba, and only once something is to be compiled."""

from zermelo.native.worlds import (
    TICK,
    call,
    halting,
    is_enabled,
    limit_now,
    natively,
    prepare,
    prepare_run,
    ready,
    run,
    tally_record,
    told,
    why_interpreted,
)

__all__ = [
    "TICK",
    "call",
    "halting",
    "is_enabled",
    "limit_now",
    "natively",
    "prepare",
    "prepare_run",
    "ready",
    "run",
    "tally_record",
    "told",
    "why_interpreted",
]
