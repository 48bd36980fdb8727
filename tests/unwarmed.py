"""The command `plywise`, except that its server compiles nothing in the background.

For tests that start a server: `tests/serving.py` runs this file. What is used still compiles. The
server also keeps few engines that nobody uses: half a gigabyte of them would hide what leaks.
"""

from __future__ import annotations

from plywise.cli import main
from plywise.web.analysis import engine_pool
from plywise.web.app import WarmUp


def stay_cold(self: WarmUp) -> None:
    """In place of `WarmUp.start`."""


if __name__ == "__main__":
    engine_pool.ROOM = 16.0
    WarmUp.start = stay_cold  # type: ignore[method-assign]
    raise SystemExit(main())
