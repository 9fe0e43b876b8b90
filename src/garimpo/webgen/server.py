"""The server: every host of a world by its name, on loopback only, on one port.

A hand-written HTTP/1.1 protocol: requests may be pipelined, connections stay open. Stored pages come out of the memory-mapped
file; others are computed. Every answer is a line of the access log: time, host, target, status (tab-separated), written at
latest a twentieth of a second later. Faults can be switched on by rate; they are drawn from the URL and from how often it was
asked for, so a second try may succeed.
"""

import asyncio
import mmap
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.webgen.chance import number, share
from garimpo.webgen.render import SLOT
from garimpo.webgen.store import load
from garimpo.webgen.world import World

HTML = b"text/html; charset=utf-8"
LOG_DELAY = 0.05
LONGEST_REQUEST = 65_536
REASONS = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


@dataclass(frozen=True)
class Faults:
    """How often the server misbehaves: parts of all requests."""

    errors: float = 0.0
    resets: float = 0.0
    slow: float = 0.0
    delay: float = 1.0


@dataclass(slots=True)
class Reply:
    """An answer ready to be sent."""

    status: int
    body: bytes
    kind: bytes = HTML
    location: str = ""


class Pages:
    """What there is to serve: from the packed file where it is stored, else computed."""

    def __init__(self, folder: Path) -> None:
        settings = load(folder)
        self.seed = settings.seed
        self._slot = len(SLOT)
        self._world: World | None = None
        self._settings = settings
        self._places: dict[str, tuple[int, int, str]] = {}
        self._visits: dict[str, int] = {}
        if settings.stored:
            self._open(folder / "pages")

    def _open(self, pages: Path) -> None:
        index = pq.read_table(pages / "index.parquet")
        columns = (index.column(name).to_pylist() for name in ("url", "body", "status", "location"))
        self._places = {url[7:]: (body, status, location) for url, body, status, location in zip(*columns)}
        bodies = pq.read_table(pages / "bodies.parquet")
        self._starts, self._lengths, self._slots = (bodies.column(name).to_numpy() for name in ("start", "length", "slot"))
        with (pages / "bodies.bin").open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def world(self) -> World:
        if self._world is None:
            self._world = World(self._settings)
        return self._world

    def visit(self, place: str) -> int:
        """How often a URL was asked for before."""
        visits = self._visits.get(place, 0)
        self._visits[place] = visits + 1
        return visits

    def reply(self, place: str, visits: int) -> Reply:
        """The answer for ``host/target``."""
        found = self._places.get(place)
        if found is None:
            answer = self.world().answer(f"http://{place}")
            return Reply(
                answer.status,
                self._filled(answer.body, answer.body.find(SLOT.encode()), place, visits),
                answer.kind.encode(),
                answer.location,
            )
        body, status, location = found
        if body < 0:
            return Reply(status, b"", HTML, location)
        start = int(self._starts[body])
        content = self._bytes[start : start + int(self._lengths[body])]
        return Reply(status, self._filled(content, int(self._slots[body]), place, visits), HTML, location)

    def _filled(self, body: bytes, slot: int, place: str, visits: int) -> bytes:
        """The body with its counter: another one at every visit."""
        if slot < 0:
            return body
        count = number(self.seed, "visit", place, visits) % 10**self._slot
        return b"%b%016d%b" % (body[:slot], count, body[slot + self._slot :])


class Log:
    """The access log; lines wait a moment so that many are written at once."""

    def __init__(self, file: BinaryIO, loop: asyncio.AbstractEventLoop) -> None:
        self._file, self._loop = file, loop
        self._lines: list[str] = []

    def add(self, host: str, target: str, status: int) -> None:
        if not self._lines:
            self._loop.call_later(LOG_DELAY, self.flush)
        self._lines.append(f"{time.time():.6f}\t{host}\t{target}\t{status}\n")

    def flush(self) -> None:
        self._file.write("".join(self._lines).encode("utf-8", "replace"))
        self._file.flush()
        self._lines.clear()


