"""Functions of ours that rules and kernels call and that native code does in its own way."""

from __future__ import annotations

import linecache
import operator
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing import signature
from numba.extending import intrinsic

from zermelo import bits, fields, tuples
from zermelo.errors import GameError
from zermelo.fields import hints
from zermelo.game import CHANCE
from zermelo.native import addresses, memory, worlds
from zermelo.native.states import OURS, SCALARS, StateType, canonical, in_words, mismatch
from zermelo.native.tables import TableType, item_of, size_of
from zermelo.native.words import WORD, BitsType, bits_type, blended

WIDENS = {types.float64: (types.int64,), types.int64: (types.boolean,)}
"""What else a field of each type may be given."""


@intrinsic
def _put(typingctx: Any, items: Any, index: Any, item: Any) -> Any:
    """`zermelo.tuples.put` for a tuple of one kind of things."""
    if not isinstance(items, types.UniTuple):
        raise errors.TypingError(f"{OURS}put needs a tuple of one kind of things, not {items}")
    if canonical(item, None) not in (items.dtype, *WIDENS.get(items.dtype, ())):
        raise errors.TypingError(f"{OURS}put can't put {item} into a tuple of {items.dtype}")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        old, place, new = args
        outside = builder.icmp_unsigned(">=", place, place.type(len(items)))
        with cgutils.if_unlikely(builder, outside):
            context.call_conv.return_user_exc(builder, IndexError, ("put outside the tuple",))
        stack = cgutils.alloca_once_value(builder, old)
        builder.store(new, builder.gep(stack, [place.type(0), place], inbounds=True))
        return builder.load(stack)

    return items(items, types.int64, items.dtype), generate


