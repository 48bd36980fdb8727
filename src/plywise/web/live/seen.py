"""What a room shows: a snapshot of its game, and who is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from plywise.core.position import Position
from plywise.play.records.game_record import GameRecord


class Watcher(Protocol):
    """A listener of a room, called on the event loop; it must not block."""

    def changed(self, event: str) -> None:
        """The game has changed."""
        ...

    def heard(self, frame: dict[str, Any]) -> None:
        """Receive a short-lived message: what an engine is thinking, or how many people watch."""
        ...

    def gone(self) -> None:
        """The game was deleted."""
        ...


@dataclass(frozen=True)
class Seen:
    """A snapshot of a game, as reported by its session."""

    version: int
    record: GameRecord
    position: Position
    picture: str  #: the position as JSON, shared by all watchers
    lines: Mapping[str, str]  #: the moves, branches and notes, each as JSON, shared as well
    clocks: tuple[float, float] | None
    clock_runs: bool
    at: float  #: when the clocks were read
    can_undo: bool
    since: int  #: the version with which this position came up; notes and offers came later
