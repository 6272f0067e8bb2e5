"""One search by simulations: interpreted while they are few, then native, until a limit, a proof or `stop`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo import native
from zermelo.engine.thought import Listener, Thought
from zermelo.errors import NotNative
from zermelo.montecarlo.grove import Grove
from zermelo.montecarlo.nodes import ROOT
from zermelo.search.result import Limits, Result
from zermelo.search.suitability import why_forgetful, why_no_value

if TYPE_CHECKING:
    from zermelo.montecarlo.options import TreeOptions
    from zermelo.position import Position

TRIAL = 100
"""Simulations made interpreted before native code is made."""
TRIAL_SECONDS = 0.1
"""How long they may take."""
CHUNK = 0.02
"""Seconds that one call of the kernel should take."""
MOST = 1 << 24
"""Batches of simulations that one call is asked for at most."""
FIRST_NEWS = 0.1
"""Seconds until the first news; each time after takes twice as long."""
USUAL_SECONDS = 5.0
"""How long to think where no limit is given."""


class Simulating(Thought):
    """Simulations from a position; `limits.nodes` is how many. `grove` is a native tree to go on with."""

    def __init__(
        self,
        position: Position,
        options: TreeOptions,
        limits: Limits,
        lines: int = 1,
        world: str = "auto",
        listen: Listener | None = None,
        grove: Grove | None = None,
        finish: Listener | None = None,
    ) -> None:
        super().__init__(finish)
        self.position, self.options, self.lines = position, options, lines
        self.world, self.listen, self.grove = world, listen, grove
        unlimited = limits.nodes is None and limits.seconds is None and limits.enough is None
        self.limits = replace(limits, seconds=USUAL_SECONDS) if unlimited else limits
        self.note = ""
        self._now: Grove | None = None

    def halt(self) -> None:
        if self._now is not None:
            self._now.stop()

    @property
    def is_native(self) -> bool:
        return self._now is not None and self._now.native

    def think(self) -> Result:
        began = time.monotonic()
        if self.position.is_terminal:
            return self._at_end()
        if self.world == "interpreted":
            return self._simulate(Grove(self.position.game, self.options, natively=False), self.limits, 0.0)
        trial: Result | None = None
        if self.world == "auto":
            trial, is_over = self._trial()
            if is_over:
                return trial
            self.note = native.why_interpreted(self.position.game)
        spent = trial.seconds if trial is not None else 0.0
        try:
            if not self.note:
                return self._natively(began, spent, trial)
        except NotNative as error:
            if self.world == "native":
                raise
            self.note = f"{self.position.game.title} runs interpreted: {error}"
        return self._simulate(Grove(self.position.game, self.options, natively=False), self.limits, spent)

    def _trial(self) -> tuple[Result, bool]:
        """A few interpreted simulations, and whether they are all that is asked for."""
        most = min(TRIAL, self.limits.nodes or TRIAL)
        wait = min(TRIAL_SECONDS, self.limits.seconds or TRIAL_SECONDS)
        grove = Grove(self.position.game, replace(self.options, threads=1), natively=False)
        found = self._simulate(grove, Limits(nodes=most, seconds=wait), 0.0, quiet=True)
        out = found.nodes == self.limits.nodes or wait == self.limits.seconds
        return found, self._stopped or grove.is_proved or out

    def _natively(self, began: float, spent: float, trial: Result | None) -> Result:
        grove = self.grove or Grove(self.position.game, self.options, natively=True)
        timed = self.limits.enough is not None

        def is_late() -> bool:
            return timed and self.limits.seconds is not None and time.monotonic() - began >= self.limits.seconds

        if not self.compiled(lambda: grove.prepare(self.position.state), is_late):
            return trial if trial is not None else self._trial()[0]
        return self._simulate(grove, self.limits, time.monotonic() - began if timed else spent)

    def _simulate(self, grove: Grove, limits: Limits, spent: float, quiet: bool = False) -> Result:
        """Simulations in one world, until a limit."""
        started = time.monotonic() - spent
        grove.resume()
        grove.stand_at(self.position)
        with self._lock:
            self._now = grove
            if self._stopped:
                grove.stop()
        news, chunk = FIRST_NEWS, 1
        while True:
            begun, left = time.monotonic(), chunk * grove.batch
            if limits.nodes is not None:
                left = min(left, limits.nodes - grove.simulations)
            grove.simulate(left)
            now = time.monotonic()
            chunk = max(1, min(2 * chunk, MOST, int(chunk * CHUNK / max(now - begun, 1e-6))))
            over = self._is_over(grove, limits, now - started)
            if over or (now - started >= news and self.listen is not None and not quiet):
                rate = grove.simulations / max(now - started - spent, 1e-9)
                found = replace(self._result(grove, now - started), rate=rate)
                if over:
                    return found
                news = max(2 * news, FIRST_NEWS + now - started)
                if self.listen is not None:
                    self.listen(found)

    def _is_over(self, grove: Grove, limits: Limits, spent: float) -> bool:
        times = [limit for limit in (limits.seconds, limits.enough) if limit is not None]
        enough = limits.nodes is not None and grove.simulations >= limits.nodes
        return self._stopped or grove.is_proved or enough or (bool(times) and spent >= min(times))

    def _result(self, grove: Grove, seconds: float) -> Result:
        lines = () if self.position.is_chance else tuple(grove.lines())
        values, forgets = grove.means(), why_forgetful(self.options.algorithm, self.position.game)
        found = Result(
            action=None,
            value=grove.bounds(ROOT, 0)[0] if grove.is_proved else values[0],
            kind="exact" if grove.is_proved else "estimate",
            line=(),
            depth=grove.depth,
            nodes=grove.simulations,
            seconds=seconds,
            algorithm=self.options.algorithm,
            world="native" if grove.native else "interpreted",
            values=values if why_no_value(self.position.game) else (),
            note="; ".join(filter(None, (self.note or grove.note, forgets))),
            table=grove.used,
        )
        if not lines:
            return found if self.position.is_chance else self._guess(found)
        best = lines[0]
        values = best.values or found.values
        shown = lines[: self.lines]
        answer = {"action": best.action, "value": best.value, "kind": best.kind, "line": best.actions}
        return replace(found, **answer, values=values, lines=shown)

    def _guess(self, found: Result) -> Result:
        """What to answer if not even one simulation could be made: the first action, and the evaluation."""
        action, mover = self.position.moves[0], self.position.to_move
        value = float(self.position.game.evaluate(self.position.state, mover))
        return replace(found, action=action, value=value, line=(action,), values=())

    def _at_end(self) -> Result:
        values = tuple(float(value) for value in self.position.utilities)
        mover = max(self.position.game.to_move(self.position.state), 0)
        return Result(None, values[mover], "exact", (), 0, 0, 0.0, self.options.algorithm, "interpreted", values)
