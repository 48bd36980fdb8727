"""Tournaments to watch: those whose files were named when the server was started, and no others.

What reads and draws them is imported when it is needed: most servers have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.games import added, names
from plywise.web.api.routes import in_thread
from plywise.web.api.schemas import Answer, refusals
from plywise.web.errors import NotFound

if TYPE_CHECKING:
    from plywise.arena.page import Replay
    from plywise.arena.plan import Plan
    from plywise.arena.results import Row
    from plywise.arena.watching import Watched

router = APIRouter(prefix="/api/arena")


def watched(files: Sequence[Path]) -> tuple[Watched, ...]:
    """Return the tournaments of a server; SpecError if a file is not one."""
    if not files:
        return ()
    from plywise.arena.watching import Watched

    return tuple(map(Watched, files))


class ArenaEntry(Answer):
    """A tournament in the list."""

    number: int
    title: str


class Arenas(Answer):
    """All tournaments of this server."""

    tournaments: list[ArenaEntry]


class Arena(Answer):
    """A tournament. Its parts are HTML; they are left out if it is still what the caller knows."""

    version: str  #: changes with every game; empty before the first
    title: str = ""
    facts: str = ""
    standings: str = ""
    cross: str = ""
    games: str = ""
    challenges: str = ""


@router.get("", response_model=Arenas, responses=refusals(), summary="List the tournaments")
async def get_arenas(request: Request) -> Response:
    """The tournaments that this server shows."""

    def work() -> dict[str, Any]:
        return {
            "tournaments": [
                {"number": number, "title": _title(each)}
                for number, each in enumerate(request.app.state.arenas)
            ]
        }

    return await in_thread(request, work)


@router.get(
    "/{number}", response_model=Arena, responses=refusals(404), summary="Watch a tournament"
)
async def get_arena(
    request: Request, number: int, known: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """Standings, cross table and the latest games; `known` is the version that the caller has."""
    arenas: tuple[Watched, ...] = request.app.state.arenas
    if not 0 <= number < len(arenas):
        raise NotFound(f"there is no tournament {number} here")
    most = request.app.state.settings.arena_games

    def work() -> dict[str, Any]:
        from plywise.arena.page import sections

        seen = arenas[number].now()
        if seen is None:
            return {"version": ""}
        if seen.version == known:
            return {"version": known}
        parts = sections(
            seen.plan, seen.rows, seen.table, _replay(seen.plan), seen.challenges, most
        )
        return {
            "version": seen.version,
            **{name.lower(): part for name, part in parts.items()},
        }

    return await in_thread(request, work)


def _title(watched: Watched) -> str:
    try:
        seen = watched.now()
    except SpecError:
        seen = None
    return watched.file.stem if seen is None else f"{watched.file.stem}: {seen.plan.game}"


def _replay(plan: Plan) -> Replay:
    """Return what links to the board with a game; to nothing if the server does not know it."""
    spec = Spec.parse(plan.game)
    name = plan.game
    if spec.is_file:  # one that was named at the start, too
        own = (called for called, file in added().items() if file.name == Path(spec.name).name)
        name = next(own, "")
    elif spec.name not in names():
        name = ""

    def replay(row: Row) -> str:
        if not name:
            return ""
        query = urlencode({"game": name, "moves": row.outcome.moves})
        return f'<a href="{escape(f"/board?{query}")}">replay</a>'

    return replay
