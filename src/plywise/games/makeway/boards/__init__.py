"""Where a board comes from: by lot, in a word, or out of a file."""
