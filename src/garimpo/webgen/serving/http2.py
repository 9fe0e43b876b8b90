"""HTTP/2 for the made web: a tiny protocol on top of the package h2, without faults."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from garimpo.contract.errors import GarimpoError
from garimpo.webgen.serving.packed import Pages
from garimpo.webgen.serving.server import Log


class Http2(asyncio.Protocol):
    """One client that speaks HTTP/2."""

    def __init__(self, pages: Pages, log: Log) -> None:
        try:
            from h2.config import H2Configuration
            from h2.connection import H2Connection
        except ImportError:
            raise GarimpoError("serving HTTP/2 needs the package h2 (pip install 'garimpo[test]')") from None
        self._pages, self._log = pages, log
        self._connection = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._waiting: dict[int, bytes] = {}
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connection.initiate_connection()
        self._flush()

    def data_received(self, data: bytes) -> None:
        from h2.events import RequestReceived, StreamReset, WindowUpdated
        from h2.exceptions import ProtocolError

        try:
            for event in self._connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    self._answer(event.stream_id, dict(event.headers))
                elif isinstance(event, StreamReset):
                    self._waiting.pop(event.stream_id, None)
                elif isinstance(event, WindowUpdated):
                    self._send_waiting()
        except ProtocolError:
            self._flush()
            self._transport.close()
            return
        self._flush()

    def _answer(self, stream: int, headers: dict[str, str]) -> None:
        host, target = headers.get(":authority", "").partition(":")[0].lower(), headers.get(":path", "/")
        place = host + target
        reply = self._pages.reply(place, self._pages.visit(place))
        self._log.add(time.time(), host, target, reply.status)
        said = [
            (":status", str(reply.status)),
            ("content-type", reply.kind.decode()),
            ("content-length", str(len(reply.body))),
        ]
        if reply.location:
            said.append(("location", reply.location))
        empty = headers.get(":method") == "HEAD" or not reply.body
        self._connection.send_headers(stream, said, end_stream=empty)
        if not empty:
            self._waiting[stream] = reply.body
            self._send_waiting()

    def _send_waiting(self) -> None:
        """Send what the client's windows let through; the rest waits for them to open."""
        for stream in list(self._waiting):
            body = self._waiting[stream]
            while body:
                room = min(self._connection.local_flow_control_window(stream), self._connection.max_outbound_frame_size)
                if room <= 0:
                    break
                self._connection.send_data(stream, body[:room], end_stream=len(body) <= room)
                body = body[room:]
            if body:
                self._waiting[stream] = body
            else:
                del self._waiting[stream]

    def _flush(self) -> None:
        self._transport.write(self._connection.data_to_send())


class Secure(asyncio.Protocol):
    """A TLS client: speaks HTTP/2 or HTTP/1.1, as the handshake agreed."""

    def __init__(self, plain: Callable[[], asyncio.Protocol], pages: Pages, log: Log) -> None:
        self._plain, self._pages, self._log = plain, pages, log
        self._inner: asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        agreed: Any = transport.get_extra_info("ssl_object")
        modern = agreed is not None and agreed.selected_alpn_protocol() == "h2"
        self._inner = Http2(self._pages, self._log) if modern else self._plain()
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)
