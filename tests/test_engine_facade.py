"""The engine as faces see it: go, stop, ponder, events, clocks, opponents, levels, from any thread."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

import pytest

from zermelo.engine.book import Draft
from zermelo.engine.clock import ENOUGH, Clock
from zermelo.engine.decide import decide
from zermelo.engine.engine import Chosen, Deepened, Engine, Event, Pondered
from zermelo.engine.levels import FULL, LEVELS
from zermelo.engine.machine import Machine
from zermelo.engine.mind import Mind
from zermelo.engine.opponent import Opponent
from zermelo.engine.options import Options
from zermelo.errors import BadInput, Unsuitable
from zermelo.game import Game
from zermelo.games.chess import Chess
from zermelo.games.connect_four import ConnectFour
from zermelo.games.go import Go
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.options import TreeOptions
from zermelo.native import is_enabled
from zermelo.position import Position
from zermelo.search.erring import erring, predicted
from zermelo.search.minimax import minimax
from zermelo.search.shares import shares
from zermelo.search.tally import Tally

SMALL = Options(table=1)


def interpreted(game: Game, **options: Any) -> Engine:
    return Engine(game, Options(table=1, **options), world="interpreted")


# Going and stopping.


def test_go_returns_at_once_and_stop_gives_the_best_so_far() -> None:
    engine = interpreted(ConnectFour())
    started = time.monotonic()
    thinking = engine.go()
    assert time.monotonic() - started < 0.5
    assert not thinking.is_done
    assert not thinking.wait(0.3)
    engine.stop()
    result = thinking.result()
    assert result.action in Position(engine.game).moves
    assert result.depth >= 1


def test_a_new_go_ends_the_one_before() -> None:
    engine = interpreted(ConnectFour())
    first = engine.go()
    second = engine.go(depth=2)
    assert second.result().depth == 2
    assert first.is_done
    assert first.result().action is not None


def test_events_tell_each_depth_and_the_choice() -> None:
    engine, heard = interpreted(TicTacToe()), list[Event]()
    end = engine.listen(heard.append)
    result = engine.go(depth=3).result()
    assert [event.result.depth for event in heard if isinstance(event, Deepened)] == [1, 2, 3]
    assert heard[-1] == Chosen(result)
    end()
    engine.go(depth=1).result()
    assert heard[-1] == Chosen(result)


def test_a_listener_may_stop_the_search() -> None:
    engine = interpreted(ConnectFour())
    engine.listen(lambda event: engine.stop() if isinstance(event, Deepened) and event.result.depth == 3 else None)
    assert engine.go().result().depth == 3


def test_many_threads_may_talk_to_one_engine() -> None:
    engine, failures = interpreted(TicTacToe()), list[BaseException]()

    def talk(seed: int) -> None:
        luck = random.Random(seed)
        try:
            for _ in range(6):
                position = Position(engine.game)
                for _ in range(luck.randrange(4)):
                    position.push(luck.choice(position.moves))
                luck.choice(
                    [
                        lambda position=position: engine.set_position(position),
                        lambda: engine.go(depth=luck.randrange(1, 4)).result(),
                        engine.stop,
                        lambda: engine.ponder(about="all"),
                        lambda: engine.position,
                    ]
                )()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=talk, args=(seed,), daemon=True) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    engine.stop()
    assert not failures


def test_the_engine_keeps_its_table_between_moves() -> None:
    if not is_enabled():
        pytest.skip("the interpreted table is not kept")
    engine = Engine(ConnectFour(), SMALL, world="native")
    first = engine.go(depth=10).result()
    again = engine.go(depth=10).result()
    assert again.nodes < first.nodes / 4
    assert again.action == first.action
    engine.forget()
    assert engine.go(depth=10).result().nodes == first.nodes


COIN = Tree.of([{"chance": [{"p": 0.5, "node": 1}, {"p": 0.5, "node": 2}]}, 0])


@pytest.mark.parametrize(
    ("game", "algorithm"), [(COIN, "expectiminimax"), (COIN, "uct"), (Nim(), "uct"), (Nim(), "maxn")]
)
def test_every_algorithm_speaks_through_the_engine(game: Game, algorithm: str) -> None:
    engine, heard = interpreted(game), []
    engine.listen(heard.append)
    found = engine.go(algorithm=algorithm, nodes=300).result()
    assert found.action in Position(game).moves
    assert found.algorithm == algorithm
    assert heard[-1] == Chosen(found)
    engine.play(found.action)
    assert engine.position.history == (found.action,)


def test_the_textbook_s_algorithms_can_be_stopped() -> None:
    for algorithm in ("minimax", "uct", "maxn"):
        thinking = interpreted(ConnectFour()).go(algorithm=algorithm)
        thinking.wait(0.2)
        thinking.stop()
        assert thinking.wait(20)
        assert thinking.result().action in range(7)


def test_wrong_games_and_limits_are_refused_in_a_sentence() -> None:
    with pytest.raises(Unsuitable, match="has no rule for chance"):
        Engine(COIN).go(algorithm="pvs")
    engine = interpreted(Nim())
    with pytest.raises(BadInput, match="this engine is for Nim"):
        engine.set_position(Position(TicTacToe()))
    for limits in ({"depth": 0}, {"nodes": -1}, {"seconds": 0}, {"lines": 0}):
        with pytest.raises(BadInput, match="must be"):
            engine.go(**limits)
    with pytest.raises(BadInput, match="pondering is about"):
        engine.ponder(about="nothing")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["killer=no"], "the engine has no switch 'killer': use algorithm, table"),
        (["killers=perhaps"], "killers is yes or no, not 'perhaps'"),
        (["beam=x"], "beam is a whole number, not 'x'"),
        (["beam=0"], "beam must be 1 or more, not 0"),
        ([f"beam={1 << 64}"], "beam must be at most"),
        ([f"secondary={1 << 64}"], "secondary must be at most"),
        (["table=-1"], "table must be 0 (none) or at least 0.01 MiB, not -1"),
        (["threads=0"], "threads must be 1 or more, not 0"),
        (["bias=nan"], "bias must be a number, not nan"),
        (["futility=-2"], "futility must be 0 or more, not -2"),
        (["algorithm=minimax"], "the engine has no algorithm 'minimax': use one of pvs"),
    ],
)
def test_bad_switches_are_a_sentence(settings: list[str], words: str) -> None:
    with pytest.raises(BadInput) as error:
        Options.parse(settings)
    assert str(error.value).startswith(words)


def test_switches_are_read_from_text() -> None:
    parsed = Options.parse(["killers=no", "beam=5", "futility=none", "bias=0.5", "secondary=2"], threads=2)
    assert parsed == Options(killers=False, beam=5, bias=0.5, secondary=2, threads=2)


def test_more_nodes_than_can_be_counted_are_no_limit() -> None:
    for nodes in (1 << 63, 1 << 64):
        assert decide(Position(TicTacToe()), nodes=nodes, world="native" if is_enabled() else "auto").kind == "exact"


def test_a_clock_hides_no_bad_limit() -> None:
    with pytest.raises(BadInput, match="seconds must be more than 0"):
        interpreted(Nim()).go(clock=Clock(5.0), seconds=0)


class Held:
    """An engine whose search is held up by a listener until it is let go."""

    def __init__(self) -> None:
        self.engine, self.held, self.free = interpreted(ConnectFour()), threading.Event(), threading.Event()
        self.engine.listen(self.hold)
        self.thinking = self.engine.go()
        assert self.held.wait(10)

    def hold(self, event: Event) -> None:
        if isinstance(event, Deepened) and not self.free.is_set():
            self.held.set()
            self.free.wait(10)


def test_whoever_stops_waits_for_the_end() -> None:
    held = Held()
    ended = list[bool]()

    def stop() -> None:
        held.engine.stop()
        ended.append(held.thinking.is_done)

    threads = [threading.Thread(target=stop, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    assert ended == []
    held.free.set()
    for thread in threads:
        thread.join(10)
    assert ended == [True] * 3


def test_no_search_begins_while_another_is_being_stopped() -> None:
    held = Held()
    threading.Thread(target=held.engine.stop, daemon=True).start()
    time.sleep(0.05)
    threading.Timer(0.2, held.free.set).start()
    held.engine.go(depth=1)
    assert held.thinking.is_done
    held.engine.stop()


def test_the_choice_is_told_once_whether_or_not_anybody_asks_for_it() -> None:
    engine, heard = interpreted(TicTacToe()), list[Event]()
    engine.listen(heard.append)
    thinking = engine.go(depth=1)
    assert thinking.wait(10)
    assert thinking.result() == thinking.result()
    assert [event for event in heard if isinstance(event, Chosen)] == [Chosen(thinking.result())]


def test_no_time_limit_may_be_written_as_infinite(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = list[Any]()
    monkeypatch.setattr(threading, "excepthook", failures.append)
    assert decide(Position(TicTacToe()), depth=2, seconds=inf, world="interpreted").depth == 2
    time.sleep(0.05)
    assert failures == []


@pytest.mark.native
@pytest.mark.parametrize("world", ["auto", "native"])
def test_nobody_waits_for_the_compiler(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(Machine, "prepare", lambda *_: compiled.wait(20))
    engine = Engine(ConnectFour(), world=world)
    thinking = engine.go()
    threading.Timer(0.5, thinking.stop).start()
    assert thinking.wait(10)
    assert thinking.result().world == "interpreted"
    assert engine.go(clock=Clock(1.0)).wait(10)
    compiled.set()


@pytest.mark.native
@pytest.mark.parametrize("world", ["auto", "native"])
def test_simulations_do_not_wait_for_the_compiler(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(Grove, "prepare", lambda *_: compiled.wait(20))
    engine = Engine(ConnectFour(), world=world)
    late = engine.go(algorithm="uct", clock=Clock(1.0)).result()
    assert (late.world, late.nodes > 0) == ("interpreted", True)
    assert late.action in range(7)
    thinking = engine.go(algorithm="uct")
    threading.Timer(0.5, thinking.stop).start()
    assert thinking.wait(10)
    assert thinking.result().action in range(7)
    compiled.set()


@pytest.mark.native
def test_the_tree_is_kept_from_the_first_search_on_and_where_a_reply_was_expected() -> None:
    engine = Engine(ConnectFour(), tree=TreeOptions(memory=64.0))
    engine.algorithm = "uct"

    def visits(nodes: int) -> int:
        odds = engine.go(nodes=nodes).result().lines[0].odds
        assert odds is not None
        return odds.visits

    line = engine.go(nodes=20_000).result().line
    for action in line[:2]:
        engine.play(action)
    assert visits(100) > 1000
    line = engine.go(nodes=100).result().line
    engine.play(line[0])
    engine.ponder(line[1:])
    time.sleep(0.3)
    engine.play(line[1])
    known = visits(100)
    assert known > 2000
    assert visits(100) >= known
    engine.forget()
    assert visits(100) <= 100


def test_a_listener_may_listen_twice_and_end_once() -> None:
    engine, heard = interpreted(TicTacToe()), list[Event]()
    end = engine.listen(heard.append)
    engine.listen(heard.append)
    end()
    engine.go(depth=1).result()
    assert sum(isinstance(event, Chosen) for event in heard) == 1


def test_a_book_of_other_rules_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^the book is not for Nim\(stones=10, most=4[^\n]*$"):
        Engine(Nim(stones=10, most=4), book=Draft(Nim(stones=10, most=3)))


# Pondering.


@pytest.mark.parametrize("about", ["expected", "all"])
def test_pondering_counts_its_hits(about: str) -> None:
    engine, heard = interpreted(Nim(stones=14)), list[Event]()
    engine.listen(heard.append)
    result = engine.go(depth=6).result()
    engine.play(result.action)
    engine.ponder(result.line[1:], about)
    engine.play(result.line[1])
    assert heard[-1] == Pondered(result.line[1], result.line[1])
    result = engine.go(depth=6).result()
    engine.play(result.action)
    engine.ponder(result.line[1:], about)
    other = next(move for move in engine.position.moves if move != result.line[1])
    engine.play(other)
    assert isinstance(heard[-1], Pondered)
    assert not heard[-1].hit
    assert (engine.ponder_hits, engine.ponder_tries, engine.hit_rate) == (1, 2, 0.5)


def test_pondering_goes_on_until_the_reply_and_nothing_runs_after_stop() -> None:
    engine = interpreted(ConnectFour())
    engine.ponder(about="all")
    before = threading.active_count()
    time.sleep(0.2)
    assert threading.active_count() == before
    engine.stop()
    assert threading.active_count() < before


def test_the_mind_ponders_while_it_waits() -> None:
    game = Nim(stones=15)
    mind, position = Mind(game, ponder="expected", options=SMALL), Position(game)
    for _ in range(3):
        thought = mind.think(position.copy(), 5)
        position.push(thought.action)
        mind.wait(position.copy())
        mind.wait(position.copy())
        position.push(thought.line[1])
    mind.settle(position)
    assert mind.summary() == "3 of 3 replies expected (100%)"


@pytest.mark.parametrize("about", ["expected", "all"])
def test_the_mind_expects_nothing_where_play_left_its_line(about: str) -> None:
    game = Othello()
    mind, position = Mind(game, ponder=about, options=SMALL), Position(game)
    position.push(position.moves[0])
    position.push(mind.think(position.copy(), 3).action)
    mind.wait(position.copy())
    for _ in range(2):
        position.pop()
    position.push(position.moves[1])
    for _ in range(3):
        mind.wait(position.copy())
        position.push(position.moves[0])
    mind.settle(position)
    assert mind.summary() == ""


def test_the_mind_ponders_about_no_line_that_was_left() -> None:
    game = TicTacToe()
    mind, position = Mind(game, ponder="expected", options=SMALL), Position(game)
    position.push(mind.think(position.copy(), 5).line[1])
    mind.wait(position.copy())
    position.push(position.moves[0])
    mind.settle(position)
    assert mind.summary() == ""


# The clock.


def test_a_clock_shares_its_time() -> None:
    position = Position(ConnectFour())
    limits = Clock(42.0).limits(position)
    assert limits.enough is not None
    assert limits.seconds is not None
    assert limits.enough < limits.seconds < 42 / 5
    late = Clock(42.0).limits(Position.from_text(position.game, moves="44444433333355"))
    assert late.seconds is not None
    assert late.seconds > limits.seconds
    last = Clock(0.5, increment=2).limits(position)
    assert last.seconds is not None
    assert last.seconds <= 0.5
    few = Clock(60, moves=2).limits(position)
    assert few.seconds is not None
    assert few.seconds > limits.seconds


def played_by_the_clock(left: float, increment: float = 0.0, control: int = 0, moves: int = 60) -> list[float]:
    """What is used of all time after each move of a search that deepens, each depth about twice as long as the last,
    where each move takes some milliseconds more than is known."""
    luck, position, given, used, shares = random.Random(5), Position(Chess()), left, 0.0, []
    for number in range(moves):
        togo = control - number % control if control else None
        limits = Clock(given - used, increment, togo, lag=0.03).limits(position)
        assert limits.enough is not None
        assert limits.seconds is not None
        spent = 0.002
        while spent < ENOUGH * limits.enough:
            spent *= luck.uniform(1.6, 2.8)
        used += min(spent, limits.seconds) + luck.uniform(0.005, 0.035)
        assert used < given, "lost on time"
        given += increment + (left if togo == 1 else 0.0)
        shares.append(used / (given - (left if togo == 1 else 0.0)))
    return shares


def test_a_clock_is_used_and_never_runs_out() -> None:
    for seconds in (10.0, 60.0, 300.0, 3600.0):
        used = played_by_the_clock(seconds)
        assert used[39] > 0.6
        assert 0.7 < used[59] < 0.95
    assert played_by_the_clock(300.0, moves=250)[-1] > 0.97
    assert played_by_the_clock(10.0, moves=150)[-1] > 0.9
    control = played_by_the_clock(300.0, control=40, moves=80)
    assert min(control[39], control[79]) > 0.9
    for seconds, increment in ((180.0, 2.0), (10.0, 0.1), (1.0, 1.0)):
        assert played_by_the_clock(seconds, increment, moves=200)[59] > 0.7


def test_a_game_on_the_clock_never_loses_on_time() -> None:
    engine, left = interpreted(ConnectFour(width=5, height=4)), [1.0, 1.0]
    while not engine.position.is_terminal:
        mover = engine.position.to_move
        started = time.monotonic()
        result = engine.go(clock=Clock(left[mover], increment=0.02)).result()
        left[mover] -= time.monotonic() - started
        assert left[mover] > 0
        left[mover] += 0.02
        engine.play(result.action)


@pytest.mark.parametrize("clock", [{"left": 0}, {"left": -1}, {"left": 5, "increment": -1}, {"left": 5, "moves": 0}])
def test_a_clock_that_makes_no_sense_is_refused(clock: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="must"):
        Clock(**clock)


# Not assuming the best reply.


TRAP = [[[-1, -1], [-1, -1]], [[-1], [1], [1], [1]], -1]
"""Max has lost; after the second action only one of four replies wins for Min."""


def test_a_lost_player_sets_problems() -> None:
    tree = Position(Tree.of(TRAP))
    assert decide(tree).action == 0
    found = decide(tree, opponent=Opponent(error=0.2))
    assert (found.action, found.value, found.kind) == (1, -1, "exact")


def test_a_won_game_is_not_thrown_away() -> None:
    tree = Position(Tree.of([[5, 5], [[9], [9], [9], [4]]]))
    assert decide(tree, opponent=Opponent(error=0.9)).action == 0
    assert erring(tree.game, tree.game.result(tree.state, 1), 0, 5, 0.9, Tally()) > 5


@pytest.mark.parametrize("seed", range(8))
def test_erring_is_minimax_without_errors_and_expectation_with_nothing_but(seed: int) -> None:
    luck = random.Random(seed)

    def grow(depth: int) -> Any:
        return luck.randrange(-9, 10) if depth == 0 else [grow(depth - 1) for _ in range(luck.randrange(1, 4))]

    tree = Tree.of(grow(4))
    state = tree.initial()
    assert erring(tree, state, 0, 9, 0.0, Tally()) == minimax(tree, state, 0, 9, Tally())

    def average(state: Any) -> float:
        if tree.is_terminal(state):
            return tree.utility(state, 0)
        values = [average(tree.result(state, action)) for action in tree.actions(state)]
        return max(values) if tree.to_move(state) == 0 else sum(values) / len(values)

    assert erring(tree, state, 0, 9, 1.0, Tally()) == pytest.approx(average(state))
    middle = erring(tree, state, 0, 9, 0.5, Tally())
    assert erring(tree, state, 0, 9, 0.0, Tally()) - 1e-9 <= middle <= average(state) + 1e-9


class Greedy(Othello):
    """A beginner's Othello: whoever has more discs now is ahead."""

    def evaluate(self, state: Othello.State, player: int) -> float:
        lead = state.own.count() - state.other.count()
        return (lead if player == state.turn else -lead) / 65 * 64


