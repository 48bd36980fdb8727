"""Recorded games: one file a spec, with all that the rules say at every ply.

    python -m tests.golden.record            writes the files that are missing
    python -m tests.golden.record --all      writes every file anew

A file that changed shows what a change of the rules did; look at the difference before it is
committed.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import plywise
from plywise import Position, games

FOLDER = Path(__file__).parent / "playthroughs"

#: What is recorded besides every game as it comes.
MORE = [
    "align:size=3",
    "align:size=5,checkerboard=yes",
    "align:size=8",
    "tictactoe:rows=4,k=3",
    "tictactoe:rows=3,cols=5,k=4",
    "tictactoe:rows=19,k=5",
    "connect4:rows=4,cols=4",
    "connect4:rows=7,cols=8",
    "connect4:rows=3,cols=16",
    "makeway:dots=10,seed=3",
    "makeway:dots=62",
    "snails:rows=4,cols=5",
    "andantino:side=4",
    "snails:rows=12,cols=12,territory=yes",
]


def specs() -> list[str]:
    """Every registered game, and some of their other sizes."""
    return [*games.names(), *MORE]


def file_of(spec: str) -> Path:
    """Where the playthrough of a game is kept."""
    return FOLDER / f"{spec.replace(':', '-').replace(',', '-').replace('=', '')}.json"


def record(spec: str, moves: list[str] | None = None) -> dict[str, Any]:
    """These moves, or a random game to its end, the same every time."""
    position = plywise.game(spec).start()
    rng = random.Random(spec)
    plies = [describe(position)]
    while not position.over if moves is None else len(position.moves) < len(moves):
        move = rng.choice(position.legal) if moves is None else moves[len(position.moves)]
        position = position.play(move)
        plies.append(describe(position))
    return {
        "game": spec,
        "moves": list(position.moves),
        "winner": position.winner,
        "reason": position.reason,
        "scores": position.scores,
        "plies": plies,
    }


def describe(position: Position) -> dict[str, Any]:
    """What the rules say about a position."""
    game, rules = position.game, position.game.rules
    known: dict[str, Any] = {
        "text": position.text,
        "to_move": position.to_move,
        "legal": len(position.legal),
        "key": position.key,
    }
    if not position.over and rules.evaluate is not None:
        known["evaluation"] = int(rules.evaluate(game.board, position.state))
    if not position.over and rules.bounds is not None:
        known["bounds"] = [int(margin) for margin in rules.bounds(game.board, position.state)]
    return known


def write(spec: str) -> None:
    """Record a game into its file, a line for each ply."""
    known = record(spec)
    plies = ",\n".join("  " + json.dumps(ply) for ply in known.pop("plies"))
    head = json.dumps(known)[:-1]
    file_of(spec).write_text(f'{head}, "plies": [\n{plies}\n]}}\n')


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in specs():
        if "--all" in sys.argv[1:] or not file_of(name).exists():
            write(name)
            print(f"recorded {file_of(name).name}")
