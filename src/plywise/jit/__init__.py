"""The only package that uses numba.

`@rule` marks a plain function that also compiles; `@kernel` marks a factory that closes over
rules and returns a loop, compiled on its first call and cached on disk for the next process.
numba itself is not imported before the first kernel is built.
"""

from plywise.jit.kernels import guarded, on_compile, rule
from plywise.jit.kernels import kernel as kernel

__all__ = ["guarded", "kernel", "on_compile", "rule"]
