"""Mutants: small changes of the logic, each of which some test has to notice."""
