"""OpenSpiel, easyAI and aima3, each with its own game and search, beside Zermelo's ordinary kernels.

Nodes are counted in a run of their own; the timed runs are the peer's code as it is, in one thread.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from zermelo.bench.contest import (
    Contest,
    Prepared,
    Sizes,
    announce,
    compare,
    judged,
    modules,
    silence,
    why_absent,
)
from zermelo.bench.rows import Comparison, Progress, Target, at_least
from zermelo.bench.timing import Run, Side, contend
from zermelo.bench.variants import BlindConnectFour, CentredConnectFour
from zermelo.bench.works import deciding, playing, searching
from zermelo.engine.options import Options
from zermelo.games.connect_four import ConnectFour
from zermelo.position import Position
from zermelo.registry import load

FASTER_SEARCH, FASTER_PLAYOUTS = at_least(50), at_least(10)
"""How many times the peer's rate Zermelo's should be: alpha-beta on a game written in Python, playouts in C++."""
FASTER_THAN_CPP, FASTER_THAN_PYTHON, FASTER_WITH_ALL = at_least(20), at_least(1000), at_least(300)
"""The same for Connect Four: games in C++, all in Python, and the engine with all it has against plain alpha-beta."""

SPIEL, SPIEL_CPP = "open_spiel", "OpenSpiel, game in C++"


def libraries(sizes: Sizes, progress: Progress) -> Iterator[Comparison]:
    """All comparisons with libraries for games in general."""
    for contest in contests(sizes):
        progress(f"{contest.work}: {contest.peer}")
        yield compare(contest, sizes.rounds)
    progress("time to a value: OpenSpiel")
    yield from _time_to_value(sizes)


def contests(sizes: Sizes) -> list[Contest]:
    """What is compared by its rate: alpha-beta on two games, and random playouts."""
    whole = "alpha-beta, all of tic-tac-toe"
    tic_tac_toe = searching(load("tic-tac-toe"), 9)
    found = [
        Contest(whole, "OpenSpiel, game in Python", SPIEL, _spiel_python, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, "easyAI", "easyAI", _easy_tic_tac_toe, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, "aima3", "aima3", _aima_tic_tac_toe, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, SPIEL_CPP, SPIEL, partial(_spiel_search, "tic_tac_toe", 9), tic_tac_toe),
    ]
    blind = BlindConnectFour()
    deep = searching(blind, sizes.deep)
    spiel = partial(_spiel_search, "connect_four", sizes.deep)
    found.append(Contest(_to_depth(sizes.deep), SPIEL_CPP, SPIEL, spiel, deep, FASTER_THAN_CPP))
    work, ours = _to_depth(sizes.depth), searching(blind, sizes.depth)
    found += [
        Contest(work, SPIEL_CPP, SPIEL, partial(_spiel_search, "connect_four", sizes.depth), ours),
        Contest(work, "easyAI", "easyAI", partial(_easy_connect_four, sizes.depth), ours, FASTER_THAN_PYTHON),
        Contest(work, "aima3", "aima3", partial(_aima_connect_four, sizes.depth), ours),
    ]
    many, few = sizes.peer_games, sizes.python_games
    games = playing(load("connect-four"), sizes.native_games)
    playouts: list[tuple[str, str, Callable[[], Prepared], Target | None]] = [
        ("OpenSpiel, all in C++", SPIEL, partial(_spiel_playouts, many), FASTER_PLAYOUTS),
        (SPIEL_CPP, SPIEL, partial(_spiel_rollouts, few), None),
        ("easyAI", "easyAI", partial(_easy_playouts, few), None),
        ("aima3", "aima3", partial(_aima_playouts, few), None),
    ]
    for peer, package, prepare, target in playouts:
        found.append(Contest("random playouts, connect four", peer, package, prepare, games, target, "games/s"))
    return found


def _to_depth(depth: int) -> str:
    return f"alpha-beta, connect four to depth {depth}"


# The engine with its order and its table against plain alpha-beta, to the same value.


def _time_to_value(sizes: Sizes) -> Iterator[Comparison]:
    """Where all leaves are 0 nearly everything is cut already; an evaluation that tells is what a search is for."""
    blind, centred = BlindConnectFour(), CentredConnectFour()
    works: tuple[tuple[str, ConnectFour, Callable[[Any], float], Target | None], ...] = (
        ("column worths", centred, _column_value, FASTER_WITH_ALL),
        ("leaves 0", blind, lambda _: 0.0, None),
    )
    for name, game, value, target in works:
        work = f"time to the value of connect four, depth {sizes.deep}"
        row = replace(announce(work, SPIEL_CPP, SPIEL, "searches/s", target), part=name)
        with silence():
            try:
                theirs = _spiel_value(value, sizes.deep)
            except ImportError as error:
                yield replace(row, note=why_absent(error, SPIEL))
                continue
            ours = deciding([Position(game)], sizes.deep, Options(extension=False))
            yield judged(row, *contend(sizes.long_rounds, ours, theirs), target)


def _spiel_value(value: Callable[[Any], float], depth: int) -> Side:
    pyspiel, minimax = modules("pyspiel", "open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game("connect_four")

    def side() -> Run:
        start = time.thread_time()
        found, _ = minimax.alpha_beta_search(game, value_function=value, maximum_depth=depth)
        return Run(time.thread_time() - start, (found,))

    return side


def _column_value(state: Any) -> float:
    """What `CentredConnectFour` says, from OpenSpiel's list of moves, which is the quickest way to see its discs."""
    moves, worths = state.history(), CentredConnectFour.worths
    return (sum(worths[move] for move in moves[::2]) - sum(worths[move] for move in moves[1::2])) / 128


