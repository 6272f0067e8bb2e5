"""What a search found, as a person or a program reads it: rows while it goes on, the answer, and the answer as JSON."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from zermelo.cli.common import rate
from zermelo.cli.show import (
    line_words,
    number,
    outcome_words,
    swept_words,
    thought_words,
    value_words,
    values_words,
    verdict,
)
from zermelo.cli.show import seconds as duration

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.result import Line, Odds, Result

LONG = 100_000
"""From how many nodes on a search is long enough to show its depths."""


def shower(position: Position, unit: str = "nodes") -> Callable[[Result], None]:
    """Prints a row for each depth, all of them once the search is a long one; on a terminal, cut at its edge."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    heads = f"{'depth':>5}  {'value':>10}  {unit:>13}  {'time':>8}  {'speed':>16}  {'table':>6}  line"
    rows = [heads[:columns]]

    def show(result: Result) -> None:
        words = " ".join(position.line(list(result.line)))
        row = (
            f"{result.depth:>5}  {_short(position, result):>10}  {number(result.nodes):>13}  "
            f"{duration(result.seconds):>8}  {rate(result.speed, 1):>16}  {result.table:>6.1%}  {words}"
        )
        rows.append(row if len(row) <= columns else f"{row[: columns - 1]}…")
        while rows and result.nodes >= LONG:
            typer.echo(rows.pop(0))

    return show


def _short(position: Position, result: Result) -> str:
    """A value for a narrow column: +0.25, and where it is proved win 7, loss 4, mate 3, draw, =+12."""
    words, middle = position.game.win_words, (position.game.facts.total or 0) / 2
    if result.kind == "exact" and result.plies is not None:
        win, loss = words or ("win", "loss")
        return f"{win if result.value > middle else loss} {(result.plies + 1) // 2 if words else result.plies}"
    shown = f"{result.value:+.2f}".rstrip("0").rstrip(".") if round(result.value, 2) else "0"
    return f"={shown}" if result.kind == "exact" else shown


def as_json(game: str, position: Position, result: Result) -> dict[str, Any]:
    """A result as one JSON object, actions in the game's own notation."""
    texts = position.line(list(result.line))
    found: dict[str, Any] = {
        "game": game,
        "state": str(position),
        "action": texts[0] if texts else None,
        "value": result.value,
        "kind": result.kind,
        "line": texts,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "algorithm": result.algorithm,
        "world": result.world,
    }
    if result.sweeps:
        found |= {"precision": result.precision, "sweeps": result.sweeps}
    if result.plies is not None:
        found["plies"] = result.plies
    if result.values:
        found["values"] = list(result.values)
    if result.lines and result.lines[0].odds is not None:
        found |= _odds_json(result.lines[0].odds)
    if texts and (several := _turn(position, result.line)) > 1:
        found["play"] = texts[:several]
    if len(result.lines) > 1:
        found["lines"] = [_line_json(position, line) for line in result.lines]
    return found


def _line_json(position: Position, line: Line) -> dict[str, Any]:
    words = position.line(list(line.actions))
    found = {"action": words[0], "value": line.value, "kind": line.kind, "line": words}
    if line.values:
        found["values"] = list(line.values)
    if line.plies is not None:
        found["plies"] = line.plies
    return found | (_odds_json(line.odds) if line.odds is not None else {})


def _odds_json(odds: Odds) -> dict[str, Any]:
    found = {"visits": odds.visits, "share": odds.share, "error": odds.error}
    return found | ({} if odds.win is None else {"win": odds.win, "draw": odds.draw})


def _turn(position: Position, actions: tuple[Any, ...]) -> int:
    """How many of the actions that follow one another the player to move takes before another moves."""
    game, state = position.game, position.state
    mover, count = game.to_move(state), 0
    for action in actions:
        if game.is_terminal(state) or game.to_move(state) != mover:
            break
        state, count = game.result(state, action), count + 1
    return count


def print_answer(position: Position, result: Result, how: str = "") -> None:
    """The answer in words; `how` says how the others play, where that is given."""

    game = position.game
    if position.is_terminal:
        typer.echo(f"the game is over: {outcome_words(game, result.values)}")
        return
    if result.action is None:
        typer.echo(f"chance moves; to {game.player_name(0)}: {value_words(game, result.value, result.kind)}{how}")
    for line in result.lines if len(result.lines) > 1 else ():
        words = position.line(list(line.actions))
        if len(line.values) > 1:
            value = thought_words(game, line.value, line.values, line.kind)
        else:
            value = value_words(game, line.value, line.kind, line.plies, result.depth) + how
        typer.echo(f"{_play(position, line.actions):<8} {value:<28} {_odds_words(line.odds)}{line_words(words)}")
    if len(result.lines) <= 1 and result.action is not None:
        words = position.line(list(result.line))
        mover = game.player_name(position.to_move)
        value = value_words(game, result.value, result.kind, result.plies, result.depth) + how
        typer.echo(f"{_play(position, result.line)}  ({mover}: {value})")
        typer.echo(f"line     {line_words(words)}")
        if result.lines and (odds := _odds_words(result.lines[0].odds)):
            typer.echo(f"tried    {odds.strip()}")
    if len(result.values) > 1 and len(result.lines) <= 1 and not verdict(game, result.value, result.kind):
        typer.echo(f"each     {values_words(game, result.values)}")
    if result.algorithm == "book":
        typer.echo("from the book" + (f", which searched to depth {result.depth}" if result.depth else ""))
        return
    if result.sweeps:
        typer.echo(swept_words(result.nodes, result.sweeps, result.precision, result.seconds, result.world))
        return
    if (result.lines and result.lines[0].odds is not None) or result.algorithm in ("uct", "flat"):
        speed, full = rate(result.speed, 1), f"its memory {result.table:.1%} full"
        done = f"simulated {number(result.nodes)} games in {duration(result.seconds)} ({speed})"
        typer.echo(f"{done} by {result.algorithm}, {result.world}; the tree is {result.depth} deep, {full}")
        return
    speed, nodes = rate(result.speed, 1), "1 node" if result.nodes == 1 else f"{number(result.nodes)} nodes"
    typer.echo(
        f"searched {nodes} to depth {result.depth} in {duration(result.seconds)} ({speed}) "
        f"by {result.algorithm}, {result.world}"
    )


def _play(position: Position, actions: tuple[Any, ...]) -> str:
    """The first action, and those that the same player takes after it before another moves."""
    return " ".join(position.line(list(actions))[: max(_turn(position, actions), 1)])


def _odds_words(odds: Odds | None) -> str:
    """What simulations say of an action, for a column: how often it was tried, won and drawn."""
    if odds is None:
        return ""
    won = "" if odds.win is None else f", won {odds.win:.1%}, drawn {odds.draw:.1%}"
    error = "" if odds.error is None else f", mean ± {1.96 * odds.error:.3g}"
    return f"{odds.share:>6.1%} of simulations{won}{error}  "
