"""Monte-Carlo tree search by others beside Zermelo's: OpenSpiel's bot in C++, rust-reversi's for Othello.

All play random roll-outs, one for each simulation, from the beginning of a game and in one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from zermelo.bench.contest import Contest, Prepared, Sizes, compare, modules
from zermelo.bench.rows import Comparison, Progress, Target, at_least
from zermelo.bench.works import simulating
from zermelo.registry import load

UNIT = "simulations/s"
SPIEL, RUST = "open_spiel", "rust_reversi"
GAMES: tuple[tuple[str, str, str, int, Target], ...] = (
    ("connect-four", "connect_four", "", 8, at_least(8)),
    ("othello", "othello", "", 1, at_least(20)),
    ("backgammon", "backgammon", "3-1", 1, at_least(20)),
)
"""Games here and there, moves to begin with, thousands of simulations for OpenSpiel to make, and the target."""
RUST_EXPANDS = 10
"""After how many visits rust-reversi is told to expand a leaf, which is what it recommends."""


def simulations(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """All comparisons of tree searches by simulation."""
    for contest in _contests(sizes):
        progress(f"{contest.work}: {contest.peer}")
        yield compare(contest, sizes.long_rounds + 1)


def _contests(sizes: Sizes) -> Iterator[Contest]:
    for name, there, moves, thousands, target in GAMES:
        work, ours = f"UCT, {name}", simulating(load(name), sizes.simulations, moves)
        spiel = partial(_spiel_bot, there, max(thousands * sizes.simulations // 100, 1))
        yield Contest(work, "OpenSpiel, all in C++", SPIEL, spiel, ours, target, UNIT)
        if name == "othello":
            rust = partial(_rust_bot, max(sizes.simulations // 10, 1))
            yield Contest(work, "rust-reversi", RUST, rust, ours, at_least(2), UNIT)


def _spiel_bot(name: str, simulations: int) -> Prepared:
    """Its bot, which expands a leaf at the second visit, as Zermelo does."""
    (pyspiel,) = modules("pyspiel")
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 1000, False, 1, False)
    return simulations, lambda: bot.mcts_search(state)


def _rust_bot(simulations: int) -> Prepared:
    (library,) = modules(RUST)
    search, board = library.MctsSearch(simulations, 1.0, RUST_EXPANDS), library.Board()
    return simulations, lambda: search.get_move(board)
