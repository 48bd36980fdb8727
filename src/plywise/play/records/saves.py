"""Saves games to files that people can read and edit, always written whole.

    plywise game 1
    ; a note about the game
    game    connect4
    first   human
    second  auto:level=3
    name1   Ann
    clock   300 + 2
    seed    7

    1. 4  2.134 s
    2. 4  0.512 s  ; a note about the move
    undone
    3. 5  1.003 s
    branch
    2. 3  ; the first move that differs
    3. 3
    result  player 1 wins, resigned: player 2 resigned
    end

Names, clock, seed, start (a position text), seconds, notes, undone, branches and result may be left
out. Between two people, `offer   draw, player 1` after the result says what is on offer.
A game with a random board is written with its whole board: `makeway:seed=7,board=...`.
`to_json` and `from_json` do the same with plain data, for JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from types import UnionType
from typing import Any

from plywise import games
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError, suggest
from plywise.play.records.files import SaveError, read_whole, write_whole
from plywise.play.records.game_record import (
    HUMAN,
    Branch,
    Branches,
    GameRecord,
    Move,
    Offer,
    Result,
    TimeControl,
    follows,
    name_of,
    one_line,
    printable,
    too_many_branches,
    with_branch,
)

MakeGame = Callable[[Spec], Game]

HEADER = "plywise game 1"
_KEYS = ("game", "first", "second", "name1", "name2", "start", "clock", "seed", "result", "offer")
_LAST = ("result", "offer")  # these come after the moves
_BLOCKS = ("undone", "branch")
_MOVE = re.compile(r"([0-9]{1,9})\.\s+(\S+)(?:\s+([0-9]{1,9}(?:\.[0-9]{1,3})?) s)?(?:\s+;(.*))?")
WHOLE = 64  #: specs whose whole boards are cached


# ---- writing ---------------------------------------------------------------------------------


def to_text(record: GameRecord) -> str:
    """Return the record as the text of a file."""
    return "\n".join(_lines(record, _with_board(record.game))) + "\n"


@lru_cache(WHOLE)
def _with_board(spec: str) -> str:
    """Return the spec of a game, complete with its board."""
    game = games.make(spec)
    return game.whole_spec if game.type.whole(game.board) else spec


def _lines(record: GameRecord, game: str) -> Iterator[str]:
    yield HEADER
    for note in record.notes:
        yield f"; {note}"
    yield f"game    {game}"
    yield f"first   {record.players[0]}"
    yield f"second  {record.players[1]}"
    for number, name in enumerate(record.names, 1):
        if name:
            yield f"name{number}   {name}"
    if record.start is not None:
        yield f"start   {record.start}"
    if record.time is not None:
        yield f"clock   {record.time}"
    yield f"seed    {record.seed}"
    yield ""
    yield from _move_lines(record.moves, 1)
    if record.undone:
        yield "undone"
        yield from _move_lines(record.undone, len(record.moves) + 1)
    for branch in record.branches:
        yield "branch"
        yield from _move_lines(branch.moves, branch.at + 1)
    if record.result is not None:
        yield f"result  {record.result}"
    if record.offer is not None:
        yield f"offer   {record.offer}"
    yield "end"


def _move_lines(moves: Sequence[Move], first: int) -> Iterator[str]:
    for number, move in enumerate(moves, first):
        seconds = f"  {move.seconds:.3f} s" if move.seconds else ""
        note = f"  ; {move.note}" if move.note else ""
        yield f"{number}. {move.text}{seconds}{note}"


def save(record: GameRecord, file: Path | str) -> None:
    """Write a game to a file, whole or not at all."""
    write_whole(to_text(record), Path(file))


# ---- reading ---------------------------------------------------------------------------------


def load(file: Path | str, *, files: bool = True) -> GameRecord:
    """Return the game in a file. Without `files`, a game whose spec names a file is refused."""
    return from_text(read_whole(Path(file)), str(file), files=files)


def from_text(
    text: str,
    name: str = "the game",
    *,
    files: bool = True,
    make: MakeGame = games.make,
    most: int | None = None,
) -> GameRecord:
    """Read the record in a text, and check every move.

    A spec may name a Python file, which is then run. Without `files` it is refused: use that for
    texts from people who must not run code here. `make` creates the game, and `most` limits the
    moves of all lines together.
    """
    reader = _Reader(files, make, most)
    number = 0
    try:
        for number, line in enumerate(text.split("\n"), 1):  # noqa: B007
            reader.read(printable(line).strip())
            if reader.ended:
                break
        return reader.record()
    except (PlywiseError, ValueError) as error:
        raise SaveError(f"{name}, line {number}: {error}") from error


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
class _Reader:
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
    branches: Branches = ()

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
            result=self._ended(),
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

    def _ended(self) -> Result | None:
        return self.result or Result.on_board(self._main().positions[self._played])

    def _checked_offer(self) -> Offer | None:
        """Return the offer; SaveError if nobody could have made it in this game."""
        if self.offer is not None:
            if not self.values["first"] == self.values["second"] == HUMAN:
                raise SaveError("an offer needs two people")
            over = self._ended() is not None
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
        along = follows(main.moves, self.branch.at, texts)
        new = Branch(self.branch.at + along, tuple(self.branch.moves[along:]))
        self.branches = with_branch(self.branches, new)
        self.branch, self.branching = None, False
        if complaint := too_many_branches(self.branches):
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


# ---- plain data ------------------------------------------------------------------------------

#: The entries of an object, and what they are: a type, a list of one shape, or an object.
_MOVES = [{"text": str, "seconds": float, "note": str}]
_GAME = {
    "plywise": int,
    "game": str,
    "players": [str],
    "start": str,
    "clock": str,
    "seed": int,
    "notes": [str],
    "moves": _MOVES,
    "undone": _MOVES,
    "branches": [{"at": int, "moves": _MOVES}],
    "result": {"winner": int, "how": str, "reason": str},
    "names": [str],
    "offer": str,
}
_NEEDED = ("plywise", "game", "players", "text", "at", "winner", "how", "reason")
_VERSION = int(HEADER.rpartition(" ")[2])
#: What a value may be, in words, and what a number must be below.
_KINDS: dict[type, tuple[type | UnionType, str, float]] = {
    str: (str, "a string", 0),
    int: (int, "a whole number, at least 0", 10**18),
    float: (int | float, "a number from 0 to 1e9", 1e9),
}


def to_json(record: GameRecord) -> dict[str, Any]:
    """Return the record as plain data."""
    data = json.loads(json.dumps(asdict(record))) | {
        "plywise": _VERSION,
        "game": _with_board(record.game),
        "clock": None if record.time is None else str(record.time),
        "offer": None if record.offer is None else str(record.offer),
    }
    return {key: data[key] for key in _GAME}


def from_json(
    data: object,
    name: str = "the game",
    *,
    files: bool = True,
    make: MakeGame = games.make,
    most: int | None = None,
) -> GameRecord:
    """Read a record from plain data, checked as a text is. Most entries may be left out."""
    line = ""
    try:
        reader = _Reader(files, make, most)
        taken = _taken(_shaped(data, _GAME))
        for line in _lines(taken, taken.game):
            reader.read(line.strip())
        return reader.record()
    except (PlywiseError, ValueError) as error:
        where = f", at {line[:60]!r}" if line else ""
        raise SaveError(f"{name}{where}: {error}") from error


def _shaped(value: Any, shape: Any, what: str = "the game") -> Any:
    """Return plain data of this shape, texts in one line each; SaveError if they have another."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            raise SaveError(f"{what} must be a list, not {_short(value)}")
        return [_shaped(each, shape[0], f"an entry of {what}") for each in value]
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            raise SaveError(
                f"{what} must be an object with {', '.join(shape)}, not {_short(value)}"
            )
        for each in value:
            if each not in shape:
                raise SaveError(f"{what} has no {str(each)[:40]!r}: {suggest(str(each), shape)}")
        for each in shape:
            if each in _NEEDED and each not in value:
                raise SaveError(f"{what} has no {each!r}")
        return {
            each: _shaped(inner, shape[each], repr(each))
            for each, inner in value.items()
            if inner is not None or each in _NEEDED
        }
    kind, words, limit = _KINDS[shape]
    fits = isinstance(value, kind) and not isinstance(value, bool)
    if not fits or (limit and not 0 <= value < limit):  # which nan is not either
        raise SaveError(f"{what} must be {words}, not {_short(value)}")
    return printable(value).strip() if shape is str else value


