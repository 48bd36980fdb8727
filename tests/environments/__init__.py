"""Which versions of Python and of other packages plywise works with: the matrix, lock and audit."""
