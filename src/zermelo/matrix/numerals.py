"""The numbers of matrix games as text: decimals as their author wrote them, fractions with all their digits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.matrix.payoffs import Number

NARROW = 9
"""The most characters of a fraction in a picture."""


def fraction_text(number: Fraction) -> str:
    """A fraction with all its digits, also where Python's `str` refuses to write so many."""
    top, bottom = Decimal(number.numerator), Decimal(number.denominator)
    return f"{top}" if bottom == 1 else f"{top}/{bottom}"


def payoff_text(number: Fraction) -> str:
    """A number as its author wrote it: as a decimal where it is one, else as a fraction. Nothing is rounded."""
    places = _places(number.denominator)
    if places is None:
        return fraction_text(number)
    sign, digits, _ = Decimal(number.numerator * 10**places // number.denominator).as_tuple()
    return str(Decimal((sign, digits, -places))).lower()


def mark_text(number: Number, slack: float = 0) -> str:
    """A number for a picture: a short fraction as it is, all else to four digits; what is within `slack` of 0 is 0."""
    if isinstance(number, Fraction) and len(text := fraction_text(number)) <= NARROW:
        return text
    return f"{float(number):.4g}" if abs(float(number)) > slack else "0"


def _places(denominator: int) -> int | None:
    """How many decimal places a fraction in lowest terms has; None where they never end."""
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    return max(twos, fives) if rest == 1 else None
