"""Guesses postpone a URL in its turn, once, and let one in twenty through."""

import sqlite3
from collections.abc import Sequence

import pytest

from garimpo.crawl.gate.guesses import LET_THROUGH, Guesses
from garimpo.crawl.state import fetched, host_rows, schema
from garimpo.crawl.state.entry import CHECK, Entry
from garimpo.crawl.state.host import Host


class NoQuery:
    version = 1
    hosts: Sequence[str] = ("a.example",)
    names: Sequence[str] = ("no-query",)
    calls = 0

    def applies(self, host: str) -> bool:
        return host in self.hosts

    def rules_on(self, host: str) -> list[str]:
        return list(self.names) if self.applies(host) else []

    def key(self, url: str) -> str:
        return f"dust:{url.partition('?')[0]}"

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        self.calls += 1
        return [self.key(url) for url in urls], ["no-query"] * len(urls)


def entry(url: str, key: int = 1, **more: int) -> Entry:
    return Entry(url, key, Host(1, url.split("/")[2], 0.0), 1.0, 1, **more)


@pytest.fixture
def guesses() -> Guesses:
    db = sqlite3.connect(":memory:")
    schema.create(db)
    names = ((1, "a.example"), (2, "www.a.example"), (3, "b.example"))
    host_rows.insert(db, [(id, name, name, 0.0, 0.0, 0, 0) for id, name in names])
    fetched.insert(db, [(1, 1, "http://a.example/old", 5.0, 200, None, None, None, None, None, None, None)])
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


def test_only_sites_whose_guesses_changed_are_keyed_again(guesses: Guesses) -> None:
    assert guesses.take_up(NoQuery()) == 0
    assert guesses.doubts(entry("http://a.example/old?1"))
    more = NoQuery()
    more.hosts = ("a.example", "www.a.example", "b.example")
    assert guesses.take_up(more) == 3
    assert guesses.doubts(entry("http://a.example/old?2"))
    more = NoQuery()
    more.hosts = ("a.example", "www.a.example")
    assert guesses.take_up(more) == 0


def test_keys_that_older_guesses_gave_are_never_met_again(guesses: Guesses) -> None:
    assert not guesses.doubts(entry("http://a.example/asked?1"))
    more = NoQuery()
    more.names = ["no-query", "no-fragment"]
    guesses.take_up(more)
    assert not guesses.doubts(entry("http://a.example/asked?2")) and guesses.doubts(entry("http://a.example/old?2"))


def test_the_next_urls_of_a_host_get_their_keys_together(guesses: Guesses) -> None:
    keys = NoQuery()
    guesses.take_up(keys)
    entries = [entry(f"http://a.example/{number}?x", key=number) for number in range(1, 9)]
    for one in entries:
        one.host = entries[0].host
    entries[0].host.heads = [(*one.order, one) for one in entries[1:]]
    keys.calls = 0
    assert not any(guesses.doubts(one) for one in entries) and keys.calls == 1
