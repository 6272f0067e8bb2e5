"""Compiling a kernel for a game, or finding it compiled already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numba import typeof
from numba.core.dispatcher import Dispatcher

from zermelo.game import Game
from zermelo.native import rules
from zermelo.native.cache import DiskCache
from zermelo.native.diagnosis import explain
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
        library, _ = rules.rules_type(game).rules
        dispatcher = library.function(kernel)
        if not isinstance(dispatcher._cache, DiskCache):
            dispatcher._cache = DiskCache(kernel)
        kinds = tuple(typeof(item) for item in (game, *args))
        if kinds not in dispatcher.overloads:
            known = dispatcher._cache.has(kinds, dispatcher.targetctx.codegen())
            with on_compile(game) if not known else nullcontext():
                _compile(dispatcher, kinds, game)
        return dispatcher


def _compile(dispatcher: Dispatcher, kinds: tuple[Any, ...], game: Game) -> None:
    """Compile in a thread with room for deep nesting: Numba recurses for each method that calls another."""
    failure: list[Exception] = []

    def work() -> None:
        try:
            with deep_recursion():
                dispatcher.compile(kinds)
        except Exception as error:
            failure.append(error)

    with_stack(work).join()
    if failure:
        raise explain(game, failure[0]) from None
