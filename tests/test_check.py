"""`check_game`: sound games pass, and each kind of fault is found, in a sentence of its own."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given

import broken_games as broken
from trees import ChanceTree, Node, examples, trees, zero_sum
from zermelo import registry
from zermelo.bits import Bits
from zermelo.check import Report, check_game
from zermelo.errors import BadInput
from zermelo.fields import hash_fields
from zermelo.game import CHANCE, Game
from zermelo.games.connect_four import ConnectFour
from zermelo.games.go import Go
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.native import is_enabled
from zermelo.position import Position
from zermelo.search.perft import count_leaves, perft
from zermelo.search.tally import Tally

PATIENCE = 0.5


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most faults can be found without native code."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def check(game: Game, **options: Any) -> Report:
    return check_game(game, **{"plies": 300, "patience": PATIENCE, **options})


# Sound games.


WIDE = ("chess", "go", "quoridor", "qubic")
"""Games whose rules take Python so long that only little of them is played here."""


@pytest.mark.parametrize("name", registry.names())
def test_built_in_games_are_well_made(name: str) -> None:
    plies = 40 if name in WIDE else 1_000
    report = check_game(registry.load(name), plies=plies)
    assert report.findings == []
    assert report.passed
    assert f"{report.title} is well made" in report.verdict
    assert report.counts.plies == plies
    assert name in WIDE or all(count > 10 for count in report.counts.claims.values())
    assert json.loads(json.dumps(report.as_dict()))["verdict"] == report.verdict
    if is_enabled():
        assert report.worlds == "interpreted, native"
        assert name in WIDE or report.compared_plies >= 1_000
        assert name in WIDE or report.compared_states >= report.counts.inspected_states
        assert report.speed.native_plies_per_second is not None


@pytest.mark.usefixtures("interpreted")
def test_counts_of_nim() -> None:
    report = check_game(Nim(stones=4, most=2), plies=500)
    counts = report.counts
    assert (counts.plies, counts.states, counts.terminal_states, counts.keys) == (500, 8, 2, 8)
    assert (counts.shortest_game, counts.longest_game, counts.most_actions) == (2, 4, 2)
    assert counts.players_seen == [0, 1]
    assert counts.utilities == [[-1, 1], [1, -1]]
    assert counts.perft == [2, 4, 4, 1]
    assert counts.merged_states == counts.chance_states == counts.ends_with_actions == 0
    assert report.worlds == "interpreted only: Nim can't be native: NUMBA_DISABLE_JIT is set"


@pytest.mark.usefixtures("interpreted")
def test_actions_of_an_end_are_counted_not_blamed() -> None:
    report = check(ConnectFour())
    assert report.counts.ends_with_actions == report.counts.terminal_states > 0
    assert report.findings == []


@pytest.mark.usefixtures("interpreted")
def test_the_same_seed_plays_the_same_games() -> None:
    one, same, other = (check(ConnectFour(5, 4), seed=seed, patience=30, seconds=60).counts for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    check(Nim(), listen=lambda *news: told.append(news))
    assert {"random play", "texts and knowledge", "claims", "compiling", "counting"} <= {stage for stage, *_ in told}
    assert all(0 <= done <= total for _, done, total in told)


@pytest.mark.native
def test_chance_agrees_in_both_worlds() -> None:
    report = check(broken.Dice())
    assert report.findings == []
    assert report.worlds == "interpreted, native"
    assert report.counts.players_seen == [CHANCE, 0]
    assert report.counts.chance_states > 0


class Marks(Game):
    """Tic-tac-toe in one row of five with two in a line: its state is a list of strings, and all is well."""

    utility_bounds = (-1, 1)

    def initial(self) -> Any:
        return ["."] * 5

    def to_move(self, state: Any) -> int:
        return sum(mark != "." for mark in state) % 2

    def actions(self, state: Any) -> Any:
        return [(place, "XO"[self.to_move(state)]) for place, mark in enumerate(state) if mark == "."]

    def result(self, state: Any, action: Any) -> Any:
        place, mark = action
        return [*state[:place], mark, *state[place + 1 :]]

    def is_terminal(self, state: Any) -> bool:
        return "." not in state or self.won("X", state) + self.won("O", state) > 0

    def utility(self, state: Any, player: int) -> float:
        return self.won("XO"[player], state) - self.won("OX"[player], state)

    def won(self, mark: str, state: Any) -> int:
        return int(mark * 2 in "".join(state))

    def key(self, state: Any) -> Any:
        return hash(tuple(state))

    def symmetries(self, state: Any) -> Any:
        yield state[::-1]

    def format_action(self, state: Any, action: Any) -> str:
        return f"{action[1]}{action[0] + 1}"

    def format_state(self, state: Any) -> str:
        return "".join(state)

    def parse_state(self, text: str) -> Any:
        if len(text) != 5 or not set(text) <= set("XO."):
            raise BadInput(f"{text!r} is not five of X, O and .")
        return list(text)


def test_any_python_state_will_do() -> None:
    report = check(Marks())
    assert report.findings == []
    if is_enabled():
        assert "Marks can't be native: its state is a list, not a NamedTuple" in report.worlds
    assert report.counts.solved_positions > 0
    assert report.speed.native_plies_per_second is None
    assert report.speed.interpreted_plies_per_second
    assert report.counts.perft[:2] == [5, 20]


def test_counts_leave_out_what_brings_a_state_back() -> None:
    game = Go(size=2)
    counts = check(game).counts.perft
    assert counts == [count_leaves(Position(game), depth).leaves for depth in range(1, len(counts) + 1)]
    assert perft(game, game.initial(), len(counts), Tally()) > counts[-1]


class Halves(broken.Race):
    """A float field that is sometimes given an int, which is allowed."""

    class State(NamedTuple):
        count: float
        turn: int

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action / 2 if action == 1 else state.count + action, 1 - state.turn)

    def actions(self, state: Any) -> Any:
        yield 1
        yield 2


def test_a_float_field_may_be_given_an_int() -> None:
    report = check(Halves())
    assert report.findings == []
    assert not is_enabled() or report.worlds == "interpreted, native"


class Scattered(Game):
    """A random game: who moves, how many actions there are, the end and what it is worth are all hashed."""

    utility_bounds = (-8, 8)

    class State(NamedTuple):
        place: Bits
        ply: int

    def __init__(self, seed: int, depth: int = 6) -> None:
        self.seed, self.depth = seed, depth

    def initial(self) -> State:
        return self.State(Bits(self.seed), 0)

    def to_move(self, state: State) -> int:
        return int(hash_fields(state) >> 40 & 1)

    def actions(self, state: State) -> Iterator[int]:
        for action in range(1 + int(hash_fields(state) >> 50 & 3)):
            yield action

    def result(self, state: State, action: int) -> State:
        return self.State(hash_fields(state) + action, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply > 1 and (state.ply == self.depth or hash_fields(state) >> 61 == 0)

    def utility(self, state: State, player: int) -> float:
        worth = int(hash_fields(state) >> 44 & 15) - 7
        return worth if player == 0 else -worth

    def evaluate(self, state: State, player: int) -> float:
        return self.utility(state, player) / 2

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        return (-7, 8) if player == 0 else (-8, 7)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.usefixtures("interpreted")
def test_random_games_pass(seed: int) -> None:
    assert check(Scattered(seed)).findings == []


@pytest.mark.native
def test_a_random_game_agrees_in_both_worlds() -> None:
    report = check(Scattered(1), plies=5_000)
    assert report.findings == []
    assert report.worlds == "interpreted, native"


# Games with a fault.

FAULTS = [
    (broken.Stuck, "actions", "nothing, though is_terminal is false"),
    (broken.Twice, "actions", "gives 1 twice"),
    (broken.Nothing, "actions", "gives None, a NoneType, in state 'count=0 turn=0': yield actions one by one"),
    (broken.Unhashable, "actions", "can't be kept in a table"),
    (broken.Fickle, "actions", "asked again"),
    (broken.Hanging, "actions", "did not end within 0.5 seconds (broken_games.py line "),
    (broken.Yielding, "actions", "gives more than 65,536 actions"),
    (broken.ThirdPlayer, "to_move", "give an int from 0 to 1, or CHANCE"),
    (broken.TruthfulTurn, "to_move", "gives False, a bool,"),
    (broken.Raising, "utility", "raises ZeroDivisionError: division by zero (broken_games.py line "),
    (broken.EverybodyWins, "utility", "which add up to 2, not to 0"),
    (broken.TooGood, "utility", "outside utility_bounds (-1, 1)"),
    (broken.NoNumber, "utility", "give a finite number"),
    (broken.HalfTrue, "is_terminal", "gives 0, an int, in"),
    (broken.Floating, "result", "a state whose field count holds 1.0, a float, though it is declared int"),
    (broken.Absent, "result", "gives None for action"),
    (broken.Huge, "result", "does not fit into 64 bits"),
    (broken.Circling, "result", "set repeats = True, or count the moves"),
    (broken.Restless, "initial", "start the same each time"),
    (broken.Scribbling, "result", "changes the state it is given in state 'state=[0,0]'"),
    (broken.ThreeNames, "player_names", "for 2 players"),
    (broken.ListedTeams, "team", "gives player 0 [0], a list: give a whole number, the same to all players of a team"),
    (broken.NamedTeams, "team", "gives player 0 'north', a str: give a whole number"),
    (broken.NoTeams, "team", "raises IndexError: tuple index out of range (broken_games.py line "),
    (broken.FickleTeams, "team", ", and asked again "),
    (broken.LoadedDice, "outcomes", "probabilities that add up to 0.9"),
    (broken.ImpossibleDice, "outcomes", "gives 2 the probability 0.0"),
    (broken.NegativeDice, "outcomes", "gives 1 the probability 1.5 in state 'count=2 turn=1': probabilities are more"),
    (broken.UnknownDice, "outcomes", "gives 1 the probability nan"),
    (broken.WordyDice, "outcomes", "gives (1, 'half') in state"),
    (broken.EmptyDice, "outcomes", "gives nothing, though is_terminal is false"),
    (broken.TwiceDice, "outcomes", "gives 1 twice"),
    (broken.RichDice, "utility", "gives player 0 -5, outside utility_bounds (-1, 1), in state"),
    (broken.NoDice, "outcomes", "is not written, but to_move gives CHANCE"),
    (broken.Certain, "evaluate", "a bound of the utility, while the state is worth -1"),
    (broken.Boastful, "evaluate", "outside utility_bounds"),
    (broken.Optimistic, "evaluate", "with its sign turned"),
    (broken.FalseBounds, "bounds", "gives player 0 (0, 1), but the value is -1"),
    (broken.Careless, "plausible", "set plausible_is_safe = False"),
    (broken.Illegal, "plausible", "gives 3, which actions does not give"),
    (broken.Noise, "noisy", "gives 3, which actions does not give"),
    (broken.WildKinds, "motif", "gives 511 for 1 in state"),
    (broken.UnsureLosses, "loses", "gives 0.5 for 1 in state"),
    (broken.TightBounds, "bounds", "gives player 0 (0, 1), but the value is -1 in state 'count=4 turn=0': give only"),
    (broken.TurnedBounds, "bounds", "gives player 0 (1, -1) in state"),
    (broken.DropsTheWin, "plausible", "gives [1] and leaves out 2, which is worth 1 and more than those, in state"),
    (broken.NothingSafe, "plausible", "gives nothing, though plausible_is_safe is true, in state 'count=5"),
    (broken.HelpfulPass, "passed", "worth 1 to the player who passes, though to move is worth only -1, in state"),
    (broken.TwoPasses, "passed", "gives 2 states in state"),
    (broken.OwnPass, "passed", "in which no other player is to move"),
    (broken.OddPass, "passed", "gives an int, where initial gives a State, in state"),
    (broken.DoubtfulPromise, "promise", "gives player 0 nan in state 'count=0 turn=0': give a finite number"),
    (broken.PromiseAtTheEnd, "promise", "raises ZeroDivisionError: division by zero (broken_games.py line "),
    (broken.SmallSwing, "swing", "is 0.125, but 2 takes what evaluate gives player 0 from 0 to 0.25 in state"),
    (broken.NegativeSwing, "swing", "is -1: give the most that one action can change the evaluation"),
    (broken.NeverRepeated, "repetition", "is 3, though repeats is false and so no state ever comes back: set"),
    (broken.OnceIsNothing, "repetition", "is 1: give how many times a state occurs until the game ends"),
    (broken.NegativeMovesLeft, "moves_left", "gives -1 in state 'count=5 turn="),
    (broken.OneWord, "win_words", 'is (\'mate\',): give two texts, as in ("mate", "mated"), or none'),
    (
        broken.WordsForMargins,
        "win_words",
        "are for games in which all wins are worth the same, but utility gives player",
    ),
    (broken.OneName, "feature_names", "has 1 names, but features gives 2 numbers in state"),
    (broken.ThreeWeights, "features", "gives 2 numbers for 3 weights in state"),
    (broken.WeightsInWords, "weights", "is ('much', 'little'): give a tuple of finite numbers"),
    (broken.ListedFeatures, "features", "gives [0, 0] in state 'count=0 turn=0': give a tuple of finite numbers"),
    (broken.FalseTwin, "symmetries", "which is worth"),
    (broken.WrongTurnTwin, "symmetries", "another player is to move"),
    (broken.OneWayTwin, "symmetries", "leads to other states"),
    (broken.TurnlessKey, "key", "where another player is to move"),
    (broken.WordyKey, "key", "gives '0/0', a str, in state 'count=0 turn=0': tables keep 64 bits"),
    (broken.WideKey, "key", "gives 18446744073709551618, which does not fit into 64 bits, in state 'count=2 turn=1'"),
    (broken.WideTwinKey, "key", "fold it, or leave key to the default"),
    (broken.CoarseKey, "key", "though their values are"),
    (broken.Forgetful, "parse_state", "let format_state write all that matters"),
    (broken.Stern, "parse_state", "the game's own text (no state is good enough)"),
    (broken.Mumbling, "format_action", "writes both 1 and 2 as 'some'"),
    (broken.Spacious, "format_action", "give a text without spaces"),
    (broken.Misreading, "parse_action", "reads '2' as 1, not as 2"),
    (broken.Commas, "format_action", "writes 1 as '1,1', which is not one move in a list of moves, in state"),
    (broken.Splitting, "split_moves", "…: let it give what format_action writes, move by move"),
    (
        broken.Unordered,
        "actions",
        "gives a set in state 'count=0 turn=0': the order of a set may change from run to run",
    ),
    (broken.Objects, "format_action", "write format_action(state, action), to give a text without spaces"),
    (broken.Wordy, "format_action", "though compact is set"),
    (broken.NoBoard, "board", "gives a str"),
    (broken.TornBoard, "board", "whose cells are 1 in number"),
]


@pytest.mark.usefixtures("interpreted")
def test_states_near_one_another_that_share_a_key_are_found_without_their_values() -> None:
    report = check(broken.Nearsighted(), plies=6)
    assert [(finding.method, finding.about, finding.severity) for finding in report.findings] == [
        ("key", "suspect", "warning")
    ]
    assert "where evaluate gives (0.003, -0.003) in place of (0.002, -0.002): make sure that both are worth" in (
        report.findings[0].sentence
    )


@pytest.mark.parametrize(("kind", "method", "phrase"), FAULTS, ids=[kind.__name__ for kind, *_ in FAULTS])
@pytest.mark.usefixtures("interpreted")
def test_a_fault_is_found(kind: type[Game], method: str, phrase: str) -> None:
    random.seed(0)
    report = check(kind())
    assert [finding.method for finding in report.errors] == [method]
    assert phrase in report.errors[0].sentence
    assert report.errors[0].sentence.startswith(f"{kind.__name__}.{method} ")
    assert f"{kind.__name__} is not well made: 1 error" in report.verdict
    assert not report.passed
    json.dumps(report.as_dict())


def test_no_two_faults_are_told_alike() -> None:
    assert len({(method, phrase) for _, method, phrase in FAULTS}) == len(FAULTS)


@pytest.mark.usefixtures("interpreted")
def test_the_state_of_a_fault_can_be_read_back() -> None:
    game = broken.Stuck()
    (finding,) = check(game).errors
    assert game.parse_state(finding.state).count == 3
    assert f"in state '{finding.state}'" in finding.sentence


@pytest.mark.usefixtures("interpreted")
def test_a_fault_is_counted_and_told_once() -> None:
    (finding,) = check(broken.Optimistic()).errors
    assert finding.times > 1


@pytest.mark.usefixtures("interpreted")
def test_a_game_without_end_is_warned_of() -> None:
    report = check(broken.Endless(), longest=100)
    assert [(finding.method, finding.severity) for finding in report.findings] == [("is_terminal", "warning")]
    assert "is still false after 100 plies" in report.findings[0].sentence
    assert "Endless works, with 1 warning" in report.verdict


@pytest.mark.usefixtures("interpreted")
def test_what_is_known_is_told_though_the_rest_is_broken() -> None:
    class Twofold(broken.EverybodyWins):
        def format_action(self, state: Any, action: Any) -> str:
            raise ValueError("no words")

    report = check(Twofold())
    assert {finding.method for finding in report.errors} == {"utility", "format_action"}
    assert report.counts.perft[:3] == [2, 4, 8]


@pytest.mark.usefixtures("interpreted")
def test_chance_at_an_end_is_warned_of() -> None:
    (finding,) = check(broken.DiceAtTheEnd()).findings
    assert (finding.method, finding.severity) == ("to_move", "warning")
    assert "gives CHANCE at an end" in finding.sentence


class Growing(broken.Race):
    """Keeps its moves in a tuple that grows, which is fine interpreted."""

    class State(NamedTuple):
        count: int
        turn: int
        moves: tuple[int, ...]

    def initial(self) -> Any:
        return self.State(0, 0, ())

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.count + action, 1 - state.turn, (*state.moves, action))

    def parse_state(self, text: str) -> Any:
        state = self.initial()
        for move in text.partition("moves=")[2].strip("()").split(","):
            state = self.result(state, int(move)) if move else state
        return state


def test_a_tuple_that_grows_is_warned_of() -> None:
    report = check(Growing())
    assert [(finding.method, finding.severity) for finding in report.findings] == [("result", "warning")]
    assert "field moves has another length than in initial" in report.findings[0].sentence
    assert report.worlds.startswith("interpreted only: ")


class Bag:
    """A state that knows nothing of equality."""

    def __init__(self, count: int, turn: int) -> None:
        self.count, self.turn = count, turn


class Bags(broken.Race):
    State = Bag

    def key(self, state: Any) -> Any:
        return state.count * 2 + state.turn


def test_states_that_cannot_be_compared_are_warned_of() -> None:
    report = check(Bags())
    assert {(finding.method, finding.severity) for finding in report.findings} == {
        ("initial", "warning"),
        ("parse_state", "warning"),
    }
    assert "does not equal its own copy" in report.findings[0].sentence


class Slow(broken.Race):
    def is_terminal(self, state: Any) -> bool:
        time.sleep(0.004)
        return super().is_terminal(state)


@pytest.mark.usefixtures("interpreted")
def test_slow_rules_are_not_taken_to_be_endless() -> None:
    report = check(Slow(goal=200), plies=100_000, seconds=0.4)
    assert report.findings == []
    assert 0 < report.counts.plies < 1_000
    assert report.seconds < 5


@pytest.mark.usefixtures("interpreted")
@given(trees(zero_sum(), dice=True, height=3))
@examples(20)
def test_nothing_is_asked_that_the_contract_does_not_allow(root: Node) -> None:
    report = check(ChanceTree(root), plies=20)
    assert not [finding.sentence for finding in report.findings if "AssertionError" in finding.sentence]


# Claims, held against exact values.


@pytest.mark.parametrize("world", ["interpreted", pytest.param("native", marks=pytest.mark.native)])
def test_true_claims_hold(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1" if world == "interpreted" else "0")
    report = check(broken.Knowing(goal=12))
    assert report.findings == []
    counts = report.counts
    assert list(counts.claims) == ["bounds", "plausible", "passed"]
    assert counts.claims["bounds"] == counts.claims["plausible"] == counts.solved_positions > sum(counts.perft) / 2
    assert 10 < counts.claims["passed"] < 30
    held = f"bounds and plausible hold in {counts.solved_positions:,} solved positions"
    assert report.claims == f"{held}, passed holds in {counts.claims['passed']} solved positions"
    assert report.as_dict()["claims"] == report.claims


@pytest.mark.usefixtures("interpreted")
def test_what_claims_nothing_has_nothing_to_be_tested() -> None:
    report = check(broken.Silent())
    assert report.findings == []
    assert (report.claims, report.counts.claims, report.counts.solved_positions) == ("", {}, 0)


@pytest.mark.usefixtures("interpreted")
def test_claims_that_fail_are_told_apart_from_those_that_hold() -> None:
    class Half(broken.Knowing):
        def bounds(self, state: Any, player: int) -> tuple[float, float]:
            return (-1, 0) if state.count == 11 else (-1, 1)

    report = check(Half(goal=12))
    assert [finding.method for finding in report.errors] == ["bounds"]
    assert re.match(r"bounds fails in some of [\d,]+ solved positions, plausible holds in ", report.claims)


@pytest.mark.usefixtures("interpreted")
def test_what_could_not_be_tested_is_told() -> None:
    far = check(broken.Knowing(goal=5_000))
    assert far.findings == []
    assert far.counts.claims == {"bounds": 0, "plausible": 0, "passed": 0}
    assert far.claims == (
        "bounds, plausible and passed untested: no position near the end of a game was solved with 1,000 nodes"
    )

    class Varying(broken.FalseBounds):
        utility_sum = None

    assert check(Varying()).claims == (
        "bounds untested: an exact value needs utilities of constant sum, the sum varies in Varying"
    )


SOUND = [
    ConnectFour(margin=1),
    ConnectFour(width=5, height=4),
    ConnectFour(width=4, height=5, line=3, margin=1),
    Othello(size=4),
    Othello(size=4, margin=0),
    TicTacToe(width=4, height=3),
]


@pytest.mark.parametrize("game", SOUND, ids=repr)
@pytest.mark.usefixtures("interpreted")
def test_claims_of_built_in_games_hold(game: Game) -> None:
    report = check(game, patience=10, seconds=2)
    assert report.findings == []
    assert set(report.counts.claims) <= {"bounds", "plausible", "symmetries"}
    assert report.claims.count("hold") > 0
    assert all(count > 5 for count in report.counts.claims.values())


class Spilling(ConnectFour):
    """Lines that would be completed above the board count too."""

    def completing(self, cells: Bits) -> Bits:
        found = Bits(0)
        for way in self.ways:
            left = self.full
            for before in range(self.line):
                right = self.full
                for _ in range(self.line - 1 - before):
                    right = (right & cells) >> way
                found |= left & right
                left = (left & cells) << way
        return found


@pytest.mark.native
@pytest.mark.parametrize("seed", range(2))
def test_a_bug_that_shows_in_few_positions_is_found(seed: int) -> None:
    """Natively hundreds of thousands of positions are solved."""
    report = check_game(Spilling(), plies=500, seed=seed)
    assert report.counts.solved_positions > 50_000
    assert {finding.method for finding in report.errors} == {"bounds", "plausible"}
    assert re.search(r"bounds gives player 0 \(-?1, -?1\), but the value is -?\d in", report.errors[0].sentence)


@pytest.mark.usefixtures("interpreted")
def test_interpreted_claims_are_tested_too_as_far_as_it_goes() -> None:
    report = check(Spilling(width=5, height=4), patience=10)
    assert "bounds" in [finding.method for finding in report.errors]
    assert 100 < report.counts.solved_positions < 50_000


# Whatever a method does, the check ends with a report.


def raises(*_: Any) -> Any:
    raise RuntimeError("no")


def hangs(*_: Any) -> Any:
    while True:
        pass


def gives_nothing(*_: Any) -> Any:
    return None


def gives_a_thing(*_: Any) -> Any:
    return object()


METHODS = (
    *("initial", "to_move", "actions", "result", "is_terminal", "utility", "outcomes", "evaluate", "noisy"),
    *("plausible", "bounds", "key", "symmetries", "format_action", "parse_action", "format_state", "parse_state"),
    *("board", "split_moves", "promise", "passed", "moves_left", "features", "forcing"),
)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fault", [raises, hangs, gives_nothing, gives_a_thing])
def test_every_method_may_misbehave(method: str, fault: Any) -> None:
    base = broken.Dice if method == "outcomes" else broken.Race
    kind = type("Misbehaving", (base,), {method: fault})
    report = check(kind(), plies=40, patience=0.1)
    expected = {method, "is_terminal"} if method == "initial" else {method}
    assert expected & {finding.method for finding in report.errors}
    assert all("Misbehaving." in finding.sentence for finding in report.findings)


# Worlds that differ.


@pytest.mark.native
@pytest.mark.parametrize(
    ("kind", "method", "phrase"),
    [
        (broken.Wrapping, "result", "native but (1,1) interpreted for action 1 of 2, in state 'count=0 turn=0'"),
        (broken.LateWrapping, "result", "in state 'count=100"),
        (broken.WrappingWorth, "evaluate", "native but 0.125 interpreted in state 'count=4"),
        (broken.WrappingBounds, "bounds", "gives player 0 0.0 native but 1.2089258196146292e+24 interpreted in state"),
        (broken.WrappingChoice, "plausible", "gives other things native than interpreted in state"),
        (broken.NativeZero, "native", "raises ZeroDivisionError: integer division by zero, but interpreted"),
        (broken.NativeLoop, "native", "did not end within 0.5 seconds, but interpreted it does"),
    ],
    ids=["result", "late", "evaluate", "bounds", "plausible", "raises", "loops"],
)
def test_a_difference_of_the_worlds_is_found(kind: type[Game], method: str, phrase: str) -> None:
    report = check(kind(), plies=1_500)
    assert method in [finding.method for finding in report.errors]
    (sentence,) = (finding.sentence for finding in report.errors if finding.method == method)
    assert phrase in sentence
    assert "one cause may be that native whole numbers have 64 bits" in sentence


@pytest.mark.native
def test_members_of_an_enum_are_the_numbers_they_stand_for() -> None:
    report = check(broken.Enumerated(), plies=1_000)
    assert report.findings == []
    assert report.worlds == "interpreted, native"
