"""What authors of games and puzzles build with.

grid      boards in text: `a1` cells, position texts, drawings
lines     rows of k cells, and what is said about them
bits      sets of cells in one word, hashes
drawing   Scenes: shapes, targets, boards of squares
canvas    nets of lines in plain text
words     numbers and lists in words
puzzle    what a PuzzleType is described with
"""
