"""`zermelo matrix`: games in which both choose at once, and game trees made into them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.common import Json, Moves, State, load_position, print_json, progress
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.cli.matrix_text import Answers
    from zermelo.matrix.dominance import Dominated, Elimination
    from zermelo.matrix.payoffs import Matrix, Mix, Number
    from zermelo.matrix.solution import MatrixSolution
    from zermelo.matrix.strategic import StrategicForm


def matrix(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CSV file, - for the standard input, or a name.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Solve in fractions.")] = False,
    row_plays: Annotated[
        str, typer.Option("--row-plays", metavar="MIX", help="The best answers to this mix of rows: 1/2 1/4 1/4.")
    ] = "",
    column_plays: Annotated[
        str, typer.Option("--column-plays", metavar="MIX", help="The same for a mix of columns: rock=1/2,paper=1/2.")
    ] = "",
    svg: Annotated[
        str, typer.Option("--svg", metavar="FILE", help="Draw a game of two rows or columns; - as for --csv.")
    ] = "",
    csv: Annotated[str, typer.Option("--csv", metavar="FILE", help="Write the matrix; - for the output alone.")] = "",
    tree: Annotated[str, typer.Option("--tree", metavar="GAME", help="Make a small game tree into a matrix.")] = "",
    full: Annotated[bool, typer.Option("--full", help="With --tree: all strategies, equivalent ones too.")] = False,
    moves: Moves = "",
    state: State = "",
    growth: Annotated[
        int | None, typer.Option("--growth", metavar="B", help="How strategies multiply in trees of B actions a node.")
    ] = None,
    json: Json = False,
) -> None:
    """Solve a matrix game: its value, an optimal mix of each player, and the proof that they are.

    A file has the row player's payoffs in CSV (3, -0.5 or 1/3), with names of
    rows and columns or without. By name there are rock-paper-scissors,
    matching-pennies, morra:fingers=2 and blotto:soldiers=6,fields=3,enemy=6.

    Examples:

      zermelo matrix rock-paper-scissors --exact

      zermelo matrix payoffs.csv --svg payoffs.svg

      zermelo matrix blotto:soldiers=5 --json

      zermelo matrix rock-paper-scissors --column-plays rock=1/2,paper=1/2

      zermelo matrix --tree nim:stones=5

      zermelo matrix --growth 2
    """
    if sum((bool(file), bool(tree), growth is not None)) != 1:
        raise BadInput("give a matrix, or --tree with a game, or --growth with a number: see zermelo matrix --help")
    if (full or moves or state) and not tree:
        raise BadInput("--full, --moves and --state are for --tree: leave them out")
    if growth is not None:
        if exact or row_plays or column_plays or svg or csv:
            raise BadInput("--growth solves no matrix: give it alone, or with --json")
        _show_growth(growth, json)
        return
    form = _form(tree, state, moves, full) if tree else None
    game = form.matrix if form else _load(file)
    if csv:
        _write(csv, _as_csv(game), "matrix")
        if csv == "-":
            return
    _solve(game, form, exact, (row_plays, column_plays), svg, json)


def _solve(game: Matrix, form: StrategicForm | None, exact: bool, mixes: tuple[str, str], svg: str, json: bool) -> None:
    from zermelo.cli.matrix_text import show
    from zermelo.matrix.dominance import eliminate
    from zermelo.matrix.reading import parse_mix
    from zermelo.matrix.solution import solve_matrix

    row = parse_mix(mixes[0], game.rows) if mixes[0] else None
    column = parse_mix(mixes[1], game.columns) if mixes[1] else None
    with progress(f"solving {game.title} …"):
        found = solve_matrix(game, exact)
        left = eliminate(game)
    answers: Answers = {
        "row": (row, game.answers_to_row(row)) if row else None,
        "column": (column, game.answers_to_column(column)) if column else None,
    }
    if svg:
        from zermelo.draw.mixture_svg import svg as draw
        from zermelo.matrix.picture import mixture

        _write(svg, draw(mixture(found)), "picture")
    if svg == "-":
        return
    if json:
        print_json(_as_json(found, left, answers, form))
    else:
        show(found, left, answers, form)


def _load(file: str) -> Matrix:
    from zermelo.matrix.library import load_matrix

    return load_matrix(file)


def _form(spec: str, state: str, moves: str, full: bool) -> StrategicForm:
    from zermelo.matrix.strategic import strategic_form

    position = load_position(spec, state, moves)
    with progress(f"making {spec} into a matrix …"):
        return strategic_form(position.game, position.state, max(position.to_move, 0), reduced=not full)


def _as_csv(game: Matrix) -> str:
    from zermelo.matrix.reading import write_matrix

    return write_matrix(game)


def _write(path: str, text: str, what: str) -> None:
    if path == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"the {what} can't be written to {path}: {getattr(error, 'strerror', None) or error}") from None


def _show_growth(branching: int, json: bool) -> None:
    from zermelo.cli.matrix_text import echo, growth_table
    from zermelo.matrix.growth import growth

    levels = growth(branching)
    if json:
        print_json([_level_json(level) for level in levels])
        return
    echo(growth_table(branching, list(levels)))


# JSON.


def _as_json(
    found: MatrixSolution,
    left: Elimination,
    answers: Answers,
    form: StrategicForm | None,
) -> dict[str, Any]:
    game, proof = found.matrix, found.proof
    of = {"row": game.rows, "column": game.columns}
    told: dict[str, Any] = {
        "title": game.title,
        "rows": game.rows,
        "columns": game.columns,
        "payoffs": [[_number(payoff, found.exact) for payoff in row] for row in game.payoffs],
        "exact": found.exact,
        "value": _number(found.value, found.exact),
    }
    mixes = {"row": (found.row, found.other_row), "column": (found.column, found.other_column)}
    for player, (mix, other) in mixes.items():
        told[player] = _mix(mix, of[player], found.exact)
        told[f"other_{player}"] = None if other is None else _mix(other, of[player], found.exact)
    told["others_decided"] = found.decided
    told["saddle_points"] = [(game.rows[i], game.columns[j]) for i, j in game.saddle_points]
    told["dominated"] = [_dominated(each, of) for each in left.dominated]
    told["elimination"] = {
        "rounds": [[_dominated(each, of) for each in taken] for taken in left.rounds],
        "rows": [game.rows[row] for row in left.rows],
        "columns": [game.columns[column] for column in left.columns],
    }
    told["proof"] = {
        "least_against_row": _number(proof.floor.payoff, found.exact),
        "most_against_column": _number(proof.ceiling.payoff, found.exact),
        "tolerance": float(proof.tolerance),
        "holds": proof.holds,
    }
    for player, others in (("row", game.columns), ("column", game.rows)):
        given = answers[player]
        if given:
            names = [others[choice] for choice in given[1].choices]
            told[f"answers_to_{player}"] = {"payoff": _number(given[1].payoff, found.exact), "choices": names}
    if form:
        counts = {"full": form.full, "reduced": form.reduced}
        told["tree"] = {**counts, "value": form.value, "nodes": form.nodes, "agrees": form.agrees(found)}
    return told


def _level_json(level: Any) -> dict[str, Any]:
    kept = {name: getattr(level, name) for name in ("height", "pairs", "lecture", "nodes", "agree")}
    sides = {"full": level.full, "reduced": level.reduced}
    return kept | sides | {"searching": round(level.searching, 6), "comparing": level.comparing}


def _number(number: Number, exact: bool) -> str | float:
    """A fraction as text, which keeps it exact; else a float."""
    from zermelo.matrix.numerals import fraction_text

    return fraction_text(Fraction(number)) if exact else float(number)


def _mix(mix: Mix, names: tuple[str, ...], exact: bool) -> dict[str, str | float]:
    return {name: _number(share, exact) for name, share in zip(names, mix, strict=True)}


def _dominated(each: Dominated, of: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    names = of[each.player]
    by = {names[choice]: _number(share, exact=True) for choice, share in each.by.items()}
    return {"player": each.player, "choice": names[each.choice], "strict": each.strict, "by": by}
