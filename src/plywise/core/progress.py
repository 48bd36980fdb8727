"""The progress of long work in a notebook: a bar below the cell, as long as the cell runs.

Nothing is shown elsewhere: commands have bars of their own. A thread draws the bar, so the work
need not report anything, and only after a moment, so that short work shows nothing.
"""

from __future__ import annotations

import contextvars
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from typing import Any
from uuid import uuid4

#: (text, steps=1): the bar moves by these steps and shows the text.
Advance = Callable[..., None]

SOON = 0.5  #: seconds before a bar is shown
TICK = 0.25  #: seconds between two changes of it
_STYLE = "display:flex;gap:0.8em;align-items:center;font-variant-numeric:tabular-nums"


def in_notebook() -> bool:
    """Return True if the code runs in the kernel of a notebook."""
    ipython = sys.modules.get("IPython")  # it is imported already, if there is a kernel
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Advance]:
    """Show a bar in a notebook; yields a function that advances it and sets its text.

    Without a total it only says how long the work has taken. Work that is part of other work, or
    that runs in a thread beside the cell, has no bar.
    """
    main = threading.current_thread() is threading.main_thread()
    if _Bar.shown or not main or not in_notebook():
        yield lambda text, steps=1: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.end()


class _Bar:
    """One bar and the thread that draws it."""

    shown = False  #: is there one now?

    def __init__(self, what: str, total: int | None) -> None:
        self.text = what
        self.total = total
        self.done = 0
        self.name = f"plywise-{uuid4().hex}"
        self.visible = False
        self.started = time.monotonic()
        self.ended = threading.Event()
        # A kernel finds the cell that is running by its context.
        run = contextvars.copy_context().run
        self.thread = threading.Thread(target=lambda: run(self._draw), daemon=True)
        _Bar.shown = True
        self.thread.start()

    def advance(self, text: str, steps: int = 1) -> None:
        """Move the bar and change its text."""
        self.text, self.done = text, self.done + steps

    def end(self) -> None:
        """Remove the bar."""
        self.ended.set()
        self.thread.join()
        _Bar.shown = False

    def _draw(self) -> None:
        wait = SOON
        with suppress(Exception):  # the work goes on, whatever happens to its bar
            while not self.ended.wait(wait):
                wait = TICK
                self._show(self._html(), self._words())
            if self.visible:
                self._show("", "")

    def _words(self) -> str:
        seconds = time.monotonic() - self.started
        count = "" if self.total is None else f"{self.done} of {self.total}, "
        return f"{count}{seconds:.0f} s  {self.text}"

    def _html(self) -> str:
        share = "" if self.total is None else f' value="{self.done}" max="{self.total}"'
        return f'<div style="{_STYLE}"><progress{share}></progress>{escape(self._words())}</div>'

    def _show(self, html: str, text: str) -> None:
        from IPython import display  # type: ignore[import-not-found, unused-ignore]

        shown: Any = display.display
        data = {"text/html": html, "text/plain": text}
        shown(data, raw=True, display_id=self.name, update=self.visible)
        self.visible = True
