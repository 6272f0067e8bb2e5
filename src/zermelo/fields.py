"""A state's fields: which kinds are plain (and so may be native), their text, and their 64-bit key."""

from __future__ import annotations

import ast
import hashlib
import re
import struct
import typing
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import Enum, IntEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any

from zermelo.bits import WORD, Bits
from zermelo.errors import BadInput

SEED = 0x243F6A8885A308D3
SPREAD = 0x9E3779B97F4A7C15
SPECIAL = " ,()[]{}'\""
"""What a text can't hold to be a word of its own."""
_NOTHING = object()
"""What a text that can't be read is read as, since None may be a value."""


def fields(state: Any) -> tuple[tuple[str, Any], ...]:
    """The (name, value) pairs of a state; a state that is no NamedTuple is one field named `state`."""
    names = getattr(state, "_fields", None)
    return tuple(zip(names, state, strict=True)) if names else (("state", state),)


def why_not_plain(state: Any) -> str:
    """Empty if the state is a NamedTuple of plain fields, else the reason, as part of a sentence."""
    if not hasattr(state, "_fields"):
        return f"its state is a {type(state).__name__}, not a NamedTuple"
    for name, value in fields(state):
        if not _is_plain(value):
            return f"its field {name} holds {kind_of(value)}"
    return ""


def words(value: Any) -> Iterator[int]:
    """A plain value as 64-bit words: each number, and before the items of a tuple a word for its length.

    A whole number of more bits is the float it equals, or as many words as it needs, as in a tuple.
    """
    if isinstance(value, tuple):
        yield (SPREAD + len(value)) & WORD
        for item in value:
            yield from words(item)
    elif isinstance(value, float) and not (value.is_integer() and abs(value) < 2**63):
        yield struct.unpack("<Q", struct.pack("<d", value))[0]
    elif -(1 << 63) <= (number := int(value)) <= WORD:
        yield number & WORD
    elif abs(number) < 1 << 1000 and float(number) == number:
        yield from words(float(number))
    else:
        count = number.bit_length() // 64 + 1
        yield (SPREAD + count) & WORD
        yield from (number >> 64 * place & WORD for place in range(count))


def kind_of(value: Any) -> str:
    """The kind of a value with its article: an int, a list."""
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def literal(value: Any, *, key: bool = False) -> str:
    """A value made of Python's own kinds as text without spaces, which Python reads as an equal value.

    As a `key` equal values have equal texts, also 1, 1.0 and True. An enum's member that is a number or a text is
    written as that. `TypeError` for any other kind: its text could not be trusted to tell one value from another.
    """
    if isinstance(value, str):
        return str.__repr__(value).replace(" ", "\\x20")
    if isinstance(value, bytes):
        return repr(value).replace(" ", "\\x20")
    if isinstance(value, bool | float) and not (key and value == value // 1):
        return repr(value)
    if isinstance(value, int | float):
        return int.__repr__(int(value))
    if value is None:
        return "None"
    if isinstance(value, tuple | list):
        items = ",".join(literal(item, key=key) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, dict):
        pairs = (f"{literal(name, key=key)}:{literal(item, key=key)}" for name, item in value.items())
        return "{" + ",".join(sorted(pairs)) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(literal(item, key=key) for item in value)) + "}" if value else "set()"
    raise TypeError(f"{kind_of(value)} has no text that tells it from others")


def is_literal(value: Any) -> bool:
    """Whether a value is made of Python's own kinds alone."""
    try:
        literal(value)
    except (TypeError, RecursionError):
        return False
    return True


def is_hashable(value: Any) -> bool:
    """Whether a value can be kept in a set."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def hash_fields(state: Any) -> Bits:
    """A 64-bit key of a state: equal states have equal keys, in every world, also if one has 3.0 for 3.

    A state that is not made of numbers has the key of its `literal` text.
    """
    if not _is_numeric(state):
        text = literal(state, key=True).encode()
        return Bits(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little"))
    key = SEED
    for word in words(state):
        product = (key ^ word) * SPREAD
        key = (product ^ product >> 64) & WORD
    return Bits(key)


def spread(key: Bits) -> Bits:
    """32 bits that all bits of a key bear upon, so that keys lie evenly in a table whatever a game's keys are."""
    return (key ^ key >> 32) * SPREAD >> 32


