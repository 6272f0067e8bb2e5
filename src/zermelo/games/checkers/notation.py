"""Checkers as text: positions as in `B:W18,24,K27:B12,16,K20`, moves as in `11-15` and `22x15x6`."""

from __future__ import annotations

import re
from typing import NamedTuple

from zermelo.bits import Bits
from zermelo.board import Grid
from zermelo.errors import BadInput
from zermelo.games.checkers.layout import FIRST_ROW, LAST_ROW, STEPS, place_of, places, square_at

EXAMPLE = "B:W18,24,K27:B12,16,K20"
COLOURS = ("Black", "White")
MOST_PIECES = 12
PIECES = re.compile(r"(K?)([0-9]{1,2})(?:-(K?)([0-9]{1,2}))?")
MOVE = re.compile(r"[0-9]{1,2}(?:[-xX:×][0-9]{1,2})+")
NUMBER = re.compile(r"[0-9]+")


class Setup(NamedTuple):
    """The pieces of both players, which of them are kings, who is to move, and how many moves were quiet."""

    black: Bits
    white: Bits
    kings: Bits
    turn: int
    quiet: int


def read_fen(text: str) -> Setup:
    """The position that a FEN writes, or `BadInput`.

    Sections may come in any order, and be left out where there are no pieces; squares may be ranges such as 1-12, and a
    full stop may end it. `H` is the number of quiet moves, as some programs write it; theirs of the move, `F`, is not
    needed.
    """
    turn, *sections = "".join(text.split()).upper().rstrip(".").split(":")
    if turn not in ("B", "W") or not sections:
        raise BadInput(f"{cut(text)} does not begin with B: or W:, for who is to move; write it as {EXAMPLE}")
    found: dict[str, str] = {}
    for section in sections:
        letter, body = section[:1], section[1:]
        if letter not in ("B", "W", "H", "F") or letter in found:
            why = "has twice" if letter in found else "has"
            raise BadInput(f"{cut(text)} {why} {cut(section)}: write W and B before the squares, as in {EXAMPLE}")
        found[letter] = body
    men: list[Bits] = []
    kings: list[Bits] = []
    for letter in "BW":
        for pieces, squares in zip((men, kings), _squares(found.get(letter, ""), text), strict=True):
            pieces.append(places(squares))
    setup = Setup(men[0] | kings[0], men[1] | kings[1], kings[0] | kings[1], "BW".index(turn), _clock(found, text))
    _check(setup, text)
    return setup


def write_fen(setup: Setup) -> str:
    """The FEN of a position; quiet moves are told where there are any."""
    sides = [
        ",".join(("K" if place in setup.kings else "") + str(square_at(place)) for place in pieces)
        for pieces in (setup.white, setup.black)
    ]
    return f"{'BW'[setup.turn]}:W{sides[0]}:B{sides[1]}" + (f":H{setup.quiet}" if setup.quiet else "")


def squares_of(action: int) -> tuple[int, ...]:
    """The squares that a piece touches in its turn, from where it starts to where it ends."""
    place, path = action & 63, action >> 6
    if path < 4:
        return square_at(place), square_at(place + STEPS[path])
    squares = [square_at(place)]
    while path > 3:
        place += 2 * STEPS[path & 3]
        squares.append(square_at(place))
        path >>= 2
    return tuple(squares)


def write_move(action: int, jumps: list[int]) -> str:
    """An action as text; that of a jump has all squares where another of these jumps has the same start and end."""
    squares = squares_of(action)
    if action >> 6 < 4:
        return f"{squares[0]}-{squares[1]}"
    ends = [(stops[0], stops[-1]) for stops in map(squares_of, jumps)]
    is_plain = ends.count((squares[0], squares[-1])) == 1
    return f"{squares[0]}x{squares[-1]}" if is_plain else "x".join(map(str, squares))


def stops_in(text: str) -> tuple[int, ...]:
    """The squares that the text of a move names, none if it is no such text.

    Whether - or x is written does not matter: people and programs use both for steps and for jumps.
    """
    return tuple(int(number) for number in NUMBER.findall(text)) if MOVE.fullmatch(text) else ()


def drawn(setup: Setup) -> Grid:
    """The board as a picture: b and w for men, B and W for kings, and the numbers of the empty squares."""
    cells, owners = [""] * 64, [-1] * 64
    for square in range(1, 33):
        row, place = (square - 1) // 4, place_of(square)
        owner = 0 if place in setup.black else 1 if place in setup.white else -1
        index = 2 * (square - 1) + 1 - row % 2
        owners[index] = owner
        cells[index] = str(square) if owner < 0 else "BW"[owner] if place in setup.kings else "bw"[owner]
    rows = tuple(f"{4 * row + 1}-{4 * row + 4}" for row in range(8))
    return Grid(8, 8, tuple(cells), tuple(owners), rows)


def cut(text: str, most: int = 60) -> str:
    """A text for a message, cut short where it is long."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}…"


def _squares(body: str, text: str) -> tuple[list[int], list[int]]:
    """The squares of men and of kings in one section of a FEN."""
    kinds: tuple[list[int], list[int]] = ([], [])
    for item in body.split(",") if body else ():
        match = PIECES.fullmatch(item)
        first, last = (int(match[2]), int(match[4] or match[2])) if match else (0, 0)
        if match is None or not 1 <= first <= last <= 32:
            raise BadInput(
                f"{cut(text)} has {cut(item)} for a piece: write a square from 1 to 32, for a king K before it"
            )
        kinds[match[1] == "K"].extend(range(first, last + 1))
    for number in kinds[0] + kinds[1]:
        if (kinds[0] + kinds[1]).count(number) > 1:
            raise BadInput(f"{cut(text)} has two pieces on {number}")
    return kinds


def _clock(found: dict[str, str], text: str) -> int:
    """The number of quiet moves, 0 where nothing is said."""
    count = found.get("H", "0")
    if re.fullmatch("[0-9]{1,4}", count) is None:
        raise BadInput(f"{cut(text)} has {cut('H' + count)} for the number of quiet moves: write H and a number")
    return int(count)


def _check(setup: Setup, text: str) -> None:
    """Refuse what can't be on a board."""
    both = setup.black & setup.white
    if both:
        raise BadInput(f"{cut(text)} has two pieces on {square_at(both.lowest())}")
    sides = (setup.black, LAST_ROW), (setup.white, FIRST_ROW)
    for colour, (pieces, crowning) in zip(COLOURS, sides, strict=True):
        if pieces.count() > MOST_PIECES:
            raise BadInput(f"{cut(text)} has {pieces.count()} pieces of {colour}: {MOST_PIECES} is all there are")
        men = pieces & ~setup.kings & crowning
        if men:
            square = square_at(men.lowest())
            raise BadInput(f"{cut(text)} has a man of {colour} on {square}, where he is a king: write K{square}")
    if not sides[1 - setup.turn][0]:
        raise BadInput(f"{cut(text)} has no piece of {COLOURS[1 - setup.turn]}, who is not to move: who moved last?")
