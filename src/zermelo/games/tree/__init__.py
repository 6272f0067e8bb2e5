"""Game trees written out node by node, in Python or in a JSON file."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

from zermelo.board import Node
from zermelo.errors import BadInput
from zermelo.game import CHANCE, Facts, Game, listed
from zermelo.games.tree.reading import Tables, read_json

TEXTBOOK = [
    {"action": "a1", "node": {"name": "B", "children": [3, 12, 8]}},
    {"action": "a2", "node": {"name": "C", "children": [2, 4, 6]}},
    {"action": "a3", "node": {"name": "D", "children": [14, 5, 2]}},
]


class Tree(Game):
    """A tree from a JSON file (file=tree.json), or the textbook's; see `Tree.of` for what may be written.

    Nodes and edges are numbered; the edges of a node are those from `first[node]` on, `degree[node]` of them.
    """

    known = "the tree of the textbook, which you get without a file, has value 3"

    class State(NamedTuple):
        node: int

    def __init__(self, file: str = "", root: object = None) -> None:
        content = read_json(file) if file else {"name": "A", "children": TEXTBOOK} if root is None else root
        tables = Tables(f"{file}: " if file else "", content)
        self.players = tables.players
        self.movers, self.first, self.degree = tuple(tables.movers), tuple(tables.first), tuple(tables.degree)
        self.targets, self.odds = tuple(tables.targets) or (0,), tuple(tables.odds) or (0.0,)
        self.values = tuple(tables.values)
        self.names, self.labels = tuple(tables.names), tuple(tables.labels)
        ends = [self.utilities(self.State(node)) for node, degree in enumerate(self.degree) if degree == 0]
        sums = {round(fsum(worths), 9) + 0.0 for worths in ends}
        self.utility_sum = sums.pop() if len(sums) == 1 else None
        self.utility_bounds = lowest, highest = min(map(min, ends)), max(map(max, ends))
        self.middle = (lowest + highest) / 2 if self.utility_sum is None else self.utility_sum / self.players

    @classmethod
    def of(cls, root: object) -> Tree:
        """The tree written in `root`; a file holds the same as JSON.

        A number is an end and worth so much to the first player, as much less to the second. A list is a
        node with those children; the players move in turn. Written out in full:

        - an end: {"value": 3}, or one value for each player {"values": [1, 2, 6]} (in Python also (1, 2, 6))
        - a node: {"name": "B", "player": 1, "children": [...]}, all but the children optional
        - chance: {"chance": [{"p": 0.5, "node": ...}, ...]}; p may be a fraction "1/3"
        - a named move: {"action": "left", "node": ...} among children or chance
        - a node that has its place, and thereby its player, elsewhere: {"ref": "B"}
        - the whole tree: {"players": 3, "root": ...}; else there are as many players as values, or two

        >>> Tree.of([[3, 12, 8], [2, 4, 6], [14, 5, 2]]).facts.players
        2
        """
        return cls(root=root)

    @property
    def facts(self) -> Facts:
        return super().facts._replace(chance=CHANCE in self.movers)

    def initial(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return self.movers[state.node]

    def actions(self, state: State) -> Iterator[int]:
        for action in range(self.degree[state.node]):
            yield action

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for action in range(self.degree[state.node]):
            yield action, self.odds[self.first[state.node] + action]

    def result(self, state: State, action: int) -> State:
        return self.State(self.targets[self.first[state.node] + action])

    def is_terminal(self, state: State) -> bool:
        return self.degree[state.node] == 0

    def utility(self, state: State, player: int) -> float:
        return self.values[state.node * self.players + player]

    def evaluate(self, state: State, player: int) -> float:
        return self.middle

    def format_action(self, state: State, action: int) -> str:
        return self.labels[self.first[state.node] + action]

    def format_state(self, state: State) -> str:
        return self.names[state.node]

    def parse_state(self, text: str) -> State:
        if text not in self.names:
            raise BadInput(f"there is no node {text!r} in the tree; there are {listed(list(self.names), 20)}")
        return self.State(self.names.index(text))

    def board(self, state: State) -> Node:
        moves = [(self.format_action(state, action), self.result(state, action)) for action in self.actions(state)]
        return Node(self.names[state.node], tuple((label, self.names[child.node]) for label, child in moves))
