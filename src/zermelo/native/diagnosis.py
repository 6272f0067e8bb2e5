"""Why a rule can't be compiled, in one sentence: the file, the line, and what to write instead."""

from __future__ import annotations

import ast
import inspect
import os
import re
from pathlib import Path

from zermelo.errors import NotNative
from zermelo.game import Game
from zermelo.native.rewrite import shown_path
from zermelo.native.states import OURS

CURES = (
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+)",
        r"\3 is \1 on one way and \2 on another: give it one kind from the start",
    ),
    (r"Can't unify return type from the following types: (.+)", r"it returns \1 on different ways: return one kind"),
    (r"Unknown attribute '([^']+)' of type ([\w.]+)", r"there is no .\1 on a \2"),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (r"Untyped global name 'reversed'", "reversed can't be used: count down with range(n - 1, -1, -1)"),
    (r"Untyped global name '(sorted|enumerate|map|filter|iter|next)'", r"\1 can't be used here: write a for loop"),
    (
        r"(?:Untyped global name|[Cc]annot determine Numba type of).*?'(\w+)'",
        r"\1 is of a kind that native rules can't use: use numbers, Bits and tuples of them",
    ),
    (
        r"Variable '([A-Za-z_]\w*)' is not defined|Type of variable '([A-Za-z_][^'.]*)",
        r"the kind of \1\2 can't be told: give it a value on every way",
    ),
    (r"reflected list|List\(|list\(", "it works with a list: use a tuple with put(…), or Bits"),
    (
        r"unicode_type|Literal\[str\]",
        "it works with strings: use numbers, and make text in format_action or format_state",
    ),
    (
        r"No implementation of function Function\(<(?:built-in function|class) '?(\w+)'?>\) found for signature",
        r"\1 can't be used on these kinds of things",
    ),
    (
        r"[Tt]he use of (?:a )?(.+?) is not supported|Use of unsupported (.+)",
        r"\1\2 can't be used in rules: write it more plainly",
    ),
)


WORDS = (
    (r"\bself__(\w+)", r"self.\1"),
    (r"Literal\[int\]\([^)]*\)|u?int(?:64|p|32)", "int"),
    (r"float64|float32", "float"),
    (r"\bboolean\b", "bool"),
    (r"UniTuple\((\w+) x (\d+)\)", r"a tuple of \2 \1"),
)
"""The compiler's names for kinds of things, as an author would say them."""


def explain(game: Game, error: Exception) -> NotNative:
    """The sentence for a compiler's error; its own words become the detail."""
    if isinstance(error, NotNative):
        return error
    detail = re.sub(r"\x1b\[[0-9;]*m", "", f"{type(error).__name__}: {error}")
    return NotNative(f"{_where(game, detail)} can't be native: {_reason(detail)}", detail)


def _reason(detail: str) -> str:
    if OURS in detail:
        return detail.rpartition(OURS)[2].splitlines()[0]
    for pattern, cure in CURES:
        found = re.search(pattern, detail)
        if found:
            return _in_words(found.expand(cure).strip())
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    return next((line for line in lines if "nopython mode pipeline" not in line), lines[0])


def _in_words(text: str) -> str:
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text)
    return text


def _where(game: Game, detail: str) -> str:
    """The deepest place in the author's files that the compiler names, else the game."""
    files = {_file_of(kind) for kind in type(game).__mro__} - {"", _file_of(Game)}
    for path, line in re.findall(r'File "([^"]+)", line (\d+)', detail):
        known = next((file for file in files if os.path.abspath(path) == file), None)
        if known is not None:
            return f"{shown_path(known)} line {line}: {_definition_at(known, int(line)) or game.title}"
    return game.title


def _file_of(kind: type) -> str:
    try:
        return os.path.abspath(inspect.getsourcefile(kind) or "")
    except (TypeError, OSError):
        return ""


def _definition_at(path: str, line: int) -> str:
    """The function or method in whose lines a line of a file stands."""
    try:
        tree: ast.AST = ast.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ""
    names: list[str] = []
    inside = True
    while inside:
        inside = False
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
                names.append(node.name)
                tree, inside = node, True
                break
    return ".".join(names)
