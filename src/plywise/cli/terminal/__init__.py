"""A game in the terminal: on the whole screen for a person, line by line for a script."""
