"""The HTTP API: the catalogue, positions, games and puzzles."""
