"""Pac-Man: a naive twin made of sets and dicts, all layouts, chance, scoring, bounds, text, and what is refused."""

from __future__ import annotations

import contextlib
import random
from math import inf
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.bits import Bits
from zermelo.draw.text import lines
from zermelo.errors import BadInput
from zermelo.game import CHANCE
from zermelo.games.pacman import SCARE, Pacman
from zermelo.maze import STAY
from zermelo.registry import load, spec
from zermelo.search.alphabeta import alphabeta
from zermelo.search.tally import Tally

LAYOUTS = Path(__file__).parent.parent / "src/zermelo/games/pacman/layouts"
NAMES = sorted(path.stem for path in LAYOUTS.glob("*.txt"))
KINDS = ("minimax", "random", "chasing")
SHIFTS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1), "stay": (0, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
SEEDS = st.integers(0, 2**32)


class Naive:
    """The same rules on a dict of characters: places are rows and columns, actions are words."""

    def __init__(self, name: str, steps: int, stop: bool) -> None:
        rows = (LAYOUTS / f"{name}.txt").read_text().splitlines()
        grid = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
        self.walls = {place for place, sign in grid.items() if sign in "#%"}
        self.food = {place for place, sign in grid.items() if sign == "."}
        self.capsules = {place for place, sign in grid.items() if sign == "o"}
        self.pacman = next(place for place, sign in grid.items() if sign == "P")
        self.homes = [place for place, sign in sorted(grid.items()) if sign == "G"]
        self.ghosts = [{"place": home, "facing": "", "scared": 0} for home in self.homes]
        self.score = self.step = self.turn = 0
        self.steps, self.stop, self.dead = steps, stop, False

    def is_over(self) -> bool:
        return self.dead or not self.food or (self.step >= self.steps and self.turn == 0)

    def actions(self) -> set[str]:
        ghost = self.ghosts[self.turn - 1] if self.turn else {"place": self.pacman, "facing": "", "scared": 0}
        if ghost["scared"] % 2:
            return {"stay"}
        row, column = ghost["place"]
        open_ways = {
            word
            for word, (down, across) in SHIFTS.items()
            if (down, across) != (0, 0) and (row + down, column + across) not in self.walls
        }
        if self.turn == 0:
            return open_ways | ({"stay"} if self.stop else set())
        if not ghost["scared"] and ghost["facing"]:
            return open_ways - {OPPOSITE[ghost["facing"]]} or open_ways
        return open_ways

    def move(self, word: str) -> None:
        if self.turn == 0:
            self.pacman = (self.pacman[0] + SHIFTS[word][0], self.pacman[1] + SHIFTS[word][1])
            self.step += 1
            self.score -= 1
            if self.pacman in self.food:
                self.food.remove(self.pacman)
                self.score += 10 if self.food else 510
            if self.pacman in self.capsules:
                self.capsules.remove(self.pacman)
                for ghost in self.ghosts:
                    ghost["scared"] = 40
            met = range(len(self.ghosts))
        else:
            ghost = self.ghosts[self.turn - 1]
            row, column = ghost["place"]
            ghost["place"] = (row + SHIFTS[word][0], column + SHIFTS[word][1])
            ghost["facing"] = ghost["facing"] if word == "stay" else word
            ghost["scared"] = max(ghost["scared"] - 1, 0)
            met = range(self.turn - 1, self.turn)
        for number in met:
            self.meet(number)
        self.turn = 0 if self.dead or not self.food else (self.turn + 1) % (len(self.ghosts) + 1)

    def meet(self, number: int) -> None:
        ghost = self.ghosts[number]
        if ghost["place"] != self.pacman or self.dead or not self.food:
            return
        if ghost["scared"]:
            self.score += 200
            self.ghosts[number] = {"place": self.homes[number], "facing": "", "scared": 0}
        else:
            self.score -= 500
            self.dead = True


def members(words: tuple[Bits, ...]) -> set[int]:
    return {64 * number + place for number, word in enumerate(words) for place in word}


def seen(game: Pacman, state: Pacman.State) -> dict[str, Any]:
    """A state in the twin's words."""
    places = [divmod(place, game.maze.width) for place in game.maze.places]
    return {
        "food": {places[cell] for cell in members(state.food)},
        "capsules": {places[cell] for cell in members(state.capsules)},
        "cells": [places[cell] for cell in state.cells],
        "scared": list(state.scared[1:]),
        "counts": (state.score, state.step, state.turn, state.eaten),
        "over": game.is_terminal(state),
    }


def seen_naively(twin: Naive) -> dict[str, Any]:
    return {
        "food": twin.food,
        "capsules": twin.capsules,
        "cells": [twin.pacman, *(ghost["place"] for ghost in twin.ghosts)],
        "scared": [ghost["scared"] for ghost in twin.ghosts],
        "counts": (twin.score, twin.step, twin.turn, twin.dead),
        "over": twin.is_over(),
    }


@examples(40)
@given(st.sampled_from(NAMES), st.booleans(), SEEDS)
def test_random_games_go_as_by_the_naive_rules(name: str, stop: bool, seed: int) -> None:
    luck = random.Random(seed)
    game, twin = Pacman(name, ghosts_play="minimax", steps=80, stop=stop), Naive(name, 80, stop)
    state = game.initial()
    lowest, highest = game.worst, game.most
    while not game.is_terminal(state):
        assert seen(game, state) == seen_naively(twin)
        assert game.parse_state(game.format_state(state)) == state
        words = {game.format_action(state, action): action for action in game.legal(state)}
        assert set(words) == twin.actions()
        assert game.to_move(state) == state.turn
        assert lowest < game.evaluate(state, 0) < highest
        brave = [word for word in sorted(words) if state.turn or safe(game, game.result(state, words[word]))]
        word = luck.choice(brave or sorted(words))
        state = game.result(state, words[word])
        twin.move(word)
    assert seen(game, state) == seen_naively(twin)
    assert game.parse_state(game.format_state(state)) == state
    assert lowest <= game.utility(state, 0) == -game.utility(state, 1) <= highest


def safe(game: Pacman, state: Pacman.State) -> bool:
    """Whether no ghost is next to Pac-Man: so games go on for a while."""
    return all(game.distances[state.cells[0]][ghost] > 1 for ghost in state.cells[1:])


def test_there_are_layouts_from_tiny_to_full() -> None:
    games = {name: Pacman(name) for name in NAMES}
    assert len(games) >= 8
    assert (games["tiny"].maze.width, games["tiny"].maze.height, games["tiny"].movers) == (5, 4, 3)
    assert (games["full"].maze.width, games["full"].maze.height, games["full"].movers) == (20, 11, 5)
    assert games["full"].words == 2


@pytest.mark.parametrize("kind", KINDS)
def test_who_plays_and_what_chance_does(kind: str) -> None:
    game = Pacman("hunt", ghosts_play=kind)
    assert game.facts.chance == (kind != "minimax")
    assert game.players == (3 if kind == "minimax" else 1)
    assert [game.team(player) for player in range(3)] == [0, 1, 1]
    state = game.result(game.initial(), 1)
    assert game.to_move(state) == (1 if kind == "minimax" else CHANCE)
    luck = random.Random(1)
    for _ in range(60):
        if game.is_terminal(state):
            break
        if state.turn:
            odds = dict(game.outcomes(state))
            assert list(odds) == list(game.actions(state))
            assert sum(odds.values()) == pytest.approx(1)
        state = game.result(state, luck.choice(list(game.actions(state))))


def test_a_chasing_ghost_comes_near_and_a_scared_one_goes_away() -> None:
    game = Pacman("open", ghosts=1)
    state = game.initial()._replace(turn=1)
    near = {way: game.distances[game.ways[state.cells[1]][way]][state.cells[0]] for way in game.actions(state)}
    assert dict(game.outcomes(state)) == pytest.approx({0: 0.05, 1: 0.05, 2: 0.85, 3: 0.05})
    assert min(near, key=near.__getitem__) == 2
    scared = state._replace(scared=(0, 2))
    assert dict(game.outcomes(scared))[2] == pytest.approx(0.05)
    waiting = state._replace(scared=(0, 1))
    assert dict(game.outcomes(waiting)) == {STAY: pytest.approx(1)}
    assert dict(Pacman("open", ghosts=1, ghosts_play="random").outcomes(state)) == dict.fromkeys(range(4), 0.25)


def test_scoring_step_by_step(tmp_path: Path) -> None:
    maze = tmp_path / "line.txt"
    maze.write_text("########\n#.oPG .#\n########\n")
    game = Pacman(str(maze), ghosts_play="minimax")
    state = game.result(game.initial(), 3)
    assert (state.score, state.scared) == (-1, (0, SCARE))
    state = game.result(state, 3)
    assert (state.cells, state.scared) == ((1, 2), (0, SCARE - 1)), "it may turn towards him"
    state = game.result(state, 1)
    assert (state.score, state.cells, state.scared) == (198, (2, 3), (0, 0)), "eaten, and at home"
    eaten = game.result(state, 3)
    assert (eaten.score, eaten.eaten, game.utility(eaten, 1)) == (-302, True, 302)
    away = game.result(state, 1)
    assert not game.is_terminal(away)


def test_the_last_food_wins_also_where_a_ghost_is(tmp_path: Path) -> None:
    maze = tmp_path / "end.txt"
    maze.write_text("#####\n#P.G#\n#####\n")
    game = Pacman(str(maze), ghosts_play="minimax", steps=1)
    state = game.initial()._replace(cells=(0, 1))
    won = game.result(state, 1)
    assert (won.score, won.eaten, game.is_terminal(won)) == (509, False, True)
    assert game.utility_bounds == (-509, 509)
    assert Pacman(str(maze), steps=1).utility_bounds == (-501, 509)


def test_the_better_evaluation_wants_food_and_no_ghosts() -> None:
    game = Pacman("starve", evaluation="better")
    state = game.initial()
    nearer = state._replace(cells=(state.cells[0] - 1,))
    assert game.evaluate(nearer, 0) > game.evaluate(state, 0)
    assert Pacman("starve", evaluation="score").evaluate(nearer, 0) == 0
    hunted = Pacman("trap")
    start = hunted.initial()
    far, near = (start._replace(cells=(start.cells[0], *ghosts)) for ghosts in ((0, 0), (start.cells[0] + 1, 0)))
    assert hunted.evaluate(near, 0) < hunted.evaluate(far, 0) == -hunted.evaluate(far, 1)
    prey = near._replace(scared=(0, 20, 0))
    assert hunted.evaluate(prey, 0) > hunted.evaluate(far, 0)


@pytest.mark.parametrize(("name", "moves", "score"), [("tiny", 1, -491), ("trap", 10, -437)])
def test_two_ghosts_catch_him_whatever_he_does(name: str, moves: int, score: int) -> None:
    game = Pacman(name, ghosts_play="minimax", evaluation="score")
    assert alphabeta(game, game.initial(), 0, -inf, inf, moves * game.movers, Tally()) == score


def test_names_paths_and_texts_lead_to_the_same_game(tmp_path: Path) -> None:
    copy = tmp_path / "mine.txt"
    copy.write_text((LAYOUTS / "trap.txt").read_text())
    mine, known = load(f"pacman:layout={copy},steps=20"), load("pacman:layout=trap,steps=20")
    assert mine.initial() == known.initial()
    assert repr(load(spec(known))) == repr(known)
    assert load("pacman:layout=full,ghosts=2,ghosts_play=minimax").players == 3
    state = known.result(known.initial(), 1)
    assert known.parse_state(known.format_state(state)) == state
    assert load("pacman:layout=starve").facts.chance is False


LAYOUT_ERRORS = {
    "": "has no Pac-Man: put one P into it",
    "####\n#P.#\n": "line 2 column 2: the border is open there",
    "####\n#..#\n####": "has no Pac-Man: put one P into it",
    "#####\n#P.P#\n#####": "has 2 times Pac-Man: leave one in it",
    "####\n P.#\n####": "line 2 column 1: the border is open there",
    "####\n#P.#\n###": "line 3 has 3 characters and the first 4: make all lines of one length",
    "####\n#Px#\n####": "line 2 column 3: 'x' means nothing there: use # or % (wall), P (Pac-Man)",
    "######\n#P.#.#\n######": "line 2 column 5: the food there can't be reached",
    "######\n#P.#G#\n######": "line 2 column 5: the ghost there can't be reached",
    "######\n#P.#o#\n######": "line 2 column 5: the capsule there can't be reached",
    "####\n#PG#\n####": "has no food: put a . into it",
    "\n\n#####\n#P.x#\n#####\n": "line 4 column 4: 'x' means nothing there",
    "\n#####\n#P. #\n## ##\n": "line 4 column 3: the border is open there",
    "\n\n####\n#P.#\n###\n": "line 5 has 3 characters and the first 4",
    "\n######\n#P.#.#\n######": "line 3 column 5: the food there can't be reached",
    f"{'#' * 403}\n#P{'.' * 400}#\n{'#' * 403}": "has 401 open cells: there may be 400",
}


@pytest.mark.parametrize("text", LAYOUT_ERRORS)
def test_a_bad_layout_is_told_in_a_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "my.txt"
    file.write_text(text)
    with pytest.raises(BadInput) as told:
        Pacman(str(file))
    wanted = LAYOUT_ERRORS[text] if text.strip() else "no Pac-Man"
    assert wanted in str(told.value)
    assert str(told.value).startswith(f"the layout {file}")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"layout": "huge"}, "there is no layout 'huge': use full gamble"),
        ({"layout": "none.txt"}, "the layout none.txt can't be read: No such file"),
        ({"ghosts": 9}, "has 2 ghosts: ghosts can't be 9"),
        ({"ghosts": -1}, "has 2 ghosts: ghosts can't be -1"),
        ({"ghosts_play": "nicely"}, "Pacman needs ghosts_play to be one of minimax, random, chasing, not 'nicely'"),
        ({"evaluation": "best"}, "Pacman needs evaluation to be one of better, score, not 'best'"),
        ({"steps": 0}, "Pacman needs steps from 1 to 10,000, not 0"),
    ],
)
def test_bad_settings_are_told_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as told:
        Pacman(**settings)
    assert sentence in str(told.value)


