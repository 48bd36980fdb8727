"""A game under way: two players, a position, undo and redo, clocks, a result, a file.

Nothing here waits for a person: `play` is called when he has moved. `think` lets the agent on
turn move and takes as long as that takes; call it from any thread. Everything else is quick and
may be called meanwhile: `undo`, `resign` and `close` call the agent off.

Each change is written to the session's file, if it has one, before anybody hears of it; then the
listener is told. It is called in the thread that made the change, holding the session's lock: it
should be quick, and pass the event on.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Literal

from plywise import games
from plywise.core.analysis import Analysis, Limits, Stop
from plywise.core.position import Position
from plywise.errors import AgentError, PlywiseError
from plywise.play.players import Player
from plywise.play.process import OnOutput
from plywise.play.program import GRACE, MEMORY, Overtime
from plywise.play.record import Move, Record, Result, one_line
from plywise.play.saves import save

THINK = 1.0  #: seconds for an agent that knows a clock, when there is none


class SessionError(PlywiseError):
    """Something that cannot be done now; the message says why."""


Kind = Literal["move", "undo", "redo", "result", "note", "info"]


@dataclass(frozen=True)
class Event:
    """What happened. `info` is an agent's view while it thinks, `result` ends the game."""

    kind: Kind
    record: Record
    position: Position
    analysis: Analysis | None = None  #: with `info`, and with an agent's move


Listener = Callable[[Event], None]


@dataclass(frozen=True)
class _Turn:
    """What a thinking agent was asked, and the flag that calls it off."""

    position: Position
    player: Player
    limits: Limits
    left: float | None
    stop: Stop


