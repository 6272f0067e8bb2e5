"""Which algorithm serves which game: refusals in one sentence, and the choice where none is named."""

from __future__ import annotations

from math import isfinite

from zermelo.errors import BadInput, Unsuitable
from zermelo.fields import is_hashable, is_literal
from zermelo.game import Game, overrides
from zermelo.position import Position
from zermelo.recast import Teams, has_teams

ENGINE = ("pvs", "mtdf", "alphabeta-full", "alphabeta-ordered")
"""The algorithms of the engine: principal variation search, MTD(f), whole windows, and the lecture's node ordering."""
MONTE_CARLO = ("uct", "flat")
"""Searches by simulation: a tree grown towards what looks best, and the same number of games for each action."""
MANY = ("maxn", "paranoid", "best-reply")
"""The algorithms for any number of players, and for sums that vary."""
ITERATION = "value-iteration"
"""What serves games whose states come back by chance."""
SAMPLED = "sampled"
"""Minimax of a randomly selected subtree."""
STARS = ("star1", "star2")
"""Expectiminimax with pruning at chance nodes."""
PROOFS = ("threats", "pns")
"""Searches that answer what they have proved: forced wins by threats, and values by proof numbers."""
TEXTBOOK = ("minimax", "negamax", "alphabeta", "alphabeta-table", "expectiminimax", *STARS, SAMPLED, *MANY)
"""The textbook's algorithms."""
ALGORITHMS = (*TEXTBOOK, ITERATION, *PROOFS, *ENGINE, *MONTE_CARLO)
"""The searches, by the names one types: the textbook's, value iteration, those by proof, the engine's, and those by
simulation."""


MOST_STATES = 1e8
"""Above how many states value iteration is not even begun, unless it is asked for."""


def suits(algorithm: str, game: Game) -> str:
    """Empty if `algorithm` is right for `game`; else why not and what would be, in one sentence.

    Where players share payoffs, it is their teams that must suit.
    """
    if algorithm not in ALGORITHMS:
        raise BadInput(f"there is no algorithm {algorithm!r}: use one of {', '.join(ALGORITHMS)}")
    name = algorithm.replace("alphabeta", "alpha-beta")
    game = Teams(game) if has_teams(game) else game
    facts = game.facts
    if algorithm in MANY or algorithm in MONTE_CARLO:
        why = why_hidden(game) or (why_no_reply(game) if algorithm == "best-reply" else "")
    elif why_no_value(game):
        why = why_no_value(game)
    elif algorithm == ITERATION and (game.no_return or (game.repetition and facts.chance)):
        why = f"knows states alone, while {game.title} ends by how often one has occurred: search it with a depth"
    elif algorithm in STARS and why_unbounded(game):
        why = f"{why_unbounded(game)}: declare them, or use expectiminimax"
    elif facts.chance and algorithm not in ("expectiminimax", ITERATION, SAMPLED, *STARS):
        why = f"has no rule for chance, which moves in {game.title}: use expectiminimax"
    elif algorithm in (*ENGINE, *PROOFS) and facts.players != 2:
        why = f"is for two players, {game.title} has one: use minimax"
    elif algorithm in PROOFS:
        why = why_no_proof(algorithm, game)
    elif algorithm == "negamax" and facts.players == 2 and not facts.zero_sum:
        why = f"needs utilities that add up to 0, those of {game.title} add up to {facts.total:g}: use alphabeta"
    else:
        why = ""
    return f"{name} {why}" if why else ""


def default_algorithm(game: Game) -> str:
    """The algorithm for a game where no depth is given; `Unsuitable` where none serves.

    Value iteration where chance brings states back that are not too many, else the search by depth.
    """
    comes_back = game.facts.chance and game.repeats and game.state_count <= MOST_STATES
    known = comes_back and not why_unbounded(game) and is_hashable(game.initial())
    return ITERATION if known and not suits(ITERATION, game) else depth_algorithm(game)


