"""Exact results: a search with bounds, a transposition table and the opening book."""

from plywise.games.connect4.solver.engine import IDEAS, Solver, solver

__all__ = ["IDEAS", "Solver", "solver"]
