"""Who is who: the signed cookie of a browser, and the access token of the server.

A browser is known by an id of 128 random bits with a signature, so that nobody can invent one. The
cookie may hold several of them, since a browser sends the same cookie to all servers of a machine,
whatever their port: each server finds its own and leaves the others alone.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from plywise.web.bucket import Buckets
from plywise.web.errors import Refusal, TooMany
from plywise.web.settings import MINUTE

COOKIE = "plywise"
ACCESS_COOKIE = "plywise-token"
FORM = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})")  #: an id and its signature
BETWEEN = "~"  #: between the ids of several servers
SERVERS = 4  #: how many of them are kept
GUESSES = 10  #: wrong tokens from one address, at once and a minute


def sign(key: bytes, text: str) -> str:
    """Return the signature of a text: 128 bits, in hexadecimal."""
    return hmac.digest(key, text.encode(), "sha256").hex()[:32]


@dataclass(frozen=True)
class Visitor:
    """A browser, and the cookie to give it if it has none that is signed."""

    client: str
    cookie: str | None = None


class Identities:
    """Reads and signs the ids of browsers."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, headers: Headers) -> Visitor:
        """Return the browser that sent these headers, a new one if it is unknown."""
        parts = [part for part in _cookie(headers, COOKIE).split(BETWEEN) if FORM.fullmatch(part)]
        for part in parts:
            id, signature = part.split(".")
            if hmac.compare_digest(signature, sign(self._key, id)):
                return Visitor(id)
        id = secrets.token_hex(16)
        mine = f"{id}.{sign(self._key, id)}"
        return Visitor(id, BETWEEN.join([*parts[1 - SERVERS :], mine]))


class Access:
    """The access token of a server, which lets nobody in without it; None lets everybody in.

    A browser brings it once, in the address of a page, and gets a cookie for it. A program sends
    it with every request.
    """

    def __init__(
        self, token: str | None, key: bytes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._token = token
        self.cookie = None if token is None else sign(key, f"token {token}")
        self._guesses = Buckets(GUESSES, GUESSES / MINUTE, clock)

    def enter(self, scope: Scope, headers: Headers, address: str) -> str | None:
        """Let a request in, or raise a Refusal.

        Returns where to send a browser that has brought the token in the address of a page.
        """
        if self._token is None or self.cookie is None:
            return None
        if _same(_cookie(headers, ACCESS_COOKIE), self.cookie):
            return None
        bearer = headers.get("authorization", "").partition(" ")[2].strip()
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = bearer or dict(asked).get("token", "")
        if not given:
            raise Refusal(
                "this server needs an access token: add ?token=TOKEN to its address, or send the "
                "header 'Authorization: Bearer TOKEN'",
                401,
            )
        if self._guesses.of(address).wait():
            raise TooMany("too many wrong access tokens: wait a minute", "wrong tokens")
        if not _same(given, self._token):
            self._guesses.of(address).take()
            raise Refusal("wrong access token", 401)
        if bearer:
            return None
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        path = "/" + str(scope["path"]).lstrip("/")  # never an address of another server
        return f"{path}?{rest}" if rest else path


def _cookie(headers: Headers, name: str) -> str:
    """The value of a cookie; empty if there is none."""
    found = [cookie_parser(line).get(name) for line in headers.getlist("cookie")]
    return next((value for value in found if value), "")


def _same(one: str, other: str) -> bool:
    """Compare secrets in a time that does not depend on where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
