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
"""Words of a node: simulations through it, the sum of their values, where its children are, its first
estimate or probability, and proved bounds on its value to player 0."""
USED, ROOT = 0, 1
"""The word that says how many nodes are used, and the first node."""
ENDED, CLAIMED = 1, 2
"""What the word for children is at an end of the game, and while a thread makes them; 0 where there are none yet."""
COUNT_BITS = 20
"""Low bits of that word that say how many children there are; the others say where the first is."""
MADE, FINISHED, WINS, DRAWS, WORTH, SQUARES, SHARES = range(7)
"""Words about each action at the root, as seen by who chooses there: simulations made, played to the end, won, drawn,
the sum of their values and of the squares, both from `origins` on; then the sum of the values of each player."""
TIMES, SUM, MARK, AMAF = range(4)
"""Words about each node for RAVE: simulations in which its action came later, the sum of their values, the action."""
PATH = 1024
"""How deep the tree may be."""
PLAYERS = 64
PLAYED, SEEN_BITS = 1024, 12
"""How many moves of a simulation RAVE looks at, and the bits of a place in its table of them."""
MOST_MOVES = 10_000
"""After how many moves a roll-out is broken off, and the evaluation asked."""
NEVER = 1 << 30


@dataclass
class Growth:
    """What one thread works with; interpreted this object, in native code one record of the same fields.

    `spread` is the standard deviation of the values so far, in which exploration is measured: so utilities may be
    scaled and shifted without changing what is searched. `unit` stands for it while it is unknown. Values are added up
    from `origins` on, those of the first simulation, so that what is far from 0 keeps its digits. `owed` is what was
    added to the nodes on the way down for a value still to come.
    """

    limit: int = 0
    simulations: int = 0
    seed: int = 0
    word: int = 0
    threads: int = 1
    thread: int = 0
    room: int = 1 << 40
    is_full: int = 0
    deepest: int = 0
    proved: int = 0
    finished: int = 0
    broken: int = 0
    # Switches; see `zermelo.montecarlo.options`.
    expand: int = 1
    plies: int = MOST_MOVES
    plausible: int = 0
    reply: int = 0
    proofs: int = 0
    settles: int = 0
    exploration: float = 1.0
    urgency: float = inf
    bias: float = 0.0
    rave: float = 0.0
    prior: float = 0.0
    # What is known of the values.
    unit: float = 1.0
    spread: float = 1.0
    noted: int = 0
    sum: float = 0.0
    squares: float = 0.0
    total: float = 0.0
    middle: float = 0.0
    lowest: float = -inf
    highest: float = inf
    penalty: float = 0.0
    many: int = 0
    shares: int = 0
    origins: list[float] = field(default_factory=lambda: [0.0] * PLAYERS)
    sums: list[float] = field(default_factory=lambda: [0.0] * PLAYERS)
    path: list[int] = field(default_factory=lambda: [0] * PATH)
    movers: list[int] = field(default_factory=lambda: [0] * PATH)
    owed: list[float] = field(default_factory=lambda: [0.0] * PATH)
    # States that may not come back: those played, in a table of `past_size` words, and those on the way.
    past_size: int = 0
    marks: list[int] = field(default_factory=lambda: [0] * PATH)
    # RAVE.
    length: int = 0
    played: list[int] = field(default_factory=lambda: [0] * PLAYED)
    played_by: list[int] = field(default_factory=lambda: [0] * PLAYED)
    seen: list[int] = field(default_factory=lambda: [0] * (1 << SEEN_BITS))
    seen_by: list[int] = field(default_factory=lambda: [0] * (1 << SEEN_BITS))
    seen_in: list[int] = field(default_factory=lambda: [0] * (1 << SEEN_BITS))
    memory: Any = field(default_factory=dict)
    items: Any = field(default_factory=dict)
    roots: Any = field(default_factory=dict)
    amaf: Any = field(default_factory=dict)
    past: Any = field(default_factory=dict)


def a_child(state: Any) -> Any:
    """Any item, for its kind: the identity of an action, and the state after it."""
    return identity(0), state
