"""The dice race: its value by hand and by a second way, its tree, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from zermelo import solve
from zermelo.errors import BadInput
from zermelo.games.dice_race import DiceRace
from zermelo.position import Position
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.tally import Tally


def chance_of_mover(length: int, sides: int) -> Fraction:
    """The first player's chance to win, from how far each still has to go."""

    @cache
    def chance(own: int, other: int) -> Fraction:
        def after(mine: int, theirs: int) -> Fraction:
            return Fraction(1) if mine <= 0 else Fraction(0) if theirs <= 0 else 1 - chance(theirs, mine)

        throws = [after(own, other - 1), *(after(own - pips, other) for pips in range(2, sides + 1))]
        return max(after(own - 1, other), sum(throws) / sides)

    return chance(length, length)


@pytest.mark.parametrize(("length", "sides"), [(1, 6), (2, 2), (2, 3), (2, 6), (3, 3), (4, 3), (6, 6)])
def test_values(length: int, sides: int) -> None:
    found = solve(DiceRace(length, sides), world="interpreted")
    assert found.value == pytest.approx(float(chance_of_mover(length, sides)), abs=1e-12)


def test_the_usual_race_fits_a_screen() -> None:
    game, tally = DiceRace(), Tally()
    assert expectiminimax(game, game.initial(), 0, 10, tally) == pytest.approx(2 / 3)
    assert (tally.nodes, tally.horizon) == (26, 0)
    assert [game.format_action(game.initial(), line.action) for line in solve(game, actions=True).actions] == [
        "throw",
        "step",
    ]


def test_a_throw_of_one_moves_the_other() -> None:
    position = Position.from_text(DiceRace(4), moves="throw 1 step throw 3")
    assert str(position) == "x=3 o=2 turn=1 thrown=False"


def test_the_end() -> None:
    position = Position.from_text(DiceRace(), moves="step throw 1")
    assert position.is_terminal
    assert position.utilities == (1, 0)


@pytest.mark.parametrize(
    "text", ["x=3 o=0 turn=0 thrown=False", "x=-1 o=0 turn=0 thrown=False", "x=0 o=0 turn=2 thrown=False"]
)
def test_what_is_no_race(text: str) -> None:
    with pytest.raises(BadInput, match="is no race: x and o go from 0 to 2"):
        DiceRace().parse_state(text)


@pytest.mark.parametrize("text", ["x=2 o=2 turn=0 thrown=False", "x=2 o=0 turn=0 thrown=True"])
def test_a_race_that_went_on(text: str) -> None:
    with pytest.raises(BadInput, match="went on after one had reached the end"):
        DiceRace().parse_state(text)


@pytest.mark.parametrize("settings", [{"length": 0}, {"length": 51}, {"sides": 1}, {"sides": 101}])
def test_settings_that_make_no_race(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="DiceRace needs a length from 1 to 50"):
        DiceRace(**settings)
