"""The server: every host of a world by its name, on loopback only, on one port.

A hand-written HTTP/1.1 protocol: requests may be pipelined, connections stay open. Every answer is a line of the access log
(time, host, target, status, between tabs; status 0 where the connection was cut), written at latest a twentieth of a second
later.
"""

import asyncio
import socket
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from garimpo.contract.errors import BadInput
from garimpo.webgen.serving.packed import Pages, Reply
from garimpo.webgen.store import load
from garimpo.webgen.world.faults import Faults, Trouble, habits

LOG_DELAY = 0.05
LONGEST_REQUEST = 65_536
REASONS = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


class Log:
    """The access log; lines wait a moment so that many are written at once."""

    def __init__(self, file: BinaryIO, loop: asyncio.AbstractEventLoop) -> None:
        self._file, self._loop = file, loop
        self._lines: list[str] = []

    def add(self, now: float, host: str, target: str, status: int) -> None:
        if not self._lines:
            self._loop.call_later(LOG_DELAY, self.flush)
        self._lines.append(f"{now:.6f}\t{host}\t{target}\t{status}\n")

    def flush(self) -> None:
        self._file.write("".join(self._lines).encode("utf-8", "replace"))
        self._file.flush()
        self._lines.clear()


class Connection(asyncio.Protocol):
    """One client. Answers go out in the order of the requests, also when one of them is slow."""

    def __init__(self, pages: Pages, log: Log, trouble: Trouble) -> None:
        self._pages, self._log, self._trouble = pages, log, trouble
        self._data = b""
        self._waiting = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not transport.get_extra_info("sockname")[0].startswith("127."):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._data += data
        if len(self._data) > LONGEST_REQUEST:
            self._transport.abort()
            return
        self._serve()

    def _serve(self) -> None:
        while not self._waiting and not self._transport.is_closing():
            head, found, rest = self._data.partition(b"\r\n\r\n")
            if not found:
                return
            self._data = rest
            self._request(head)

    def _request(self, head: bytes) -> None:
        lines = head.decode("latin-1").split("\r\n")
        method, _, rest = lines[0].partition(" ")
        target, _, version = rest.rpartition(" ")
        host, closing = "", version == "HTTP/1.0"
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if len(name) == 4 and name.lower() == "host":
                host = value.strip().partition(":")[0].lower()
            elif len(name) == 10 and name.lower() == "connection":
                closing = value.strip().lower() == "close"
        if target.startswith("http://"):
            target = "/" + target[7:].partition("/")[2]
        now = time.time()
        if method not in ("GET", "HEAD") or not target.startswith("/") or not host:
            self._log.add(now, host or "-", target or "-", 400)
            self._send(Reply(400, b"bad request\n", b"text/plain"), method == "HEAD", True)
            return
        self._answer(now, host, target, method == "HEAD", closing)

    def _answer(self, now: float, host: str, target: str, head: bool, closing: bool) -> None:
        place = host + target
        visits = self._pages.visit(place)
        fault, delay = self._trouble.of(host, place, visits, now)
        if fault == "reset":
            self._log.add(now, host, target, 0)
            self._transport.abort()
            return
        if fault in ("flaky", "busy"):
            reply = Reply(503 if fault == "flaky" else 429, b"try again later\n", b"text/plain", retry_after=1)
        else:
            reply = self._pages.reply(place, visits)
        self._log.add(now, host, target, reply.status)
        if fault == "slow":
            self._later(delay, lambda: self._send(reply, head, closing))
        elif fault in ("cut", "length") and reply.body:
            self._send_wrong(reply, head, fault)
        else:
            self._send(reply, head, closing)

    def _later(self, delay: float, send: Callable[[], None]) -> None:
        def resume() -> None:
            self._waiting = False
            if not self._transport.is_closing():
                send()
                self._serve()

        self._waiting = True
        asyncio.get_running_loop().call_later(delay, resume)

    def _head(self, reply: Reply, length: int, closing: bool) -> bytes:
        extra = b"Connection: close\r\n" if closing else b""
        if reply.location:
            extra += b"Location: " + reply.location.encode() + b"\r\n"
        if reply.retry_after:
            extra += b"Retry-After: %d\r\n" % reply.retry_after
        return b"%bContent-Type: %b\r\nContent-Length: %d\r\n%b\r\n" % (REASONS[reply.status], reply.kind, length, extra)

    def _send(self, reply: Reply, head: bool, closing: bool) -> None:
        start = self._head(reply, len(reply.body), closing)
        self._transport.write(start if head else start + reply.body)
        if closing:
            self._transport.close()

    def _send_wrong(self, reply: Reply, head: bool, fault: str) -> None:
        """Half the body, or less than the stated length; then the connection ends."""
        length = len(reply.body) + (100 if fault == "length" else 0)
        body = reply.body[: len(reply.body) // 2] if fault == "cut" else reply.body
        start = self._head(reply, length, True)
        self._transport.write(start if head else start + body)
        self._transport.close()


def listen(port: int) -> socket.socket:
    """A socket that hears all of 127.0.0.0/8 and nothing from outside this machine."""
    if not 0 <= port <= 65_535:
        raise BadInput(f"port {port}: not in 0 to 65535")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    address = "127.0.0.1"
    if hasattr(socket, "SO_BINDTODEVICE"):
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo")
            address = "0.0.0.0"
        except OSError:
            address = "127.0.0.1"
    try:
        listener.bind((address, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise BadInput(f"port {port}: {error.strerror or error}") from None
    return listener


async def run(
    folder: Path, listener: socket.socket, faults: Faults, log_path: Path, ready: Callable[[int], None], tls: bool
) -> None:
    """Serve until cancelled."""
    pages = Pages(folder)
    trouble = Trouble(pages.seed, faults, habits(pages.world))
    loop = asyncio.get_running_loop()
    with log_path.open("ab") as file:
        log = Log(file, loop)
        server = await (_secure if tls else _plain)(folder, listener, pages, log, trouble)
        ready(listener.getsockname()[1])
        try:
            await server.serve_forever()
        finally:
            log.flush()


async def _plain(folder: Path, listener: socket.socket, pages: Pages, log: Log, trouble: Trouble) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: Connection(pages, log, trouble), sock=listener)


async def _secure(folder: Path, listener: socket.socket, pages: Pages, log: Log, trouble: Trouble) -> asyncio.Server:
    from garimpo.webgen.serving.authority import certificates, context
    from garimpo.webgen.serving.http2 import Secure

    loop = asyncio.get_running_loop()
    _, server = certificates(folder, [host.name for host in pages.world.census.hosts])

    def client() -> asyncio.Protocol:
        return Secure(lambda: Connection(pages, log, trouble), pages, log)

    return await loop.create_server(client, sock=listener, ssl=context(server))


def serve_forever(
    folder: str | Path, port: int, faults: Faults, log: str | Path | None, ready: Callable[[int], None], tls: bool = False
) -> None:
    """Serve the world in a folder; `ready` is told the port."""
    faults.checked()
    load(folder)
    listener = listen(port)
    log_path = Path(log) if log else Path(folder) / "access.log"
    try:
        asyncio.run(run(Path(folder), listener, faults, log_path, ready, tls))
    except KeyboardInterrupt:
        return
