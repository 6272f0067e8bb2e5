"""Which stones are dead at the end of a game, by playing on hurriedly many times: an estimate, as any is."""

from __future__ import annotations

from zermelo.bits import Bits, scatter
from zermelo.games.go import Go
from zermelo.games.go.plane import Cells

GAMES = 40
"""How many times to play on."""
DEAD = -0.3
"""A chain that is its owner's less often than the other's, by this part of the games and more, is dead."""


def dead_stones(game: Go, state: Go.State, games: int = GAMES, seed: int = 0) -> set[int]:
    """The points of the stones that their owner would hardly keep; the same seed gives the same."""
    owned = ownership(game, state, games, seed)
    black, white = game.recurrence(state)
    dead: set[int] = set()
    for colour, stones in ((1.0, black), (-1.0, white)):
        for chain in chains(game, stones):
            if sum(colour * owned[point] for point in chain) / len(chain) < DEAD:
                dead |= chain
    return dead


def ownership(game: Go, state: Go.State, games: int, seed: int) -> dict[int, float]:
    """Whose each point was in the end, on average: 1 is Black's, -1 White's."""
    total = dict.fromkeys(game.points, 0.0)
    word, most = Bits(seed), 3 * game.area
    for _ in range(games):
        now, played = state._replace(passes=0), 0
        while not game.is_terminal(now) and played < most:
            word += 1
            played += 1
            now = game.result(now, game.reply(now, scatter(word)))
        blacks, whites = game.areas(now)
        for point in game.points:
            total[point] += game.holds(blacks, point) - game.holds(whites, point)
    return {point: value / games for point, value in total.items()}


def chains(game: Go, stones: Cells) -> list[set[int]]:
    """The chains of stones of one colour."""
    found, left = [], stones
    while not game.is_empty(left):
        chain = game.chain(game.spot(game.first(left)), stones)
        found.append({point for point in game.points if game.holds(chain, point)})
        left = game.without(left, chain)
    return found


def settled(game: Go, state: Go.State) -> Go.State:
    """The state without the stones that seem dead."""
    dead = dead_stones(game, state)
    black, white = (stones - dead for stones in game.stones(state))
    return game.placed(black, white, state.turn)._replace(komi=state.komi, passes=state.passes)
