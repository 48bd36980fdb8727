"""The complete search: a solution, and the proof that there is no other."""
