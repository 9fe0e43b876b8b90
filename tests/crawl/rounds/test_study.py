"""Rounds that learn: between them a worker studies what was kept, and the next ones go by it, with the trust of any crawl."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from garimpo.archive import Learned
from garimpo.crawl import Settings, skipped, status
from garimpo.crawl.rounds.driver import crawl_rounds, resume_rounds
from garimpo.crawl.rounds.study import copy_in_force, is_due
from garimpo.engine import local

ITEMS = 150
WORDS = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("ra", "lo", "ti", "nu")]


def page(path: str, asked: int) -> str:
    """A page about a number that links to others, each time under another session."""
    number = int(path.strip("/") or 0)
    draw, session = random.Random(number), random.Random(f"{path} {asked}")
    others = [(number * 3 + step) % ITEMS for step in (1, 2, 3)] + [draw.randrange(ITEMS) for _ in range(3)]
    links = "".join(f"<a href='/{one}?session={session.getrandbits(40):x}'>{one}</a> " for one in others)
    return f"<h1>{number}</h1><p>{' '.join(draw.choice(WORDS) for _ in range(90))}</p>{links}"


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    """A site on loopback; its address, and what it was asked for."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            path = self.path.partition("?")[0]
            found = path.strip("/").isdigit() or path == "/"
            body = page(path, len(asked)).encode() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def settings(address: str, pages: int, learn: bool = True) -> Settings:
    return Settings(
        seeds=["http://shop.example/"],
        learn=learn,
        max_pages=pages,
        delay=0.0,
        resolve_all=address,
        allow_private=True,
        trap_run=0,
    )


def numbers(asked: list[str]) -> Counter[str]:
    return Counter(path.partition("?")[0] for path in asked if "session" in path)


def test_rounds_skip_what_they_have_learned(site: tuple[str, list[str]], tmp_path: Path) -> None:
    address, asked = site
    said: list[str] = []
    with local(threads=1) as engine:
        crawl_rounds(tmp_path / "out", settings(address, 60), 6, engine, said.append)
        for pages in (120, 180, 240):
            resume_rounds(tmp_path / "out", 2, engine, said.append, {"max_pages": pages})
    assert any(text.startswith("learned: ") for text in said)
    told = status(tmp_path / "out")
    assert told["learned"]["rules"] >= 1
    assert told["skipped"]["dust"] > 100
    assert told["studied"]["rounds"] >= 1
    rows = [row for batch in skipped(tmp_path / "out") for row in batch.to_pylist() if row["reason"] == "dust"]
    assert {row["checked"] for row in rows} == {True, False}
    assert all(row["equal"] is not False for row in rows)
    # no page is lost: what was skipped was fetched under another URL
    assert {row["url"].partition("?")[0] for row in rows if not row["checked"]} <= {
        f"http://shop.example{path}" for path in numbers(asked)
    }
    before = len(asked)
    crawl_plainly(address, tmp_path / "plain", told["stored"])
    assert len(numbers(asked[:before])) > 1.2 * len(numbers(asked[before:]))


def crawl_plainly(address: str, out: Path, pages: int) -> None:
    """Rounds of the same size that learn nothing."""
    with local(threads=1) as engine:
        crawl_rounds(out, settings(address, pages // 4, learn=False), 6, engine)
        for share in (2, 3, 4):
            resume_rounds(out, 2, engine, given={"max_pages": pages * share // 4})


def test_what_was_learned_can_be_taken_back(site: tuple[str, list[str]], tmp_path: Path) -> None:
    address, _ = site
    with local(threads=1) as engine:
        crawl_rounds(tmp_path / "out", settings(address, 80), 6, engine)
        resume_rounds(tmp_path / "out", 2, engine, given={"max_pages": 160})
        before = status(tmp_path / "out")
        assert before["skipped"]["dust"] > 20
        crawl = {"max_pages": 165, "learn": False}
        resume_rounds(tmp_path / "out", 1, engine, given=crawl, rollback=[("rules", 0), ("guesses", 0)])
        after = status(tmp_path / "out")
    assert not after["skipped"].get("dust")
    assert after["queued"] > before["queued"]


def test_a_worker_gets_a_copy_of_what_is_in_force(tmp_path: Path) -> None:
    learned = Learned(tmp_path / "learned")
    for text in ("old", "new"):
        learned.publish("rules", "json", lambda path, text=text: path.write_text(text), {"rules": 1})
    copy_in_force(tmp_path / "learned", tmp_path / "copy")
    copy = Learned(tmp_path / "copy")
    path = copy.path("rules")
    assert copy.version("rules") == 2
    assert path is not None
    assert path.read_text() == "new"
    assert not (tmp_path / "copy" / "rules" / "1.json").exists()
    copy_in_force(tmp_path / "nothing", tmp_path / "nothing too")


def test_a_study_is_due_by_pages(tmp_path: Path) -> None:
    assert not is_due(tmp_path, 49)
    assert is_due(tmp_path, 50)
