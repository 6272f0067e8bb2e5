"""Who serves whom: every refusal is one sentence with its reason and its cure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from zermelo.engine.decide import best
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import Game
from zermelo.games.nim import Nim
from zermelo.registry import load
from zermelo.search.suitability import ALGORITHMS, default_algorithm, suits


class Pass(Game):
    """A game that is over before it begins, to be declared what the tests want."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        yield 0

    def result(self, state: int, action: int) -> int:
        return state

    def is_terminal(self, state: int) -> bool:
        return True

    def utility(self, state: int, player: int) -> float:
        return 0


class Dice(Pass):
    def outcomes(self, state: int) -> Iterator[tuple[int, float]]:
        yield 0, 1.0


class Nim3(Pass):
    players = 3


class Dice3(Dice):
    players = 3


class Skipping3(Nim3):
    def skipped(self, state: int) -> int:
        return state


class DiceSkipping3(Dice3):
    def skipped(self, state: int) -> int:
        return state


class Bridge(Pass):
    """Two teams of two."""

    players = 4

    def team(self, player: int) -> int:
        return player % 2


class Patrol(Nim3):
    """One team of three."""

    def team(self, player: int) -> int:
        return 7


class Alliances(Pass):
    """Three teams of two."""

    players = 6

    def team(self, player: int) -> int:
        return player % 3


class Solitaire(Pass):
    players = 1


class Yahtzee(Dice):
    players = 1


class Share(Pass):
    utility_sum = 1


class DiceShare(Dice):
    utility_sum = 1


class Prisoners(Pass):
    utility_sum = None


class Again(Dice):
    repeats = True


class AgainBounded(Again):
    utility_bounds = (-1, 1)


class AgainTeams(AgainBounded):
    """Two teams of two."""

    players = 4

    def team(self, player: int) -> int:
        return player % 2


class AgainListed(AgainBounded):
    """No table keeps its states."""

    def initial(self) -> Any:
        return [1]


class Thrice(Again):
    repetition = 3


class Poker(Dice):
    perfect_information = False


class Poker3(Dice):
    players = 3
    perfect_information = False


COMMON = "alphabeta alphabeta-table expectiminimax sampled maxn paranoid value-iteration"
ONE = f"minimax negamax {COMMON} uct flat"
"""What serves one player."""
TWO = f"minimax negamax {COMMON} pvs mtdf alphabeta-full alphabeta-ordered uct flat"
"""What serves two opponents."""
MANY = "maxn paranoid uct flat"
ROLLED = "expectiminimax sampled maxn paranoid value-iteration uct flat"

SERVED = {
    Pass: TWO,
    Nim: TWO.replace("expectiminimax", "expectiminimax star1 star2").replace("pvs", "pns pvs"),
    Dice: ROLLED,
    Nim3: MANY,
    Dice3: MANY,
    Solitaire: ONE,
    Yahtzee: ROLLED,
    Share: f"minimax {COMMON} pvs mtdf alphabeta-full alphabeta-ordered uct flat",
    DiceShare: ROLLED,
    Prisoners: MANY,
    Again: ROLLED,
    AgainBounded: ROLLED.replace("expectiminimax", "expectiminimax star1 star2"),
    AgainTeams: ROLLED.replace("expectiminimax", "expectiminimax star1 star2"),
    Thrice: "expectiminimax sampled maxn paranoid uct flat",
    Skipping3: "maxn paranoid best-reply uct flat",
    DiceSkipping3: MANY,
    Bridge: TWO,
    Patrol: ONE,
    Alliances: MANY,
    Poker: "",
    Poker3: "",
}

DEFAULTS = {
    Pass: "alphabeta",
    Dice: "expectiminimax",
    Nim3: "maxn",
    Dice3: "maxn",
    Solitaire: "minimax",
    Yahtzee: "expectiminimax",
    Share: "alphabeta",
    DiceShare: "expectiminimax",
    Prisoners: "maxn",
    Again: "expectiminimax",
    AgainBounded: "value-iteration",
    AgainTeams: "value-iteration",
    AgainListed: "expectiminimax",
    Thrice: "expectiminimax",
    Bridge: "alphabeta",
    Patrol: "minimax",
    Alliances: "maxn",
}

