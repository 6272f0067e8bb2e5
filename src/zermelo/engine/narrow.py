"""A search of some of the actions that are legal in a position, as if the others were not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.engine.machine import Machine
from zermelo.position import Position

if TYPE_CHECKING:
    from zermelo.engine.options import Options
    from zermelo.engine.table import Table


class Narrow(Position):
    """A position in which only some of the legal actions may be taken."""

    def __init__(self, position: Position, only: tuple[Any, ...]) -> None:
        super().__init__(position.game, position.states[0])
        self._states, self._actions = list(position.states), list(position.history)
        self.only = only

    @property
    def moves(self) -> list[Any]:
        """Those of the legal actions that are looked at."""
        return [action for action in super().moves if action in self.only]

    @property
    def barred(self) -> list[Any]:
        """Those that are not."""
        return [action for action in super().moves if action not in self.only]


class NarrowMachine(Machine):
    """Leaves out, at the root, what a position bars; lines that go on from there are searched in full."""

    def __init__(self, position: Narrow, options: Options, *, natively: bool, table: Table | None = None) -> None:
        super().__init__(position.game, options, natively=natively, table=table)
        self._barred = position.barred
        self.exclude([])

    def exclude(self, actions: list[Any]) -> None:
        """Leave some more actions out at the root from now on."""
        super().exclude([*self._barred, *actions])

    def stand_at(self, states: tuple[Any, ...]) -> None:
        """Go on from the last of these states, which is beyond the root."""
        self._barred = []
        self.exclude([])
        super().stand_at(states)
