"""Exact results: an endgame table of all later positions, and alpha-beta above it."""

from plywise.games.align.solver.engine import LARGEST, Solver, solver

__all__ = ["LARGEST", "Solver", "solver"]