class Session:
    """A record that goes on. `now` is the clock, in seconds."""

    def __init__(
        self,
        record: Record,
        *,
        listener: Listener | None = None,
        file: Path | None = None,
        memory: int = MEMORY,
        on_output: OnOutput | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = games.make(record.game)
        self.listener = listener
        self.file = file
        self._now = now
        self._lock = threading.RLock()
        self._thinking = threading.RLock()  # held by the one agent that thinks
        self._closed = False
        self._stop = Stop()
        self.players: tuple[Player, Player] = (
            Player(record.players[0], self.game, usual=THINK, memory=memory, on_output=on_output),
            Player(record.players[1], self.game, usual=THINK, memory=memory, on_output=on_output),
        )
        for number, player in enumerate(self.players, 1):
            player.sit_down(number, random.Random(f"{record.seed} {number}"))
        position = self.game.start() if record.start is None else self.game.from_text(record.start)
        self._positions = [position]  # from the start to the present one
        for move in record.moves:
            self._positions.append(self._positions[-1].play(move.text))
        board = Result.on_board(self._positions[-1])
        self.record = record if board is None else replace(record, result=board)
        self._since = self._now()
        if file is not None:
            save(self.record, file)

    # ---- what there is to see ----------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The present one."""
        return self._positions[-1]

    @property
    def result(self) -> Result | None:
        """How it ended; None while it goes on."""
        return self.record.result

    @property
    def on_turn(self) -> Player | None:
        """Who is to move; None when the game is over."""
        return None if self.result is not None else self.players[self.position.turn]

    @property
    def clocks(self) -> tuple[float, float] | None:
        """The seconds that both have left at this moment, if there is a clock."""
        with self._lock:
            if self.record.time is None:
                return None
            left = [self.record.time.left(self._spent(turn)) for turn in (0, 1)]
            if self.result is None:
                left[self.position.turn] -= self._now() - self._since
            return left[0], left[1]

    # ---- what players do ---------------------------------------------------------------------

    def play(self, text: str) -> Position:
        """A person's move; MoveError if it cannot be, SessionError if nobody asked for it."""
        with self._lock:
            player = self.on_turn
            if player is None:
                raise SessionError(f"the game is over: {self.result}")
            if not player.person:
                raise SessionError(f"it is the turn of {player.spec}, not of a person")
            move = self.position.parse(text)
            if self.flag():
                raise SessionError(f"too late: {self.result}")
            self._play(move, self._now() - self._since)
            return self.position

    def think(self) -> Analysis | None:
        """Let the agent on turn move. None if there is none, if it was called off or has failed."""
        with self._thinking:  # an agent that was called off has a moment to come to an end
            with self._lock:
                turn = self._ask()
            if turn is None:
                return None
            try:
                move, analysis = turn.player.choose(
                    turn.position,
                    turn.limits,
                    lambda found: self._tell("info", found, turn.stop),
                    turn.stop,
                    allowed=turn.left,
                )
            except AgentError as error:
                with self._lock:
                    if not turn.stop.is_set():
                        self._lose("time" if isinstance(error, Overtime) else "forfeit", str(error))
                return None
            finally:
                if self._closed:  # while the agent was being asked
                    turn.player.close()
            with self._lock:
                if turn.stop.is_set():
                    return None
                if turn.left is not None and analysis.seconds > turn.left + GRACE:
                    self._out_of_time()
                    return None
                self._play(move, analysis.seconds, analysis)
                return analysis

    def resign(self, number: int | None = None) -> None:
        """Player 1 or 2 gives up; if nobody is named, the person on turn, or the only person."""
        with self._lock:
            if self.result is not None:
                raise SessionError(f"the game is over: {self.result}")
            number = self._who_resigns() if number is None else number
            if number not in (1, 2):
                raise SessionError(f"there is no player {number}: write 1 or 2")
            result = Result(3 - number, "resigned", f"player {number} resigned")
            self._change("result", replace(self.record, result=result))

    def flag(self) -> bool:
        """Has the person on turn run out of time? Then the game ends here.

        For an agent `think` sees to that; what it takes to compile or to start it is not its time.
        """
        with self._lock:
            clocks, player = self.clocks, self.on_turn
            if clocks is None or player is None or not player.person:
                return False
            late = clocks[self.position.turn] < 0
            if late:
                self._out_of_time()
            return late

    def undo(self) -> Position:
        """Take back what happened last: a result off the board, or moves until a person's turn."""
        with self._lock:
            record = self.record
            if record.result is not None and record.result.how != "rules":
                self._change("undo", replace(record, result=None))
                return self.position
            for count in range(len(record.moves) - 1, -1, -1):
                if self._stops_at(self._positions[count]):
                    break
            else:
                raise SessionError("there is nothing to take back")
            self._change(
                "undo",
                replace(
                    record,
                    moves=record.moves[:count],
                    undone=record.moves[count:] + record.undone,
                    result=None,
                ),
                self._positions[: count + 1],
            )
            return self.position

    def redo(self) -> Position:
        """Play again what was taken back, until a person's turn."""
        with self._lock:
            record = self.record
            if not record.undone or self.result is not None:
                raise SessionError("there is nothing to play again")
            positions = list(self._positions)
            for count, move in enumerate(record.undone, 1):  # noqa: B007
                positions.append(positions[-1].play(move.text))
                if self._stops_at(positions[-1]):
                    break
            self._change(
                "redo",
                replace(
                    record,
                    moves=record.moves + record.undone[:count],
                    undone=record.undone[count:],
                    result=Result.on_board(positions[-1]),
                ),
                positions,
            )
            return self.position

    def note(self, text: str) -> None:
        """Say something about the last move; before the first one, about the game."""
        with self._lock:
            record, line = self.record, one_line(text)
            if record.moves:
                *before, last = record.moves
                record = replace(record, moves=(*before, replace(last, note=line)))
            else:
                record = replace(record, notes=(*record.notes, line))
            self._keep(record)
            self._tell("note")

    def close(self) -> None:
        """Call off whoever thinks; nothing is left running. The record stays."""
        with self._lock:
            self._closed = True
            self._stop.set()
        for player in self.players:
            player.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- how it is done; the lock is held ----------------------------------------------------

    def _ask(self) -> _Turn | None:
        """What the agent on turn, if it is one, has to do. Its clock starts now."""
        player = self.on_turn
        if player is None or player.person or self._closed:
            return None
        self._stop = Stop()
        self._since = self._now()
        player.reseed(f"{self.record.seed} {len(self.record.moves)}")
        if self.record.time is None:
            return _Turn(self.position, player, Limits(), None, self._stop)
        left = max(0.0, self.record.time.left(self._spent(self.position.turn)))
        limits = Limits(time=self.record.time.share(left))
        return _Turn(self.position, player, limits, left, self._stop)

    def _play(self, move: int, seconds: float, analysis: Analysis | None = None) -> None:
        position = self.position.after(move)
        played = Move(position.moves[-1], round(seconds, 3))
        result = Result.on_board(position)
        record = replace(self.record, moves=(*self.record.moves, played), undone=(), result=result)
        self._change("move", record, [*self._positions, position], analysis)

    def _lose(self, how: Literal["time", "forfeit"], reason: str) -> None:
        result = Result(2 - self.position.turn, how, one_line(reason))
        self._change("result", replace(self.record, result=result))

    def _out_of_time(self) -> None:
        self._lose("time", f"player {self.position.turn + 1} ran out of time")

    def _change(
        self,
        kind: Kind,
        record: Record,
        positions: list[Position] | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        """Put another record in place of this one, and call off whoever thought about this one."""
        self._keep(record)
        self._stop.set()
        self._positions = positions or self._positions
        self._since = self._now()
        self._tell(kind, analysis)
        if record.result is not None and kind != "result":
            self._tell("result")

    def _keep(self, record: Record) -> None:
        if self.file is not None:
            save(record, self.file)
        self.record = record

    def _tell(self, kind: Kind, analysis: Analysis | None = None, stop: Stop | None = None) -> None:
        with self._lock:
            if self.listener is not None and not (stop is not None and stop.is_set()):
                self.listener(Event(kind, self.record, self.position, analysis))

    def _spent(self, turn: int) -> list[float]:
        """What one player's moves took, in order."""
        made = zip(self._positions, self.record.moves, strict=False)
        return [move.seconds for position, move in made if position.turn == turn]

    def _stops_at(self, position: Position) -> bool:
        """Would undo and redo stop here? Where a person moves, or anywhere if there is none."""
        if position.over or all(not player.person for player in self.players):
            return True
        return self.players[position.turn].person

    def _who_resigns(self) -> int:
        people = [number for number, player in enumerate(self.players, 1) if player.person]
        if self.position.turn + 1 in people or len(people) != 1:
            return self.position.turn + 1
        return people[0]
