"""All states that may follow on a state, numbered as they are found, with what leads where: a game as a flat graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.errors import GameError, LimitReached
from zermelo.fields import hash_fields, spread
from zermelo.game import CHANCE
from zermelo.native import limit_now, natively
from zermelo.native.memory import get_item, put_item
from zermelo.search.luck import CLOSE
from zermelo.search.tally import NO_LIMIT

MAXIMISES, MINIMISES, AVERAGES, ENDS = 0, 1, 2, 3
"""What the value of a state is of those that follow: the most, the least, the average; an end has its own."""
ODDS, WORTH, TIES = 1, 2, 3
"""What may be wrong with a state: its probabilities, its utility, what it is worth if it comes back."""
LOW_BITS = (1 << 32) - 1


@dataclass(slots=True)
class Count:
    """How far an exploration is: `nodes` states are found, of which `known` are in the table and `done` have all their
    `links` written down; `fault` is what is wrong with the state that comes next."""

    limit: int = NO_LIMIT
    nodes: int = 0
    known: int = 0
    done: int = 0
    links: int = 0
    fault: int = 0


def explore(
    game: Any,
    state: Any,
    table: Any,
    states: Any,
    starts: Any,
    targets: Any,
    odds: Any,
    kinds: Any,
    worth: Any,
    count: Any,
) -> None:
    """Go on to find all states that may follow on `state`, breadth first, until there are no more or no room.

    The links of state n, in the order of its actions or outcomes, are those from `starts[n]` up to `starts[n + 1]`:
    `targets` are the states they lead to, `odds` their probabilities; outcomes that can't happen have none. `worth` is
    the utility of an end to player 0; of another state, what it is worth if it comes back and that ends the game.
    Nothing is written down of a state whose links have no room.
    """
    while count.known < count.nodes:
        if limit_now(count) == 0:
            raise LimitReached
        enter(table, states, get_item(states, count.known, itself, state), count.known)
        count.known += 1
    if count.nodes == 0:
        count.nodes = count.known = 1 + enter(table, states, state, 0)
    lowest, highest = game.utility_bounds
    while count.done < count.nodes:
        if count.nodes > limit_now(count):
            raise LimitReached
        at, link = count.done, count.links
        now = get_item(states, at, itself, state)
        if game.is_terminal(now):
            kinds[at] = ENDS
            worth[at] = float(game.utility(now, 0))
            count.fault = 0 if lowest <= worth[at] <= highest else WORTH
        elif game.has_chance and game.to_move(now) == CHANCE:
            kinds[at] = AVERAGES
            link = link_outcomes(game, now, table, states, targets, odds, len(kinds), count)
        else:
            kinds[at] = game.to_move(now)
            worth[at] = float(game.tied(now, 0)) if game.ends_by_repetition else 0.0
            link = link_actions(game, now, table, states, targets, len(kinds), count)
        if link < 0 or count.fault != 0:
            return
        count.known = count.nodes
        count.links = link
        count.done += 1
        starts[count.done] = link


def link_actions(game: Any, now: Any, table: Any, states: Any, targets: Any, room: int, count: Any) -> int:
    """Write down where the actions of a state lead; where the links end, or -1 if there is no room."""
    link: int = count.links
    for action in game.actions(now):
        if link >= len(targets) or count.nodes >= room:
            return -1
        targets[link] = number_of(game.result(now, action), table, states, count)
        link += 1
    if link == count.links:
        raise GameError(f"{game.title}.actions gives nothing where is_terminal is false: give an action there")
    return link


def link_outcomes(game: Any, now: Any, table: Any, states: Any, targets: Any, odds: Any, room: int, count: Any) -> int:
    """The same for the outcomes of chance, with their probabilities, which must add up to 1."""
    link: int = count.links
    total = 0.0
    for action, probability in game.outcomes(now):
        if link >= len(targets) or count.nodes >= room:
            return -1
        if probability > 0:
            targets[link] = number_of(game.result(now, action), table, states, count)
            odds[link] = probability
            link += 1
        total += probability if probability >= 0 else 2.0
    count.fault = 0 if abs(total - 1.0) <= CLOSE else ODDS
    return link


def number_of(state: Any, table: Any, states: Any, count: Any) -> int:
    """The number of a state, a new one if it was not found before."""
    number = enter(table, states, state, count.nodes)
    count.nodes = max(count.nodes, number + 1)
    return number


def itself(state: Any) -> Any:
    """A state as it is stored."""
    return state


def _enter_in_array(table: Any, states: Any, state: Any, number: int) -> int:
    """`enter`, where a table is an array of words, 0 or the number and one, with 32 bits of the key above it.

    There is always an empty word.
    """
    key = hash_fields(state)
    tag = int(spread(key))
    place = tag & (len(table) - 1)
    while table[place] != 0:
        if table[place] >> 32 == tag >> 1:
            found = (table[place] & LOW_BITS) - 1
            if get_item(states, found, itself, state) == state:
                return int(found)
        place = (place + 1) & (len(table) - 1)
    table[place] = tag >> 1 << 32 | (number + 1)
    put_item(states, number, state)
    return number


@natively(_enter_in_array)
def enter(table: dict[Any, int], states: dict[int, Any], state: Any, number: int) -> int:
    """The number of a state; if it has none yet, `number` becomes its number."""
    found = table.setdefault(state, number)
    if found == number:
        states[number] = state
    return found
