"""What the papers say, measured again: each game's module has the plan of its report, `REPORT`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def plan_for(name: str) -> Any:
    """Return what the report on a game or puzzle compares; None if no paper is about it."""
    if name not in {module.name for module in iter_modules(__path__)}:
        return None
    return getattr(import_module(f"{__name__}.{name}"), "REPORT", None)
