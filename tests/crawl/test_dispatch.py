"""What a URL's turn is used for, with a frontier of its own and a client that only writes down what it is asked."""

from pathlib import Path

import pytest

from crawl.made import MadeFrontier
from garimpo.contract import Fetched
from garimpo.crawl.dispatch import Dispatcher
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.fetch.robots import WAIT_SECONDS, Robots
from garimpo.crawl.state.entry import PAGE, ROBOTS, SITEMAP, Entry

HOME, ROBOTS_URL = "http://a.example/", "http://a.example/robots.txt"


class FakeClient:
    """Starts nothing."""

    def __init__(self) -> None:
        self.started: list[tuple[str, int]] = []

    def start(self, entry: Entry, url: str, purpose: int, *rest: object) -> None:
        self.started.append((url, purpose))


class Desk:
    """A dispatcher over fakes."""

    def __init__(self, folder: Path) -> None:
        self.made, self.client = MadeFrontier(folder), FakeClient()
        self.frontier, self.settings = self.made.frontier, self.made.settings
        robots, resolver = Robots(self.made.db, "garimpo/0.1", self.made.clock), Resolver(self.settings, looks_up=False)
        self.dispatcher = Dispatcher(self.settings, self.frontier, robots, self.client, resolver, None, None)
        self.frontier.add_urls([HOME])

    def turn(self) -> Entry:
        entry = self.frontier.pop()
        assert entry is not None
        self.dispatcher.take(entry)
        return entry

    def answer(self, entry: Entry, fetched: Fetched) -> bool:
        now = self.made.clock.now
        self.frontier.release(entry, now)
        return self.dispatcher.robots_answered(Answer(entry, fetched, (), now, now, ROBOTS))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "crawl")


def test_the_first_turn_of_an_origin_is_used_for_its_robots_file(desk: Desk) -> None:
    entry = desk.turn()
    assert desk.client.started == [(ROBOTS_URL, ROBOTS)] and entry.host.held
    desk.made.clock.now = 9.0
    assert desk.frontier.pop() is None  # nothing else is asked of a host meanwhile
    assert desk.answer(entry, Fetched(ROBOTS_URL, 404)) and not entry.host.held
    desk.made.clock.now = 10.0
    assert desk.turn() is entry and desk.client.started[1:] == [(HOME, PAGE)]


def test_what_robots_forbids_is_skipped_with_a_row(desk: Desk) -> None:
    assert desk.answer(desk.turn(), Fetched(ROBOTS_URL, 200, b"User-agent: *\nDisallow: /\n"))
    desk.made.clock.now = 5.0
    desk.turn()
    assert len(desk.client.started) == 1 and desk.frontier.queued == 0
    assert desk.frontier.facts()["skipped_robots"] == 1


def test_a_robots_file_that_fails_makes_its_host_wait(desk: Desk) -> None:
    entry = desk.turn()
    desk.made.clock.now = 2.0
    assert desk.answer(entry, Fetched(ROBOTS_URL, 503))
    assert entry.host.next_at == 2.0 + WAIT_SECONDS and desk.frontier.queued == 1


def test_a_redirected_robots_file_is_followed_in_the_next_turn(desk: Desk) -> None:
    moved = Fetched(ROBOTS_URL, 301, headers=[("Location", "http://www.a.example/r.txt")])
    assert desk.answer(desk.turn(), moved)
    desk.made.clock.now = 5.0
    desk.turn()
    assert desk.client.started[-1] == ("http://www.a.example/r.txt", ROBOTS)


def test_delay_and_sitemaps_of_a_robots_file_are_taken_over(desk: Desk) -> None:
    body = b"User-agent: *\nCrawl-delay: 7\nSitemap: /map.xml\n"
    entry = desk.turn()
    assert desk.answer(entry, Fetched(ROBOTS_URL, 200, body))
    assert entry.host.delay == 7.0 and entry.host.next_at == 7.0
    kinds = {one.url: one.kind for one in desk.frontier.queues.entries_of(entry.host)}
    assert kinds == {HOME: PAGE, "http://a.example/map.xml": SITEMAP}
