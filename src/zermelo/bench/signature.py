"""The bench signature: one number that moves only if some search visits other nodes than before.

It is the sum of the nodes of a fixed list of deterministic searches, and the same in every run, on every
machine and in every world. A change that should not change the searches must not change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from zermelo import native
from zermelo.engine.decide import decide
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.options import TreeOptions
from zermelo.montecarlo.playouts import CPU, playouts
from zermelo.position import Position
from zermelo.registry import load
from zermelo.search.perft import perft
from zermelo.search.suitability import ENGINE
from zermelo.search.tally import DEEPEST, Tally
from zermelo.search.values import Searcher
from zermelo.solver.exact import solve


class Task(NamedTuple):
    """One search by an algorithm from a game's state after some moves, `size` plies deep, by default to the end.

    Besides the algorithms, `best` is the whole of `zermelo best`, deepening included, as it is with the engine's
    algorithms, `exact` is an exact value, `perft` counts leaves, `playouts` the moves of `size` random games, `uct` the
    nodes of a tree after `size` simulations.
    """

    algorithm: str
    game: str
    moves: str = ""
    size: int = DEEPEST

    def __str__(self) -> str:
        moves = f" after {self.moves}" if self.moves else ""
        unit = {"playouts": "games", "uct": "simulations"}.get(self.algorithm, "depth")
        size = f" {unit} {self.size}" if self.size < DEEPEST else ""
        return f"{self.algorithm} {self.game}{moves}{size}"


TASKS = (
    Task("minimax", "tic-tac-toe", "b2 a1"),
    Task("negamax", "tic-tac-toe", "b2 a1 c3"),
    Task("alphabeta", "tic-tac-toe"),
    Task("alphabeta-table", "tic-tac-toe"),
    Task("best", "tic-tac-toe"),
    Task("maxn", "nim:stones=12"),
    Task("alphabeta", "nim:stones=17"),
    Task("alphabeta-table", "nim:stones=60,most=4"),
    Task("alphabeta-table", "heaps:heaps=3-4-5"),
    Task("alphabeta", "connect-four", size=7),
    Task("best", "connect-four", "4443", size=5),
    *(Task(algorithm, "tic-tac-toe") for algorithm in ENGINE),
    *(Task(algorithm, "connect-four", "4443", size=6) for algorithm in ENGINE),
    *(Task(algorithm, "othello:size=4", size=8) for algorithm in ENGINE),
    *(Task(algorithm, "nim:stones=17") for algorithm in ENGINE),
    Task("exact", "tic-tac-toe"),
    Task("exact", "nim:stones=17"),
    Task("exact", "connect-four", "66723753542527311167"),
    Task("exact", "othello:size=4"),
    Task("alphabeta", "random-tree:branching=3,depth=9,order=best"),
    Task("alphabeta", "random-tree:branching=3,depth=8,order=worst"),
    Task("alphabeta", "random-tree:branching=4,depth=7,order=random"),
    Task("alphabeta", "p-game:depth=12"),
    Task("alphabeta", "p-game:depth=14", size=5),
    Task("perft", "tic-tac-toe", size=5),
    Task("perft", "connect-four", size=5),
    Task("perft", "heaps:heaps=2-3-4", size=5),
    Task("playouts", "tic-tac-toe", size=1000),
    Task("playouts", "connect-four", size=500),
    Task("uct", "tic-tac-toe", "b2 a1", size=1000),
    Task("uct", "connect-four", size=400),
)
"""Small enough for every world; searches with a table stay so small that no entry is ever overwritten."""


@dataclass(frozen=True, slots=True)
class Part:
    """One search and the nodes it visited."""

    name: str
    nodes: int


@dataclass(frozen=True, slots=True)
class Signature:
    """The sum of all nodes, and what it is made of."""

    signature: int
    parts: tuple[Part, ...]


def signature(world: str = "auto") -> Signature:
    """The signature, made native where that is possible, or in the world named."""
    natively = native.is_enabled() if world == "auto" else world == "native"
    parts = tuple(Part(str(task), nodes(task, natively)) for task in TASKS)
    return Signature(sum(part.nodes for part in parts), parts)


def nodes(task: Task, natively: bool) -> int:
    """How many nodes a search visits."""
    game, tally = load(task.game), Tally()
    position = Position.from_text(game, moves=task.moves)
    world = "native" if natively else "interpreted"
    if task.algorithm == "exact":
        return solve(position, world=world).nodes
    if task.algorithm in ("best", *ENGINE):
        depth = task.size if task.size < DEEPEST else None
        algorithm = None if task.algorithm == "best" else task.algorithm
        return decide(position, depth=depth, algorithm=algorithm, world=world).nodes
    if task.algorithm == "perft":
        return int(native.run(perft, game, position.state, task.size, tally=tally, native=natively))
    if task.algorithm == "playouts":
        return playouts(game, position.state, task.size, seed=1, device=CPU, world=world).moves
    if task.algorithm == "uct":
        grove = Grove(game, TreeOptions(seed=1), natively=natively)
        grove.prepare(position.state)
        grove.stand_at(position)
        grove.simulate(task.size)
        return grove.nodes
    searcher = Searcher(game, task.algorithm, natively, tally)
    searcher.value(position.state, position.to_move, -inf, inf, task.size)
    return tally.nodes
