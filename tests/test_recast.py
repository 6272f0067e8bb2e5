"""Games seen as others: teams as single players, opponents with a policy as chance."""

from __future__ import annotations

import inspect
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import DEPTHS, NestedTree, Node, examples, minimax_naive, trees
from zermelo.check.contract import check_utilities
from zermelo.check.witness import Witness
from zermelo.cli.show import outcome_words
from zermelo.engine.decide import best, decide
from zermelo.engine.engine import Engine
from zermelo.engine.mind import Mind
from zermelo.errors import BadInput, BadPolicy, GameError
from zermelo.game import CHANCE, REQUIRED, Game, overrides
from zermelo.games.connect_four import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.native import run
from zermelo.native.digest import digest
from zermelo.position import Position
from zermelo.recast import Facing, Recast, Teams, greedy, has_teams, uniform
from zermelo.registry import load, load_function
from zermelo.search.erring import erring
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.suitability import usual_algorithm
from zermelo.search.tally import DEEPEST, Tally
from zermelo.solver.exact import solve

WORLDS = ["interpreted", pytest.param("native", marks=pytest.mark.native)]


class Tug(Nim):
    """Nim of two teams, who sit in turn around the table."""

    player_names = ("north", "east", "south", "west")

    def team(self, player: int) -> int:
        return player % 2

    def utility(self, state: Any, player: int) -> float:
        return self.reward if (state.turn - player) % 2 else -self.reward


def tug(stones: int) -> Tug:
    return Tug(stones, players=4)


# Teams.


@pytest.mark.parametrize("stones", [1, 4, 9])
def test_two_teams_play_as_two_players_would(stones: int) -> None:
    teams, twin = Teams(tug(stones)), Nim(stones)
    assert (teams.players, teams.facts.total, teams.utility_bounds) == (2, 0, (-1, 3))
    assert [teams.player_name(side) for side in (0, 1)] == ["north and south", "east and west"]
    for algorithm in ("minimax", "negamax", "alphabeta", "alphabeta-table", "maxn", "pvs"):
        ours, theirs = (best(game, algorithm=algorithm, world="interpreted") for game in (teams, twin))
        assert (ours.action, ours.value, ours.line) == (theirs.action, theirs.value, theirs.line)


def test_a_game_with_teams_is_searched_by_them_and_every_player_is_told() -> None:
    game = tug(6)
    assert usual_algorithm(Position(game)) == "pvs"
    found = best(game, lines=3, world="interpreted")
    assert (found.algorithm, found.action, found.value, found.values) == ("pvs", 2, 1, ())
    found = best(game, algorithm="maxn", lines=3, world="interpreted")
    assert (found.action, found.value, found.values) == (2, 1, (1, -1, 1, -1))
    assert {line.values for line in found.lines} == {(1, -1, 1, -1), (-1, 1, -1, 1)}
    heard: list[Any] = []
    decide(Position(game), algorithm="maxn", listen=heard.append)
    assert all(len(result.values) == 4 for result in heard)
    later = Position.from_text(game, moves="1 1")
    assert decide(later, algorithm="minimax").value == best(Nim(4)).value == -1
    assert outcome_words(game, (1, -1, 1, -1)) == "north and south win"


def test_teams_are_solved() -> None:
    found = solve(tug(21), actions=True)
    assert (found.value, found.line[0], found.algorithm) == (1, 1, "pvs")
    game = Tree.of([(1, 2, 3), (3, 2, 1)])
    assert solve(game).values == (3, 2, 1)


def test_the_engine_plays_for_teams() -> None:
    engine, heard = Engine(tug(6)), []
    engine.listen(heard.append)
    found = engine.go(depth=20).result()
    assert found.action == 2
    assert engine.go(algorithm="maxn", depth=20).result().action == 2
    assert Engine(Teams(tug(6))).go(depth=20).result().action == 2
    assert heard
    game = tug(6)
    assert Mind(game).think(Position(game), 8).action == 2


class Hunt(NestedTree):
    """Player 0 against all the others, who are one team."""

    def team(self, player: int) -> int:
        return min(player, 1)


def three(node: Node) -> Node:
    """The tree of two opponents with the second's moves made by players 1 and 2 in turn."""
    mover = node.mover if node.mover == 0 else 1 + len(node.children) % 2
    return node._replace(mover=mover, children=tuple(map(three, node.children)), worth=(*node.worth, node.worth[1]))


