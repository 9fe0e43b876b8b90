"""What is fetched next.

The life of a URL: met on a page, it is looked up in the seen set by its key; a new one passes the gate and becomes an `Entry`
in the queue of its host. `pop` takes the best entry of the best host that may be asked now (`workbench`); hosts whose
turn is far off sleep (`hosts`). The entry keeps its row on disk until `done` and a commit, so that a kill forgets nothing;
`retry` queues it again. A link to a URL that is still queued can raise its score. The gate decides, the frontier carries
out: it keeps, postpones, skips or checks an entry, and queues another URL instead.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.frontier.host_queues import HostQueues
from garimpo.crawl.frontier.hosts import Hosts
from garimpo.crawl.frontier.quota import Quota
from garimpo.crawl.frontier.records import Answered
from garimpo.crawl.frontier.workbench import SOON, Workbench
from garimpo.crawl.frontier.worth import Worth
from garimpo.crawl.gate.decision import Decision
from garimpo.crawl.gate.gate import Found, Gate
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import host_rows, meta, queued, schema
from garimpo.crawl.state.entry import CHECK_SCORE, PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.seen import NEW, RAISED, SeenSet
from garimpo.engine.columns import strings_at
from garimpo.url import host as host_of
from garimpo.url import key64

LEVELS = 254
TURNS = 64
"""So many turns are used in a row: what robots.txt or a rule refuses costs no request, and there may be a million of it."""
STANDS_FOR_ANOTHER = 0.6
"""The least score of a queued URL that others were skipped for: what it shows was not fetched under any URL."""


class Frontier:
    """The queue of a crawl: what enters, what is fetched next, and what comes of it."""

    def __init__(
        self,
        settings: Settings,
        db: sqlite3.Connection,
        seen: SeenSet,
        gate: Gate,
        resolver: Resolver,
        clock: Callable[[], float],
    ) -> None:
        self._settings, self._seen, self._gate, self._clock = settings, seen, gate, clock
        self.queues = HostQueues(db)
        self.bench = Workbench(settings.connections_per_address, clock)
        self.hosts = Hosts(db, self.queues, self.bench, resolver, clock, settings.delay)
        self._quota = Quota(settings, db)
        beside = not settings.orders_by_worth
        self._worth = Worth(self.queues, db, settings.seed, not settings.postponed, beside) if settings.learns_worth else None
        self._seq = queued.last_sequence(db)
        self.goes_on = False
        """Whether `pop` gave up before all that could be asked for was looked at."""
        self.hosts.load()

    @property
    def queued(self) -> int:
        """How many URLs are queued or in flight."""
        return self.queues.queued

    def facts(self) -> dict[str, int]:
        """The frontier in numbers."""
        return {"queued": self.queued, "hosts": len(self.hosts), **self._gate.facts()}

    def reserve(self, urls: int) -> None:
        """Make room for so many new URLs. On a full disk this fails, and can be called again."""
        self._seen.reserve(urls)

    def mark_seen(self, keys: Iterable[int]) -> None:
        """URLs with these (signed) keys are not to enter."""
        self._seen.add(np.array(list(keys), np.int64).view(np.uint64))

    def trap_news(self) -> list[tuple[str, str]]:
        """(trap, host) met for the first time since this was asked last."""
        return self._gate.trap_news()

    def add(self, links: pa.Table, scores: NDArray[np.float32], entries: Sequence[Entry]) -> int:
        """Queue the targets not met before; raise those that are queued with a lower score. Returns how many are new.

        Columns: `target`, `key` (uint64), `row`: which of `entries` the link stands on, and perhaps `anchor`.
        """
        keys = links.column("key").to_numpy()
        codes = self._seen.add(keys, (scores * LEVELS).astype(np.uint8))
        picked = np.flatnonzero(codes)
        if not picked.size:
            return 0
        urls = strings_at(links.column("target"), picked)
        rows = links.column("row").to_numpy()[picked].tolist()
        named = self._worth.names(links, keys[codes == NEW], entries) if self._worth is not None else {}
        found = []
        for url, code, key, score, row in zip(urls, codes[picked].tolist(), keys[picked].tolist(), scores[picked].tolist(), rows):
            signed = schema.signed(key)
            if code == RAISED:
                self._raise_score(url, signed, score)
            else:
                found.append(Found(url, signed, score, entries[row].depth + 1, entries[row], named.get(key)))
        return self.enter(found)

    def add_urls(
        self,
        urls: Sequence[str],
        *,
        depth: int = 0,
        score: float = 1.0,
        parent: Entry | None = None,
        kind: int = PAGE,
        hops: int = 0,
        seeds: bool = False,
    ) -> int:
        """Queue a few URLs in normal form: seeds, redirect targets, what a sitemap lists."""
        keys = np.array([key64(url) for url in urls], np.uint64)
        codes = self._seen.add(keys, np.full(len(urls), int(min(score, 1.0) * LEVELS), np.uint8))
        signed = keys.view(np.int64).tolist()
        found = [Found(url, key, score, depth, parent) for url, key, code in zip(urls, signed, codes.tolist()) if code == NEW]
        return self.enter(found, kind=kind, hops=hops, seeds=seeds)

    def enter(self, found: Sequence[Found], *, kind: int = PAGE, hops: int = 0, seeds: bool = False) -> int:
        """URLs met for the first time, through the gate and into their queues; returns how many are queued."""
        entries = []
        for one in found:
            run = one.run
            refusal = self._gate.refusal(one, run, seeds)
            if refusal is not None:
                self._gate.skip_found(one, self.host(one.host).id if refusal.reason == "trap" else 0, refusal)
                continue
            place = (self.host(one.host), one.score, self.next_seq(), one.depth, one.above)
            entries.append(Entry(one.url, one.key, *place, 0, hops, kind, run))
        kept = self.carry_out_decisions(entries) if kind == PAGE else entries
        self._gate.meet(kept)
        if self._worth is not None:
            self._worth.enter_all(kept, found)
        for entry in kept:
            self.put(entry)
        return len(kept)

    def carry_out_decisions(self, entries: list[Entry]) -> list[Entry]:
        """Do what the gate decides about entries, which are queued or will be; returns those that stay."""
        entries = self._carry_out(entries, self._gate.decide_folds(entries))
        return self._carry_out(entries, self._gate.decide_keys(entries))

    def put(self, entry: Entry) -> None:
        """Queue an entry, and place its host on the workbench if that makes it better."""
        if not entry.host.sought:
            self.hosts.seek(entry.host)
        if self._worth is not None:
            self._worth.put_back(entry)
        if self.queues.put(entry):
            self.bench.place(entry.host)

    def move(self, entry: Entry) -> None:
        """A queued entry changed, its score too."""
        if self.queues.move(entry):
            self.bench.place(entry.host)

    def next_seq(self) -> int:
        """A sequence number later than all others."""
        self._seq += 1
        return self._seq

    def host(self, name: str) -> Host:
        """The host of that name, made when it is met first."""
        return self.hosts.get(name) or self.hosts.make(name)

    def pop(self) -> Entry | None:
        """The best entry that may be asked for now. Its host is off the workbench until `begin` or `leave`."""
        self.goes_on = False
        for _ in range(TURNS):
            if (host := self._pop_host()) is None:
                return None
            if not self._quota.has_room(host) and not host.serves_others:
                self.bench.drop(host)  # what is queued stays queued, for a crawl with a larger budget
            elif (entry := self._take(host)) is None:
                self.bench.place(host)
            elif entry.postponed and self._is_better_to_come():
                self.put(entry)
                self.bench.place(host)
                return None
            elif self._uses_turn(entry):
                return entry
            else:
                self.bench.place(host)
        self.goes_on = True
        return None

    def begin(self, entry: Entry) -> None:
        """The request for an entry starts: its host and address are busy until `release`."""
        entry.started = self._clock()
        self._quota.count(entry.host, 1)
        self.hosts.touch(entry.host)
        self.bench.begin(entry.host, self._settings.delay)

    def leave(self, entry: Entry) -> None:
        """A popped entry needs no request: its host is free for another."""
        self.bench.place(entry.host)

    def release(self, entry: Entry, asked: float = 0.0) -> None:
        """The request ended. Delays count from `asked`, when the server had surely seen the request."""
        self.bench.end(entry.host, self._settings.delay, asked)

    def done(self, entry: Entry) -> None:
        """The entry was answered for good."""
        self.queues.done(entry)

    def refuse(self, entry: Entry, reason: str) -> None:
        """A popped entry is not fetched after all: it leaves the queue, with a row that says why."""
        self._gate.skip_entry(entry, reason)
        self.done(entry)
        self.leave(entry)

    def retry(self, entry: Entry, count: bool = True) -> None:
        """Back into the queue, behind what has the same score; `count` says whether this was one of its tries."""
        entry.tries += count
        entry.seq = self.next_seq()
        self.uncount(entry)
        self.put(entry)

    def uncount(self, entry: Entry) -> None:
        """The request for this entry is no page of its host."""
        self._quota.count(entry.host, -1)
        self.hosts.touch(entry.host)

    def met(self, entry: Entry, repeated: bool) -> None:
        """A page was read; `repeated` says whether the crawl had its content."""
        self._gate.met(entry, repeated)

    def answered(self, entry: Entry, gain: float, kind: Answered = Answered.PAGE) -> None:
        """An entry was answered; `gain` is the share of its text that is new."""
        if self._worth is not None:
            self._worth.observe(entry, gain, kind)

    def revived(self) -> list[tuple[Host, Callable[[str], bool]]]:
        """Hosts, and what tells which of their URLs that were left aside by their shape come back."""
        return self._worth.revived() if self._worth is not None else []

    def failed(self, entry: Entry) -> None:
        """A page could not be fetched: what was skipped because of it may come back."""
        self._gate.failed(entry.url)

    def redirected(self, entry: Entry, target: str) -> None:
        """A page redirects: its target is queued in its place."""
        self._gate.redirected(entry.url, target)
        self.add_urls([target], depth=entry.depth, score=entry.base, parent=entry, hops=entry.hops + 1)

    def has_ready(self) -> bool:
        """Whether some host may be ready now, awake or asleep."""
        return self.bench.has_ready() or self.hosts.some_sleep

    def rest(self) -> None:
        """Keep no more hosts awake than need be; only right after a commit."""
        self.hosts.rest(self._quota.has_room)

    def raise_score(self, url: str, score: float) -> None:
        """A queued URL is worth at least this."""
        self._raise_score(url, schema.signed(key64(url)), score)

    def close(self) -> None:
        """Let go of the seen set's scratch file."""
        self._seen.close()

    def commit(self, db: sqlite3.Connection) -> None:
        """Write everything that changed; called inside the commit's transaction, followed by `committed`."""
        self._gate.commit(db)
        self.queues.commit(db)
        host_rows.insert(db, self.hosts.rows())
        meta.put(db, "seen", self._seen.flush())
        meta.put(db, "seen digest", self._seen.digest)

    def committed(self) -> None:
        """The transaction stands."""
        self._gate.committed()
        self.queues.committed()
        self.hosts.changed.clear()

    def _carry_out(self, entries: list[Entry], decisions: list[Decision]) -> list[Entry]:
        if not decisions:
            return entries
        for decision in decisions:
            entry = decision.entry
            if decision.instead is not None:
                self.add_urls([decision.instead], depth=entry.depth, score=entry.base)
            if decision.action == "postpone":
                entry.postpone()
            elif decision.action == "check":
                self._make_check(decision)
            elif decision.action == "skip" and decision.owner is not None:
                self._raise_owner(decision.owner)
        skipped = {decision.entry.key for decision in decisions if decision.action == "skip"}
        urgent = {decision.owner for decision in decisions if decision.action == "check"}
        for entry in entries:
            if entry.url in urgent:  # not queued yet: it is fetched as early as its check
                entry.score = CHECK_SCORE
        return [entry for entry in entries if entry.key not in skipped]

    def _raise_owner(self, url: str) -> None:
        """A URL stands for one that was skipped: while it waits, it is as good as any page that nothing is known of."""
        host = self.hosts.get(host_of(url) or "")
        if host is not None and self.queues.raise_score(host, schema.signed(key64(url)), STANDS_FOR_ANOTHER):
            self.bench.place(host)

    def _make_check(self, decision: Decision) -> None:
        """Fetch an entry and the URL that stands for it before all else of their hosts."""
        decision.entry.make_check()
        if decision.owner is not None:
            self.raise_score(decision.owner, CHECK_SCORE)

    def _uses_turn(self, entry: Entry) -> bool:
        """Whether the turn of an entry is used; else it is postponed, left aside, or skipped for good."""
        if self._worth is not None and (shape := self._worth.leaves_aside(entry)) is not None:
            self._gate.skip_entry(entry, "shape", shape)
            self.queues.done(entry)
            return False
        decision = self._gate.decide_turn(entry)
        if decision.action == "skip":
            self.queues.done(entry)
        elif decision.action == "postpone":
            entry.postpone()
            self.queues.put(entry)
        elif decision.action == "check":
            self._make_check(decision)
        return decision.action in ("keep", "check")

    def _is_better_to_come(self) -> bool:
        """Whether a URL that is not postponed comes soon; then of a budget in pages nothing is spent on one that is."""
        sleeping = self.hosts.some_sleep and not self.hosts.may_wake()
        waiting = self.bench.sure_hosts and (self.bench.open or self.bench.next_time() <= self._clock() + SOON)
        return bool(self._settings.max_pages and (sleeping or waiting))

    def _pop_host(self) -> Host | None:
        while self.hosts.some_sleep and self.hosts.wake_better(self.bench.best()):
            pass
        return self.bench.pop()

    def _take(self, host: Host) -> Entry | None:
        return self.queues.take(host) if self._worth is None or host.serves_others else self._worth.take(host)

    def _raise_score(self, url: str, key: int, score: float) -> None:
        host = self.hosts.get(host_of(url) or "")
        if host is not None and self.queues.raise_score(host, key, score, weighed=score <= 1.0):
            self.bench.place(host)
