"""Who sends a request: the browser, by its signed cookie, and the address, by which limits count.

A browser is known by an id of 128 random bits with a signature, so that nobody can invent one. The
cookie may hold several of them, since a browser sends the same cookie to all servers of a machine,
whatever their port: each server finds its own and leaves the others alone.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from plywise.errors import SpecError
from plywise.web.errors import Refusal, TooMany
from plywise.web.limits import Buckets
from plywise.web.settings import MINUTE

COOKIE = "plywise"
ACCESS_COOKIE = "plywise-token"
FORM = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})")  #: an id and its signature
BETWEEN = "~"  #: between the ids of several servers
SERVERS = 4  #: how many of them are kept
GUESSES = 10  #: wrong tokens from one address, at once and a minute
HOUSEHOLD = 19  #: characters of a written-out IPv6 address: the /64, which one household may own


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


# Browsers, and the access token


def sign(key: bytes, text: str) -> str:
    """Return the signature of a text: 128 bits, in hexadecimal."""
    return hmac.digest(key, text.encode(), "sha256").hex()[:32]


class Visitor(NamedTuple):
    """A browser, and the cookie to give it if it has none that is signed."""

    client: str
    cookie: str | None = None


def visitor_of(headers: Headers, key: bytes) -> Visitor:
    """Return the browser that sent these headers, a new one if it is unknown."""
    parts = [part for part in _cookie(headers, COOKIE).split(BETWEEN) if FORM.fullmatch(part)]
    for part in parts:
        id, signature = part.split(".")
        if hmac.compare_digest(signature, sign(key, id)):
            return Visitor(id)
    id = secrets.token_hex(16)
    mine = f"{id}.{sign(key, id)}"
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


# Addresses


def read_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address; None for anything else."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def network_of(host: str) -> str:
    """Return the name under which an address is counted.

    >>> network_of("10.0.0.7"), network_of("::ffff:10.0.0.7"), network_of("2001:db8::7")
    ('10.0.0.7', '10.0.0.7', '2001:0db8:0000:0000')
    """
    address = read_address(host)
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped  # what a socket for both kinds says of an IPv4 address
        return address.exploded[:HOUSEHOLD] if mapped is None else str(mapped)
    return host if address is None else str(address)


def check_networks(networks: Iterable[str]) -> tuple[str, ...]:
    """Return addresses and networks; SpecError if one cannot be read."""
    found = tuple(networks)
    for each in found:
        try:
            ip_network(each)
        except ValueError:
            raise SpecError(
                f"{each!r} is not an address: write one such as 127.0.0.1 or 10.0.0.0/8"
            ) from None
    return found


def is_among(host: str, networks: Iterable[str]) -> bool:
    """True if an address is in one of these networks.

    >>> is_among("10.1.2.3", ["127.0.0.1", "10.0.0.0/8"]), is_among("::1", ["127.0.0.1"])
    (True, False)
    """
    address = read_address(host)
    return address is not None and any(address in ip_network(each) for each in networks)