@examples(60)
@given(trees(st.integers(-4, 4).map(lambda value: (value, -value))), DEPTHS)
def test_one_against_a_team_is_minimax(root: Node, depth: int) -> None:
    game = Hunt(three(root))
    assert has_teams(game)
    if root.children and depth > 0:
        found = best(game, algorithm="alphabeta", depth=depth, world="interpreted")
        assert found.value == minimax_naive(root, root.mover, depth)


def test_one_team_is_one_agent() -> None:
    class Friends(Tree):
        def team(self, player: int) -> int:
            return 0

    game = Friends(root=[[(1, 1, 1), (5, 5, 5)], [(4, 4, 4), (2, 2, 2)]])
    assert Teams(game).players == 1
    assert best(game).values == ()
    assert (best(game).value, best(game).line, best(game).algorithm) == (5, (0, 1), "minimax")


def test_three_teams_look_each_after_itself() -> None:
    class Alliances(Tree):
        def team(self, player: int) -> int:
            return player % 3

    game = Alliances(root=[(1, 2, 3, 1, 2, 3), (2, 1, 0, 2, 1, 0)])
    assert (best(game).values, best(game).algorithm) == ((2, 1, 0, 2, 1, 0), "maxn")


def test_the_sum_counts_a_team_once() -> None:
    class Shared(Tree):
        utility_sum = 0

        def team(self, player: int) -> int:
            return min(player, 1)

    class Wrong(Shared):
        def utility(self, state: Any, player: int) -> float:
            return 1.0

    findings = []
    for kind in (Shared, Wrong):
        game = kind(root=[(1, -1, -1), (-3, 3, 3)])
        vars(game)["utility_sum"] = 0
        assert Teams(game).facts.total == 0
        witness = Witness(game, 1.0)
        check_utilities(witness, game.result(game.initial(), 1))
        findings.append([finding.sentence for finding in witness.findings])
    assert findings[0] == []
    assert "which add up to 2, each team counted once, and not to 0," in findings[1][0]


def test_what_is_handed_on_is_what_the_game_behind_has() -> None:
    assert not any(overrides(Teams(tug(5)), name) for name in ("outcomes", "bounds", "key", "symmetries", "skipped"))
    teams = Teams(TicTacToe())
    state = teams.parse_state("XO./.../...")
    assert all(overrides(teams, name) for name in ("symmetries", "skipped", "evaluate", "parse_state"))
    assert teams.canonical_key(state) == TicTacToe().canonical_key(state)
    assert set(teams.symmetries(state)) == set(TicTacToe().symmetries(state))
    assert teams.board(state) == TicTacToe().board(state)
    assert teams.title == "TicTacToe"
    assert teams.skipped(state) == TicTacToe().skipped(state)
    four = Teams(ConnectFour())
    assert list(four.plausible(four.initial())) == list(ConnectFour().plausible(ConnectFour().initial()))


DERIVED = {
    *("legal", "sufficient", "utilities", "evaluations", "describe", "player_name", "title", "parameters", "facts"),
    *("is_zero_sum", "has_constant_sum", "ends_by_repetition", "remembers", "even_share"),
    *(name for name in vars(Game) if name.startswith("has_")),
}
"""What a game works out from the rest."""
OF_TEAMS = {"team"}
"""Teams are players of their own."""
OF_FACING = {
    *("bounds", "passed", "key", "symmetries", "canonical_key", "plausible", "plausible_is_safe"),  # claims of values
    *("noisy", "forcing", "swing", "gain", "loses", "motif", "margin"),  # for searches without chance
    *("threatened", "reversible", "reductions"),  # for these too
    "skipped",  # the next turn may be one of a policy, which can't be skipped
}


