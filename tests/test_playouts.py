"""Playouts: counted as a naive twin counts them, the same interpreted, native, in threads and as a GPU would."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from dice import Becalmed, Dice, Stuck, ThreeWay
from uct_twin import WORD, Luck
from zermelo.bits import Bits, scatter
from zermelo.errors import BadInput, GameError, NoDevice, NotNative
from zermelo.game import Game
from zermelo.montecarlo.playouts import Playouts, playouts
from zermelo.montecarlo.random_play import (
    CLOSE,
    COUNT,
    ENTRY,
    HEAD,
    KEY,
    MOVES,
    RESULTS,
    SLOTS,
    count_kernel,
    hand_over,
    memory_size,
    note_result,
)
from zermelo.native.memory import poke_float
from zermelo.registry import load
from zermelo.search.luck import random_action, random_outcome

GAMES = ["tic-tac-toe", "nim:stones=9", "random-tree:depth=4", "dice", "three"]


def made(spec: str) -> Game:
    games: dict[str, Game] = {"dice": Dice(), "three": ThreeWay()}
    return games[spec] if spec in games else load(spec)


def naive(game: Game, games: int, seed: int) -> tuple[Counter[tuple[float, ...]], int]:
    """The results and the number of moves, in plain integers and lists."""
    counts: Counter[tuple[float, ...]] = Counter()
    moves = 0
    for number in range(games):
        luck, state = Luck(seed, number), game.initial()
        while not game.is_terminal(state):
            state = luck.step(game, state)
            moves += 1
        counts[game.utilities(state)] += 1
    return counts, moves


def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.montecarlo.playouts.TRIAL", 10**9)


@pytest.mark.parametrize("spec", [*GAMES, "connect-four"])
def test_playouts_are_counted_as_a_naive_twin_counts_them(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreted(monkeypatch)
    for seed in (0, 1, 2**61):
        found = playouts(made(spec), games=40, seed=seed)
        assert (found.results, found.moves) == naive(made(spec), 40, seed)
        assert (found.games, found.unfinished) == (40, 0)


@pytest.mark.native
@pytest.mark.parametrize("spec", GAMES)
def test_native_threads_and_a_simulated_gpu_count_the_same(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy

    from zermelo.native.device import Simulated

    game = made(spec)
    one, three = (playouts(game, games=2003, seed=5, device="cpu", threads=threads) for threads in (1, 3))
    assert one.results == three.results
    assert one.moves == three.moves
    state, seed, memory = game.initial(), 5, numpy.zeros(memory_size(7), numpy.int64)
    gpu = Simulated(count_kernel, game, (state, seed, 0, 0, 1000, 0, 0, 1))
    assert gpu.launch((state, seed, 0, 2003, 1000, memory.ctypes.data), 7)
    counts = memory[HEAD + COUNT : HEAD + ENTRY * RESULTS : ENTRY]
    assert sorted(counts[counts > 0]) == sorted(one.results.values())
    assert memory[MOVES] == one.moves
    interpreted(monkeypatch)
    few = playouts(game, games=150, seed=5)
    monkeypatch.undo()
    assert playouts(game, games=150, seed=5, device="cpu").results == few.results


@pytest.mark.native
@pytest.mark.parametrize("spec", ["dice", "connect-four", "othello"])
def test_kernels_become_ptx_that_needs_nothing_else(spec: str) -> None:
    from zermelo.native.device import ENTRY as NAME
    from zermelo.native.device import code_of, ptx_for

    game = made(spec)
    args = (game.initial(), 0, 0, 0, 1000, 0, 0, 1)
    text = ptx_for(count_kernel, game, args, "sm_90")
    assert f".visible .entry {NAME}(" in text
    assert ".target sm_90" in text
    assert ".extern" not in text
    assert ptx_for(count_kernel, game, args, "sm_90") == text
    assert code_of(count_kernel, game, args).kinds[-2:] == ("i64", "i64")


def worth_kernel(game: Game, state: Any, memory: Any, thread: int, threads: int) -> None:  # noqa: ARG001
    """What a state is worth to the first player, as a kernel for a GPU."""
    poke_float(memory, thread, game.utility(state, 0))


class Rooted(Dice):
    """Ends with all that a GPU does as the CPU does."""

    def utility(self, state: Dice.State, player: int) -> float:
        share = state.points / 7
        sign = math.copysign(1.0, 0.5 - player)
        return sign * (math.sqrt(share) + math.sqrt(state.points) + round(share) + math.ceil(share) * abs(share - 1))


class Powers(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return 2.0 ** (state.points / 3)


class Growth(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return math.exp(state.points)


class Logarithms(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return math.log(state.points + 1)


class Waves(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return math.sin(state.points)


class Angles(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return math.atan2(state.points, 2.0)


class Gammas(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return math.gamma(state.points + 1.5)


class Remainders(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return (state.points / 3) % 0.7


class Lists(Dice):
    def utility(self, state: Dice.State, player: int) -> float:
        return [number / 2 for number in range(state.points + 1)][-1]


@pytest.mark.native
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Powers, "a GPU can't do ** as the CPU does: work it out in __init__, or leave it out of play"),
        (Growth, "a GPU can't do exp as"),
        (Logarithms, "a GPU can't do log as"),
        (Waves, "a GPU can't do sin as"),
        (Angles, "a GPU can't do atan2 as"),
        (Gammas, "a GPU can't do gamma as"),
        (Remainders, "a GPU can't do % or // of floats as"),
        (Lists, "a GPU has no memory for the lists and arrays that rules make: use tuples with put(…), or Bits"),
    ],
)
def test_what_a_gpu_can_not_do_is_a_sentence(kind: type[Game], told: str) -> None:
    from zermelo.native.device import ptx_for

    game = kind()
    with pytest.raises(NotNative) as refused:
        ptx_for(worth_kernel, game, (game.initial(), 0, 0, 1), "sm_50")
    assert str(refused.value).startswith(told)


def test_a_few_results_never_drive_each_other_out_of_a_threads_own_entries() -> None:
    memory: dict[int, int] = {}
    private = HEAD + ENTRY * RESULTS
    keys = [Bits(5 << 40 | number) for number in range(2, 2 + CLOSE)]
    for number, key in enumerate(keys * 100):
        note_result(memory, private, key, number)
    assert min(memory) >= private
    note_result(memory, private, Bits(5 << 40 | 99), 1000)
    assert [
        count for place, count in memory.items() if place < private and place % ENTRY == (HEAD + COUNT) % ENTRY
    ] == [100]
    for slot in range(SLOTS):
        hand_over(memory, private + ENTRY * slot)
    counts = {memory[at + KEY]: memory[at + COUNT] for at in memory if at < private and (at - HEAD) % ENTRY == KEY}
    assert counts == {**dict.fromkeys(keys, 100), Bits(5 << 40 | 99): 1}


@pytest.mark.native
def test_what_a_gpu_does_it_does_as_the_cpu() -> None:
    import numpy

    from zermelo.native.device import Simulated, ptx_for

    game, memory = Rooted(), numpy.zeros(1)
    text = ptx_for(worth_kernel, game, (game.initial(), 0, 0, 1), "sm_50")
    assert text.count("sqrt.rn.f64") == 2
    assert ".extern" not in text
    gpu = Simulated(worth_kernel, game, (game.initial(), 0, 0, 1))
    for points in range(100):
        state = game.State(points, 0, False)
        assert gpu.launch((state, memory.ctypes.data), 1)
        assert memory[0] == game.utility(state, 0)


@pytest.mark.native
def test_the_cpu_plays_what_a_gpu_can_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.native.device import ptx_for

    class Gpu:
        """As much of one as there is here: the making of its code."""

        def program(self, kernel: Any, game: Game, args: tuple[Any, ...]) -> Any:
            return ptx_for(kernel, game, args, "sm_50")

    monkeypatch.setattr("zermelo.native.driver.gpu", Gpu)
    found = playouts(Remainders(), games=50, device="cuda")
    assert found.note.startswith("a GPU can't do % or // of floats")
    assert found.note.endswith("; the CPU plays")
    assert (found.games, found.device) == (50, "cpu, 1 thread")


class Listed(Dice):
    """A game that only runs interpreted: it uses a dict."""

    def utility(self, state: Dice.State, player: int) -> float:
        return {0: 1.0, 1: -1.0}[player] * state.points


def test_a_game_that_can_not_be_native_is_played_interpreted() -> None:
    found = playouts(Listed(), games=30, seed=1, device="cuda")
    assert (found.games, found.device) == (30, "cpu, interpreted")
    assert "interpreted" in found.note
    assert found.results == playouts(Dice(), games=30, seed=1).results


class Loose(Dice):
    """A game whose state can't be native: it is a list."""

    def initial(self) -> Any:
        return [0, 0, False]


