"""What new puzzles are made with: published statistics to match, and the choice of clues."""
