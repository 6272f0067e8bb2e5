"""Switches of a search: dataclasses of settings that can be written as texts such as `killers=no` and `beam=5`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TypeVar

from zermelo.errors import BadInput

T = TypeVar("T")
MOST_THREADS = 256
FLAGS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)
KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text"}
"""The kinds of values that can be written, and what to ask for."""


def parse_switches(kind: type[T], who: str, settings: Iterable[str], **given: Any) -> T:
    """A dataclass from texts, besides what is given as values; `who` has the switches, for messages."""
    kinds = {each.name: str(each.type) for each in fields(kind)}  # type: ignore[arg-type]
    values = dict(given)
    for setting in settings:
        name, _, text = (part.strip() for part in setting.partition("="))
        name = name.replace("-", "_")
        if name not in kinds:
            raise BadInput(f"{who} has no switch {name!r}: use {', '.join(kinds)}")
        values[name] = _parsed(name, text, kinds[name])
    return kind(**values)


def parse_value(text: str, kind: type) -> Any:
    """The value of one of `KINDS` that a text writes; `ValueError` where it writes none."""
    if kind is not bool:
        return kind(text)
    if text.lower() not in FLAGS:
        raise ValueError(text)
    return FLAGS[text.lower()]


def within(name: str, value: float, least: float, most: float) -> None:
    """`BadInput` if a number is not from `least` to `most`."""
    if not value >= least:
        raise BadInput(f"{name} must be {least:g} or more, not {value:g}")
    if not value <= most:
        raise BadInput(f"{name} must be at most {most:g}, not {value:g}")


def _parsed(name: str, text: str, kind: str) -> Any:
    """The value that a text writes for a switch of some kind, such as `int | None`."""
    if "None" in kind and text.lower() == "none":
        return None
    plain = next(each for each in KINDS if kind.startswith(each.__name__))
    try:
        return parse_value(text, plain)
    except ValueError:
        raise BadInput(f"{name} is {KINDS[plain]}, not {text!r}") from None
