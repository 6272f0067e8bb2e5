"""The same work by others beside Zermelo: libraries for games in general, and programs made for one game.

Nothing is installed here: a peer that is missing gives rows that say so.
"""

from __future__ import annotations

from zermelo import native
from zermelo.bench.contest import Sizes
from zermelo.bench.leaves import leaves
from zermelo.bench.libraries import libraries
from zermelo.bench.rows import Comparison, Progress
from zermelo.bench.simulations import simulations
from zermelo.bench.solvers import solvers
from zermelo.errors import Unsuitable


def peers(sizes: Sizes | None = None, progress: Progress = lambda _: None) -> list[Comparison]:
    """All comparisons, in about five minutes; `progress` is told what is being compared."""
    if not native.is_enabled():
        raise Unsuitable("native code can't be compared with others' while NUMBA_DISABLE_JIT is set: unset it")
    sizes = sizes or Sizes()
    parts = libraries, simulations, leaves, solvers
    return [row for part in parts for row in part(sizes, progress)]