def greedy_move(position: Position) -> int:
    """What turns most discs now."""
    game = position.game
    children = {action: game.result(position.state, action) for action in position.moves}
    return max(children, key=lambda action: children[action].other.count() - children[action].own.count())


def test_an_opponent_can_be_predicted_by_his_evaluation() -> None:
    game, model = Othello(size=4), Greedy(size=4)
    position = Position(game)
    luck = random.Random(4)
    for _ in range(30):
        if position.is_terminal:
            position = Position(game)
        state = position.state
        if game.to_move(state) == 1:
            seen = max(
                position.moves,
                key=lambda action: (
                    model.utility(child, 1)
                    if model.is_terminal(child := game.result(state, action))
                    else model.evaluate(child, 1)
                ),
            )
            expected = predicted(game, model, game.result(state, seen), 0, 2, Tally())
            assert predicted(game, model, state, 0, 3, Tally()) == expected
        position.push(luck.choice(position.moves))


@pytest.mark.parametrize("wrong", [{"error": -0.1}, {"error": 2}, {"depth": 0}, {"margin": -1}])
def test_an_opponent_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="opponent"):
        Opponent(**wrong)


# The secondary search.


class Pit(NamedTuple):
    place: int
    turn: int


class Pitfall(Game):
    """A row of rooms: the left one looks fine for three plies and is a pit after that."""

    utility_bounds = (-10, 10)
    State = Pit

    def initial(self) -> Pit:
        return Pit(0, 0)

    def to_move(self, state: Pit) -> int:
        return state.turn

    def actions(self, state: Pit) -> Iterator[int]:
        yield -1 if state.place <= 0 else 1
        if state.place == 0:
            yield 1

    def result(self, state: Pit, action: int) -> Pit:
        return Pit(state.place + action, 1 - state.turn)

    def is_terminal(self, state: Pit) -> bool:
        return abs(state.place) == 6

    def utility(self, state: Pit, player: int) -> float:
        worth = -10 if state.place < 0 else 1
        return worth if player == 0 else -worth

    def evaluate(self, state: Pit, player: int) -> float:
        worth = 3 if -4 <= state.place < 0 else -9 if state.place < 0 else 1
        return worth if player == 0 else -worth


