"""Players as texts: `zermelo:algorithm=uct,seconds=2`, `alphabeta:depth=4`, `random`, `uci:stockfish:UCI_Elo=2200`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from zermelo.arena.external import MARGIN, GtpPlayer, UciPlayer
from zermelo.arena.players import EnginePlayer, Player, PolicyPlayer, Switches, at_level
from zermelo.engine.levels import parse_level
from zermelo.errors import BadInput
from zermelo.game import Game
from zermelo.recast import POLICIES
from zermelo.registry import load_function
from zermelo.search.result import Limits
from zermelo.search.suitability import ALGORITHMS

ENGINE_NAME = "zermelo"
OWN = ("seconds", "depth", "nodes", "simulations", "resign")
"""What every player that thinks may be told; simulations are nodes."""
WORLDS = ("auto", "interpreted", "native")
KINDS = (
    "zermelo (or an algorithm), level:N, random, greedy, FILE.py:function, uci:COMMAND or gtp:COMMAND, with settings "
    "behind a colon: zermelo:algorithm=uct,seconds=2"
)
SETTING = r"\s*[A-Za-z][\w .-]*=[^,=]*"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a text says of a player: which kind, what of that kind, and settings by name."""

    text: str
    kind: str
    body: str
    settings: tuple[tuple[str, str], ...]
    limits: Limits
    resign: float | None = None
    margin: float = MARGIN

    def make(self, game: Game) -> Player:
        """The player, ready to play this game."""
        player = self._made(game)
        player.resign = self.resign
        return player

    def _made(self, game: Game) -> Player:
        if self.kind == "uci":
            return UciPlayer(game, self.body, self.limits, dict(self.settings), self.margin)
        if self.kind == "gtp":
            return GtpPlayer(game, self.body, self.limits, self.margin, timed=dict(self.settings).get("time") != "no")
        if self.kind == "policy":
            return PolicyPlayer(game, POLICIES.get(self.body) or load_function(self.body), self.text)
        if self.kind == "level":
            return EnginePlayer(game, at_level(parse_level(self.body), game), self.text)
        named = dict(self.settings)
        world = named.pop("world", "auto")
        settings = tuple(f"{name}={value}" for name, value in named.items())
        return EnginePlayer(game, Switches(self.body or None, self.limits, settings, world=world), self.text)


def parse_player(text: str, usual: Limits, margin: float = MARGIN) -> Recipe:
    """The player that a text names; `usual` are his limits where the text has none. `BadInput` if it names none."""
    kind, _, rest = text.strip().partition(":")
    if kind in ("uci", "gtp"):
        command, settings = _split_command(rest)
        if not command.strip():
            raise BadInput(f"{text!r} names no program: write {kind}:COMMAND, such as {kind}:{_example(kind)}")
        return _limited(Recipe(text, kind, command, tuple(settings), usual, margin=margin))
    if kind == "level":
        return Recipe(text, "level", str(parse_level(rest.strip())), (), usual)
    if text.strip() in POLICIES or re.fullmatch(r".+?\.py:[A-Za-z_]\w*", text.strip()):
        return Recipe(text, "policy", text.strip(), (), usual)
    if kind != ENGINE_NAME and kind not in ALGORITHMS:
        raise BadInput(f"there is no player {text!r}: give {KINDS}")
    return _engine(Recipe(text, "engine", "" if kind == ENGINE_NAME else kind, tuple(_pairs(text, rest)), usual))


def _example(kind: str) -> str:
    return "stockfish" if kind == "uci" else "gnugo --mode gtp"


def _engine(recipe: Recipe) -> Recipe:
    """The recipe with its algorithm and limits taken out of the settings; the others are for the engine to judge."""
    recipe = _limited(recipe)
    named = dict(recipe.settings)
    if "algorithm" in named and recipe.body:
        raise BadInput(f"{recipe.text!r} names two algorithms: leave one out")
    algorithm = named.pop("algorithm", recipe.body)
    if algorithm and algorithm not in ALGORITHMS:
        raise BadInput(f"there is no algorithm {algorithm!r}: use one of {', '.join(ALGORITHMS)}")
    if named.get("world", "auto") not in WORLDS:
        raise BadInput(f"world is {', '.join(WORLDS)}, not {named['world']!r}")
    return replace(recipe, body=algorithm, settings=tuple(named.items()))


def _limited(recipe: Recipe) -> Recipe:
    """The recipe with what all players know taken out of the settings; limits of its own replace all the usual ones."""
    named = dict(recipe.settings)
    own = {name: named.pop(name) for name in OWN if name in named}
    resign = _number(own.pop("resign"), "resign") if "resign" in own else None
    limits = recipe.limits
    if own:
        seconds = _number(own["seconds"], "seconds") if "seconds" in own else None
        nodes = own.get("nodes", own.get("simulations"))
        limits = Limits(_whole(own.get("depth"), "depth"), _whole(nodes, "nodes"), seconds)
    return replace(recipe, settings=tuple(named.items()), limits=limits, resign=resign)


def _split_command(text: str) -> tuple[str, list[tuple[str, str]]]:
    """A command, and the settings behind its last colon; a colon inside quotes belongs to the command."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", lambda quoted: "\0" * len(quoted[0]), text)
    found = re.search(rf":({SETTING}(?:,{SETTING})*)$", bare)
    if found is None or "\0" in found[1]:
        return text, []
    return text[: found.start()], _pairs(text, text[found.start(1) :])


def _pairs(player: str, text: str) -> list[tuple[str, str]]:
    """Settings such as `depth=4,killers=no`, each given once."""
    pieces: Sequence[str] = text.split(",") if text.strip() else ()
    found: dict[str, str] = {}
    for piece in pieces:
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not name:
            raise BadInput(f"{player!r} has a setting {piece.strip()!r} without a value: write name=value")
        if name in found:
            raise BadInput(f"{player!r} gives {name} twice")
        found[name] = value
    return list(found.items())


def _number(text: str, name: str) -> float:
    """A number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and value > 0):
        raise BadInput(f"{name} must be a number above 0, not {text!r}")
    return value


def _whole(text: str | None, name: str) -> int | None:
    """A whole number from 1, if there is any."""
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,18}", text) or int(text) < 1:
        raise BadInput(f"{name} must be a whole number from 1, not {text!r}")
    return int(text)