@pytest.mark.parametrize("device", ["auto", "cuda"])
@pytest.mark.parametrize("kind", [Listed, Loose])
def test_a_game_that_can_not_be_native_is_refused_where_that_is_asked_for(kind: type[Game], device: str) -> None:
    with pytest.raises(NotNative, match="can't be native"):
        playouts(kind(), games=5, device=device, world="native")


@pytest.mark.native
def test_without_a_gpu_the_cpu_plays_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_gpu() -> Any:
        raise NoDevice("there is no CUDA GPU here")

    monkeypatch.setattr("zermelo.native.driver.gpu", no_gpu)
    found = playouts(load("nim"), games=100, seed=1, device="cuda")
    assert found.note == "there is no CUDA GPU here; the CPU plays"
    assert found.results == playouts(load("nim"), games=100, seed=1, device="cpu").results


def test_games_that_go_on_and_on_are_broken_off() -> None:
    found = playouts(Dice(), games=20, most=7)
    assert (found.unfinished, found.finished, found.results, found.mean()) == (20, 0, {}, 0.0)


def test_means_and_errors() -> None:
    found = Playouts({(1.0, -1.0): 30, (0.0, 0.0): 10, (-1.0, 1.0): 60}, games=100)
    assert found.mean() == -found.mean(1) == pytest.approx(-0.3)
    assert found.error() == found.error(1) == pytest.approx(((0.9 - 0.09) / 100) ** 0.5)