def test_the_secondary_search_sees_beyond_the_horizon() -> None:
    plain = Options(extension=False)
    assert decide(Position(Pitfall()), depth=3, options=plain).action == -1
    assert decide(Position(Pitfall()), depth=3, options=Options(extension=False, secondary=2)).action == 1


# Levels.


@pytest.mark.native
def test_level_1_loses_to_greedy_play_and_the_top_level_never_does() -> None:
    game = Othello()

    def score(level: int, seed: int, seconds: float | None) -> float:
        """What the level gets against greed: its discs less the other's."""
        luck, side, position = random.Random(seed), seed % 2, Position(game)
        engine = Engine(game, Options(table=16), world="native")
        for _ in range(4):
            position.push(luck.choice(position.moves))
        while not position.is_terminal:
            if position.to_move != side:
                position.push(greedy_move(position))
            elif len(position.moves) > 1 and luck.random() < LEVELS[level].mistakes:
                position.push(luck.choice(position.moves))
            else:
                engine.set_position(position)
                limits = LEVELS[level].limits_for("pvs")
                thinking = engine.go(depth=limits.depth, seconds=seconds or limits.seconds)
                position.push(thinking.result().action)
        return position.utilities[side]

    beginner = [score(1, seed, None) for seed in range(20)]
    assert sum(result < 0 for result in beginner) > sum(result > 0 for result in beginner)
    assert all(score(FULL, seed, 0.02) > 0 for seed in range(4))


