"""A queue is put in another order when its scorer has learned: what is in memory, what is beyond, and a part at a time."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from crawl.made import MadeFrontier
from garimpo.contract import Link, Verdict
from garimpo.crawl.frontier import rescoring
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.frontier.rescoring import Rescoring
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

    def renewed(self) -> bool:
        return False

    def rescore(self, keys: np.ndarray) -> np.ndarray:
        self.asked += len(keys)
        return np.array([1 - first_score(key) for key in keys.tolist()], np.float32)


def urls() -> list[str]:
    return [f"http://h{host}.example/{page}" for host in range(HOSTS) for page in range(PAGES)]


def first_score(key: int) -> float:
    return key % 997 / 997


@pytest.fixture
def made(tmp_path: Path) -> MadeFrontier:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0)
    for url in urls():
        made.frontier.add_urls([url], score=first_score(key64(url)))
    made.commit()
    return made


def order(frontier: Frontier, host: str) -> list[float]:
    found = []
    while (entry := frontier.queues.take(frontier.host(host))) is not None:
        found.append(first_score(key64(entry.url)))
        frontier.done(entry)
    return found


def test_all_that_is_queued_comes_in_the_new_order(made: MadeFrontier) -> None:
    frontier = made.frontier
    moved = Rescoring(made.db, frontier, Turned()).after_commit()
    assert moved > 0.8 * HOSTS * PAGES
    for host in frontier.hosts.awake:
        scores = order(frontier, host)
        assert len(scores) == PAGES and np.all(np.diff(scores) > -0.1)  # a small change is not worth a write
    assert frontier.queued == 0


def test_an_entry_in_flight_does_not_come_twice(made: MadeFrontier) -> None:
    frontier = made.frontier
    taken = frontier.queues.take(frontier.host("h1.example"))
    assert taken is not None
    Rescoring(made.db, frontier, Turned()).after_commit()
    assert len(order(frontier, "h1.example")) == PAGES - 1
    frontier.retry(taken)
    assert len(order(frontier, "h1.example")) == 1


def test_a_turn_has_a_bound_and_the_next_goes_on(made: MadeFrontier, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = made.frontier
    monkeypatch.setattr(rescoring, "MOST", PAGES + 10)
    scorer, asked = Turned(), []
    turns = Rescoring(made.db, frontier, scorer)
    for _ in range(4):
        scorer.asked = 0
        turns.after_commit()
        asked.append(scorer.asked)
    assert asked == [PAGES, PAGES, PAGES, PAGES]
    assert all(np.all(np.diff(order(frontier, host)) > -0.1) for host in frontier.hosts.awake)
