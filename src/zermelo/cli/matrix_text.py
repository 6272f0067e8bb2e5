"""How `zermelo matrix` says what it found: the matrix, the mixes, what is dominated, the proof, the picture."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from zermelo.cli.show import number, seconds

if TYPE_CHECKING:
    from zermelo.matrix.dominance import Dominated, Elimination
    from zermelo.matrix.growth import Level
    from zermelo.matrix.payoffs import Matrix, Mix, Number, Responses
    from zermelo.matrix.solution import MatrixSolution
    from zermelo.matrix.strategic import StrategicForm

Answers = Mapping[str, "tuple[Mix, Responses] | None"]
"""For each player a mix that was asked about, and the best answers to it."""

MOST_ROWS = 20
"""The most rows of a matrix that are shown."""

MOST_NAMES = 8
"""The most choices that are told one after the other."""

MOST_LINES = 10
"""The most dominated choices, or rounds, that are told."""

READABLE = 10**7
"""Counts from here on are powers of ten in a table."""

LONGEST = 24
"""The most characters of a name in the matrix."""

LONG = 12
"""The most characters of a number that is written in full."""

LONG_PART = 8
"""The most characters of the numerator and of the denominator of one that is not."""


def show(
    found: MatrixSolution,
    left: Elimination,
    answers: Answers,
    form: StrategicForm | None,
) -> None:
    """Print what was found."""
    lines = [
        f"{found.matrix.title}, {_shape(found.matrix.shape)}: what the row player gets",
        "",
        *_table(found.matrix),
        "",
    ]
    lines += _answer(found)
    lines += _dominance(found.matrix, left)
    lines += _proof(found)
    lines += _responses(found, answers)
    if form:
        lines += _tree(found, form)
    echo([*lines, *_picture(found)])


def echo(lines: Iterable[str]) -> None:
    """Print lines, in ASCII where the output can hold no more."""
    from zermelo.draw.text import can_draw, to_ascii

    plain = not can_draw(sys.stdout.encoding)
    for line in lines:
        typer.echo(to_ascii(line) if plain else line)


def say(value: Number, slack: Number = 0) -> str:
    """A fraction as it is, a long one cut and with its decimal: 4/7, but 1234567…/7654321… ~ 0.1613.

    A float is as people write it, and 0 where it is within `slack` of 0.
    """
    if not isinstance(value, Fraction):
        return number(value if abs(value) > slack else 0)
    from zermelo.draw.mixture import cut
    from zermelo.matrix.numerals import fraction_text

    text = fraction_text(value)
    if len(text) <= LONG or value.denominator == 1:
        return text
    top, bottom = (cut(part, LONG_PART) for part in text.split("/"))
    return f"{top}/{bottom} ~ {number(float(value))}"


def payoff_words(payoff: Fraction) -> str:
    """A payoff in little room: as its author wrote it, or rounded where that is long."""
    from zermelo.matrix.numerals import payoff_text

    text = payoff_text(payoff)
    return text if len(text) <= LONG else f"~{number(float(payoff))}"


def mix_words(mix: Mix, names: Sequence[str]) -> str:
    """The choices that a mix makes, each with its probability."""
    played = [(quoted(name), share) for name, share in zip(names, mix, strict=True) if share]
    return f"always {played[0][0]}" if len(played) == 1 else _some(f"{name} {say(share)}" for name, share in played)


def quoted(name: str) -> str:
    """A name among others: one with spaces in quotation marks."""
    return f"'{name}'" if " " in name else name


def _some(words: Iterable[str]) -> str:
    """Words with commas between, the first of them where there are many."""
    listed = list(words)
    more = len(listed) - MOST_NAMES
    return ", ".join(listed[:MOST_NAMES]) + (f" … ({more:,} more)" if more > 0 else "")


def _labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"{label:<11}{line}".rstrip()
        label = ""


def _shape(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,} × {shape[1]:,}"


def _table(matrix: Matrix) -> Iterator[str]:
    """The matrix, as many rows and columns of it as there is room for."""
    from zermelo.draw.mixture import cut

    height, width = matrix.shape
    names = ["", *(cut(name, LONGEST) for name in matrix.rows[:MOST_ROWS])]
    columns = [names]
    room = shutil.get_terminal_size().columns - max(map(len, names)) - len("  …")
    for name, payoffs in zip(matrix.columns, zip(*matrix.payoffs[:MOST_ROWS], strict=True), strict=True):
        column = [cut(name, LONGEST), *map(payoff_words, payoffs)]
        room -= max(map(len, column)) + 2
        if room < 0 and len(columns) > 1:
            break
        columns.append(column)
    sizes = [max(map(len, column)) for column in columns]
    more = "  …" if len(columns) <= width else ""
    for line in zip(*columns, strict=True):
        first, *rest = line
        yield (
            "  ".join(
                [f"{first:<{sizes[0]}}", *(f"{text:>{size}}" for text, size in zip(rest, sizes[1:], strict=True))]
            )
            + more
        )
    if height > MOST_ROWS:
        yield f"… ({height - MOST_ROWS:,} more rows)"


def _answer(found: MatrixSolution) -> Iterator[str]:
    how = "exact" if found.exact else "by linear programming"
    yield from _labelled("value", [f"{say(found.value, found.proof.tolerance)} ({how})"])
    for player, mix, other, names in (
        ("row", found.row, found.other_row, found.matrix.rows),
        ("column", found.column, found.other_column, found.matrix.columns),
    ):
        yield from _labelled(player, [mix_words(mix, names), _only(found, other, names)])
    points = [_pair(found.matrix, i, j) for i, j in found.matrix.saddle_points]
    yield from _labelled("saddle", [_some(points) if points else "none: no pair of pure strategies is optimal"])


def _only(found: MatrixSolution, other: Mix | None, names: Sequence[str]) -> str:
    """Whether a mix is the only optimal one, as surely as it is known."""
    if other is None:
        return "no other mix is optimal" if found.decided else "no other optimal mix was found"
    how = "is optimal too" if found.decided else f"does as well, to within {_slack(found)}"
    return f"not the only one: {mix_words(other, names)} {how}"


def _slack(found: MatrixSolution) -> str:
    return f"{float(found.proof.tolerance):.1g}"


def _pair(matrix: Matrix, row: int, column: int) -> str:
    return f"{quoted(matrix.rows[row])} against {quoted(matrix.columns[column])}"


def _dominance(matrix: Matrix, left: Elimination) -> Iterator[str]:
    from zermelo.matrix.dominance import looks_at_all

    names = {"row": matrix.rows, "column": matrix.columns}
    lines = [_dominated(each, names) for each in left.dominated]
    if not looks_at_all(matrix):
        lines.append("not looked for in so large a matrix")
    elif not matrix.is_small:
        lines.append("looked for by pure strategies only in so large a matrix")
    yield from _labelled("dominated", [*lines[:MOST_LINES], *_more(lines)] if lines else ["none"])
    if left.rounds:
        rounds = [f"{place}. {_round(taken, names)}" for place, taken in enumerate(left.rounds, 1)]
        rows, columns = (quoted(matrix.rows[i]) for i in left.rows), (quoted(matrix.columns[j]) for j in left.columns)
        rest = f"{_shape((len(left.rows), len(left.columns)))}: rows {_some(rows)}; columns {_some(columns)}"
        yield from _labelled("taken out", [*rounds[:MOST_LINES], *_more(rounds)])
        yield from _labelled("left", [rest])


def _more(lines: list[str]) -> list[str]:
    return [f"… ({len(lines) - MOST_LINES:,} more)"] if len(lines) > MOST_LINES else []


def _dominated(each: Dominated, names: dict[str, tuple[str, ...]]) -> str:
    own = names[each.player]
    by = _some(quoted(own[choice]) + f" {say(share)}" * (not each.by_pure) for choice, share in each.by.items())
    return f"{each.player} {quoted(own[each.choice])} {'strictly' if each.strict else 'weakly'} by {by}"


def _round(taken: tuple[Dominated, ...], names: dict[str, tuple[str, ...]]) -> str:
    own = names[taken[0].player]
    several = f"{taken[0].player}{'s' if len(taken) > 1 else ''}"
    how = "strictly" if all(each.strict for each in taken) else "weakly"
    return f"{several} {_some(quoted(own[each.choice]) for each in taken)} ({how})"


def _proof(found: MatrixSolution) -> Iterator[str]:
    game, proof = found.matrix, found.proof
    columns = (quoted(game.columns[choice]) for choice in proof.floor.choices)
    rows = (quoted(game.rows[choice]) for choice in proof.ceiling.choices)
    floor, ceiling = (say(side.payoff, proof.tolerance) for side in (proof.floor, proof.ceiling))
    equal = "exactly" if found.exact else f"to within {_slack(found)}"
    yield from _labelled(
        "proof",
        [
            f"min over t of U(s*, t) = {floor}: row gets no less; reached at {_some(columns)}",
            f"max over s of U(s, t*) = {ceiling}: column pays no more; reached at {_some(rows)}",
            f"both are the value, {equal}: the minimax theorem holds",
        ],
    )


def _responses(found: MatrixSolution, answers: Answers) -> Iterator[str]:
    matrix = found.matrix
    for player, own, others in (("row", matrix.rows, matrix.columns), ("column", matrix.columns, matrix.rows)):
        given = answers[player]
        if given:
            mix, best = given
            gets: Number = best.payoff
            if not found.exact:
                mix, gets = tuple(map(float, mix)), float(gets)
            choices = _some(quoted(others[choice]) for choice in best.choices)
            what = f"if {player} plays {mix_words(mix, own)}: {choices}; row then gets {say(gets)}"
            yield from _labelled("answer", [what])


def _tree(found: MatrixSolution, form: StrategicForm) -> Iterator[str]:
    from zermelo.search.strategies import count_words

    counts = [
        f"{who}: {count_words(full)} full, {count_words(reduced)} reduced"
        for who, full, reduced in zip(("row (Max)", "column (Min)"), form.full, form.reduced, strict=True)
    ]
    same = "the same value" if form.agrees(found) else "another value"
    pure = "pure strategies suffice" if found.matrix.saddle_points else "no pure strategies suffice"
    yield from _labelled("strategies", counts)
    yield from _labelled(
        "backward", [f"induction finds {number(form.value)} after {form.nodes:,} nodes: {same}; {pure}"]
    )


def _picture(found: MatrixSolution) -> list[str]:
    from zermelo.draw.mixture import lines
    from zermelo.draw.text import can_draw
    from zermelo.matrix.picture import has_picture, mixture

    if not has_picture(found.matrix):
        return []
    return ["", *lines(mixture(found), boxes=can_draw(sys.stdout.encoding))]


def growth_table(branching: int, levels: list[Level]) -> Iterator[str]:
    """The levels as a table, and what to read in it."""
    from zermelo.search.strategies import count_words

    heads = ["h", "full", "reduced", f"{branching}^⌈h/2⌉", "pairs", f"{branching}^h", "compared", "nodes", "searched"]
    rows = [
        [
            str(level.height),
            count_words(level.full[0], READABLE),
            count_words(level.reduced[0], READABLE),
            f"{level.lecture:,}",
            count_words(level.pairs, READABLE),
            f"{branching**level.height:,}",
            "–" if level.comparing is None else seconds(level.comparing),
            f"{level.nodes:,}",
            seconds(level.searching),
        ]
        for level in levels
    ]
    sizes = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    yield f"Uniform trees of {branching} actions a node: strategies of Max, and two ways to the value"
    yield ""
    for row in (heads, *rows):
        yield "  ".join(f"{text:>{size}}" for text, size in zip(row, sizes, strict=True))
    compared = [level for level in levels if level.agree is not None]
    same = sum(bool(level.agree) for level in compared)
    yield ""
    yield f"the same value both ways in {same} of {len(compared)} trees; one strategy reaches {branching}^⌊h/2⌋ leaves"
