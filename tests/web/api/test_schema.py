"""The OpenAPI document tells the truth: Schemathesis asks whatever it allows, and much it does not.

Every answer has a status, a kind of content and a form that the document names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
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
from tests.serving import Server, new_game
from tests.web.steps import PATIENCE

pytestmark = pytest.mark.slow

FEW, MANY = 10, 20  #: examples of each operation
#: Schemathesis can also try each limit in the document, a thousand of them.
NO_LIMITS = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}}})

#: The id of a game, and the cookies of the client who started it.
Game = Callable[[], tuple[str, dict[str, str]]]

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


@pytest.fixture
def game(server: Server) -> Game:
    """Returns an existing game, made on first use."""

    @cache
    def make() -> tuple[str, dict[str, str]]:
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            made = new_game(server, client, game="connect4", second="auto:level=1", moves="44")
            return made["id"], dict(client.cookies)

    return make


def examples(count: int) -> settings:
    """Settings for `count` examples of each operation, the same on every run."""
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


def operations(config: SchemathesisConfig | None = None) -> BaseSchema:
    """All but new puzzles, which may take seconds: test_puzzles.py asks for a few."""
    schema = schemathesis.openapi.from_dict(DOCUMENT, config=config)
    return schema.exclude(path="/api/puzzles/slither/new")


@operations(NO_LIMITS).parametrize()
@examples(FEW)
def test_answers_are_as_documented(case: schemathesis.Case, server: Server, game: Game) -> None:
    call(case, server, game)


@pytest.mark.long
@operations().parametrize()
@examples(MANY)
def test_many_answers_are_as_documented(
    case: schemathesis.Case, server: Server, game: Game
) -> None:
    call(case, server, game)


def call(case: schemathesis.Case, server: Server, game: Game) -> None:
    """Send the request and check the answer against the document."""
    asked = {"base_url": server.url, "checks": CHECKS, "timeout": PATIENCE}
    case.call_and_validate(**asked)
    if "id" in case.path_parameters:  # again with a game that exists
        case.path_parameters["id"], cookies = game()
        case.call_and_validate(**asked, cookies=cookies)