@intrinsic
def _hash_fields(typingctx: Any, state: Any) -> Any:
    """`zermelo.fields.hash_fields`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _hash(context, builder, state, args[0])

    return signature(bits_type, state), generate


def _hash(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    key = WORD(fields.SEED)
    for word in _words(context, builder, kind, value):
        key = blended(builder, builder.xor(key, word), WORD(fields.SPREAD))
    return key


def _words(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """`zermelo.fields.words`."""
    if isinstance(kind, types.BaseTuple):
        yield WORD((fields.SPREAD + len(kind)) & bits.WORD)
        for index, item in enumerate(kind):
            yield from _words(context, builder, item, builder.extract_value(value, index))
    elif isinstance(kind, types.Float):
        yield _word_of_float(builder, value)
    elif isinstance(kind, BitsType):
        yield value
    else:
        yield context.cast(builder, value, kind, types.int64)


def _word_of_float(builder: Any, value: Any) -> Any:
    """A whole number as an int has it, any other by its bits."""
    double = ir.DoubleType()
    bound = ir.Constant(double, 2.0**63)
    above, below = builder.fcmp_ordered(">", value, builder.fneg(bound)), builder.fcmp_ordered("<", value, bound)
    small = builder.and_(above, below)
    whole = builder.fptosi(builder.select(small, value, ir.Constant(double, 0.0)), WORD)
    same = builder.and_(small, builder.fcmp_ordered("==", builder.sitofp(whole, double), value))
    return builder.select(same, whole, builder.bitcast(value, WORD))


@intrinsic
def _weighted(typingctx: Any, features: Any, weights: Any) -> Any:
    """`zermelo.tuples.weighted`; many weights are a table, whose length shows only in play."""
    if not isinstance(features, types.BaseTuple):
        raise errors.TypingError(f"{OURS}features must write its numbers out, as in return a, b, c")
    is_table = isinstance(weights, TableType)
    if not is_table and len(features) != len(weights):
        raise errors.TypingError(f"{OURS}there are {len(features)} features but {len(weights)} weights: give one each")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if is_table:
            same = builder.icmp_signed("==", size_of(context, builder, weights, args[1]), WORD(len(features)))
            with cgutils.if_unlikely(builder, builder.not_(same)):
                context.call_conv.return_user_exc(builder, ValueError, ("as many features as weights are needed",))
        total = ir.Constant(ir.DoubleType(), 0.0)
        for index, feature in enumerate(features):
            left = context.cast(builder, builder.extract_value(args[0], index), feature, types.float64)
            if is_table:
                kind, right = weights.item, item_of(context, builder, weights, args[1], WORD(index))
            else:
                kind, right = weights[index], builder.extract_value(args[1], index)
            total = builder.fadd(total, builder.fmul(left, context.cast(builder, right, kind, types.float64)))
        return total

    return signature(types.float64, features, weights), generate


@intrinsic
def zip_strict(typingctx: Any, *things: Any) -> Any:
    """`zip(…, strict=True)`, of things whose lengths are known before the loop."""
    if not all(isinstance(thing, types.Sized | types.RangeType | TableType) for thing in things):
        raise errors.TypingError(f"{OURS}zip(…, strict=True) needs tuples, lists or ranges: leave strict out")
    zipped = typingctx.resolve_function_type(zip, things, {})

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = cgutils.unpack_tuple(builder, args[0])
        for number, thing in enumerate(things[1:], 1):
            check = signature(types.none, things[0], thing)
            context.compile_internal(builder, _check_lengths, check, (values[0], values[number]))
        return context.get_function(zip, zipped)(builder, values)

    return signature(zipped.return_type, types.StarArgTuple(things)), generate


def _check_lengths(one: Any, other: Any) -> None:
    if len(one) != len(other):
        raise ValueError("zip() arguments are of different lengths")


@cache
def replacer(names: tuple[str, ...]) -> Any:
    """A native function of a state and values that gives the state with those fields replaced."""

    def typed(state: Any, values: Any) -> Any:
        for name, value in zip(names, values, strict=True):
            if not isinstance(state, StateType) or name not in state.fields:
                raise errors.TypingError(f"{OURS}_replace({name}=…) needs a state with a field {name}, not {state}")
            wanted = state[state.fields.index(name)]
            if canonical(value, hints(state.maker).get(name)) != wanted:
                declared = next((kind.__name__ for kind, known in SCALARS.items() if known == wanted), str(wanted))
                raise mismatch(f"{state.title.rpartition('.')[2]}.{name}", declared, value)
        return signature(state, state, *(state[state.fields.index(name)] for name in names))

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        state = args[0]
        for name, value in zip(names, args[1:], strict=True):
            state = builder.insert_value(state, value, sig.args[0].fields.index(name))
        return state

    given = ", ".join(names)
    source = f"def _replace(typingctx, state, {given}):\n    return typed(state, ({given},)), generate\n"
    return intrinsic(_written(source, "_replace", {"typed": typed, "generate": generate}))


@cache
def for_each_player(method: str, players: int) -> Any:
    """The game's method `utilities` or `evaluations`, unfolded for a number of players."""
    one = {"utilities": "utility", "evaluations": "evaluate"}[method]
    items = "".join(f"float(self.{one}(state, {player}))," for player in range(players))
    return _written(f"def {method}(self, state):\n    return ({items})\n", method, {})


def no_outcomes(self: Any, state: Any) -> Any:
    """`outcomes` of a game that has none: it must type-check as a generator of pairs, and never yields one."""
    for action in self.actions(state):
        if self.to_move(state) == CHANCE:
            raise GameError
        yield action, 0.0


def _written(source: str, name: str, namespace: dict[str, Any]) -> Any:
    """A function from source text that `inspect` can read back."""
    path = f"<zermelo {source}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    namespace["__name__"] = __name__
    exec(compile(source, path, "exec"), namespace)
    return namespace[name]


@intrinsic
def invert(typingctx: Any, value: Any) -> Any:
    """`~value`, also for a bool, which Python takes for a number there."""
    bits_like = isinstance(value, BitsType)
    if not bits_like and not isinstance(value, types.Integer | types.Boolean):
        raise errors.TypingError(f"{OURS}~ can't be used on {in_words(value)}")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.not_(args[0])

    kind = bits_type if bits_like else types.int64
    return signature(kind, kind), generate


