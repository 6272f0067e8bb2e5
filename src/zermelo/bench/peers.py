"""The same work in other libraries beside Zermelo: OpenSpiel, easyAI and aima3, each with its own game and search.

Nothing is installed here: a peer that is missing gives a row that says so. Nodes are counted in a run of their
own; the timed runs are the peer's code as it is. Zermelo runs its ordinary kernels, one thread, no table.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

from zermelo import native
from zermelo.bench.speed import Progress, playing, searching
from zermelo.bench.timing import Work, race
from zermelo.errors import Unsuitable
from zermelo.games.connect_four import ConnectFour
from zermelo.registry import load

MISSING = "not installed: pip install 'zermelo[bench]'"
FASTER_SEARCH, FASTER_PLAYOUTS = 50, 10
"""How many times the peer's rate Zermelo's should be: alpha-beta on a game written in Python, playouts in C++."""

Prepared = tuple[int, Callable[[], Any]]
"""How much a peer's work amounts to, as an instrumented run found it, and the work itself."""


class BlindConnectFour(ConnectFour):
    """Connect Four in which a search sees nothing at its horizon, as the peers' searches are set here."""

    def evaluate(self, state: ConnectFour.State, player: int) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done for each comparison; `depth` is that of Connect Four."""

    rounds: int = 7
    depth: int = 8
    native_games: int = 50_000
    peer_games: int = 20_000
    python_games: int = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: what each side does per second (`unit`), and the nodes of its whole search.

    Rates are None where the peer is missing (`note` says so), nodes where games are counted.
    """

    work: str
    peer: str
    unit: str
    version: str = ""
    peer_rate: float | None = None
    zermelo_rate: float | None = None
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
    peer_nodes: int | None = None
    zermelo_nodes: int | None = None
    note: str = ""


class Contest(NamedTuple):
    """A work that a peer and Zermelo both do; `prepare` imports the peer."""

    work: str
    peer: str
    package: str
    prepare: Callable[[], Prepared]
    zermelo: Work
    target: float | None = None
    unit: str = "nodes/s"


def peers(sizes: Sizes | None = None, progress: Progress = lambda _: None) -> list[Row]:
    """All comparisons, in about a minute; `progress` is told what is being compared."""
    if not native.is_enabled():
        raise Unsuitable("native code can't be compared with others' while NUMBA_DISABLE_JIT is set: unset it")
    sizes = sizes or Sizes()
    rows = []
    for contest in contests(sizes):
        progress(f"{contest.work}: {contest.peer}")
        rows.append(compare(contest, sizes.rounds))
    return rows


def compare(contest: Contest, rounds: int) -> Row:
    """Both sides of a contest, in turns, each by its best round."""
    row = Row(contest.work, contest.peer, contest.unit, target=f"≥ {contest.target:g}" if contest.target else "")
    with _silence():
        try:
            amount, work = contest.prepare()
        except ImportError as error:
            absent = isinstance(error, ModuleNotFoundError) and error.name in (contest.package, "pyspiel")
            return replace(row, note=MISSING if absent else f"can't be imported: {error}")
        done = contest.zermelo()
        peer_rate, our_rate = race(rounds, partial(_counted, work, amount), contest.zermelo)
    counted = contest.unit == "nodes/s"
    return replace(
        row,
        version=_version(contest.package),
        peer_rate=peer_rate,
        zermelo_rate=our_rate,
        ratio=our_rate / peer_rate,
        met=None if contest.target is None else our_rate >= contest.target * peer_rate,
        peer_nodes=amount if counted else None,
        zermelo_nodes=done if counted else None,
    )


