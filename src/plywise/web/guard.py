"""The middleware that checks every request and every socket, and adds headers to every answer.

On the way in it checks the Host header (against DNS rebinding), where a request of the interface
comes from (against other sites in the same browser), the access token, the size of the body, and
how often an address asks and starts games. On the way out it adds security headers. It also
identifies the client, by a signed cookie that scripts cannot read.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from math import ceil
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from plywise.errors import PlywiseError
from plywise.web.caller import (
    ACCESS_COOKIE,
    COOKIE,
    Access,
    Caller,
    must_finish,
    network_of,
    read_address,
    visitor_of,
)
from plywise.web.errors import FAULT, Refusal, TooMany, brief, explain, log, refuse
from plywise.web.limits import Buckets, Throttle
from plywise.web.metrics import SECONDS, count_request, route_of
from plywise.web.settings import MINUTE, Settings

IMPORT = 4  #: how many times larger than other bodies that of an import may be
YEAR = 365 * 24 * 3600
#: The messages that an answer may begin with.
STARTS = frozenset(
    {"http.response.start", "websocket.http.response.start", "websocket.accept", "websocket.close"}
)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  #: methods that change nothing
OURSELVES = frozenset(
    {"same-origin", "none"}
)  #: Sec-Fetch-Site of a request from our own page, or from no page
PORTS = {"http": 80, "https": 443}
SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
FILE_COST = 0.2  #: what a file of the page costs, compared with a request of the interface
ASSETS = frozenset(
    {"/style.css", "/theme.css", "/manifest.webmanifest", "/worker.js", "/health", "/metrics"}
)
PICTURE_COST = 10.0  #: ... and a picture, which may take a second to draw

RULES = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": f"{RULES}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def embedded(embedders: tuple[str, ...]) -> dict[str, str]:
    """The headers of what the pages of these origins may show in a frame.

    >>> embedded(("https://blog.example",))["Content-Security-Policy"][-43:]
    "frame-ancestors 'self' https://blog.example"
    """
    allowed = " ".join(("'self'", *embedders))
    headers = {
        **HEADERS,
        "Content-Security-Policy": f"{RULES}; frame-ancestors {allowed}",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    del headers["X-Frame-Options"]  # it can only name one origin
    return headers


class Guard:
    """The ASGI middleware around the app."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        throttle: Throttle | None = None,
        key: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.settings = settings
        self.names = {name.lower() for name in ("localhost", settings.host, *settings.names)}
        each_minute = settings.games_per_minute
        self.new_games = Buckets(each_minute, each_minute / MINUTE, clock)
        self.throttle = throttle or throttle_of(settings)
        self.key = key or secrets.token_bytes(32)
        self.access = Access(settings.token, self.key, clock)
        self._heard = False  # of a proxy that is not believed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, pass it on, and add headers to the answer."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = Headers(scope=scope)
        answer = SendWithHeaders(scope, send, self._headers(scope["path"]))
        try:
            await self._let_in(scope, headers, answer)
            if answer.started:
                return  # it was sent elsewhere
            if scope["type"] == "http" and scope["method"] not in SAFE:
                body = await _read(receive, self._room(scope["path"]))
                if body is None:
                    return  # the client left before the whole body had arrived
                _check_content(headers, body)
                await self._watch(scope, _again(body, receive), answer)
            elif scope["type"] == "http" and scope["path"].startswith("/api/"):
                await self._watch(scope, receive, answer)
            else:
                await self.app(scope, receive, answer)
        except PlywiseError as error:
            # If the body was malformed, uvicorn has already answered: let it hang up first.
            await asyncio.sleep(0)
            await refuse(*explain(error))(scope, receive, answer)
        except WebSocketDisconnect:
            pass  # the client left
        except asyncio.CancelledError:  # only the end of the server cancels a request
            if not answer.started:
                await refuse(503, "the server is shutting down")(scope, receive, answer)
        except Exception as error:
            log.error("%s failed", scope["path"], exc_info=error)
            if not answer.started:
                await refuse(500, FAULT)(scope, receive, answer)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1011, "reason": FAULT})
        finally:
            if answer.started and scope["type"] == "http":
                SECONDS.add(route_of(scope), time.perf_counter() - started)

    def _headers(self, path: str) -> dict[str, str]:
        """The security headers of an answer."""
        embedders = self.settings.embedders
        return embedded(embedders) if embedders and path.startswith("/embed/") else HEADERS

    async def _let_in(self, scope: Scope, headers: Headers, answer: SendWithHeaders) -> None:
        """Find out who sends a request; raise a Refusal unless it may come in."""
        host = str((scope.get("client") or ("",))[0])
        address = network_of(host)
        if "x-forwarded-for" in headers:
            self._hear_of_proxy(host)
        await self.throttle.wait(address, _cost(scope["path"]))
        self._check(scope, headers)
        place = self.access.enter(scope, headers, address)
        visitor = visitor_of(headers, self.key)
        caller = Caller(visitor.client, address)
        scope["state"] = {**scope.get("state", {}), "caller": caller}
        if visitor.cookie is not None and not _is_asset(scope["path"]):
            answer.give(COOKIE, visitor.cookie)
        if place is not None and self.access.cookie is not None:
            answer.give(ACCESS_COOKIE, self.access.cookie)
            if scope["type"] == "http":
                await RedirectResponse(place, 303)(scope, _nothing, answer)
                return
        if scope["type"] == "http" and _makes_game(scope):
            wait = self.new_games.of(address).take()
            if wait:
                line = f"too many new games from this address: wait {ceil(wait)} s"
                raise TooMany(line, "new games")

    def _hear_of_proxy(self, host: str) -> None:
        """Say once that a proxy is not believed, since all its visitors count as one."""
        if not self.settings.proxies and not self._heard:
            self._heard = True
            log.warning(
                "X-Forwarded-For from %s is ignored, so its visitors count as one: if it is your "
                "proxy, start the server with --proxy %s",
                brief(host),
                brief(host),
            )

    async def _watch(self, scope: Scope, receive: Receive, answer: SendWithHeaders) -> None:
        """Run the app on a request. If the client leaves, so does the app.

        Only what happens to saved games is finished in any case.
        """
        work = asyncio.ensure_future(self.app(scope, receive, answer))
        left = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({work, left}, return_when=asyncio.FIRST_COMPLETED)
            if answer.started or work.done() or not left.done() or must_finish(scope):
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
        # No site can point an IP address at another machine, unlike a name.
        if host is None or not (host in self.names or read_address(host)):
            known = ", ".join(sorted(self.names))
            raise Refusal(
                f"unknown host {hosts[0]!r}: use an IP address or one of these names: {known}; "
                "'plywise serve --name NAME' adds a name",
                421,
            )
        if scope["type"] == "http" and scope["method"] in SAFE and not _is_guarded(scope, headers):
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

    def _room(self, path: str) -> int:
        """The largest body allowed at a path, in bytes."""
        return self.settings.body_bytes * (IMPORT if path == "/api/games/import" else 1)


