"""What becomes of a batch that was read: with a frontier that only writes down what it is told."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from garimpo.archive import Store
from garimpo.contract import Fetched
from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.components import Components
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.fetch.robots import Robots
from garimpo.crawl.keeping.full_disk import RetryOnFullDisk
from garimpo.crawl.keeping.keeper import NEAR_DUPLICATE, Keeper
from garimpo.crawl.reading.inline import jobs
from garimpo.crawl.reading.reader import Reader
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host

HTML = [("Content-Type", "text/html")]


class FakeFrontier:
    """Remembers what the keeper says of entries, and the links it adds."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.links: list[tuple[str, float]] = []
        self.gains: dict[str, float] = {}

    def add(self, links: pa.Table, scores: np.ndarray, entries: Sequence[Entry]) -> int:
        self.links += zip(links.column("target").to_pylist(), scores.tolist())
        return links.num_rows

    def redirected(self, entry: Entry, target: str) -> None:
        self.calls.append(("redirected", target))

    def met(self, entry: Entry, repeated: bool) -> None:
        self.calls.append(("repeated" if repeated else "met", entry.url))

    def answered(self, entry: Entry, gain: float, unread: bool = False) -> None:
        self.gains[entry.url] = gain

    def reserve(self, urls: int) -> None: ...

    def commit(self, db: Any) -> None: ...

    def committed(self) -> None: ...

    def __getattr__(self, name: str) -> Any:
        return lambda entry: self.calls.append((name, entry.url))


class Kept:
    """A keeper over a folder of its own, and a reader for what it is given."""

    def __init__(self, folder: Path, store: Store) -> None:
        schema.create(store.database)
        self.store, self.frontier = store, FakeFrontier()
        robots = Robots(store.database, "garimpo", SimulatedClock())
        full_disk = RetryOnFullDisk(folder)
        self.keeper = Keeper(store, Settings(hops=2), self.frontier, robots, Components(), None, full_disk)
        self._reader, self._count = Reader(Components(), folder), 0

    def take(self, *answers: Fetched, hops: int = 0) -> None:
        made = []
        for fetched in answers:
            self._count += 1
            entry = Entry(fetched.url, self._count, Host(1, "a.example", 0.0), 1.0, self._count, hops=hops)
            made.append(Answer(entry, fetched, (), 5.0, 5.0, PAGE))
        self.keeper.take(made, self._reader.read(jobs(made)))


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    with Store.create(tmp_path / "crawl") as store:
        made = Kept(tmp_path / "crawl", store)
        yield made
        made.keeper.close()


def page(url: str, text: str) -> Fetched:
    return Fetched(url, 200, f"<p>{text} <a href='/next?{url[-1]}'>on</a>".encode(), HTML)


def test_links_of_a_page_whose_bytes_were_met_count_a_tenth(kept: Kept) -> None:
    same = b"<p>the same text <a href=http://a.example/on>on</a>"
    kept.take(Fetched("http://a.example/1", 200, same, HTML), Fetched("http://a.example/2", 200, same, HTML))
    assert [score for _, score in kept.frontier.links] == pytest.approx([1.0, NEAR_DUPLICATE])
    assert ("met", "http://a.example/1") in kept.frontier.calls and ("repeated", "http://a.example/2") in kept.frontier.calls
    assert kept.keeper.counts["duplicates"] == 1 and kept.keeper.counts["stored"] == 2


def test_a_redirect_is_followed_up_to_the_hops_allowed(kept: Kept) -> None:
    moved = Fetched("http://a.example/old", 301, headers=[("Location", "/new")])
    kept.take(moved)
    assert ("redirected", "http://a.example/new") in kept.frontier.calls
    assert ("uncount", "http://a.example/old") in kept.frontier.calls
    kept.frontier.calls.clear()
    kept.take(moved, hops=2)
    assert not any(name == "redirected" for name, _ in kept.frontier.calls)
    assert kept.keeper.counts["too many hops"] == 1 and kept.keeper.counts["redirects"] == 2


def test_what_fails_is_said_to_the_frontier_and_counted(kept: Kept) -> None:
    kept.take(Fetched("http://a.example/gone", 404), Fetched("http://a.example/none", 0, error="timed out"))
    failed = [url for name, url in kept.frontier.calls if name == "failed"]
    assert failed == ["http://a.example/gone", "http://a.example/none"]
    assert [url for name, url in kept.frontier.calls if name == "done"] == failed
    assert (kept.keeper.counts["stored"], kept.keeper.counts["errors"]) == (1, 2)


def test_a_commit_stores_rows_counts_and_links_together(kept: Kept) -> None:
    kept.take(page("http://a.example/1", "one"), page("http://a.example/2", "two"))
    kept.keeper.commit(2.0)
    assert len(kept.keeper.rows) == 0
    rows = [row for batch in kept.store.pages(["url", "status", "text"]) for row in batch.to_pylist()]
    assert [(row["url"], row["status"]) for row in rows] == [("http://a.example/1", 200), ("http://a.example/2", 200)]
    links = [target for batch in kept.store.links(["target"]) for target in batch.column(0).to_pylist()]
    assert links == ["http://a.example/next?1", "http://a.example/next?2"]
    assert dict(kept.store.database.execute("SELECT name, value FROM meta WHERE name='count pages'")) == {"count pages": 2}
