"""The table of limits in the documentation says what the server does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from plywise.web.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "web.md"
#: What is not a limit, or depends on the machine.
OTHERS = {
    "arenas",
    "embedders",
    "host",
    "metrics",
    "names",
    "proxies",
    "token",
    "warm_up",
    "workers",
}


def test_the_documentation_has_every_limit() -> None:
    alone, public = Settings(), Settings.public("0.0.0.0")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\S+) \| (\S+) \|$", PAGE.read_text(), re.MULTILINE)
    found = {name: (float(a.replace(",", "")), float(b.replace(",", ""))) for name, a, b in rows}
    assert found == {
        field.name: (float(getattr(alone, field.name)), float(getattr(public, field.name)))
        for field in fields(Settings)
        if field.name not in OTHERS
    }
