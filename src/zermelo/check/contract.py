"""The six methods of every game, and `outcomes`: what they must give in every state that can be reached."""

from __future__ import annotations

from math import fsum, inf, isclose, isfinite, isnan
from numbers import Integral
from typing import Any

from zermelo.check.shapes import misfit, stretched
from zermelo.check.witness import NOWHERE, Witness
from zermelo.fields import kind_of
from zermelo.game import CHANCE, overrides

CLOSE = 1e-9
"""How far sums of utilities and probabilities may be off."""


def check_declarations(witness: Witness) -> None:
    """What the game says of itself: players, bounds, names."""
    game = witness.game
    if not isinstance(game.players, int) or game.players < 1:
        witness.refuse("players", "kind", f"is {game.players!r}", "give a whole number from 1 up")
    bounds = game.utility_bounds
    if not isinstance(bounds, tuple) or len(bounds) != 2 or not all(map(is_number, bounds)) or bounds[0] > bounds[1]:
        cure = "give the lowest and the highest utility, as in (-1, 1)"
        witness.refuse("utility_bounds", "kind", f"is {bounds!r}", cure)
    if game.utility_sum is not None and not (is_number(game.utility_sum) and isfinite(game.utility_sum)):
        witness.refuse("utility_sum", "kind", f"is {game.utility_sum!r}", "give a number, or None where the sum varies")
    names = game.player_names
    if names and (len(names) != game.players or len(set(names)) != len(names)):
        cure = f"give {game.players} different names, or none"
        witness.note("player_names", "count", f"is {names!r} for {game.players} players", cure)
    if game.win_words and (len(game.win_words) != 2 or not all(isinstance(word, str) for word in game.win_words)):
        witness.note("win_words", "kind", f"is {game.win_words!r}", 'give two texts, as in ("mate", "mated"), or none')
    check_attributes(witness)
    for player in range(game.players):
        check_team(witness, player)


def check_attributes(witness: Witness) -> None:
    """What the game says it knows, where that is no method."""
    game = witness.game
    if type(game.repetition) is not int or game.repetition < 0 or game.repetition == 1:
        cure = "give how many times a state occurs until the game ends, from 2 up, or 0 if that ends nothing"
        witness.note("repetition", "kind", f"is {game.repetition!r}", cure)
    elif game.repetition and not game.repeats:
        what = f"is {game.repetition}, though repeats is false and so no state ever comes back"
        witness.note("repetition", "repeats", what, "set repeats = True, or leave repetition out")
    if game.no_return and not game.repeats:
        what = "is true, though repeats is false and so no state ever comes back"
        witness.note("no_return", "repeats", what, "set repeats = True, or leave no_return out")
    if not is_number(game.margin) or not 0 <= game.margin < inf:
        witness.note("margin", "kind", f"is {game.margin!r}", "give about how much a quiet action changes evaluate")
    if game.has_gain and not game.margin:
        what = "is 0, though gain has the engine search selectively"
        witness.note("margin", "zero", what, "give about how much a quiet action changes evaluate")
    if not is_number(game.swing) or game.swing < 0:
        witness.note("swing", "kind", f"is {game.swing!r}", "give the most that one action can change the evaluation")
    weights, names = game.weights, game.feature_names
    if not isinstance(weights, tuple) or not all(is_number(weight) and isfinite(weight) for weight in weights):
        witness.note("weights", "kind", f"is {weights!r}", "give a tuple of finite numbers")
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        witness.note("feature_names", "kind", f"is {names!r}", "give a tuple of texts, as in ('material', 'mobility')")


def check_initial(witness: Witness) -> Any:
    """The first state, which must be the same each time."""
    state = witness.ask("initial")
    if state is None:
        witness.refuse("initial", "kind", "gives None", "return the first state")
    witness.meet(state)
    again = witness.ask("initial")
    if not witness.same(state, again):
        cure = "start the same each time, and let dice be rolled at a CHANCE turn"
        witness.refuse("initial", "varies", f"gives {state!r}, and asked again {again!r}", cure)
    found = misfit(state, state)
    if found:
        witness.refuse("initial", "kind", f"gives {found}", "keep whole numbers within 64 bits, or use Bits")
    return state


def check_terminal(witness: Witness, state: Any) -> bool:
    """Whether a state is terminal; whose turn it is must be known even there."""
    terminal = witness.ask_twice("is_terminal", state)
    if not isinstance(terminal, bool):
        cure = "give True or False, with bool(…) around it if need be"
        witness.refuse("is_terminal", "kind", f"gives {terminal!r}, {kind_of(terminal)},", cure, state)
    return terminal


def check_mover(witness: Witness, state: Any) -> int:
    """Who is to move."""
    players = witness.game.players
    mover = witness.ask_twice("to_move", state)
    if not isinstance(mover, int) or isinstance(mover, bool) or mover not in range(CHANCE, players):
        kind = "" if type(mover) is int else f", {kind_of(mover)},"
        allowed = "give 0" if players == 1 else f"players are numbered, so give an int from 0 to {players - 1}"
        witness.refuse("to_move", "range", f"gives {mover!r}{kind}", f"{allowed}, or CHANCE", state)
    return mover


def check_moves(witness: Witness, state: Any, mover: int) -> list[Any]:
    """All that may happen next: the actions, or at a chance turn the outcomes."""
    if mover == CHANCE:
        return check_outcomes(witness, state)
    actions: list[Any] = witness.ask_twice("actions", state)
    check_distinct(witness, "actions", state, actions)
    return actions


