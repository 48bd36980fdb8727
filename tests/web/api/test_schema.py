"""The OpenAPI document tells the truth: Schemathesis asks whatever it allows, and much it does not.

Every answer has a status, a kind of content and a form that the document names. What is made up is
mostly refused, so each request is sent again with games, puzzles and exercises that exist; and each
operation is asked for something that it must answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.arena.test_tournaments import plan_of, played
from tests.serving import Server, new_game, serving
from tests.web.steps import PATIENCE

pytestmark = pytest.mark.slow

FEW, MANY = 10, 20  #: examples of each operation
#: Schemathesis can also try each limit in the document, a thousand of them.
NO_LIMITS = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}}})

GAME, PUZZLE, DAY = "tictactoe", "slither", "2026-01-31"
PLACE = {"game": GAME, "start": None, "moves": "a1 b2"}
FINISHED = {"game": GAME, "moves": "a1 a2 b1 b2 c1"}
DRAFT = ("game", "numbers", "to_move", "also")
SAVED = f"plywise game 1\nfirst human\nsecond human\ngame {GAME}\nend"
#: It may take seconds to make a puzzle: test_puzzles.py asks for more of them.
SLOW = ("/api/puzzles/{name}/new", "/api/puzzles/{name}/daily")

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def document() -> dict[str, Any]:
    """What the server would answer at /api/openapi.json; there is one test for each operation."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/games.sqlite")
        try:
            return create_app(Settings(), store).openapi()
        finally:
            store.close()


DOCUMENT = document()


def test_it_is_the_document_that_is_served(server: Server) -> None:
    address = f"{server.url}/api/openapi.json"
    answer = httpx.get(address, trust_env=False, timeout=PATIENCE)
    assert answer.json() == DOCUMENT


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that shows a tournament."""
    file = tmp_path_factory.mktemp("arena") / "arena.sqlite"
    played(plan_of("random:seed=1", "random:seed=2"), file)
    with serving(str(file), warm=False) as server:
        yield server
        assert server.stop() == 0


@dataclass
class Existing:
    """What is there to be asked for, and the cookies of the client who started the game."""

    server: Server
    game: str  #: its id
    exercise: str
    board: dict[str, str]  #: an untouched puzzle
    draft: dict[str, Any]  #: an empty board in the editor
    cookies: dict[str, str]

    @property
    def names(self) -> dict[str, Any]:
        """Values for the parameters of paths and queries, and for the fields of bodies."""
        path = {"id": self.game, "exercise": self.exercise, "day": DAY, "number": 0}
        return {**PLACE, **self.board, **path}

    def furnish(self, case: schemathesis.Case) -> bool:
        """Put what exists in the place of what was made up; False if nothing was."""
        names = {**self.names, "name": PUZZLE if "/puzzles/" in case.path else GAME}
        replaced = False
        for given in (case.path_parameters, case.query, case.body):
            if isinstance(given, dict):
                known = names.keys() & given.keys()
                given.update({name: names[name] for name in known})
                replaced = replaced or bool(known)
        return replaced


@pytest.fixture(scope="module")
def existing(running: Server) -> Existing:
    with httpx.Client(base_url=running.url, trust_env=False, timeout=PATIENCE) as client:
        made = new_game(running, client, **FINISHED)
        puzzle = client.post(f"/api/puzzles/{PUZZLE}", json={}).json()
        exercises = client.get(f"/api/exercises/{GAME}/day/{DAY}").json()
        draft = client.get("/api/editor", params={"game": GAME}).json()
        board = {"puzzle": puzzle["id"], "states": puzzle["states"]}
        cookies = dict(client.cookies)
    return Existing(running, made["id"], exercises["daily"], board, draft, cookies)


def examples(count: int) -> settings:
    """Settings for `count` examples of each operation, the same on every run."""
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


def operations(config: SchemathesisConfig | None = None) -> BaseSchema:
    """All operations of the document."""
    return schemathesis.openapi.from_dict(DOCUMENT, config=config)


@operations(NO_LIMITS).parametrize()
@examples(FEW)
def test_answers_are_as_documented(case: schemathesis.Case, existing: Existing) -> None:
    call(case, existing)


@pytest.mark.long
@operations().parametrize()
@examples(MANY)
def test_many_answers_are_as_documented(case: schemathesis.Case, existing: Existing) -> None:
    call(case, existing)


def call(case: schemathesis.Case, existing: Existing) -> None:
    """Send a request, then the same for something that exists, and check both answers."""
    asked = {"base_url": existing.server.url, "checks": CHECKS, "timeout": PATIENCE}
    case.call_and_validate(**asked)
    if case.path not in SLOW and case.method != "DELETE" and existing.furnish(case):
        case.call_and_validate(**asked, cookies=existing.cookies)


OPERATIONS = {found.ok().label: found.ok() for found in operations().get_all_operations()}


def meant(method: str, path: str, existing: Existing) -> dict[str, Any]:
    """The query or the body of a request that is to be answered."""
    if method != "POST":
        needs_place = path.startswith(("/api/pictures", "/api/positions", "/api/editor"))
        return {"query": PLACE} if needs_place else {}
    bodies = {
        "/api/analysis": {**PLACE, "time": 0.1},
        "/api/hint": {**PLACE, "time": 0.1},
        "/api/positions": PLACE,
        "/api/review": PLACE,
        "/api/pictures/lines": {**PLACE, "lines": [["b1"], ["c1", "a3"]]},
        "/api/games": {**PLACE, "second": "random"},
        "/api/games/import": {"text": SAVED},
        "/api/games/{id}/rematch": {},
        "/api/editor": {name: existing.draft[name] for name in DRAFT},
        "/api/puzzles/{name}/new": {"params": {"rows": 4, "cols": 4}, "seed": 1},
        "/api/puzzles/{name}/daily": {"date": DAY, "size": "5 x 5"},
    }
    board = existing.board
    if path not in bodies and not path.endswith(("/export", "/standing", "/check", "/hint")):
        board = {"puzzle": board["puzzle"]}
    return {"body": bodies.get(path, board), "media_type": "application/json"}


@pytest.mark.parametrize("label", OPERATIONS)
def test_each_operation_does_what_it_is_for(label: str, existing: Existing) -> None:
    """Whatever is added to the API needs a request here that it answers."""
    operation = OPERATIONS[label]
    method, path = label.split()
    if method == "DELETE":  # a game that no other test asks for
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            made = new_game(existing.server, client, **FINISHED)
            existing = replace(existing, game=made["id"], cookies=dict(client.cookies))
    given = dict.fromkeys(re.findall(r"{(\w+)}", path), "")
    case = operation.Case(path_parameters=given, **meant(method, path, existing))
    existing.furnish(case)
    answer = case.call(base_url=existing.server.url, cookies=existing.cookies, timeout=PATIENCE)
    # A rematch needs a second person: tests/web/live/test_friends.py has one.
    fine = answer.status_code == 409 if path.endswith("/rematch") else answer.status_code < 300
    assert fine, answer.text
    case.validate_response(answer, checks=CHECKS)
