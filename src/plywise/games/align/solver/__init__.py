"""Exact results: a table of all that can follow, and alpha-beta above such tables."""

from plywise.games.align.solver.engine import LARGEST, Solver, solver

__all__ = ["LARGEST", "Solver", "solver"]
