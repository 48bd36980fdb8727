"""The middleware that checks every request and every socket, and adds headers to every answer.

On the way in it checks the Host header (against DNS rebinding), the Origin of writes (against other
sites in the same browser), the size of the body, and how often an address starts games. On the way
out it adds security headers. It also identifies the client, by a cookie that scripts cannot read.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable
from ipaddress import ip_address
from math import ceil
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from plywise.web.addresses import network_of
from plywise.web.bucket import Buckets, Throttle
from plywise.web.caller import Caller, caller_of
from plywise.web.errors import FAULT, Refusal, TooMany, brief, refuse
from plywise.web.settings import MINUTE, Settings

COOKIE = "plywise"
YEAR = 365 * 24 * 3600
CLIENT = re.compile(r"[0-9a-f]{32}")  #: 128 random bits
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  #: methods that change nothing
OURSELVES = frozenset(
    {"same-origin", "none"}
)  #: Sec-Fetch-Site of a request from our own page, or from no page
PORTS = {"http": 80, "https": 443}
SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
CHEAP = 0.2  #: what a file of the page costs, compared with a request of the interface

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

log = logging.getLogger("plywise.web")


class Guard:
    """The ASGI middleware around the app."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        throttle: Throttle | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.settings = settings
        self.names = {name.lower() for name in ("localhost", settings.host, *settings.names)}
        each_minute = settings.games_per_minute
        self.new_games = Buckets(each_minute, each_minute / MINUTE, clock)
        self.throttle = throttle or throttle_of(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, pass it on, and add headers to the answer."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        known = _client(headers)
        client = known or secrets.token_hex(16)
        host = (scope.get("client") or ("",))[0]
        caller = Caller(client, network_of(str(host)))
        scope["state"] = {**scope.get("state", {}), "caller": caller}
        answer = Dressed(scope, send, None if known else client)
        try:
            await self.throttle.wait(caller.address, _cost(scope["path"]))
            self._check(scope, headers)
            if scope["type"] == "http" and scope["method"] not in SAFE:
                body = await _read(receive, self._room(scope["path"]))
                if body is None:
                    return  # the client left before the whole body had arrived
                _check_content(headers, body)
                await self._finish(scope, body, receive, answer)
            else:
                await self.app(scope, receive, answer)
        except Refusal as refusal:
            # If the body was malformed, uvicorn has already answered: let it hang up first.
            await asyncio.sleep(0)
            await refuse(refusal.status, brief(str(refusal)))(scope, receive, answer)
        except WebSocketDisconnect:
            pass  # the client left
        except Exception as error:
            log.error("%s failed", scope["path"], exc_info=error)
            if not answer.started:
                await refuse(500, FAULT)(scope, receive, answer)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1011, "reason": FAULT})

    async def _finish(self, scope: Scope, body: bytes, receive: Receive, answer: Dressed) -> None:
        """Run the app on a request with a body. If the client leaves, so does the app.

        Only what happens to saved games is finished in any case.
        """
        receive = _again(body, receive)
        if scope["path"].startswith("/api/games"):
            await self.app(scope, receive, answer)
            return
        work = asyncio.ensure_future(self.app(scope, receive, answer))
        left = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({work, left}, return_when=asyncio.FIRST_COMPLETED)
            if answer.started or work.done() or not left.done():
                await work
        finally:
            for task in (work, left):
                task.cancel()
            await asyncio.wait({work, left})

    def _check(self, scope: Scope, headers: Headers) -> None:
        """Raise a Refusal unless the request is for this server and comes from its own page."""
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            raise Refusal("a request must have exactly one Host header", 400)
        host = _host(hosts[0])
        if host is None or not (host in self.names or _is_address(host)):
            known = ", ".join(sorted(self.names))
            raise Refusal(
                f"unknown host {hosts[0]!r}: use an IP address or one of these names: {known}; "
                "'plywise serve --name NAME' adds a name",
                421,
            )
        if scope["type"] == "http" and scope["method"] in SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and not _same(origin, scope["scheme"], hosts[0]):
            raise Refusal(
                f"origin {origin!r} is not allowed: only the server's own page may do this", 403
            )
        if headers.get("sec-fetch-site", "none") not in OURSELVES:
            raise Refusal(
                "other sites are not allowed: only the server's own page may do this", 403
            )
        if scope["type"] == "http" and _makes_game(scope):
            wait = self.new_games.of(caller_of(scope).address).take()
            if wait:
                raise TooMany(f"too many new games from this address: wait {ceil(wait)} s")

    def _room(self, path: str) -> int:
        """The largest body allowed at a path, in bytes."""
        wide = path == "/api/games/import"
        return self.settings.import_bytes if wide else self.settings.body_bytes


