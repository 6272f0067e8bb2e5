"""Go: its rules against a slow twin, known positions, what is solved, text, habits, and what is refused."""

from __future__ import annotations

import random
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import installed
from go_twin import SlowGo
from zermelo import Bits, Position, load, native
from zermelo.bits import scatter
from zermelo.engine.decide import decide
from zermelo.errors import BadInput, IllegalAction
from zermelo.games.go import Go
from zermelo.games.go.ending import dead_stones
from zermelo.games.go.vertices import read_vertex
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.nodes import LOWER, NODE, PRIOR, ROOT, UPPER, VISITS
from zermelo.montecarlo.options import TreeOptions


def at(game: Go, text: str) -> int:
    return read_vertex(text, game.size)


def legal(position: Position) -> list[str]:
    return [position.game.format_action(position.state, move) for move in position.moves]


def played(size: int, moves: str, **settings: object) -> Position:
    return Position.from_text(Go(size, **settings), moves=moves)  # type: ignore[arg-type]


# The twin.


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.booleans(), st.integers(0, 10**6))
def test_moves_boards_and_scores_are_those_of_the_twin(size: int, suicide: bool, seed: int) -> None:
    luck = random.Random(seed)
    game, twin = Go(size, komi=0.5, suicide=suicide), SlowGo(size, 0.5, suicide)
    position = Position(game)
    for _ in range(3 * size * size):
        black, white = game.stones(position.state)
        stones = {divmod(point, size + 1): colour for colour, own in enumerate((black, white)) for point in own}
        assert stones == twin.board
        assert game.score(position.state) == twin.score()
        if position.is_terminal:
            assert twin.is_over
            assert position.utilities[0] == (1 if twin.score() > 0 else -1)
            break
        moves = [divmod(move, size + 1) for move in position.moves if move != game.pass_move]
        assert moves == twin.moves()
        move = luck.choice(position.moves) if luck.random() > 0.1 else game.pass_move
        position.push(move)
        twin.play(None if move == game.pass_move else divmod(move, size + 1))


@pytest.mark.parametrize(("size", "seed"), [(9, 1), (13, 2)])
def test_boards_of_several_words(size: int, seed: int) -> None:
    luck = random.Random(seed)
    game, twin = Go(size), SlowGo(size, 7.0)
    state = game.initial()
    for _ in range(2 * size * size):
        word = Bits(luck.getrandbits(64))
        move = game.reply(state, word)
        assert move == game.pass_move or move in set(game.actions(state))
        state = game.result(state, move)
        twin.play(None if move == game.pass_move else divmod(move, size + 1))
        if game.is_terminal(state):
            break
    black, white = game.stones(state)
    assert twin.board == {divmod(point, size + 1): colour for colour, own in enumerate((black, white)) for point in own}
    assert game.score(state) == twin.score()


# Known positions.


def test_a_capture_takes_whole_chains() -> None:
    position = Position(Go(5), Go(5).parse_state("...../.OOX./XXX.X/.OOX./..... X"))
    position.push_text("B5 E1 C5 D1 A4")
    assert str(position) == ".XX../X..X./XXX.X/.OOX./...OO O last=A4"


KO = "...../.XO../X.XO./.XO../..... O"


def test_a_ko_may_not_be_retaken_at_once() -> None:
    position = Position(Go(5), Go(5).parse_state(KO))
    position.push_text("B3")
    assert "C3" not in legal(position)
    position.push_text("E5 E1")
    assert "C3" in legal(position)
    position.push_text("C3 A1")
    assert "B3" in legal(position)


def test_sending_two_returning_one_is_superko() -> None:
    position = Position(Go(5), Go(5).parse_state("...../...../...../XXO../.O.O. O"))
    position.push_text("A1 C1")
    assert str(position) == "...../...../...../XXO../..XO. O last=C1"
    assert position.state.ko == -1
    assert "B1" in [position.game.format_action(position.state, move) for move in position.game.actions(position.state)]
    assert "B1" not in legal(position)
    position.push_text("E5 E4")
    assert "B1" in legal(position)


def test_a_triple_ko_goes_round_no_more_than_once() -> None:
    white, black = ".XO....../XO.O...../.XO......", ".XO....../X.XO...../.XO......"
    position = Position(Go(9), Go(9).parse_state(f"{white}/{white}/{black} X"))
    position.push_text("C8 B2 C5 B8 C2")
    assert "B5" in [position.game.format_action(position.state, move) for move in position.game.actions(position.state)]
    assert "B5" not in legal(position)


