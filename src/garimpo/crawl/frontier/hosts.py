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

from garimpo.crawl import queue
from garimpo.crawl.askable import NOBODY, Address, Host
from garimpo.crawl.asleep import Asleep
from garimpo.crawl.shelf import Shelf
from garimpo.crawl.workbench import Workbench

AWAKE = 8_192
"""So many may be awake; when more are, a quarter of that goes to sleep with them."""
TOGETHER, SHARE = 256, 1 / 256
"""So many wake at once when their turn has come, or this share of those that sleep: to find the best, all are looked at."""


class Hosts:
    """Finds, makes, wakes and lays down hosts. `address_of` names the address of a host where it is known, else None."""

    def __init__(
        self,
        db: sqlite3.Connection,
        shelf: Shelf,
        bench: Workbench,
        address_of: Callable[[str], str | None],
        began: float,
        delay: float,
    ) -> None:
        self._db, self._shelf, self._bench, self._address_of = db, shelf, bench, address_of
        self._began, self._delay = began, delay
        self.awake: dict[str, Host] = {}
        self.changed: dict[Host, None] = {}
        """Hosts whose rows the next commit writes."""
        self.unresolved: list[Host] = []
        """Hosts whose address must be looked up before they can be asked; the loop empties it."""
        self._sought = 0
        """How many are being looked up, those among them."""
        self._asleep = Asleep()
        self._addresses: dict[str, Address] = {}
        self._count = queue.last_host(db)

    def __len__(self) -> int:
        """How many the crawl has met."""
        return self._count

    @property
    def some_sleep(self) -> bool:
        """Whether a sleeping host has something to be asked for."""
        return self._asleep.floor < NOBODY

    def get(self, name: str, now: float) -> Host | None:
        """The host of that name, awake."""
        host = self.awake.get(name)
        if host is None and len(self.awake) < self._count and (row := queue.host_named(self._db, name)) is not None:
            host = self._wake(row, self._asleep.take(row.id), now)
        return host

    def make(self, name: str) -> Host:
        """A host met for the first time."""
        self._count += 1
        host = self.awake[name] = Host(self._count, name, self._delay)
        self.changed[host] = None
        return host

    def found(self, name: str, address: str | None, now: float) -> None:
        """A lookup ended. A host with an address keeps it, for politeness; one without stands for itself."""
        host = self.awake.get(name)
        if host is not None and host.address is None:
            self._sought -= 1
            self._locate(host, address or name, now)

    def seek(self, host: Host, now: float) -> None:
        """Find out where a host is."""
        host.sought = True
        address = self._address_of(host.name)
        if address is None:
            self._sought += 1
            self.unresolved.append(host)
        else:
            self._locate(host, address, now)

    def load(self) -> None:
        """Take up those of an earlier run that have something queued: asleep, unless they have to wait."""
        for row, best in queue.hosts_with_queue(self._db):
            if row.next_at <= self._began:
                self._shelf.hosts += 1
                self._asleep.put(row.id, best)
            else:
                self._wake(row, None, self._began)

    def wake_better(self, than: tuple[float, float], now: float) -> bool:
        """Wake hosts with URLs ordered before `than`; False when there are none, or enough are being looked up.

        In an earlier run a request may have been in flight, so at first one full delay passes.
        """
        if self._asleep.floor >= than or self._sought >= TOGETHER or not self.may_wake(now):
            return False
        asleep = self._count - len(self.awake)
        found = self._asleep.take_best(max(TOGETHER, min(int(SHARE * asleep), AWAKE // 2)), than)
        for id, best in found:
            self._wake(queue.host_numbered(self._db, id), best, now)
        return bool(found)

    def may_wake(self, now: float) -> bool:
        """Whether a full delay has passed since the run began."""
        return now >= self._began + self._delay

    def rest(self, now: float, is_wanted: Callable[[Host], bool]) -> None:
        """Lay the worst hosts down if too many are awake; only right after a commit. What is not `is_wanted` has no turn."""
        too_many = len(self.awake) - AWAKE
        if too_many <= 0 or self.changed:
            return
        busy = self._shelf.hosts_taken()
        free = [host for host in self.awake.values() if _is_free(host, now) and host not in busy]
        for host in heapq.nlargest(too_many + AWAKE // 4, free, key=lambda host: host.best or NOBODY):
            self._lay_down(host, now, is_wanted(host))
        self._bench.sweep()

    def reorder(self, ids: Iterable[int], now: float) -> None:
        """The scores of queued URLs of these hosts were changed on disk; only right after a commit."""
        wanted = set(ids)
        for host in [host for host in self.awake.values() if host.id in wanted]:
            wanted.remove(host.id)
            self._shelf.reorder(host)
            self._bench.place(host, now)
        for id in wanted:
            if self._asleep.has(id) and (best := queue.best_order(self._db, id)) is not None:
                self._asleep.put(id, best)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of the hosts that changed."""
        for host in self.changed:
            yield host.id, host.name, host.site, host.delay, host.next_at, host.fetched, host.errors

    def _locate(self, host: Host, address: str, now: float) -> None:
        host.address = self._addresses.get(address) or self._addresses.setdefault(address, Address(address))
        host.address.hosts += 1
        self._bench.place(host, now)

    def _wake(self, row: queue.HostRow, best: tuple[float, float] | None, now: float) -> Host:
        host = self.awake[row.name] = Host(row.id, row.name, row.delay)
        host.next_at = max(row.next_at, self._began + row.delay)
        host.fetched, host.errors = row.fetched, row.errors
        if best is None:
            self._shelf.open(host)
        else:
            self._shelf.take_up(host, best)
        self.seek(host, now)
        return host

    def _lay_down(self, host: Host, now: float, wanted: bool) -> None:
        best = self._shelf.lay_down(host, wanted)
        if best is not None:
            self._asleep.put(host.id, best)
        del self.awake[host.name]
        self._bench.forget(host, now)
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