def test_the_mean_is_the_expected_one(monkeypatch: pytest.MonkeyPatch) -> None:
    interpreted(monkeypatch)
    points = 0.0
    for _ in range(10):
        points = (points + 1.75) / 2
    found = playouts(Dice(), games=2000, seed=1)
    assert found.mean() == pytest.approx(points, abs=5 * found.error())


def test_actions_are_picked_evenly_and_outcomes_by_their_probability() -> None:
    nim, dice = load("nim:stones=9"), Dice()
    words = [scatter(Bits(number)) for number in range(1, 4001)]
    picked = Counter(random_action(nim, nim.initial(), word) for word in words)
    thrown = Counter(random_outcome(dice, dice.initial(), word) for word in words)
    assert {action: round(count / 4000, 1) for action, count in picked.items()} == {1: 0.3, 2: 0.3, 3: 0.3}
    assert sorted(thrown) == [1, 2, 3]
    assert thrown[1] / 4000 == pytest.approx(0.5, abs=0.03)
    assert random_outcome(dice, dice.initial(), Bits(WORD)) == 3


def test_seeds_near_each_other_give_other_playouts() -> None:
    game = load("connect-four")
    found = [playouts(game, games=20, seed=seed) for seed in range(20)]
    assert len({(str(each.results), each.moves) for each in found}) >= 18


@pytest.mark.parametrize("games", [5, pytest.param(500, marks=pytest.mark.native)])
def test_a_game_that_gets_stuck_is_told(games: int) -> None:
    for game in (Stuck(), Becalmed()):
        with pytest.raises(GameError):
            playouts(game, games=games)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"games": 0}, {"games": -5}, {"threads": 0}, {"threads": 10**9}, {"most": 0}, {"device": "tpu"}),
        {"device": "cuda", "world": "interpreted"},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as told:
        playouts(load("nim"), **wrong)
    assert "\n" not in str(told.value)


def test_listeners_hear_and_can_stop_it() -> None:
    heard: list[int] = []

    class Enough(Exception):
        """Raised by the listener."""

    def listen(now: Playouts) -> None:
        heard.append(now.games)
        if len(heard) == 3:
            raise Enough

    with pytest.raises(Enough):
        playouts(Dice(), games=20, listen=listen)
    assert len(heard) == 3
