"""Asking a game's methods safely: whatever they do, it ends, and what is wrong becomes a finding."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from zermelo.check.report import Finding, Severity
from zermelo.errors import GameError, LimitReached, TooDeep
from zermelo.fields import kind_of, why_not_plain
from zermelo.game import MOST_ACTIONS, REQUIRED, Game, overrides
from zermelo.guard import told, within

GENERATORS = {
    "actions": "actions",
    "outcomes": "(action, probability) pairs",
    "forcing": "actions",
    "noisy": "actions",
    "passed": "states",
    "plausible": "actions",
    "symmetries": "states",
}
"""Methods that give many things, by yielding them or in a list, and what the things are."""

STATELESS = ("initial", "team", "split_moves")
"""Methods that are not asked about a state."""

RULES = (*REQUIRED, "outcomes")
"""Methods without which nothing can be played."""

LOOPS = "the time is up"
ANY = "rules"
"""The method to put a failure to where many are run; the error's own place tells which it was."""

NATIVE = "native"
"""Stands for a method in findings about native code as a whole."""

NOWHERE = object()
"""The state of a finding that has none."""


class Broken(Exception):
    """This state, or what was asked of it, can't be followed further; the finding is noted already."""


class Stop(Exception):
    """Nothing more can be learnt from this game; the finding is noted already."""


