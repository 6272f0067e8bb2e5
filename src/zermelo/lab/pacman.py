"""Pac-Man's experiments: why he starves, what depth is worth, how ghosts trap him, and what it costs to be wrong
about them.

Depths are counted in moves of Pac-Man, with all the ghosts' moves between. Where several actions are equally good, one
is drawn, so games differ; the same seed gives the same games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from statistics import mean
from typing import NamedTuple

from zermelo.games.pacman import Pacman
from zermelo.lab.maze_players import Course, Greedy, Lucky, Mover, Planner, play
from zermelo.lab.report import Experiment, Mean, Report, Teller
from zermelo.maze import STAY

SHALLOW, DEEP = 2, 10
"""The depths of the lecture's films."""
TRAP_DEPTH = 6
"""How far those in the trap look ahead."""
GAMBLE_DEPTH = 3
"""How far those of the two-by-two table look ahead."""
EAST, WEST = 1, 3


class Bench(NamedTuple):
    """What all games of a run share: how many there are of each kind, the seed, and whom to tell."""

    games: int
    seed: int
    tell: Teller

    def courses(self, name: str, game: Pacman, pacman: Mover, ghost: Mover) -> list[Course]:
        """The games of one kind; each has its own luck, the same whatever the kind."""
        found = []
        for number in range(self.games):
            self.tell(f"{name}, game {number + 1} of {self.games}")
            found.append(play(game, pacman, [ghost] * (game.movers - 1), random.Random(f"{self.seed}/{number}")))
        return found


def run(games: int, seed: int, tell: Teller) -> Iterator[Report]:
    """All the experiments, each as it is done."""
    bench = Bench(games, seed, tell)
    yield plans()
    for experiment in (starving, depth, trap, gamble):
        yield experiment(bench)


PACMAN = Experiment("pacman", "starving, depth, ghosts that trap together, minimax against expectimax", run)


def plans() -> Report:
    """All that he can plan at depth 2 beside a dot, by both evaluations: how the starving comes about."""
    naive, better = _starving_game("score"), _starving_game("better")
    start = naive.initial()._replace(cells=(1,))
    found: list[tuple[str, float, float]] = []
    for plan in product((WEST, EAST, STAY), repeat=2):
        middle = naive.result(start, plan[0])
        if plan[1] in naive.actions(middle):
            end = naive.result(middle, plan[1])
            words = ", ".join(naive.format_action(start, action) for action in plan)
            found.append((words, naive.evaluate(end, 0), round(better.evaluate(end, 0), 2)))
    now, later = ([row for row in found if row[0].startswith("west") == first] for first in (True, False))
    ties = max(row[1] for row in later) == max(row[1] for row in now)
    cured = max(row[2] for row in later) < max(row[2] for row in now)
    return Report(
        "plans of depth 2, a dot next to him in the west, the other far in the east",
        "Waiting seems just as good as eating: the dot can be eaten later.",
        ("plan", "score", "better"),
        tuple(found),
        f"by score, the best plan that eats now and the best that waits are {'equal' if ties else 'not equal'}; "
        f"by better, eating now is {'better' if cured else 'not better'}",
        ties and cured,
    )


def starving(bench: Bench) -> Report:
    """Depth 2 between two dots, nobody else there: the naive evaluation and the better one."""
    heads = ("evaluation", "food of 2", "won", "steps", "back where he was", "score")
    courses = {}
    for evaluation in ("score", "better"):
        game = _starving_game(evaluation)
        planner = Planner(game, SHALLOW, natively=False)
        courses[evaluation] = bench.courses(f"starving by {evaluation}", game, planner, planner)
    rows = tuple(
        (name, f"{_mean(runs, 'food'):.1f}", _share(runs, "won"), *_figures(runs, "steps", "returns"), _score(runs))
        for name, runs in courses.items()
    )
    naive, better = (_mean(runs, "food") for runs in courses.values())
    return Report(
        f"starving: alone in a corridor, depth {SHALLOW}, at most {_starving_game('score').steps} steps",
        "A Pac-Man who replans at every step thrashes and starves; a better evaluation cures him.",
        heads,
        rows,
        f"he eats {naive:.1f} of 2 dots by the score, {better:.1f} by the better evaluation",
        better > naive,
    )