@pytest.mark.parametrize(("kind", "kept"), [(Teams, OF_TEAMS), (Facing, OF_FACING)])
def test_all_that_a_game_has_is_handed_on_but_for_a_reason(kind: Any, kept: set[str]) -> None:
    recast = kind(tug(5))
    own = {name for base in kind.__mro__ if issubclass(base, Recast) for name in vars(base)} | set(vars(recast))
    assert {name for name in vars(Game) if not name.startswith("_")} - own - DERIVED == kept


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "backgammon", "pacman", "nim", "othello"])
def test_a_game_of_teams_has_its_own_of_what_the_game_behind_has(spec: str) -> None:
    game = load(spec)
    methods = {name for name, value in vars(Game).items() if inspect.isfunction(value) and not name.startswith("_")}
    for name in methods - DERIVED - OF_TEAMS - set(REQUIRED):
        assert overrides(Teams(game), name) == overrides(game, name), name
    assert Teams(game).keys == Facing(game, players=[]).keys == game.keys


def test_a_turn_of_several_moves_is_read_as_one() -> None:
    game = load("backgammon")
    plain = Position.from_text(game, moves="3-1 24/20")
    for kind in (Teams, Facing):
        assert Position.from_text(kind(game), moves="3-1 24/20").history == plain.history
    assert len(plain.history) == 3


class Passing(Tug):
    """Tug in which one may pass to the next."""

    def passed(self, state: Any) -> Any:
        yield state._replace(turn=(state.turn + 1) % 4)


class Neighbours(Passing):
    """The same, with the members of a team beside each other."""

    def team(self, player: int) -> int:
        return player // 2


def test_a_pass_goes_to_another_team() -> None:
    state = Tug.State(5, 0)
    assert list(Teams(Passing(5, players=4)).passed(state)) == [Tug.State(5, 1)]
    assert Teams(Passing(5, players=4)).has_passed
    assert not Teams(tug(5)).has_passed
    beside = Teams(Neighbours(5, players=4))
    assert [list(beside.passed(Tug.State(5, turn))) for turn in range(4)] == [[], [(5, 2)], [], [(5, 0)]]


@pytest.mark.parametrize("team", [[0], "north", None, 0.5])
def test_a_team_is_a_whole_number(team: Any) -> None:
    class Odd(Nim):
        def team(self, player: int) -> Any:
            return team

    for recast in (Teams, Facing, has_teams, best):
        with pytest.raises(GameError, match=r"Odd.team gives player 0 .*: give a whole number, the same to all"):
            recast(Odd(5))


@pytest.mark.native
def test_teams_natively() -> None:
    ours = best(tug(9), algorithm="alphabeta", world="native", depth=9)
    theirs = best(Nim(9), algorithm="alphabeta", world="interpreted", depth=9)
    assert (ours.action, ours.value, ours.nodes) == (theirs.action, theirs.value, theirs.nodes)


def test_the_digest_covers_the_game_behind_and_the_policy() -> None:
    games = [Teams(Nim(5)), Teams(Nim(6)), Facing(Nim(5)), Facing(Nim(6)), Facing(Nim(5), greedy), Facing(Nim(5), late)]
    assert len({digest(game) for game in games}) == len(games)
    assert digest(Facing(Nim(5), greedy)) == digest(Facing(Nim(5), greedy))


# Opponents with a policy.


def late(game: Game, state: Any, action: Any) -> float:  # noqa: ARG001
    """The later an action comes, the more it is liked."""
    return float(action + 1)


def facing_naive(game: Game, policy: Any, me: int, state: Any) -> float:
    """The average against the policy, as one would write it for this alone."""
    if game.is_terminal(state):
        return game.utility(state, me)
    actions = list(game.actions(state))
    values = [facing_naive(game, policy, me, game.result(state, action)) for action in actions]
    if game.to_move(state) == me:
        return max(values)
    weights = [policy(game, state, action) for action in actions]
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


@pytest.mark.parametrize("policy", [uniform, greedy, late])
@pytest.mark.parametrize("me", [0, 1, 2])
def test_the_average_against_a_policy(policy: Any, me: int) -> None:
    game = Nim(7, players=3)
    facing = Facing(game, policy, [player for player in range(3) if player != me])
    assert (facing.players, facing.facts.chance, facing.facts.total) == (1, True, None)
    assert facing.player_name(0) == f"player {me + 1}"
    found = best(facing, world="interpreted")
    position = Position(game)
    expected = facing_naive(game, policy, me, position.state)
    assert (found.algorithm, found.kind) == ("star2", "exact")
    assert found.value == pytest.approx(expected)
    assert (found.action is None) == (me > 0)


