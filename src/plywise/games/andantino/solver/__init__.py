"""Exact results: forced wins from the book, the shortest ones, or by proof numbers."""

from plywise.games.andantino.solver.engine import Solver, solver

__all__ = ["Solver", "solver"]
