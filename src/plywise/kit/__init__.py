"""Building blocks for authors of games and puzzles.

grid      boards as text: `a1` cells, position texts, drawings
lines     lines of k cells, and their names
bits      sets of cells in one word, hashes
drawing   Scenes: shapes, targets, boards of squares
canvas    nets of lines in plain text
words     numbers and lists in words
puzzle    the parts of a PuzzleType
duels     games between agents, for the tables of a report
"""