def format_value(value: Any) -> str:
    """One field as text: numbers as they are, Bits in hex, tuples in brackets, enums by value; no spaces."""
    if isinstance(value, Bits):
        return f"{int(value):#x}"
    if isinstance(value, Enum):
        return format_value(value.value)
    if isinstance(value, tuple) and _is_numeric(value):
        return "(" + ",".join(format_value(item) for item in value) + ")"
    return literal(value) if is_literal(value) else "".join(repr(value).split())


def format_word(value: Any) -> str:
    """An action as one word, which can stand in a list of moves: as `format_value`, but texts without quotes.

    A text that would not be one word (it is empty, has spaces, commas, brackets, quotes) is quoted and escaped.
    """
    if isinstance(value, Enum):
        return format_word(value.value)
    if isinstance(value, tuple):
        return "(" + ",".join(format_word(item) for item in value) + ")"
    if not isinstance(value, str):
        return format_value(value)
    bare = value.isprintable() and not set(value) & set(SPECIAL)
    return value if value and bare else f"'{''.join(map(_escaped, value))}'"


def format_fields(state: Any) -> str:
    """A state as `name=value` words, the form that `parse_fields` reads."""
    return " ".join(f"{name}={value}" for name, value in field_texts(state))


def _escaped(sign: str) -> str:
    if sign in SPECIAL:
        return f"\\x{ord(sign):02x}"
    return sign if sign.isprintable() and sign != "\\" else sign.encode("unicode_escape").decode()


def field_texts(state: Any) -> tuple[tuple[str, str], ...]:
    """The (name, text) pairs of a state; a value is written as the kind its field is declared as."""
    kind: Any = type(state)
    declared = hints(kind)
    return tuple((name, format_value(_widened(value, declared.get(name)))) for name, value in fields(state))


def parse_fields(text: str, example: Any) -> Any:
    """The state written in `text`, with the field names of `example` and its kinds, or the wider ones declared."""
    kind: Any = type(example)
    declared = hints(kind)
    wanted = {name: _widened(value, declared.get(name)) for name, value in fields(example)}
    given: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in wanted or name in given:
            raise BadInput(f"{word!r} is no field of the state; write it as {format_fields(example)!r}")
        given[name] = value
    missing = [name for name in wanted if name not in given]
    if missing:
        raise BadInput(f"the state lacks {', '.join(missing)}; write it as {format_fields(example)!r}")
    values = {name: _parse_value(name, given[name], wanted[name], declared.get(name)) for name in wanted}
    return kind(**values) if hasattr(example, "_fields") else values["state"]


@cache
def hints(kind: type) -> dict[str, Any]:
    """The annotations of a state's fields; none where they can't be worked out."""
    try:
        return typing.get_type_hints(kind)
    except Exception:
        return {}


def item_hints(hint: Any, count: int) -> list[Any]:
    """The annotations of a tuple's items."""
    inner = typing.get_args(hint)
    if len(inner) == 2 and inner[1] is Ellipsis:
        return [inner[0]] * count
    return list(inner) if len(inner) == count else [None] * count


def options(hint: Any) -> tuple[Any, ...]:
    """The kinds that an annotation allows: int and None for `int | None`."""
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, UnionType) else (hint,)


def _widened(value: Any, hint: Any) -> Any:
    """A value as the kind it is declared as, where that is wider: 0.0 for 0 in a float field."""
    if type(value) is tuple:
        return tuple(_widened(*pair) for pair in zip(value, item_hints(hint, len(value)), strict=True))
    return hint(value) if (type(value), hint) in ((int, float), (bool, int)) else value


def _parse_value(name: str, text: str, example: Any, hint: Any) -> Any:
    """One field's value, of the kind that `example` has, or of one that is declared where None is one of several."""
    if example is None or NoneType in options(hint):
        found = _first(_fitted(value, hint) for value in _readings(text))
        kinds = " or ".join(
            "None" if kind is NoneType else getattr(kind, "__name__", str(kind)) for kind in options(hint)
        )
        cure = f"can't be read as {kinds if hint else 'a value of Python'}"
    else:
        reading, fitting = (_numbers, _as_kind) if _is_plain(example) else (_readings, _like)
        found = _first(fitting(value, example) for value in reading(text))
        cure = f"is not {kind_of(example)} like {format_value(example)}"
    if found is _NOTHING:
        raise BadInput(f"{name}={text} {cure}")
    return found


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value is not _NOTHING), _NOTHING)


