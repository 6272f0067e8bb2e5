"""`zermelo solve`: exact values, of one position or of a file of them."""

from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import (
    GameArgument,
    Json,
    Moves,
    Nodes,
    Seconds,
    State,
    TableSize,
    Threads,
    World,
    load_game,
    load_position,
    numbered_lines,
    print_json,
    progress,
    rate,
    say,
    working,
)
from zermelo.cli.show import complain, line_words, number, outcome_words, swept_words, thought_words, value_words
from zermelo.cli.show import seconds as duration
from zermelo.errors import BadInput, Unsolved

MOVE_LENGTH = 12
"""A first word longer than this is no move: the line is meant as a state."""
CLOSE = 1e-9
"""How far off an exact value may be, by rounding."""

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.game import Game
    from zermelo.position import Position
    from zermelo.solver.exact import Solution


def solve(
    game: GameArgument,
    moves: Moves = "",
    state: State = "",
    positions: Annotated[
        str, typer.Option("--positions", help="A file: each line some moves or a state, and the value if known.")
    ] = "",
    seconds: Seconds = None,
    nodes: Nodes = None,
    threads: Threads = 1,
    table: TableSize = None,
    world: World = "auto",
    json: Json = False,
) -> None:
    """Solve a position exactly: its value, and the value of every action.

    In a file of positions the known value may follow: after a semicolon, or
    after a space where moves are written without (`44433 2`). It is compared
    to as many digits as there are (0.6667, or 2/3), and exit code 1 tells that
    something differed.

    Examples:

      zermelo solve tic-tac-toe

      zermelo solve nim:stones=100 --json

      zermelo solve connect-four:margin=1 --positions endgames.txt --json
    """
    from zermelo.engine.options import Options

    options = Options.parse([], threads=threads, **({} if table is None else {"table": table}))
    if positions:
        if moves or state:
            raise BadInput("--positions has all positions: leave out --moves and --state")
        _solve_file(game, positions, nodes, seconds, world, options, json)
        return
    from zermelo.solver.exact import solve as solve_position

    position = load_position(game, state, moves)
    with working(f"solving {game} …"):
        found = solve_position(position, actions=True, nodes=nodes, seconds=seconds, world=world, options=options)
    if found.note:
        complain(found.note)
    print_json(_as_json(position, found, True)) if json else _print(position, found)


def _solve_file(
    spec: str, path: str, nodes: int | None, seconds: float | None, world: str, options: Options, json: bool
) -> None:
    """Each position of a file, in the file's order, printed as soon as it is solved."""
    from zermelo.solver.exact import Solver

    game = load_game(spec)
    tasks = [_Task(game, line, f"{path} line {count}") for count, line in numbered_lines(path)]
    started, total, differ = time.monotonic(), 0, 0
    unsolved: list[str] = []
    with progress(f"solving {len(tasks):,} positions …") as status:
        solver: Solver | None = None
        for count, task in enumerate(tasks, 1):
            solver = solver or Solver(task.position, nodes=nodes, seconds=seconds, world=world, options=options)
            try:
                found = solver.solve(task.position)
            except Unsolved as error:
                unsolved.append(str(error))
                if json:
                    print_json({"position": task.text, "error": str(error)})
                else:
                    say(f"{task.text}  {error}")
                continue
            total += found.nodes
            differ += not task.agrees(found)
            if status is not None:
                status.update(f"solved {count:,} of {len(tasks):,} positions …")
            if json:
                print_json({"position": task.text, **_as_json(task.position, found, False), **task.verdict(found)})
            else:
                say(task.row(found))
    if not json:
        spent, solved = time.monotonic() - started, len(tasks) - len(unsolved)
        how = f"{number(total)} nodes in {duration(spent)} ({rate(total, spent)})"
        typer.echo(f"{solved:,} {'position' if solved == 1 else 'positions'} solved with {how}")
    if unsolved:
        which, why = ", the first" * (len(unsolved) > 1), unsolved[0].split(" is not solved from here: ")[-1]
        complain(f"{len(unsolved):,} of {len(tasks):,} positions not solved{which}: {why}")
    if differ:
        complain(f"{'1 answer differs' if differ == 1 else f'{differ} answers differ'} from what {path} says")
    if differ or unsolved:
        raise typer.Exit(1 if differ else 2)


