"""What all tests share: settings of hypothesis, checks at the end, their order, a hurried clock."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.commands import file, run  # noqa: F401 - fixtures
from tests.leftovers import Leftovers
from tests.resuming import Resuming
from tests.skipping import Skipping
from tests.timing import Stopwatch, Timing

# A first call may compile, so no example has a deadline; the same examples on every run.
settings.register_profile("plywise", deadline=None, derandomize=True)
settings.load_profile("plywise")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options for `make stress`, `make long` and `make times`."""
    group = parser.getgroup("plywise")
    group.addoption("--shuffle", metavar="SEED", help="run the tests in a random order")
    group.addoption(
        "--hurry",
        metavar="FACTOR",
        type=float,
        default=1.0,
        help="searches in this process get their time divided by this, as on a slow machine",
    )
    group.addoption("--resume", metavar="FOLDER", type=Path, help="leave out what has passed")
    group.addoption("--times", metavar="FILE", type=Path, help="write what each file took")


def pytest_configure(config: pytest.Config) -> None:
    """Add what the options ask for, and have Ctrl-C heard.

    What a shell starts in the background ignores it, and so would all processes started here.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if folder := config.getoption("--resume"):
        config.pluginmanager.register(Resuming(config, folder))
    if times := config.getoption("--times"):
        config.pluginmanager.register(Stopwatch())
    if hasattr(config, "workerinput"):
        return  # what follows is for the main process, which hears from all workers
    config.pluginmanager.register(Skipping())
    config.pluginmanager.register(Leftovers())
    if times:
        config.pluginmanager.register(Timing(times))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle folders, files in a folder and tests in a file; what shares a server stays together.

    Every worker of pytest-xdist does the same, since they have the same seed.
    """
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    rng = random.Random(seed)
    ranks: dict[Path, float] = {}

    def key(item: pytest.Item) -> tuple[float, float, float]:
        folder = ranks.setdefault(item.path.parent, rng.random())
        return folder, ranks.setdefault(item.path, rng.random()), rng.random()

    items.sort(key=key)


@pytest.fixture(autouse=True, scope="session")
def hurried(request: pytest.FixtureRequest) -> Iterator[None]:
    """`--hurry 20`: a search that is given a second has a twentieth of it."""
    factor = request.config.getoption("--hurry")
    if factor == 1.0:
        yield
        return
    from plywise.engines.driver import Run

    plain = Run.__init__

    def init(self: Run, limits: Any, *more: Any, **named: Any) -> None:
        if limits.time is not None:
            limits = replace(limits, time=limits.time / factor)
        plain(self, limits, *more, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "__init__", init)
        yield
