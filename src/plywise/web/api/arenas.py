"""Tournaments to watch: those whose files were named when the server was started, and no others.

What reads and draws them is imported when it is needed: most servers have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired
from urllib.parse import urlencode

from fastapi import Depends, Query, Request

from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError
from plywise.games import added, names
from plywise.web.api.answers import Routes, Server
from plywise.web.api.positions import read_position
from plywise.web.api.schemas import Answer, picture_json
from plywise.web.errors import NotFound
from plywise.web.settings import Settings

if TYPE_CHECKING:
    from plywise.arena.games import Playing
    from plywise.arena.plan import Plan
    from plywise.arena.results import Row
    from plywise.arena.standings import Watched

LIVE = 6  #: boards of games in progress that the page of a tournament shows
GAMES = 100  #: games that it lists, the latest ones

router = Routes(prefix="/api/arena")


def watched(files: Sequence[Path]) -> tuple[Watched, ...]:
    """Return the tournaments of a server; SpecError if a file is not one."""
    if not files:
        return ()
    from plywise.arena.standings import Watched

    return tuple(map(Watched, files))


class ArenaEntry(Answer):
    """A tournament in the list."""

    number: int
    title: str


class Arenas(Answer):
    """All tournaments of this server."""

    tournaments: list[ArenaEntry]


class LiveGame(Answer):
    """A game that is being played."""

    first: str
    second: str
    moves: int
    board: str  #: the path of a board with it
    scene: dict[str, Any]


class Arena(Answer):
    """A tournament. Its parts are HTML; they are left out if it is still what the caller knows."""

    now: NotRequired[list[LiveGame]]  #: a few of the games that are being played
    version: str  #: changes with every game; empty before the first
    title: NotRequired[str]
    facts: NotRequired[str]
    standings: NotRequired[str]
    cross: NotRequired[str]
    games: NotRequired[str]
    challenges: NotRequired[str]


async def _shown(request: Request) -> tuple[Watched, ...]:
    shown: tuple[Watched, ...] = request.app.state.arenas
    return shown


@router.answer("GET", "", Arenas, summary="List the tournaments")
def get_arenas(shown: Annotated[Any, Depends(_shown)]) -> dict[str, Any]:
    """The tournaments that this server shows."""
    tournaments = [{"number": number, "title": _title(each)} for number, each in enumerate(shown)]
    return {"tournaments": tournaments}


@router.answer("GET", "/{number}", Arena, 404, summary="Watch a tournament")
def get_arena(
    shown: Annotated[Any, Depends(_shown)],
    settings: Server,
    number: int,
    known: Annotated[str, Query(max_length=40)] = "",
) -> dict[str, Any]:
    """Standings, cross table and the latest games; `known` is the version that the caller has."""
    from plywise.arena.games import playing
    from plywise.arena.page import sections

    if not 0 <= number < len(shown):
        raise NotFound(f"there is no tournament {number} here")
    watched: Watched = shown[number]
    seen = watched.now()
    if seen is None:
        return {"version": ""}
    game = _known(seen.plan)
    now = []
    for each in playing(watched.file, LIVE) if game else ():
        with suppress(PlywiseError):  # what cannot be read is not shown
            now.append(_live(game, each, settings))
    if seen.version == known:
        return {"version": known, "now": now}
    parts = sections(seen, partial(_replay, game), GAMES)
    written = {name.lower(): part for name, part in parts.items()}
    return {"version": seen.version, "now": now, **written}


def _title(watched: Watched) -> str:
    try:
        seen = watched.now()
    except SpecError:
        seen = None
    return watched.file.stem if seen is None else f"{watched.file.stem}: {seen.plan.game}"


def _known(plan: Plan) -> str:
    """The spec by which this server knows the game of a tournament; empty if it does not."""
    spec = Spec.parse(plan.game)
    if spec.is_file:  # one that was named at the start, too
        own = (called for called, file in added().items() if file.name == Path(spec.name).name)
        return next(own, "")
    return plan.game if spec.name in names() else ""


def _replay(game: str, row: Row) -> str:
    """The link to the board with a game."""
    return f'<a href="{escape(_board(game, row.played.moves))}">replay</a>' if game else ""


def _board(game: str, moves: str) -> str:
    return f"/board?{urlencode({'game': game, 'moves': moves})}"


def _live(game: str, playing: Playing, settings: Settings) -> dict[str, Any]:
    """A game that is being played, with its picture."""
    position = read_position(game, None, playing.moves, settings=settings)
    return {
        "first": playing.first,
        "second": playing.second,
        "moves": len(playing.moves),
        "board": _board(game, position.game.join_moves(playing.moves)),
        "scene": picture_json(position),
    }