# OpenSpiel: alpha-beta is written in Python, games in either; its tree search in C++ plays out in C++.


def _spiel_python() -> Prepared:
    importlib.import_module("open_spiel.python.games.tic_tac_toe")
    return _spiel_search("python_tic_tac_toe", 9)


def _spiel_search(name: str, depth: int) -> Prepared:
    pyspiel, minimax = modules("pyspiel", "open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game(name)

    def work() -> Any:
        return minimax.alpha_beta_search(game, value_function=lambda _: 0.0, maximum_depth=depth)

    return _calls(minimax, "_alpha_beta", work), work


def _spiel_playouts(games: int) -> Prepared:
    """One simulation of the C++ bot evaluates the root, and that is `games` rollouts from it."""
    (pyspiel,) = modules("pyspiel")
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, 1, False)
    state = game.new_initial_state()
    return games, lambda: bot.step(state)


def _spiel_rollouts(games: int) -> Prepared:
    pyspiel, mcts = modules("pyspiel", "open_spiel.python.algorithms.mcts")
    state = pyspiel.load_game("connect_four").new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(games)
    return games, lambda: evaluator.evaluate(state)


# easyAI: negamax with alpha-beta, games in Python. It adds a little to early wins, so its trees are its own.


def _easy_tic_tac_toe() -> Prepared:
    (games,) = modules("easyAI.games.TicTacToe")
    return _easy_search(games.TicTacToe, 9)


def _easy_connect_four(depth: int) -> Prepared:
    (games,) = modules("easyAI.games.ConnectFour")
    return _easy_search(games.ConnectFour, depth)


def _easy_search(kind: Any, depth: int) -> Prepared:
    (negamax,) = modules("easyAI.AI.Negamax")
    choose = negamax.Negamax(depth)

    def work() -> Any:
        return choose(kind([None, None]))

    return _calls(negamax, "negamax", work), work


def _easy_playouts(games: int) -> Prepared:
    (module,) = modules("easyAI.games.ConnectFour")
    chance = random.Random(1)

    def work() -> None:
        for _ in range(games):
            game = module.ConnectFour([None, None])
            while not game.is_over():
                game.make_move(chance.choice(game.possible_moves()))
                game.switch_player()

    return games, work


# aima3: the textbook's code. Its searches call a test at each node but the root.


def _aima_tic_tac_toe() -> Prepared:
    (games,) = modules("aima3.games")
    game = games.TicTacToe()

    def work() -> Any:
        return games.alphabeta_search(game.initial, game)

    return _calls(game, "terminal_test", work) + 1, work


def _aima_connect_four(depth: int) -> Prepared:
    (games,) = modules("aima3.games")
    game, tests = games.ConnectFour(), 0

    def is_cut_off(state: Any, ply: int) -> Any:
        nonlocal tests
        tests += 1
        return ply > depth - 1 or game.terminal_test(state)

    games.alphabeta_cutoff_search(game.initial, game, d=depth - 1, cutoff_test=is_cut_off)
    return tests + 1, lambda: games.alphabeta_cutoff_search(game.initial, game, d=depth - 1)


def _aima_playouts(games: int) -> Prepared:
    (module,) = modules("aima3.games")
    game, chance = module.ConnectFour(), random.Random(1)

    def work() -> None:
        for _ in range(games):
            state = game.initial
            while not game.terminal_test(state):
                state = game.result(state, chance.choice(game.actions(state)))

    return games, work


def _calls(owner: Any, name: str, work: Callable[[], Any]) -> int:
    """How often `work` calls `owner.name`."""
    from unittest.mock import patch

    original, calls = getattr(owner, name), 0

    def counting(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*args, **kwargs)

    with patch.object(owner, name, counting):
        work()
    return calls
