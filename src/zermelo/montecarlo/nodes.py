"""UCT's tree in flat memory: where what lies, and what one thread works with.

A node takes `NODE` words of `memory`; its children lie side by side, each with its state and the action that leads
there in `items`. What a node is worth is kept as seen by whoever moves at its parent, since only he compares it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from zermelo.native.memory import identity

VISITS, TOTAL, CHILDREN, PRIOR, LOWER, UPPER, NODE = range(7)
"""Words of a node: simulations through it, the sum of their values, where its children are, its evaluation or
probability, and proved bounds on its value to player 0."""
USED, ROOT = 0, 1
"""The word that says how many nodes are used, and the first node."""
ENDED, CLAIMED = 1, 2
"""What the word for children is at an end of the game, and while a thread makes them; 0 where there are none yet."""
COUNT_BITS = 20
"""Low bits of that word that say how many children there are; the others say where the first is."""
MADE, WINS, DRAWS, SQUARES, ROOT_WORDS = range(5)
"""Words about each action at the root: simulations made, won and drawn by who chooses there, and the sum of squares."""
TIMES, SUM, MARK, AMAF = range(4)
"""Words about each node for RAVE: simulations in which its action came later, the sum of their values, the action."""
PATH = 1024
"""How deep the tree may be."""
PLAYERS = 64
PLAYED, SEEN = 1024, 4096
"""How many moves of a simulation RAVE looks at, and the size of its table of them."""
NEVER = 1 << 30


@dataclass
class Growth:
    """What one thread works with; interpreted this object, in native code one record of the same fields.

    `spread` is the standard deviation of the simulations so far, in which exploration is measured: so utilities may
    be scaled and shifted without changing what is searched. `unit` stands for it while it is unknown.
    """

    limit: int = 0
    simulations: int = 0
    moves: int = 0
    seed: int = 0
    word: int = 0
    threads: int = 1
    thread: int = 0
    room: int = 1 << 40
    is_full: int = 0
    deepest: int = 0
    proved: int = 0
    # Switches; see `zermelo.montecarlo.options`.
    expand: int = 1
    plies: int = NEVER
    plausible: int = 0
    proofs: int = 0
    exploration: float = 1.0
    urgency: float = inf
    bias: float = 0.0
    rave: float = 0.0
    # What is known of the values.
    unit: float = 1.0
    spread: float = 1.0
    sum: float = 0.0
    squares: float = 0.0
    total: float = 0.0
    middle: float = 0.0
    lowest: float = -inf
    highest: float = inf
    penalty: float = 0.0
    sums: list[float] = field(default_factory=lambda: [0.0] * PLAYERS)
    path: list[int] = field(default_factory=lambda: [0] * PATH)
    movers: list[int] = field(default_factory=lambda: [0] * PATH)
    # RAVE.
    length: int = 0
    played: list[int] = field(default_factory=lambda: [0] * PLAYED)
    played_by: list[int] = field(default_factory=lambda: [0] * PLAYED)
    seen: list[int] = field(default_factory=lambda: [0] * SEEN)
    seen_in: list[int] = field(default_factory=lambda: [0] * SEEN)
    memory: Any = field(default_factory=dict)
    items: Any = field(default_factory=dict)
    roots: Any = field(default_factory=dict)
    amaf: Any = field(default_factory=dict)


def a_child(state: Any) -> Any:
    """Any item, for its kind: the identity of an action, and the state after it."""
    return identity(0), state
