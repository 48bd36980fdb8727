"""Where a board comes from: random, in one word, or from a file."""