def contests(sizes: Sizes) -> list[Contest]:
    """What is compared: alpha-beta on two games, and random playouts."""
    whole = "alpha-beta, all of tic-tac-toe"
    tic_tac_toe = searching(load("tic-tac-toe"), 9)
    found = [
        Contest(whole, "OpenSpiel, game in Python", "open_spiel", _spiel_python, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, "easyAI", "easyAI", _easy_tic_tac_toe, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, "aima3", "aima3", _aima_tic_tac_toe, tic_tac_toe, FASTER_SEARCH),
        Contest(whole, "OpenSpiel, game in C++", "open_spiel", partial(_spiel_search, "tic_tac_toe", 9), tic_tac_toe),
    ]
    work = f"alpha-beta, connect four to depth {sizes.depth}"
    connect_four = searching(BlindConnectFour(), sizes.depth)
    found += [
        Contest(
            work,
            "OpenSpiel, game in C++",
            "open_spiel",
            partial(_spiel_search, "connect_four", sizes.depth),
            connect_four,
        ),
        Contest(work, "easyAI", "easyAI", partial(_easy_connect_four, sizes.depth), connect_four),
        Contest(work, "aima3", "aima3", partial(_aima_connect_four, sizes.depth), connect_four),
    ]
    many, few = sizes.peer_games, sizes.python_games
    ours = playing(load("connect-four"), sizes.native_games)
    playouts: list[tuple[str, str, Callable[[], Prepared], float | None]] = [
        ("OpenSpiel, all in C++", "open_spiel", partial(_spiel_playouts, many), FASTER_PLAYOUTS),
        ("OpenSpiel, game in C++", "open_spiel", partial(_spiel_rollouts, few), None),
        ("easyAI", "easyAI", partial(_easy_playouts, few), None),
        ("aima3", "aima3", partial(_aima_playouts, few), None),
    ]
    for peer, package, prepare, target in playouts:
        found.append(Contest("random playouts, connect four", peer, package, prepare, ours, target, "games/s"))
    return found


# OpenSpiel: alpha-beta is written in Python, games in either; its tree search in C++ plays out in C++.


def _spiel_python() -> Prepared:
    importlib.import_module("open_spiel.python.games.tic_tac_toe")
    return _spiel_search("python_tic_tac_toe", 9)


def _spiel_search(name: str, depth: int) -> Prepared:
    pyspiel, minimax = _modules("pyspiel", "open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game(name)

    def work() -> Any:
        return minimax.alpha_beta_search(game, value_function=lambda _: 0.0, maximum_depth=depth)

    return _calls(minimax, "_alpha_beta", work), work


def _spiel_playouts(games: int) -> Prepared:
    """One simulation of the C++ bot evaluates the root, and that is `games` rollouts from it."""
    (pyspiel,) = _modules("pyspiel")
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, 1, False)
    state = game.new_initial_state()
    return games, lambda: bot.step(state)


def _spiel_rollouts(games: int) -> Prepared:
    pyspiel, mcts = _modules("pyspiel", "open_spiel.python.algorithms.mcts")
    state = pyspiel.load_game("connect_four").new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(games)
    return games, lambda: evaluator.evaluate(state)


# easyAI: negamax with alpha-beta, games in Python. It adds a little to early wins, so its trees are its own.


def _easy_tic_tac_toe() -> Prepared:
    (games,) = _modules("easyAI.games.TicTacToe")
    return _easy_search(games.TicTacToe, 9)


def _easy_connect_four(depth: int) -> Prepared:
    (games,) = _modules("easyAI.games.ConnectFour")
    return _easy_search(games.ConnectFour, depth)


def _easy_search(kind: Any, depth: int) -> Prepared:
    (negamax,) = _modules("easyAI.AI.Negamax")
    choose = negamax.Negamax(depth)

    def work() -> Any:
        return choose(kind([None, None]))

    return _calls(negamax, "negamax", work), work


def _easy_playouts(games: int) -> Prepared:
    (module,) = _modules("easyAI.games.ConnectFour")
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
    (games,) = _modules("aima3.games")
    game = games.TicTacToe()

    def work() -> Any:
        return games.alphabeta_search(game.initial, game)

    return _calls(game, "terminal_test", work) + 1, work


def _aima_connect_four(depth: int) -> Prepared:
    (games,) = _modules("aima3.games")
    game, tests = games.ConnectFour(), 0

    def is_cut_off(state: Any, ply: int) -> Any:
        nonlocal tests
        tests += 1
        return ply > depth - 1 or game.terminal_test(state)

    games.alphabeta_cutoff_search(game.initial, game, d=depth - 1, cutoff_test=is_cut_off)
    return tests + 1, lambda: games.alphabeta_cutoff_search(game.initial, game, d=depth - 1)


def _aima_playouts(games: int) -> Prepared:
    (module,) = _modules("aima3.games")
    game, chance = module.ConnectFour(), random.Random(1)

    def work() -> None:
        for _ in range(games):
            state = game.initial
            while not game.terminal_test(state):
                state = game.result(state, chance.choice(game.actions(state)))

    return games, work


def _version(package: str) -> str:
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return ""


def _counted(work: Callable[[], Any], amount: int) -> int:
    work()
    return amount


def _modules(*names: str) -> tuple[Any, ...]:
    return tuple(importlib.import_module(name) for name in names)


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


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep warnings and words of the peers from the user's screen."""
    nowhere = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        yield
