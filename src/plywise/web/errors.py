"""Errors as a status and one line of text, the same for requests and for the socket."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from plywise.core.analysis import Cancelled
from plywise.errors import AgentError, PlywiseError, suggest
from plywise.play.records.game_record import one_line
from plywise.play.records.store import Damaged, NoSuchGame, StoreConflict, StoreError
from plywise.play.session import SessionError
from plywise.web.metrics import DATABASE_ERRORS, REFUSALS

#: What to call a refusal in the metrics, by its status.
REASONS = {
    400: "malformed",
    401: "token",
    403: "forbidden",
    404: "not found",
    405: "method",
    408: "timeout",
    409: "not now",
    413: "too large",
    415: "content type",
    421: "host",
    422: "invalid",
    429: "too many",
    431: "headers",
    500: "fault",
    503: "unavailable",
}
LONGEST = 400  #: characters of a message, since parts of a request may be echoed in it
DAMAGED = "its record is damaged, or needs a game or an agent that is not installed here"
FAULT = "something went wrong on the server; the error has been logged"

log = logging.getLogger("plywise.web")
T = TypeVar("T")


class Refusal(PlywiseError):
    """A request that is refused, with an HTTP status and a reason for the metrics."""

    status = 422

    def __init__(self, message: str, status: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.status = status or self.status
        self.reason = reason or REASONS.get(self.status, str(self.status))


class NotFound(Refusal):
    """What the request names does not exist."""

    status = 404


class Forbidden(Refusal):
    """It exists, but this client may not use it."""

    status = 403


class NotNow(Refusal):
    """Not possible in the current state, for example because the game is over or has moved on."""

    status = 409


class Changed(NotNow):
    """Another server has changed the game first."""


class TooMany(Refusal):
    """One client, or all together, asked for too much at once; `what` says of what."""

    def __init__(self, message: str, what: str = "") -> None:
        super().__init__(message, 429, f"too many {what}".rstrip())


def explain(error: BaseException) -> tuple[int, str]:
    """Return the status and message for an exception. It is counted; internal errors are logged.

    >>> explain(Refusal("there is no game 'x'", 404))
    (404, "there is no game 'x'")
    """
    status, line = _explain(error)
    REFUSALS.add(error.reason if isinstance(error, Refusal) else REASONS[status])
    return status, line


def _explain(error: BaseException) -> tuple[int, str]:
    if isinstance(error, Cancelled):  # the client is still there, so the server must be closing
        return 503, "the server is shutting down"
    if isinstance(error, SessionError | StoreConflict):
        return 409, brief(str(error))
    if isinstance(error, StoreError):
        error = broken(error)
    if isinstance(error, Refusal):
        return error.status, brief(str(error))
    if isinstance(error, PlywiseError) and not isinstance(error, AgentError):
        return 422, brief(str(error))
    log.error("a request failed", exc_info=error)
    return 500, FAULT


@contextmanager
def refusing() -> Iterator[None]:
    """Turn errors of the store into refusals; see `broken`."""
    try:
        yield
    except StoreError as error:
        raise broken(error) from None


def broken(error: StoreError) -> Refusal:
    """Return the error for a game that is not there or damaged, or for a failing store.

    The details are only logged.
    """
    if isinstance(error, NoSuchGame):
        return NotFound(str(error))
    if isinstance(error, Damaged):
        log.warning("%s", error)
        return Refusal(f"this game cannot be opened: {DAMAGED}", 422)
    DATABASE_ERRORS.add()
    log.error("the store failed: %s", error)
    return Refusal("games cannot be saved at the moment: try again later", 503)


def brief(text: str) -> str:
    """Put a message on one line and shorten it."""
    text = one_line(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def refuse(status: int, message: str) -> JSONResponse:
    """Return an error response."""
    return JSONResponse({"error": message}, status)


def answer_bytes(status: int, message: str) -> bytes:
    """Return the same response as it goes over the wire, for connections that have no request.

    >>> answer_bytes(408, "too slow").splitlines()[0]
    b'HTTP/1.1 408 Request Timeout'
    """
    body = refuse(status, brief(message)).body
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + bytes(body)


def one_of(what: str, name: str, known: Mapping[str, T]) -> T:
    """Return what has this name; NotFound with the nearest known one if there is none."""
    if name not in known:
        raise NotFound(f"there is no {what} {name!r}: {suggest(name, known)}")
    return known[name]


def register(app: FastAPI) -> None:
    """Make the app answer errors of the framework in one line of JSON; the guard answers others."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, answer_http)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    REFUSALS.add(REASONS[422])
    return refuse(422, what_is_wrong(error.errors()))


def what_is_wrong(errors: Any) -> str:
    """Return the first validation error of pydantic in plain words."""
    first = errors[0]
    kind, places = first["type"], [str(part) for part in first["loc"]]
    if kind == "json_invalid":
        return "request body is not valid JSON"
    place = ".".join(places[1:]) or places[0]
    if kind == "missing":
        return brief(f"{place} is missing")
    if kind == "extra_forbidden":
        return brief(f"unknown field {place!r}")
    said = brief(str(first["msg"]))
    return brief(f"{place}: {said[:1].lower()}{said[1:]}, got {_shown(first.get('input'))}")


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 60 else f"{text[:56]} ..."


async def answer_http(request: Request, error: Exception) -> Response:
    """Answer an error that the framework itself raises."""
    assert isinstance(error, HTTPException)
    method, path = request.method, request.url.path
    words = {
        404: f"there is nothing at {path!r}",
        405: f"method {method} is not allowed at {path!r}",
    }
    answer = refuse(error.status_code, brief(words.get(error.status_code, str(error.detail))))
    answer.headers.update(error.headers or {})
    return answer