class SendWithHeaders:
    """A `send` that counts the answer, and adds headers, and cookies if the client needs them."""

    def __init__(self, scope: Scope, send: Send, headers: dict[str, str]) -> None:
        self.scope = scope
        self.send = send
        self.headers = headers
        self.started = False
        self.cache = "no-store" if scope["path"].startswith("/api/") else "no-cache"
        self.cookies: list[str] = []
        self._secure = "; Secure" if SCHEMES[scope["scheme"]] == "https" else ""

    def give(self, name: str, value: str) -> None:
        """Set a cookie that scripts cannot read and other sites cannot use."""
        kept = f"Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{self._secure}"
        self.cookies.append(f"{name}={value}; {kept}")

    async def __call__(self, message: Message) -> None:
        """Send a message; the first one of the answer is counted and carries the headers."""
        if not self.started and message["type"] in STARTS:
            self.started = True
            count_request(self.scope, message)
        if message["type"] in STARTS and message["type"] != "websocket.close":
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            if message["type"] != "websocket.accept":
                for name, value in self.headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", self.cache)
                if message.get("status") == 401:
                    headers["WWW-Authenticate"] = "Bearer"
            for cookie in self.cookies:
                headers.append("Set-Cookie", cookie)
            message = {**message, "headers": headers.raw}
        await self.send(message)


def _host(header: str) -> str | None:
    """The name in a Host header, without the port; None if it cannot be read.

    >>> _host("[::1]:8765"), _host("LOCALHOST:80"), _host("a b")
    ('::1', 'localhost', None)
    """
    found = re.fullmatch(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{1,5})?", header.lower())
    return None if found is None else found[1] or found[2].removesuffix(".")


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


def _is_guarded(scope: Scope, headers: Headers) -> bool:
    """True for a read of the interface, unless somebody follows a link or types its address."""
    return scope["path"].startswith("/api/") and headers.get("sec-fetch-mode") != "navigate"


def _is_asset(path: str) -> bool:
    """True for what pages share and what machines ask for, which names nobody."""
    shared = path.startswith(("/static/", "/embed/", "/api/pictures/", "/icon-"))
    return shared or path in ASSETS


def throttle_of(settings: Settings) -> Throttle:
    """Make the throttle of a server; requests and frames share it."""
    return Throttle(
        settings.requests_at_once, settings.requests_per_second, settings.throttle_seconds
    )


def _cost(path: str) -> float:
    if path.startswith("/api/pictures/"):
        return PICTURE_COST
    return 1.0 if path.startswith("/api/") else FILE_COST


def _makes_game(scope: Scope) -> bool:
    path: str = scope["path"]
    games = path in ("/api/games", "/api/games/import") or path.endswith("/rematch")
    return scope["method"] == "POST" and games


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


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


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
