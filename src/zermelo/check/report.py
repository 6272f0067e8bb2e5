"""What a check tells: findings, counts, speed and a verdict, all of it plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning"]
"""error: something will go wrong, or already has. warning: it may be meant so, but is worth a look."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the method to blame, a short word for what it is, and a sentence with the cure.

    `state` is the text of the first state it was seen in, empty where no state matters; `times` how often it was seen.
    """

    method: str
    about: str
    severity: Severity
    state: str
    sentence: str
    times: int = 1


@dataclass(slots=True)
class Counts:
    """What random play met. Lengths are in plies, of games that came to an end; None where none did.

    `merged_states` had a key that another state has too. `key_spread` is how well the keys fill a search's table:
    1 is as random numbers do, 0 is all in one place; None where there are too few to tell.
    `ends_with_actions` were terminal and yet had actions, which is allowed: nobody asks for them there.
    `solved_positions` are those whose exact value was found to test claims by; `claims` says for each method in how
    many of them what it claims could be tested.
    `perft` counts the ways to play 1, 2, … plies.
    """

    plies: int = 0
    games: int = 0
    unfinished_games: int = 0
    states: int = 0
    inspected_states: int = 0
    terminal_states: int = 0
    ends_with_actions: int = 0
    chance_states: int = 0
    shortest_game: int | None = None
    longest_game: int | None = None
    average_actions: float = 0.0
    most_actions: int = 0
    players_seen: list[int] = field(default_factory=list)
    utilities: list[list[float]] = field(default_factory=list)
    different_utilities: int = 0
    keys: int = 0
    merged_states: int = 0
    key_spread: float | None = None
    solved_positions: int = 0
    claims: dict[str, int] = field(default_factory=dict)
    perft: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Speed:
    """Figures of this run; None where nothing was measured. Compiling is quick where code was kept on disk."""

    interpreted_plies_per_second: float | None = None
    native_plies_per_second: float | None = None
    native_leaves_per_second: float | None = None
    compile_seconds: float | None = None


@dataclass(slots=True)
class Report:
    """Whether a game is well made. `worlds` names the worlds that were compared, or says why there is one only;
    `claims` says which claims hold in how many positions, or why they could not be tested."""

    game: str
    title: str
    seed: int
    findings: list[Finding] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    speed: Speed = field(default_factory=Speed)
    worlds: str = ""
    claims: str = ""
    compared_states: int = 0
    compared_plies: int = 0
    seconds: float = 0.0

    @property
    def errors(self) -> list[Finding]:
        """What must be mended."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """What is worth a look."""
        return [finding for finding in self.findings if finding.severity == "warning"]

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not self.errors

    @property
    def verdict(self) -> str:
        """The whole report in one sentence."""
        seen = f"{many(self.counts.plies, 'ply', 'plies')} of random play in {many(self.counts.games, 'game')}"
        warned = many(len(self.warnings), "warning")
        if self.errors:
            also = f" and {warned}" if self.warnings else ""
            return f"{self.title} is not well made: {many(len(self.errors), 'error')}{also} in {seen}"
        if self.warnings:
            return f"{self.title} works, with {warned}, in {seen}"
        return f"{self.title} is well made: nothing wrong in {seen}"

    def as_dict(self) -> dict[str, Any]:
        """Everything as JSON has it, the verdict included."""
        return {**asdict(self), "passed": self.passed, "verdict": self.verdict}


def many(number: int, one: str, more: str = "") -> str:
    """So many of something."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"
