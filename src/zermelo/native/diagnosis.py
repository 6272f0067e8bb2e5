"""Why a rule can't be compiled, in one sentence: the file, the line, and what to write instead."""

from __future__ import annotations

import inspect
import re
from typing import Any

from zermelo.errors import NotNative
from zermelo.game import Game
from zermelo.native.states import OURS

CURES = (
    (
        r"Cannot unify (\S+) and (\S+) for '([^'.]+)",
        r"\3 is \1 on one way and \2 on another: give it one kind from the start",
    ),
    (r"Can't unify return type from the following types: (.+)", r"it returns \1 on different ways: return one kind"),
    (r"Unknown attribute '([^']+)' of type (\S+)", r"there is no .\1 on \2"),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (
        r"(?:Untyped global name|[Cc]annot determine Numba type of).*?'(\w+)'",
        r"\1 is of a kind that native rules can't use: use numbers, Bits and tuples of them",
    ),
    (
        r"Variable '(\w+)' is not defined|Type of variable '([^'.]+)",
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


def explain(game: Game, error: Exception) -> NotNative:
    """The sentence for a compiler's error; its own words become the detail."""
    if isinstance(error, NotNative):
        return error
    detail = _plain(f"{type(error).__name__}: {error}")
    where = _where(game, detail)
    return NotNative(f"{where} can't be native: {_reason(detail)}", detail)


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _reason(detail: str) -> str:
    if OURS in detail:
        return detail.rpartition(OURS)[2].splitlines()[0]
    for pattern, cure in CURES:
        found = re.search(pattern, detail)
        if found:
            return found.expand(cure).strip()
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    return lines[1] if len(lines) > 1 and lines[0].endswith(")") else lines[0]


def _where(game: Game, detail: str) -> str:
    """The deepest place in the author's files that the compiler names, else the game."""
    files = {inspect.getsourcefile(kind): kind for kind in reversed(type(game).__mro__) if _has_file(kind)}
    places = re.findall(r'File "([^"]+)", line (\d+)', detail)
    for path, line in places:
        for known in files:
            if known is not None and (known == path or known.endswith("/" + path.lstrip("./"))):
                return f"{path} line {line}: {_method_at(type(game), known, int(line))}"
    return game.title


def _has_file(kind: type) -> bool:
    try:
        return kind not in (object, Game) and inspect.getsourcefile(kind) is not None
    except (TypeError, OSError):
        return False


def _method_at(kind: type, path: str, line: int) -> str:
    """The method in whose lines a line of the file stands."""
    for above in kind.__mro__:
        for value in vars(above).values():
            function: Any = getattr(value, "__func__", value)
            if inspect.isfunction(function) and function.__code__.co_filename == path:
                lines = [number for _, _, number in function.__code__.co_lines() if number]
                if lines and function.__code__.co_firstlineno <= line <= max(lines):
                    return f"{above.__name__}.{function.__name__}"
    return kind.__name__
