"""What is fetched next.

The life of a URL: met on a page, it is looked up in the seen-set by its key; a new one passes the gate (`admission`) and
becomes an `Entry`, which lies on the shelf of its host. `pop` takes the best entry of the best host that may be asked now
(`workbench`); hosts whose turn is far off sleep (`hosts`). The entry keeps its row in the queue until `done` and a commit, so
that a kill forgets nothing; `retry` lays it down again. A link to a URL that is still queued can raise its
score; `rescore` sets scores anew.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.crawl import queue
from garimpo.crawl.admission import Admission, Found
from garimpo.crawl.askable import Host
from garimpo.crawl.entries import PAGE, Entry
from garimpo.crawl.hosts import Hosts
from garimpo.crawl.seen import NEW, RAISED, SeenSet
from garimpo.crawl.settings import Settings
from garimpo.crawl.shelf import Shelf
from garimpo.crawl.traps import shape
from garimpo.crawl.workbench import SOON, Workbench
from garimpo.engine.columns import strings_at
from garimpo.url import host as host_of
from garimpo.url import key64

LEVELS = 254


class Frontier:
    """The queue of a crawl. `address_of` names the address of a host where it is known without asking, else None."""

    def __init__(
        self,
        settings: Settings,
        db: sqlite3.Connection,
        seen: SeenSet,
        gate: Admission,
        address_of: Callable[[str], str | None],
        now: float,
    ) -> None:
        self._settings, self.seen, self.gate = settings, seen, gate
        self.shelf = Shelf(db)
        self.bench = Workbench(settings.connections_per_address)
        self.hosts = Hosts(db, self.shelf, self.bench, address_of, now, settings.delay)
        self.per_site: Counter[str] = Counter(queue.fetched_by_site(db) if settings.max_pages_per_site else {})
        """Pages fetched of each site; only where that has a budget."""
        self._open = 0
        """Requests begun and not released."""
        self._seq = queue.last_sequence(db)
        self.hosts.load()

    @property
    def queued(self) -> int:
        """How many URLs are queued or in flight."""
        return self.shelf.queued

    def add(self, links: pa.Table, scores: NDArray[np.float32], entries: Sequence[Entry], now: float = 0.0) -> int:
        """Queue the targets not met before; raise those that are queued with a lower score. Returns how many are new.

        Columns: `target`, `key` (uint64), and `row`: which of `entries` the link stands on.
        """
        keys = links.column("key").to_numpy()
        codes = self.seen.add(keys, (scores * LEVELS).astype(np.uint8))
        picked = np.flatnonzero(codes)
        if not picked.size:
            return 0
        urls = strings_at(links.column("target"), picked)
        rows = links.column("row").to_numpy()[picked].tolist()
        found = []
        for url, code, key, score, row in zip(
            urls, codes[picked].tolist(), keys[picked].view(np.int64).tolist(), scores[picked].tolist(), rows
        ):
            if code == RAISED:
                self._rescore(url, key, score, now, only_up=True)
            else:
                found.append(Found(url, key, score, entries[row].depth + 1, entries[row]))
        return self.enter(found, now)

    def add_urls(
        self,
        urls: Sequence[str],
        *,
        depth: int = 0,
        score: float = 1.0,
        parent: Entry | None = None,
        kind: int = PAGE,
        hops: int = 0,
        now: float = 0.0,
        seeds: bool = False,
    ) -> int:
        """Queue a few URLs in normal form: seeds, redirect targets, what a sitemap lists."""
        keys = np.array([key64(url) for url in urls], np.uint64)
        codes = self.seen.add(keys, np.full(len(urls), int(min(score, 1.0) * LEVELS), np.uint8))
        signed = keys.view(np.int64).tolist()
        found = [Found(url, key, score, depth, parent) for url, key, code in zip(urls, signed, codes.tolist()) if code == NEW]
        return self.enter(found, now, kind=kind, hops=hops, seeds=seeds)

    def enter(self, found: Sequence[Found], now: float, *, kind: int = PAGE, hops: int = 0, seeds: bool = False) -> int:
        """URLs met for the first time, through the gate and onto the shelf; returns how many are queued."""
        entries = []
        for one in found:
            admitted = self._admit(one, now, seeds)
            if admitted is not None:
                host, run = admitted
                self._seq += 1
                above = one.parent.url if one.parent is not None else None
                entries.append(Entry(one.url, one.key, host, one.score, self._seq, one.depth, above, 0, hops, kind, run))
        kept = self.gate.rules.admit(entries, self, now) if kind == PAGE else entries
        for entry in kept:
            self.put(entry, now)
        return len(kept)

    def put(self, entry: Entry, now: float) -> None:
        """Lay an entry on the shelf, and its host on the workbench if that makes it better."""
        if not entry.host.sought:
            self.hosts.seek(entry.host, now)
        if self.shelf.put(entry):
            self.bench.place(entry.host, now)

    def next_seq(self) -> int:
        """A sequence number later than all others."""
        self._seq += 1
        return self._seq

    def host(self, name: str, now: float) -> Host:
        """The host of that name, made when it is met first."""
        return self.hosts.get(name, now) or self.hosts.make(name)

    def pop(self, now: float) -> Entry | None:
        """The best entry that may be asked for now. Its host is off the workbench until `begin` or `leave`."""
        while (host := self._pop_host(now)) is not None:
            if not self._within_budget(host):
                self.bench.drop(host, now)  # what is queued stays queued, for a crawl with a larger budget
            elif (entry := self.shelf.take(host)) is None:
                self.bench.place(host, now)
            elif entry.postponed and self._is_better_to_come(now):
                self.put(entry, now)
                self.bench.place(host, now)
                return None
            elif self._is_asked(entry):
                return entry
            else:
                self.bench.place(host, now)
        return None

    def begin(self, entry: Entry, now: float) -> None:
        """The request for an entry starts: its host and address are busy until `release`."""
        host, address = entry.host, entry.host.address
        assert address is not None
        entry.started = now
        host.next_at = now + host.delay
        address.next_at = now + self._settings.delay
        address.busy += 1
        host.open += 1
        self._open += 1
        host.fetched += 1
        self._count_for_site(host, 1)
        self._touch(host)
        self.bench.place(host, now)

    def leave(self, entry: Entry, now: float) -> None:
        """A popped entry needs no request: its host is free for another."""
        self.bench.place(entry.host, now)

    def release(self, entry: Entry, now: float, asked: float = 0.0) -> None:
        """The request ended. Delays count from `asked`, when the server had surely seen the request."""
        host, address = entry.host, entry.host.address
        assert address is not None
        address.busy -= 1
        host.open -= 1
        self._open -= 1
        if host.delay or self._settings.delay:
            host.next_at = max(host.next_at, asked + host.delay)
            address.next_at = max(address.next_at, asked + self._settings.delay)
        self.bench.place(host, now)

    def done(self, entry: Entry) -> None:
        """The entry was answered for good."""
        self.shelf.done(entry)

    def retry(self, entry: Entry, now: float, count: bool = True) -> None:
        """Back onto the shelf, behind what has the same score; `count` says whether this was one of its tries."""
        entry.tries += count
        entry.seq = self.next_seq()
        self.uncount(entry)
        self.put(entry, now)

    def uncount(self, entry: Entry) -> None:
        """The request for this entry is no page of its host."""
        entry.host.fetched -= 1
        self._touch(entry.host)
        self._count_for_site(entry.host, -1)

    def hold(self, host: Host, until: float, now: float) -> None:
        """Ask nothing of this host before `until`."""
        if until > host.next_at:
            host.next_at = until
            self._touch(host)
            self.bench.place(host, now)

    def slow_down(self, host: Host, delay: float) -> None:
        """A host asks for a longer delay."""
        host.delay = delay
        self._touch(host)

    def recover(self, host: Host) -> None:
        """A host answered: its failures are forgotten."""
        if host.errors:
            host.errors = 0
            self._touch(host)

    def has_ready(self) -> bool:
        """Whether some host may be ready now, awake or asleep."""
        return self.bench.has_ready() or self.hosts.some_sleep

    def rest(self, now: float) -> None:
        """Keep no more hosts awake than need be; only right after a commit."""
        self.hosts.rest(now, self._within_budget)

    def rescore(self, urls: Iterable[str], scores: NDArray[np.float32], now: float = 0.0) -> None:
        """Set the scores of queued URLs anew; URLs that are not queued are passed over."""
        for url, score in zip(urls, scores.tolist()):
            self._rescore(url, queue.signed(key64(url)), score, now, only_up=False)

    def reorder(self, ids: Iterable[int], now: float) -> None:
        """The scores of queued URLs of these hosts were changed on disk; only right after a commit."""
        self.hosts.reorder(ids, now)

    def raise_score(self, url: str, score: float, now: float = 0.0) -> None:
        """A queued URL is worth at least this."""
        self._rescore(url, queue.signed(key64(url)), score, now, only_up=True)

    def move(self, entry: Entry, now: float) -> None:
        """A queued entry changed, its score too."""
        if self.shelf.move(entry):
            self.bench.place(entry.host, now)

    def hasten(self, name: str, now: float) -> None:
        """What was postponed on a host is doubted no more."""
        for entry in self.shelf.entries_of(self.host(name, now)):
            if entry.postponed:
                entry.score = entry.worth
                self.move(entry, now)

    def rewrite(self, hosts: Iterable[str], now: float = 0.0) -> int:
        """Give what is queued and fetched on these hosts the keys of the present rules; returns how many left the queue."""
        met = (self.hosts.get(name, now) for name in hosts)
        return sum(self.gate.rules.rewrite(host, self, now) for host in met if host is not None)

    def close(self) -> None:
        """Let go of the seen-set's scratch file."""
        self.seen.close()

    def commit(self, db: sqlite3.Connection) -> None:
        """Write everything that changed; called inside the commit's transaction, followed by `committed`."""
        self.gate.commit(db)
        self.shelf.commit(db)
        queue.insert_hosts(db, self.hosts.rows())
        queue.set_meta(db, "seen", self.seen.flush())

    def committed(self) -> None:
        """The transaction stands."""
        self.gate.committed()
        self.shelf.committed()
        self.hosts.changed.clear()

    def _admit(self, found: Found, now: float, seed: bool) -> tuple[Host, int] | None:
        """The host of a URL that may enter, and how long a run of its shape is; None for one that is skipped."""
        url, name = found.url, host_of(found.url) or ""
        outside = self.gate.scope.outside(url, name)
        deepest = self._settings.max_depth
        if outside is None and deepest is not None and found.depth > deepest:
            outside = "depth"
        if outside is not None and not (seed and outside in ("include", "exclude")):
            self.gate.skip(found, 0, "scope", outside)
            return None
        host = self.host(name, now)
        run = run_of(found, host)
        trap = self.gate.traps.caught(url, host, run)
        if trap is not None:
            self.gate.skip(found, host.id, "trap", trap)
            return None
        return host, run

    def _is_asked(self, entry: Entry) -> bool:
        """Whether the turn of an entry is used; else it is postponed, or skipped for good."""
        rules = self.gate.rules
        if entry.kind == PAGE and entry.postponed and not rules.at_last(entry, self):
            self.shelf.done(entry)
            return False
        if rules.guesses.doubts(entry):
            entry.postpone()
            self.shelf.put(entry)
            return False
        return True

    def _is_better_to_come(self, now: float) -> bool:
        """Whether something that is not postponed comes soon; then of a budget in pages nothing is spent on what is."""
        awakes = self.hosts.some_sleep and not self.hosts.may_wake(now)
        comes = self.bench.undoubted and (self._open or self.bench.next_time() <= now + SOON)
        return bool(self._settings.max_pages and (awakes or comes))

    def _pop_host(self, now: float) -> Host | None:
        while self.hosts.some_sleep and self.hosts.wake_better(self.bench.best(now), now):
            pass
        return self.bench.pop(now)

    def _within_budget(self, host: Host) -> bool:
        per_host, per_site = self._settings.max_pages_per_host, self._settings.max_pages_per_site
        return not (per_host and host.fetched >= per_host) and not (per_site and self.per_site[host.site] >= per_site)

    def _count_for_site(self, host: Host, pages: int) -> None:
        if self._settings.max_pages_per_site:
            self.per_site[host.site] += pages

    def _rescore(self, url: str, key: int, score: float, now: float, only_up: bool) -> None:
        host = self.hosts.get(host_of(url) or "", now)
        if host is not None and self.shelf.rescore(host, key, score, only_up):
            self.bench.place(host, now)

    def _touch(self, host: Host) -> None:
        self.hosts.changed[host] = None


def run_of(found: Found, host: Host | None) -> int:
    """How many pages of the same shape led here, one from the other."""
    parent = found.parent
    if parent is None or parent.host is not host:
        return 0
    if parent.shape is None:
        parent.shape = shape(parent.url)
    return parent.run + 1 if shape(found.url) == parent.shape else 0
