"""Raw memory in native code: a stack or a table is an address, an item lies there as it is, a word takes eight bytes.

What threads share is read and written in one piece; `zermelo.native.memory` says what each function does.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import intrinsic

from zermelo.native import memory
from zermelo.native.memory import SPARE
from zermelo.native.words import WORD, bits_type

DOUBLE = ir.DoubleType()


@intrinsic
def _put_item(typingctx: Any, stack: Any, place: Any, item: Any) -> Any:
    """`zermelo.native.memory.put_item`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _item_pointer(context, builder, item, args[0], args[1])
        builder.store(context.data_model_manager[item].as_data(builder, args[2]), pointer)
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, item), generate


@intrinsic
def _get_item(typingctx: Any, stack: Any, place: Any, maker: Any, state: Any) -> Any:
    """`zermelo.native.memory.get_item`."""
    kind = typingctx.resolve_function_type(maker, (state,), {}).return_type

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _item_pointer(context, builder, kind, args[0], args[1])
        return context.data_model_manager[kind].from_data(builder, builder.load(pointer))

    return signature(kind, types.int64, types.int64, maker, state), generate


def _item_pointer(context: Any, builder: Any, kind: Any, stack: Any, place: Any) -> Any:
    data = context.get_data_type(kind)
    return builder.gep(builder.inttoptr(stack, data.as_pointer()), [place])


def _word_pointer(builder: Any, table: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(table, WORD.as_pointer()), [index])


@intrinsic
def _peek(typingctx: Any, table: Any, index: Any) -> Any:
    """`zermelo.native.memory.peek`; atomic, since threads share a table."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(_word_pointer(builder, *args), "monotonic", 8)

    return signature(bits_type, types.int64, types.int64), generate


@intrinsic
def _poke(typingctx: Any, table: Any, index: Any, word: Any) -> Any:
    """`zermelo.native.memory.poke`; atomic, since threads share a table."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word_pointer(builder, *args[:2]), "monotonic", 8)
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, bits_type), generate


@intrinsic
def _largest(typingctx: Any, table: Any, start: Any, stop: Any) -> Any:
    """`zermelo.native.memory.largest`: `SPARE` words at once, those from `stop` on taken for 0."""
    number = ir.VectorType(WORD, SPARE)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table, start, stop = args
        lanes = ir.Constant(number, list(range(SPARE)))
        found = cgutils.alloca_once_value(builder, ir.Constant(number, [0] * SPARE))
        with cgutils.for_range_slice(builder, start, stop, WORD(SPARE), intp=WORD) as (index, _):
            pointer = builder.bitcast(_word_pointer(builder, table, index), number.as_pointer())
            words = builder.load(pointer, align=8)
            left = _everywhere(builder, builder.sub(stop, index))
            words = builder.select(builder.icmp_signed("<", lanes, left), words, ir.Constant(number, [0] * SPARE))
            best = builder.load(found)
            builder.store(builder.select(builder.icmp_signed(">", words, best), words, best), found)
        reduce = ir.FunctionType(WORD, [number])
        name = f"llvm.vector.reduce.smax.v{SPARE}i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, reduce, name), [builder.load(found)])

    return signature(bits_type, types.int64, types.int64, types.int64), generate


def _everywhere(builder: Any, word: Any) -> Any:
    """A vector of `SPARE` times the same word."""
    kind = ir.VectorType(WORD, SPARE)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), word, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), SPARE), [0] * SPARE))


def _short_pointer(builder: Any, table: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(table, ir.IntType(16).as_pointer()), [index])


@intrinsic
def _peek_short(typingctx: Any, table: Any, index: Any) -> Any:
    """`zermelo.native.memory.peek_short`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.sext(builder.load(_short_pointer(builder, *args)), WORD)

    return signature(types.int64, types.int64, types.int64), generate


@intrinsic
def _poke_short(typingctx: Any, table: Any, index: Any, number: Any) -> Any:
    """`zermelo.native.memory.poke_short`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(builder.trunc(args[2], ir.IntType(16)), _short_pointer(builder, *args[:2]))
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, types.int64), generate


@intrinsic
def _fetch_soon(typingctx: Any, table: Any, index: Any) -> Any:
    """`zermelo.native.memory.fetch_soon`: a prefetch."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(_word_pointer(builder, *args), byte)
        builder.call(prefetch, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64), generate


@intrinsic
def _short_bits(typingctx: Any, value: Any) -> Any:
    """`zermelo.native.memory.short_bits`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        short = builder.fptrunc(args[0], ir.FloatType())
        return builder.zext(builder.bitcast(short, ir.IntType(32)), WORD)

    return signature(bits_type, types.float64), generate


