"""How a person solves it: techniques, steps in words, grades."""
