"""Which action is looked at next: by score, of equals the earliest; and what is remembered of those that cut."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphs import Hashed
from trees import examples
from zermelo.engine.ranking import FULL, choose, offer, reinforce, standing
from zermelo.engine.work import HISTORY, Work


class Kinds(Hashed):
    """Actions of given gains, each of a kind of its own."""

    def __init__(self, gains: tuple[float, ...]) -> None:
        super().__init__()
        self.gains = gains

    def gain(self, state: Any, action: int) -> float:
        return self.gains[action]

    def motif(self, state: Any, action: int) -> int:
        return action


GAINS = st.lists(st.sampled_from([0.0, 0.0, 0.0, 1.0, 1.01, 9.0, -2.0, 0.05]), min_size=1, max_size=40)
HINT, KILLERS, COUNTER = st.integers(-1, 40), st.tuples(*[st.integers(-1, 40)] * 2), st.integers(-1, 40)


def naive_order(gains: list[float], hint: int, killers: tuple[int, int], counter: int, past: Any) -> list[int]:
    """Groups of actions, the best first, each sorted by its own measure; of equals the earliest."""

    def place(action: int) -> tuple[int, float]:
        if action == hint:
            return 0, 0.0
        if gains[action] > 0:
            return 1, -gains[action]
        if gains[action] < 0:
            return 5, -gains[action]
        if action in killers:
            return 2, 0.0
        return (3, 0.0) if action == counter else (4, -past[action])

    return sorted(range(len(gains)), key=place)


@examples(200)
@given(GAINS, HINT, KILLERS, COUNTER, st.lists(st.integers(-FULL, FULL), min_size=40, max_size=40), st.integers(0, 5))
def test_the_best_comes_first_and_of_equals_the_earliest(
    gains: list[float], hint: int, killers: tuple[int, int], counter: int, past: list[int], base: int
) -> None:
    game, work, state = Kinds(tuple(gains)), Work(), 0
    work.killers[6:8] = killers
    work.counters[7] = counter
    work.history[HISTORY : HISTORY + 40] = past
    for action in range(len(gains)):
        offer(game, state, action, hint, 1, 3, 7, base, action, work)
    found = [choose(state, base, len(gains), work) for _ in gains]
    assert [action for _, action, _ in found] == naive_order(gains, hint, killers, counter, past)
    assert [gain for _, _, gain in found] == [gains[action] for _, action, _ in found]


@examples(50)
@given(st.integers(1, 12), st.integers(1, 30), st.integers(0, 1), st.integers(0, 9))
def test_what_cut_rises_after_the_same_actions_and_what_was_tried_before_it_sinks(
    tried: int, depth: int, mover: int, ply: int
) -> None:
    game, work, state = Kinds((0.0,) * 20), Work(), 0
    work.motifs[ply], work.motifs[max(ply - 1, 0)] = 5, 6
    for action in range(20):
        offer(game, state, action, -1, mover, ply, 0, 0, action, work)
    chosen = [choose(state, 0, 20, work)[1] for _ in range(tried)]
    reinforce(game, state, chosen[-1], mover, depth, ply, 0, 0, 20, work)
    now = [standing(game, state, action, mover, ply, work) for action in range(20)]
    assert now[chosen[-1]] > 0
    assert all(now[action] < 0 for action in chosen[:-1])
    assert all(now[action] == 0 for action in range(20) if action not in chosen)
    assert work.killers[2 * ply] == work.counters[0] == chosen[-1]
    work.motifs[ply] = 99
    assert 0 < standing(game, state, chosen[-1], mover, ply, work) < now[chosen[-1]]
    assert standing(game, state, chosen[-1], 1 - mover, ply, work) == 0