def test_in_a_seki_whoever_moves_is_taken_and_nobody_owns_what_is_shared() -> None:
    game = Go(5, komi=0.0)
    for mark, taken in (("X", 0), ("O", 1)):
        position = Position(game, game.parse_state(f"XXXOO/XXXOO/XXXOO/XX.OO/XX.OO {mark}"))
        assert game.score(position.state) == 13 - 10
        position.push_text("C1 C2")
        assert not game.stones(position.state)[taken]


def test_suicide_is_an_option_and_never_of_one_stone() -> None:
    text = ".OX../OXX../XX.../...../....."
    assert "A5" not in legal(Position(Go(5), Go(5).parse_state(text + " O")))
    assert "A5" in legal(Position(Go(5), Go(5).parse_state(text + " X")))
    position = Position(Go(5, suicide=True), Go(5).parse_state(text + " O"))
    position.push_text("A5")
    assert str(position) == "..X../.XX../XX.../...../..... X last=A5"
    lone = ".X.../X..../...../...../..... O"
    for suicide in (False, True):
        assert "A5" not in legal(Position(Go(5, suicide=suicide), Go(5).parse_state(lone)))


def test_two_passes_end_the_game_and_the_winner_wins_by_komi() -> None:
    assert played(5, "C3 pass pass").utilities == (1.0, -1.0)
    assert played(5, "C3 pass pass", komi=25.0).utilities == (0.0, 0.0)
    assert played(5, "C3 pass pass", margin=1, komi=0.5).utilities == (24.5, -24.5)
    assert played(5, "pass pass", komi=0.5).utilities == (-1.0, 1.0)


def test_komi_changes_no_native_code() -> None:
    from zermelo.native.digest import digest

    assert digest(Go(9, komi=5.5)) == digest(Go(9, komi=7.5)) != digest(Go(8))


def test_a_key_forgets_what_was_played_last_and_superko_who_is_to_move() -> None:
    game = Go(5)
    one, other = played(5, "A1 B2 C3").state, played(5, "C3 B2 A1").state
    assert one != other
    assert game.key(one) == game.key(other)
    assert game.recurrence(one) == game.recurrence(other._replace(own=other.other, other=other.own, turn=0))


# Search.


@pytest.mark.parametrize("algorithm", ["uct", "pvs"])
def test_searches_take_no_action_that_superko_forbids(algorithm: str) -> None:
    position = Position(Go(5), Go(5).parse_state("...../...../...../XXO../.O.O. O"))
    position.push_text("A1 C1")
    tree = TreeOptions(exploration=9.0, prior=0.0, rave=0.0, rollout=0) if algorithm == "uct" else None
    limits = {"nodes": 100} if algorithm == "uct" else {"depth": 1}
    found = decide(position, algorithm=algorithm, tree=tree, world="interpreted", lines=30, **limits)
    tried = {line.action for line in found.lines}
    assert at(Go(5), "B1") in set(position.game.actions(position.state))
    assert tried == set(position.moves) == set(position.game.actions(position.state)) - {at(Go(5), "B1")}


def test_uct_keeps_superko_on_its_way() -> None:
    """Below the root too: after A1 and C1 in the tree, B1 is never tried."""
    game = Go(5)
    position = Position(game, game.parse_state("...../...../...../XXO../.O.O. O"))
    grove = Grove(game, TreeOptions(exploration=0.0, rave=0.0, rollout=0, expand=1), natively=False)
    grove.stand_at(position)
    state, node = position.state, ROOT
    for text in ("A1", "C1", "B1"):
        while not grove.children(node)[1]:
            grove.simulate(1)
            force(grove, at(game, "A1"), at(game, "C1"))
        actions = game.legal(state)
        node = grove.children(node)[0] + actions.index(at(game, text))
        state = game.result(state, at(game, text))
    assert grove.number(NODE * node + LOWER) == grove.number(NODE * node + UPPER) == 1.0
    assert grove.word(NODE * node + VISITS) == 0


def force(grove: Grove, *wanted: int) -> None:
    """Make the tree prefer some actions, by what it believes of all its nodes."""
    for node, (mark, _) in grove.works[0].items.items():
        grove.works[0].memory[NODE * node + PRIOR] = 1.0 if mark in wanted else -1.0


def test_the_usual_algorithm_is_monte_carlo_search() -> None:
    assert decide(Position(Go(5)), nodes=3, world="interpreted").algorithm == "uct"


# Habits.


