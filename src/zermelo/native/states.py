"""States in native code: a NamedTuple whose field types come from its annotations, not from each call.

So `State(3, 1)` and `State(n - 1, not_yet)` are one type, a float field may be given an int, and a state
unpickles by its shape alone. What a field is given must be of its kind; anything else is an error.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from numba.core import cgutils, errors, types
from numba.core.imputils import lower_builtin, lower_constant
from numba.core.typing import signature
from numba.extending import NativeValue, box, models, register_model, typeof_impl, unbox

from zermelo.bits import Bits
from zermelo.fields import hints, item_hints
from zermelo.native.digest import digest
from zermelo.native.words import BitsType, bits_type

SCALARS = {int: types.int64, bool: types.boolean, float: types.float64, Bits: bits_type}
NATURAL = (
    (types.Boolean, types.boolean),
    (types.Integer, types.int64),
    (types.Float, types.float64),
    (BitsType, bits_type),
)
"""The one native type for each kind of number."""
OURS = "zermelo says: "
"""Begins every typing error of our own, so that a diagnosis can find it in the compiler's words."""


class StateType(types.BaseNamedTuple):
    """The Numba type of a NamedTuple: its class's name and digest, field names and field types.

    `maker` is the class; it is missing in a type that was unpickled.
    """

    def __init__(
        self, title: str, mark: str, names: tuple[str, ...], kinds: tuple[types.Type, ...], maker: Any = None
    ) -> None:
        self.title, self.mark, self.fields, self.types, self.maker = title, mark, names, kinds, maker
        self.count = len(kinds)
        inner = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
        super().__init__(f"{title}:{mark}({inner})")

    def __getitem__(self, index: int) -> types.Type:
        return self.types[index]

    def __iter__(self) -> Any:
        return iter(self.types)

    def __len__(self) -> int:
        return self.count

    def __reduce__(self) -> Any:
        return StateType, (self.title, self.mark, self.fields, self.types)


