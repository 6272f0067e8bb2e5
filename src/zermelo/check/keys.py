"""Keys: equal keys must mean the same value, and different keys should spread over a table."""

from __future__ import annotations

from math import exp
from typing import Any

from zermelo.bits import Bits
from zermelo.check.report import Counts
from zermelo.check.values import Values
from zermelo.check.witness import Broken, Witness
from zermelo.fields import kind_of
from zermelo.game import overrides
from zermelo.search.memory import slot

MOST_PAIRS = 50
"""Pairs of states with one key that are looked into."""

ENOUGH = 256
"""Keys from which on their spread means something."""


def check_keys(witness: Witness, states: list[Any], values: Values, counts: Counts) -> None:
    """The keys of all states, of which tables take 64 bits; states that share one must be alike in all that counts."""
    first: dict[Bits, Any] = {}
    pairs = []
    for number, state in enumerate(states):
        key = witness.ask_twice("key", state) if number < ENOUGH else witness.ask("key", state)
        if not isinstance(key, int):
            cure = "tables keep 64 bits, so give an int or Bits"
            witness.refuse("key", "kind", f"gives {key!r}, {kind_of(key)},", cure, state)
        check_size(witness, key, state)
        other = first.setdefault(Bits(key), state)
        if other is not state and not witness.same(other, state):
            pairs.append((Bits(key), other, state))
    counts.keys, counts.merged_states = len(first), len(pairs)
    counts.key_spread = spread([int(key) for key in first])
    for key, one, other in pairs[:MOST_PAIRS]:
        try:
            compare(witness, key, one, other, values)
        except Broken:
            continue


def check_size(witness: Witness, key: Any, state: Any) -> None:
    """A key has at most 64 bits; with one that has more no search can use a table, nor can the worlds agree."""
    if isinstance(key, int) and not -(1 << 63) <= int(key) < 1 << 64:
        witness.broken = True
        what = f"gives {key}, which does not fit into 64 bits,"
        witness.refuse("key", "size", what, "fold it, or leave key to the default", state)


def compare(witness: Witness, key: Bits, one: Any, other: Any, values: Values) -> None:
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


def compare_values(witness: Witness, shared: str, one: Any, other: Any, values: Values) -> None:
    first, second = (values.value(state, 0) for state in (one, other))
    if first is not None and second is not None:
        if not values.equal(first, second):
            collide(witness, one, f"{shared} though their values are {first:g} and {second:g}")
        return
    moves = [len(witness.run("actions", state, witness.game.legal, state)) for state in (one, other)]
    if moves[0] != moves[1]:
        what = f"{shared} where there are {moves[1]} actions in place of {moves[0]}"
        cure = "make sure that both are worth the same, or put into the key what tells them apart"
        witness.note("key", "suspect", what, cure, one, "warning", placed=True)


def collide(witness: Witness, state: Any, what: str) -> None:
    witness.note("key", "collision", what, "put into the key what tells them apart", state, placed=True)


def spread(keys: list[int]) -> float | None:
    """How many places of a table the keys take, as a part of what random numbers would; None for few."""
    if len(keys) < ENOUGH:
        return None
    places = 1 << len(keys).bit_length()
    taken = len({slot(places, key) for key in keys})
    return round(min(1.0, taken / (places * (1 - exp(-len(keys) / places)))), 3)
