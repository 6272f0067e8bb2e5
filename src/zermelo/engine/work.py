"""What one thread of a search works with: its counts, its limit, its switches, its memory of what cut.

Interpreted, a `Work` is this object, with lists and dicts; in native code it is one NumPy record of the same
fields, passed as a pointer, with addresses for `table` and `stack`. Another thread may lower `limit` to stop it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from zermelo.search.tally import MOST_LINES, NO_LIMIT

LINE = 96
"""How many plies of the expected line are kept."""
PLIES = 256
"""Down to which ply killers are kept, one list for all below."""
PATH = 4096
"""How many states of a line are kept to see whether one comes back, with those that were played."""
GUESS = 1 << 32
"""One guess among the doubts; below it those that more depth would remove."""
NOWHERE = 1 << 30
"""The ply that a value depends on if it depends on none."""
HISTORY = 4096
"""How many actions of each player the history tells apart."""
MOTIFS = 512
"""How many kinds of actions are told apart."""
BUSY = (1 << 14) - 1
"""The mask of the table in which threads say what they are searching."""
BOUND_DEPTHS = 64
"""For how many depths it is counted whether the game's bounds pay."""

WON = float(1 << 21)
"""A win in n plies is worth WON - n where distances count; the least such value is `SURE`."""
SURE = float(1 << 20)
LARGEST = float(1 << 19)
"""No utility may be beyond this where distances count."""


def _ints(count: int) -> Any:
    return field(default_factory=lambda: [0] * count)


@dataclass
class Work:
    """See the options of the engine for what the switches mean.

    `doubts` counts what was decided because the depth was spent, and by `GUESS` what was decided by guess at any depth:
    actions left out, a cut because passing is good enough. A search in which it stays the same has proved its value;
    one in which it only has more guesses would find nothing else if it were deeper. `reach` is the lowest ply whose
    state the value found last depends on because it came back; a value that depends on plies above its own is no
    property of its state. States of the game before the root are the same for a whole search, and do not count.
    """

    limit: int = NO_LIMIT
    nodes: int = 0
    doubts: int = 0
    reach: int = NOWHERE
    top: int = 0
    room: int = 1 << 62
    is_full: int = 0
    answered: int = 0
    root_depth: int = 0
    root_hint: int = -1
    known: int = 0
    trail: int = 0
    returns: int = 1
    excluded_count: int = 0
    # What a search for threats counts; see `zermelo.search.threats`.
    quota: int = 0
    cut: int = 0
    asked: int = 0
    won: int = 0
    threats: int = 0
    # Switches; see `zermelo.engine.options`.
    distance: int = 0
    table_depth: int = 0
    mask: int = 0
    largest_mask: int = 0
    filled: int = 0
    losses: int = 1
    salt: int = 0
    age: int = 0
    deeper: int = 1
    symmetry_plies: int = 0
    peek_depth: int = 1 << 30
    null_window: int = 1
    order_depth: int = 0
    promise_depth: int = 1 << 30
    table_first: int = 1
    plausible_first: int = 1
    killers_first: int = 0
    history_first: int = 0
    counter_first: int = 0
    quiescence: int = 0
    null_move: int = 0
    reductions: int = 0
    extension: int = 0
    null_ply: int = -1
    patience: int = 0
    forward: int = 0
    beam: int = 1 << 30
    sharing: int = 0
    root_value: float = 0.0
    bias: float = 0.0
    futility: float = -1.0
    lowest: float = -inf
    highest: float = inf
    floor: float = -inf
    ceiling: float = inf
    # Memory.
    killers: list[int] = _ints(2 * PLIES)
    history: list[int] = _ints(2 * HISTORY)
    counters: list[int] = _ints(2 * HISTORY)
    path: list[int] = _ints(PATH)
    bound_tries: list[int] = _ints(BOUND_DEPTHS)
    bound_cuts: list[int] = _ints(BOUND_DEPTHS)
    line: list[int] = _ints((LINE + 1) * LINE)
    line_length: list[int] = _ints(LINE + 1)
    motifs: list[int] = _ints(PLIES + 1)
    stands: list[float] = field(default_factory=lambda: [0.0] * PLIES)
    excluded: list[int] = _ints(MOST_LINES)
    table: Any = field(default_factory=dict)
    pairs: Any = field(default_factory=dict)
    busy: Any = field(default_factory=dict)
    shelf: Any = field(default_factory=dict)
    shelf_mask: int = 0
    ranks: Any = field(default_factory=dict)
    stack: Any = field(default_factory=dict)