def _taken(data: dict[str, Any]) -> GameRecord:
    """Return the record in plain data, which are not yet checked as a text is."""
    if data["plywise"] != _VERSION:
        raise SaveError(f'a saved game needs the entry "plywise": {_VERSION}')
    players, names = data["players"], data.get("names", ["", ""])
    if len(players) != 2:
        raise SaveError(f"a game has 2 players, not {len(players)}")
    if len(names) != 2:
        raise SaveError(f"a game has 2 names, one for each player, not {len(names)}")
    branches = data.get("branches", [])
    if not all(branch.get("moves") for branch in branches):
        raise SaveError("a branch needs at least one move")
    clock, offer, result = (data.get(key) for key in ("clock", "offer", "result"))
    return GameRecord(
        data["game"],
        (players[0], players[1]),
        data.get("start"),
        None if clock is None else TimeControl.parse(clock),
        data.get("seed", 0),
        tuple(data.get("notes", ())),
        _moves(data),
        _moves(data, "undone"),
        None if result is None else Result(**result),
        tuple(Branch(branch["at"], _moves(branch)) for branch in branches),
        (names[0], names[1]),
        None if offer is None else Offer.parse(offer),
    )


def _moves(data: dict[str, Any], key: str = "moves") -> tuple[Move, ...]:
    """Return the moves in an entry."""
    for move in data.get(key, ()):
        if len(move["text"].split()) != 1:
            raise SaveError(f"{move['text'][:40]!r} is not a move: moves have no spaces")
    return tuple(Move(**move) for move in data.get(key, ()))


def _short(value: object) -> str:
    """Describe an unexpected value in a few words."""
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "an object"
    return "nothing" if value is None else str(value)[:40]
