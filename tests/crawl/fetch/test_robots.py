"""robots.txt: what it allows, where it is, and how much of it is remembered."""

import sqlite3

import pytest

from garimpo.contract.records import Fetched
from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.fetch import robots
from garimpo.crawl.fetch.robots import Robots, read_answer, redirected
from garimpo.crawl.state import schema


def test_robots_answers() -> None:
    db = sqlite3.connect(":memory:")
    schema.create(db)
    clock = SimulatedClock(5.0)
    known = Robots(db, "garimpo/0.1", clock)
    text = b"User-agent: garimpo\nDisallow: /no\nCrawl-delay: 3\nSitemap: /map.xml\n"
    rules = known.learn("http://a.example", Fetched("http://a.example/robots.txt", 200, text))
    assert rules is not None and rules.delay == 3 and rules.sitemaps == ["http://a.example/map.xml"]
    assert not known.allows(rules, "http://a.example/no/x") and known.allows(rules, "http://a.example/yes")
    assert known.learn("http://b.example", Fetched("http://b.example/robots.txt", 503)) is None
    gone = known.learn("http://c.example", Fetched("http://c.example/robots.txt", 404))
    assert gone is not None and known.allows(gone, "http://c.example/any")
    known.commit(db)
    again = Robots(db, "garimpo/0.1", clock).get("http://a.example")
    assert again is not None and again.delay == 3
    clock.now = 5.0 + 86_400
    assert Robots(db, "garimpo/0.1", clock).get("http://a.example") is None


def test_the_memory_for_robots_files_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "CACHED_BYTES", 10_000)
    db = sqlite3.connect(":memory:")
    schema.create(db)
    clock = SimulatedClock(5.0)
    known = Robots(db, "garimpo/0.1", clock)
    text = b"User-agent: *\nDisallow: /no\n" + b"#" * 3_000
    for number in range(20):
        known.learn(f"http://h{number}.example", Fetched("http://h.example/robots.txt", 200, text))
        assert len(known._known) <= 3
    for _ in range(2):
        for number in range(20):
            rules = known.get(f"http://h{number}.example")
            assert rules is not None and not known.allows(rules, "http://h.example/no")
        known.commit(db)
        known.committed()


def test_a_redirected_robots_file_is_followed_five_times_and_never_into_a_private_network() -> None:
    public, private = "http://b.org/robots.txt", "http://10.0.0.1/robots.txt"
    moved, inwards = (Fetched("http://a.org/robots.txt", 302, headers=[("Location", to)]) for to in (public, private))
    assert [redirected(moved, hops) for hops in (0, 4, 5)] == [public, public, None]
    assert redirected(inwards, 0) is None and redirected(inwards, 0, guarded=False) == private
    assert redirected(Fetched("http://a.org/robots.txt", 200), 0) is None


@pytest.mark.parametrize(("status", "waits"), [(0, True), (429, True), (503, True), (404, False), (200, False), (301, False)])
def test_an_answer_that_says_nothing_means_wait(status: int, waits: bool) -> None:
    assert (read_answer(Fetched("http://a.org/robots.txt", status), 1.0, "garimpo") is None) is waits