def check_outcomes(witness: Witness, state: Any) -> list[Any]:
    """What chance may do, with probabilities that add up to 1."""
    if not overrides(witness.game, "outcomes"):
        cure = "write outcomes(state), which gives (action, probability) pairs at a CHANCE turn"
        witness.refuse("outcomes", "missing", "is not written, but to_move gives CHANCE", cure, state)
    pairs: list[Any] = witness.ask_twice("outcomes", state)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], int | float):
            cure = "give pairs of an action and its probability"
            witness.refuse("outcomes", "kind", f"gives {pair!r}", cure, state)
        if not 0 < pair[1] <= 1:
            cure = "probabilities are more than 0 and at most 1, and what can't happen is left out"
            witness.note("outcomes", "probability", f"gives {pair[0]!r} the probability {pair[1]!r}", cure, state)
    actions = [action for action, _ in pairs]
    check_distinct(witness, "outcomes", state, actions)
    total = fsum(probability for _, probability in pairs)
    if not isnan(total) and not isclose(total, 1, rel_tol=0, abs_tol=CLOSE):
        what = f"gives probabilities that add up to {total:.12g}"
        witness.note("outcomes", "sum", what, "they must add up to 1", state)
    return actions


def check_distinct(witness: Witness, method: str, state: Any, actions: list[Any]) -> None:
    """There is at least one action, all can be kept in tables, and none comes twice."""
    if not actions:
        cure = "give an action there, or let is_terminal be true"
        witness.refuse(method, "nothing", "gives nothing, though is_terminal is false,", cure, state)
    seen = set()
    for action in actions:
        try:
            twice = action in seen
            seen.add(action)
        except TypeError:
            what = f"gives {action!r}, {kind_of(action)} that can't be kept in a table,"
            witness.refuse(method, "unhashable", what, "use numbers or tuples of numbers as actions", state)
        if twice:
            witness.note(method, "duplicate", f"gives {action!r} twice", "give each action once", state)


def check_result(witness: Witness, state: Any, action: Any, initial: Any) -> Any:
    """The state after an action, of the same kind as the first state."""
    child = witness.ask_twice("result", state, action)
    if child is None:
        cure = "return the state after the action"
        witness.refuse("result", "kind", f"gives None for action {action!r}", cure, state)
    found = misfit(child, initial)
    if found:
        cure = "give a state like the first, each field of one kind and whole numbers within 64 bits (else use Bits)"
        witness.refuse("result", "kind", f"gives, for action {action!r}, {found},", cure, state)
    field = stretched(child, initial)
    if field:
        what = f"gives, for action {action!r}, a state whose field {field} has another length than in initial,"
        cure = "keep it as long as it is, with a number for nothing, for the game to run native"
        witness.note("result", "length", what, cure, state, "warning")
    return child


def check_utilities(witness: Witness, state: Any) -> tuple[float, ...]:
    """What an end is worth to each player: finite, within the bounds, of the sum that is declared."""
    game = witness.game
    worths = tuple(witness.ask_twice("utility", state, player) for player in range(game.players))
    low, high = game.utility_bounds
    for player, worth in enumerate(worths):
        check_number(witness, "utility", worth, player, state)
        if not low <= worth <= high:
            what = f"gives player {player} {worth!r}, outside utility_bounds {game.utility_bounds!r},"
            witness.note("utility", "bounds", what, "widen utility_bounds, or mend utility", state)
        elif game.win_words and worth not in (low, game.even_share, high):
            what = f"are for games in which all wins are worth the same, but utility gives player {player} {worth!r}"
            witness.note(
                "win_words", "worth", what, "leave them out, or let utility_bounds be what ends are worth", state
            )
    shared = check_teams(witness, state, worths)
    found, total = fsum(shared), game.facts.total
    if total is not None and not isclose(found, total, abs_tol=CLOSE):
        once = ", each team counted once, and" if len(shared) < len(worths) else ","
        what = f"gives {', '.join(map(repr, worths))}, which add up to {found:.12g}{once} not to {total:g},"
        cure = f"mend it, or set utility_sum = {found:.12g}, or None if the sum varies"
        witness.note("utility", "sum", what, cure, state)
    return worths


def check_teams(witness: Witness, state: Any, worths: tuple[float, ...]) -> tuple[float, ...]:
    """Players of one team share one payoff; what each team gets."""
    if not overrides(witness.game, "team"):
        return worths
    payoffs: dict[int, float] = {}
    for player, worth in enumerate(worths):
        team = check_team(witness, player)
        if payoffs.setdefault(team, worth) != worth:
            cure = "give all players of a team the same, or mend team"
            witness.note("utility", "team", f"gives members of team {team!r} different things", cure, state)
    return tuple(payoffs.values())


def check_team(witness: Witness, player: int) -> int:
    """The team of a player, a whole number and the same each time."""
    team, again = (witness.ask("team", player) for _ in range(2))
    if not isinstance(team, Integral):
        cure = "give a whole number, the same to all players of a team"
        witness.refuse("team", "kind", f"gives player {player} {team!r}, {kind_of(team)}", cure)
    if team != again:
        what = f"gives player {player} {team}, and asked again {again}"
        witness.refuse("team", "varies", what, "let it depend on the player alone")
    return int(team)


def check_number(witness: Witness, method: str, value: Any, player: int, state: Any = NOWHERE) -> None:
    """A method must give a finite number."""
    if not is_number(value) or not isfinite(value):
        witness.refuse(method, "number", f"gives player {player} {value!r}", "give a finite number", state)


def is_number(value: Any) -> bool:
    """Whether a value is a number as Python counts: an int or a float, and not one of nan."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value
