"""A server of strange answers, one thread a connection, each path a way to behave badly; beside them a few good pages."""

import contextlib
import gzip
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

PATHS = (
    "cut", "wrong-length", "reset", "bomb", "flood", "endless", "nonsense", "silent", "teapot", "loop", "image", "slow",
)  # fmt: skip
GOOD = "<html><title>good {n}</title><p>page number {n} is good and says so<a href='/good{m}'>next</a></html>"


def answer(body: bytes, *headers: str, status: str = "200 OK", kind: str = "text/html") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


class Strange:
    """The server: `asked` counts the requests for each path; `pages` may be given more answers, for a path or for host/path."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.requests: list[str] = []
        self.times: list[tuple[float, str, str]] = []
        """When, which host and which path was asked."""
        self.pages: dict[str, bytes | Callable[[], bytes]] = {}
        self._packed_bomb = gzip.compress(b"<p>boom " * 5_000_000)  # before a client waits for it
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    more = connection.recv(65536)
                    if not more:
                        return
                    data += more
                head, _, data = data.partition(b"\r\n\r\n")
                path = head.split()[1].decode()
                lines = head.decode("latin-1").split("\r\n")
                host = next((line[5:].strip() for line in lines if line.lower().startswith("host:")), "")
                self.times.append((time.monotonic(), host.partition(":")[0], path))
                if host + path in self.pages:
                    page = self.pages[host + path]
                    self.asked[path] += 1
                    self.requests.append(head.decode("latin-1"))
                    connection.sendall(page() if callable(page) else page)
                    continue
                self.asked[path] += 1
                self.requests.append(head.decode("latin-1"))
                if not self._reply(connection, path):
                    return

    def _reply(self, connection: socket.socket, path: str) -> bool:
        """Answer; False closes the connection."""
        if path in self.pages:
            page = self.pages[path]
            connection.sendall(page() if callable(page) else page)
            return True
        name = path.strip("/")
        if name == "":
            links = "".join(f"<a href='/{strange}'>{strange}</a> " for strange in (*PATHS, "good0"))
            connection.sendall(answer(f"<html><title>home</title>{links}</html>".encode()))
        elif name.startswith("good"):
            number = int(name[4:])
            connection.sendall(answer(GOOD.format(n=number, m=min(number + 1, 9)).encode()))
        elif name in PATHS or name == "later":
            return bool(getattr(self, "_" + name.replace("-", "_"))(connection))
        else:
            connection.sendall(answer(b"no", status="404 Not Found"))
        return True

    def _cut(self, connection: socket.socket) -> bool:
        connection.sendall(answer(b"x" * 5000)[:2000])
        return False

    def _wrong_length(self, connection: socket.socket) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\nContent-Type: text/html\r\n\r\nshort")
        return False

    def _reset(self, connection: socket.socket) -> bool:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        return False

    def _bomb(self, connection: socket.socket) -> bool:
        connection.sendall(answer(self._packed_bomb, "Content-Encoding: gzip"))
        return True

    def _flood(self, connection: socket.socket) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + b"X-Header: " + b"y" * 200 + b"\r\n")
        for _ in range(5000):
            connection.sendall(b"X-Header: " + b"y" * 200 + b"\r\n")
        return False

    def _endless(self, connection: socket.socket) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"400\r\n" + b"z" * 1024 + b"\r\n")

    def _nonsense(self, connection: socket.socket) -> bool:
        connection.sendall(b"\x00\x01\x02 this is no HTTP \xff\xfe\r\n\r\n")
        return False

    def _silent(self, connection: socket.socket) -> bool:
        return False

    def _teapot(self, connection: socket.socket) -> bool:
        connection.sendall(answer(b"short and stout", status="418 I'm a teapot"))
        return True

    def _loop(self, connection: socket.socket) -> bool:
        connection.sendall(answer(b"", "Location: /loop", status="302 Found"))
        return True

    def _image(self, connection: socket.socket) -> bool:
        connection.sendall(answer(b"\x89PNG" * 1000, kind="image/png"))
        return True

    def _later(self, connection: socket.socket) -> bool:
        connection.sendall(answer(b"", "Retry-After: 3600", status="503 Service Unavailable"))
        return True

    def _slow(self, connection: socket.socket) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            connection.sendall(b"s")
            time.sleep(0.5)
        return True


@contextlib.contextmanager
def strange_server() -> Iterator[Strange]:
    server = Strange()
    try:
        yield server
    finally:
        server.close()