class Witness:
    """Asks one game and notes what it finds. `broken` says that the rules themselves failed at some point."""

    def __init__(self, game: Game, patience: float) -> None:
        self.game, self.patience = game, patience
        self.broken = False
        self.frozen = False
        self.comparable = True
        self.endless: set[str] = set()
        self.files = set().union(*map(_sources, type(game).__mro__)) - _sources(Game)
        self._findings: dict[tuple[str, str], Finding] = {}

    @property
    def findings(self) -> list[Finding]:
        """What was found, errors first, else in the order of finding."""
        return sorted(self._findings.values(), key=lambda finding: finding.severity)

    def note(
        self,
        method: str,
        about: str,
        what: str,
        cure: str,
        state: Any = NOWHERE,
        severity: Severity = "error",
        placed: bool = False,
    ) -> None:
        """Note a finding; the same fault of the same method is counted, not told again.

        The sentence ends with the state and the cure; `placed` says that `what` names the state already.
        """
        known = self._findings.get((method, about))
        if known is not None:
            self._findings[method, about] = Finding(
                method, about, known.severity, known.state, known.sentence, known.times + 1
            )
            return
        where = "" if state is NOWHERE or placed else f" in {self.described(state)}"
        who = f"{self.game.title} run native" if method == NATIVE else f"{self.game.title}.{method}"
        sentence = f"{who} {what}{where}: {cure}"
        text = "" if state is NOWHERE else self.text(state)
        self._findings[method, about] = Finding(method, about, severity, text, sentence)

    def blames(self, method: str) -> bool:
        """Whether something was found in a method already."""
        return any(blamed == method for blamed, _ in self._findings)

    def refuse(self, method: str, about: str, what: str, cure: str, state: Any = NOWHERE) -> NoReturn:
        """Note an error that makes it pointless to go on from here."""
        self.note(method, about, what, cure, state)
        self.broken = self.broken or method in RULES
        raise Broken

    def ask(self, method: str, *arguments: Any) -> Any:
        """What a method gives; what it yields as a list. An error or an endless loop is noted, and is `Broken`."""

        def answer() -> Any:
            found = getattr(self.game, method)(*arguments)
            many = method in GENERATORS and isinstance(found, Iterable) and not isinstance(found, str | set | frozenset)
            return list(islice(found, MOST_ACTIONS + 1)) if many else found

        state = NOWHERE if method in STATELESS else arguments[0]
        found = self.run(method, state, answer)
        if method not in GENERATORS:
            return found
        things = GENERATORS[method]
        if isinstance(found, set | frozenset):
            cure = "the order of a set may change from run to run, so return sorted(…)"
            self.refuse(method, "set", f"gives {kind_of(found)}", cure, state)
        if not isinstance(found, list):
            cure = f"yield {things} one by one, or return a list of them"
            self.refuse(method, "kind", f"gives {found!r}, {kind_of(found)},", cure, state)
        if len(found) > MOST_ACTIONS:
            cure = "it seems to loop for ever, so let it come to an end"
            self.refuse(method, "endless", f"gives more than {MOST_ACTIONS:,} {things}", cure, state)
        return found

    def run(self, method: str, state: Any, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function gives, within the time one call may take; a failure is put to `method` in `state`."""
        if method in self.endless:
            raise Broken
        try:
            return within(self.patience, LOOPS, function, *arguments)
        except (Broken, Stop, LimitReached, TooDeep):
            raise
        except Exception as error:
            self._failed(method, error, state)

    def ask_twice(self, method: str, state: Any, *arguments: Any) -> Any:
        """What a method gives; notes if it gives something else the next time, or changes the state."""
        before = self.snapshot(state)
        first = self.ask(method, state, *arguments)
        second = self.ask(method, state, *arguments)
        if not self.unchanged(state, before):
            self.refuse(method, "mutates", "changes the state it is given", "work on a copy of it", before)
        if not self.same(first, second):
            what = f"gives {short(first)}, and asked again {short(second)},"
            cure = "a rule gives one answer to one question, so let it depend on the state alone, not on chance"
            self.refuse(method, "varies", what, cure, state)
        return first

    def snapshot(self, state: Any) -> Any:
        """A copy of a state, the state itself where it can't change."""
        if self.frozen:
            return state
        copied = state
        with suppress(Exception):
            copied = copy.deepcopy(state)
        return copied

    def unchanged(self, state: Any, before: Any) -> bool:
        """Whether a state is still what its snapshot says."""
        return self.frozen or not self.comparable or self.same(state, before)

    def same(self, first: Any, second: Any) -> bool:
        """Whether two answers are equal and of one kind; states that know no equality are taken to be."""
        if type(first) is not type(second):
            return False
        if first is second or not self.comparable:
            return True
        try:
            return bool(first == second) or ("nan" in repr(first) and repr(first) == repr(second))
        except Exception:
            return repr(first) == repr(second)

    def meet(self, initial: Any) -> None:
        """Learn from the first state whether states can change, and whether they can be compared."""
        self.frozen = not why_not_plain(initial)
        self.comparable = self.frozen or self.same(initial, self.snapshot(initial))
        if not self.comparable:
            cure = "give its class a method __eq__, or make it a NamedTuple"
            self.note("initial", "equality", "gives a state that does not equal its own copy", cure, severity="warning")

    def described(self, state: Any) -> str:
        """A state in a sentence."""
        return f"state {self.text(state)!r}"

    def text(self, state: Any) -> str:
        """A state as the game writes it, as Python does where the game can't; never long."""
        found = ""
        with suppress(Exception):
            found = within(min(1.0, self.patience), LOOPS, self.game.format_state, state)
        return short(found, bare=True) if found and isinstance(found, str) else short(state)

    def blamed(self, error: BaseException, otherwise: str) -> tuple[str, str]:
        """The method that an error came from, and the file and line as part of a sentence."""
        method, place, inside = otherwise, "", False
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.files:
                method = method if inside else code.co_name
                place = f" ({Path(code.co_filename).name} line {trace.tb_lineno})"
            inside = code.co_filename in self.files
            trace = trace.tb_next
        return method, place

    def _failed(self, method: str, error: Exception, state: Any) -> NoReturn:
        """Note that a method raised or took too long."""
        expired = isinstance(error, GameError) and str(error) == LOOPS
        cause = error.__context__ if expired and error.__context__ is not None else error
        found, place = self.blamed(cause, method)
        method = found if method == ANY else method
        self.broken = self.broken or method in RULES
        if expired:
            what = f"did not end within {self.patience:g} seconds{place}"
            self.note(method, "endless", what, "it seems to loop for ever, so let it come to an end", state)
            self.endless.add(method)
            self.broken = True
            raise (Stop if method in RULES else Broken) from None
        what = f"raises {told(error)}{place}"
        self.note(method, "raises", what, self._cure(method, error), state)
        raise Broken from None

    def _cure(self, method: str, error: Exception) -> str:
        if isinstance(error, NotImplementedError):
            return "write the method"
        if method in STATELESS:
            return "it must always have an answer"
        if method in ("key", "canonical_key") and not overrides(self.game, "key"):
            return "write key(state), for the default key is for states made of Python's own kinds"
        return f"{method} must have an answer for every state that can be reached"


def _sources(kind: type) -> set[str]:
    """The files in which the methods of a class stand."""
    return {item.__code__.co_filename for item in vars(kind).values() if inspect.isfunction(item)}


def short(value: Any, bare: bool = False, most: int = 300) -> str:
    """A value as Python writes it, or a text as it is where it is `bare`, cut where it is long; never raises."""
    try:
        text = value if bare else repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= most else text[: most - 1] + "…"
