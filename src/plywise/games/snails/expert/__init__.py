"""The expert: its book, proofs, its own search, and exact filling at the end."""

from plywise.games.snails.expert.engine import EXPERT, Expert

__all__ = ["EXPERT", "Expert"]
