"""Random hostile answers over a real socket: every crawl must end well and have the good host's pages.

    python benchmarks/crawl/hostile.py [--answers 20000] [--seed 1]

Many hosts answer each path with bytes drawn from its name: status lines, headers, bodies and encodings of all sorts, cut,
repeated and mixed; their robots.txt and sitemaps are of the same kind. Beside them a good host has a chain of pages. The fence
around answers is on, as for every user; how many faults it held back is printed, and should be 0.
"""

import argparse
import contextlib
import gzip
import json
import random
import socket
import tempfile
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

GOOD_PAGES = 50
PAGES_A_HOST = 5
STATUSES = (
    "HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.0 200 ok", "HTTP/1.1 301 Moved", "HTTP/1.1 302 Found", "HTTP/1.1 304 Not Modified",
    "HTTP/1.1 404 no", "HTTP/1.1 429 slow", "HTTP/1.1 503 busy", "HTTP/1.1 999 what", "HTTP/1.1 000 nil", "HTTP/9.9 200 OK",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", "HTTP/1.1 200 \xff\xfe", "200 OK", "", "ICY 200 OK", "HTTP/1.1 -1 x",
)  # fmt: skip
NAMES = (
    "Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Location", "Retry-After", "ETag", "Last-Modified",
    "X-Robots-Tag", "Link", "Refresh", "Set-Cookie", "Content-Language", "Date", "Connection", "Trailer", "X", "", " ", "\xe9",
)  # fmt: skip
VALUES = (
    "text/html", "text/html; charset=utf-16", "text/html;charset=" + " " * 500 + ";", "text/xml", "application/rss+xml", "gzip",
    "deflate", "br", "gzip, gzip", "chunked", "identity", "0", "1", "-1", "99999999999999999999", "\xb2", "/", "//", "http://",
    "#", "http://[", "http://evil.example/{n}", "http://evil.example/{n}", "javascript:x", "noindex",
    "garimpo: nofollow, none",
    '"caf\xe9"', "W/", "Mon, 01 Jan 99999 00:00:00 +9999999999", "0;url=/x" + " " * 300 + "y", "</x>; rel=canonical", "\x7f",
    "a" * 3000, "",
)  # fmt: skip
PIECES = (
    "<html a=1>", "<body b=2>", "<a href='/{n}'>x</a>", "<a href='http://evil.example/{n}'>y</a>", "<base href='http://[:'>",
    "<meta http-equiv=refresh content='0;url=/{n}'>", "<meta charset=utf-7>", "<meta name=robots content='none'>", "<svg><title>",
    "<!--", "-->", "<![CDATA[", "]]>", "&#x110000;", "&#0;", "&amp", "\x00", "\ufeff", "<table><tr><td>", "</p></div>", "<b><i>",
    "<link rel=canonical href='//u:p@evil.example:25/'>", "<urlset><url><loc>http://evil.example/{n}</loc></url>",
    "<?xml version='1.0'?>",
    "User-agent: *\nDisallow: /*a*b*c$\n", "Crawl-delay: 1e999\n", "Sitemap: http://evil.example/{n}\n", "\u202e\U0001f4a9",
    "word " * 50,
)  # fmt: skip


def backwards(body: bytes) -> bytes:
    return body[::-1]


def in_utf16(body: bytes) -> bytes:
    return body.decode("latin-1").encode("utf-16")


def hostile_host(number: int, most: int) -> str:
    """Many hosts, as one that asks for a day of patience gets it."""
    return f"evil{number % max(1, most // PAGES_A_HOST)}.example"


def hostile(path: str, seed: int, most: int) -> bytes:
    """The answer to a path: always the same one."""
    draw = random.Random(f"{seed} {path}")

    def filled(text: str) -> str:
        number = draw.randrange(most)
        return text.replace("evil.example", hostile_host(number, most)).replace("{n}", str(number))

    body = "".join(filled(draw.choice(PIECES)) for _ in range(draw.randrange(40))).encode("utf-8", "replace")
    body = draw.choice(
        (bytes, gzip.compress, zlib.compress, lambda data: data[::-1], lambda data: data.decode("latin-1").encode("utf-16"))
    )(body)
    heads = [draw.choice(STATUSES)] if draw.random() < 0.5 else ["HTTP/1.1 200 OK", "Content-Type: text/html"]
    heads += [f"{draw.choice(NAMES)}: {filled(draw.choice(VALUES))}" for _ in range(draw.randrange(6))]
    if draw.random() < 0.6:
        heads.append(f"Content-Length: {len(body)}")
    end = draw.choice(("\r\n", "\r\n", "\r\n", "\n", "\r"))
    data = (end.join(heads) + end + end).encode("latin-1", "replace") + body
    if draw.random() < 0.2:
        data = data[: draw.randrange(len(data) + 1)]
    if draw.random() < 0.1:
        data = data * 2
    if draw.random() < 0.1 and data:
        data = bytes(byte ^ (draw.random() < 0.01) << draw.randrange(8) for byte in data)
    return data


def good(path: str) -> bytes:
    number = int(path.strip("/") or 0) if path.strip("/").isdigit() else -1
    if number < 0:
        return b"HTTP/1.1 404 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    following = f"<a href=/{number + 1}>next</a>" if number + 1 < GOOD_PAGES else ""
    body = f"<title>good {number}</title><p>page {number} of the good host{following}".encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """Answers one request a connection."""

    def __init__(self, seed: int, answers: int) -> None:
        self.seed, self.answers, self.given = seed, answers, 0
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            head = b""
            while b"\r\n\r\n" not in head:
                more = connection.recv(65536)
                if not more:
                    return
                head += more
            path = head.split()[1].decode("latin-1")
            if b"good.example" in head:
                connection.sendall(good(path))
            else:
                self.given += 1
                name = head.lower().partition(b"host:")[2].partition(b"\r")[0].decode("latin-1").strip()
                connection.sendall(hostile(name + path, self.seed, self.answers))


@contextlib.contextmanager
def serving(seed: int, answers: int) -> Iterator[Server]:
    server = Server(seed, answers)
    try:
        yield server
    finally:
        server.close()


def run(answers: int, seed: int, out: Path) -> dict[str, object]:
    """Crawl the hostile host and the good one; what came of it."""
    import pyarrow.dataset as ds

    from garimpo.crawl import Components, Settings, crawl, resume

    with serving(seed, answers) as server:
        seeds = ["http://good.example/0", *(f"http://{hostile_host(number, answers)}/{number}" for number in range(answers))]
        settings = Settings(
            seeds=seeds, resolve_all=server.address, delay=0, learn=False, scope="all", connections_per_address=16, tries=1,
            timeout=5.0, connect_timeout=2.0, hops=3, max_pages=2 * answers + GOOD_PAGES, strategy="bfs",
        )  # fmt: skip
        result = crawl(out, settings, Components())
        resume(out, {"max_seconds": 5.0}, Components())
    rows = ds.dataset(out / "pages").to_table(columns=["url", "status"]).to_pylist()
    kept = {row["url"] for row in rows if row["status"] == 200 and row["url"].startswith("http://good.example/")}
    return {"answers": server.given, "rows": len(rows), "good": len(kept), "faults": result["faults"], "ended": result["ended"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        result = run(given.answers, given.seed, Path(scratch) / "crawl")
    print(json.dumps(result))
    if result["good"] != GOOD_PAGES:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
