"""Guesses postpone a URL in its turn, once, and let one in twenty through."""

import sqlite3
from collections.abc import Sequence

import pytest

from garimpo.crawl.gate.guesses import LET_THROUGH, Guesses
from garimpo.crawl.state import fetched, schema
from garimpo.crawl.state.entry import CHECK, Entry
from garimpo.crawl.state.host import Host


class NoQuery:
    version = 1

    def applies(self, host: str) -> bool:
        return host == "a.example"

    def rules_on(self, host: str) -> list[str]:
        return ["no-query"]

    def key(self, url: str) -> str:
        return f"dust:{url.partition('?')[0]}"

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        return [self.key(url) for url in urls], ["no-query"] * len(urls)


def entry(url: str, key: int = 1, **more: int) -> Entry:
    return Entry(url, key, Host(1, url.split("/")[2], 0.0), 1.0, 1, **more)


@pytest.fixture
def guesses() -> Guesses:
    db = sqlite3.connect(":memory:")
    schema.create(db)
    fetched.insert(db, [(1, 1, "http://a.example/old", 5.0, 200, None, None, None, None, None)])
    made = Guesses(db)
    made.take_up(NoQuery())
    return made


def test_what_probably_repeats_a_page_asked_for_waits_once(guesses: Guesses) -> None:
    again = entry("http://a.example/old?1")
    assert guesses.doubts(again) and not guesses.doubts(again)
    assert not guesses.doubts(entry("http://a.example/new?1")) and guesses.doubts(entry("http://a.example/new?2"))
    assert guesses.postponed == 2


def test_one_in_twenty_and_all_checks_and_other_hosts_pass(guesses: Guesses) -> None:
    assert not guesses.doubts(entry("http://a.example/old?1", key=LET_THROUGH))
    assert not guesses.doubts(entry("http://a.example/old?2", kind=CHECK))
    assert not guesses.doubts(entry("http://b.example/old?3"))
    assert guesses.postponed == 0
