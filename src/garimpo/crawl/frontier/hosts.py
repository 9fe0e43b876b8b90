"""All hosts of a crawl: some thousands awake, the others asleep.

A host that is *awake* is an object on the workbench. When more than `AWAKE` are, those with the worst URLs go to sleep after a
commit: all that is known of them stands in the database, and only how good the best URL of each is stays in memory. A host
wakes when anything about it is to change, as when a URL of it is met, and when no host that is awake has a better URL. So the
memory of a crawl does not grow with the hosts it meets.

Invariants: only what could be asked at once sleeps, so the order of sleeping hosts is all that must be known of them; the row of
a sleeping host is up to date; there is one object for a host, and one for an address as long as a host on it is awake.
"""

import heapq
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.fetch.waiting import MOST_ASKED
from garimpo.crawl.frontier.host_queues import HostQueues
from garimpo.crawl.frontier.sleeping import SleepingHosts
from garimpo.crawl.frontier.workbench import Workbench
from garimpo.crawl.state import host_rows, queued
from garimpo.crawl.state.host import NOBODY, Address, Host

AWAKE = 8_192
"""So many may be awake; when more are, a quarter of that goes to sleep with them."""
TOGETHER, SHARE = 256, 1 / 256
"""So many wake at once when their turn has come, or this share of those that sleep: to find the best, all are looked at."""


