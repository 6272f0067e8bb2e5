"""Python functions as native ones: each is cloned, rewritten and compiled with everything it calls.

A `Library` holds the native functions of one game, whose parameters are constants in them; the library
with no game holds the kernels, which take any game and are specialised by its type.
"""

from __future__ import annotations

import ast
import enum
import inspect
import sys
from functools import _lru_cache_wrapper
from types import ModuleType
from typing import Any

from numba import config, njit
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

from zermelo.game import Game, overrides
from zermelo.native import twins
from zermelo.native.parts import PartCompiler, WholeCompiler
from zermelo.native.rewrite import Replacement, Rewritten, is_lifted, rewrite
from zermelo.native.states import StateClass
from zermelo.native.tables import as_table

MISSING = object()
"""Stands for an attribute that is not there."""
OPTIONS: dict[str, Any] = {"nogil": True, "boundscheck": bool(config.BOUNDSCHECK)}
"""How every function is compiled."""


class Library:
    """The native functions made so far for one game, or for the kernels.

    `mark` is the digest of the game. To Numba the functions live in a module of that name, which it can import
    whenever it likes: the author's own module may be half imported, or a script that runs when it is.
    """

    def __init__(self, game: Game | None = None, mark: str = "", *, inlining: bool = True) -> None:
        self.game, self.inlining = game, inlining
        self._made: dict[Any, Dispatcher] = {}
        self._entries: dict[Any, Dispatcher] = {}
        self._open: list[Any] = []
        self.module = f"zermelo_rules_{mark}" if mark else __name__
        sys.modules.setdefault(self.module, ModuleType(self.module))

    def entry(self, function: Any, width: int) -> Dispatcher:
        """The native version of a function of so many arguments that Python may call, compiled with all it calls."""
        known = self._entries.get(function)
        if known is None:
            given = ", ".join(f"given_{number}" for number in range(width))
            namespace: dict[str, Any] = {"__name__": self.module, "part": self.function(function)}
            exec(f"def {function.__name__}({given}):\n    return part({given})", namespace)
            whole = njit(pipeline_class=WholeCompiler, **OPTIONS)(namespace[function.__name__])
            known = self._entries[function] = one_for_a_kind(whole)
        return known

    def function(self, function: Any) -> Dispatcher:
        """The native version of a Python function, for other native ones to call; translated at its first call."""
        known = self._made.get(function)
        if known is not None:
            return known
        source = self.rewritten(function)
        namespace: dict[str, Any] = {"__name__": self.module, "__builtins__": __builtins__}
        made = part(source.make(namespace), forceinline=source.is_small)
        self._made[function] = made
        for name, value in source.needs.items():
            namespace[name] = part(namespace[name]) if is_lifted(value) else self.translate(value)
        return made

    def rewritten(self, function: Any) -> Rewritten:
        """A function's source for native code, with what is known of the game filled in."""
        owner = _owner(function, type(self.game)) if self.game is not None else None
        first = next(iter(inspect.signature(function, follow_wrapped=False).parameters), "")
        if owner is None and self.game is not None and first in ("self", "game"):
            owner = type(self.game)
        bound = first if owner is not None else ""
        expand = self._expanded if self.inlining else None
        self._open.append(function)
        try:
            return rewrite(function, lambda node: self._own_attribute(node, bound, owner), expand, bound)
        finally:
            self._open.pop()

    def _expanded(self, function: Any) -> Rewritten | None:
        """A generator's source for the loop that asks for it, unless that is the generator itself."""
        return None if function in self._open else self.rewritten(function)

    def translate(self, value: Any) -> Any:
        """What stands for a Python value in the namespace of a native function."""
        value = plain_function(value)
        if inspect.isfunction(value):
            return twins.of(value) or self.function(getattr(value, "__native__", value))
        if inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return StateClass(value)
        if isinstance(value, Replacement):
            return twins.replacer(value.names)
        if isinstance(value, enum.IntEnum):
            return int(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            StateClass(type(value))
            return value
        if isinstance(value, tuple | range):
            return as_table(tuple(value)) or tuple(value)
        return value

    def _own_attribute(self, node: ast.Attribute, bound: str, owner: type | None) -> tuple[str, Any] | None:
        """`self.name` and `super().name` of the game this library is for."""
        if self.game is None or owner is None:
            return None
        base = node.value
        if isinstance(base, ast.Name) and base.id == bound:
            private = node.attr.startswith("__") and not node.attr.endswith("__")
            name = f"_{owner.__name__.lstrip('_')}{node.attr}" if private else node.attr
            return named(f"self__{name}", attribute(self.game, name))
        parent = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"
        if parent and not base.args:  # type: ignore[attr-defined]
            order = type(self.game).__mro__
            for above in order[order.index(owner) + 1 :]:
                if node.attr in vars(above):
                    return named(f"super__{owner.__name__}__{node.attr}", vars(above)[node.attr])
        return None


def part(function: Any, **options: Any) -> Dispatcher:
    """The function as one that only native ones call."""
    return one_for_a_kind(njit(pipeline_class=PartCompiler, **OPTIONS, **options)(function))


def one_for_a_kind(function: Dispatcher) -> Dispatcher:
    """The function, compiled once for numbers of a kind, and not anew for each one that a caller writes down.

    One that calls itself with such a number would call another version, by a name that only this process knows.
    """
    fold = function._compiler.fold_argument_types

    def without_literals(args: Any, keywords: Any) -> tuple[Any, Any]:
        signature, kinds = fold(args, keywords)
        return signature, tuple(unliteral(kind) for kind in kinds)

    function._compiler.fold_argument_types = without_literals
    return function


def attribute(game: Game, name: str) -> Any:
    """What `game.name` is, before binding; `MISSING` if there is no such attribute."""
    if name in ("utilities", "evaluations") and not overrides(game, name):
        return twins.for_each_player(name, game.players)
    if name == "outcomes" and not overrides(game, "outcomes"):
        return twins.no_outcomes
    if isinstance(vars(Game).get(name), property):
        return getattr(game, name)
    found = vars(game)[name] if name in vars(game) else inspect.getattr_static(type(game), name, MISSING)
    return plain_function(found)


def named(name: str, value: Any) -> tuple[str, Any] | None:
    """A global for an attribute; a static method is a function that takes no `self`."""
    if value is MISSING:
        return None
    return (f"static__{name}", value.__func__) if isinstance(value, staticmethod) else (name, value)


def plain_function(value: Any) -> Any:
    """A function that only remembers its answers, as the function itself: rules have one answer anyway."""
    return value.__wrapped__ if isinstance(value, _lru_cache_wrapper) else value


def _owner(function: Any, kind: type) -> type | None:
    """The class in whose body a method of the game stands."""
    for above in kind.__mro__:
        found = vars(above).get(function.__name__)
        found = found.fget if isinstance(found, property) else plain_function(found)
        if found is function:
            return above
    return None


kernels = Library()
