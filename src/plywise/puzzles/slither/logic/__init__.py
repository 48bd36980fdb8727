"""Solving as a person does: techniques, explained steps, grades."""
