"""Rules as native code. The only package that imports Numba, and only once something is to be compiled."""

from zermelo.native.worlds import call, is_enabled, limit_now, natively, prepare, prepare_run, run, why_interpreted

__all__ = ["call", "is_enabled", "limit_now", "natively", "prepare", "prepare_run", "run", "why_interpreted"]
