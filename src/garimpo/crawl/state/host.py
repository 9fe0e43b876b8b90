"""Whom a crawl asks: hosts, and the addresses they are on, each with the heaps in which its hosts lie.

To move a host is to push it anew; what lies in a heap from before is stale, and passed over when it comes up: only the item
with the host's present ticket counts. What is stale and never comes up is dropped when half of a heap may be.
"""

import heapq
from typing import Any

from garimpo.url import site

NEVER = float("inf")
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
        self.ready = _fresh(self.ready)
        return first(self.ready) if self.ready else None

    def first_waiting(self) -> "HostItem | None":
        """The item of the host that waits least."""
        self.waiting = _fresh(self.waiting)
        return first(self.waiting) if self.waiting else None

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


def first(heap: Heap) -> HostItem:
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


def _fresh(heap: Heap) -> Heap:
    """The heap from its first item that is not stale on."""
    while heap and _is_stale(first(heap)):
        heap = _without_first(heap)
    return heap


def _swept(heap: Heap) -> Heap:
    if not isinstance(heap, list):
        return NONE if heap and _is_stale(heap) else heap
    heap = [item for item in heap if not _is_stale(item)]
    heapq.heapify(heap)
    return heap


def _is_stale(item: HostItem) -> bool:
    return item[2] != item[3].ticket
