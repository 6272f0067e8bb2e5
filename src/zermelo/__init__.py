"""Zermelo: adversarial search for any game whose rules are a small plain Python class.

Names are imported when first used, so that `import zermelo` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.bits import Bits, bit
    from zermelo.board import Board, Fields, Grid, Layers, Node, Piles, Pits, Points
    from zermelo.engine.decide import best, decide
    from zermelo.errors import BadInput, GameError, IllegalAction, NotNative, Unsuitable, ZermeloError
    from zermelo.game import CHANCE, Facts, Game
    from zermelo.montecarlo.playouts import playouts
    from zermelo.position import Position
    from zermelo.recast import Facing, Teams
    from zermelo.registry import load
    from zermelo.search.result import Line, Result
    from zermelo.solver.exact import Solution, solve
    from zermelo.tuples import put

__version__ = "0.1.0"

_HOMES = {
    "zermelo.bits": ("Bits", "bit"),
    "zermelo.board": ("Board", "Fields", "Grid", "Layers", "Node", "Piles", "Pits", "Points"),
    "zermelo.errors": ("BadInput", "GameError", "IllegalAction", "NotNative", "Unsuitable", "ZermeloError"),
    "zermelo.game": ("CHANCE", "Facts", "Game"),
    "zermelo.montecarlo.playouts": ("playouts",),
    "zermelo.position": ("Position",),
    "zermelo.recast": ("Facing", "Teams"),
    "zermelo.registry": ("load",),
    "zermelo.engine.decide": ("best", "decide"),
    "zermelo.search.result": ("Line", "Result"),
    "zermelo.solver.exact": ("Solution", "solve"),
    "zermelo.tuples": ("put",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "BadInput",
    "Bits",
    "Board",
    "Facing",
    "Facts",
    "Fields",
    "Game",
    "GameError",
    "Grid",
    "IllegalAction",
    "Layers",
    "Line",
    "Node",
    "NotNative",
    "Piles",
    "Pits",
    "Points",
    "Position",
    "Result",
    "Solution",
    "Teams",
    "Unsuitable",
    "ZermeloError",
    "best",
    "bit",
    "decide",
    "load",
    "playouts",
    "put",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
