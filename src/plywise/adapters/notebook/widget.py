"""The widget: passes messages between the page of a notebook and a `Backend`."""

from __future__ import annotations

from typing import Any

import anywidget

from plywise.adapters.notebook.assets import script
from plywise.adapters.notebook.backend import Backend, Setup
from plywise.core.position import Position
from plywise.play.records.game_record import GameRecord


class Board(anywidget.AnyWidget):
    """An interactive board; make one with `plywise.board`."""

    _esm = script()

    def __init__(self, setup: Setup, *, analysis: bool = False, flipped: bool = False) -> None:
        self.backend = Backend(setup, self._say, analysis=analysis, flipped=flipped)
        super().__init__()
        self.on_msg(lambda widget, frame, buffers: self.backend.receive(frame))

    def _say(self, frame: dict[str, Any]) -> None:
        if self.comm is not None:
            self.send(frame)

    @property
    def position(self) -> Position:
        """The position that the board shows."""
        return self.backend.position

    @property
    def record(self) -> GameRecord:
        """The game so far, to be saved or studied."""
        return self.backend.record

    def close(self) -> None:
        """Stop everything that runs for this board, and remove it from the page."""
        self.backend.close()
        super().close()

    def __repr__(self) -> str:
        return f"<board of {self.position!r}>"

    def _repr_mimebundle_(self, **given: Any) -> Any:
        """Return the widget, and a picture for pages without a kernel."""
        found = super()._repr_mimebundle_(**given)
        data, metadata = found if isinstance(found, tuple) else (found or {}, {})
        plain = {"text/plain": repr(self), "image/svg+xml": self.position.svg()}
        return {**data, **plain}, metadata