def _readings(text: str) -> Iterator[Any]:
    """What a text may mean: as Python reads it, and as `format_value` writes numbers."""
    with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        yield ast.literal_eval(text)
    yield from _numbers(text)


def _numbers(text: str) -> Iterator[Any]:
    """A number, or a tuple of such, as `format_value` writes it; nothing for any other text."""
    with suppress(ValueError, RecursionError):
        value, rest = _parse_tokens(re.findall(r"[(),]|[^(),]+", text))
        if not rest:
            yield value


def _like(value: Any, example: Any) -> Any:
    """A value that `literal` has written, as the kind of the example; `_NOTHING` if it is of another."""
    if isinstance(example, frozenset) and isinstance(value, set):
        return frozenset(value)
    if isinstance(example, Enum):
        return _member(type(example), value)
    return value if type(value) is type(example) else _NOTHING


def _member(kind: type[Enum], value: Any) -> Any:
    return _first(member for member in kind if member.value == value)


def _fitted(value: Any, hint: Any) -> Any:
    """A value as one of the kinds that an annotation allows, the very kind first; `_NOTHING` if it is none of them."""
    kinds = sorted(options(hint), key=lambda kind: type(value) is not kind)
    return _first(_fitted_to(value, kind) for kind in kinds)


def _fitted_to(value: Any, kind: Any) -> Any:
    outer: Any = typing.get_origin(kind) or kind
    if outer is Any or not isinstance(outer, type):
        return value
    if outer is tuple and isinstance(value, tuple):
        items = [_fitted(*pair) for pair in zip(value, item_hints(kind, len(value)), strict=True)]
        return _NOTHING if _NOTHING in items else tuple(items)
    if issubclass(outer, Enum):
        return _member(outer, value)
    if outer is frozenset and isinstance(value, set):
        return frozenset(value)
    if outer in (float, Bits) and type(value) is int:
        return _made(outer, value)
    return value if type(value) is outer else _NOTHING


def _parse_tokens(tokens: list[str]) -> tuple[Any, list[str]]:
    """The value that the first tokens write, and the other tokens; `ValueError` if they write none."""
    if not tokens:
        raise ValueError
    head, rest = tokens[0], tokens[1:]
    if head != "(":
        return _parse_scalar(head), rest
    items: list[Any] = []
    while rest and rest[0] != ")":
        item, rest = _parse_tokens(rest)
        items.append(item)
        if rest and rest[0] == ",":
            rest = rest[1:]
    if not rest:
        raise ValueError
    return tuple(items), rest[1:]


def _parse_scalar(text: str) -> int | float | bool:
    if text in ("True", "False"):
        return text == "True"
    if re.fullmatch(r"0x[0-9a-fA-F]{1,16}", text):
        return int(text, 16)
    with suppress(ValueError):
        return int(text)
    return float(text)


def _as_kind(value: Any, example: Any) -> Any:
    """A value as the example's kind: an integer may stand for a float or Bits; `_NOTHING` if it doesn't fit."""
    if isinstance(example, tuple):
        if not isinstance(value, tuple) or len(value) != len(example):
            return _NOTHING
        items = [_as_kind(item, like) for item, like in zip(value, example, strict=True)]
        return _NOTHING if _NOTHING in items else tuple(items)
    allowed = {bool: (bool,), float: (int, float)}.get(type(example), (int,))
    return _made(type(example), value) if type(value) in allowed else _NOTHING


def _made(kind: Any, value: int | float) -> Any:
    try:
        return kind(value)
    except OverflowError:
        return _NOTHING


def _is_plain(value: Any) -> bool:
    """Whether a value may be native."""
    if isinstance(value, tuple):
        return all(_is_plain(item) for item in value)
    return type(value) in (int, bool, float, Bits)


def _is_numeric(value: Any) -> bool:
    """Whether a value is made of numbers; a member of an IntEnum is one."""
    if isinstance(value, tuple):
        return all(_is_numeric(item) for item in value)
    return type(value) in (int, bool, float, Bits) or isinstance(value, IntEnum)