def depth(bench: Bench) -> Report:
    """Minimax against chasing ghosts, shallow and deep, by both evaluations."""
    ghost = Lucky(Pacman("loops", ghosts_play="chasing"))
    courses = {}
    for evaluation, moves in product(("score", "better"), (SHALLOW, DEEP)):
        game = Pacman("loops", ghosts_play="minimax", evaluation=evaluation)
        name = f"depth {moves} by {evaluation}"
        courses[evaluation, moves] = bench.courses(name, game, Planner(game, moves), ghost)
    rows = tuple(
        (evaluation, str(moves), _share(runs, "won"), *_figures(runs, "food", "steps"), _score(runs))
        for (evaluation, moves), runs in courses.items()
    )
    scores = {kind: Mean.of([run.score for run in runs]) for kind, runs in courses.items()}
    deeper = all(scores[kind, DEEP].is_above(scores[kind, SHALLOW]) for kind in ("score", "better"))
    gaps = [abs(scores["better", moves].value - scores["score", moves].value) for moves in (SHALLOW, DEEP)]
    return Report(
        "depth: minimax against two chasing ghosts, layout loops",
        "More plies make a big difference, and the deeper the search, the less the evaluation matters.",
        ("evaluation", "depth", "won", "food", "steps", "score"),
        rows,
        f"deeper is {'better' if deeper else 'not surely better'} by both; the evaluations differ by {gaps[0]:.0f} "
        f"points at depth {SHALLOW} and by {gaps[1]:.0f} at depth {DEEP}",
        deeper and gaps[1] < gaps[0],
    )


def trap(bench: Bench) -> Report:
    """Two ghosts as a team against two that chase him each alone, in a ring."""
    game = Pacman("trap", ghosts_play="minimax")
    planner = Planner(game, TRAP_DEPTH)
    ghosts: dict[str, Mover] = {
        f"team, depth {TRAP_DEPTH}": planner,
        f"team, depth {SHALLOW}": Planner(game, SHALLOW),
        "each takes the shortest way": Greedy(game),
        "chasing by chance": Lucky(Pacman("trap", ghosts_play="chasing")),
        "random": Lucky(Pacman("trap", ghosts_play="random")),
    }
    courses = {name: bench.courses(f"trap, {name}", game, planner, ghost) for name, ghost in ghosts.items()}
    rows = tuple(
        (name, _share(runs, "eaten"), _share(runs, "won"), *_figures(runs, "steps"), _score(runs))
        for name, runs in courses.items()
    )
    together, _, alone, *_ = (_mean(runs, "eaten") for runs in courses.values())
    return Report(
        f"trap: two ghosts on one side of a ring, Pac-Man minimax of depth {TRAP_DEPTH}",
        "Ghosts that minimise his score together trap him without having agreed to.",
        ("ghosts", "caught", "he won", "steps", "score"),
        rows,
        f"the team catches him in {together:.0%} of the games, ghosts that each take the shortest way in {alone:.0%}",
        together > alone,
    )


def gamble(bench: Bench) -> Report:
    """The two-by-two table: what he takes the ghosts for, and what they are."""
    team, chance = (Pacman("gamble", ghosts_play=kind) for kind in ("minimax", "random"))
    planner = Planner(team, GAMBLE_DEPTH)
    believers: dict[str, Mover] = {"minimax": planner, "expectimax": Planner(chance, GAMBLE_DEPTH)}
    ghosts: dict[str, Mover] = {"minimax": planner, "random": Lucky(chance)}
    courses = {
        (his, theirs): bench.courses(f"{his} against {theirs} ghosts", team, believers[his], ghosts[theirs])
        for his, theirs in product(believers, ghosts)
    }
    rows = tuple(
        (his, *(f"{_score(courses[his, kind])}, won {_share(courses[his, kind], 'won')}" for kind in ghosts))
        for his in believers
    )
    scores = {kind: Mean.of([run.score for run in runs]) for kind, runs in courses.items()}
    right = scores["minimax", "minimax"].is_above(scores["expectimax", "minimax"])
    gloomy = scores["expectimax", "random"].is_above(scores["minimax", "random"])
    return Report(
        f"two by two: what he takes the ghosts for and what they are, layout gamble, depth {GAMBLE_DEPTH}",
        "Minimax is right against perfect ghosts and too gloomy against random ones; expectimax is the reverse.",
        ("Pac-Man", "against minimax ghosts", "against random ghosts"),
        rows,
        f"against minimax ghosts minimax is {'better' if right else 'not surely better'}, "
        f"against random ones expectimax is{'' if gloomy else ' not surely better'}",
        right and gloomy,
    )


def _starving_game(evaluation: str) -> Pacman:
    return Pacman("starve", ghosts_play="minimax", evaluation=evaluation, steps=100, stop=True)


def _mean(runs: Sequence[Course], name: str) -> float:
    return mean(float(getattr(run, name)) for run in runs)


def _figures(runs: Sequence[Course], *names: str) -> tuple[str, ...]:
    return tuple(f"{_mean(runs, name):.1f}" for name in names)


def _share(runs: Sequence[Course], name: str) -> str:
    return f"{sum(bool(getattr(run, name)) for run in runs)}/{len(runs)}"


def _score(runs: Sequence[Course]) -> str:
    return str(Mean.of([run.score for run in runs]))
