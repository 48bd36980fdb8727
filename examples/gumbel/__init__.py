"""Gumbel AlphaZero for any game: see `docs/gumbel.md`."""
