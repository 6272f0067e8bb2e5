"""Backgammon for tests: a naive twin, positions of all kinds, and two independent programs that know the rules.

`python tests/backgammon.py` makes `data/backgammon/plays.txt` anew, for which it needs GNU Backgammon.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.game import CHANCE
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.position_id import Counts, read_id, write_id

RECORDED = Path(__file__).parent / "data" / "backgammon" / "plays.txt"
GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
ROLLS = [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]


Men = tuple[Counts, Counts]
"""The checkers of the player to move and of the other, each on his own places: off, points 1 to 24, bar."""


# The naive twin: the rule book in plain loops.


def naive_step(men: Men, place: int, die: int) -> Men | None:
    """The board after one checker's move with a die, or None if that is against the rules."""
    own, other = list(men[0]), list(men[1])
    if own[place] == 0 or (own[25] > 0 and place != 25):
        return None
    target = place - die
    if target <= 0:
        outside = sum(own[7:])
        behind = sum(own[place + 1 : 7])
        if outside > 0 or (target < 0 and behind > 0):
            return None
        target = 0
    elif other[25 - target] > 1:
        return None
    elif other[25 - target] == 1:
        other[25 - target] = 0
        other[25] += 1
    own[place] -= 1
    own[target] += 1
    return tuple(own), tuple(other)


def naive_lines(men: Men, dice: tuple[int, ...]) -> Iterator[list[tuple[int, Men]]]:
    """All ways to play dice in this order as far as it goes: (die, board after) for each move."""
    stuck = True
    for place in range(1, 26):
        after = naive_step(men, place, dice[0]) if dice else None
        if after is not None:
            stuck = False
            for line in naive_lines(after, dice[1:]):
                yield [(dice[0], after), *line]
    if stuck:
        yield []


def naive_plays(men: Men, roll: str) -> set[Men]:
    """The boards to which a roll can lead: as many dice as possible are played; if only one, the higher if possible."""
    high, low = (int(die) for die in roll.split("-"))
    dice = [(high,) * 4] if high == low else [(high, low), (low, high)]
    lines = [line for order in dice for line in naive_lines(men, order)]
    longest = max(len(line) for line in lines)
    lines = [line for line in lines if len(line) == longest]
    if longest == 1 and any(line[0][0] == high for line in lines):
        lines = [line for line in lines if line[0][0] == high]
    return {line[-1][1] for line in lines} if longest else {men}


# The game's own plays, and positions to try.


def plays(game: Backgammon, state: Any) -> set[Men]:
    """The boards to which the dice of a state can lead, seen by the one who plays them."""
    player, found, states = state.turn, set(), {state}
    while states:
        after = {game.result(each, action) for each in states for action in game.actions(each)}
        states = {each for each in after if not game.is_terminal(each) and game.to_move(each) == player}
        for each in after - states:
            sides = game.sides(each)
            found.add(sides if each.turn == player else sides[::-1])
    return found


def positions(seed: int, count: int) -> list[str]:
    """IDs of positions of all phases: from random play, bearing off, with many on the bar, and any."""
    dice, game = random.Random(seed), Backgammon()
    found: list[str] = []
    state = game.initial()
    while len(found) < count:
        kind = dice.randrange(8)
        men = _scattered(dice, kind)
        while kind > 3 and men is None:
            for _ in range(dice.randrange(12)):
                state = (
                    game.initial() if game.is_terminal(state) else game.result(state, dice.choice(game.legal(state)))
                )
            men = game.sides(state) if not game.is_terminal(state) and game.to_move(state) == CHANCE else None
        if men is not None and is_possible(men):
            found.append(write_id(*men))
    return found


def _scattered(dice: random.Random, kind: int) -> Men | None:
    """Checkers at random: anywhere (0), many on the bar (1), all at home (2), nearly all at home (3)."""
    if kind > 3:
        return None
    places = [list(range(1, 26)), [*range(1, 25), *[25] * 6], list(range(7)), [*list(range(7)) * 4, 7, 9, 25]][kind]
    taken = [[dice.choice(places) for _ in range(15)] for _ in range(2)]
    if kind < 2:
        mine = set(dice.sample(range(1, 25), 12))
        taken[0] = [place if place == 25 or place in mine else dice.choice(sorted(mine)) for place in taken[0]]
        taken[1] = [place if 25 - place not in mine else 25 for place in taken[1]]
    own, other = (tuple(side.count(place) for place in range(26)) for side in taken)
    return own, other


