"""URLs that may well repeat a page: not skipped, but left for the end.

Rules that little speaks for, or nothing on this host, are *guesses*. When a URL's turn comes and the guesses give it the key of
a page that was asked for before, its turn passes: it goes behind everything that is not doubted, and is fetched when
nothing else is left. A wrong guess costs nothing but time, so it may be bold. One in `LET_THROUGH` is fetched in its
turn anyway: what it shows is what the learner makes rules of.

New guesses give new keys to the pages of those sites only whose guesses changed. A key is mixed with a hash of all guesses of its
site, so those that older guesses gave are never met again.
"""

import sqlite3
from collections.abc import Sequence

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


class Guesses:
    """The guesses in force, and the keys they give to the pages asked for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._keys: KeyMap = Identity()
        self._shown = KeyTable()
        self._marks: dict[str, np.uint64] = {}
        """A hash of the guesses of each site."""
        self._ahead: dict[str, np.uint64] = {}
        """Keys of URLs whose turn has not come."""
        self.postponed = 0
        """How many turns were passed in this run."""

    def take_up(self, keys: KeyMap) -> int:
        """New guesses: what was fetched on sites where they are others than before gets its keys by them; on how many hosts."""
        self._keys = keys
        self._ahead.clear()
        hosts = [(id, name, site(name)) for id, name in host_rows.names(self._db) if keys.applies(name)]
        before, self._marks = self._marks, _marks(keys, [(own, name) for _, name, own in hosts])
        if len(self._shown) > 2 * fetched.count(self._db):  # most keys are of the past
            self._shown, before = KeyTable(), {}
        changed = [(id, name) for id, name, own in hosts if before.get(own) != self._marks[own]]
        for id, name in changed:
            self._shown.add(self._hashes(name, fetched.pages_of(self._db, id)))
        return len(changed)

    def doubts(self, entry: Entry) -> bool:
        """Whether an entry whose turn has come should wait: a page that it probably repeats was asked for."""
        if entry.kind != PAGE or entry.asked or not self._keys.applies(entry.host.name):
            return False
        entry.asked = True
        known = bool(self._shown.add(np.array([self._key(entry)], np.uint64))[0] == KNOWN)
        doubted = known and not entry.postponed and schema.unsigned(entry.key) % LET_THROUGH != 0
        self.postponed += doubted
        return doubted

    def _key(self, entry: Entry) -> np.uint64:
        """The key of an entry; those of the next ones of its host are made with it."""
        if entry.url not in self._ahead:
            if len(self._ahead) > MOST_AHEAD:
                self._ahead.clear()
            urls = [entry.url, *_next_urls(entry.host)]
            self._ahead.update(zip(urls, self._hashes(entry.host.name, urls)))
        return self._ahead.pop(entry.url)

    def _hashes(self, host: str, urls: Sequence[str]) -> NDArray[np.uint64]:
        """The keys of URLs of a host."""
        if not urls:
            return np.zeros(0, np.uint64)
        mark = self._marks.get(site(host), np.uint64(0))
        return hash_strings(pa.array(self._keys.keys(urls)[0], pa.string())) ^ mark


def _marks(keys: KeyMap, hosts: list[tuple[str, str]]) -> dict[str, np.uint64]:
    """By site a hash of the guesses on its hosts."""
    found: dict[str, xxhash.xxh64] = {}
    for own, name in sorted(hosts):
        found.setdefault(own, xxhash.xxh64()).update(" ".join([name, *keys.rules_on(name), ""]).encode())
    return {own: np.uint64(mark.intdigest()) for own, mark in found.items()}


def _next_urls(host: Host) -> list[str]:
    return [entry.url for _, _, entry in host.heads[:AHEAD] if entry.kind == PAGE and not entry.asked]
