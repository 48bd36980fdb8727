"""The one place that knows numba.

`@rule` marks a plain function that also compiles; `@kernel` marks a factory that closes over
rules and returns a loop, compiled on its first call and kept on disk for the next process.
numba itself is imported when the first kernel is built, never before.
"""

from plywise.jit.kernels import kernel as kernel
from plywise.jit.kernels import on_compile, rule

__all__ = ["kernel", "on_compile", "rule"]
