"""Matrix games by linear programming: SciPy's HiGHS, in floats.

The row player's problem: the greatest v such that some mix x gets at least v against each column. The dual prices of
the columns are the column player's mix. Payoffs are first brought to the range from 0 to 1, so that one tolerance
fits all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import Unsuitable

if TYPE_CHECKING:
    from zermelo.matrix.payoffs import Matrix

NEAR = 1e-9
"""What counts as equal, in payoffs from 0 to 1."""

APART = 1e-6
"""How far another optimal mix must be off to be told from rounding."""

CLOSE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""How closely HiGHS must meet its conditions; 1e-10 is the least it takes."""


class Plan(NamedTuple):
    """The row player's optimal mix, the value it makes sure of, and the column player's optimal mix."""

    value: float
    row: tuple[float, ...]
    column: tuple[float, ...]


def solve_linear(matrix: Matrix) -> Plan:
    """The value of a matrix and a pair of optimal mixes, each to within rounding."""
    import numpy as np

    entries = _scaled(matrix)
    height, width = entries.shape
    found = _solve(
        np.append(np.zeros(height), -1.0),
        np.hstack([-entries.T, np.ones((width, 1))]),
        np.zeros(width),
        np.append(np.ones(height), 0.0).reshape(1, -1),
    )
    if found is None:
        raise Unsuitable(f"linear programming found no answer for {matrix.title}: solve it exactly (--exact)")
    value = float(matrix.lowest) + float(found.x[-1]) * float(matrix.highest - matrix.lowest)
    return Plan(value, _mix(found.x[:-1]), _mix(-found.ineqlin.marginals))


def other_mix(matrix: Matrix, mix: Sequence[float]) -> tuple[float, ...] | None:
    """An optimal mix of the row player other than `mix`, an optimal one; None where rounding shows no other.

    Rounding may also show one that is not optimal: hold it against the value.

    Of all optimal mixes it takes the one with most on what is 0 in `mix`: the rows not played, the columns not
    exceeded. Where nothing is to be had, any other mix would use the same rows and meet the same columns, and there is
    one only if these equations leave a choice.
    """
    import numpy as np

    entries, own = _scaled(matrix), np.array(mix)
    height = len(own)
    gains = own @ entries
    value = gains.min()
    tight, played = gains <= value + NEAR * 10, own > NEAR
    goal = np.where(played, 0.0, 1.0) + entries[:, tight].sum(axis=1)
    found = _solve(-goal, -entries.T, np.full(entries.shape[1], -value), np.ones((1, height)))
    if found is None:
        return None
    if float(goal @ (found.x - own)) > APART:
        return _mix(found.x)
    equations = np.vstack([entries[played][:, tight].T - value, np.ones((1, played.sum()))])
    if np.linalg.matrix_rank(equations, tol=APART) == played.sum():
        return None
    return _mix(_along(equations, own, played))


def _along(equations: Any, own: Any, played: Any) -> Any:
    """A mix on the same rows that meets the same equations, as far from `own` as no row needs less than nothing."""
    import numpy as np

    way = np.linalg.svd(equations)[2][-1]
    step = min(-share / part for share, part in zip(own[played], way, strict=True) if part < -NEAR)
    other = own.copy()
    other[played] += step * way
    return other


def _scaled(matrix: Matrix) -> Any:
    """The payoffs as floats from 0 to 1."""
    import numpy as np

    low, spread = matrix.lowest, (matrix.highest - matrix.lowest) or 1
    return np.array([[float((payoff - low) / spread) for payoff in row] for row in matrix.payoffs])


def _mix(shares: Any) -> tuple[float, ...]:
    """Shares as probabilities: none below 0, and their sum 1."""
    kept = [float(share) if share > NEAR else 0.0 for share in shares]
    return tuple(share / sum(kept) for share in kept)


def _solve(goal: Any, above: Any, limits: Any, whole: Any) -> Any:
    """The least `goal`·x with `above`·x ≤ `limits` and `whole`·x = 1; None where rounding finds none.

    All x are 0 or more but those that `whole` leaves out, which are free.
    """
    from scipy.optimize import linprog

    bounds = [(0 if counts else None, None) for counts in whole[0]]
    found = linprog(goal, above, limits, whole, [1.0], bounds=bounds, method="highs-ds", options=CLOSE)
    return found if found.status == 0 else None
