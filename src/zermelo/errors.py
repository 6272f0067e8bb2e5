"""The errors Zermelo raises: each is one sentence for the person who can act on it.

Every face turns a `ZermeloError` into its sentence and exit code 2; anything else is a bug of ours.
"""


class ZermeloError(Exception):
    """Base of all errors a user can cause and cure; `str(error)` is the whole message."""


class BadInput(ZermeloError):
    """Text from outside (a name, a parameter, a move, a state, a file) that can't be understood."""


class IllegalAction(BadInput):
    """An action that the rules don't allow in this state."""


class GameError(ZermeloError):
    """A game breaks the contract: the message names the method, the state and the cure."""


class OutOfBounds(GameError):
    """A pruned search met utilities that the game had ruled out, on which its cuts rest."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "a pruned search met an end whose utilities lie outside utility_bounds, or don't add up to utility_sum: "
            "run zermelo check on the game to see where"
        )


class EvaluationOutOfBounds(OutOfBounds):
    """A search whose proofs rest on the utility bounds met an evaluation outside them."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message or "evaluate gives a value outside utility_bounds, which hold for every end: keep it inside them"
        )


class BadPolicy(GameError):
    """A policy gives weights that are no probabilities."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "the policy gives a weight that is negative or no finite number, or none above 0, for the actions of a "
            "state: give each action a weight of 0 or more, and at least one more than 0"
        )


class BadOdds(GameError):
    """A search met a turn of chance whose probabilities are none; callers say where."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "the probabilities that outcomes gives are negative or don't add up to 1 at some turn of chance: run "
            "zermelo check on the game to see where"
        )


class Unsuitable(ZermeloError):
    """An algorithm can't serve this game: the message says why, and which one would."""


class Unsolved(Unsuitable):
    """Limits were reached before a position was solved."""


class NotNative(ZermeloError):
    """A game can't be compiled; it still works interpreted.

    `detail` holds the compiler's own words, shown only with `--verbose`.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


class NoDevice(ZermeloError):
    """There is no GPU to run on, or it can't do what is asked; the CPU can."""


class ProgramFailed(ZermeloError):
    """An external program died, hangs, floods its reader, or says what nobody can use; it has been ended."""


class OutOfTime(ProgramFailed):
    """An external program did not answer in time; it has been ended."""


class LimitReached(Exception):
    """A search used up its nodes or was told to stop. Never shown: the caller keeps what it has."""


class Uneven(Exception):
    """A pruned search met an evaluation on which it can't rest its cuts. Callers search without cuts instead."""


class TooDeep(Exception):
    """A search went below the deepest ply it may reach. Callers turn it into an `Unsuitable`."""
