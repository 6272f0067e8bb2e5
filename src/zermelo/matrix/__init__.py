"""Matrix games: what to do when both choose at once, and the best strategy is a mixture."""

from zermelo.matrix.dominance import Dominated, Elimination, dominated, eliminate
from zermelo.matrix.library import blotto, load_matrix, matching_pennies, morra, rock_paper_scissors
from zermelo.matrix.payoffs import Matrix, Responses
from zermelo.matrix.reading import parse_matrix, read_matrix, write_matrix
from zermelo.matrix.solution import MatrixSolution, Proof, prove, solve_matrix
from zermelo.matrix.strategic import StrategicForm, strategic_form

__all__ = [
    "Dominated",
    "Elimination",
    "Matrix",
    "MatrixSolution",
    "Proof",
    "Responses",
    "StrategicForm",
    "blotto",
    "dominated",
    "eliminate",
    "load_matrix",
    "matching_pennies",
    "morra",
    "parse_matrix",
    "prove",
    "read_matrix",
    "rock_paper_scissors",
    "solve_matrix",
    "strategic_form",
    "write_matrix",
]
