"""How the command line says things: numbers, values in words, who won, and one sentence when it fails."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from zermelo.game import Game
from zermelo.recast import teams_of

if TYPE_CHECKING:
    from rich.table import Table

    from zermelo.registry import Entry

MOST_MOVES = 40
"""The most moves of a line that are shown."""
NOTHING = 1e-12
"""A value nearer to 0 than this part of the range of values differs from it by rounding alone."""


def number(value: float) -> str:
    """A number as people write it: 1 for 1.0, 12,345,678, 0.3333, -2.5."""
    if not math.isfinite(value):
        return {math.inf: "infinity", -math.inf: "-infinity"}.get(value, "unknown")
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 0.001:
        return f"{value:.2g}"
    text = f"{value:,.4f}" if abs(value) < 1 else f"{value:,.3f}"
    return text.rstrip("0").rstrip(".")


def seconds(time: float) -> str:
    """A duration as people write it: 0.2 ms, 15 ms, 1.5 s, 2 min 5 s, 1 h 2 min."""
    if time < 0.00995:
        return f"{time * 1000:.1f} ms"
    if time < 0.9995:
        return f"{time * 1000:.0f} ms"
    if time < 99.95:
        return f"{time:.1f} s"
    minutes, rest = divmod(round(time), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


def line_words(moves: Sequence[str]) -> str:
    """Moves with spaces between, the first of them where there are too many to read."""
    more = len(moves) - MOST_MOVES
    return " ".join(moves[:MOST_MOVES]) + (f" … ({more:,} more)" if more > 0 else "")


def cleaned(game: Game, value: float) -> float:
    """A value of a game, or 0 where it is that but for rounding."""
    facts = game.facts
    span = facts.highest - facts.lowest
    return 0.0 if abs(value) < NOTHING * (span if math.isfinite(span) else 1.0) else value


def value_words(game: Game, value: float, kind: str, plies: int | None = None, depth: int = 0) -> str:
    """What a value means to the player it belongs to: "a win", or "value 0.25 (estimate)" where no verdict holds."""
    value = cleaned(game, value)
    shown = number(value)
    numbers = {"exact": f"value {shown} (exact)", "lower": f"value at least {shown}", "upper": f"value at most {shown}"}
    return verdict(game, value, kind, plies, depth) or numbers.get(kind, f"value {shown} (estimate)")


def values_words(game: Game, values: Sequence[float]) -> str:
    """What a state is worth to each player, by name: "X: 2, O: -1, Z: -1"."""
    numbers = [number(cleaned(game, value)) for value in values]
    return ", ".join(f"{game.player_name(player)}: {shown}" for player, shown in enumerate(numbers))


def thought_words(game: Game, value: float, values: Sequence[float], kind: str, plies: int | None = None) -> str:
    """What a value means: to the player it belongs to, or to each player where all their values are known."""
    if len(values) < 2 or verdict(game, value, kind, plies):
        return value_words(game, value, kind, plies)
    return f"{values_words(game, values)} ({kind})"


def verdict(game: Game, value: float, kind: str, plies: int | None = None, depth: int = 0) -> str:
    """Who wins, said by the value: "a win", "mate in 3", "at least a draw", "a loss by 4"; "" where it proves nothing.

    `plies` is how far off the end is, where that is known; beyond the depth of the search it may be nearer. Only
    two-player games of constant sum have winners here; where chance moves, only a sure end counts.
    """
    facts = game.facts
    if facts.players != 2 or facts.total is None or kind not in ("exact", "lower", "upper"):
        return ""
    middle = facts.total / 2
    if facts.chance and facts.lowest < value < facts.highest:
        return ""
    win, loss, by, when = "a win", "a loss", "", ""
    if kind == "exact" and not game.win_words:
        by = _margin(abs(value - middle), facts.highest - middle)
    if plies is not None:
        most = "at most " if plies > depth else ""
        when = f" in {most}{plies} {'ply' if plies == 1 else 'plies'}"
        if game.win_words:
            (win, loss), when = game.win_words, f" in {most}{(plies + 1) // 2}"
    if value > middle:
        return "" if kind == "upper" else f"{win}{by}{when}"
    if value < middle:
        return "" if kind == "lower" else f"{loss}{by}{when}"
    return {"exact": "a draw", "lower": "at least a draw", "upper": "at most a draw"}[kind]


def outcome_words(game: Game, utilities: Sequence[float]) -> str:
    """How a game ended: "X wins", "draw", "X wins by 6", or every player's score where that says more.

    Without utilities it is "unknown".
    """
    facts = game.facts
    if not utilities:
        return "unknown"
    if facts.players == 1:
        return f"score {number(utilities[0])}"
    best, worst = max(utilities), min(utilities)
    names = [game.player_name(player) for player in range(facts.players)]
    if best == worst:
        return "draw" if facts.total is not None else f"draw, each gets {number(best)}"
    winners = [player for player, value in enumerate(utilities) if value == best]
    teams = teams_of(game)
    together = len({teams[player] for player in winners}) == 1
    who = " and ".join(names[player] for player in winners) + (" wins" if len(winners) == 1 else " win")
    if facts.players == 2 and facts.total == 0:
        return who if game.win_words else who + _margin(best, facts.highest)
    if together and len(set(utilities)) == 2 and best - worst <= 2:
        return who
    if facts.total is None:
        return ", ".join(f"{name} gets {number(value)}" for name, value in zip(names, utilities, strict=True))
    return f"{who if together else f'{who} together'} ({values_words(game, utilities)})"


def elo_words(elo: float, low: float, high: float) -> str:
    """A difference of ratings with the range that holds it: "Elo +301 (95 %: +109 to +493)"."""
    shown = [f"{value:+.0f}" if abs(value) < 1e9 else "+∞" if value > 0 else "-∞" for value in (elo, low, high)]
    return f"Elo {shown[0]} (95 %: {shown[1]} to {shown[2]})"


def swept_words(states: int, sweeps: int, precision: float, time: float, world: str) -> str:
    """What value iteration did, and how near to the value that is."""
    times = "once" if sweeps == 1 else f"up to {sweeps:,} times"
    within = f", to within {precision:.1g}" if precision else ""
    return f"swept {number(states)} states {times} in {seconds(time)}{within}, by value-iteration, {world}"


def games_table(games: Iterable[Entry]) -> Table:
    """The games as a table: players, chance, what it is, what is known, what can be set."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("game", style="bold cyan", no_wrap=True)
    table.add_column("players", justify="right")
    table.add_column("chance")
    table.add_column("about", ratio=1)
    for game in games:
        about = Text(game.summary)
        for label, text in (("known", game.known), ("settings", " ".join(game.parameters))):
            if text:
                about.append(f"\n{label}: {text}", "dim")
        table.add_row(game.name, str(game.players), "yes" if game.chance else "", about)
    return table


def about_game(game: Game) -> str:
    """The first line of the game's docstring; "" where its class has none."""
    return (type(game).__doc__ or "").strip().partition("\n")[0].strip()


def complain(message: str) -> None:
    """One sentence on the error stream."""
    sys.stdout.flush()
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"zermelo: {message}\n".encode(encoding, "replace").decode(encoding))
    sys.stderr.flush()


def _margin(margin: float, most: float) -> str:
    """What a win is won by, as in " by 6"; "" where a win is a win."""
    counts = margin > 1 or 1 < most < math.inf
    return f" by {number(margin)}" if counts else ""
