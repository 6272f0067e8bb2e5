"""Functions of ours that rules and kernels call and that native code does in its own way."""

from __future__ import annotations

import linecache
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing import signature
from numba.extending import intrinsic

from zermelo import bits, fields, game
from zermelo.native.states import OURS, StateType, canonical
from zermelo.native.words import WORD, BitsType, bits_type

WIDENS = {types.float64: (types.int64,), types.int64: (types.boolean,)}
"""What else a field of each type may be given."""


@intrinsic
def _put(typingctx: Any, items: Any, index: Any, item: Any) -> Any:
    """`zermelo.game.put` for a tuple of one kind of things."""
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
        key = WORD(fields.SEED)
        for word in _words(context, builder, state, args[0]):
            key = builder.mul(builder.xor(key, word), WORD(fields.SPREAD))
            key = builder.xor(key, builder.lshr(key, WORD(32)))
        return key

    return signature(bits_type, state), generate


def _words(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Each number in a value as a 64-bit word, in order."""
    if isinstance(kind, types.BaseTuple):
        for index, item in enumerate(kind):
            yield from _words(context, builder, item, builder.extract_value(value, index))
    elif isinstance(kind, types.Float):
        yield builder.bitcast(builder.fadd(value, ir.Constant(ir.DoubleType(), 0.0)), WORD)
    elif isinstance(kind, BitsType):
        yield value
    else:
        yield context.cast(builder, value, kind, types.int64)


@intrinsic
def _weighted(typingctx: Any, features: Any, weights: Any) -> Any:
    """`zermelo.game.weighted`."""
    if len(features) != len(weights):
        raise errors.TypingError(f"{OURS}there are {len(features)} features but {len(weights)} weights: give one each")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        total = ir.Constant(ir.DoubleType(), 0.0)
        for index, (feature, weight) in enumerate(zip(features, weights, strict=True)):
            left = context.cast(builder, builder.extract_value(args[0], index), feature, types.float64)
            right = context.cast(builder, builder.extract_value(args[1], index), weight, types.float64)
            total = builder.fadd(total, builder.fmul(left, right))
        return total

    return signature(types.float64, features, weights), generate


@cache
def replacer(names: tuple[str, ...]) -> Any:
    """A native function of a state and values that gives the state with those fields replaced."""

    def typed(state: Any, values: Any) -> Any:
        for name, value in zip(names, values, strict=True):
            if not isinstance(state, StateType) or name not in state.fields:
                raise errors.TypingError(f"{OURS}_replace({name}=…) needs a state with a field {name}, not {state}")
            if canonical(value, None) not in (wanted := state[state.fields.index(name)], *WIDENS.get(wanted, ())):
                raise errors.TypingError(f"{OURS}field {name} is {wanted} but _replace gives it {value}")
        return signature(state, state, *(state[state.fields.index(name)] for name in names))

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        state = args[0]
        for name, value in zip(names, args[1:], strict=True):
            state = builder.insert_value(state, value, sig.args[0].fields.index(name))
        return state

    source = f"def _replace(typingctx, state, {', '.join(names)}):\n    return typed(state, ({', '.join(names)},)), generate\n"
    return intrinsic(_written(source, "_replace", {"typed": typed, "generate": generate}))


@cache
def for_each_player(method: str, players: int) -> Any:
    """The game's method `utilities` or `evaluations`, unfolded for a number of players."""
    one = {"utilities": "utility", "evaluations": "evaluate"}[method]
    items = "".join(f"float(self.{one}(state, {player}))," for player in range(players))
    return _written(f"def {method}(self, state):\n    return ({items})\n", method, {})


def _written(source: str, name: str, namespace: dict[str, Any]) -> Any:
    """A function from source text that `inspect` can read back."""
    path = f"<zermelo {source}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    exec(compile(source, path, "exec"), namespace)
    return namespace[name]


_TWINS = {game.put: _put, fields.hash_fields: _hash_fields, game.weighted: _weighted, bits.bit: bits.bit}


def of(function: Any) -> Any:
    """The native twin of one of our functions, or None."""
    return _TWINS.get(function)