def test_a_level_limits_what_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    for level, simulations in ((1, 3), (2, 7)):
        monkeypatch.setitem(LEVELS, level, LEVELS[level]._replace(simulations=simulations, seconds=60.0))
    position = Position(Go(size=4))
    mind = Mind(position.game, options=Options(), luck=random.Random(1))
    assert [mind.think(position, level).nodes for level in (1, 2)] == [3, 7]
    assert mind.engine is not None
    assert mind.engine.algorithm == "uct"
    monkeypatch.undo()
    counts = [level.simulations or inf for level in LEVELS.values()]
    assert counts == sorted(set(counts)), "each level more than the one before"
    assert LEVELS[FULL].simulations is None


# Features.


def test_shares_add_up_to_the_evaluation() -> None:
    game, luck, position = Othello(), random.Random(7), Position(Othello())
    for _ in range(20):
        position.push(luck.choice(position.moves))
        for player in (0, 1):
            terms = shares(game, position.state, player)
            assert [term.name for term in terms] == list(game.feature_names)
            total = sum(term.share for term in terms)
            assert game.evaluate(position.state, player) == pytest.approx(max(-63.0, min(total, 63.0)))
    with pytest.raises(BadInput, match="TicTacToe has no features: give it features"):
        shares(TicTacToe(), TicTacToe().initial(), 0)