@intrinsic
def _from_short_bits(typingctx: Any, word: Any) -> Any:
    """`zermelo.native.memory.from_short_bits`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        short = builder.bitcast(builder.trunc(args[0], ir.IntType(32)), ir.FloatType())
        return builder.fpext(short, ir.DoubleType())

    return signature(types.float64, bits_type), generate


@intrinsic
def _long_bits(typingctx: Any, value: Any) -> Any:
    """`zermelo.native.memory.long_bits`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], WORD)

    return signature(bits_type, types.float64), generate


@intrinsic
def _from_long_bits(typingctx: Any, word: Any) -> Any:
    """`zermelo.native.memory.from_long_bits`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], DOUBLE)

    return signature(types.float64, bits_type), generate


@intrinsic
def _next_up(typingctx: Any, value: Any) -> Any:
    """`zermelo.native.memory.next_up`: the bits of a float count up with it, and down below zero."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        zero, double = ir.Constant(ir.DoubleType(), 0.0), ir.DoubleType()
        word = builder.bitcast(builder.fadd(args[0], zero), WORD)
        step = builder.select(builder.icmp_signed(">=", word, WORD(0)), WORD(1), WORD(-1))
        stepped = builder.bitcast(builder.add(word, step), double)
        return builder.select(builder.fcmp_ordered("==", args[0], ir.Constant(double, float("inf"))), args[0], stepped)

    return signature(types.float64, types.float64), generate


@intrinsic
def _peek_float(typingctx: Any, table: Any, index: Any) -> Any:
    """`zermelo.native.memory.peek_float`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(builder.load_atomic(_word_pointer(builder, *args), "monotonic", 8), DOUBLE)

    return signature(types.float64, types.int64, types.int64), generate


@intrinsic
def _poke_float(typingctx: Any, table: Any, index: Any, value: Any) -> Any:
    """`zermelo.native.memory.poke_float`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = builder.bitcast(args[2], WORD)
        builder.store_atomic(word, _word_pointer(builder, *args[:2]), "monotonic", 8)
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, types.float64), generate


@intrinsic
def _copy_word(typingctx: Any, source: Any, start: Any, table: Any, index: Any) -> Any:
    """`zermelo.native.memory.copy_word`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(builder.load(_word_pointer(builder, *args[:2])), _word_pointer(builder, *args[2:]))
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def _add_word(typingctx: Any, table: Any, index: Any, amount: Any) -> Any:
    """`zermelo.native.memory.add_word`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _word_pointer(builder, *args[:2]), args[2], "monotonic")

    return signature(types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def _add_float(typingctx: Any, table: Any, index: Any, amount: Any) -> Any:
    """`zermelo.native.memory.add_float`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_word_pointer(builder, *args[:2]), DOUBLE.as_pointer())
        builder.atomic_rmw("fadd", pointer, args[2], "monotonic")
        return context.get_dummy_value()

    return signature(types.void, types.int64, types.int64, types.float64), generate


@intrinsic
def _swap_word(typingctx: Any, table: Any, index: Any, expected: Any, word: Any) -> Any:
    """`zermelo.native.memory.swap_word`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _word_pointer(builder, *args[:2])
        return builder.extract_value(builder.cmpxchg(pointer, args[2], args[3], "acq_rel", "acquire"), 0)

    return signature(bits_type, types.int64, types.int64, bits_type, bits_type), generate


TWINS = {
    memory.add_float: _add_float,
    memory.add_word: _add_word,
    memory.copy_word: _copy_word,
    memory.fetch_soon: _fetch_soon,
    memory.from_long_bits: _from_long_bits,
    memory.from_short_bits: _from_short_bits,
    memory.get_item: _get_item,
    memory.largest: _largest,
    memory.long_bits: _long_bits,
    memory.next_up: _next_up,
    memory.peek: _peek,
    memory.peek_float: _peek_float,
    memory.peek_short: _peek_short,
    memory.poke: _poke,
    memory.poke_float: _poke_float,
    memory.poke_short: _poke_short,
    memory.put_item: _put_item,
    memory.short_bits: _short_bits,
    memory.swap_word: _swap_word,
}
