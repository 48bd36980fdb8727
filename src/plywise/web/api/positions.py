"""Games, agents and positions out of what a request says, within the limits of the server.

A spec that names a file is for the command line and for Python: here it is refused, whoever asks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

from plywise import engines
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.scene import scene_of, standing
from plywise.core.spec import Spec, bind, format_spec
from plywise.errors import MoveError, SpecError
from plywise.games import make
from plywise.play.players import HUMAN
from plywise.web.settings import Settings

SPEC_LETTERS = 2000  #: the longest spec: one may hold a whole board
TEXT_LETTERS = 4000  #: the longest text of a position, and of moves written in one text
MOVE_LETTERS = 40  #: the longest move
GAMES = 128  #: games kept ready, with the tables of their boards
POSITIONS = 2048  #: positions kept, as a page walks through a game move by move


@lru_cache(GAMES)
def read_game(text: str, settings: Settings) -> Game:
    """The game that a spec means, if it is not too large to be played here."""
    game = make(_read_spec(text))
    if game.max_moves > settings.board_moves:
        raise SpecError(
            f"{game.spec} is too large to be played here: it has {game.max_moves} moves, "
            f"at most {settings.board_moves} will do"
        )
    return game


def read_agent(text: str, game: Game, settings: Settings) -> str:
    """The spec of an agent that may play here, or `human`, written in the usual way.

    Threads and memory beyond the limits are refused; a time beyond them is cut by the search.
    """
    spec = _read_spec(text)
    if spec.name == HUMAN:
        if spec.given:
            raise SpecError(f"{HUMAN} takes no parameters, {spec} gives some")
        return HUMAN
    values = bind(spec, engines.find(spec.name, game).parameters, spec.name)
    for name, limit in most_of(settings).items():
        value = values.get(name) if name in spec.given else None
        if isinstance(value, int | float) and value > limit:
            raise SpecError(f"{name}={value:g} is too much here: at most {limit:g} will do")
    return format_spec(spec.name, {name: values[name] for name in spec.given})


def most_of(settings: Settings) -> dict[str, float]:
    """The most that an agent's spec may say, for those of its parameters that cost others."""
    return {"threads": settings.engine_threads, "memory": settings.engine_megabytes}


def _read_spec(text: str) -> Spec:
    if len(text) > SPEC_LETTERS:
        raise SpecError(
            f"a spec of {len(text)} letters is too long: at most {SPEC_LETTERS} will do"
        )
    spec = Spec.parse(text)
    if spec.reads_file:
        raise SpecError(f"{str(spec)!r} names a file: a server takes only what it knows by name")
    return spec


def read_moves(game: Game, moves: str | Sequence[str], settings: Settings) -> tuple[str, ...]:
    """The moves one by one, not yet checked against the rules, but not more than there can be."""
    if isinstance(moves, str):
        if len(moves) > TEXT_LETTERS:
            raise MoveError(f"{len(moves)} letters of moves are too many: send a list of moves")
        moves = game.split_moves(moves)
    most = min(game.max_plies, settings.plies)
    if len(moves) > most:
        raise MoveError(
            f"{len(moves)} moves are too many: a game of {game.spec} has at most {most}"
        )
    for move in moves:
        if len(move) > MOVE_LETTERS:
            raise MoveError(f"{move[:MOVE_LETTERS] + '...'!r} is no move: it is too long")
    return tuple(moves)


def read_position(
    game: str | Game,
    start: str | None = None,
    moves: str | Sequence[str] = (),
    *,
    settings: Settings,
) -> Position:
    """The position after the moves, from the beginning or from the text of a position.

    A long game takes a while: not to be called on the event loop.
    """
    if isinstance(game, str):
        game = read_game(game, settings)
    if start is not None and len(start) > TEXT_LETTERS:
        raise SpecError(f"a start of {len(start)} letters is too long for a position")
    return _walks.position(game, start or None, read_moves(game, moves, settings))


Key = tuple[str, str | None, tuple[str, ...]]


class Walks:
    """The positions that were asked for lately, so that the next move is one move's work."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Position] = OrderedDict()
        self._lock = Lock()

    def position(self, game: Game, start: str | None, moves: tuple[str, ...]) -> Position:
        """The position after these moves; the longest beginning that is known is taken over."""
        for length in range(len(moves), -1, -1):
            found = self._get((game.spec, start, moves[:length]))
            if found is not None:
                break
        else:
            length = 0
            found = game.start() if start is None else game.from_text(start)
            self._keep((game.spec, start, ()), found)
        for count, move in enumerate(moves[length:], length + 1):
            found = found.play(move)
            self._keep((game.spec, start, moves[:count]), found)
        return found

    def _get(self, key: Key) -> Position | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def _keep(self, key: Key, position: Position) -> None:
        with self._lock:
            self._kept[key] = position
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


_walks = Walks(POSITIONS)


def position_json(position: Position) -> dict[str, Any]:
    """A position as the page gets it, with its picture."""
    return {
        **position.to_json(),
        "start": position.origin,
        "standing": standing(position),
        "notation": position.game.join_moves(position.moves),
        "scene": scene_json(position),
    }


def scene_json(position: Position) -> dict[str, Any]:
    """What a position looks like, as plain data."""
    return scene_of(position).to_json()
