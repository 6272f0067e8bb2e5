"""Positions as text: a GNU position ID, who is to move, and the dice to be played, as in `4HPwATDgc/ABMA X 3-1`.

An ID is 80 bits in base64: the other's checkers, then those of the player to move; for each of his points 1 to 24 and
for his bar as many ones as there are checkers, and a zero.
"""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from zermelo.errors import BadInput

CHECKERS = 15
OPENING = "opening"
START = "4HPwATDgc/ABMA"
DICE = re.compile(r"([1-6])(?:-?([1-6])|\(([23])\))?")

Counts = tuple[int, ...]
"""How many checkers a player has borne off, has on his points 1 to 24, and on the bar."""


class Reading(NamedTuple):
    """What a text says: the checkers of the player to move and of the other, who that is, and the dice to play."""

    own: Counts
    other: Counts
    player: int = 0
    high: int = 0
    low: int = 0
    left: int = 0


def write(board: Reading) -> str:
    """The text that `read` reads."""
    text = write_id(board.own, board.other)
    if board.left < 0:
        return f"{text} {OPENING}"
    whole = board.high != board.low or board.left == 4
    again = "" if board.left == 1 else f"({board.left})"
    dice = f"{board.high}-{board.low}" if whole else f"{board.high}{again}"
    return f"{text} {'XO'[board.player]}" + (f" {dice}" if board.left else "")


def read(text: str) -> Reading:
    """What a text says; X is to roll where it gives the ID alone. `BadInput` if it can't be a position."""
    words = text.split()
    if not 1 <= len(words) <= 3:
        raise BadInput(f"{text!r} is not a position ID with the player and the dice, as in {START} X 3-1")
    own, other = read_id(words[0])
    _check(text, own, other)
    if words == [START, OPENING]:
        return Reading(own, other, left=-1)
    player_word, dice_word = [*words[1:], "", ""][:2]
    player = _player(text, player_word)
    board = Reading(own, other, player, *_dice(text, dice_word))
    over = CHECKERS in (own[0], other[0])
    if over and board.left:
        raise BadInput(f"{text!r} has dice, but the game is over")
    return Reading(other, own, 1 - player) if other[0] == CHECKERS else board


def write_id(own: Counts, other: Counts) -> str:
    """The ID of a board where the player to move has `own`."""
    bits = "".join("1" * count + "0" for side in (other, own) for count in side[1:])
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[Counts, Counts]:
    """The checkers of the player to move and of the other."""
    if re.fullmatch(r"[A-Za-z0-9+/]{14}", text) is None:
        raise BadInput(f"{text!r} is no GNU position ID: that is 14 letters, digits, + and /, such as {START}")
    number = int.from_bytes(base64.b64decode(text + "=="), "little")
    runs = [len(run) for run in f"{number:080b}"[::-1].split("0")]
    other, own = ((CHECKERS - sum(side), *side) for side in (runs[:25], runs[25:50]))
    if len(runs) < 51 or any(runs[50:]) or (min(own[0], other[0]) >= 0 and write_id(own, other) != text):
        raise BadInput(f"{text!r} is no GNU position ID: its bits don't give the 25 places of each of two players")
    return own, other


def _check(text: str, own: Counts, other: Counts) -> None:
    """Refuse what can't be on a board."""
    most = CHECKERS - min(own[0], other[0])
    if most > CHECKERS:
        raise BadInput(f"{text!r} has {most} checkers of one player: {CHECKERS} is all there are")
    shared = [point for point in range(1, 25) if own[point] and other[25 - point]]
    if shared:
        raise BadInput(f"{text!r} has checkers of both players on point {shared[0]} of the one to move")
    if own[0] == other[0] == CHECKERS:
        raise BadInput(f"{text!r} has no checkers: somebody would have won before")
    if all(min(side[1:7]) > 1 and side[25] for side in (own, other)):
        raise BadInput(f"{text!r} has both players shut out on the bar, where nobody could ever move")


def _player(text: str, word: str) -> int:
    """Who is to move: X where nothing is said."""
    if word == OPENING:
        raise BadInput(f"{text!r} is not how a game begins: that is {START} {OPENING}; else write X or O")
    if word.upper() not in ("", "X", "O"):
        raise BadInput(f"{text!r} has {word!r} for the player to move: write X or O")
    return 1 if word.upper() == "O" else 0


def _dice(text: str, word: str) -> tuple[int, int, int]:
    """The higher die, the lower one, and how many moves are left to make with them."""
    found = DICE.fullmatch(word)
    if found is None and word:
        cure = "write two dice from 1 to 6 such as 3-1, or what is left of them: 1, or 3(2) for two threes"
        raise BadInput(f"{text!r} has {word!r} for the dice: {cure}")
    if found is None:
        return 0, 0, 0
    first, second = int(found[1]), int(found[2] or found[1])
    left = int(found[3] or 1) if not found[2] else 4 if first == second else 2
    return max(first, second), min(first, second), left