# Draws by repetition.


class Round(NamedTuple):
    place: int
    turn: int


class Roundabout(Game):
    """Two players walk in a circle of four; whoever is told to may leave it and lose."""

    repeats, repetition = True, 3
    utility_bounds = (-1, 1)

    def initial(self) -> Round:
        return Round(0, 0)

    def to_move(self, state: Round) -> int:
        return state.turn

    def actions(self, state: Round) -> Iterator[int]:
        yield 1
        if state.place % 2 == 0:
            yield 9

    def result(self, state: Round, action: int) -> Round:
        return Round((state.place + action) % 4 if action == 1 else 9, 1 - state.turn)

    def is_terminal(self, state: Round) -> bool:
        return state.place == 9

    def utility(self, state: Round, player: int) -> float:
        return 1 if player == state.turn else -1


def test_a_state_that_came_back_often_enough_is_a_draw() -> None:
    position = Position(Roundabout())
    for count in range(8):
        assert not position.is_terminal, count
        position.push(1)
    assert position.is_terminal
    assert position.is_repeated
    assert position.moves == []
    assert position.utilities == (0, 0)
    position.pop()
    assert not position.is_terminal


def test_the_engine_knows_draws_by_repetition() -> None:
    found = decide(Position(Roundabout()))
    assert (found.action, found.value, found.kind) == (1, 0, "exact")
