"""A call of an author's function is interrupted if it does not return, and never afterwards."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from plywise.trial.calls import TooSlow, Watch

pytestmark = pytest.mark.skipif(
    sys.gettrace() is not None, reason="Python 3.11 may hang if it is interrupted while traced"
)


def test_a_call_without_an_end_is_interrupted() -> None:
    def for_ever() -> None:
        while True:
            pass

    with pytest.raises(TooSlow), Watch(patience=-1):
        for_ever()


class Late(threading.Event):
    """The watch looks at the clock once more when it is told that all is done."""

    def wait(self, timeout: float | None = None) -> bool:
        super().wait()
        return False


def test_what_has_returned_is_not_interrupted_at_the_last_moment() -> None:
    watch = Watch(patience=-1)
    watch.ended = Late()
    with watch:
        pass
    for _ in range(1000):  # where it would be raised
        pass


def test_an_error_of_the_author_comes_out() -> None:
    watch = Watch(patience=-1)
    watch.ended = Late()
    with pytest.raises(ZeroDivisionError), watch:
        1 / 0  # noqa: B018


def test_a_debugger_works_after_a_trial() -> None:
    """Python 3.11 hangs at the first call that it traces if an interrupt was taken back."""
    program = """
import faulthandler, sys
from plywise.trial.calls import Watch
faulthandler.dump_traceback_later(60, exit=True)
with Watch(patience=1000):
    pass
sys.settrace(lambda *event: None)
(lambda: None)()
"""
    subprocess.run([sys.executable, "-c", program], check=True)
