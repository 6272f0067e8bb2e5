"""Random playouts on the CPU and on a GPU, from the same seed: how many a second, and whether they count the same."""

from __future__ import annotations

import os
from dataclasses import dataclass

from zermelo.bench.rows import Progress
from zermelo.montecarlo.playouts import CPU, CUDA, Playouts, playouts
from zermelo.registry import load

GAMES = ("connect-four", "othello", "backgammon", "nim", "tic-tac-toe")
ROUNDS = 3
CPU_SECONDS, GPU_SECONDS = 1.0, 1.0
"""About how long each round takes."""
SAMPLE = 200_003
"""Games that both play, to compare the counts."""


@dataclass(frozen=True, slots=True)
class Pace:
    """One game: games a second by one thread, by all processors and on the GPU (None where there is none), the moves
    of a game on average, and whether CPU and GPU count the same."""

    game: str
    moves: float
    one: float
    all: float
    gpu: float | None = None
    same: bool | None = None
    device: str = ""
    note: str = ""


def devices(progress: Progress = lambda _: None) -> list[Pace]:
    """All games, each in its best of three rounds."""
    return [_pace(name, progress) for name in GAMES]


def _pace(name: str, progress: Progress) -> Pace:
    game = load(name)
    progress(f"playouts of {name}, CPU")
    sample = playouts(game, games=SAMPLE, seed=1, device=CPU)
    one = _best(name, CPU, 1, sample.rate * CPU_SECONDS)
    every = _best(name, CPU, os.cpu_count() or 1, one * CPU_SECONDS)
    found = Pace(name, sample.moves / sample.games, one, every)
    progress(f"playouts of {name}, GPU")
    there = playouts(game, games=SAMPLE, seed=1, device=CUDA)
    if there.note:
        return Pace(name, found.moves, one, every, note=there.note)
    same = (there.results, there.moves) == (sample.results, sample.moves)
    rate = _best(name, CUDA, 1, 500 * one * GPU_SECONDS)
    return Pace(name, found.moves, one, every, _best(name, CUDA, 1, rate * GPU_SECONDS), same, there.device)


def _best(name: str, device: str, threads: int, games: float) -> float:
    """The best rate of some rounds; the first is for whatever has to be made ready."""

    def play(count: int) -> Playouts:
        return playouts(load(name), games=count, seed=2, device=device, threads=threads)

    play(SAMPLE // 10)
    return max(play(max(int(games), SAMPLE)).rate for _ in range(ROUNDS))
