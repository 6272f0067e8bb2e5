"""Game trees as matrices: every pure strategy of Max a row, every one of Min a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.errors import Unsuitable
from zermelo.game import Game
from zermelo.matrix.payoffs import MOST_ENTRIES, Matrix
from zermelo.matrix.solution import MatrixSolution
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.strategies import (
    MAX,
    MIN,
    Node,
    Strategy,
    count_full,
    count_reduced,
    count_words,
    full_strategies,
    grow,
    play,
    reduced_strategies,
)
from zermelo.search.suitability import default_algorithm
from zermelo.search.tally import DEEPEST, Tally

NOTHING = "–"
"""The name of the strategy of a player who has nothing to choose."""


@dataclass(frozen=True)
class StrategicForm:
    """A tree as a matrix of Max's utilities, and what backward induction says of the same tree.

    `full` and `reduced` are how many strategies of each kind Max and Min have; the matrix holds one kind. `value` is
    that of minimax, or expectiminimax where chance moves, after `nodes` nodes.
    """

    matrix: Matrix
    full: tuple[int, int]
    reduced: tuple[int, int]
    value: float
    nodes: int

    def agrees(self, solution: MatrixSolution) -> bool:
        """Whether the matrix, solved, has the value that backward induction found."""
        return abs(float(solution.value) - self.value) <= float(solution.proof.tolerance)


def strategic_form(game: Game, state: Any = None, player: int = 0, reduced: bool = True) -> StrategicForm:
    """The strategic form of the game from `state` on, its start if None, with `player` as Max.

    A strategy is called by its actions, in the order of the nodes that it speaks of. `Unsuitable` where there are too
    many, and for games whose states have no single value.
    """
    start = game.initial() if state is None else state
    root = grow(game, start, player)
    counts = (count_full(root, MAX), count_full(root, MIN)), (count_reduced(root, MAX), count_reduced(root, MIN))
    rows, columns = counts[reduced]
    if rows * columns > MOST_ENTRIES:
        raise Unsuitable(
            f"the matrix of {game.title} would have {count_words(rows)} × {count_words(columns)} payoffs from here, "
            f"more than {MOST_ENTRIES:,}: use {default_algorithm(game)}, which finds the same value"
        )
    list_strategies = reduced_strategies if reduced else full_strategies
    mine, yours = (list(list_strategies(root, side)) for side in (MAX, MIN))
    payoffs = [[play(root, s, t) for t in yours] for s in mine]
    words = _words(game, start, root)
    names = tuple([_name(strategy, words) for strategy in side] for side in (mine, yours))
    tally = Tally()
    value = expectiminimax(game, start, player, DEEPEST, tally)
    matrix = Matrix.of(payoffs, names[0], names[1], f"{game.title} as a matrix")
    return StrategicForm(matrix, *counts, value, tally.nodes)


def _words(game: Game, state: Any, node: Node) -> dict[int, list[str]]:
    """The actions of every node below as text, by the node's number."""
    actions = [child.path[-1] for child in node.children]
    found = {node.number: [game.format_action(state, action) for action in actions]}
    for action, child in zip(actions, node.children, strict=True):
        found |= _words(game, game.result(state, action), child)
    return found


def _name(strategy: Strategy, words: dict[int, list[str]]) -> str:
    return " ".join(words[node][choice] for node, choice in strategy.items()) or NOTHING
