"""Every search, node for node, against what is kept: see `tests/signature.py`."""

from __future__ import annotations

import pytest

from tests.signature import GAMES, golden, signature


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*GAMES, "slither"])
def test_every_search_is_the_same_node_for_node(spec: str) -> None:
    kept = [line for line in golden() if line.startswith(f"{spec} ")]
    assert kept
    assert list(signature(f"{spec} ")) == kept
