"""Connections: how long a client may take over a request, and how many each address may have.

uvicorn waits for ever for the rest of a request, and for a client that does not read its answer.
Here every connection is looked at once in a while; one that stays in the same state for too long
is closed. Sockets of live games are only counted, and closed if they are not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from plywise.web.caller import is_among, network_of
from plywise.web.errors import REASONS, answer_bytes
from plywise.web.limits import Buckets
from plywise.web.metrics import REFUSALS
from plywise.web.settings import Settings, share

UNREAD = 30.0  #: seconds that a client may leave an answer unread; a phone may sleep for some
CLOSING = 5.0  #: seconds that a closed connection may take to go
LOOKS = 4  #: how often to look at a connection within the shortest limit
WAITING = ("head", "body")  #: states in which a connection waits for its client

#: What a connection is doing, with numbers that change when it makes progress.
State = tuple[str, int]


@dataclass
class Connection:
    """One open connection."""

    transport: asyncio.Transport
    address: str
    state: State = ("", 0)
    since: float = 0.0  #: when it got into this state


class Connections:
    """All open connections of a server, by address. Used on the event loop."""

    def __init__(self, settings: Settings, most: int) -> None:
        self.most = most
        self.most_each = share(most)
        self._proxies = settings.proxies
        self._limits = {
            "head": settings.head_seconds,
            "body": settings.body_seconds,
            "unread": UNREAD,
            "closing": CLOSING,
        }
        self._new = Buckets(settings.connections_at_once, settings.connections_per_second)
        self._pause = min(1.0, min(self._limits.values()) / LOOKS)
        self._open: dict[asyncio.Transport, Connection] = {}
        self._by_address: dict[str, dict[asyncio.Transport, Connection]] = {}  # the oldest first
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def admits(self, host: str) -> bool:
        """True unless an address makes new connections too fast; asked before anything is made."""
        if is_among(host, self._proxies) or not self._new.of(network_of(host)).take():
            return True
        REFUSALS.add("too many new connections")
        return False

    def enter(self, transport: asyncio.Transport) -> bool:
        """Count a new connection; False if there is no room for it.

        One that waits for its client makes room: of the same address if that has too many, else
        of the address that has most.
        """
        host, _ = get_remote_addr(transport) or ("", 0)
        address = network_of(host)
        mine = self._by_address.get(address, {})
        crowd: list[dict[asyncio.Transport, Connection]] | None = None
        if len(mine) >= self.most_each and not is_among(host, self._proxies):
            crowd = [mine]
        elif len(self._open) >= self.most:
            crowd = sorted(self._by_address.values(), key=len, reverse=True)
        if crowd is not None and not any(map(self._make_room, crowd)):
            return False
        loop = asyncio.get_running_loop()
        connection = Connection(transport, address, since=loop.time())
        self._open[transport] = connection
        self._by_address.setdefault(address, {})[transport] = connection
        if self._timer is None:
            self._timer = loop.call_later(self._pause, self._look, loop)
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection, if it is still known."""
        connection = self._open.pop(transport, None)
        if connection is not None:
            mine = self._by_address[connection.address]
            del mine[transport]
            if not mine:
                del self._by_address[connection.address]

    def _make_room(self, connections: dict[asyncio.Transport, Connection]) -> bool:
        """Close the oldest connection that waits for its client; False if there is none."""
        for transport in connections:
            if _state(transport)[0] in WAITING:
                self.leave(transport)
                transport.abort()
                return True
        return False

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close every connection that has been in the same state for too long."""
        now = loop.time()
        for connection in list(self._open.values()):
            state = _state(connection.transport)
            if state != connection.state:
                connection.state, connection.since = state, now
            elif now - connection.since >= self._limits.get(state[0], float("inf")):
                protocol = connection.transport.get_protocol()
                if isinstance(protocol, Requests) and state[0] in WAITING:
                    protocol.give_up(state[0])
                else:
                    connection.transport.abort()
        self._timer = loop.call_later(self._pause, self._look, loop) if self._open else None


def _state(transport: asyncio.Transport) -> State:
    """What a connection is doing; an empty word if the server is at work, or a socket is open."""
    if transport.is_closing():
        return "closing", 0
    if waiting := transport.get_write_buffer_size():
        return "unread", waiting
    protocol = transport.get_protocol()
    return protocol.state if isinstance(protocol, Requests) else ("", 0)


class Requests(H11Protocol):
    """The HTTP protocol of uvicorn, with its connections counted and timed."""

    counted: ClassVar[Connections]
    requests = 0  # so far, on this connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or send it away."""
        super().connection_made(transport)
        if not self.counted.enter(transport):
            self._refuse(429, "too many connections from this address: close some first")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.counted.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come in, unless the connection is being closed."""
        if not self.transport.is_closing():
            super().data_received(data)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Count the request, then hand the connection to the socket's protocol."""
        self.requests += 1
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Count the request: the next one has its own time."""
        self.requests += 1
        super().on_response_complete()

    @property
    def state(self) -> State:
        """Whether the head or the body of a request is on its way, and of which one."""
        theirs = self.conn.their_state
        doing = "head" if theirs is h11.IDLE else "body" if theirs is h11.SEND_BODY else ""
        return doing, self.requests

    def give_up(self, doing: str) -> None:
        """Close a connection whose request does not arrive; an answer if one has begun."""
        answering = self.cycle is not None and self.cycle.response_started
        if doing == "body" and not answering:
            self._refuse(408, "the request body did not arrive in time")
        elif doing == "head" and self.conn.trailing_data[0]:
            self._refuse(408, "the request did not arrive in time")
        else:
            self.transport.close()

    def _refuse(self, status: int, line: str) -> None:
        REFUSALS.add("too many connections" if status == 429 else REASONS[status])
        self.transport.write(answer_bytes(status, line))
        self.transport.close()


def protocols(connections: Connections) -> dict[str, Any]:
    """Return the protocols for a server with these connections, as settings of uvicorn."""
    requests = type("Requests", (Requests,), {"counted": connections})
    return {"http": requests, "ws": lambda **given: _handshakes()(connections, **given)}


@cache
def _handshakes() -> Callable[..., Any]:
    """Return the protocol of sockets.

    It is imported when the first one is opened: no page needs it before it is shown.
    """
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.exceptions import SecurityError

    class Handshakes(WebSocketsSansIOProtocol):
        """The WebSocket protocol of uvicorn, which answers every handshake and forgets nobody."""

        def __init__(self, counted: Connections, **given: Any) -> None:
            super().__init__(**given)
            self.counted = counted

        def connection_lost(self, exc: Exception | None) -> None:
            """Forget the connection."""
            self.counted.leave(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            """Answer a handshake that cannot be read: websockets only stops reading."""
            super().data_received(data)
            failure = self.conn.handshake_exc
            if failure is None or self.handshake_initiated or self.transport.is_closing():
                return
            reason = failure.__cause__ or failure
            large = isinstance(failure, SecurityError) or isinstance(reason, SecurityError)
            status, line = (431, "headers too large") if large else (400, "invalid handshake")
            self.transport.write(answer_bytes(status, f"{line}: {reason}"))
            self.transport.close()

    return Handshakes