def is_possible(men: Men) -> bool:
    """Whether the game goes on with this board, and nobody shares a point with the other."""
    own, other = men
    shared = any(own[point] and other[25 - point] for point in range(1, 25))
    shut = all(side[25] and min(side[1:7]) > 1 for side in men)
    return not shared and not shut and own[0] < 15 and other[0] < 15


def cases(seed: int, count: int) -> list[tuple[str, str]]:
    """So many positions with a roll each; of four rolls one is a double."""
    dice = random.Random(seed)
    rolls = [
        dice.choice(ROLLS) if dice.random() < 0.9 else f"{(face := dice.randint(1, 6))}-{face}" for _ in range(count)
    ]
    return list(zip(positions(seed, count), rolls, strict=True))


# The independent programs.

SCRIPT = """
import gnubg
for command in (
    "set automatic roll off", "set automatic game off", "set automatic move off", "set automatic bearoff off",
    "set confirm new off", "set evaluation chequerplay evaluation plies 0",
    "set player 0 human", "set player 1 human", "new session",
):
    gnubg.command(command)

def place(position, roll):
    if gnubg.posinfo()["gamestate"] != 1:
        gnubg.command("new session")
    gnubg.command("set turn 1")
    gnubg.command("set board " + position)
    gnubg.command("set dice " + roll.replace("-", " "))

def after(position, roll, move):
    place(position, roll)
    gnubg.command("move " + move)
    return gnubg.positionid(gnubg.board())

with open(CASES) as cases, open(FOUND, "w") as found:
    for case in cases:
        position, roll = case.split()
        place(position, roll)
        hints = gnubg.hint(100000)
        moves = [hint["move"] for hint in hints["hint"]] if hints else []
        print(position, roll, *[after(position, roll, move) for move in moves], file=found)
"""


def gnubg_plays(given: list[tuple[str, str]], folder: Path) -> list[set[Men]]:
    """All plays by GNU Backgammon's own list and its own moves, for each position and roll."""
    asked, told, script = (folder / name for name in ("cases", "found", "script.py"))
    asked.write_text("".join(f"{position} {roll}\n" for position, roll in given))
    script.write_text(f"CASES, FOUND = {str(asked)!r}, {str(told)!r}\n{SCRIPT}")
    command = [str(GNUBG), "-t", "-q", "-p", str(script)]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    found = []
    for line in told.read_text().splitlines():
        position, _, *ends = line.split()
        found.append({read_id(end)[::-1] for end in ends} or {read_id(position)})
    return found


def bgsage_plays(position: str, roll: str) -> set[Men]:
    """All plays by the program `bgsage`."""
    from bgsage.board import possible_moves

    own, other = read_id(position)
    board = [other[25], *(own[place] or -other[25 - place] for place in range(1, 25)), own[25]]
    return {_from_bgsage(after) for after in possible_moves(board, *map(int, roll.split("-")))} or {(own, other)}


def _from_bgsage(board: list[int]) -> Men:
    own = [max(count, 0) for count in board[1:25]] + [board[25]]
    other = [max(-board[25 - place], 0) for place in range(1, 25)] + [board[0]]
    return (15 - sum(own), *own), (15 - sum(other), *other)


# Recorded plays.


def digest(found: set[Men]) -> str:
    """How many boards there are, and a hash of them all."""
    text = " ".join(sorted(write_id(*men) for men in found))
    return f"{len(found)} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def record(count: int, folder: Path) -> None:
    given = cases(1, count)
    told = gnubg_plays(given, folder)
    lines = [f"{position} {roll} {digest(found)}\n" for (position, roll), found in zip(given, told, strict=True)]
    RECORDED.write_text("".join(lines))


if __name__ == "__main__":
    record(int(sys.argv[1]), Path(sys.argv[2]))
