"""Exact results: a search that rests on the switching game, on threats and on plans."""

from plywise.games.makeway.solver.engine import GRACE, Solver, Task, solver

__all__ = ["GRACE", "Solver", "Task", "solver"]
