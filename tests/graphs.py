"""Games written down as graphs, where states are met again by other ways, and naive twins of the engine.

The naive twins share nothing with `zermelo.engine`: they try everything and remember nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

from hypothesis import strategies as st

from zermelo.bits import Bits, scatter
from zermelo.engine.options import Options
from zermelo.engine.work import WON
from zermelo.game import Game
from zermelo.search.suitability import ENGINE
from zermelo.search.tally import DEEPEST

BEST = 4
"""No end of a graph is worth more to anybody, beyond half of the total."""


class Spot(NamedTuple):
    """A node: who moves, the numbers of the nodes that may follow (none: an end), and player 0's lead."""

    mover: int
    next: tuple[int, ...]
    lead: float


class Graph(Game):
    """A game that is nothing but its graph; states are numbers of nodes, and play begins at the first.

    Each player gets half of `total` and his lead. It refuses every call that the contract does not allow.
    """

    def __init__(self, spots: tuple[Spot, ...], total: float = 0, bounded: bool = True) -> None:
        self.spots, self.half, self.utility_sum = spots, total / 2, total
        self.utility_bounds = (self.half - BEST, self.half + BEST) if bounded else (-inf, inf)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.spots[state].mover

    def is_terminal(self, state: int) -> bool:
        return not self.spots[state].next

    def actions(self, state: int) -> Iterator[int]:
        assert self.spots[state].next, "actions of an end"
        yield from range(len(self.spots[state].next))

    def result(self, state: int, action: int) -> int:
        return self.spots[state].next[action]

    def utility(self, state: int, player: int) -> float:
        assert not self.spots[state].next, "utility of no end"
        return self.share(state, player)

    def evaluate(self, state: int, player: int) -> float:
        assert self.spots[state].next, "evaluation of an end"
        return self.share(state, player)

    def promise(self, state: int, player: int) -> float:
        return self.share(state, player)

    def share(self, state: int, player: int) -> float:
        """What a node is worth, or seems to be."""
        lead = self.spots[state].lead
        return self.half + (lead if player == 0 else -lead)


class Knowing(Graph):
    """A graph with something that is known of each node; what it is, the classes below say."""

    def __init__(
        self, spots: tuple[Spot, ...], total: float = 0, bounded: bool = True, known: tuple[Any, ...] = ()
    ) -> None:
        super().__init__(spots, total, bounded)
        self.known = known


class Bounded(Knowing):
    """Known is how far below and above its value each node's bounds lie. Without cycles."""

    def bounds(self, state: int, player: int) -> tuple[float, float]:
        value, (below, above) = full_value(self, state, player), self.known[state]
        low, high = self.utility_bounds
        return (
            max(low, value - (below if player == 0 else above)),
            min(high, value + (above if player == 0 else below)),
        )


class Hinting(Knowing):
    """Known are the plausible actions of each node."""

    def plausible(self, state: int) -> Iterator[int]:
        yield from self.known[state]


class Loud(Knowing):
    """Known are the noisy actions of each node."""

    def noisy(self, state: int) -> Iterator[int]:
        yield from self.known[state]


class Passing(Knowing):
    """Known are the nodes that passing leads to."""

    def passed(self, state: int) -> Iterator[int]:
        yield from self.known[state]


class Returning(Graph):
    """A graph with cycles; a node that comes back is a draw."""

    repeats = True
    repetition = 2


