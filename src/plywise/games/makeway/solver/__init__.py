"""Exact results: a search that rests on the switching game, on threats and on plans."""

from plywise.games.makeway.solver.engine import GRACE, Questions, Solver

__all__ = ["GRACE", "Questions", "Solver"]
