"""Is a game well made? Its contract, the agreement of its worlds, its claims, its counts and its speed."""

from zermelo.check.examine import check_game
from zermelo.check.report import Counts, Finding, Report, Speed

__all__ = ["Counts", "Finding", "Report", "Speed", "check_game"]
