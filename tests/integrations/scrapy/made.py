"""A small site over a real socket, and a spider in a process of its own that follows every link of it."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

ADDON = {"ADDONS": {"garimpo.integrations.scrapy.Addon": 500}}
SPIDER = Path(__file__).with_name("spider.py")
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("l", "n", "ra", "to", "vi")]


class Site:
    """Pages `/p/N`, a binary tree with cross links. Every link carries the parameter, with a value that was never seen before.

    Args:
        pages: how many.
        parameter: its name.
        matters: whether pages differ by it. Then its values are 0, 1 and 2, and there are three times as many pages.
    """

    def __init__(self, pages: int, parameter: str = "sid", matters: bool = False) -> None:
        self.pages, self.parameter, self.matters = pages, parameter, matters
        self.asked: list[str] = []
        self.address = ""
        self._fresh = count(1)

    def name(self, url: str) -> str:
        """The page of a URL."""
        parts = urlsplit(url)
        value = parse_qs(parts.query).get(self.parameter, ["0"])[0]
        return f"{parts.path} {value}" if self.matters else parts.path

    def names(self) -> set[str]:
        """All pages there are."""
        values = [f" {value}" for value in range(3)] if self.matters else [""]
        return {f"/p/{number}{value}" for number in range(self.pages) for value in values}

    def html(self, target: str) -> str:
        """What a page says, and its links."""
        number = int(urlsplit(target).path.rpartition("/")[2])
        words = " ".join(random.Random(self.name(target)).choices(WORDS, k=80))
        linked = [2 * number + 1, 2 * number + 2, number + 1, number // 2, (number * 7 + 3) % self.pages]
        values = range(3) if self.matters else [next(self._fresh)]
        links = "".join(
            f"<a href='/p/{one}?{self.parameter}={value}'>more</a> " for one in linked if one < self.pages for value in values
        )
        return f"<html><title>{words[:30]}</title><body><p>{words}</p><p>{links}</p></body></html>"


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """The site on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = self.path.startswith("/p/")
            body = site.html(self.path).encode() if found else b"nothing here"
            if found:
                site.asked.append(self.path)
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *given: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield site
        server.shutdown()


class Crawl(NamedTuple):
    """What a spider did: the items it gave, and Scrapy's stats."""

    items: list[dict[str, Any]]
    stats: dict[str, Any]

    def names(self, site: Site) -> set[str]:
        return {site.name(item["url"]) for item in self.items}


def command(site: Site, out: Path, settings: dict[str, Any]) -> list[str]:
    return [sys.executable, str(SPIDER), f"{site.address}/p/0?{site.parameter}=0", str(out), json.dumps(settings)]


def crawl(site: Site, out: Path, settings: dict[str, Any]) -> Crawl:
    """Run the spider to its end."""
    done = subprocess.run(command(site, out, settings), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    return result(out)


def result(out: Path) -> Crawl:
    items = [json.loads(line) for line in out.read_text().splitlines() if line.endswith("}")]
    stats = out.with_suffix(".stats")
    return Crawl(items, json.loads(stats.read_text()) if stats.exists() else {})


def crawl_until(site: Site, out: Path, settings: dict[str, Any], seen: Any, number: int = signal.SIGINT) -> None:
    """Run the spider until something is seen, and send it a signal."""
    with subprocess.Popen(command(site, out, settings), stderr=subprocess.DEVNULL) as process:
        while not seen():
            assert process.poll() is None, "it ended before"
            time.sleep(0.02)
        os.kill(process.pid, number)
        process.wait(60)
