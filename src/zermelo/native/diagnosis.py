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

FIXED = "tuples of native rules have a fixed length"
CURES = (
    (
        r"Cannot unify (.+?) and (.+?) for '\$",
        r"a value is \1 on one way and \2 on another, as with and, or, if … else: let it be of one kind",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+)",
        r"\3 is \1 on one way and \2 on another: give it one kind from the start",
    ),
    (
        r"Can't unify return type from the following types: (.*Tuple.*)",
        r"it returns \1 on different ways: yield the items one by one, or return one kind",
    ),
    (r"Can't unify return type from the following types: (.+)", r"it returns \1 on different ways: return one kind"),
    (
        r"have imprecise type: list\(undefined\)",
        "it can't be told what an empty list is to hold: yield the items instead",
    ),
    (r"wrong tuple length .*?expected (\d+), got (\d+)", r"a tuple of \2 items is unpacked into \1 names"),
    (r"Cannot bind '", "something is called with other arguments than it has parameters: give one for each"),
    (r"Cannot type generator", "the kind of a variable can't be told: give each a value before the first yield"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'", r"\2.\1 can't be used: write out what it does"),
    (r"Unknown attribute '([^']+)' of type ([^\n]+)", r"there is no .\1 on \2"),
    (r"Invalid use of .*IntEnum class", "a class of numbers can't be called or looped over: use a tuple of numbers"),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (r"Untyped global name '(sorted|enumerate|map|filter|iter|next)'", r"\1 can't be used here: write a for loop"),
    (
        r"(?:Untyped global name|[Cc]annot determine Numba type of).*?'(\w+)'",
        r"\1 is of a kind that native rules can't use: use numbers, Bits and tuples of them",
    ),
    (
        r"Variable '([A-Za-z_]\w*)' is not defined|Type of variable '([A-Za-z_][^'.]*)",
        r"the kind of \1\2 can't be told: give it a value on every way",
    ),
    (
        r">>> getitem\((\w*Tuple\(.*?), slice<",
        rf"{FIXED}, so a slice needs constant bounds: use put(…), or a loop over range",
    ),
    (r">>> i?add\(\w*Tuple\(", f"{FIXED}, so they can't grow: start with one as long as it gets and use put(…)"),
    (r">>> (?:mul\(\w*Tuple|tuple\()", f"{FIXED}, so one can't be made like this: write its items out, or use put(…)"),
    (
        r"unicode_type|Literal\[str\]",
        "it works with strings: use numbers, and make text in format_action or format_state",
    ),
    (r"No implementation of function .*? found for signature:\s*>>> (\w+)\((.*)\)", r"\1 can't be used on (\2)"),
    (r"Invalid use of (\w+) with parameters \((.*)\)", r"\1 can't be used on (\2)"),
    (r"reflected list|List\(|list\(", "it works with a list: use a tuple with put(…), or Bits"),
    (
        r"[Tt]he use of (?:a )?(.+?) is not supported|Use of unsupported (.+)",
        r"\1\2 can't be used in rules: write it more plainly",
    ),
)


SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "neg": "-",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "not_": "not",
    "contains": "in",
    "getitem": "[…]",
    "getiter": "a for loop",
}
WORDS = (
    (r"\b(?:total|item)__ is", "what is added up or compared is"),
    (r"\bself__(\w+)", r"self.\1"),
    (r"\b([A-Za-z]\w*?)__([A-Za-z]\w*)", r"\1.\2"),
    (r"<iv=[^>]*>", ""),
    (r":[0-9a-f]{32}(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?", ""),
    (r"Literal\[(int|bool)\]\([^)]*\)", r"\1"),
    (r"u?int(?:64|p|32)", "int"),
    (r"float64|float32", "float"),
    (r"\bboolean\b", "bool"),
    (r"\bnone\b", "None"),
    (r"OptionalType\((\w+)\)", r"\1 or None"),
    (r"range_(?:state|iter)_int", "a range"),
    (r"(?:reflected )?list\((\w+)\)", r"a list of \1"),
    (r"Tuple\(\)", "an empty tuple"),
    (r"(?<!Uni)Tuple\(([\w, ]+)\)", r"a tuple of \1"),
    (r"UniTuple\(([\w ]+) x (\d+)\)", r"a tuple of \2 \1"),
    (r"Table\(([\w ]+)\)", r"a tuple of \1"),
    (r"\bslice<[^>]*>", "a slice"),
    *((rf"\bi?{name} can't", f"{sign} can't") for name, sign in SIGNS.items()),
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
        return _in_words(detail.rpartition(OURS)[2].splitlines()[0])
    for pattern, cure in CURES:
        found = re.search(pattern, detail)
        if found:
            return _in_words(found.expand(cure).strip())
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    return next((line for line in lines if "nopython mode pipeline" not in line), lines[0])


def _in_words(text: str) -> str:
    before = ""
    while before != text:
        before = text
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