def test_replies_save_and_take_what_has_one_liberty() -> None:
    game = Go(5)
    words = [scatter(Bits(number)) for number in range(200)]
    saved = game.parse_state("...../..O../.OXO./...../..... X last=D3")
    answers = [game.format_action(saved, game.reply(saved, word)) for word in words]
    assert answers.count("C2") > 150
    taken = game.parse_state("...../..X../.XO../..X../..... X last=C3")
    answers = [game.format_action(taken, game.reply(taken, word)) for word in words]
    assert answers.count("D3") > 150


def test_replies_fill_no_eye_and_pass_in_the_end() -> None:
    game = Go(5)
    for text in (".XXX./XXXXX/XXXXX/XXXXX/XXXX. X", ".X.XX/XXXXX/XXXXX/XXXXX/XXXX. X"):
        state = game.parse_state(text)
        assert {game.reply(state, scatter(Bits(number))) for number in range(30)} == {game.pass_move}


def test_an_eye_with_the_others_at_its_corners_is_false() -> None:
    game = Go(5)
    for text, is_eye in (
        ("...../..X../.X.X./..X../.....", True),
        ("...../.OX../.X.X./..X../.....", True),
        ("...../.OXO./.X.X./..X../.....", False),
    ):
        state = game.parse_state(text + " X")
        assert game.fits(game.eyes, state, at(game, "C3")) == is_eye
    edge = game.parse_state("...../...../...../X..../.X... X")
    assert game.fits(game.eyes, edge, at(game, "A1"))
    assert not game.fits(game.eyes, game.parse_state("...../...../...../XO.../.X... X"), at(game, "A1"))


def test_dead_stones_are_found() -> None:
    game = Go(5)
    state = game.parse_state(".X.XX/XXXXX/OOOOO/OO.OX/.O.O. X passes=2")
    assert dead_stones(game, state, games=10) == {at(game, "E2")}


# Text.


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_states_are_read_as_they_are_written(seed: int) -> None:
    game, luck = Go(4, suicide=True), random.Random(seed)
    position = Position(game)
    while not position.is_terminal and len(position.history) < 30:
        assert game.parse_state(game.format_state(position.state)) == position.state
        position.push(luck.choice(position.moves))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not 3 rows of 3"),
        ("XX/XX/XX", "is not 3 rows of 3"),
        ("XXX/XXX/XXX", "have no liberty"),
        (".../.../... Q", "needs X or O to move"),
        (".../.../... X ko=Z9", "is no point of a board"),
        (".../.../... X passes=7", "needs X or O to move, and 0, 1 or 2 passes"),
        (".../.../... X hello", "is not part of a board of Go"),
        (".../.X./... X ko=B2", "ko is a free point"),
    ],
)
def test_states_that_are_none_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        Go(3).parse_state(text)


def test_moves_are_vertices_without_the_letter_i() -> None:
    position = Position.from_text(Go(9), moves="j9 PASS a1 h8")
    assert [position.game.format_action(None, move) for move in position.history] == ["J9", "pass", "A1", "H8"]
    with pytest.raises(IllegalAction, match="'I5' is not legal"):
        position.push_text("I5")


@pytest.mark.parametrize("text", ["go:size=1", "go:size=20", "go:komi=900", "go:margin=2", "go:komi=nan"])
def test_settings_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        load(text)


# Another program.


def test_areas_are_those_that_gnugo_counts() -> None:
    """At the end of games played out, in which nothing is dead that still stands."""
    for seed in range(3):
        game = Go(7, komi=0.5)
        position, word = Position(game), Bits(seed)
        while not position.is_terminal and len(position.history) < 150:
            word += 1
            position.push(game.reply(position.state, scatter(word)))
        moves = "".join(
            f"play {'bw'[number % 2]} {game.format_action(None, move)}\n"
            for number, move in enumerate(position.history)
        )
        told = subprocess.run(
            [installed("gnugo"), "--mode", "gtp", "--chinese-rules"],
            input=f"boardsize 7\nclear_board\nkomi 0.5\n{moves}final_score\nquit\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("=")[-2]
        lead = game.score(position.state)
        assert told.strip() == f"{'B' if lead > 0 else 'W'}+{abs(lead):.1f}"


@pytest.mark.native
def test_native_roll_outs_are_the_interpreted_ones() -> None:
    game = Go(9)
    start = game.initial()
    assert native.call(ended, game, start, 5) == ended(game, start, 5)


def ended(game: Go, state: Go.State, games: int) -> Bits:
    """A word that all states of some roll-outs bear upon."""
    found = Bits(0)
    for number in range(games):
        now, word = state, Bits(1000 * number)
        while not game.is_terminal(now):
            word += 1
            now = game.result(now, game.reply(now, scatter(word)))
            found = scatter(found ^ game.key(now))
    return found
