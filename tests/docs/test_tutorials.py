"""The tutorials hold: every step of each is taken as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.tutorials import PAGES, Walk


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_followed(page: Path) -> None:
    walk = Walk(page)
    text = walk.follow()
    assert not walk.wrong, "\n".join(walk.wrong)
    assert text == walk.source
