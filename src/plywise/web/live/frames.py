"""The large parts of what a room sends: the moves, variations and notes of its game.

They are written once after each change, in the thread of the session, and sent to every watcher,
so there are limits to the notes and variations of a game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plywise.play.records.game_record import GameRecord, Move
from plywise.web.settings import KILOBYTE

NOTE_BYTES = 32 * KILOBYTE  #: all notes of a game together
BRANCH_MOVES = 1000  #: moves in all variations of a game together


def too_full(record: GameRecord, before: GameRecord | None = None) -> str | None:
    """Return an error message if a game has too many notes or branches, and more than before.

    Each watcher is sent all of them after every move.
    """
    for size, most, what in (
        (note_bytes, NOTE_BYTES, "bytes of notes"),
        (branch_moves, BRANCH_MOVES, "moves in variations"),
    ):
        now = size(record)
        if now > most and (before is None or now > size(before)):
            return f"a game can have at most {most:,} {what} here: shorten or delete some first"
    return None


def note_bytes(record: GameRecord) -> int:
    """How many bytes all notes of a game have together."""
    lines = (record.line, *(branch.moves for branch in record.branches))
    noted = (move.note for line in lines for move in line if move.note)
    return sum(len(note.encode()) for note in (*record.notes, *noted))


def branch_moves(record: GameRecord) -> int:
    """How many moves all variations of a game have together."""
    return sum(len(branch.moves) for branch in record.branches)


def lines_json(record: GameRecord) -> dict[str, Any]:
    """The moves, variations and notes of a game as plain data."""
    return {
        "moves": moves_json(record.moves),
        "undone": moves_json(record.undone),
        "branches": [
            {"at": branch.at, "moves": moves_json(branch.moves)} for branch in record.branches
        ],
        "notes": list(record.notes),
    }


def moves_json(moves: Sequence[Move]) -> list[dict[str, Any]]:
    """Moves as plain data."""
    return [{"text": move.text, "seconds": move.seconds, "note": move.note} for move in moves]


def written(data: object) -> str:
    """JSON as the server sends it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def members(data: Mapping[str, object]) -> dict[str, str]:
    """The members of an object, each as JSON."""
    return {name: written(value) for name, value in data.items()}


def joined(parts: Mapping[str, str]) -> str:
    """The object with these members as JSON: what is large is written once, for all who get it."""
    inside = ",".join(f"{written(name)}:{value}" for name, value in parts.items())
    return f"{{{inside}}}"
