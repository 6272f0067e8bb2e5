"""`Bits` in native code: one 64-bit word, with the meaning that `zermelo.bits` gives it."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import (
    RefType,
    iternext_impl,
    lower_builtin,
    lower_cast,
    lower_constant,
)
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import NativeValue, box, models, register_model, type_callable, typeof_impl, unbox

from zermelo.bits import Bits, bit, blend

WORD = ir.IntType(64)


class BitsType(types.IterableType):
    """The Numba type of `Bits`."""

    def __init__(self) -> None:
        super().__init__("Bits")

    @property
    def iterator_type(self) -> types.Type:
        return members_type


class MembersType(types.SimpleIteratorType):
    """The iterator over the members of a `Bits`."""

    def __init__(self) -> None:
        super().__init__("BitsMembers", types.int64)


bits_type = BitsType()
members_type = MembersType()


@register_model(BitsType)
class _BitsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@register_model(MembersType)
class _MembersModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("rest", types.EphemeralPointer(types.uint64))])


@typeof_impl.register(Bits)
def _typeof_bits(value: Bits, context: Any) -> types.Type:
    return bits_type


@lower_constant(BitsType)
def _constant(context: Any, builder: Any, kind: Any, value: Bits) -> Any:
    return ir.Constant(WORD, int(value))


@unbox(BitsType)
def _unbox(kind: Any, value: Any, c: Any) -> NativeValue:
    word = c.pyapi.long_as_ulonglong(value)
    return NativeValue(word, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(BitsType)
def _box(kind: Any, value: Any, c: Any) -> Any:
    maker = c.pyapi.unserialize(c.pyapi.serialize_object(Bits))
    number = c.pyapi.long_from_ulonglong(value)
    result = c.pyapi.call_function_objargs(maker, (number,))
    c.pyapi.decref(number)
    c.pyapi.decref(maker)
    return result


# Two-sided operations.


def _is_word(kind: types.Type) -> bool:
    return isinstance(kind, BitsType | types.Integer | types.Boolean)


def _define(operation: Any, emit: Any, returns: types.Type, number_first: bool = True) -> None:
    """Let `operation` take Bits with Bits or a number; `emit(builder, left, right)` writes the code."""

    @infer_global(operation)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 2 or not all(_is_word(arg) for arg in args):
                return None
            if not any(isinstance(arg, BitsType) for arg in (args if number_first else args[:1])):
                return None
            return signature(returns, *(arg if isinstance(arg, BitsType) else types.int64 for arg in args))

    pairs = [(BitsType, BitsType), (BitsType, types.Integer)] + [(types.Integer, BitsType)] * number_first
    for left, right in pairs:
        lower_builtin(operation, left, right)(lambda context, builder, sig, args: emit(builder, *args))


def _shift_left(builder: Any, word: Any, places: Any) -> Any:
    left = builder.shl(word, builder.and_(places, WORD(63)))
    right = builder.lshr(word, builder.and_(builder.neg(places), WORD(63)))
    outside = builder.icmp_unsigned(">", builder.add(places, WORD(63)), WORD(126))
    chosen = builder.select(builder.icmp_signed(">=", places, WORD(0)), left, right)
    return builder.select(outside, WORD(0), chosen)


def _shift_right(builder: Any, word: Any, places: Any) -> Any:
    return _shift_left(builder, word, builder.neg(places))


def _compare(sign: str) -> Any:
    return lambda builder, left, right: builder.icmp_unsigned(sign, left, right)


for _plain, _in_place, _emit in (
    (operator.and_, operator.iand, lambda builder, left, right: builder.and_(left, right)),
    (operator.or_, operator.ior, lambda builder, left, right: builder.or_(left, right)),
    (operator.xor, operator.ixor, lambda builder, left, right: builder.xor(left, right)),
    (operator.add, operator.iadd, lambda builder, left, right: builder.add(left, right)),
    (operator.sub, operator.isub, lambda builder, left, right: builder.sub(left, right)),
    (operator.mul, operator.imul, lambda builder, left, right: builder.mul(left, right)),
):
    _define(_plain, _emit, bits_type)
    _define(_in_place, _emit, bits_type)
for _plain, _in_place, _emit in (
    (operator.lshift, operator.ilshift, _shift_left),
    (operator.rshift, operator.irshift, _shift_right),
):
    _define(_plain, _emit, bits_type, number_first=False)
    _define(_in_place, _emit, bits_type, number_first=False)
for _operation, _sign in (
    (operator.eq, "=="),
    (operator.ne, "!="),
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
):
    _define(_operation, _compare(_sign), types.boolean)


# One-sided operations.


def _define_unary(operation: Any, emit: Any, returns: types.Type) -> None:
    @infer_global(operation)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(returns, args[0]) if len(args) == 1 and isinstance(args[0], BitsType) else None

    lower_builtin(operation, BitsType)(lambda context, builder, sig, args: emit(builder, args[0]))


_define_unary(operator.invert, lambda builder, word: builder.not_(word), bits_type)
_define_unary(operator.neg, lambda builder, word: builder.neg(word), bits_type)
_define_unary(operator.not_, lambda builder, word: builder.icmp_unsigned("==", word, WORD(0)), types.boolean)
_define_unary(bool, lambda builder, word: builder.icmp_unsigned("!=", word, WORD(0)), types.boolean)


@infer_global(int)
class _IntOfBits(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0]) if len(args) == 1 and isinstance(args[0], BitsType) else None


@lower_builtin(int, BitsType)
def _int_of_bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    with cgutils.if_unlikely(builder, builder.icmp_signed("<", args[0], WORD(0))):
        message = "int() of Bits with member 63 does not fit a native int"
        context.call_conv.return_user_exc(builder, OverflowError, (message,))
    return args[0]


@lower_cast(BitsType, types.Boolean)
def _bits_to_bool(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, WORD(0))


# Making, members, membership.


@type_callable(Bits)
def _type_make(context: Any) -> Any:
    def typer(value: Any) -> Any:
        return bits_type if _is_word(value) else None

    return typer


@lower_builtin(Bits, types.Integer)
@lower_builtin(Bits, types.Boolean)
def _make_from_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], types.uint64)


@lower_builtin(Bits, BitsType)
def _make_from_bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


@type_callable(bit)
def _type_bit(context: Any) -> Any:
    def typer(square: Any) -> Any:
        return bits_type if isinstance(square, types.Integer | types.Boolean) else None

    return typer


@lower_builtin(bit, types.Boolean)
@lower_builtin(bit, types.Integer)
def _bit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    square = context.cast(builder, args[0], sig.args[0], types.int64)
    one = builder.shl(WORD(1), builder.and_(square, WORD(63)))
    return builder.select(builder.icmp_unsigned("<", square, WORD(64)), one, WORD(0))


@type_callable(blend)
def _type_blend(context: Any) -> Any:
    def typer(one: Any, two: Any) -> Any:
        return bits_type if isinstance(one, BitsType) and isinstance(two, BitsType) else None

    return typer


@lower_builtin(blend, BitsType, BitsType)
def _blend(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return blended(builder, *args)


def blended(builder: Any, one: Any, two: Any) -> Any:
    """Both halves of the product of two words, as one."""
    wide = ir.IntType(128)
    product = builder.mul(builder.zext(one, wide), builder.zext(two, wide))
    return builder.trunc(builder.xor(product, builder.lshr(product, wide(64))), ir.IntType(64))


def _count(builder: Any, word: Any) -> Any:
    return builder.ctpop(word)


def _lowest(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(ir.IntType(1), 0))


def _bit_length(builder: Any, word: Any) -> Any:
    return builder.sub(WORD(64), builder.ctlz(word, ir.Constant(ir.IntType(1), 0)))


def _highest(builder: Any, word: Any) -> Any:
    return builder.sub(_bit_length(builder, word), WORD(1))


def _flipped(builder: Any, word: Any) -> Any:
    return builder.bswap(word)


METHODS = {"count": _count, "bit_count": _count, "lowest": _lowest, "highest": _highest, "bit_length": _bit_length}
SETS = {"flipped": _flipped}
"""Methods that give a number, and those that give a set."""


@infer_getattr
class _BitsAttributes(AttributeTemplate):
    key = BitsType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        if name not in METHODS and name not in SETS:
            return None
        result = types.int64 if name in METHODS else bits_type

        class _Method(AbstractTemplate):
            key = (BitsType, name)

            def generic(self, args: Any, kws: Any) -> Any:
                return signature(result, recvr=kind) if not args and not kws else None

        return types.BoundFunction(_Method, kind)


for _name, _emit_method in (METHODS | SETS).items():
    lower_builtin((BitsType, _name), BitsType)(
        lambda context, builder, sig, args, emit=_emit_method: emit(builder, args[0])
    )


@infer_global(operator.contains)
class _Contains(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], BitsType) and isinstance(args[1], types.Integer | types.Boolean)
        return signature(types.boolean, args[0], types.int64) if fits else None


@lower_builtin(operator.contains, BitsType, types.Integer)
def _contains(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    word, square = args
    member = builder.trunc(builder.lshr(word, builder.and_(square, WORD(63))), ir.IntType(1))
    return builder.and_(member, builder.icmp_unsigned("<", square, WORD(64)))


@lower_builtin("getiter", BitsType)
def _members(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = cgutils.create_struct_proxy(members_type)(context, builder)
    rest = cgutils.alloca_once_value(builder, args[0])
    iterator.rest = rest
    return iterator._getvalue()


@lower_builtin("iternext", MembersType)
@iternext_impl(RefType.UNTRACKED)
def _next_member(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = cgutils.create_struct_proxy(members_type)(context, builder, args[0])
    rest = builder.load(iterator.rest)
    some = builder.icmp_unsigned("!=", rest, WORD(0))
    result.set_valid(some)
    with builder.if_then(some):
        result.yield_(_lowest(builder, rest))
        builder.store(builder.and_(rest, builder.sub(rest, WORD(1))), iterator.rest)