def test_a_layout_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="can't be read: it is not UTF-8 text"):
        Pacman(str(tmp_path / "bytes.txt"))


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"cells": (99, 0, 0)}, "cells goes from 0 to 37"),
        ({"turn": 3}, "turn goes from 0 to 2"),
        ({"step": 500}, "step goes from 0 to 300"),
        ({"capsules": (Bits(1),)}, "food and capsules lie only where the layout has them"),
        ({"scared": (0, 0, 41)}, "scared goes from 0 to 40"),
        ({"scared": (1, 0, 0)}, "scared begins with 0, for Pac-Man"),
        ({"scared": (0, 0, 7)}, "no ghost is scared before a capsule is eaten"),
        ({"cells": (14, 14, 20)}, "a ghost is in his cell, and neither he is eaten nor the ghost"),
        ({"eaten": True}, "he is eaten by a ghost in his cell that is not scared, while there is food"),
        ({"cells": (14, 14, 20), "eaten": True, "turn": 1}, "turn is 0 at the end"),
        ({"turn": 1}, "step is too low for 0 food and 0 capsules eaten, and turn=1"),
        ({"food": (Bits(2),)}, "step is too low for 28 food"),
        ({"score": 10**9}, "the score is 0 by what is eaten"),
        ({"score": -1}, "the score is 0 by what is eaten"),
        ({"capsules": (Bits(0),), "step": 9}, "the score is -9 191 391 591 791 by what is eaten"),
    ],
)
def test_impossible_positions_are_refused(changed: dict[str, Any], problem: str) -> None:
    game = Pacman("hunt")
    text = game.format_state(game.initial()._replace(**changed))
    with pytest.raises(BadInput) as told:
        game.parse_state(text)
    assert problem in str(told.value)


