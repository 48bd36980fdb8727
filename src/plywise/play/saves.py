"""Games in files that people can read and edit, written so that none is ever half written.

    plywise game 1
    ; a note about the game
    game    connect4
    first   human
    second  auto:level=3
    clock   300 + 2
    seed    7

    1. 4  2.134 s
    2. 4  0.512 s  ; a note about the move
    undone
    3. 5  1.003 s
    result  player 1 wins, resigned: player 2 resigned
    end

Clock, seed, start (a position text), seconds, notes, undone and result may be left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plywise import games
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError, suggest
from plywise.play.players import HUMAN
from plywise.play.record import Move, Record, Result, TimeControl

HEADER = "plywise game 1"
_KEYS = ("game", "first", "second", "start", "clock", "seed", "result")
_MOVE = re.compile(r"([0-9]{1,9})\.\s+(\S+)(?:\s+([0-9]{1,9}(?:\.[0-9]{1,3})?) s)?(?:\s+;(.*))?")


class SaveError(PlywiseError, ValueError):
    """A file that holds no game, or one that cannot be; the message names the line."""


# ---- writing ---------------------------------------------------------------------------------


def to_text(record: Record) -> str:
    """The record as a file holds it."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield HEADER
    for note in record.notes:
        yield f"; {note}"
    yield f"game    {record.game}"
    yield f"first   {record.players[0]}"
    yield f"second  {record.players[1]}"
    if record.start is not None:
        yield f"start   {record.start}"
    if record.time is not None:
        yield f"clock   {record.time}"
    yield f"seed    {record.seed}"
    yield ""
    for number, move in enumerate(record.moves, 1):
        yield _move_line(number, move)
    if record.undone:
        yield "undone"
        for number, move in enumerate(record.undone, len(record.moves) + 1):
            yield _move_line(number, move)
    if record.result is not None:
        yield f"result  {record.result}"
    yield "end"


def _move_line(number: int, move: Move) -> str:
    seconds = f"  {move.seconds:.3f} s" if move.seconds else ""
    note = f"  ; {move.note}" if move.note else ""
    return f"{number}. {move.text}{seconds}{note}"


def save(record: Record, file: Path) -> None:
    """Write a file in one step: whoever looks finds the old game or the new one, whole."""
    file = file.resolve()  # a link is followed, not replaced
    beside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "w", encoding="utf-8", errors="backslashreplace") as out:
            out.write(to_text(record))
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, file)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise SaveError(f"{file} cannot be written: {error.strerror or error}") from error
        raise
    if os.name == "posix":  # the new name must be on the disk as well
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# ---- reading ---------------------------------------------------------------------------------


def load(file: Path, *, files: bool = True) -> Record:
    """The game in a file."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SaveError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SaveError(f"{file} is not a text file: {error.reason}") from error
    return from_text(text, str(file), files=files)


def from_text(text: str, name: str = "the game", *, files: bool = True) -> Record:
    """The record that a text holds, every move of it checked.

    A spec may name a Python file, which is then run. Without `files` it is refused: that is for
    texts from people who must not run anything here.
    """
    reader = _Reader(files)
    number = 0
    try:
        for number, line in enumerate(text.split("\n"), 1):  # noqa: B007
            reader.read(line.strip())
            if reader.ended:
                break
        return reader.record()
    except (PlywiseError, ValueError) as error:
        raise SaveError(f"{name}, line {number}: {error}") from error


@dataclass
class _Reader:
    """Reads line by line, so that whatever is wrong is found on the line where it stands."""

    files: bool
    ended: bool = False
    started: bool = False
    undoing: bool = False
    values: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    undone: list[Move] = field(default_factory=list)
    game: Game | None = None
    time: TimeControl | None = None
    result: Result | None = None
    position: Position | None = None  #: after the moves read so far
    current: Position | None = None  #: the same without the undone ones

    def read(self, line: str) -> None:
        if not self.started:
            if line != HEADER:
                raise SaveError(f"a saved game begins with {HEADER!r}, not {line[:40]!r}")
            self.started = True
        elif line.startswith(";"):
            self.notes.append(line[1:].strip())
        elif line == "undone":
            self._finish_head()
            self.undoing = True
        elif line == "end":
            self._finish_head()
            self.ended = True
        elif found := _MOVE.fullmatch(line):
            self._read_move(int(found[1]), found[2], float(found[3] or 0), (found[4] or "").strip())
        elif line:
            key, *value = line.split(maxsplit=1)
            self._read_value(key, "".join(value), line)

    def record(self) -> Record:
        if not self.ended:
            raise SaveError("the file stops here without a last line 'end': it is cut short")
        assert self.game is not None
        assert self.current is not None
        return Record(
            game=self.values["game"],
            players=(self.values["first"], self.values["second"]),
            start=self.values.get("start"),
            time=self.time,
            seed=int(self.values.get("seed", 0)),
            notes=tuple(self.notes),
            moves=tuple(self.moves),
            undone=tuple(self.undone),
            result=self.result or Result.on_board(self.current),
        )

    def _read_value(self, key: str, value: str, line: str) -> None:
        if key not in _KEYS:
            words = (*_KEYS, "undone", "end")
            raise SaveError(
                f"{line[:60]!r} is neither a move nor a known entry: {suggest(key, words)}"
            )
        if not value:
            raise SaveError(f"nothing is said after {key!r}")
        if key in self.values:
            raise SaveError(f"{key!r} is given a second time")
        if key != "result" and self.position is not None:
            raise SaveError(f"{key!r} must stand before the moves")
        self.values[key] = value
        if key in ("game", "first", "second"):
            self._read_spec(key, Spec.parse(value))
        elif key == "clock":
            self.time = TimeControl.parse(value)
        elif key == "seed" and re.fullmatch("[0-9]{1,18}", value) is None:
            raise SaveError(f"{value[:40]!r} is no seed: write a whole number")
        elif key == "result":
            self._finish_head()
            self._read_result(Result.parse(value))

    def _read_spec(self, key: str, spec: Spec) -> None:
        if spec.is_file and not self.files:
            raise SpecError(f"{key} {spec.name} names a file, and files are not allowed here")
        if key == "game":
            self.game = games.make(spec)
        elif spec.name == HUMAN and spec.given:
            raise SpecError(f"{HUMAN} takes no parameters")

    def _read_result(self, result: Result) -> None:
        assert self.current is not None
        board = Result.on_board(self.current)
        if board is not None and result != board:
            raise SaveError(f"the moves end the game otherwise: {board}")
        if board is None and result.how == "rules":
            raise SaveError("the rules do not end the game after these moves")
        self.result = result

    def _read_move(self, number: int, text: str, seconds: float, note: str) -> None:
        self._finish_head()
        if self.result is not None:
            raise SaveError("a move after the result")
        assert self.position is not None
        expected = len(self.moves) + len(self.undone) + 1
        if number != expected:
            raise SaveError(f"move {number} stands where move {expected} should")
        code = self.position.parse(text)
        move = Move(self.position.text_of(code), seconds, note)
        self.position = self.position.after(code)
        if self.undoing:
            self.undone.append(move)
        else:
            self.moves.append(move)
            self.current = self.position

    def _finish_head(self) -> None:
        """Before the first move: is everything there that it needs?"""
        if self.position is not None:
            return
        for key in ("game", "first", "second"):
            if key not in self.values:
                raise SaveError(f"there is no {key!r} before this line")
        assert self.game is not None
        start = self.values.get("start")
        self.position = self.game.start() if start is None else self.game.from_text(start)
        self.current = self.position
