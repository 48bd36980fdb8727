"""Which tests run when: a sample in `make test`, the whole set in `make long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each `every`-th, beginning with the first, runs in `make test`.

    The others are marked `long`. Nothing is lost: `make long` runs what `make test` leaves out.
    """
    return [case if number % every == 0 else _long(case) for number, case in enumerate(cases)]


def _long(case: Any) -> Any:
    if hasattr(case, "marks"):
        return pytest.param(*case.values, marks=(*case.marks, pytest.mark.long), id=case.id)
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)
