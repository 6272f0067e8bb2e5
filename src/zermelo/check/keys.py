"""Keys: equal keys must mean the same value, and different keys should spread over a table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from math import exp
from typing import Any

from zermelo.bits import Bits
from zermelo.check.report import Counts
from zermelo.check.values import Values
from zermelo.check.witness import Broken, Witness, short
from zermelo.fields import kind_of
from zermelo.game import overrides
from zermelo.search.memory import slot

MOST_PAIRS, MOST_SOLVED = 1_000, 50
"""Pairs of states with one key that are looked into, and of those the ones whose values are looked for."""

MOST_NEAR = 10_000
"""States near one another whose keys are compared, besides those of random play."""

CENTRES = 4
"""From how many states on all that is near is looked at."""

ENOUGH = 256
"""Keys from which on their spread means something."""


def check_keys(witness: Witness, states: list[Any], near: Iterable[Any], values: Values, counts: Counts) -> None:
    """The keys of all states, of which tables take 64 bits; states that share one must be alike in all that counts.

    Those of random play are counted; `near` are others, which differ from one another in little.
    """
    first: dict[Bits, Any] = {}
    pairs = []
    for number, state in enumerate(chain(states, near)):
        key = witness.ask_twice("key", state) if number < ENOUGH else witness.ask("key", state)
        if not isinstance(key, int):
            cure = "tables keep 64 bits, so give an int or Bits"
            witness.refuse("key", "kind", f"gives {key!r}, {kind_of(key)},", cure, state)
        check_size(witness, key, state)
        other = first.setdefault(Bits(key), state)
        if other is not state and not witness.same(other, state):
            pairs.append((Bits(key), other, state))
        if number == len(states) - 1:
            counts.keys, counts.merged_states = len(first), len(pairs)
            counts.key_spread = spread([int(key) for key in first])
    for number, (key, one, other) in enumerate(pairs[:MOST_PAIRS]):
        try:
            compare(witness, key, one, other, values if number < MOST_SOLVED else None)
        except Broken:
            continue


def neighbours(witness: Witness, centres: list[Any], most: int, seconds: float) -> Iterator[Any]:
    """All states one or two plies after each of a few, until there are as many or the seconds are over; none
    where the rules are known to fail."""
    if witness.broken:
        return
    until, step = time.monotonic() + seconds, max(1, len(centres) // CENTRES)
    ahead = chain.from_iterable(_near(witness, centre) for centre in centres[: step * CENTRES : step])
    with suppress(Broken):
        for state in islice(ahead, min(most, MOST_NEAR)):
            if time.monotonic() > until:
                return
            yield state


def _near(witness: Witness, state: Any) -> Iterator[Any]:
    for child in _after(witness, state):
        yield child
        yield from _after(witness, child)


def _after(witness: Witness, state: Any) -> Iterator[Any]:
    for action in witness.run("actions", state, witness.game.legal, state):
        yield witness.ask("result", state, action)


def check_size(witness: Witness, key: Any, state: Any) -> None:
    """A key has at most 64 bits; with one that has more no search can use a table, nor can the worlds agree."""
    if isinstance(key, int) and not -(1 << 63) <= int(key) < 1 << 64:
        witness.broken = True
        what = f"gives {key}, which does not fit into 64 bits,"
        witness.refuse("key", "size", what, "fold it, or leave key to the default", state)


def compare(witness: Witness, key: Bits, one: Any, other: Any, values: Values | None) -> None:
    """Two different states with one key: an error if they are not worth the same, a warning if that is unlikely."""
    game = witness.game
    shared = f"gives {int(key)} both in {witness.described(one)} and in {witness.described(other)},"
    if not overrides(game, "key"):
        cure = "this is bad luck of the default key, so write key(state)"
        witness.note("key", "chance", shared.rstrip(","), cure, one, "warning", placed=True)
        return
    ends = [witness.ask("is_terminal", state) for state in (one, other)]
    movers = [witness.ask("to_move", state) for state in (one, other)]
    if ends[0] != ends[1]:
        collide(witness, one, f"{shared} though only one of them is terminal")
    elif all(ends):
        worths = [witness.run("utility", state, game.utilities, state) for state in (one, other)]
        if worths[0] != worths[1]:
            collide(witness, one, f"{shared} two ends of different utilities")
    elif movers[0] != movers[1]:
        collide(witness, one, f"{shared} where another player is to move")
    else:
        compare_values(witness, shared, one, other, values)


def compare_values(witness: Witness, shared: str, one: Any, other: Any, values: Values | None) -> None:
    """Two states whose values are different, or which look different where nobody knows their values."""
    first, second = (None if values is None else values.value(state, 0) for state in (one, other))
    if values is not None and first is not None and second is not None:
        if not values.equal(first, second):
            collide(witness, one, f"{shared} though their values are {first:g} and {second:g}")
        return
    game = witness.game
    moves = [len(witness.run("actions", state, game.legal, state)) for state in (one, other)]
    looks = [witness.run("evaluate", state, game.evaluations, state) for state in (one, other)]
    if moves[0] != moves[1]:
        suspect(witness, one, f"{shared} where there are {moves[1]} actions in place of {moves[0]}")
    elif looks[0] != looks[1]:
        suspect(witness, one, f"{shared} where evaluate gives {short(looks[1])} in place of {short(looks[0])}")


def suspect(witness: Witness, state: Any, what: str) -> None:
    cure = "make sure that both are worth the same, or put into the key what tells them apart"
    witness.note("key", "suspect", what, cure, state, "warning", placed=True)


def collide(witness: Witness, state: Any, what: str) -> None:
    witness.note("key", "collision", what, "put into the key what tells them apart", state, placed=True)


def spread(keys: list[int]) -> float | None:
    """How many places of a table the keys take, as a part of what random numbers would; None for few."""
    if len(keys) < ENOUGH:
        return None
    places = 1 << len(keys).bit_length()
    taken = len({slot(places, key) for key in keys})
    return round(min(1.0, taken / (places * (1 - exp(-len(keys) / places)))), 3)
