"""Reads a saved game line by line, so that an error can name its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from plywise import games
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError, suggest
from plywise.play import branches
from plywise.play.players import HUMAN
from plywise.play.records.game_record import (
    Branch,
    GameRecord,
    Move,
    Offer,
    Result,
    TimeControl,
    name_of,
    one_line,
)

MakeGame = Callable[[Spec], Game]

HEADER = "plywise game 1"
_KEYS = ("game", "first", "second", "name1", "name2", "start", "clock", "seed", "result", "offer")
_LAST = ("result", "offer")  # these come after the moves
_BLOCKS = ("undone", "branch")
_MOVE = re.compile(r"([0-9]{1,9})\.\s+(\S+)(?:\s+([0-9]{1,9}(?:\.[0-9]{1,3})?) s)?(?:\s+;(.*))?")


class SaveError(PlywiseError, ValueError):
    """A file that does not hold a valid game; the message names the line."""


@dataclass
class _Line:
    """A sequence of moves: the main line, or a branch from it."""

    at: int  #: moves before the first one
    positions: list[Position]  #: before the first move, and after each
    moves: list[Move] = field(default_factory=list)

    def read(self, number: int, text: str, seconds: float, note: str) -> None:
        """Add one move."""
        expected = self.at + len(self.positions)
        if number != expected:
            raise SaveError(f"expected move {expected}, not move {number}")
        position = self.positions[-1]
        code = position.code_of(text)
        self.moves.append(Move(position.text_of(code), seconds, note))
        self.positions.append(position.play_code(code))


@dataclass
class Reader:
    """What has been read so far. Without `files`, a spec that names a file is refused."""

    files: bool
    make: MakeGame = games.make
    most: int | None = None  #: moves that are read, in all branches together
    count: int = 0  #: moves read so far
    ended: bool = False
    started: bool = False
    values: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    game: Game | None = None
    time: TimeControl | None = None
    result: Result | None = None
    offer: Offer | None = None
    main: _Line | None = None  #: all moves, also undone ones, once the header is complete
    played: int | None = None  #: how many of them were not undone, if any were
    branch: _Line | None = None  #: the branch being read, once it has a move
    branching: bool = False  #: is a branch being read?
    branched: bool = False  #: was there a branch?
    branches: branches.Branches = ()

    def read(self, line: str) -> None:
        """Read one line, without spaces around it."""
        if not self.started:
            if line != HEADER:
                raise SaveError(f"a saved game begins with {HEADER!r}, not {line[:40]!r}")
            self.started = True
        elif line.startswith(";"):
            self.notes.append(one_line(line[1:]))
        elif line in _BLOCKS:
            self._begin_block(line)
        elif line == "end":
            self._finish_branch()
            self.ended = True
        elif found := _MOVE.fullmatch(line):
            note = one_line(found[4] or "")
            self._read_move(int(found[1]), found[2], float(found[3] or 0), note)
        elif line:
            key, *value = line.split(maxsplit=1)
            self._read_value(key, "".join(value), line)

    def record(self) -> GameRecord:
        """Return the whole record, once the last line is read."""
        if not self.ended:
            raise SaveError("the file is incomplete: its last line must be 'end'")
        main = self._main()
        return GameRecord(
            game=self.values["game"],
            players=(self.values["first"], self.values["second"]),
            start=self.values.get("start"),
            time=self.time,
            seed=int(self.values.get("seed", 0)),
            notes=tuple(self.notes),
            moves=tuple(main.moves[: self._played]),
            undone=tuple(main.moves[self._played :]),
            result=self.result or Result.on_board(main.positions[self._played]),
            branches=self.branches,
            names=(self.values.get("name1", ""), self.values.get("name2", "")),
            offer=self._checked_offer(),
        )

    def _read_value(self, key: str, value: str, line: str) -> None:
        if key not in _KEYS:
            words = (*_KEYS, *_BLOCKS, "end")
            raise SaveError(
                f"{line[:60]!r} is neither a move nor a known entry: {suggest(key, words)}"
            )
        if not value:
            raise SaveError(f"{key!r} needs a value")
        if key in self.values:
            raise SaveError(f"{key!r} is given twice")
        if key not in _LAST and self.main is not None:
            raise SaveError(f"{key!r} must come before the moves")
        self.values[key] = value
        if key in ("game", "first", "second"):
            self._read_spec(key, Spec.parse(value))
        elif key == "clock":
            self.time = TimeControl.parse(value)
        elif key == "seed" and re.fullmatch("[0-9]{1,18}", value) is None:
            raise SaveError(f"{value[:40]!r} is not a seed: write a whole number")
        elif key.startswith("name"):
            self.values[key] = name_of(value)
        elif key == "result":
            self._finish_branch()
            self._read_result(Result.parse(value))
        elif key == "offer":
            self._finish_branch()
            self.offer = Offer.parse(value)

    def _read_spec(self, key: str, spec: Spec) -> None:
        if spec.reads_file and not self.files:
            raise SpecError(f"{key} {spec} names a file, and files are not allowed here")
        if key == "game":
            self.game = self.make(spec)
            self.values["game"] = self.game.spec
        elif spec.name == HUMAN and spec.given:
            raise SpecError(f"{HUMAN} takes no parameters")

    def _read_result(self, result: Result) -> None:
        board = Result.on_board(self._main().positions[self._played])
        if board is not None and result != board:
            raise SaveError(f"the moves lead to another result: {board}")
        if board is None and result.how == "rules":
            raise SaveError("the rules do not end the game after these moves")
        self.result = result

    def _checked_offer(self) -> Offer | None:
        """Return the offer; SaveError if nobody could have made it in this game."""
        if self.offer is not None:
            if not self.values["first"] == self.values["second"] == HUMAN:
                raise SaveError("an offer needs two people")
            over = (
                self.result or Result.on_board(self._main().positions[self._played])
            ) is not None
            if over != (self.offer.kind == "rematch"):
                when = "over" if over else "going on"
                raise SaveError(f"a {self.offer.kind} cannot be offered while the game is {when}")
        return self.offer

    def _begin_block(self, word: str) -> None:
        self._finish_branch()
        if self.result is not None:
            raise SaveError(f"{word!r} must come before the result")
        if word == "branch":
            self.branching = self.branched = True
        elif self.branched:
            raise SaveError("'undone' must come before the branches")
        else:
            self.played = self._played

    def _read_move(self, number: int, text: str, seconds: float, note: str) -> None:
        main = self._main()
        self.count += 1
        if self.most is not None and self.count > self.most:
            raise SaveError(f"a game can have at most {self.most} moves here, branches included")
        if self.result is not None:
            raise SaveError("a move cannot come after the result")
        if not self.branching:
            main.read(number, text, seconds, note)
            return
        if seconds:
            raise SaveError("the moves of a branch have no time: leave out the seconds")
        if self.branch is None:
            last = len(main.positions)
            if not 1 <= number <= last:
                raise SaveError(f"a branch must begin with move 1 to {last}, not move {number}")
            self.branch = _Line(number - 1, [main.positions[number - 1]])
        self.branch.read(number, text, 0.0, note)

    def _finish_branch(self) -> None:
        """Add the branch just read, without the moves it shares with the main line."""
        main = self._main()
        if not self.branching:
            return
        if self.branch is None:
            raise SaveError("the branch before this line has no moves")
        texts = [move.text for move in self.branch.moves]
        along = branches.leave(main.moves, self.branch.at, texts)
        new = Branch(self.branch.at + along, tuple(self.branch.moves[along:]))
        self.branches = branches.add(self.branches, new)
        self.branch, self.branching = None, False
        if complaint := branches.too_many(self.branches):
            raise SaveError(complaint)

    @property
    def _played(self) -> int:
        """The number of moves of the main line that were played and not undone."""
        return len(self._main().moves) if self.played is None else self.played

    def _main(self) -> _Line:
        """Return the main line; before its first move, check that the header is complete."""
        if self.main is None:
            for key in ("game", "first", "second"):
                if key not in self.values:
                    raise SaveError(f"{key!r} is missing before this line")
            assert self.game is not None
            start = self.values.get("start")
            position = self.game.start() if start is None else self.game.from_text(start)
            self.main = _Line(0, [position])
        return self.main
