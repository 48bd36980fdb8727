"""What a board in a notebook is opened with: a game to play, or moves to study."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plywise import games
from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.play.records.game_record import HUMAN, GameRecord, Move
from plywise.play.review import Review

_SEEDS = 2**31 - 1  #: random seeds of games are below this

Showable = str | Game | GameType | Position | GameRecord | Review


@dataclass(frozen=True)
class Opened:
    """The game of a board and its moves; `played` if it has players, else it is a free board."""

    game: Game
    record: GameRecord
    played: bool
    review: Review | None = None


def opened(
    what: Showable,
    first: str | None = None,
    second: str | None = None,
    moves: str | Sequence[str] = (),
) -> Opened:
    """Return what to show; TypeError if it has no board."""
    game, record, review = _read(what)
    if moves:
        position = game.position(moves, start=_last(game, record))
        texts = position.moves[len(record.moves) :]
        record = replace(record, moves=(*record.moves, *map(Move, texts)), undone=(), result=None)
    new = isinstance(what, str | Game | GameType)
    if not (new or first or second):
        return Opened(game, record, False, review)
    usual = (HUMAN, "auto") if second or not first else ("auto", HUMAN)
    players = first or usual[0], second or usual[1]
    seed = random.SystemRandom().randrange(_SEEDS)
    return Opened(game, replace(record, players=players, seed=seed), True)


def _read(what: Showable) -> tuple[Game, GameRecord, Review | None]:
    if isinstance(what, str):
        what = games.make(what)
    elif isinstance(what, GameType):
        what = what()
    if isinstance(what, Game):
        what = what.start()
    if isinstance(what, GameRecord):
        return games.make(what.game), what, None
    review = what if isinstance(what, Review) else None
    position = what.position if isinstance(what, Review) else what
    if not isinstance(position, Position):
        raise TypeError(
            "a board needs a game, a position, a game record or a review,"
            f" such as plywise.board('NAME'), not {what!r:.60}"
        )
    moves = tuple(map(Move, position.moves))
    record = GameRecord(position.game.spec, (HUMAN, HUMAN), position.origin, moves=moves)
    return position.game, record, review


def _last(game: Game, record: GameRecord) -> Position:
    """Return the position after the moves of a record."""
    start = game.start() if record.start is None else game.from_text(record.start)
    return game.position([move.text for move in record.moves], start=start)