def depth_algorithm(game: Game) -> str:
    """The textbook search for a game; `Unsuitable` where none serves.

    Alpha-beta for two opponents; minimax (plain max) for one player, where alpha-beta has nothing to
    prune; expectiminimax where chance moves as well; maxn for all other games.
    """
    game = Teams(game) if has_teams(game) else game
    if why_hidden(game):
        raise Unsuitable(suits("maxn", game))
    if why_no_value(game):
        return "maxn"
    if game.facts.chance:
        return "expectiminimax"
    return "alphabeta" if game.facts.players == 2 else "minimax"


def usual_algorithm(position: Position, to_a_depth: bool = False) -> str:
    """What serves a game best: a search with a table where states can be told apart, else what the textbook has.

    That is what the game says, else the engine for two opponents without chance, and star2 where chance moves between
    finite bounds.
    """
    own = position.game.usual_algorithm
    if own and not to_a_depth and not suits(own, position.game):
        return own
    chosen = depth_algorithm(position.game) if to_a_depth else default_algorithm(position.game)
    better = {"alphabeta": "pvs", "expectiminimax": "star2"}.get(chosen, chosen)
    return better if has_keys(position) and not suits(better, position.game) else chosen


def why_forgetful(algorithm: str, game: Game) -> str:
    """What an algorithm that knows states alone leaves out of account, as a sentence; empty if nothing."""
    if game.no_return and algorithm not in (*ENGINE, *MONTE_CARLO):
        return f"{algorithm} does not know that no state of {game.title} may come back"
    if game.repetition and algorithm not in (*ENGINE, ITERATION):
        return f"{algorithm} does not know that {game.title} ends where a state comes back"
    return ""


def is_closing(position: Position) -> bool:
    """Whether all states that can follow are to be looked at together, though the game ends where one comes back."""
    game = position.game
    if not game.repetition or position.is_terminal or suits(ITERATION, game) or not is_hashable(position.state):
        return False
    return bool(game.is_closing(position.state))


def has_keys(position: Position) -> bool:
    """Whether states can be told apart in a table, which keeps 64 bits of each."""
    return overrides(position.game, "key") or is_literal(position.state)


def why_no_value(game: Game) -> str:
    """Empty if every state has one minimax value (one player, or two whose utilities have a constant sum,
    who see everything); else the reason, as the rest of a sentence."""
    facts = game.facts
    if facts.players > 2:
        sides = "teams" if isinstance(game, Teams) else "players"
        return why_hidden(game) or f"needs one or two {sides}, {game.title} has {facts.players}: use maxn"
    if facts.players == 2 and facts.total is None:
        return why_hidden(game) or f"needs utilities of constant sum, the sum varies in {game.title}: use maxn"
    return why_hidden(game)


def why_unbounded(game: Game) -> str:
    """Empty if both utility bounds are finite; else the reason, as the rest of a sentence."""
    lowest, highest = game.facts.lowest, game.facts.highest
    if isfinite(lowest) and isfinite(highest):
        return ""
    return f"needs finite utility_bounds, those of {game.title} are {lowest:g} and {highest:g}"


def why_no_proof(algorithm: str, game: Game) -> str:
    """Empty if a search for proofs can serve the game, as far as its ends and repetitions go; else the reason."""
    if why_unbounded(game):
        return f"{why_unbounded(game)}: declare them, or use pvs"
    if game.repetition or (game.repeats and algorithm == "pns"):
        return f"knows states alone, while those of {game.title} come back: use pvs"
    if algorithm == "threats" and not game.has_forcing:
        return f"tries threats alone, and {game.title} has no forcing(state), which gives them: write it, or use pvs"
    return ""


def why_no_reply(game: Game) -> str:
    """Empty if best-reply search can let opponents skip their turns; else the reason, as the rest of a sentence."""
    if game.facts.chance:
        return f"has no rule for chance, which moves in {game.title}: use paranoid"
    if not game.has_skipped:
        return f"skips turns, and {game.title} has no skipped(state), which says how: write it, or use paranoid"
    return ""


def why_hidden(game: Game) -> str:
    """Empty if the players see everything; else the reason, as the rest of a sentence."""
    if game.facts.perfect_information:
        return ""
    return f"needs perfect information, {game.title} hides some: no search of single states serves it"
