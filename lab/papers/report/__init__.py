"""A report on agents: a round robin, the time they take, and a comparison of searches.

A game with a paper has a plan in `lab/papers`; any other plan or list of agents works too.
"""

from lab.papers.report.measuring import measure, plan_of, prepare
from lab.papers.report.results import Report

__all__ = ["Report", "measure", "plan_of", "prepare"]
