"""The processes that an agent has started, and those that these have started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from plywise.play.agents.supervisor import family

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")


@pytest.fixture
def parent() -> Iterator[int]:
    """A shell that waits for another one, which waits for a third program."""
    command = ["sh", "-c", "sh -c 'sleep 1000; exit' & wait"]
    started = subprocess.Popen(command, start_new_session=True)
    yield started.pid
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()


def test_a_family_has_the_children_of_children(parent: int) -> None:
    until = time.monotonic() + 60
    while len(found := family(parent)) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert len(found) == 2
    assert family(found[0]) == found[1:], "parents first"
    assert parent not in found
