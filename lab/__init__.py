"""What only a checkout has: the papers measured again, and the makers of books and data.

papers/   what `plywise report` compares: a module for each game that a paper is about, and the
          measuring in `papers/report/`
results/  what reports and benchmarks printed: the figures that the documentation quotes
making/   `plywise GAME book` and the like: programs that made the files which the package ships

The lab imports plywise; plywise never imports the lab, and works without it. The commands are found
by the entry points in `lab/pyproject.toml`.
"""