REFUSALS = [
    ("value-iteration", Nim3, "value-iteration needs one or two players, Nim3 has 3: use maxn"),
    (
        "value-iteration",
        Thrice,
        "value-iteration knows states alone, while Thrice ends by how often one has occurred: search it with a depth",
    ),
    ("alphabeta", Nim3, "alpha-beta needs one or two players, Nim3 has 3: use maxn"),
    ("alphabeta-table", Nim3, "alpha-beta-table needs one or two players, Nim3 has 3: use maxn"),
    ("expectiminimax", Dice3, "expectiminimax needs one or two players, Dice3 has 3: use maxn"),
    ("minimax", Dice, "minimax has no rule for chance, which moves in Dice: use expectiminimax"),
    ("negamax", DiceShare, "negamax has no rule for chance, which moves in DiceShare: use expectiminimax"),
    ("negamax", Share, "negamax needs utilities that add up to 0, those of Share add up to 1: use alphabeta"),
    ("minimax", Prisoners, "minimax needs utilities of constant sum, the sum varies in Prisoners: use maxn"),
    ("alphabeta", Alliances, "alpha-beta needs one or two teams, Alliances has 3: use maxn"),
    ("pvs", Patrol, "pvs is for two players, Patrol has one: use minimax"),
    ("pns", Dice, "pns has no rule for chance, which moves in Dice: use expectiminimax"),
    ("pns", Patrol, "pns is for two players, Patrol has one: use minimax"),
    ("pns", Pass, "pns needs finite utility_bounds, those of Pass are -inf and inf: declare them, or use pvs"),
    (
        "threats",
        Nim,
        "threats tries threats alone, and Nim has no forcing(state), which gives them: write it, or use pvs",
    ),
    (
        "best-reply",
        Nim3,
        "best-reply skips turns, and Nim3 has no skipped(state), which says how: write it, or use paranoid",
    ),
    ("best-reply", DiceSkipping3, "best-reply has no rule for chance, which moves in DiceSkipping3: use paranoid"),
    ("paranoid", Poker, "paranoid needs perfect information, Poker hides some: no search of single states serves it"),
    ("maxn", Poker, "maxn needs perfect information, Poker hides some: no search of single states serves it"),
    ("minimax", Poker3, "minimax needs perfect information, Poker3 hides some: no search of single states serves it"),
]


@pytest.mark.parametrize("kind", SERVED, ids=lambda kind: kind.__name__)
def test_each_game_is_served_by_these(kind: type[Game]) -> None:
    assert [algorithm for algorithm in ALGORITHMS if not suits(algorithm, kind())] == SERVED[kind].split()


@pytest.mark.parametrize("kind", DEFAULTS, ids=lambda kind: kind.__name__)
def test_the_default_serves(kind: type[Game]) -> None:
    assert default_algorithm(kind()) == DEFAULTS[kind]
    assert suits(DEFAULTS[kind], kind()) == ""


@pytest.mark.parametrize(("algorithm", "kind", "sentence"), REFUSALS)
def test_refusals_say_why_and_what_would_serve(algorithm: str, kind: Any, sentence: str) -> None:
    assert suits(algorithm, kind()) == sentence


def test_the_cure_of_every_refusal_serves() -> None:
    for kind in SERVED:
        for algorithm in ALGORITHMS:
            _, use, cure = suits(algorithm, kind()).partition("use ")
            assert not use or suits(cure, kind()) == ""


def test_hidden_information_has_no_default() -> None:
    with pytest.raises(Unsuitable, match="Poker hides some"):
        default_algorithm(Poker())


def test_an_unknown_algorithm_is_named_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="no algorithm 'alpha': use one of minimax, negamax, alphabeta, "):
        suits("alpha", Pass())


@pytest.mark.parametrize(
    ("name", "algorithm", "note"),
    [
        ("go:size=2", "alphabeta", "alphabeta does not know that no state of Go may come back"),
        ("awari", "minimax", "minimax does not know that Awari ends where a state comes back"),
        ("awari", "uct", "uct does not know that Awari ends where a state comes back"),
        ("go:size=2", "uct", ""),
        ("go:size=2", "pvs", ""),
        ("awari", "pvs", ""),
        ("kalah", "minimax", ""),
    ],
)
def test_what_an_algorithm_leaves_out_of_account_is_told(name: str, algorithm: str, note: str) -> None:
    assert best(load(name), algorithm=algorithm, nodes=40, world="interpreted").note == note