def _checked(sign: str, operation: Any, whole: Any) -> Any:
    """An operation that is `whole` for two whole numbers, and Numba's own for all else."""

    @intrinsic
    def checked(typingctx: Any, left: Any, right: Any) -> Any:
        if all(isinstance(kind, types.Integer | types.Boolean) for kind in (left, right)):

            def generate_whole(context: Any, builder: Any, sig: Any, args: Any) -> Any:
                return context.compile_internal(builder, whole, sig, args)

            return signature(types.int64, types.int64, types.int64), generate_whole
        sig = typingctx.resolve_function_type(operation, (left, right), {})
        if sig is None:
            raise errors.TypingError(f"{OURS}{sign} can't be used on {in_words(left)} and {in_words(right)}")

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return context.get_function(operation, sig)(builder, args)

        return sig, generate

    return checked


def _whole_power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ValueError("a negative power of a whole number is no whole number: write the number with a point, as 2.0")
    return int(base**exponent)


def _whole_shift_left(number: int, places: int) -> int:
    if places < 0:
        raise ValueError("negative shift count")
    return number << places if places < 64 else 0


def _whole_shift_right(number: int, places: int) -> int:
    if places < 0:
        raise ValueError("negative shift count")
    return number >> min(places, 63)


power = _checked("**", operator.pow, _whole_power)
shift_left = _checked("<<", operator.lshift, _whole_shift_left)
shift_right = _checked(">>", operator.rshift, _whole_shift_right)


def backwards(items: Any) -> Any:
    """`reversed`, of a tuple, a list or a range."""
    for place in range(len(items) - 1, -1, -1):
        yield items[place]


def range_back(start: int, stop: int, step: int) -> range:
    """`reversed(range(start, stop, step))`."""
    count = len(range(start, stop, step))
    return range(start + (count - 1) * step, start - step, -step)


@intrinsic
def _same_for_all(typingctx: Any, game: Any, value: Any) -> Any:
    """`zermelo.tuples.same_for_all`."""
    kind = types.UniTuple(types.float64, game.library.game.players)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.make_tuple(builder, kind, [args[1]] * kind.count)

    return signature(kind, game, types.float64), generate


@intrinsic
def _add_scaled(typingctx: Any, total: Any, part: Any, weight: Any) -> Any:
    """`zermelo.tuples.add_scaled`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        items = []
        for index in range(total.count):
            old, new = (builder.extract_value(argument, index) for argument in args[:2])
            items.append(builder.fadd(old, builder.fmul(args[2], new)))
        return context.make_tuple(builder, total, items)

    return signature(total, total, total, types.float64), generate


@intrinsic
def _signed(typingctx: Any, word: Any) -> Any:
    """`zermelo.bits.signed`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0]

    return signature(types.int64, bits_type), generate


@intrinsic
def _limit_now(typingctx: Any, tally: Any) -> Any:
    """`zermelo.native.limit_now`: an atomic read, which the compiler leaves in its loop; as cheap as a plain one."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = cgutils.get_record_member(builder, args[0], tally.offset("limit"), ir.IntType(64))
        return builder.load_atomic(place, "monotonic", 8)

    return signature(types.int64, tally), generate


@intrinsic
def _identity(typingctx: Any, thing: Any) -> Any:
    """`zermelo.native.memory.identity`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if isinstance(thing, BitsType):
            return args[0]
        if isinstance(thing, types.Integer | types.Boolean):
            return context.cast(builder, args[0], thing, types.int64)
        kind = types.Tuple((thing,))
        return _hash(context, builder, kind, context.make_tuple(builder, kind, args))

    return signature(types.int64, thing), generate


_TWINS = {
    **addresses.TWINS,
    memory.identity: _identity,
    bits.bit: bits.bit,
    bits.blend: bits.blend,
    bits.signed: _signed,
    fields.hash_fields: _hash_fields,
    tuples.add_scaled: _add_scaled,
    tuples.put: _put,
    tuples.same_for_all: _same_for_all,
    tuples.weighted: _weighted,
    worlds.limit_now: _limit_now,
}


def of(function: Any) -> Any:
    """The native twin of one of our functions, or None."""
    return _TWINS.get(function)
