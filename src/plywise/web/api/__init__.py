"""What plain requests get: games, positions, puzzles, and the pages of the catalogue."""
