"""The real web on loopback: one HTTP server for all names, before all applications."""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from realweb.answers import Answer
from realweb.upstream import Source


class Cache(ThreadingHTTPServer):
    """Answers GET and HEAD by the name in `Host`; anything else changes something somewhere, and is refused."""

    daemon_threads = True

    def __init__(self, sources: Sequence[Source], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.sources = {host: source for source in sources for host in source.application.hosts}
        self.asked: list[str] = []
        """Every URL asked for, in order."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Crawlers hang up on what they do not want; anything else is a fault of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def address(self) -> str:
        """Where it listens: what `garimpo crawl --resolve-all` takes."""
        return f"127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes
    server: Cache

    def do_GET(self) -> None:
        self._send(self._answer(), True)

    def do_HEAD(self) -> None:
        self._send(self._answer(), False)

    def do_POST(self) -> None:
        self.close_connection = True
        self._send(Answer(405, [("Allow", "GET, HEAD")], b""), True)

    do_PUT = do_DELETE = do_PATCH = do_POST

    def log_message(self, format: str, *values: object) -> None:
        """Nothing: the answers are the log."""

    def _answer(self) -> Answer:
        host = self.headers.get("Host", "").partition(":")[0].lower()
        source = self.server.sources.get(host)
        if source is None:
            return Answer(404, [], b"no such host")
        self.server.asked.append(f"http://{host}{self.path}")
        return source.get(f"http://{host}{self.path}")

    def _send(self, answer: Answer, body: bool) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if body:
            self.wfile.write(answer.body)


@contextmanager
def serving(sources: Sequence[Source], port: int = 0) -> Iterator[Cache]:
    """The cache, in a thread of its own."""
    cache = Cache(sources, port)
    thread = threading.Thread(target=cache.serve_forever, daemon=True)
    thread.start()
    try:
        yield cache
    finally:
        cache.shutdown()
        cache.server_close()
        thread.join()
