"""The OpenAPI document tells the truth: Schemathesis asks whatever it allows, and much it does not.

Every answer has a status, a kind of content and a form that the document names.
"""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryDirectory

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plywise.play.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.serving import Server, new_game, serving

pytestmark = pytest.mark.slow

EXAMPLES = 20  #: of each operation
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server
        assert "Traceback" not in server.said, server.said


def document() -> BaseSchema:
    """What the server would answer at /api/openapi.json; there is one test for each operation."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/games.sqlite")
        try:
            return schemathesis.openapi.from_dict(create_app(Settings(), store).openapi())
        finally:
            store.close()


schema = document()


def test_it_is_the_document_that_is_served(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/openapi.json", trust_env=False).json() == schema.raw_schema


@pytest.fixture
def game(server: Server) -> tuple[str, dict[str, str]]:
    """The id of a game that is there, and the cookies of whoever began it."""
    with httpx.Client(trust_env=False) as client:
        made = new_game(server, client, game="connect4", second="auto:level=1", moves="44")
        return made["id"], dict(client.cookies)


# A new puzzle may take seconds: tests/web/test_puzzles.py asks for a few.
@schema.exclude(path="/api/puzzles/slither/new").parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_answers_are_as_documented(
    case: schemathesis.Case, server: Server, game: tuple[str, dict[str, str]]
) -> None:
    asked = {"base_url": server.url, "checks": CHECKS, "timeout": 60}
    case.call_and_validate(**asked)
    if "id" in case.path_parameters:  # once more about a game that is there
        case.path_parameters["id"], cookies = game
        case.call_and_validate(**asked, cookies=cookies)
