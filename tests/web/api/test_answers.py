"""Answers are written by their schemas, and the document says what they say."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient

from plywise.web.api.answers import ready
from plywise.web.api.schemas import Error, Shape, written
from tests.web.api.test_schema import document
from tests.web.steps import fits


def test_what_the_schema_does_not_have_is_not_sent() -> None:
    assert written(Error, {"error": "no", "secret": 1}) == b'{"error":"no"}'
    assert ready(Error, {"error": "no", "secret": 1}).plain == b'{"error":"no"}'


def test_a_shape_may_have_more() -> None:
    shape = {"kind": "circle", "id": "a1", "roles": ["stone"], "at": [1.5, 2.0], "radius": 0.4}
    assert json.loads(written(Shape, shape)) == shape


def test_an_answer_that_does_not_fit_fails_a_test() -> None:
    with pytest.raises(UserWarning, match="serialized value may not be as expected"):
        written(Error, {"error": 5})
    with pytest.raises(AssertionError):
        fits(Error, {"error": "no", "secret": 1})


def test_letters_of_all_kinds() -> None:
    assert (
        written(Error, {"error": "\u2026 \U0001f4a5"}).decode() == '{"error":"\u2026 \U0001f4a5"}'
    )


def test_every_reference_of_the_document_leads_somewhere() -> None:
    found = document()
    names = {
        part.partition('"')[0] for part in json.dumps(found).split("#/components/schemas/")[1:]
    }
    assert names <= set(found["components"]["schemas"])
    assert {"Position", "Game", "Kinds", "Puzzle", "Arena", "Error"} <= names


def test_the_document_is_made_once(client: TestClient) -> None:
    first, second = (client.get("/api/openapi.json").json() for _ in range(2))
    assert first == second
    assert first["paths"]["/api/games"]["post"]["responses"]["201"]["content"] == {
        "application/json": {"schema": {"$ref": "#/components/schemas/Game"}}
    }