@pytest.mark.parametrize("world", WORLDS)
def test_random_opponents_are_those_who_always_err(world: str) -> None:
    game, natively = TicTacToe(), world == "native"
    state = game.parse_state("XOX/.O./...")
    value = run(expectiminimax, Facing(game), state, 0, DEEPEST, tally=Tally(), native=natively)
    assert value == pytest.approx(erring(game, state, 0, DEEPEST, 1.0, Tally()))


def test_some_may_choose_and_others_not() -> None:
    game = Nim(6, players=3)
    facing = Facing(game, players=[1])
    assert (facing.players, facing.seats, facing.facts.total) == (2, (0, 2), None)
    state = facing.initial()
    assert facing.to_move(state) == 0
    assert facing.to_move(facing.result(state, 1)) == CHANCE
    assert facing.to_move(facing.result(facing.result(state, 1), 1)) == 1
    assert best(facing).algorithm == "maxn"
    assert Facing(tug(6), players=[2]).facts.total == 0
    assert best(Facing(tug(6), players=[2])).algorithm == "star2"


def test_dice_stay_dice() -> None:
    coin = {"chance": [{"p": 0.25, "node": (4, -4)}, {"p": 0.75, "node": [(0, 0), (8, -8)]}]}
    average = 0.25 * 4 + 0.75 * 8
    assert best(Facing(Tree.of([[coin, (2, -2)]]), greedy)).value == average  # it looks like 0, and the other like -2
    assert best(Facing(Tree.of([[coin, (2, -2)]]))).value == 0.5 * average + 0.5 * 2


@pytest.mark.parametrize("weight", [-1, nan, inf, None, "1", 1j, 10**400, Fraction(-1, 2), numpy.float32("inf")])
def test_weights_that_are_none(weight: Any) -> None:
    with pytest.raises(BadPolicy, match=r"gives .* for 1 in state 'stones=\d turn=1': give a finite number from 0 up"):
        best(Facing(Nim(5), lambda *_: weight), world="interpreted")


@pytest.mark.parametrize("weight", [True, 3, 1e300, Fraction(1, 3), numpy.float32(0.1), numpy.int8(2)])
def test_weights_may_be_of_any_kind_of_number(weight: Any) -> None:
    found = best(Facing(Nim(7), lambda *_: weight), world="interpreted")
    assert found.value == best(Facing(Nim(7)), world="interpreted").value


def test_a_policy_must_want_something() -> None:
    with pytest.raises(BadPolicy, match=r"weights add up to infinity in state 'stones=4 turn=1': give smaller ones"):
        best(Facing(Nim(5), lambda *_: 1e308), world="interpreted")
    with pytest.raises(BadPolicy, match="no action a weight above 0 in state"):
        best(Facing(Nim(5), lambda *_: 0), world="interpreted")
    with pytest.raises(BadInput, match="is no policy: it must be a function of the game, a state and an action"):
        Facing(Nim(5), lambda _: 1)  # type: ignore[arg-type, misc]
    for players in ([0, 1], [2], [-1]):
        with pytest.raises(BadInput, match="Nim has 2 players: give the numbers of some, not of all"):
            Facing(Nim(5), players=players)


def choosy(game: Any, state: Any, action: Any) -> float:
    """As good as the best one, or nothing; where there are five stones, less than nothing."""
    return -1.0 if state.stones == 5 else greedy(game, state, action)


@pytest.mark.native
def test_a_policy_natively_and_its_bad_weights() -> None:
    game, start = Facing(Nim(8), choosy), Nim.State(4, 0)
    value = run(expectiminimax, game, start, 0, 9, tally=Tally(), native=True)
    assert value == pytest.approx(facing_naive(Nim(8), greedy, 0, start))
    with pytest.raises(BadPolicy, match="give each action a weight of 0 or more"):
        run(expectiminimax, game, game.initial(), 0, 9, tally=Tally(), native=True)


def test_functions_from_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("last = 3\n\ndef policy(game, state, action):\n    return action\n")
    assert load_function(f"{file}:policy")(None, None, 7) == 7
    with pytest.raises(BadInput, match=r"mine.py has no function last: write def last\(…\) in it"):
        load_function(f"{file}:last")
    with pytest.raises(BadInput, match=r"names no function: write FILE\.py:function"):
        load_function(str(file))
