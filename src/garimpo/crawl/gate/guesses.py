"""URLs that may well repeat a page: not skipped, but left for the end.

Rules that little speaks for, or nothing on this host, are *guesses*. When a URL's turn comes and the guesses give it the key of
a page that was asked for before, its turn passes: it goes behind everything that is not doubted, and is fetched when
nothing else is left. A wrong guess costs nothing but time, so it may be bold. One in `LET_THROUGH` is fetched in its
turn anyway: what it shows is what the learner makes rules of.

New guesses give new keys to the pages of those sites only whose guesses changed. A key is mixed with a hash of all guesses of its
site, so those that older guesses gave are never met again.
"""

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.crawl.components import Identity, KeyMap
from garimpo.crawl.state import fetched, host_rows, schema
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.seen import KNOWN, KeyTable
from garimpo.engine.columns import hash_strings
from garimpo.url import site

LET_THROUGH = 20
AHEAD = 32
"""URLs of a host that get their keys together: those whose turn comes next."""
MOST_AHEAD = 100_000
"""Keys made ahead: when there are more all are forgotten, and made again when they are needed."""
TOGETHER = 20_000
"""URLs fetched that get their keys together."""


class Guesses:
    """The guesses in force, and the keys they give to the pages asked for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._keys: KeyMap = Identity()
        self._shown = KeyTable()
        self._marks: dict[str, np.uint64] = {}
        """A hash of the guesses of each site."""
        self._concerned: dict[str, str] = {}
        """The site of each host that the guesses in force speak of; empty for one they do not speak of."""
        self._ahead: dict[str, dict[str, np.uint64]] = {}
        """By site the keys of URLs whose turn has not come."""
        self._count_ahead = 0
        self.postponed = 0
        """How many turns were passed in this run."""

    def take_up(self, keys: KeyMap) -> int:
        """New guesses: what was fetched on sites where they are others than before gets its keys by them; on how many hosts."""
        self._keys = keys
        self._concerned.clear()
        hosts = [(id, name, own) for id, name in host_rows.names(self._db) if (own := self._site(name))]
        before, self._marks = self._marks, _marks(keys, [(own, name) for _, name, own in hosts])
        self._forget_ahead(own for own in [*self._ahead] if own not in before or before[own] != self._marks.get(own))
        if len(self._shown) > 2 * fetched.count(self._db):  # most keys are of the past
            self._shown, before = KeyTable(), {}
        changed = [(id, name, own) for id, name, own in hosts if before.get(own) != self._marks[own]]
        urls, marks = list[str](), list[np.uint64]()
        for id, _, own in changed:
            urls += fetched.pages_of(self._db, id)
            marks += [self._marks[own]] * (len(urls) - len(marks))
            if len(urls) >= TOGETHER:
                self._show(urls, marks)
                urls, marks = [], []
        self._show(urls, marks)
        return len(changed)

    def meet(self, entries: Sequence[Entry]) -> None:
        """Entries come into the queue: their keys are made together, for when their turns come."""
        urls: dict[str, str] = {}
        for entry in entries:
            if entry.kind == PAGE and (own := self._site(entry.host.name)):
                urls[entry.url] = own
        self._make_ahead(urls)

    def doubts(self, entry: Entry) -> bool:
        """Whether an entry whose turn has come should wait: a page that it probably repeats was asked for."""
        if entry.kind != PAGE or entry.asked or not (own := self._site(entry.host.name)):
            return False
        entry.asked = True
        known = bool(self._shown.add(np.array([self._key(entry, own)], np.uint64))[0] == KNOWN)
        doubted = known and not entry.postponed and schema.unsigned(entry.key) % LET_THROUGH != 0
        self.postponed += doubted
        return doubted

    def _site(self, name: str) -> str:
        """The site of a host that the guesses speak of; else nothing."""
        found = self._concerned.get(name)
        if found is None:
            if len(self._concerned) >= MOST_AHEAD:
                self._concerned.clear()
            found = self._concerned[name] = site(name) if self._keys.applies(name) else ""
        return found

    def _key(self, entry: Entry, own: str) -> np.uint64:
        """The key of an entry; those of the next ones of its host are made with it."""
        if entry.url not in self._ahead.get(own, ()):
            self._make_ahead(dict.fromkeys((entry.url, *_next_urls(entry.host)), own))
        self._count_ahead -= 1
        return self._ahead[own].pop(entry.url)

    def _make_ahead(self, urls: dict[str, str]) -> None:
        """Make the keys of URLs, each with its site."""
        if not urls:
            return
        if self._count_ahead > MOST_AHEAD:
            self._forget_ahead([*self._ahead])
        nothing = np.uint64(0)
        for (url, own), key in zip(urls.items(), self._hashes([*urls], [self._marks.get(own, nothing) for own in urls.values()])):
            keys = self._ahead.setdefault(own, {})
            self._count_ahead += url not in keys
            keys[url] = key

    def _forget_ahead(self, sites: Iterable[str]) -> None:
        self._count_ahead -= sum(len(self._ahead.pop(own)) for own in sites)

    def _show(self, urls: Sequence[str], marks: Sequence[np.uint64]) -> None:
        """These pages were asked for."""
        if urls:
            self._shown.add(self._hashes(urls, marks))

    def _hashes(self, urls: Sequence[str], marks: Sequence[np.uint64]) -> NDArray[np.uint64]:
        """The keys of URLs, each mixed with the mark of its site."""
        return hash_strings(pa.array(self._keys.keys(urls)[0], pa.string())) ^ np.array(marks, np.uint64)


def _marks(keys: KeyMap, hosts: list[tuple[str, str]]) -> dict[str, np.uint64]:
    """By site a hash of the guesses on its hosts."""
    found: dict[str, xxhash.xxh64] = {}
    for own, name in sorted(hosts):
        found.setdefault(own, xxhash.xxh64()).update(" ".join([name, *keys.rules_on(name), ""]).encode())
    return {own: np.uint64(mark.intdigest()) for own, mark in found.items()}


def _next_urls(host: Host) -> list[str]:
    return [entry.url for _, _, entry in host.heads[:AHEAD] if entry.kind == PAGE and not entry.asked]
