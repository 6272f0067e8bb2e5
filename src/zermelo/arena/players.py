"""Players of Zermelo's own: the engine with any algorithm, levels that slip, and policies that do not think."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo import native
from zermelo.engine.engine import Engine
from zermelo.engine.levels import LEVELS, slips
from zermelo.engine.options import Options
from zermelo.errors import BadInput, NotNative
from zermelo.montecarlo.options import TreeOptions
from zermelo.position import Position
from zermelo.recast import Facing, Policy
from zermelo.search.iteration import prepare_closing
from zermelo.search.result import Limits
from zermelo.search.suitability import ENGINE, MONTE_CARLO, SAMPLED, STARS, suits, usual_algorithm

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.search.result import Result

SWITCHED = (*ENGINE, *STARS, SAMPLED)
"""The algorithms without simulations that have switches."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player plays, None if he resigns; `value` is how he sees it, in units of his own, if he tells."""

    action: Any
    value: float | None = None
    depth: int = 0
    nodes: int = 0
    comment: str = ""


class Player:
    """Somebody who plays a game.

    `name` is for people, `seconds` what he may take for a move (None for any time). He gives up, where `resign` is
    given, once he has seen himself behind by so much for a few turns, in the units in which he tells values.
    """

    name = "nobody"
    seconds: float | None = None
    resign: float | None = None

    def begin(self, position: Position, seed: int) -> None:
        """A game begins here. What takes time but is no thinking, such as compiling, is done now, off the clock."""

    def choose(self, position: Position) -> Choice:
        """What to play as the player to move; the position is not changed.

        `IllegalAction` where the answer is no move, `ProgramFailed` where there is none; either loses the game.
        """
        raise NotImplementedError

    def close(self) -> None:
        """There is nothing more to play."""


@dataclass(frozen=True)
class Switches:
    """How the engine is to think: an algorithm, limits, settings as texts, the level whose slips it makes, a world."""

    algorithm: str | None = None
    limits: Limits = field(default=Limits(seconds=1.0))
    settings: tuple[str, ...] = ()
    level: int | None = None
    world: str = "auto"


class EnginePlayer(Player):
    """The engine. A new game finds it with nothing in memory, so that the order of games does not matter."""

    def __init__(self, game: Game, switches: Switches, name: str) -> None:
        if switches.algorithm and (refusal := suits(switches.algorithm, game)):
            raise BadInput(refusal)
        self.game, self.switches, self.name = game, switches, name
        self.seconds = switches.limits.seconds
        best = "interpreted" if native.why_interpreted(game) else "native"
        self.world = best if switches.world == "auto" else switches.world
        self.luck = random.Random(0)
        self.simulates = (switches.algorithm or usual_algorithm(Position(game))) in MONTE_CARLO
        self._is_warm = False
        self._engine = self._made(0)

    def _made(self, seed: int) -> Engine:
        settings, algorithm = self.switches.settings, self.switches.algorithm
        if self.simulates:
            tree = TreeOptions.parse(settings, **_seeded(settings, seed), algorithm=algorithm or MONTE_CARLO[0])
            return Engine(self.game, tree=tree, world=self.world)
        if algorithm and algorithm not in SWITCHED and settings:
            raise BadInput(f"{algorithm} has no switches: leave out {settings[0]!r}")
        return Engine(self.game, Options.parse(settings, **_seeded(settings, seed)), world=self.world)

    def begin(self, position: Position, seed: int) -> None:
        if not self._is_warm:
            self._warm(position)
        self._engine, self.luck = self._made(seed), random.Random(seed)

    def _warm(self, position: Position) -> None:
        """Have everything compiled: by a search of one ply or simulation, and for the end of the game."""
        little = Limits(nodes=1) if self.simulates else Limits(depth=1)
        try:
            self._engine.set_position(position)
            self._go(little)
            if self.world == "native":
                prepare_closing(self.game)
        except NotNative:
            if self.switches.world == "native":
                raise
            self.world = "interpreted"
        self._is_warm = True

    def choose(self, position: Position) -> Choice:
        moves = position.moves
        if self.switches.level is not None and slips(self.switches.level, self.luck):
            return Choice(self.luck.choice(moves), comment="a guess")
        self._engine.set_position(position)
        found = self._go(self.switches.limits)
        return Choice(found.action, found.value, found.depth, found.nodes)

    def _go(self, limits: Limits) -> Result:
        algorithm = self.switches.algorithm
        go = self._engine.go(depth=limits.depth, nodes=limits.nodes, seconds=limits.seconds, algorithm=algorithm)
        return go.result()


class PolicyPlayer(Player):
    """Plays by a policy, such as at random; the same seed gives the same play."""

    def __init__(self, game: Game, policy: Policy, name: str) -> None:
        self.name = name
        self.rules = [Facing(game, policy, [player]) for player in range(game.players)]
        self.luck = random.Random(0)

    def begin(self, position: Position, seed: int) -> None:
        self.luck = random.Random(seed)

    def choose(self, position: Position) -> Choice:
        moves, rules = position.moves, self.rules[position.to_move]
        chances = [(action, chance) for action, chance in rules.outcomes(position.state) if action in moves]
        if not any(chance for _, chance in chances):
            return Choice(self.luck.choice(moves))
        return Choice(self.luck.choices([action for action, _ in chances], [chance for _, chance in chances])[0])


def at_level(level: int, game: Game) -> Switches:
    """How a level of `zermelo play` thinks about a game."""
    return Switches(limits=LEVELS[level].limits_for(usual_algorithm(Position(game))), level=level)


def _seeded(settings: tuple[str, ...], seed: int) -> dict[str, int]:
    """The seed of a game, unless the settings have one."""
    return {} if any(setting.partition("=")[0].strip() == "seed" for setting in settings) else {"seed": seed}
