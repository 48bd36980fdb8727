"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A first call may compile, so no example has a deadline; the same examples on every run.
settings.register_profile("plywise", deadline=None, derandomize=True)
settings.load_profile("plywise")
