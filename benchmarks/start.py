"""What a command costs before it does anything: CPU and wall time of ``--help``, ``status`` and a crawl of five pages.

    python benchmarks/start.py [--rounds 5] [--against SRC]

Every run is a process of its own; the least of all rounds counts, as other work on the machine can only add to it. ``--against``
names the source folder of other code of Garimpo, which is run in turns with this one.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent / "src"


class Pages(BaseHTTPRequestHandler):
    """Nine pages, each with a link to the others."""

    def do_GET(self) -> None:
        links = "".join(f'<p>page <a href="/{number}">{number}</a>' for number in range(9))
        body = f"<title>{self.path}</title>{links}".encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: standard error is for what went wrong."""


@contextlib.contextmanager
def served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def timed(src: Path, arguments: list[str]) -> tuple[float, float]:
    """CPU and wall seconds of one command, its own processes included."""
    command = [sys.executable, "-m", "garimpo", *arguments]
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(src)})
    after, wall = os.times(), time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr[-2000:]}")
    return after.children_user + after.children_system - before.children_user - before.children_system, wall


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    sources = {"garimpo": HERE} | ({"against": options.against} if options.against else {})
    figures: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with served() as url, tempfile.TemporaryDirectory(prefix="garimpo-start-") as folder:
        for turn in range(options.rounds + 1):  # the first warms caches and compiles kernels, and does not count
            for name, src in sources.items():
                out = f"{folder}/{name}-{turn}"
                crawl = ["crawl", url, "--out", out, "--allow-private", "--delay", "0", "--max-pages", "5"]
                for what, arguments in (("--help", ["--help"]), ("crawl of 5 pages", crawl), ("status", ["status", out])):
                    measured = timed(src, arguments)
                    if turn:
                        figures.setdefault((what, name), []).append(measured)
    for (what, name), runs in sorted(figures.items()):
        cpu, wall = (min(column) for column in zip(*runs))
        print(f"{what:18} {name:8} {cpu:6.2f} s CPU {wall:6.2f} s wall")


if __name__ == "__main__":
    main()
