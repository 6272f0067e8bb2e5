"""A state's fields: which kinds are plain (and so may be native), their text, and their 64-bit key."""

from __future__ import annotations

import ast
import hashlib
import re
import struct
import typing
from collections.abc import Iterator
from typing import Any

from zermelo.bits import WORD, Bits
from zermelo.errors import BadInput

SEED = 0x243F6A8885A308D3
SPREAD = 0x9E3779B97F4A7C15


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
            return f"its field {name} holds a {_kind(value)}"
    return ""


def words(value: Any) -> Iterator[int]:
    """A plain value as 64-bit words: each number, and before the items of a tuple a word for its length."""
    if isinstance(value, tuple):
        yield (SPREAD + len(value)) & WORD
        for item in value:
            yield from words(item)
    elif isinstance(value, float) and not (value.is_integer() and abs(value) < 2**63):
        yield struct.unpack("<Q", struct.pack("<d", value))[0]
    else:
        yield int(value) & WORD


def literal(value: Any) -> str:
    """A value made of Python's own kinds as text without spaces; equal values have equal texts.

    `TypeError` for any other kind: its text could not be trusted to tell one value from another.
    """
    if isinstance(value, str | bytes):
        return repr(value).replace(" ", "\\x20")
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return repr(int(value))
    if isinstance(value, int | float | None):
        return repr(value)
    if isinstance(value, tuple | list):
        items = ",".join(literal(item) for item in value)
        return f"[{items}]" if isinstance(value, list) else f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{literal(key)}:{literal(item)}" for key, item in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(literal(item) for item in value)) + "}" if value else "set()"
    raise TypeError(f"a {_kind(value)} has no text that tells it from others")


def is_literal(value: Any) -> bool:
    """Whether a value is made of Python's own kinds alone."""
    try:
        literal(value)
    except (TypeError, RecursionError):
        return False
    return True


def hash_fields(state: Any) -> Bits:
    """A 64-bit key of a state: equal states have equal keys, in every world, also if one has 3.0 for 3.

    A state that is not plain has the key of its `literal` text.
    """
    if not _is_plain(state):
        return Bits(int.from_bytes(hashlib.blake2b(literal(state).encode(), digest_size=8).digest(), "little"))
    key = SEED
    for word in words(state):
        key = (key ^ word) * SPREAD & WORD
        key ^= key >> 32
    return Bits(key)


def format_value(value: Any) -> str:
    """One field as text: numbers as they are, Bits in hex, tuples in brackets; no spaces."""
    if isinstance(value, Bits):
        return f"{int(value):#x}"
    if isinstance(value, tuple) and _is_plain(value):
        return "(" + ",".join(format_value(item) for item in value) + ")"
    plain = _is_plain(value) or not is_literal(value)
    return repr(value).replace(" ", "") if plain else literal(value)


def format_fields(state: Any) -> str:
    """A state as `name=value` words, the form that `parse_fields` reads."""
    return " ".join(f"{name}={format_value(value)}" for name, value in fields(state))


def parse_fields(text: str, example: Any) -> Any:
    """The state written in `text`, with the field names of `example` and its kinds, or the wider ones declared."""
    wanted = {name: _declared(example, name, value) for name, value in fields(example)}
    given: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in wanted or name in given:
            raise BadInput(f"{word!r} is no field of the state; write it as {format_fields(example)!r}")
        given[name] = value
    missing = [name for name in wanted if name not in given]
    if missing:
        raise BadInput(f"the state lacks {', '.join(missing)}; write it as {format_fields(example)!r}")
    values = {name: _parse_value(name, given[name], wanted[name]) for name in wanted}
    return type(example)(**values) if hasattr(example, "_fields") else values["state"]


def _declared(state: Any, name: str, value: Any) -> Any:
    """A field's value as the kind the field is declared as, where that is wider: 0.0 for 0 in a float field."""
    try:
        hint: Any = typing.get_type_hints(type(state)).get(name)
    except Exception:
        return value
    return hint(value) if (type(value), hint) in ((int, float), (bool, int)) else value


def _parse_value(name: str, text: str, example: Any) -> Any:
    """One field's value, which must be of the kind that `example` has."""
    if not _is_plain(example):
        return _parse_literal(name, text, example)
    tokens = re.findall(r"[(),]|[^(),]+", text)
    value, rest = _parse_tokens(tokens)
    if not rest and _counts_as(value, example):
        return _as_kind(value, example)
    raise BadInput(f"{name}={text} is not a {_kind(example)} like {format_value(example)}")


def _parse_literal(name: str, text: str, example: Any) -> Any:
    """A value of one of Python's own kinds, as `literal` writes it."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    if isinstance(example, frozenset) and isinstance(value, set):
        return frozenset(value)
    if type(value) is type(example):
        return value
    raise BadInput(f"{name}={text} is not a {_kind(example)} like {format_value(example)}")


def _parse_tokens(tokens: list[str]) -> tuple[Any, list[str]]:
    if not tokens:
        return None, []
    head, rest = tokens[0], tokens[1:]
    if head != "(":
        return _parse_scalar(head), rest
    items: list[Any] = []
    while rest and rest[0] != ")":
        item, rest = _parse_tokens(rest)
        items.append(item)
        if rest and rest[0] == ",":
            rest = rest[1:]
    return (tuple(items), rest[1:]) if rest else (None, [])


def _parse_scalar(text: str) -> int | float | bool | None:
    if text in ("True", "False"):
        return text == "True"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return int(text, 16) if re.fullmatch(r"0x[0-9a-fA-F]{1,16}", text) else None


def _counts_as(value: Any, example: Any) -> bool:
    """Whether an integer may stand for the example's kind: a float, Bits, or a tuple of such."""
    if isinstance(example, tuple):
        return (
            isinstance(value, tuple)
            and len(value) == len(example)
            and all(_counts_as(item, like) for item, like in zip(value, example, strict=True))
        )
    if isinstance(value, bool) or isinstance(example, bool):
        return isinstance(value, bool) and isinstance(example, bool)
    return isinstance(value, int | float) if isinstance(example, float) else isinstance(value, int)


def _as_kind(value: Any, example: Any) -> Any:
    if isinstance(example, tuple):
        return tuple(_as_kind(item, like) for item, like in zip(value, example, strict=True))
    return type(example)(value)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(item) for item in value)
    return type(value) in (int, bool, float, Bits)


def _kind(value: Any) -> str:
    return type(value).__name__
