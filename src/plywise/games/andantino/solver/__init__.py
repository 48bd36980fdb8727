"""Exact results: forced wins, by the book, the shortest, or by proof numbers."""

from plywise.games.andantino.solver.engine import Solver, solver

__all__ = ["Solver", "solver"]
