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

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
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
_VERSION = int(HEADER.rpartition(" ")[2])
_GAME = (
    "plywise", "game", "players", "start", "clock", "seed",
    "notes", "moves", "undone", "branches", "result", "names", "offer",
)  # fmt: skip
WHOLE = 64  #: specs whose whole boards are cached
_KINDS = {str: "a string", int: "a whole number", list: "a list"}


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


def to_json(record: GameRecord) -> dict[str, Any]:
    """Return the record as plain data."""
    result = record.result
    return {
        "plywise": _VERSION,
        "game": _with_board(record.game),
        "players": list(record.players),
        "start": record.start,
        "clock": None if record.time is None else str(record.time),
        "seed": record.seed,
        "notes": list(record.notes),
        "moves": _plain(record.moves),
        "undone": _plain(record.undone),
        "branches": [
            {"at": branch.at, "moves": _plain(branch.moves)} for branch in record.branches
        ],
        "result": None
        if result is None
        else {"winner": result.winner, "how": result.how, "reason": result.reason},
        "names": list(record.names),
        "offer": None if record.offer is None else str(record.offer),
    }


def _plain(moves: Sequence[Move]) -> list[dict[str, Any]]:
    return [{"text": move.text, "seconds": move.seconds, "note": move.note} for move in moves]


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
        taken = _taken(data)
        for line in _lines(taken, taken.game):
            reader.read(line.strip())
        return reader.record()
    except (PlywiseError, ValueError) as error:
        where = f", at {line[:60]!r}" if line else ""
        raise SaveError(f"{name}{where}: {error}") from error


def _taken(data: object) -> GameRecord:
    """Read a record from plain data, with the right types but not yet checked."""
    entries = _Entries(data, "the game", _GAME)
    if entries.take("plywise", int) != _VERSION:
        raise SaveError(f'a saved game needs the entry "plywise": {_VERSION}')
    players = [_word(player, "a player") for player in entries.take("players", list)]
    if len(players) != 2:
        raise SaveError(f"a game has 2 players, not {len(players)}")
    clock, start, result = (entries.get(key) for key in ("clock", "start", "result"))
    names, offer = entries.many("names") or ["", ""], entries.get("offer")
    if len(names) != 2:
        raise SaveError(f"a game has 2 names, one for each player, not {len(names)}")
    return GameRecord(
        _word(entries.take("game", str), "game"),
        (players[0], players[1]),
        None if start is None else _word(start, "start"),
        None if clock is None else TimeControl.parse(_word(clock, "clock")),
        _whole(entries.get("seed", 0), "seed"),
        tuple(one_line(_text(note, "a note")) for note in entries.many("notes")),
        tuple(_taken_move(move) for move in entries.many("moves")),
        tuple(_taken_move(move) for move in entries.many("undone")),
        None if result is None else _taken_result(result),
        tuple(_taken_branch(branch) for branch in entries.many("branches")),
        (one_line(_text(names[0], "a name")), one_line(_text(names[1], "a name"))),
        None if offer is None else Offer.parse(_word(offer, "offer")),
    )


def _taken_move(data: object) -> Move:
    entries = _Entries(data, "a move", ("text", "seconds", "note"))
    text, seconds = _word(entries.take("text", str), "a move"), entries.get("seconds", 0)
    if len(text.split()) != 1:
        raise SaveError(f"{text[:40]!r} is not a move: moves have no spaces")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise SaveError(f"the seconds of a move must be a number, not {_short(seconds)}")
    if not 0 <= seconds < 1e9:  # which nan is not either
        raise SaveError(f"a move cannot take {_short(seconds)} seconds")
    return Move(text, round(float(seconds), 3), one_line(_text(entries.get("note", ""), "a note")))


def _taken_branch(data: object) -> Branch:
    entries = _Entries(data, "a branch", ("at", "moves"))
    at, moves = _whole(entries.take("at", int), "at"), entries.take("moves", list)
    if not moves:
        raise SaveError("a branch needs at least one move")
    return Branch(at, tuple(_taken_move(move) for move in moves))


def _taken_result(data: object) -> Result:
    entries = _Entries(data, "the result", ("winner", "how", "reason"))
    winner = _whole(entries.take("winner", int), "winner")
    how, reason = (_word(entries.take(key, str), key) for key in ("how", "reason"))
    if winner > 2:
        raise SaveError(f"there is no player {winner}: the winner is 1, 2, or 0 for a draw")
    return Result(winner, how, reason)  # type: ignore[arg-type]  # the reader checks it


class _Entries:
    """The entries of an object, with clear errors for those that are missing or wrong."""

    def __init__(self, data: object, what: str, known: Sequence[str]) -> None:
        if not isinstance(data, Mapping):
            raise SaveError(f"{what} must be an object with {', '.join(known)}, not {_short(data)}")
        for key in data:
            if key not in known:
                raise SaveError(f"{what} has no {str(key)[:40]!r}: {suggest(str(key), known)}")
        self.data, self.what = data, what

    def get(self, key: str, default: object = None) -> object:
        """Return an entry that may be left out."""
        return self.data.get(key, default)

    def take(self, key: str, kind: type[Any]) -> Any:
        """Return an entry that must be there, of a given type."""
        if key not in self.data:
            raise SaveError(f"{self.what} has no {key!r}")
        value = self.data[key]
        if not isinstance(value, kind):
            raise SaveError(f"{key!r} must be {_KINDS[kind]}, not {_short(value)}")
        return value

    def many(self, key: str) -> list[Any]:
        """Return a list that may be left out."""
        return list(self.take(key, list)) if key in self.data else []


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise SaveError(f"{what} must be a string, not {_short(value)}")
    return value


def _word(value: object, what: str) -> str:
    line = printable(_text(value, what)).strip()
    if not line:
        raise SaveError(f"{what} must not be empty")
    return line


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**18:
        raise SaveError(f"{what!r} must be a whole number, at least 0, not {_short(value)}")
    return value


def _short(value: object) -> str:
    """Describe an unexpected value in a few words."""
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "an object"
    return "nothing" if value is None else str(value)[:40]
