"""Who may be asked next: hosts and addresses with their delays (BUbiNG's workbench).

A host belongs to one address. A host is *ready* when its own delay has passed and it has URLs in memory; an address is ready
when its delay has passed, fewer than the allowed connections to it are open, and one of its hosts is ready. Of all ready
addresses the one whose best URL has the best score goes first; of equal scores, the one found first on the host with the fewest
requests under way.

Both levels use the same trick: to move a host or an address is to push it anew; what lies in a heap from before is passed
over when it comes up. So a score that rises costs one push. A host's item is the one with its present ticket, an address's the
one it is `placed` under, which among the ready ones is that of its best host. What is stale and never comes up is dropped
when half of a heap may be.
"""

import heapq
import itertools
from typing import Any

from garimpo.url import site

NEVER = float("inf")
LONG_WAIT = 60.0
"""URLs that must wait longer than this do not keep a crawl alive: they stay queued for `--resume`."""
SOON = 5.0
"""What nothing is said against and can be asked within so many seconds is waited for, rather than ask what is postponed."""
ASKED = 1e12
"""What a request under way puts a host back by: more than any sequence number."""
NOTHING = (-NEVER, -1.0)
"""The floor of a host of which nothing lies in the heads: before every (-score, sequence number)."""
NOBODY = (NEVER, NEVER)
"""After every (-score, sequence number)."""
_NEGATIVE: dict[float, float] = {}
_NEGATIVES = 10_000
SLACK = 8
"""So many stale items of an address are never looked for."""
NONE: Any = ()
"""No list yet: most hosts of a large crawl wait, and an empty list of its own for each takes room."""


def negative(score: float) -> float:
    """-score, the same object for equal scores: a waiting host keeps it in several places, and there are many hosts.

    >>> negative(0.5), negative(0.5) is negative(0.5)
    (-0.5, True)
    """
    found = _NEGATIVE.get(score)
    if found is None:
        if len(_NEGATIVE) >= _NEGATIVES:
            _NEGATIVE.clear()
        found = _NEGATIVE[score] = -score
    return found


class Address:
    """An IP address (or what stands for one): the hosts on it, when it may be asked again, how many requests are open."""

    __slots__ = ("busy", "hosts", "most", "name", "next_at", "placed", "ready", "waiting")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.hosts = 0
        """How many hosts on it are awake."""
        self.next_at = 0.0
        self.busy = 0
        self.ready: Heap = NONE
        self.waiting: Heap = NONE
        self.most = SLACK
        """How long one of them may grow before stale items are dropped."""
        self.placed: HostItem | AddressItem | None = None
        """What it lies under on the workbench."""

    def add_ready(self, best: tuple[float, float], host: "Host") -> None:
        self._make_room()
        self.ready = _with(self.ready, (*best, host.ticket, host))

    def add_waiting(self, count: int, host: "Host") -> None:
        self._make_room()
        self.waiting = _with(self.waiting, (host.next_at, count, host.ticket, host))

    def first_ready(self) -> "HostItem | None":
        """The item of the best host that is ready."""
        while self.ready and _is_stale(_first(self.ready)):
            self.ready = _without_first(self.ready)
        return _first(self.ready) if self.ready else None

    def first_waiting(self) -> "HostItem | None":
        """The item of the host that waits least."""
        while self.waiting and _is_stale(_first(self.waiting)):
            self.waiting = _without_first(self.waiting)
        return _first(self.waiting) if self.waiting else None

    def take_ready(self) -> None:
        self.ready = _without_first(self.ready)

    def take_waiting(self) -> None:
        self.waiting = _without_first(self.waiting)

    def _make_room(self) -> None:
        if len(self.ready) < self.most and len(self.waiting) < self.most:  # as an item alone always is
            return
        self.sweep()
        self.most = 2 * max(len(heap) for heap in (self.ready, self.waiting) if isinstance(heap, list)) + SLACK

    def sweep(self) -> None:
        """Drop what is stale."""
        self.ready, self.waiting = _swept(self.ready), _swept(self.waiting)


