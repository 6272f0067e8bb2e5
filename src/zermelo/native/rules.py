"""A game as a Numba type: its methods and parameters are resolved by the type alone.

So a kernel that takes `game` as a plain argument is specialised for it. The type's name holds a digest of
the rules, and it pickles by that name: compiled code is found again only for the very same rules.
"""

from __future__ import annotations

import inspect
from typing import Any

from numba.core import errors, types
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from zermelo.errors import NotNative
from zermelo.game import Game
from zermelo.native.digest import digest
from zermelo.native.functions import MISSING, Library, attribute, kernels
from zermelo.native.states import OURS, StateClass, StateType


class RulesType(types.Type):
    """The Numba type of one game with its parameters. `library` is missing in a type that was unpickled.

    `failures` are the kernels that can't be compiled for arguments of some types, and why.
    """

    def __init__(self, title: str, mark: str, library: Library | None = None) -> None:
        self.title, self.mark, self.library = title, mark, library
        self.failures: dict[Any, NotNative] = {}
        super().__init__(f"Rules[{title}:{mark}]")

    def __reduce__(self) -> Any:
        return RulesType, (self.title, self.mark)

    @property
    def rules(self) -> tuple[Library, Game]:
        """The game's native functions, and the game."""
        assert self.library is not None
        assert self.library.game is not None
        return self.library, self.library.game


class MethodType(types.BoundFunction):
    """A method of a game or a state, bound to it: calling it calls the native function with it in front."""

    def __init__(self, dispatcher: Any, this: types.Type) -> None:
        self.dispatcher, self.this = dispatcher, this
        types.Type.__init__(self, f"method {dispatcher.py_func.__qualname__} {id(dispatcher)} of {this}")

    @property
    def key(self) -> Any:
        return self.name

    def copy(self, this: types.Type) -> MethodType:
        return MethodType(self.dispatcher, this)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return types.Dispatcher(self.dispatcher).get_call_type(context, (self.this, *args), kws).as_method()

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return self.dispatcher.get_overload(sig.args)


@register_model(RulesType)
class _RulesModel(models.StructModel):
    """Nothing at run time, so that a game takes no register in calls: all that it is, is in its type."""

    def __init__(self, manager: Any, kind: RulesType) -> None:
        super().__init__(manager, kind, [])


@register_model(MethodType)
class _MethodModel(models.PrimitiveModel):
    """A bound method is what it is bound to."""

    def __init__(self, manager: Any, kind: MethodType) -> None:
        super().__init__(manager, kind, manager.lookup(kind.this).get_value_type())


def rules_type(game: Game) -> RulesType:
    """The type of a game; made once, and its state's class made known to Numba."""
    known = vars(game).get("_rules")
    if known is None:
        state = game.initial()
        if hasattr(state, "_fields"):
            StateClass(type(state))
        mark = digest(game, type(state))
        known = RulesType(game.title, mark, Library(game, mark))
        vars(game)["_rules"] = known
    return known


@typeof_impl.register(Game)
def _typeof_game(game: Game, context: Any) -> types.Type:
    return rules_type(game)


@unbox(RulesType)
def _unbox(kind: RulesType, value: Any, c: Any) -> NativeValue:
    return NativeValue(c.context.get_constant_undef(kind))


@lower_constant(RulesType)
def _constant(context: Any, builder: Any, kind: RulesType, value: Any) -> Any:
    return context.get_constant_undef(kind)


@infer_getattr
class _GameAttributes(AttributeTemplate):
    key = RulesType

    def generic_resolve(self, kind: RulesType, name: str) -> Any:
        library, game = kind.rules
        value = attribute(game, name)
        if inspect.isfunction(value):
            return MethodType(library.function(getattr(value, "__native__", value)), kind)
        if value is MISSING:
            raise errors.TypingError(f"{OURS}{game.title} has no {name}")
        return self.context.resolve_value_type(library.translate(value))


@lower_getattr_generic(RulesType)
def _game_attribute(context: Any, builder: Any, kind: RulesType, value: Any, name: str) -> Any:
    library, game = kind.rules
    constant = library.translate(attribute(game, name))
    return context.get_constant_generic(builder, context.typing_context.resolve_value_type(constant), constant)


@infer_getattr
class _StateAttributes(AttributeTemplate):
    """Methods, properties and constants that the author wrote into the state's class."""

    key = StateType

    def generic_resolve(self, kind: StateType, name: str) -> Any:
        value = inspect.getattr_static(kind.maker, name, None)
        if name in kind.fields or value is None:
            return None
        if inspect.isfunction(value):
            return MethodType(kernels.function(value), kind)
        if isinstance(value, property):
            return _property(self.context, value, kind)[1].return_type
        return self.context.resolve_value_type(kernels.translate(value))


@lower_getattr_generic(StateType)
def _state_attribute(context: Any, builder: Any, kind: StateType, state: Any, name: str) -> Any:
    if name in kind.fields:
        return builder.extract_value(state, kind.fields.index(name))
    value = inspect.getattr_static(kind.maker, name)
    if isinstance(value, property):
        getter, call = _property(context.typing_context, value, kind)
        return context.get_function(getter.get_overload(call.args), call)(builder, [state])
    constant = kernels.translate(value)
    return context.get_constant_generic(builder, context.typing_context.resolve_value_type(constant), constant)


def _property(context: Any, value: property, kind: StateType) -> tuple[Any, Any]:
    """The native getter of a property of a state, and the signature of its call."""
    getter = kernels.function(value.fget)
    return getter, types.Dispatcher(getter).get_call_type(context, (kind,), {})