class _Task:
    """A line of a file: a position, and what is known of it: its value, or values of actions (`A2:+38; C7:+36`)."""

    def __init__(self, game: Game, line: str, where: str) -> None:
        text, _, known = (part.strip() for part in line.partition(";"))
        words = text.split()
        if not known and game.compact and len(words) == 2:
            text, known = words
        self.text, self.position = text, _parse_position(game, text, where)
        self.value: float | None = None
        self.slack, self.written = 0.0, ""
        self.actions: list[str] = []
        pairs = [part.rpartition(":") for part in known.split(";") if part.strip()]
        try:
            values = [(*_read_value(value.strip()), value.strip(), action.strip()) for action, _, value in pairs]
        except (ValueError, ArithmeticError):
            raise BadInput(f"{where}: {known!r} is neither a value nor values of actions (A2:+38; C7:+36)") from None
        if values:
            self.value, self.slack, self.written, _ = max(values)
            best = [action for value, _, _, action in values if action and value == self.value]
            self.actions = [self._as_written(action, where) for action in best]

    def _as_written(self, action: str, where: str) -> str:
        """An action as the game writes it."""
        game, state = self.position.game, self.position.state
        try:
            return game.format_action(state, game.parse_action(state, action))
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None

    def agrees(self, found: Solution) -> bool:
        """Whether the value is the one known, and the action one of those known to be best."""
        if self.value is None:
            return True
        action = self.position.line(list(found.line[:1]))
        close = abs(self.value - found.value) <= self.slack + found.precision
        return close and (not self.actions or action[0] in self.actions)

    def verdict(self, found: Solution) -> dict[str, Any]:
        """What was known, and whether that was found, for programs."""
        if self.value is None:
            return {}
        known = {"best": self.actions} if self.actions else {}
        return {"expected": self.value, **known, "agrees": self.agrees(found)}

    def row(self, found: Solution) -> str:
        """The solution on one line, and what was expected instead where that is so."""
        action = " ".join(self.position.line(list(found.line[:1])))
        expected = f"  expected {self.written} {' '.join(self.actions)}" if not self.agrees(found) else ""
        how = f"{number(found.nodes)} nodes  {duration(found.seconds)}"
        return f"{self.text}  {action}  value {number(found.value)}  {how}{expected.rstrip()}"


def _read_value(text: str) -> tuple[float, float]:
    """A value that is written down, and how far off it may be: by half of its last digit unless it is a whole number
    or a fraction (2/3)."""
    if "/" in text:
        return float(Fraction(text)), CLOSE
    value = Decimal(text)
    if not value.is_finite():
        raise ValueError
    digits = Decimal(0) if value == value.to_integral_value() else Decimal(1).scaleb(int(value.as_tuple().exponent))
    return float(value), float(digits) / 2 + CLOSE


def _parse_position(game: Game, text: str, where: str) -> Position:
    from zermelo.position import Position

    try:
        return Position.from_text(game, moves=text)
    except BadInput as as_moves:
        try:
            return Position.from_text(game, state=text)
        except BadInput as as_state:
            better = as_state if len(text.split()[0]) > MOVE_LENGTH else as_moves
            raise BadInput(f"{where}: {better}") from None


def _as_json(position: Position, found: Solution, actions: bool) -> dict[str, Any]:
    words = position.line(list(found.line))
    answer: dict[str, Any] = {
        "action": words[0] if words else None,
        "value": found.value,
        "kind": "exact",
        "line": words,
        "depth": len(words),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "algorithm": found.algorithm,
        "world": found.world,
    }
    if actions:
        answer["actions"] = {
            position.line([line.action])[0]: line.value if line.kind == "exact" else None for line in found.actions
        }
    if found.sweeps:
        answer |= {"precision": found.precision, "sweeps": found.sweeps}
    return answer | ({"values": list(found.values)} if found.values else {})


def _print(position: Position, found: Solution) -> None:
    game = position.game
    if position.is_terminal:
        typer.echo(f"the game is over: {outcome_words(game, position.utilities)}")
        return
    value = value_words(game, found.value, "exact")
    chance = f"chance moves; to {game.player_name(0)}"
    typer.echo(f"{chance if position.is_chance else game.player_name(position.to_move)}: {value}")
    for line in found.actions:
        words = position.line(list(line.actions))
        typer.echo(f"{words[0]:<8} {thought_words(game, line.value, line.values, line.kind):<20} {line_words(words)}")
    if found.sweeps:
        typer.echo(swept_words(found.nodes, found.sweeps, found.precision, found.seconds, found.world))
        return
    speed = rate(found.nodes, found.seconds)
    typer.echo(f"solved with {number(found.nodes)} nodes in {duration(found.seconds)} ({speed}), {found.world}")
