"""Exact results: a search with bounds, a table and the book."""

from plywise.games.connect4.solver.engine import IDEAS, Solver, solver

__all__ = ["IDEAS", "Solver", "solver"]
