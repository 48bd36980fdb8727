"""How a connection becomes the socket of a live game."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import SecurityError

from plywise.web.connections import Connections
from plywise.web.errors import answer_bytes


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
        """Answer a handshake that cannot be read: the websockets package only stops reading."""
        super().data_received(data)
        failure = self.conn.handshake_exc
        if failure is None or self.handshake_initiated or self.transport.is_closing():
            return
        large = isinstance(failure, SecurityError) or isinstance(failure.__cause__, SecurityError)
        status, line = (431, "headers too large") if large else (400, "invalid handshake")
        self.transport.write(answer_bytes(status, f"{line}: {failure.__cause__ or failure}"))
        self.transport.close()
