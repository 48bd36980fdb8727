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

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from plywise import games
from plywise.errors import PlywiseError, suggest
from plywise.play.records.files import whole_file
from plywise.play.records.game_record import (
    Branch,
    GameRecord,
    Move,
    Offer,
    Result,
    TimeControl,
    one_line,
    printable,
)
from plywise.play.records.reader import HEADER, MakeGame, Reader, SaveError

__all__ = [
    "HEADER",
    "SaveError",
    "from_json",
    "from_text",
    "load",
    "read_whole",
    "save",
    "to_json",
    "to_text",
    "write_whole",
]

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


def write_whole(text: str, file: Path) -> None:
    """Write a file in one step: readers find either the old text or the new one, whole."""
    try:
        with whole_file(file) as out:
            out.write(text)
    except OSError as error:
        raise SaveError(f"{file.resolve()} cannot be written: {error.strerror or error}") from error


# ---- reading ---------------------------------------------------------------------------------


def load(file: Path | str, *, files: bool = True) -> GameRecord:
    """Return the game in a file. Without `files`, a game whose spec names a file is refused."""
    return from_text(read_whole(Path(file)), str(file), files=files)


def read_whole(file: Path) -> str:
    """Return the text of a file."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SaveError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SaveError(f"{file} is not a text file: {error.reason}") from error


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
    reader = Reader(files, make, most)
    number = 0
    try:
        for number, line in enumerate(text.split("\n"), 1):  # noqa: B007
            reader.read(printable(line).strip())
            if reader.ended:
                break
        return reader.record()
    except (PlywiseError, ValueError) as error:
        raise SaveError(f"{name}, line {number}: {error}") from error


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
        reader = Reader(files, make, most)
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