class Host:
    """A host: its URLs at hand (a heap of heads), its delay, and what the crawl knows of it."""

    __slots__ = (
        "address",
        "beyond",
        "counted",
        "delay",
        "errors",
        "failed_at",
        "fetched",
        "floor_order",
        "floor_place",
        "heads",
        "held",
        "id",
        "later",
        "name",
        "next_at",
        "open",
        "sought",
        "ticket",
        "undoubted",
    )

    def __init__(self, id: int, name: str, delay: float) -> None:
        self.id, self.name, self.delay = id, name, delay
        self.address: Address | None = None
        self.next_at = 0.0
        self.ticket = 0
        self.heads: list[tuple[float, int, Any]] = NONE
        """(-score, sequence number, entry): the best of the host's URLs, in a heap."""
        self.later: list[Any] = NONE
        """Entries not yet committed that did not fit into the heads."""
        self.beyond = False
        """Whether some of the host's queued URLs are not in the heads; they are ordered after `floor`."""
        self.floor_order, self.floor_place = NOTHING
        self.counted = False
        """Whether the shelf counts it among those that have something queued."""
        self.fetched = 0
        self.open = 0
        """Requests to it that are under way."""
        self.errors = 0
        """Failures in a row; those of requests that were under way together count once."""
        self.failed_at = 0.0
        self.sought = False
        """Whether its address is known or being looked up."""
        self.held = False
        """While its robots.txt is on its way nothing else is asked of a host."""
        self.undoubted = False
        """Whether it has something soon that is not postponed."""

    @property
    def site(self) -> str:
        return site(self.name)

    @property
    def floor(self) -> tuple[float, float]:
        """(-score, sequence number): whatever of it is at hand is ordered before. Two slots, as a tuple takes more room."""
        return self.floor_order, self.floor_place

    @floor.setter
    def floor(self, place: tuple[float, float]) -> None:
        self.floor_order, self.floor_place = place

    def count_failure(self, started: float, now: float) -> None:
        """A request begun at `started` failed: one more in a row, unless it was under way when the last one failed."""
        if started >= self.failed_at:
            self.errors += 1
            self.failed_at = now

    @property
    def best(self) -> tuple[float, float] | None:
        """The order of its best URL, (-score, sequence number); None when it has none.

        Among equal scores a host that is being asked comes after those that are not: requests spread over the hosts, and
        a connection is used again, where in the order of discovery all links of a page would be asked for at once.
        """
        if not self.heads and not self.beyond:
            return None
        score, sequence = self.heads[0][:2] if self.heads else self.floor
        return score, sequence + self.open * ASKED if self.open else sequence


HostItem = tuple[float, float, int, Host]
"""The order of a ready host or the time of a waiting one, a number that settles ties, the ticket, and the host."""
AddressItem = tuple[float, int, Address]
"""When an address may be asked again, a number that settles ties, and the address."""
Heap = HostItem | list[HostItem]
"""Items in a heap; of one alone the item itself, as most addresses have one host, and a list takes room."""


def _first(heap: Heap) -> HostItem:
    return heap[0] if isinstance(heap, list) else heap


def _with(heap: Heap, item: HostItem) -> Heap:
    if not isinstance(heap, list):
        if not heap or _is_stale(heap):
            return item
        heap = [heap]
    heapq.heappush(heap, item)
    return heap


def _without_first(heap: Heap) -> Heap:
    if not isinstance(heap, list):
        return NONE
    heapq.heappop(heap)
    return heap[0] if len(heap) == 1 else heap


def _swept(heap: Heap) -> Heap:
    if not isinstance(heap, list):
        return NONE if heap and _is_stale(heap) else heap
    heap = [item for item in heap if not _is_stale(item)]
    heapq.heapify(heap)
    return heap


def _is_stale(item: HostItem) -> bool:
    return item[2] != item[3].ticket