class StateClassType(types.Callable, types.Opaque):
    """The type of a NamedTuple class used as a constructor."""

    def __init__(self, maker: Any) -> None:
        self.maker = maker
        super().__init__(f"class {maker.__module__}.{maker.__qualname__} {id(maker)}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        given = _bind(self.maker, args, kws)
        kind = state_type(self.maker, given)
        parameters = list(inspect.signature(self.maker.__new__).parameters.values())[1:]
        return signature(kind, *kind.types).replace(pysig=inspect.Signature(parameters))

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return StateClassType


class StateClass:
    """Stands for a NamedTuple class in the namespace of a native function."""

    def __init__(self, maker: Any) -> None:
        self.maker = maker
        typeof_impl.register(maker)(_typeof_state)


register_model(StateType)(models.TupleModel)
register_model(StateClassType)(models.OpaqueModel)


@typeof_impl.register(StateClass)
def _typeof_class(value: StateClass, context: Any) -> types.Type:
    return StateClassType(value.maker)


@lower_builtin(StateClassType, types.VarArg(types.Any))
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_tuple(builder, sig.return_type, args)


@lower_constant(StateType)
def _constant(context: Any, builder: Any, kind: StateType, value: Any) -> Any:
    pairs = zip(kind.types, value, strict=True)
    return context.make_tuple(builder, kind, [context.get_constant_generic(builder, *pair) for pair in pairs])


@unbox(StateType)
def _unbox(kind: StateType, value: Any, c: Any) -> NativeValue:
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    items = []
    for index, field in enumerate(kind.types):
        native = c.unbox(field, c.pyapi.tuple_getitem(value, index))
        items.append(native.value)
        c.builder.store(c.builder.or_(c.builder.load(failed), native.is_error), failed)
    return NativeValue(c.context.make_tuple(c.builder, kind, items), is_error=c.builder.load(failed))


@box(StateType)
def _box(kind: StateType, value: Any, c: Any) -> Any:
    """A state comes back as a plain tuple: whoever asked knows its class."""
    plain = types.Tuple(kind.types)
    items = [c.builder.extract_value(value, index) for index in range(len(kind.types))]
    return c.box(plain, c.context.make_tuple(c.builder, plain, items))


def _typeof_state(value: Any, context: Any) -> types.Type:
    maker: Any = type(value)
    return _typed(maker, _kinds(value))


def _kinds(value: Any) -> Any:
    """What the type of a value depends on: its kind, or those of its items."""
    return tuple([_kinds(item) for item in value]) if isinstance(value, tuple) else type(value)


@cache
def _typed(maker: Any, kinds: tuple[Any, ...]) -> types.Type:
    """The type of a state of a class with items of these kinds."""
    return state_type(maker, dict(zip(maker._fields, map(_typeof_kind, kinds), strict=True)))


def _typeof_kind(kind: Any) -> types.Type:
    if isinstance(kind, tuple):
        return types.BaseTuple.from_types(tuple(map(_typeof_kind, kind)))
    return SCALARS.get(kind, types.pyobject)


def _typeof_value(value: Any) -> types.Type:
    return _typeof_kind(_kinds(value))


def state_type(maker: Any, given: dict[str, types.Type]) -> StateType:
    """The type of a state whose fields are given values of these types."""
    declared = hints(maker)
    kinds = tuple(_field_type(maker, name, declared.get(name), given[name]) for name in maker._fields)
    return StateType(maker.__qualname__, _mark(maker), tuple(maker._fields), kinds, maker)


@cache
def _mark(maker: Any) -> str:
    """Tells classes of one name and the same fields apart by what else is in them."""
    return digest(maker)


def _bind(maker: Any, args: Any, kws: Any) -> dict[str, types.Type]:
    try:
        bound = inspect.signature(maker.__new__).bind(maker, *args, **kws)
    except TypeError as error:
        raise errors.TypingError(f"{OURS}{maker.__qualname__}(…) is called wrongly: {error}") from None
    given = dict(list(bound.arguments.items())[1:])
    defaults = {name: _typeof_value(value) for name, value in maker._field_defaults.items()}
    return {name: given.get(name, defaults.get(name)) for name in maker._fields}


def _field_type(maker: Any, name: str, hint: Any, given: types.Type) -> types.Type:
    """The type a field has, by its annotation where that says enough, else by what it is given."""
    wanted = canonical(given, hint)
    if wanted is None:
        raise mismatch(f"{maker.__qualname__}.{name}", getattr(hint, "__name__", str(hint)), given)
    return wanted


def mismatch(where: str, want: str, given: types.Type) -> errors.TypingError:
    """The error for something that is declared to hold one kind and is given another."""
    known = {kind.__name__ for kind in SCALARS}
    cure = f"write {want}(…) around it" if want in known else "declare it as what it holds"
    if isinstance(given, types.List):
        cure = "native states hold tuples, changed with put(…)"
    return errors.TypingError(f"{OURS}{where} is declared {want} but is given {in_words(given)}: {cure}")


def canonical(given: types.Type, hint: Any) -> types.Type | None:
    """The one type for a value of type `given` where an annotation says `hint`; None if they don't go together."""
    given = types.unliteral(given)
    if isinstance(given, types.BaseTuple) and not isinstance(given, StateType):
        inner = item_hints(hint, len(given))
        kinds = [canonical(kind, item) for kind, item in zip(given, inner, strict=True)]
        return None if None in kinds else types.BaseTuple.from_types(tuple(kinds))
    if isinstance(given, StateType):
        return given if getattr(hint, "_fields", given.fields) == given.fields else None
    natural = next((scalar for kind, scalar in NATURAL if isinstance(given, kind)), None)
    wanted = SCALARS.get(hint, natural)
    widens = (natural, wanted) in ((types.int64, types.float64), (types.boolean, types.int64))
    return wanted if natural is not None and (natural == wanted or widens) else None


def in_words(kind: types.Type) -> str:
    """A type as an author would name it."""
    kind = types.unliteral(kind)
    words = {types.int64: "an int", types.float64: "a float", types.boolean: "a bool", bits_type: "Bits"}
    return "a list" if isinstance(kind, types.List) else words.get(canonical(kind, None), str(kind))
