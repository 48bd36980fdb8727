"""A report on agents: a round robin, the time they take, and a comparison of searches.

A game may define a plan (`GameType.report`); any other list of agents works too.
"""

from plywise.play.report.measuring import measure, plan_of, prepare
from plywise.play.report.results import Report

__all__ = ["Report", "measure", "plan_of", "prepare"]
