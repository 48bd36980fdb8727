"""Benchmarks for every claim about speed, against other packages: `python -m bench`."""