class Hashed(Game):
    """Layered random graphs for native code: which one it is, is a number in the state."""

    class State(NamedTuple):
        seed: int
        spot: int
        ply: int

    def __init__(self, height: int = 7, width: int = 4, most: int = 3, total: float = 0.0) -> None:
        self.height, self.width, self.most, self.half, self.utility_sum = height, width, most, total / 2, total
        self.utility_bounds = (self.half - BEST, self.half + BEST)

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def dice(self, state: State) -> Bits:
        """All that is random about a node."""
        return scatter(Bits(state.seed) << 16 ^ Bits(state.spot << 8 | state.ply))

    def to_move(self, state: State) -> int:
        return int(self.dice(state) >> 3 & 1)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(1 + int(self.dice(state) >> 8 & 0xFFFF) % self.most):
            yield action

    def result(self, state: State, action: int) -> State:
        spot = int(scatter(self.dice(state) + action) >> 40) % self.width
        return self.State(state.seed, spot, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply == self.height or (state.ply > 0 and self.dice(state) >> 24 & 7 == 0)

    def utility(self, state: State, player: int) -> float:
        lead = int(self.dice(state) >> 30 & 0xFFFF) % 9 - 4
        return self.half + (lead if player == 0 else -lead)

    def evaluate(self, state: State, player: int) -> float:
        lead = (int(self.dice(state) >> 30 & 0xFFFF) % 13 - 6) / 2
        return self.half + (lead if player == 0 else -lead)


def spots_of(*rows: tuple[int, tuple[int, ...], float]) -> tuple[Spot, ...]:
    """A graph by hand."""
    return tuple(Spot(*row) for row in rows)


# Random graphs.

LEADS = st.integers(-BEST, BEST)
MOVERS = st.integers(0, 1)
TOTALS = st.sampled_from([0, 0, 3, 10, -10])
"""Zero-sum; and constant sums with which both ends of the range are of one sign, or not."""


def _spot(mover: int, following: list[int], lead: float) -> Spot:
    """A node; an estimate lies strictly inside the bounds, and is a number that a short float holds."""
    return Spot(mover, tuple(following), lead * 0.75 if following else lead)


@st.composite
def acyclic(draw: st.DrawFn, nodes: int = 9) -> tuple[Spot, ...]:
    """Any graph without cycles, whose nodes are met at several depths."""
    rows = draw(st.lists(st.tuples(MOVERS, st.lists(st.integers(1, 4), max_size=3), LEADS), min_size=1, max_size=nodes))
    last = len(rows)
    rows[0] = (rows[0][0], rows[0][1] or [1], rows[0][2])
    spots = [
        _spot(mover, [min(at + step, last) for step in steps], lead) for at, (mover, steps, lead) in enumerate(rows)
    ]
    return (*spots, _spot(draw(MOVERS), [], draw(LEADS)))


@st.composite
def layered(draw: st.DrawFn, height: int = 5, width: int = 3) -> tuple[Spot, ...]:
    """A graph whose nodes are met at one depth each, where searching to a depth means one thing only."""
    row = st.lists(
        st.tuples(MOVERS, st.lists(st.integers(0, width - 1), max_size=3), LEADS), min_size=1, max_size=width
    )
    rows = [[(draw(MOVERS), draw(st.lists(st.integers(0, width - 1), min_size=1, max_size=3)), draw(LEADS))]]
    rows += draw(st.lists(row, min_size=1, max_size=height))
    starts = [sum(len(before) for before in rows[:depth]) for depth in range(len(rows))]
    spots = []
    for depth, nodes in enumerate(rows):
        for mover, targets, lead in nodes:
            below = len(rows[depth + 1]) if depth + 1 < len(rows) else 0
            spots.append(_spot(mover, [starts[depth + 1] + target % below for target in targets if below], lead))
    return tuple(spots)


@st.composite
def cyclic(draw: st.DrawFn, nodes: int = 7) -> tuple[Spot, ...]:
    """Any graph, where a way may lead back to where it was."""
    count = draw(st.integers(2, nodes))
    targets = st.lists(st.integers(0, count - 1), max_size=3)
    rows = draw(st.lists(st.tuples(MOVERS, targets, LEADS), min_size=count, max_size=count))
    alternate = draw(st.booleans())
    rows[0] = (rows[0][0], rows[0][1] or [1], rows[0][2])
    return tuple(_spot(at % 2 if alternate else mover, to, lead) for at, (mover, to, lead) in enumerate(rows))


def some_actions(spot: Spot, least: int = 0) -> st.SearchStrategy[tuple[int, ...]]:
    """Some of the actions of a node, in any order."""
    count = len(spot.next)
    chosen = st.lists(st.integers(0, max(count - 1, 0)), unique=True, min_size=min(least, count), max_size=count)
    return chosen.map(tuple)


def switches(**fixed: Any) -> st.SearchStrategy[Options]:
    """Any setting of the switches that change no exact value, but for those that are `fixed`."""
    drawn: dict[str, Any] = {"algorithm": st.sampled_from(ENGINE), "table": st.sampled_from([1, 0])}
    for name in ("table_first", "plausible_first", "evaluation_first", "killers", "history", "counter", "symmetry"):
        drawn[name] = st.booleans()
    for name in ("extension", "deeper"):
        drawn[name] = st.booleans()
    return st.builds(Options, **drawn | {name: st.just(value) for name, value in fixed.items()})


# Naive twins.


def full_value(game: Game, state: Any, player: int) -> float:
    """What a state is worth to a player, by trying everything."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    values = [full_value(game, game.result(state, action), player) for action in game.actions(state)]
    return max(values) if game.to_move(state) == player else min(values)


def timed_value(game: Game, state: Any, depth: int = DEEPEST) -> float:
    """The engine's value of a state to the mover: a sure win is the better the sooner it is, WON less its plies.

    Where the sum is not 0, both players have player 0's utility in mind, and player 1 wants it low.
    """
    mover = game.to_move(state)
    if game.is_terminal(state) or depth == 0:
        value = float(game.utility(state, 0) if game.is_terminal(state) else game.evaluate(state, 0))
        low, high = game.utility_bounds
        won = WON if value >= high else -WON if value <= low else value
        return won if mover == 0 else -won
    best = -inf
    for action in game.actions(state):
        child = game.result(state, action)
        value = one_ply_earlier(timed_value(game, child, depth - 1))
        best = max(best, value if game.to_move(child) == mover else -value)
    return best


def one_ply_earlier(value: float) -> float:
    """A value as it is seen one ply earlier."""
    if abs(value) == inf or abs(value) < WON / 2:
        return value
    return value - 1 if value > 0 else value + 1


def plies_of(value: float) -> int | None:
    """How far off the end is, if a timed value is a sure win or loss."""
    return int(WON - abs(value)) if abs(value) >= WON / 2 else None


def value_without_return(game: Game, state: Any, seen: frozenset[Any] = frozenset()) -> float:
    """What a state is worth to player 0, where one that was seen before is a draw, by trying every way."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    if state in seen:
        return (game.facts.total or 0.0) / 2
    choose = max if game.to_move(state) == 0 else min
    return choose(
        value_without_return(game, game.result(state, action), seen | {state}) for action in game.actions(state)
    )