class Connection(asyncio.Protocol):
    """One client. Answers go out in the order of the requests, also when one of them is slow."""

    def __init__(self, pages: Pages, log: Log, faults: Faults) -> None:
        self._pages, self._log, self._faults = pages, log, faults
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
        while not self._waiting:
            head, found, rest = self._data.partition(b"\r\n\r\n")
            if not found:
                return
            self._data = rest
            self._request(head)

    def _request(self, head: bytes) -> None:
        lines = head.decode("latin-1").split("\r\n")
        method, _, rest = lines[0].partition(" ")
        target = rest.rpartition(" ")[0]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        host = headers.get("host", "").partition(":")[0].lower()
        if target.startswith("http://"):
            target = "/" + target[7:].partition("/")[2]
        if method not in ("GET", "HEAD") or not target.startswith("/") or not host:
            self._log.add(host or "-", target or "-", 400)
            self._send(Reply(400, b"bad request\n", b"text/plain"), False, True)
            return
        closing = headers.get("connection", "").lower() == "close" or rest.endswith("HTTP/1.0")
        place = host + target
        visits = self._pages.visit(place)
        reply = self._pages.reply(place, visits)
        self._answer(host, target, reply, visits, method == "HEAD", closing)

    def _answer(self, host: str, target: str, reply: Reply, visits: int, head: bool, closing: bool) -> None:
        faults = self._faults
        roll = share(self._pages.seed, "fault", host, target, visits)
        if roll < faults.resets:
            self._log.add(host, target, 0)
            self._transport.abort()
            return
        if roll < faults.resets + faults.errors:
            reply = Reply(503, b"try again later\n", b"text/plain")
        self._log.add(host, target, reply.status)
        if faults.resets + faults.errors <= roll < faults.resets + faults.errors + faults.slow:
            self._later(faults.delay, lambda: self._send(reply, head, closing))
            return
        self._send(reply, head, closing)

    def _later(self, delay: float, send: Callable[[], None]) -> None:
        def resume() -> None:
            self._waiting = False
            if not self._transport.is_closing():
                send()
                self._serve()

        self._waiting = True
        asyncio.get_running_loop().call_later(delay, resume)

    def _send(self, reply: Reply, head: bool, closing: bool) -> None:
        location = b"Location: " + reply.location.encode() + b"\r\n" if reply.location else b""
        close = b"Connection: close\r\n" if closing else b""
        start = b"%bContent-Type: %b\r\nContent-Length: %d\r\n%b%b\r\n" % (
            REASONS[reply.status],
            reply.kind,
            len(reply.body),
            location,
            close,
        )
        self._transport.write(start if head else start + reply.body)
        if closing:
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


async def run(folder: Path, listener: socket.socket, faults: Faults, log_path: Path, ready: Callable[[int], None]) -> None:
    """Serve until cancelled."""
    pages = Pages(folder)
    loop = asyncio.get_running_loop()
    with log_path.open("ab") as file:
        log = Log(file, loop)
        server = await loop.create_server(lambda: Connection(pages, log, faults), sock=listener)
        ready(listener.getsockname()[1])
        try:
            await server.serve_forever()
        finally:
            log.flush()


def _check(value: float, name: str) -> None:
    if not 0.0 <= value <= 1.0 or np.isnan(value):
        raise BadInput(f"{name} {value}: not a part of one")


def serve_forever(
    folder: str | Path, port: int, faults: Faults, log: str | Path | None, ready: Callable[[int], None]
) -> None:
    """Serve the world in a folder; `ready` is told the port."""
    for name in ("errors", "resets", "slow"):
        _check(getattr(faults, name), name)
    load(folder)
    listener = listen(port)
    log_path = Path(log) if log else Path(folder) / "access.log"
    try:
        asyncio.run(run(Path(folder), listener, faults, log_path, ready))
    except KeyboardInterrupt:
        return