@examples(60)
@given(st.sampled_from(("tiny", "hunt", "gamble")), SEEDS)
def test_what_is_read_plays_on_within_the_bounds(name: str, seed: int) -> None:
    """Also where it was made up: a state of play with one field that another state had."""
    luck, game = random.Random(seed), Pacman(name, ghosts_play="minimax", steps=60)
    reached = [game.initial()]
    while not game.is_terminal(reached[-1]):
        reached.append(game.result(reached[-1], luck.choice(game.legal(reached[-1]))))
    field = luck.choice(game.State._fields)
    state = luck.choice(reached)._replace(**{field: getattr(luck.choice(reached), field)})
    with contextlib.suppress(BadInput):
        state = game.parse_state(game.format_state(state))
        while not game.is_terminal(state):
            state = game.result(state, luck.choice(game.legal(state)))
        assert game.worst <= game.utility(state, 0) <= game.most


def test_a_ghost_eaten_at_home_is_with_him_until_it_steps(tmp_path: Path) -> None:
    maze = tmp_path / "home.txt"
    maze.write_text("######\n#oPG.#\n######\n")
    game = Pacman(str(maze), ghosts_play="minimax")
    state = game.initial()
    for word in ["west", "east", "east", "stay", "west", "west", "east", "stay", "east"]:
        state = game.result(state, game.parse_action(state, word))
    assert (state.cells, state.scared, state.score, state.eaten) == ((2, 2), (0, 0), 195, False)
    assert game.parse_state(game.format_state(state)) == state


def test_the_board_is_a_maze() -> None:
    game = Pacman("hunt", ghosts=1)
    state = game.initial()._replace(scared=(0, 5), score=12)
    wanted = """
        ╭───────────────────────╮
        │ · · · · · · · · · · · │
        │ · ╭───╴ · ╷ · ╶───╮ · │
        │ ◉ │ ϖ     │       │ ◉ │
        │ · ╰───╴ · ╵ · ╶───╯ · │
        │ · · · · · ᗧ · · · · · │
        ╰───────────────────────╯
        score 12   step 0 of 300   food 29   scared for 5
    """
    assert lines(game.board(state)) == dedent(wanted).strip().splitlines()
    plain = lines(game.board(state), boxes=False)
    assert plain[3] == "# o # g     #       # o #"
    assert all(line.isascii() for line in plain)
    dead = game.board(state._replace(eaten=True))
    assert "✗" in dead.cells
    assert dead.colours.count("red") == 1
