"""Games in the terminal: full screen for a person, line by line for a script."""
