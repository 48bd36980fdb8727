"""What only a checkout has: the papers measured again, and the makers of books and data.

papers/   what `plywise report` compares: a module for each game that a paper is about, the
          measuring in `papers/report/`, and what full runs printed in `papers/results/`
making/   `plywise GAME book` and the like: programs that made the files which the package ships

The lab imports plywise; plywise never imports the lab, and works without it. The commands are found
by the entry points in `lab/pyproject.toml`.
"""