class Workbench:
    """The ready and waiting addresses. `pop(now)` gives a host to ask now; `next_time` says when to look again."""

    def __init__(self, connections_per_address: int) -> None:
        self._limit = connections_per_address
        self._count = itertools.count()
        self._ready: list[HostItem] = []
        self._waiting: list[AddressItem] = []
        self._most = 0
        self.undoubted = 0
        """How many hosts have something soon that is not postponed."""

    def place(self, host: Host, now: float) -> None:
        """Put a host where it belongs after anything about it changed."""
        address = host.address
        if address is None:
            return
        host.ticket += 1
        best = host.best
        self._count_undoubted(host, best is not None and best[0] <= 0 and host.next_at <= now + SOON)
        if best is not None and not host.held:
            if host.next_at > now:
                address.add_waiting(next(self._count), host)
            else:
                address.add_ready(best, host)
        self._place_address(address, now)

    def pop(self, now: float) -> Host | None:
        """The best ready host; it must be placed again by the caller once its entry was taken."""
        self._mature(now)
        while self._ready:
            item = heapq.heappop(self._ready)
            address = _address(item)
            if address.placed is not item:
                continue
            address.placed = None
            host = self._best_host(address, now)
            if host is not None:
                address.take_ready()
                host.ticket += 1
                return host
            self._place_address(address, now)
        return None

    def drop(self, host: Host, now: float) -> None:
        """Leave a popped host out; its address goes on with the others."""
        self._count_undoubted(host, False)
        if host.address is not None:
            self._place_address(host.address, now)

    def forget(self, host: Host, now: float) -> None:
        """Take a host off: it goes to sleep."""
        host.ticket += 1
        self._count_undoubted(host, False)
        if host.address is not None:
            host.address.sweep()
            self._place_address(host.address, now)

    def sweep(self) -> None:
        """Drop what is stale, and with it the hosts that sleep."""
        self._ready = [item for item in self._ready if _address(item).placed is item]
        self._waiting = [item for item in self._waiting if item[2].placed is item]
        heapq.heapify(self._ready)
        heapq.heapify(self._waiting)

    def _count_undoubted(self, host: Host, soon: bool) -> None:
        self.undoubted += soon - host.undoubted
        host.undoubted = soon

    def best(self, now: float) -> tuple[float, float]:
        """The order of the best URL that may be asked for now, after all others when there is none."""
        self._mature(now)
        while self._ready and _address(self._ready[0]).placed is not self._ready[0]:
            heapq.heappop(self._ready)
        return self._ready[0][:2] if self._ready else NOBODY

    def has_ready(self) -> bool:
        """Whether some address may be ready now."""
        return bool(self._ready)

    def next_time(self) -> float:
        """When the next waiting address becomes ready (`NEVER` when none waits)."""
        while self._waiting and self._waiting[0][2].placed is not self._waiting[0]:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else NEVER

    def _mature(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            item = heapq.heappop(self._waiting)
            if item[2].placed is item:
                self._place_address(item[2], now)

    def _best_host(self, address: Address, now: float) -> Host | None:
        while (item := address.first_waiting()) is not None and item[0] <= now:
            address.take_waiting()
            host = item[3]
            if (best := host.best) is not None:
                host.ticket += 1
                address.add_ready(best, host)
        first = address.first_ready()
        return None if first is None else first[3]

    def _place_address(self, address: Address, now: float) -> None:
        before, address.placed = address.placed, None
        if address.busy >= self._limit:
            return
        host = self._best_host(address, now)
        if host is not None and address.next_at <= now:
            address.placed = _first(address.ready)
            if address.placed is not before:
                self._push_ready(address.placed)
        elif host is not None:
            self._push_waiting(address.next_at, address)
        elif (waiting := address.first_waiting()) is not None:
            self._push_waiting(max(waiting[0], address.next_at), address)

    def _push_ready(self, item: HostItem) -> None:
        if len(self._ready) >= self._most:
            self._ready = [one for one in self._ready if _address(one).placed is one]
            heapq.heapify(self._ready)
            self._most = 2 * len(self._ready) + 1_000
        heapq.heappush(self._ready, item)

    def _push_waiting(self, when: float, address: Address) -> None:
        address.placed = item = (when, next(self._count), address)
        heapq.heappush(self._waiting, item)


def _address(item: HostItem) -> Address:
    address = item[3].address
    assert address is not None  # else it would not have been placed
    return address
