"""JSON that is written in parts is the same as if it were written at once."""

from __future__ import annotations

from typing import Any

import pytest

from plywise.web.api.schemas import plain_json
from plywise.web.live.open_game import joined, members


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"moves": []},
        {"title": 'Zug um Zug: "a1"', "players": [{"you": True}, None], "clock": 0.5},
        {'a "name" with quotes': {"in": {"it": "é"}}},
    ],
)
def test_an_object_that_is_joined(data: dict[str, Any]) -> None:
    assert joined(members(data)) == plain_json(data)
    assert joined({**members(data), "inside": joined(members(data))}) == plain_json(
        {**data, "inside": data}
    )
