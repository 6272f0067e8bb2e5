"""Compiling a kernel for a game, or finding it compiled already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numba import typeof
from numba.core.dispatcher import Dispatcher

from zermelo.game import Game
from zermelo.native import gaps  # noqa: F401
from zermelo.native.cache import DiskCache
from zermelo.native.diagnosis import explain
from zermelo.native.functions import Library
from zermelo.native.rules import RulesType, rules_type
from zermelo.native.stack import deep_recursion, with_stack

_lock = threading.RLock()


def compiled(
    kernel: Callable[..., Any],
    game: Game,
    args: tuple[Any, ...],
    on_compile: Callable[[Game], AbstractContextManager[Any]],
) -> Dispatcher:
    """A dispatcher that is ready for the game and arguments of these types."""
    with _lock:
        try:
            rules = rules_type(game)
            kinds = tuple(typeof(item) for item in (game, *args))
            dispatcher = _dispatcher(rules, kernel, len(kinds))
        except Exception as error:
            raise explain(game, error) from None
        if (kernel, kinds) in rules.failures:
            raise rules.failures[kernel, kinds].with_traceback(None)
        if kinds not in dispatcher.overloads:
            known = dispatcher._cache.has(kinds, dispatcher.targetctx.codegen())
            with on_compile(game) if not known else nullcontext():
                dispatcher = _compile(rules, kernel, kinds, game)
        return dispatcher


def _dispatcher(rules: RulesType, kernel: Callable[..., Any], width: int) -> Dispatcher:
    """The kernel for one game, with its place on disk."""
    assert rules.library is not None
    dispatcher = rules.library.entry(kernel, width)
    if not isinstance(dispatcher._cache, DiskCache):
        dispatcher._cache = DiskCache(kernel)
    return dispatcher


def _compile(rules: RulesType, kernel: Callable[..., Any], kinds: tuple[Any, ...], game: Game) -> Dispatcher:
    """Compile, if need be without inlining: what then fails still, the compiler names by the author's own lines."""
    failure = attempt(lambda: _dispatcher(rules, kernel, len(kinds)).compile(kinds))
    if failure is not None:
        rules.library = Library(game, rules.mark, inlining=False)
        failure = attempt(lambda: _dispatcher(rules, kernel, len(kinds)).compile(kinds))
    if failure is not None:
        rules.failures[kernel, kinds] = explain(game, failure)
        raise rules.failures[kernel, kinds] from None
    return _dispatcher(rules, kernel, len(kinds))


def attempt(work: Callable[[], Any]) -> Exception | None:
    """Run in a thread with room for deep nesting: Numba recurses for each method that calls another."""
    failure: list[Exception] = []

    def guarded() -> None:
        try:
            with deep_recursion():
                work()
        except Exception as error:
            failure.append(error)

    with_stack(guarded).join()
    return failure[0] if failure else None
