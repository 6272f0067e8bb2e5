"""The worlds in lock-step: what native rules say must be what the interpreted ones say, state by state."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import isclose
from typing import Any

from zermelo import native
from zermelo.bits import Bits
from zermelo.check.kernels import (
    KNOWLEDGE,
    PARTS,
    VALUES,
    knowledge_kernel,
    nth_action_kernel,
    nth_result_kernel,
    playout_kernel,
    view_kernel,
)
from zermelo.check.report import Report
from zermelo.check.witness import ANY, NATIVE, Broken, Witness
from zermelo.errors import NotNative
from zermelo.fields import format_value, hash_fields
from zermelo.game import overrides
from zermelo.guard import told

CURE = (
    "one cause may be that native whole numbers have 64 bits and wrap around (keep them smaller, or use Bits), "
    "docs/worlds.md names others, and what is none of them please report, with the game"
)


Before = tuple[Any, Any, Bits, Bits]
"""The first state, the state to go on from, and the states of the random numbers and of the digest."""


class Worlds:
    """Compares the native world of a game with the interpreted one. `native` says whether there is one, `agree` that
    nothing in it was found to be different."""

    def __init__(self, witness: Witness, report: Report, initial: Any) -> None:
        self.witness, self.game, self.report, self.initial = witness, witness.game, report, initial
        self.native = self.agree = False
        self.knows = any(overrides(self.game, method) for method in KNOWLEDGE)

    def compile(self) -> None:
        """Make the native code; the report says why where that can't be."""
        start = time.monotonic()
        try:
            native.prepare(view_kernel, self.game, self.initial)
            if self.knows:
                native.prepare(knowledge_kernel, self.game, self.initial, 0)
            native.prepare(playout_kernel, self.game, *self.playout_from(self.initial, 0), 1)
        except NotNative as error:
            self.report.worlds = f"interpreted only: {error}"
            return
        except Exception as error:
            self.report.worlds = "interpreted only: the compiler failed"
            cure = "this is a fault of Zermelo's, so please report it, with the game"
            self.witness.note(NATIVE, "compiler", f"can't be compiled ({told(error)})", cure)
            return
        self.native = self.agree = True
        self.report.worlds = "interpreted, native"
        self.report.speed.compile_seconds = round(time.monotonic() - start, 2)

    def playout_from(self, state: Any, seed: int) -> Before:
        """The arguments of a playout, but for the plies; the random numbers must not start at 0."""
        return self.initial, state, hash_fields(seed) | 1, Bits(0)

    def compare_views(self, states: list[Any], seconds: float) -> None:
        """Each of these states, seen from both worlds, as long as the seconds last."""
        until = time.monotonic() + seconds
        for state in states:
            if time.monotonic() > until:
                return
            plain = self.witness.run(ANY, state, view_kernel, self.game, state)
            self.compare_view(state, plain, self.natively(state, view_kernel, state))
            self.compare_knowledge(state)
            self.report.compared_states += 1

    def compare_view(self, state: Any, plain: tuple[Any, ...], other: tuple[Any, ...]) -> None:
        """Name the first method in which two views of a state differ."""
        for place, (one, two) in enumerate(zip(plain, other, strict=True)):
            if one == two:
                continue
            if place == VALUES:
                self.compare_values(state, one, two)
            elif PARTS[place] in ("actions", "outcomes") and place != 4:
                self.differ_in(PARTS[place], nth_action_kernel, state, max(plain[2], other[2]), "as")
            elif PARTS[place] == "result":
                self.differ_in("result", nth_result_kernel, state, plain[2], "for")
            else:
                self.differ(PARTS[place], f"gives {two!r} native but {one!r} interpreted", state)
            return

    def compare_values(self, state: Any, plain: tuple[float, ...], other: tuple[float, ...]) -> None:
        """Values may differ only in the last digits of an estimate, and that is told."""
        method = "utility" if self.witness.ask("is_terminal", state) else "evaluate"
        for player, (one, two) in enumerate(zip(plain, other, strict=True)):
            what = f"gives player {player} {two!r} native but {one!r} interpreted"
            if one != two and method == "evaluate" and isclose(one, two, rel_tol=1e-12, abs_tol=1e-12):
                cure = "sums of floats and functions of math may round differently, so use whole numbers if it matters"
                self.witness.note(method, "rounding", what, cure, state, "warning")
            elif one != two:
                self.differ(method, what, state)

    def compare_knowledge(self, state: Any) -> None:
        """Name the methods in which the worlds know different things of a state; floats may differ in last digits."""
        blamed = any(self.witness.blames(method) for method in KNOWLEDGE)
        if not self.knows or blamed or self.witness.ask("is_terminal", state):
            return
        for player in range(self.game.players):
            plain = self.witness.run(ANY, state, knowledge_kernel, self.game, state, player)
            other = self.natively(state, knowledge_kernel, state, player)
            for method, one, two in zip(KNOWLEDGE, plain, other, strict=True):
                if isinstance(one, Bits) and one != two:
                    self.differ(method, "gives other things native than interpreted", state)
                elif not isinstance(one, Bits) and not isclose(one, two, rel_tol=1e-12, abs_tol=1e-12):
                    self.differ(method, f"gives player {player} {two!r} native but {one!r} interpreted", state)

    def differ_in(self, method: str, kernel: Callable[..., Any], state: Any, count: int, role: str) -> None:
        """Say which of the actions, or of their results, is another one."""
        for number in range(count):
            one = self.outcome(kernel, self.game, state, number)
            two = self.outcome(native.call, kernel, self.game, state, number)
            if one != two:
                place = f"{role} action {number + 1} of {count},"
                self.differ(method, f"gives {two} native but {one} interpreted {place}", state)
                return
        self.differ(method, "gives other things native than interpreted", state)

    def outcome(self, function: Callable[..., Any], *arguments: Any) -> str:
        """What a kernel gives, or that it gives nothing, as words."""
        try:
            found = function(*arguments)
        except IndexError:
            return "nothing"
        return format_value(found)

    def differ(self, method: str, what: str, state: Any) -> None:
        self.agree = False
        self.witness.note(method, "worlds", what, CURE, state)

    def compare_playouts(self, plies: int, seed: int, seconds: float, chunk: int) -> None:
        """Random play in both worlds with the same random numbers, compared after each chunk of plies."""
        until = time.monotonic() + seconds
        before = self.playout_from(self.initial, seed)
        while self.report.compared_plies < plies and time.monotonic() < until:
            plain = self.witness.run(ANY, before[1], playout_kernel, self.game, *before, chunk)
            if not self.plays_alike(before, plain, chunk):
                self.compare_views([self.last_agreed(before, chunk)], seconds)
                break
            self.report.compared_plies += chunk
            before = self.initial, *plain[:3]

    def plays_alike(self, before: Before, plain: tuple[Any, ...], plies: int) -> bool:
        """Whether native play comes to the same as the interpreted play did."""
        other = self.natively(before[1], playout_kernel, *before, plies)
        return tuple(other[0]) == tuple(plain[0]) and tuple(other[1:]) == tuple(plain[1:])

    def last_agreed(self, before: Before, chunk: int) -> Any:
        """The last state that both worlds come to before they part, by halving."""
        low, high = 0, chunk
        while high - low > 1:
            middle = (low + high) // 2
            plain = playout_kernel(self.game, *before, middle)
            low, high = (middle, high) if self.plays_alike(before, plain, middle) else (low, middle)
        return playout_kernel(self.game, *before, low)[0]

    def natively(self, state: Any, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """What native code gives; `Broken` if it raises or does not end, which is put to `state`."""
        answer: list[Any] = []

        def work() -> None:
            try:
                answer.append(native.call(kernel, self.game, *arguments))
            except BaseException as error:
                answer.append(error)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(self.witness.patience)
        if not answer:
            what = f"did not end within {self.witness.patience:g} seconds, but interpreted it does,"
        elif isinstance(answer[0], BaseException):
            what = f"raises {told(answer[0])}, but interpreted it does not,"
        else:
            return answer[0]
        self.differ(NATIVE, what, state)
        raise Broken