class Dressed:
    """A `send` that adds the headers, and the cookie if the client has none."""

    def __init__(self, scope: Scope, send: Send, cookie: str | None) -> None:
        self.send = send
        self.started = False
        path: str = scope["path"]
        asset = path.startswith("/static/") or path == "/theme.css"
        self.cache = "no-store" if path.startswith("/api/") else "no-cache"
        self.cookie = None
        if cookie is not None and not asset:
            secure = "; Secure" if SCHEMES[scope["scheme"]] == "https" else ""
            kept = f"Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
            self.cookie = f"{COOKIE}={cookie}; {kept}"

    async def __call__(self, message: Message) -> None:
        """Send a message; the first one of the answer carries the headers."""
        if message["type"] in (
            "http.response.start",
            "websocket.accept",
            "websocket.http.response.start",
        ):
            self.started = True
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            if message["type"] != "websocket.accept":
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", self.cache)
            if self.cookie is not None:
                headers.append("Set-Cookie", self.cookie)
            message = {**message, "headers": headers.raw}
        elif message["type"] == "websocket.close":
            self.started = True
        await self.send(message)


def _client(headers: Headers) -> str | None:
    """The client named by the cookie, if it is a valid one."""
    for line in headers.getlist("cookie"):
        value = cookie_parser(line).get(COOKIE)
        if value is not None and CLIENT.fullmatch(value):
            return value
    return None


def _host(header: str) -> str | None:
    """The name in a Host header, without the port; None if it cannot be read.

    >>> _host("[::1]:8765"), _host("LOCALHOST:80"), _host("a b")
    ('::1', 'localhost', None)
    """
    found = re.fullmatch(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{1,5})?", header.lower())
    return None if found is None else found[1] or found[2].removesuffix(".")


def _is_address(host: str) -> bool:
    """True for an IP address. Unlike a name, no site can point one at another machine."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _same(origin: str, scheme: str, host: str) -> bool:
    """True if a page's origin is this server, possibly behind a proxy that speaks https.

    >>> _same("http://127.0.0.1:8765", "ws", "127.0.0.1:8765")
    True
    >>> _same("http://127.0.0.1:8000", "http", "127.0.0.1:8765"), _same("null", "http", "null")
    (False, False)
    """
    try:
        found = urlsplit(origin.lower())
        allowed = {SCHEMES[scheme], "https"}
        if found.scheme not in allowed or found.path or found.query or found.fragment:
            return False
        here = urlsplit(f"{found.scheme}://{host.lower()}")
        port = PORTS[found.scheme]
        ours = here.hostname, here.port or port
        return (found.hostname, found.port or port) == ours and "@" not in found.netloc
    except ValueError:
        return False


def throttle_of(settings: Settings) -> Throttle:
    """Make the throttle of a server; requests and frames share it."""
    return Throttle(
        settings.requests_at_once, settings.requests_per_second, settings.throttle_seconds
    )


def _cost(path: str) -> float:
    return 1.0 if path.startswith("/api/") else CHEAP


def _makes_game(scope: Scope) -> bool:
    return scope["method"] == "POST" and scope["path"] in ("/api/games", "/api/games/import")


async def _read(receive: Receive, room: int) -> bytes | None:
    """Read the whole body; a Refusal if it is too large, None if the client left."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > room:
            raise Refusal(f"request body too large (limit {room:,} bytes)", 413)
        more = message.get("more_body", False)
    return b"".join(parts)


async def _left(receive: Receive) -> None:
    """Wait until the client leaves, or has its answer."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body once more, and then whatever follows."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _check_content(headers: Headers, body: bytes) -> None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise Refusal(f"the content type is {kind or 'missing'}: send application/json", 415)
