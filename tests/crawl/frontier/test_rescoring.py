"""A queue is put in another order when its scorer has learned: what is in memory, what is beyond, and a part at a time."""

import sqlite3
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from garimpo.contract import Link, Verdict
from garimpo.crawl import Settings, queue, rescoring
from garimpo.crawl.admission import Admission
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.rescoring import Rescoring
from garimpo.crawl.rules import Rules
from garimpo.crawl.scope import Scope
from garimpo.crawl.seen import SeenSet
from garimpo.crawl.traps import Traps
from garimpo.url import key64

HOSTS, PAGES = 3, 400


class Turned:
    """Thinks the opposite of what it thought first."""

    def __init__(self) -> None:
        self.asked = 0

    def score(self, links: pa.Table) -> np.ndarray:
        return np.ones(links.num_rows, np.float32)

    def learn(self, link: Link, verdict: Verdict) -> None: ...

    def due(self) -> bool:
        return True

    def rescore(self, keys: np.ndarray) -> np.ndarray:
        self.asked += len(keys)
        return np.array([1 - first_score(key) for key in keys.tolist()], np.float32)


def urls() -> list[str]:
    return [f"http://h{host}.example/{page}" for host in range(HOSTS) for page in range(PAGES)]


def first_score(key: int) -> float:
    return key % 997 / 997


@pytest.fixture
def frontier(tmp_path: Path) -> Frontier:
    db = sqlite3.connect(tmp_path / "q", isolation_level=None)
    queue.create(db)
    settings = Settings(seeds=["http://h0.example/"], scope="all", delay=0.0, trap_run=0)
    gate = Admission(Scope(settings, settings.seeds), Traps(settings), Rules(db))
    made = Frontier(settings, db, SeenSet(tmp_path, 0), gate, lambda name: name, 0.0)
    for url in urls():
        made.add_urls([url], score=first_score(key64(url)))
    commit(made, db)
    made.kept = db
    return made


def commit(frontier: Frontier, db: sqlite3.Connection) -> None:
    db.execute("BEGIN")
    frontier.commit(db)
    db.execute("COMMIT")
    frontier.committed()


def order(frontier: Frontier, host: str) -> list[float]:
    found = []
    while (entry := frontier.shelf.take(frontier.host(host, 0.0))) is not None:
        found.append(first_score(key64(entry.url)))
        frontier.done(entry)
    return found


def test_all_that_is_queued_comes_in_the_new_order(frontier: Frontier) -> None:
    moved = Rescoring(frontier.kept, frontier, Turned()).after_commit(0.0)
    assert moved > 0.8 * HOSTS * PAGES
    for host in frontier.hosts.awake:
        scores = order(frontier, host)
        assert len(scores) == PAGES and np.all(np.diff(scores) > -0.1)  # a small change is not worth a write
    assert frontier.queued == 0


def test_an_entry_in_flight_does_not_come_twice(frontier: Frontier) -> None:
    taken = frontier.shelf.take(frontier.host("h1.example", 0.0))
    assert taken is not None
    Rescoring(frontier.kept, frontier, Turned()).after_commit(0.0)
    assert len(order(frontier, "h1.example")) == PAGES - 1
    frontier.retry(taken, 0.0)
    assert len(order(frontier, "h1.example")) == 1


def test_a_turn_has_a_bound_and_the_next_goes_on(frontier: Frontier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "MOST", PAGES + 10)
    scorer, asked = Turned(), []
    turns = Rescoring(frontier.kept, frontier, scorer)
    for _ in range(4):
        scorer.asked = 0
        turns.after_commit(0.0)
        asked.append(scorer.asked)
    assert asked == [PAGES, PAGES, PAGES, PAGES]
    assert all(np.all(np.diff(order(frontier, host)) > -0.1) for host in frontier.hosts.awake)
