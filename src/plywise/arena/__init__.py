"""Tournaments: plans, pairings, results that survive anything, standings."""
