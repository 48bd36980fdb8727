"""Reading games, agents and positions from a request, within the limits of the server.

Specs that name files are for the command line and for Python; here they are always refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Annotated, Any

from fastapi import Query

from plywise import engines
from plywise.core.analysis import check_cancelled
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec, bind, format_spec
from plywise.errors import MoveError, SpecError, suggest
from plywise.games import added, make, names
from plywise.play.records.game_record import HUMAN
from plywise.web.api import schemas
from plywise.web.api.answers import Routes, Server
from plywise.web.api.schemas import MOVE_LETTERS, SPEC_LETTERS, TEXT_LETTERS, position_json
from plywise.web.settings import Settings

GAMES = 128  #: games kept in memory, with the tables of their boards
POSITIONS = 2048  #: positions kept in memory, since pages step through games move by move

router = Routes(prefix="/api")


def read_game(text: str, settings: Settings) -> Game:
    """Return the game of a spec; SpecError if it is too large for this server."""
    check_cancelled()
    found = _game_or_refusal(text, settings)
    if isinstance(found, str):
        raise SpecError(found)
    return found


def forget() -> None:
    """Build games again: the file of one has changed."""
    _game_or_refusal.cache_clear()


@lru_cache(GAMES)
def _game_or_refusal(text: str, settings: Settings) -> Game | str:
    """Return a game, or why there is none; both are kept, since some refusals take as long."""
    try:
        return _build(text, settings)
    except SpecError as error:
        return str(error)


def _build(text: str, settings: Settings) -> Game:
    spec = _read_spec(text)
    if spec.name not in names():  # said here: `make` would look for a file of that name
        raise SpecError(f"there is no game {spec.name[:60]!r}: {suggest(spec.name, names())}")
    game = make(spec)
    if game.max_moves > settings.board_moves and game.name not in added():
        raise SpecError(
            f"{game.spec} is too large for this server: it has {game.max_moves} moves, "
            f"at most {settings.board_moves} are allowed"
        )
    return game


def read_agent(text: str, game: Game, settings: Settings) -> str:
    """Return the normalised spec of an agent, or `human`.

    Threads and memory over the limits are refused; a time over the limit is cut by the search.
    """
    spec = _read_spec(text)
    if spec.name == HUMAN:
        if spec.given:
            raise SpecError(f"{HUMAN} takes no parameters, but {str(spec)!r} has some")
        return HUMAN
    values = bind(spec, engines.find(spec.name, game).parameters, spec.name)
    for name, limit in most_of(settings).items():
        value = values.get(name) if name in spec.given else None
        if isinstance(value, int | float) and value > limit:
            raise SpecError(f"{name}={value:g} is too much here: the limit is {limit:g}")
    return format_spec(spec.name, {name: values[name] for name in spec.given})


def most_of(settings: Settings) -> dict[str, float]:
    """The limits of agent parameters that use shared resources."""
    return {"threads": settings.engine_threads, "memory": settings.engine_megabytes}


def _read_spec(text: str) -> Spec:
    if len(text) > SPEC_LETTERS:
        raise SpecError(f"spec too long: {len(text):,} characters (limit {SPEC_LETTERS:,})")
    spec = Spec.parse(text)
    if spec.reads_file:
        raise SpecError(f"{str(spec)!r} names a file: the server only accepts registered names")
    return spec


def read_moves(game: Game, moves: str | Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return the moves one by one; only their number and length are checked, not the rules."""
    if isinstance(moves, str):
        if len(moves) > TEXT_LETTERS:
            raise MoveError(
                f"moves too long: {len(moves):,} characters (limit {TEXT_LETTERS:,}); "
                "send a list of moves instead"
            )
        moves = game.split_moves(moves)
    most = min(game.max_plies, settings.plies)
    if len(moves) > most:
        raise MoveError(
            f"{len(moves)} moves are too many: a game of {game.spec} has at most {most}"
        )
    for move in moves:
        if len(move) > MOVE_LETTERS:
            raise MoveError(
                f"{move[:MOVE_LETTERS] + '...'!r} is not a move: "
                f"it is longer than {MOVE_LETTERS} characters"
            )
    return tuple(moves)


def read_position(
    game: str | Game,
    start: str | None = None,
    moves: str | Sequence[str] = (),
    *,
    settings: Settings,
) -> Position:
    """Return the position after the moves, from the start or from the text of a position.

    A long game takes a while, so do not call this on the event loop.
    """
    if isinstance(game, str):
        game = read_game(game, settings)
    if start is not None and len(start) > TEXT_LETTERS:
        raise SpecError(
            f"start position too long: {len(start):,} characters (limit {TEXT_LETTERS:,})"
        )
    return _walks.position(game, start or None, read_moves(game, moves, settings))


def read_asked(asked: schemas.AskLink | schemas.AskPosition, settings: Settings) -> Position:
    """Return the position that a request asks for."""
    return read_position(asked.game, asked.start, asked.moves, settings=settings)


class Walks:
    """A cache of recent positions, so that the next position costs only one move."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[tuple[Game, str | None, tuple[str, ...]], Position] = OrderedDict()
        self._lock = Lock()

    def position(self, game: Game, start: str | None, moves: tuple[str, ...]) -> Position:
        """Return the position after these moves, continuing from the longest cached prefix."""
        for length in range(len(moves), -1, -1):
            key = game, start, moves[:length]
            with self._lock:
                if (found := self._known.get(key)) is not None:
                    self._known.move_to_end(key)
                    break
        else:
            length = 0
            found = game.start() if start is None else game.from_text(start)
            self._keep(game, start, (), found)
        for count, move in enumerate(moves[length:], length + 1):
            check_cancelled()
            found = found.play(move)
            self._keep(game, start, moves[:count], found)
        return found

    def _keep(
        self, game: Game, start: str | None, moves: tuple[str, ...], position: Position
    ) -> None:
        with self._lock:
            self._known[game, start, moves] = position
            while len(self._known) > self._most:
                self._known.popitem(last=False)


_walks = Walks(POSITIONS)


# Routes


@router.answer(
    "GET", "/positions", schemas.Position, summary="Get a position (as a URL that can be shared)"
)
def get_position(settings: Server, asked: Annotated[schemas.AskLink, Query()]) -> dict[str, Any]:
    """The position after some moves."""
    return position_json(read_asked(asked, settings))


@router.answer("POST", "/positions", schemas.Position, summary="Get a position")
def post_position(settings: Server, asked: schemas.AskPosition) -> dict[str, Any]:
    """The position after some moves."""
    return position_json(read_asked(asked, settings))
