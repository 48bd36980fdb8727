"""Who sends a request: the browser, by its cookie, and the address, by which things are limited."""

from __future__ import annotations

from typing import NamedTuple

from starlette.types import Scope


class Caller(NamedTuple):
    """A browser at an address."""

    client: str  #: owns games and seats
    address: str  #: what counts for limits, since a new cookie costs nothing


NOBODY = Caller("", "")  #: the server itself, which has no limits


def caller_of(scope: Scope) -> Caller:
    """Return who sent a request, as identified by the guard."""
    caller = scope["state"]["caller"]
    assert isinstance(caller, Caller)
    return caller


def finish(scope: Scope) -> None:
    """Let a request run to its end even if its client leaves, since it changes a saved game."""
    scope["state"]["finish"] = True


def must_finish(scope: Scope) -> bool:
    """True if a request has to run to its end."""
    return bool(scope["state"].get("finish"))


def client_of(scope: Scope) -> str:
    """Return the browser that sent a request."""
    return caller_of(scope).client