class Hosts:
    """Finds, makes, locates, wakes and lays down hosts."""

    def __init__(
        self,
        db: sqlite3.Connection,
        queues: HostQueues,
        bench: Workbench,
        resolver: Resolver,
        clock: Callable[[], float],
        delay: float,
    ) -> None:
        self._db, self._queues, self._bench, self._resolver = db, queues, bench, resolver
        self._clock, self._delay = clock, delay
        self._began = clock()
        self.awake: dict[str, Host] = {}
        self.changed: dict[Host, None] = {}
        """Hosts whose rows the next commit writes."""
        self._sought = 0
        """How many are being looked up."""
        self._sleeping = SleepingHosts()
        self._addresses: dict[str, Address] = {}
        self._count = host_rows.last_id(db)

    def __len__(self) -> int:
        """How many the crawl has met."""
        return self._count

    @property
    def some_sleep(self) -> bool:
        """Whether a sleeping host has something to be asked for."""
        return self._sleeping.floor < NOBODY

    def get(self, name: str) -> Host | None:
        """The host of that name, awake."""
        host = self.awake.get(name)
        if host is None and len(self.awake) < self._count and (row := host_rows.named(self._db, name)) is not None:
            host = self._wake(row, self._sleeping.take(row.id))
        return host

    def with_queued(self, matches: Callable[[str], object]) -> list[str]:
        """The hosts with a queued URL that matches, as of the last commit."""
        return sorted({name for name, url in queued.urls_with_host_names(self._db) if matches(url)})

    def make(self, name: str) -> Host:
        """A host met for the first time."""
        self._count += 1
        host = self.awake[name] = Host(self._count, name, self._delay)
        self.changed[host] = None
        return host

    def seek(self, host: Host) -> None:
        """Find out where a host is; what must be looked up comes with `take_addresses`."""
        host.sought = True
        address = self._resolver.known(host.name)
        if address is None:
            self._sought += 1
            self._resolver.ask(host.name)
        else:
            self._locate(host, address)

    def take_addresses(self) -> None:
        """Take the lookups that ended. A host with an address keeps it, for politeness; one without stands for itself."""
        for name, address in self._resolver.answers():
            host = self.awake.get(name)
            if host is not None and host.address is None:
                self._sought -= 1
                self._locate(host, address or name)

    def load(self) -> None:
        """Take up those of an earlier run that have something queued: asleep, unless they have to wait."""
        for row, best in host_rows.with_queue(self._db):
            if row.next_at <= self._began:
                self._queues.hosts += 1
                self._sleeping.put(row.id, best)
            else:
                self._wake(row, None)

    def wake_better(self, than: tuple[float, float]) -> bool:
        """Wake hosts with URLs ordered before `than`; False when there are none, or enough are being looked up.

        In an earlier run a request may have been in flight, so at first one full delay passes.
        """
        if self._sleeping.floor >= than or self._sought >= TOGETHER or not self.may_wake():
            return False
        asleep = self._count - len(self.awake)
        found = self._sleeping.take_best(max(TOGETHER, min(int(SHARE * asleep), AWAKE // 2)), than)
        for id, best in found:
            self._wake(host_rows.numbered(self._db, id), best)
        return bool(found)

    def may_wake(self) -> bool:
        """Whether a full delay has passed since the run began."""
        return self._clock() >= self._began + self._delay

    def rest(self, is_wanted: Callable[[Host], bool]) -> None:
        """Lay the worst hosts down if too many are awake; only right after a commit. What is not `is_wanted` has no turn."""
        too_many = len(self.awake) - AWAKE
        if too_many <= 0 or self.changed:
            return
        busy, now = self._queues.hosts_taken(), self._clock()
        free = [host for host in self.awake.values() if _is_free(host, now) and host not in busy]
        for host in heapq.nlargest(too_many + AWAKE // 4, free, key=lambda host: host.best or NOBODY):
            self._lay_down(host, is_wanted(host))
        self._bench.sweep()

    def reorder(self, ids: Iterable[int]) -> None:
        """The scores of queued URLs of these hosts were changed on disk; only right after a commit."""
        wanted = set(ids)
        for host in [host for host in self.awake.values() if host.id in wanted]:
            wanted.remove(host.id)
            self._queues.reorder(host)
            self._bench.place(host)
        for id in wanted:
            if self._sleeping.has(id) and (best := queued.best_order(self._db, id)) is not None:
                self._sleeping.put(id, best)

    def hold(self, host: Host, until: float) -> None:
        """Ask nothing of this host before `until`."""
        if until > host.next_at:
            host.next_at = until
            self.touch(host)
            self._bench.place(host)

    def free(self, host: Host) -> None:
        """A host that was held may be asked again."""
        host.held = False
        self._bench.place(host)

    def slow_down(self, host: Host, delay: float) -> None:
        """A host asks for a longer delay."""
        host.delay = delay
        self.touch(host)

    def recover(self, host: Host) -> None:
        """A host answered: its failures are forgotten."""
        if host.errors:
            host.errors = 0
            self.touch(host)

    def touch(self, host: Host) -> None:
        """The row of a host is to be written with the next commit."""
        self.changed[host] = None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of the hosts that changed."""
        for host in self.changed:
            yield host.id, host.name, host.site, host.delay, host.next_at, host.fetched, host.errors

    def _locate(self, host: Host, address: str) -> None:
        host.address = self._addresses.get(address) or self._addresses.setdefault(address, Address(address))
        host.address.hosts += 1
        self._bench.place(host)

    def _wake(self, row: host_rows.HostRow, best: tuple[float, float] | None) -> Host:
        host = self.awake[row.name] = Host(row.id, row.name, row.delay)
        longest = self._began + MOST_ASKED  # a clock that was wrong once must not put a host off for years
        host.next_at = max(min(row.next_at, longest), self._began + row.delay)
        host.fetched, host.errors = row.fetched, row.errors
        if best is None:
            self._queues.open(host)
        else:
            self._queues.take_up(host, best)
        self.seek(host)
        return host

    def _lay_down(self, host: Host, wanted: bool) -> None:
        best = self._queues.lay_down(host, wanted)
        if best is not None:
            self._sleeping.put(host.id, best)
        del self.awake[host.name]
        self._bench.forget(host)
        if host.address is not None:
            host.address.hosts -= 1
            if not host.address.hosts:
                del self._addresses[host.address.name]


def _is_free(host: Host, now: float) -> bool:
    """Whether a host could be asked at once if it were its turn, and nothing of it is under way."""
    if host.address is None:
        return not host.sought  # nothing of it was ever queued
    if host.open or host.held or host.later or host.next_at > now:
        return False
    return not host.address.busy and host.address.next_at <= now
