"""The real web behind its cache, with an application made for the test: no network, nothing installed."""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from realweb.application import Application, Command, Kind, Masks, Material
from realweb.bench import bench
from realweb.cache import serving
from realweb.crawls import run_crawl
from realweb.fetcher import SnapshotFetcher
from realweb.measures import Scale
from realweb.texts import read_texts
from realweb.upstream import Source, open_source

SERVER = """
import itertools, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
count = itertools.count()
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        page = self.path.partition("?")[0]
        known = page == "/" or page[1:].isdigit() and int(page[1:]) < 20
        links = "".join(f"<a href='/{n}'>{n}</a> <a href='/{n}?print=1'>print {n}</a>" for n in range(20)) if page == "/" else ""
        text = " ".join(f"w{page[1:]}x{n}" for n in range(60))
        body = f"<html><body><main>{text} {links}</main><footer>answer {next(count)}</footer></body></html>".encode()
        self.send_response(200 if known else 404)
        for name, value in (("Content-Type", "text/html"), ("Set-Cookie", "s=1"), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *given):
        pass
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


class Made(Application):
    name = "made"
    hosts = ("made.test",)
    masks = Masks(main="main")

    def install(self, folder: Path) -> None: ...

    def fill(self, folder: Path, material: Material) -> None: ...

    def serve(self, folder: Path, port: int) -> Command:
        return Command([sys.executable, "-c", SERVER, str(port)])

    def kind(self, url: str) -> Kind:
        return "document" if url[-1].isdigit() and "?" not in url else "listing"


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    (tmp_path / "applications" / "made").mkdir(parents=True)
    opened = open_source(Made(), tmp_path)
    yield opened
    opened.close()


def ask(address: str, path: str, host: str = "made.test", method: str = "GET") -> tuple[int, bytes]:
    request = urllib.request.Request(f"http://{address}{path}", headers={"Host": host}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_the_same_url_has_the_same_bytes(source: Source) -> None:
    with serving([source]) as cache:
        first, again, other = (ask(cache.address, path) for path in ("/1", "/1", "/2"))
        assert first == again != other
        assert cache.asked == ["http://made.test/1", "http://made.test/1", "http://made.test/2"]
    fetched = SnapshotFetcher([source]).get("http://made.test/1")
    assert (fetched.status, fetched.body) == first and fetched.header("set-cookie") is None


def test_kept_answers_need_no_server(source: Source, tmp_path: Path) -> None:
    body = source.get("http://made.test/1").body
    source.close()

    class Broken(Made):
        def serve(self, folder: Path, port: int) -> Command:
            raise AssertionError("started")

    again = open_source(Broken(), tmp_path)
    assert again.get("http://made.test/1").body == body
    again.close()


def test_only_reading_is_allowed_and_only_known_names(source: Source) -> None:
    with serving([source]) as cache:
        assert ask(cache.address, "/1", method="POST")[0] == 405
        assert ask(cache.address, "/1", host="other.test")[0] == 404
        assert ask(cache.address, "/99")[0] == 404
        assert cache.asked == ["http://made.test/99"]


def test_a_fetcher_knows_no_other_name(source: Source) -> None:
    fetched = SnapshotFetcher([source]).get("http://other.test/")
    assert (fetched.status, fetched.error) == (0, "name not found")


@pytest.mark.parametrize("live", [False, True])
def test_a_crawl_is_measured(source: Source, tmp_path: Path, live: bool) -> None:
    run = run_crawl(source, tmp_path / "crawl", 100, learn=False, seed=0, live=live)
    found = Scale(source).measure(run)
    assert (found.requests, found.documents, found.duplicates) == (42, 20, 20)
    assert (found.claimed, found.wrong) == (0, 0)


def test_bench_prints_a_line_a_crawl(source: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.close()
    bench([Made()], tmp_path, 30, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[:4] for line in lines[1:3]] == [["made", "0", "plain", "30"], ["made", "0", "learn", "30"]]
    assert "18 of 20 documents" in lines[3] and "0 wrong" in lines[4]


def test_texts_of_a_folder_come_first(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "ready").touch()
    (tmp_path / "given" / "ore").mkdir(parents=True)
    (tmp_path / "given" / "ore" / "gold.txt").write_text("Gold is heavy. " * 30 + "\n\n" + "River gravel holds it. " * 30)
    (tmp_path / "given" / "ore" / "short.html").write_text("<h1>Short</h1><p>too short")
    documents = read_texts(tmp_path / "kept", tmp_path / "given")
    assert (documents[0].topic, len(documents[0].paragraphs)) == ("ore", 2)
    assert "ore" not in [one.topic for one in documents[1:]]
