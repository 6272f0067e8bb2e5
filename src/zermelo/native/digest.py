"""A digest of everything a game's rules depend on, so that compiled code can never be stale.

It covers the methods of the class and its bases, the functions, module constants and classes they lead to,
and the parameters; not comments, line numbers or the methods that are never compiled, nor the standard
library, whose version is told apart elsewhere.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import sysconfig
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from zermelo.game import Game

NEVER_COMPILED = frozenset(
    (
        *(
            "_arguments",
            "_rules",
            "initial",
            "board",
            "format_action",
            "format_state",
            "parse_action",
            "parse_play",
            "parse_state",
            "split_moves",
        ),
        *("describe", "facts", "known", "legal", "parameters", "player_name", "player_names", "title", "win_words"),
    )
)
"""What rules and kernels never reach: text, pictures and what is derived from them."""


def digest(*values: Any) -> str:
    """A digest that changes whenever any of the values, or code they lead to, changes."""
    walk = _Walk()
    for value in values:
        walk.add(value)
    return walk.hash.hexdigest()[:32]


@cache
def of_machinery() -> str:
    """A digest of this package, which decides what the same rules compile to."""
    hasher = hashlib.sha256()
    folder = Path(__file__).parent
    shared = (folder.parent / name for name in ("bits.py", "fields.py", "tuples.py"))
    for path in sorted([*folder.glob("*.py"), *shared]):
        hasher.update(path.read_bytes())
    return hasher.hexdigest()


class _Walk:
    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []

    def note(self, *words: Any) -> None:
        self.hash.update(repr(words).encode())

    def add(self, value: Any) -> None:
        """Take a value into the digest; a value met before is only referred to."""
        if isinstance(value, int | float | str | bytes | bool | type(None)):
            self.note(type(value).__name__, value)
            return
        if id(value) in self.seen:
            self.note("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        self._add_new(value)

    def _add_new(self, value: Any) -> None:
        if isinstance(value, Game):
            self._add_game(value)
        elif isinstance(value, tuple | list | set | frozenset):
            items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            self.note(type(value).__name__, len(items))
            for item in items:
                self.add(item)
        elif isinstance(value, dict):
            self._add_mapping(value)
        elif inspect.isfunction(value):
            self._add_function(value)
        elif inspect.isclass(value):
            self._add_class(value)
        elif isinstance(value, _DESCRIPTORS):
            self.add(value.fget if isinstance(value, property) else value.__func__)
        elif inspect.isfunction(getattr(value, "__wrapped__", None)):
            self.add(value.__wrapped__)
        elif inspect.ismodule(value) or inspect.isbuiltin(value):
            self.note(value.__name__)
        elif hasattr(value, "tobytes"):
            self.note(
                type(value).__qualname__, getattr(value, "dtype", ""), getattr(value, "shape", ""), value.tobytes()
            )
        else:
            self.note(type(value).__qualname__, repr(value))

    def _add_game(self, game: Game) -> None:
        """All that its classes, bases first, and the game itself hold, but for what is never compiled."""
        self.note("game", game.title)
        for place in (*reversed(type(game).__mro__[:-1]), game):
            held = {name: item for name, item in vars(place).items() if not _is_pythons(name)}
            self._add_mapping({name: item for name, item in held.items() if name not in NEVER_COMPILED})

    def _add_mapping(self, mapping: dict[Any, Any]) -> None:
        self.note("mapping", len(mapping))
        for name in sorted(mapping, key=repr):
            self.add(name)
            self.add(mapping[name])

    def _add_function(self, function: Any) -> None:
        self.note("function", function.__module__ if _is_standard(function) else "", function.__qualname__)
        if _is_standard(function):
            return
        self._add_code(function.__code__)
        self.add(function.__defaults__)
        self.add(getattr(function, "__native__", None))
        for name, value in _outside(function):
            self.note(name)
            self.add(value)

    def _add_code(self, code: types.CodeType) -> None:
        self.note(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._add_code(constant)
            else:
                self.note(type(constant).__name__, constant)

    def _add_class(self, kind: type) -> None:
        self.note("class", kind.__module__ if _is_standard(kind) else "", kind.__qualname__)
        if _is_standard(kind) or kind is Game:
            return
        for base in kind.__bases__:
            self.add(base)
        self.note(repr(getattr(kind, "__annotations__", {})))
        self._add_mapping({name: value for name, value in vars(kind).items() if not _is_pythons(name)})


_DESCRIPTORS = (property, staticmethod, classmethod)


def _is_pythons(name: str) -> bool:
    """Whether a name in a class is Python's own."""
    return name == "_abc_impl" or (name.startswith("__") and name.endswith("__"))


def _is_standard(value: Any) -> bool:
    """Whether a function or class belongs to Python itself, and not to a file of the same name."""
    name = str(value.__module__)
    if name.partition(".")[0] not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is None or Path(file).is_relative_to(sysconfig.get_path("stdlib"))


def _outside(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals and closure variables a function may read, and `module.name` for modules among them, at any depth."""
    names = _names(function.__code__)
    found: dict[str, Any] = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    modules: set[int] = set()
    while found:
        name = min(found)
        value = found.pop(name)
        yield name, value
        if inspect.ismodule(value) and id(value) not in modules:
            modules.add(id(value))
            found |= {f"{name}.{inner}": getattr(value, inner) for inner in names if hasattr(value, inner)}


def _names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
